//! The lines that one sample becomes.

use fissure_core::{Chain, Outcome, Sample, Trail, Variant};
use fissure_data::{Layout, Row};
use serde::Serialize;

use super::summary::Counts;

/// What is done to every sample of a run.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    pub chain: &'a Chain,
    pub layout: &'static Layout,
    pub seed: u64,
    pub variants: usize,
    pub only_changed: bool,
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

/// The JSON lines of one sample, one for each variant that differs, and what was counted.
pub fn lines(plan: &Plan<'_>, sample: &Sample) -> (Vec<u8>, Counts) {
    let mut lines = Vec::new();
    let mut counts = Counts { read: 1, ..Counts::default() };
    let mut made: Vec<Variant> = Vec::new();
    for number in 0..plan.variants {
        match plan.chain.run(sample, plan.seed, number) {
            Outcome::Changed(variant) if made.iter().any(|other| other.sample == variant.sample) => {}
            Outcome::Changed(variant) => made.push(*variant),
            // Where the first try finds nothing to do, another throw of the dice will not either.
            Outcome::Unchanged if number == 0 => {
                counts.unchanged += 1;
                if !plan.only_changed {
                    plan.write(&mut lines, sample, "unchanged", None, None, sample);
                }
                break;
            }
            Outcome::Skipped(skip) if number == 0 => {
                if !plan.only_changed {
                    plan.write(&mut lines, sample, "skipped", Some(&skip.0), None, sample);
                }
                *counts.skipped.entry(skip.0.into_owned()).or_default() += 1;
                break;
            }
            Outcome::Unchanged | Outcome::Skipped(_) => {}
        }
    }
    for (number, Variant { sample: new, trail }) in made.iter().enumerate() {
        counts.changed += 1;
        counts.edits += trail.edits.len();
        counts.refused += trail.refused;
        counts.dropped += trail.dropped;
        plan.write(&mut lines, sample, "changed", None, Some((number, trail)), new);
    }
    (lines, counts)
}

impl Plan<'_> {
    fn write(
        &self,
        lines: &mut Vec<u8>,
        original: &Sample,
        status: &'static str,
        reason: Option<&str>,
        variant: Option<(usize, &Trail)>,
        shown: &Sample,
    ) {
        let mut row = self.layout.row(shown);
        row.0.retain(|(name, _)| !OWN.contains(&&**name));
        let line = Line {
            id: &original.id,
            row,
            status,
            reason,
            variant: variant.filter(|_| self.variants > 1).map(|(number, _)| number),
            trail: variant.map(|(_, trail)| trail),
        };
        // Strings, numbers and maps with string keys into memory: there is nothing that could fail.
        serde_json::to_writer(&mut *lines, &line).expect("a line is plain JSON");
        lines.push(b'\n');
    }
}
