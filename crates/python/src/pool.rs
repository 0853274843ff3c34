//! The threads of this process.
//!
//! A child of `fork` inherits the memory of a pool without its threads, and would wait for them for ever at the first
//! parallel call. So the pool belongs to a process id, and a child makes one of its own. There is no lock here that a
//! thread of the parent could hold at the moment of the fork.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

struct Pool {
    process: u32,
    wanted: usize,
    threads: ThreadPool,
}

static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// How many threads the user wants; 0 for as many as the machine has.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// Says how many threads to use, and how many there are. `None` or nothing leaves it as it is; 0 is as many as the machine
/// has.
#[pyfunction]
#[pyo3(signature = (count = None))]
pub fn threads(count: Option<usize>) -> PyResult<usize> {
    if let Some(count) = count {
        WANTED.store(count, Ordering::Relaxed);
    }
    Ok(pool()?.current_num_threads())
}

/// The pool of this process.
pub fn pool() -> PyResult<&'static ThreadPool> {
    let (process, wanted) = (std::process::id(), WANTED.load(Ordering::Relaxed));
    let known = POOL.load(Ordering::Acquire);
    // SAFETY: the pointer is null or comes from `Box::leak` below, so what it points to lives as long as the process and is
    // never changed.
    let known = unsafe { known.as_ref() };
    if let Some(known) = known.filter(|known| known.process == process && known.wanted == wanted) {
        return Ok(&known.threads);
    }
    let named = |at| format!("fissure-{at}");
    let threads = ThreadPoolBuilder::new().num_threads(wanted).thread_name(named).build();
    let threads = threads.map_err(|why| PyRuntimeError::new_err(format!("no threads can be started: {why}")))?;
    // Never freed: another thread may be at work in it. A process makes one, and one more each time that the user changes
    // the number of threads. Two threads that come here at once make two, of which one stays idle.
    let made = Box::leak(Box::new(Pool { process, wanted, threads }));
    POOL.store(made, Ordering::Release);
    Ok(&made.threads)
}
