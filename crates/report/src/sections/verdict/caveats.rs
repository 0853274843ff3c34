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

/// What is wrong with a row may go with what a model gets wrong: rows that are cut are longer.
pub(super) fn bad_rows(findings: &Findings) -> Option<Words> {
    let DataAbout { samples, bad_rows, .. } = findings.about.data;
    (bad_rows > 0).then(|| {
        let (bad, all) = (count(bad_rows), count(samples + bad_rows));
        Words::new().strong(bad).say(format!(
            " of the {all} rows of the data could not be read and were passed over (--on-bad-row skip): what was found is \
             about the others."
        ))
    })
}

/// Chance goes by the id of a sample: with one id for many, a change draws the same for all of them.
pub(super) fn shared_ids(findings: &Findings) -> Option<Words> {
    let DataAbout { samples, shared_ids, .. } = findings.about.data;
    (shared_ids * HARMLESS_COPIES >= samples && shared_ids > 0).then(|| {
        let (shared, all) = (count(shared_ids), count(samples));
        Words::new().strong(shared).say(format!(
            " of the {all} samples have the id of one before them, and every change draws the same for samples of one id: \
             what was found says less than as many samples should. --id content gives each text an id of its own."
        ))
    })
}
