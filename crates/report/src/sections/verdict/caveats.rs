//! What the numbers of a verdict leave out, or count twice.

use fissure_evaluate::{DataAbout, Findings};

use crate::document::Words;
use crate::numbers::count;

/// Copies are spoken of if they are one sample in this many, or more.
const HARMLESS_COPIES: usize = 20;

pub(super) fn unanswered(findings: &Findings) -> Option<Words> {
    let questions: usize = findings.unanswered.values().sum();
    let left_out = if questions == 1 {
        "question to the model got no answer and is"
    } else {
        "questions to the model got no answer and are"
    };
    (questions > 0).then(|| Words::new().strong(count(questions)).say(format!(" {left_out} left out.")))
}

/// Copies of a sample say nothing new, but every interval counts them. A few of them do no harm.
pub(super) fn repeated(findings: &Findings) -> Option<Words> {
    let DataAbout { samples, repeated, .. } = findings.about.data;
    (repeated * HARMLESS_COPIES >= samples && repeated > 0).then(|| {
        let (copies, all) = (count(repeated), count(samples));
        Words::new().strong(copies).say(format!(
            " of the {all} samples have the same texts as one before them. They count as samples of their own, which \
             makes intervals too narrow and p-values too small: leave the copies out."
        ))
    })
}
