//! A part of a run with `--precision`: estimated from the texts that were asked, by the probabilities with which they were.

use fissure_statistics::{Estimate, LOOKS, Sampled, mcnemar, proportion};

use super::Measured;
use crate::plan::ForecastBy;
use crate::run::{Block, CaseRecord};
use crate::{Evidence, PartForecast};

/// Questions below which nothing is estimated, unless every text was asked: the estimate would be the forecast with the noise
/// of a few answers, each of which stands for many texts.
pub const FEWEST: usize = 10;

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

    /// Whether too few questions were asked to say anything.
    fn has_too_few(&self) -> bool {
        self.asked < FEWEST.min(self.flips.len())
    }

    pub fn evidence(&self) -> Option<Evidence> {
        if self.has_too_few() {
            return None;
        }
        let before = proportion(self.right, self.drop.len());
        let flips = self.flips.estimate(LOOKS[self.look])?.clamped(0.0, 1.0);
        // An answer that was broken or put right has flipped, so where hardly any flips the score hardly moves, however little
        // is known of which way.
        let most = flips.high * self.flips.len() as f64 / (self.drop.len() as f64).max(1.0);
        let possible = |drop: Estimate| match before {
            Some(before) => drop.clamped((before.value - 1.0).max(-most), before.value.min(most)),
            None => drop,
        };
        let drop = self.drop.estimate(LOOKS[self.look]).map(possible);
        let after = before.zip(drop).map(|(before, drop)| {
            let less = |drop: f64| before.value - drop;
            Estimate { value: less(drop.value), low: less(drop.high), high: less(drop.low) }.clamped(0.0, 1.0)
        });
        Some(Evidence {
            samples: self.flips.len(),
            before,
            after,
            drop,
            p: drop.map(|drop| self.p(drop)),
            p_holm: None,
            broken: self.broken,
            fixed: self.fixed,
            changed_answers: flips,
            confidence: None,
        })
    }

    /// McNemar's test would need pairs that are drawn alike, and the interval is a test as well; but few questions do not make a sum
    /// normal, so then the exact test has to agree.
    fn p(&self, drop: Estimate) -> f64 {
        let exact = if self.flips.has_few() { mcnemar(self.broken, self.fixed) } else { 0.0 };
        drop.p_of_zero().max(exact)
    }

    /// What was predicted, beside what it took to measure it.
    pub fn forecast(&self, run: &Measured) -> Option<PartForecast> {
        let plan = run.header.plan.precision.as_ref()?;
        let measured = self.flips.estimate(LOOKS[self.look])?;
        // The same number for every text says only that nothing is known.
        let flips = (plan.forecast != ForecastBy::Nothing).then(|| self.predicted / self.flips.len() as f64);
        Some(PartForecast {
            flips,
            by: plan.forecast,
            asked: self.asked,
            half_width: 0.5 * (measured.high - measured.low),
            wanted: plan.precision,
            agrees: flips.map(|flips| measured.low <= flips && flips <= measured.high),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One question about twelve texts once gave an accuracy of 133.5 %.
    #[test]
    fn a_few_questions_say_nothing_and_shares_stay_shares() {
        let mut seen = Precise { right: 7, asked: 1, ..Precise::default() };
        for at in 0..12 {
            let (asked, hits) = (usize::from(at == 0), 1);
            seen.flips.add(0.05, 1.0, 0.08, asked.min(hits), asked);
            seen.drop.add(0.05, -1.0, 0.08, asked.min(hits), asked);
        }
        assert_eq!(seen.evidence(), None);
        seen.asked = 12;
        let found = seen.evidence().unwrap();
        let (after, drop) = (found.after.unwrap(), found.drop.unwrap());
        for share in [after, found.changed_answers] {
            assert!(
                (0.0..=1.0).contains(&share.value) && share.low <= share.value && share.value <= share.high,
                "{share:?}"
            );
        }
        assert!(drop.value >= 7.0 / 12.0 - 1.0 && drop.low <= drop.value, "{drop:?}");
    }

    /// A model in doubt about everything that never flips: 600 answers without a flip once left room for a drop of 6 points.
    #[test]
    fn a_drop_is_no_larger_than_the_share_of_flips() {
        let mut seen = Precise { right: 300, asked: 600, look: 2, ..Precise::default() };
        for at in 0..600 {
            seen.flips.add(0.2, 1.0, 1.0, 0, 1);
            seen.drop.add(0.2, if at % 2 == 0 { 1.0 } else { -1.0 }, 1.0, 0, 1);
        }
        let found = seen.evidence().unwrap();
        let (drop, flips) = (found.drop.unwrap(), found.changed_answers);
        assert!(drop.high <= flips.high && drop.low >= -flips.high && flips.high < 0.03, "{drop:?} {flips:?}");
    }
}
