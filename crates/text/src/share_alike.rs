//! The tables under CC BY-SA 4.0: sentences, tags, lemmas, parses, entities and the n-grams of English. They are part of
//! the program unless it is built without the feature `share-alike`. What needs them then says so, and is not run.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the tables are part of the program.
pub const INCLUDED: bool = cfg!(feature = "share-alike");

/// Why something that needs them cannot be run.
pub const MISSING: &str =
    "needs tables under CC BY-SA 4.0, which this build leaves out; build with the feature `share-alike`";

static MISSED: AtomicBool = AtomicBool::new(false);

/// Called where a table is used. Without the tables it is empty and says nothing about any word.
pub(crate) fn used() {
    if !INCLUDED {
        MISSED.store(true, Ordering::Relaxed);
    }
}

/// Whether a table was asked for that is not there, since this was last asked: for the test that nothing does so unsaid.
#[doc(hidden)]
pub fn was_missed() -> bool {
    MISSED.swap(false, Ordering::Relaxed)
}
