//! Who hears what would be shown, if a program in the same process wants it instead of the terminal.

use std::panic::resume_unwind;
use std::sync::{Arc, PoisonError, RwLock};

use anstream::adapter::strip_str;

/// Something that would be shown, without colours.
#[derive(Debug, Clone, Copy)]
pub enum Said<'a> {
    /// A result, for standard output.
    Result(&'a str),
    /// Anything else, for standard error.
    Note(&'a str),
    /// How far long work is, a few times a second and once at its end.
    Progress(Step),
}

/// How far long work is.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What is counted: samples, batches, questions.
    pub what: &'static str,
    pub done: u64,
    /// How many there will be, if that is known.
    pub total: Option<u64>,
    /// Whether this is the last that is heard of this work.
    pub ended: bool,
}

/// What unwinds the work that nobody waits for any longer. A command may end anywhere, as one that is killed does: outputs
/// get their names only when they are whole.
#[derive(Debug)]
pub struct Stopped;

/// Called from any thread.
pub type Listener = Arc<dyn Fn(Said<'_>) + Send + Sync>;

/// Whether the work is to stop; asked often, from any thread.
pub type Stopping = Arc<dyn Fn() -> bool + Send + Sync>;

static LISTENER: RwLock<Option<(Listener, Stopping)>> = RwLock::new(None);

/// Sends everything to this listener from now on; with `None`, to the terminal again.
pub fn listen(listener: Option<(Listener, Stopping)>) {
    *LISTENER.write().unwrap_or_else(PoisonError::into_inner) = listener;
}

/// Whether somebody listens.
pub fn listens() -> bool {
    LISTENER.read().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Tells whoever listens; false if nobody does.
pub(super) fn tell(text: &str, said: impl Fn(&str) -> Said<'_>) -> bool {
    // Cloned, so that a listener may take its time, or listen no longer.
    let listener = LISTENER.read().unwrap_or_else(PoisonError::into_inner).clone();
    listener.map(|(listener, _)| listener(said(&strip_str(text).to_string()))).is_some()
}

/// Tells whoever listens how far the work is.
pub(super) fn tell_step(step: Step) {
    let listener = LISTENER.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some((listener, _)) = listener {
        listener(Said::Progress(step));
    }
}

/// Unwinds with [`Stopped`] if whoever listens wants the work to stop.
pub fn unwind_if_stopped() {
    let listener = LISTENER.read().unwrap_or_else(PoisonError::into_inner).clone();
    if listener.is_some_and(|(_, stopping)| stopping()) {
        resume_unwind(Box::new(Stopped));
    }
}
