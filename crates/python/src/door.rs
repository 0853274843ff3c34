//! Long work that asks models of Python. The work runs on the threads of this process; the models are called on the thread
//! that the user called from, where Ctrl-C is heard and where models expect to be.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors;
use crate::pool::pool;

/// How often signals are asked for while no model is.
const PAUSE: Duration = Duration::from_millis(50);

thread_local! {
    /// Whether this thread is asking a model for work that waits on the threads of this process.
    static SERVING: Cell<bool> = const { Cell::new(false) };
}

/// Whether a model is being asked on this thread. What it wants from us must then be done here: the threads of this
/// process may all be waiting for its answer.
pub fn is_serving() -> bool {
    SERVING.get()
}

/// Something to be done on the thread of the user.
type Job = Box<dyn FnOnce(Python<'_>) + Send>;

enum Message {
    Job(Job),
    Done,
}

/// The way of models back to the thread of the user. All clones lead to the same.
#[derive(Clone)]
pub struct Door(Arc<Inner>);

struct Inner {
    user: ThreadId,
    to_user: Mutex<Sender<Message>>,
    /// The first exception of a model, or of Ctrl-C, and what it says.
    raised: Mutex<Option<(PyErr, String)>>,
    stopped: AtomicBool,
}

/// The end of the way, which stays with the user.
pub struct Here {
    pub door: Door,
    messages: Mutex<Receiver<Message>>,
}

impl Here {
    /// For a call from this thread.
    pub fn new() -> Self {
        let (to_user, messages) = channel();
        let inner = Inner {
            user: thread::current().id(),
            to_user: Mutex::new(to_user),
            raised: Mutex::new(None),
            stopped: AtomicBool::new(false),
        };
        Self { door: Door(Arc::new(inner)), messages: Mutex::new(messages) }
    }

    /// Does the work on the threads of this process, and what models want done on this one. An exception comes back as
    /// itself: that of Ctrl-C as it is, that of a model as the cause of `ModelFailed`.
    pub fn run<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> R + Send,
        failed: impl FnOnce(&R) -> Option<String>,
    ) -> PyResult<R> {
        let pool = pool(py)?;
        let mut done = None;
        py.detach(|| {
            pool.in_place_scope(|scope| {
                scope.spawn(|_| {
                    let _end = End(&self.door);
                    done = Some(work());
                });
                self.serve();
            });
        });
        self.end(py, done, failed)
    }

    /// The same on a thread of its own, for work that lasts: the threads of this process stay free for others.
    pub fn run_aside<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> R + Send,
        failed: impl FnOnce(&R) -> Option<String>,
    ) -> PyResult<R> {
        let mut done = None;
        py.detach(|| {
            thread::scope(|scope| {
                scope.spawn(|| {
                    let _end = End(&self.door);
                    done = Some(work());
                });
                self.serve();
            });
        });
        self.end(py, done, failed)
    }

    /// Does what models want done, until the work ends.
    fn serve(&self) {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match messages.recv_timeout(PAUSE) {
                Ok(Message::Job(job)) => {
                    SERVING.set(true);
                    Python::attach(job);
                    SERVING.set(false);
                }
                Ok(Message::Done) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                    if let Err(stop) = py.check_signals() {
                        self.door.keep(py, stop);
                    }
                }),
            }
        }
    }

    fn end<R>(&self, py: Python<'_>, done: Option<R>, failed: impl FnOnce(&R) -> Option<String>) -> PyResult<R> {
        let done = done.ok_or_else(|| errors::broken("the work ended without a result"))?;
        let why = failed(&done);
        match (self.door.0.raised.lock().unwrap_or_else(PoisonError::into_inner).take(), why) {
            (Some((stop, _)), _) if stop.is_instance_of::<PyKeyboardInterrupt>(py) => Err(stop),
            (Some((own, _)), Some(_)) if is_ours(py, &own) => Err(own),
            (Some((own, said)), Some(why)) => {
                // Work that was stopped by it may know no more than that.
                let failed = errors::raise(py, "ModelFailed", if why.contains(&said) { &why } else { &said }, &[]);
                failed.set_cause(py, Some(own));
                Err(failed)
            }
            _ => Ok(done),
        }
    }
}

/// Says that the work has ended, however it ends.
struct End<'a>(&'a Door);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.send(Message::Done);
    }
}

/// Whether an exception says already what is wrong, in our words.
fn is_ours(py: Python<'_>, error: &PyErr) -> bool {
    py.import("fissure.errors")
        .and_then(|module| module.getattr("Error"))
        .is_ok_and(|class| error.matches(py, class).unwrap_or(false))
}

impl Door {
    /// Whether an exception, or Ctrl-C, has ended what the work is for.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Asks Python on the thread of the user; what it raises is kept, and said in a sentence here.
    pub fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(Python<'_>) -> PyResult<R> + Send + 'static,
    ) -> Result<R, String> {
        if self.is_stopped() {
            return Err("stopped".into());
        }
        if thread::current().id() == self.0.user {
            return Python::attach(|py| question(py).map_err(|error| self.keep(py, error)));
        }
        let (answer, answered) = channel();
        let door = self.clone();
        self.send(Message::Job(Box::new(move |py| {
            let _ = answer.send(question(py).map_err(|error| door.keep(py, error)));
        })));
        // Nothing comes if the user's thread has gone on without us.
        answered.recv().unwrap_or_else(|_| Err("nobody is there to ask the model".into()))
    }

    fn send(&self, message: Message) {
        // Fails only if nobody listens any longer, and then nobody waits either.
        let _ = self.0.to_user.lock().unwrap_or_else(PoisonError::into_inner).send(message);
    }

    /// Keeps the first exception, and asks nothing more; what it says.
    fn keep(&self, py: Python<'_>, error: PyErr) -> String {
        let kind = error.get_type(py).name().map_or_else(|_| "an exception".into(), |name| name.to_string());
        let said = format!("the model raised {kind}: {}", error.value(py));
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((error, said.clone()));
        said
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").finish_non_exhaustive()
    }
}
