//! Long work in windows: without the interpreter, on the threads of this process, with an ear for Ctrl-C.

use std::convert::Infallible;
use std::ops::Range;
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

/// At most this many neighbours are done in one go on one thread.
const GO: usize = 64;

/// What `make` makes of every item, in order. With `alone` everything is done on the thread of the caller, as in a worker
/// of a cluster that has one core.
pub fn each<T: Sync, R: Send>(
    py: Python<'_>,
    items: &[T],
    alone: bool,
    make: impl Fn(&T) -> R + Sync + Send,
) -> PyResult<Vec<R>> {
    let go = |range: Range<usize>| Ok::<_, Infallible>(items[range].iter().map(&make).collect::<Vec<_>>());
    let Ok(made) = ranges(py, items.len(), alone, go)?;
    Ok(made.into_iter().flatten().collect())
}

/// What `make` makes of the numbers below `count`, some neighbours at a time, in order; or the first error of the first
/// window that has one. Where the numbers are cut changes no result, so threads and the clock may choose it.
pub fn ranges<R: Send, E: Send>(
    py: Python<'_>,
    count: usize,
    alone: bool,
    make: impl Fn(Range<usize>) -> Result<R, E> + Sync + Send,
) -> PyResult<Result<Vec<R>, E>> {
    let mut made = Vec::new();
    let (mut done, mut size) = (0, FIRST);
    while done < count {
        let window = done..count.min(done.saturating_add(size));
        let started = now();
        let threads = if alone || window.len() < FEW || is_serving() { None } else { Some(pool(py)?) };
        let found = match threads.filter(|pool| pool.current_num_threads() > 1) {
            None => py.detach(|| vec![make(window.clone())]),
            Some(pool) => {
                // A few goes for each thread, so that one with short texts can help one with long ones.
                let go = window.len().div_ceil(4 * pool.current_num_threads()).clamp(1, GO);
                let starts: Vec<usize> = window.clone().step_by(go).collect();
                let one = |start: usize| make(start..window.end.min(start + go));
                py.detach(|| pool.install(|| starts.into_par_iter().map(one).collect()))
            }
        };
        py.check_signals()?;
        for found in found {
            match found {
                Ok(found) => made.push(found),
                Err(error) => return Ok(Err(error)),
            }
        }
        let took = started.elapsed().as_secs_f64().max(1e-6);
        let fitting = window.len() as f64 * WINDOW.as_secs_f64() / took;
        done = window.end;
        size = (fitting as usize).clamp(size / 4, size * 4).max(1);
    }
    Ok(Ok(made))
}

#[allow(
    clippy::disallowed_methods,
    reason = "a door may look at the clock: it changes how long a window is, never a result"
)]
fn now() -> Instant {
    Instant::now()
}
