//! Sums of loss and right answers.

use super::{Measure, Target};
use crate::small::best;

/// Sums over some texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) loss: f64,
    pub(crate) right: usize,
    /// How many labels there were: one a text, or one a token.
    pub(crate) labelled: usize,
}

impl Tally {
    /// Of one text. What has no label adds to the loss alone, so that a mean is over the texts that have one.
    pub(crate) fn of(loss: f64, logits: &[f32], target: Target) -> Self {
        match target {
            Target::Label(label) => Self { loss, right: usize::from(best(logits) == label), labelled: 1 },
            Target::Unsure(_) => Self { loss, right: 0, labelled: 0 },
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.loss += other.loss;
        self.right += other.right;
        self.labelled += other.labelled;
    }

    /// The means over all labels.
    pub(crate) fn measure(self) -> Measure {
        let labelled = self.labelled.max(1) as f64;
        Measure { loss: self.loss / labelled, accuracy: self.right as f64 / labelled }
    }
}
