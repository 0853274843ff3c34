//! What one sample becomes: lines of JSON with the trail, or samples in the user's own format.

use fissure_core::{Aids, Chain, Keeps, Outcome, Sample, Trail, Variant};
use fissure_data::{Row, Task};
use serde::Serialize;

use super::summary::Counts;

/// What is done to every sample of a run.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    pub chain: &'a Chain,
    /// What a change must meet.
    pub keeps: &'a Keeps,
    pub aids: &'a Aids,
    pub task: &'static Task,
    pub seed: u64,
    pub variants: usize,
    pub only_changed: bool,
    /// Whether to make JSON lines; else the samples themselves.
    pub as_lines: bool,
}

/// What came of one sample, in one of two forms.
#[derive(Debug, Default)]
pub struct Made {
    pub lines: Vec<u8>,
    pub samples: Vec<Sample>,
    pub counts: Counts,
}

/// One line of the result: the sample's own columns, then what happened to it.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(flatten)]
    row: Row,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trail: Option<&'a Trail>,
}

/// The names a line uses itself; a column of the user's called so (the result of an earlier run, say) gives way.
const OWN: &[&str] = &["id", "status", "reason", "variant", "trail"];

impl Plan<'_> {
    /// Sends one sample through the chain, once for each variant.
    pub fn make(&self, sample: &Sample) -> Made {
        let mut made = Made { counts: Counts { read: 1, ..Counts::default() }, ..Made::default() };
        made.counts.yielded.add_text(sample, self.chain.amount());
        let mut variants: Vec<Variant> = Vec::new();
        let mut filtered = None;
        for number in 0..self.variants {
            match self.chain.run(sample, self.seed, number) {
                // Variants that came out the same are one variant.
                Outcome::Changed(new) if variants.iter().any(|other| other.sample == new.sample) => {}
                Outcome::Changed(new) => match self.keeps.failure(sample, &new.sample, self.aids) {
                    None => variants.push(*new),
                    Some(failure) => filtered = filtered.or(Some(failure)),
                },
                // Where the first try finds nothing to do, another throw of the dice will not either.
                Outcome::Unchanged if number == 0 => {
                    made.counts.unchanged += 1;
                    self.keep(&mut made, sample, "unchanged", None);
                    break;
                }
                Outcome::Skipped(skip) if number == 0 => {
                    self.keep(&mut made, sample, "skipped", Some(&skip.0));
                    *made.counts.skipped.entry(skip.0.into_owned()).or_default() += 1;
                    break;
                }
                Outcome::Unchanged | Outcome::Skipped(_) => {}
            }
        }
        // Another variant may have been good enough.
        if let Some(failure) = filtered.filter(|_| variants.is_empty()) {
            *made.counts.filtered.entry(failure.validator.to_owned()).or_default() += 1;
            self.keep(&mut made, sample, "filtered", Some(&failure.reason));
        }
        for (number, variant) in variants.into_iter().enumerate() {
            made.counts.add_changed(&variant.trail);
            if self.as_lines {
                let number = Some(number).filter(|_| self.variants > 1);
                self.push(&mut made.lines, &sample.id, &variant.sample, "changed", None, number, Some(&variant.trail));
            } else {
                made.samples.push(variant.sample);
            }
        }
        made
    }

    /// A sample that stays as it was.
    fn keep(&self, made: &mut Made, sample: &Sample, status: &'static str, reason: Option<&str>) {
        if self.only_changed {
        } else if self.as_lines {
            self.push(&mut made.lines, &sample.id, sample, status, reason, None, None);
        } else {
            made.samples.push(sample.clone());
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one line, named at the two places that know them")]
    fn push(
        &self,
        lines: &mut Vec<u8>,
        id: &str,
        shown: &Sample,
        status: &'static str,
        reason: Option<&str>,
        variant: Option<usize>,
        trail: Option<&Trail>,
    ) {
        let mut row = self.task.row(shown);
        row.0.retain(|(name, _)| !OWN.contains(&&**name));
        let line = Line { id, row, status, reason, variant, trail };
        serde_json::to_writer(&mut *lines, &line).expect("strings, numbers and maps with string keys are plain JSON");
        lines.push(b'\n');
    }
}
