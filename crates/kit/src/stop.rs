//! What to say when a command is stopped (Ctrl-C, SIGTERM). Work that can be continued keeps this up to date; a door that
//! catches the signal shows it.
//!
//! A stopped process may end at once: outputs get their names only when they are whole, and what is kept is on the disk before
//! it is announced here.

use std::path::PathBuf;
use std::sync::Mutex;

/// What to say, and a draft that cannot be continued.
static LAST: Mutex<(String, Option<PathBuf>)> = Mutex::new((String::new(), None));

/// The draft of the work so far, and how to go on with it.
static KEPT: Mutex<Option<(PathBuf, String)>> = Mutex::new(None);

/// What to say if the work ends with an error (a full disk, a bad row) and this draft is left.
pub fn keep(draft: PathBuf, words: String) {
    if let Ok(mut kept) = KEPT.lock() {
        *kept = Some((draft, words));
    }
}

/// What is left of work that ended with an error, and how to go on with it.
pub fn kept() -> Option<String> {
    let kept = KEPT.lock().ok()?.clone();
    kept.filter(|(draft, _)| draft.exists()).map(|(_, words)| words)
}

/// Removes what is left of work whose results may belong to other samples: whoever went on with it would keep them.
pub fn discard() {
    let kept = KEPT.lock().ok().and_then(|mut kept| kept.take());
    if let Some((draft, _)) = kept {
        crate::resume::discard_draft(&draft);
    }
}

/// What to say if the command is stopped from now on.
pub fn say(words: String) {
    say_and_remove(words, None);
}

/// The same, and the draft that is then of no use to anyone.
pub fn say_and_remove(words: String, draft: Option<PathBuf>) {
    if let Ok(mut last) = LAST.lock() {
        *last = (words, draft);
    }
}

/// What to say now that the command is stopped. Removes a draft that cannot be continued.
pub fn last_words() -> String {
    let (words, draft) = LAST.lock().map(|last| last.clone()).unwrap_or_default();
    if let Some(draft) = draft {
        // A model's draft is a folder.
        let _ = if draft.is_dir() { std::fs::remove_dir_all(draft) } else { std::fs::remove_file(draft) };
    }
    words
}
