//! Who hears what would be shown, if a program in the same process wants it instead of the terminal.

use std::sync::{Arc, PoisonError, RwLock};

use anstream::adapter::strip_str;

/// Something that would be shown, without colours.
#[derive(Debug, Clone, Copy)]
pub enum Said<'a> {
    /// A result, for standard output.
    Result(&'a str),
    /// Anything else, for standard error.
    Note(&'a str),
}

/// Called from any thread.
pub type Listener = Arc<dyn Fn(Said<'_>) + Send + Sync>;

static LISTENER: RwLock<Option<Listener>> = RwLock::new(None);

/// Sends everything to this listener from now on; with `None`, to the terminal again.
pub fn listen(listener: Option<Listener>) {
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
    listener.map(|listener| listener(said(&strip_str(text).to_string()))).is_some()
}
