//! Which words are near a word: by the vectors that were given, otherwise by the built-in table.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};

use fissure_core::{Neighbours, Resources};
use fissure_text::neighbours::{self, Vectors};

pub use fissure_text::neighbours::VectorsError;

/// The words nearest to a word, with their likeness.
type Nearest = Arc<[(Box<str>, f32)]>;

/// The nearest words by the user's own vectors.
///
/// To find them, a word is compared with all others, so each answer is kept: a text says the same words over and over.
pub struct NearestWords {
    vectors: Vectors,
    known: Mutex<HashMap<Box<str>, Nearest>>,
}

impl NearestWords {
    /// Reads vectors as text: a word and its numbers to a line.
    pub fn read(reader: impl BufRead) -> Result<Self, VectorsError> {
        Ok(Self { vectors: Vectors::read(reader)?, known: Mutex::default() })
    }
}

impl fmt::Debug for NearestWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NearestWords").field("words", &self.vectors.len()).finish_non_exhaustive()
    }
}

impl Neighbours for NearestWords {
    fn of(&self, word: &str) -> Nearest {
        // A thread that stopped while it held the lock can have left nothing but whole answers.
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(word) {
            return Arc::clone(known);
        }
        let nearest = self.vectors.nearest(word, neighbours::MOST);
        let found: Nearest = nearest.into_iter().map(|(near, like)| (near.into(), like)).collect();
        lock().insert(word.into(), Arc::clone(&found));
        found
    }
}

/// Shows the words near `word` to `see`, the nearest first.
pub(crate) fn each(resources: &Resources, word: &str, mut see: impl FnMut(&str, f32)) {
    match &resources.neighbours {
        Some(vectors) => vectors.of(word).iter().for_each(|(near, like)| see(near, *like)),
        None => neighbours::of(word).for_each(|(near, like)| see(near, like)),
    }
}
