//! Long work in windows: without the interpreter, on the threads of this process, with an ear for Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::prelude::*;

use crate::door::is_serving;
use crate::pool::pool;

/// A window takes at most about this long, so that Ctrl-C is heard.
const WINDOW: Duration = Duration::from_millis(50);

/// Fewer items than this are done on the thread of the caller: waking others would take longer.
const FEW: usize = 16;

/// The items of the first window.
const FIRST: usize = 256;

/// What `make` makes of every item, in order. With `alone` everything is done on the thread of the caller, as in a worker
/// of a cluster that has one core.
pub fn each<T: Sync, R: Send>(
    py: Python<'_>,
    items: &[T],
    alone: bool,
    make: impl Fn(&T) -> R + Sync + Send,
) -> PyResult<Vec<R>> {
    let mut made = Vec::with_capacity(items.len());
    let mut size = FIRST;
    while made.len() < items.len() {
        let window = &items[made.len()..items.len().min(made.len() + size)];
        let started = now();
        if alone || window.len() < FEW || is_serving() {
            py.detach(|| made.extend(window.iter().map(&make)));
        } else {
            let pool = pool()?;
            py.detach(|| pool.install(|| made.par_extend(window.par_iter().map(&make))));
        }
        py.check_signals()?;
        // The size of a window changes no result, so the clock may choose it.
        let took = started.elapsed().as_secs_f64().max(1e-6);
        let fitting = window.len() as f64 * WINDOW.as_secs_f64() / took;
        size = (fitting as usize).clamp(size / 4, size * 4).max(1);
    }
    Ok(made)
}

#[allow(
    clippy::disallowed_methods,
    reason = "a door may look at the clock: it changes how long a window is, never a result"
)]
fn now() -> Instant {
    Instant::now()
}
