//! Counting samples that say what one before them said: they are no new evidence.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::Sample;

/// Counts samples that have the texts and marks of one before them, whatever their ids and labels. It keeps a number for each sample,
/// not its texts.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    seen: HashSet<u64>,
    repeated: usize,
    ids: HashSet<u64>,
    shared_ids: usize,
}

impl Copies {
    /// Looks at the next sample, and says whether it is a copy.
    pub fn add(&mut self, sample: &Sample) -> bool {
        let copy = !self.seen.insert(content(sample));
        self.repeated += usize::from(copy);
        let shared = !self.ids.insert(hash_of(&sample.id));
        self.shared_ids += usize::from(shared && !copy);
        copy
    }

    /// How many samples with texts of their own had the id of one before them. Chance goes by the id: they are changed alike.
    pub fn shared_ids(&self) -> usize {
        self.shared_ids
    }

    /// How many copies there were.
    pub fn repeated(&self) -> usize {
        self.repeated
    }
}

fn hash_of(id: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    id.hash(&mut hash);
    hash.finish()
}

/// A number that stands for what a model sees of a sample: equal samples share it, and others hardly ever do.
fn content(sample: &Sample) -> u64 {
    let mut hash = DefaultHasher::new();
    for field in &sample.fields {
        (&field.name, field.text.as_bytes()).hash(&mut hash);
    }
    for mark in &sample.marks {
        (&mark.layer, mark.field, mark.span.start, mark.span.end).hash(&mut hash);
    }
    hash.finish()
}
