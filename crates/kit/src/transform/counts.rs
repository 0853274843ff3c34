//! What happened to the samples of a data set.

use std::collections::{BTreeMap, BTreeSet};

use fissure_core::{Outcome, Trail, Yield};
use serde::{Deserialize, Serialize};

/// What was counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Counts {
    pub read: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// By reason.
    pub skipped: BTreeMap<String, usize>,
    /// By the validator that was not satisfied.
    pub filtered: BTreeMap<String, usize>,
    /// Samples for which the condition of the user does not hold.
    pub left_out: usize,
    pub edits: usize,
    pub refused: usize,
    pub dropped: usize,
    /// Changed forms that got the opposite label.
    #[serde(default)]
    pub turned: usize,
    /// Changed forms whose words are not one tree any more, which is left out.
    #[serde(default)]
    pub trees_lost: usize,
    #[serde(default)]
    pub yielded: Yield,
    /// Columns of the user's that JSON lines have under another name: the name, and the other.
    #[serde(default)]
    pub renamed: BTreeSet<(String, String)>,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.read += other.read;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        for (validator, count) in other.filtered {
            *self.filtered.entry(validator).or_default() += count;
        }
        self.left_out += other.left_out;
        self.edits += other.edits;
        self.refused += other.refused;
        self.dropped += other.dropped;
        self.turned += other.turned;
        self.trees_lost += other.trees_lost;
        self.yielded.add(other.yielded);
        self.renamed.extend(other.renamed);
    }

    /// A changed form of a sample, the `first` or a further one.
    pub fn add_changed(&mut self, trail: &Trail, first: bool) {
        self.changed += 1;
        self.edits += trail.edits.len();
        self.refused += trail.refused;
        self.dropped += trail.dropped;
        self.yielded.add_changed(trail.edits.iter().map(|edit| (edit.old.as_str(), edit.new.as_str())), first);
    }

    /// A sample that stays as it was, and why.
    pub fn add_kept(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Skipped(skip) => *self.skipped.entry(skip.0.into_owned()).or_default() += 1,
            Outcome::Filtered(failure) => *self.filtered.entry(failure.validator.to_owned()).or_default() += 1,
            Outcome::Unchanged | Outcome::Changed(_) => self.unchanged += 1,
        }
    }

    pub fn skipped_in_all(&self) -> usize {
        self.skipped.values().sum()
    }
}
