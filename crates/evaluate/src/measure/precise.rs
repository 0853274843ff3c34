//! A part of a run with `--precision`: estimated from the texts that were asked, by the probabilities with which they were.

use fissure_statistics::{Estimate, LOOKS, Sampled, proportion};

use super::Measured;
use crate::run::{Block, CaseRecord};
use crate::{Evidence, PartForecast};

/// What was seen of one part.
#[derive(Debug, Default)]
pub struct Precise {
    flips: Sampled,
    drop: Sampled,
    right: usize,
    look: usize,
    asked: usize,
    predicted: f64,
    broken: usize,
    fixed: usize,
}

impl Precise {
    /// Adds a sample by all its cases under the part; whether it was drawn by a design.
    pub fn add(&mut self, run: &Measured, block: &Block, cases: &[&CaseRecord]) -> bool {
        let (Some(design), Some(original)) = (cases.first().and_then(|case| case.design), &block.sample.said) else {
            return false;
        };
        let said = || cases.iter().filter_map(|case| Some((*case, case.said.as_ref()?)));
        let asked = said().count();
        self.look = design.look.min(LOOKS.len() - 1);
        self.asked += asked;
        self.predicted += design.flips;
        let turned = said().filter(|(_, said)| !said.agrees(original)).count();
        self.flips.add(design.flips, 1.0, design.expected, turned, asked);
        // A changed form has a score if the part keeps the label, which the plan says; then every answer has one.
        let scored = run.header.plan.chains[cases[0].chain].expectation == fissure_core::Expectation::Kept;
        let Some(before) = block.before().filter(|_| scored) else { return true };
        let was = run.metric().right(before);
        let now = |case: &CaseRecord| case.tally.as_deref().is_some_and(|after| run.metric().right(after));
        let moved = said().filter(|(case, _)| now(case) != was).count();
        self.right += usize::from(was);
        if was {
            self.broken += moved;
            self.drop.add(design.flips, 1.0, design.expected, moved, asked);
        } else {
            self.fixed += moved;
            self.drop.add(design.fixes.unwrap_or(design.flips), -1.0, design.expected, moved, asked);
        }
        true
    }

    pub fn evidence(&self) -> Option<Evidence> {
        let before = proportion(self.right, self.drop.len());
        let drop = self.drop.estimate(LOOKS[self.look]);
        let after = before.zip(drop).map(|(before, drop)| {
            let less = |drop: f64| before.value - drop;
            Estimate { value: less(drop.value), low: less(drop.high), high: less(drop.low) }.within(0.0, 1.0)
        });
        Some(Evidence {
            samples: self.flips.len(),
            before,
            after,
            drop,
            // McNemar's test would need pairs that are drawn alike; the interval is a test as well.
            p: drop.map(Estimate::p_of_zero),
            p_holm: None,
            broken: self.broken,
            fixed: self.fixed,
            changed_answers: self.flips.estimate(LOOKS[self.look])?.within(0.0, 1.0),
            confidence: None,
        })
    }

    /// What was predicted, beside what it took to measure it.
    pub fn forecast(&self, run: &Measured) -> Option<PartForecast> {
        let plan = run.header.plan.precision.as_ref()?;
        let measured = self.flips.estimate(LOOKS[self.look])?;
        let flips = self.predicted / self.flips.len() as f64;
        Some(PartForecast {
            flips,
            by: plan.forecast,
            asked: self.asked,
            half_width: 0.5 * (measured.high - measured.low),
            wanted: plan.precision,
            agrees: measured.low <= flips && flips <= measured.high,
        })
    }
}
