//! The threads of this process.
//!
//! A child of `fork` inherits the memory of a pool without its threads, and would wait for them for ever at the first
//! parallel call. So the pool belongs to a process id, and a child makes one of its own. There is no lock here that a
//! thread of the parent could hold at the moment of the fork.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

struct Pool {
    process: u32,
    wanted: usize,
    threads: ThreadPool,
}

static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// How many threads the user wants; 0 for the usual number.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// The process that loaded this module; a child of `fork` has another.
static LOADED_BY: AtomicU32 = AtomicU32::new(0);

/// Remembers which process loads the module.
pub fn loaded() {
    LOADED_BY.store(std::process::id(), Ordering::Relaxed);
}

/// Says how many threads to use, and how many there are. `None` or nothing leaves it as it is; 0 is the usual number:
/// that of `RAYON_NUM_THREADS` or `OMP_NUM_THREADS` if one is set, else 1 in a worker of a pool of processes, else as many as
/// the machine has.
#[pyfunction]
#[pyo3(signature = (count = None))]
pub fn threads(py: Python<'_>, count: Option<usize>) -> PyResult<usize> {
    if let Some(count) = count {
        WANTED.store(count, Ordering::Relaxed);
    }
    Ok(pool(py)?.current_num_threads())
}

/// The number of threads of a user who says nothing; 0 for as many as the machine has.
///
/// Workers of Ray, Dask, Spark and joblib are given `OMP_NUM_THREADS`. Those of `datasets.map(num_proc=8)`, of a
/// `DataLoader` or of `multiprocessing` are given nothing, and there are as many of them as the user wants to be at work:
/// eight times all threads of the machine would get in each other's way.
#[allow(clippy::disallowed_methods, reason = "a door may look at the environment; threads change no result")]
fn usual(py: Python<'_>) -> usize {
    let said = |name: &str| std::env::var(name).ok()?.split(',').next()?.trim().parse::<usize>().ok();
    let said = said("RAYON_NUM_THREADS").or_else(|| said("OMP_NUM_THREADS")).filter(|count| *count > 0);
    said.unwrap_or_else(|| usize::from(is_worker(py)))
}

/// Whether another process of Python started this one to have it work beside others.
fn is_worker(py: Python<'_>) -> bool {
    // Only a library that is loaded can have started it: nothing is imported to look.
    let started = |library: &str| -> PyResult<bool> {
        let modules = py.import("sys")?.getattr("modules")?;
        let library = modules.get_item(library)?;
        Ok(!library.call_method0("parent_process")?.is_none())
    };
    let is_fork = LOADED_BY.load(Ordering::Relaxed) != std::process::id();
    is_fork || ["multiprocessing", "multiprocess"].into_iter().any(|library| started(library).unwrap_or(false))
}

/// The pool of this process.
pub fn pool(py: Python<'_>) -> PyResult<&'static ThreadPool> {
    let (process, wanted) = (std::process::id(), WANTED.load(Ordering::Relaxed));
    let known = POOL.load(Ordering::Acquire);
    // SAFETY: the pointer is null or comes from `Box::leak` below, so what it points to lives as long as the process and is
    // never changed.
    let known = unsafe { known.as_ref() };
    if let Some(known) = known.filter(|known| known.process == process && known.wanted == wanted) {
        return Ok(&known.threads);
    }
    let named = |at| format!("fissure-{at}");
    let count = if wanted == 0 { usual(py) } else { wanted };
    let threads = ThreadPoolBuilder::new().num_threads(count).thread_name(named).build();
    let threads = threads.map_err(|why| PyRuntimeError::new_err(format!("no threads can be started: {why}")))?;
    // Never freed: another thread may be at work in it. A process makes one, and one more each time that the user changes
    // the number of threads. Two threads that come here at once make two, of which one stays idle.
    let made = Box::leak(Box::new(Pool { process, wanted, threads }));
    POOL.store(made, Ordering::Release);
    Ok(&made.threads)
}
