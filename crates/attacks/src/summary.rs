//! What a run of attacks found, in numbers with intervals.

use std::collections::BTreeMap;

use fissure_statistics::{Estimate, proportion};
use serde::{Deserialize, Serialize};

use crate::{NO_CANDIDATE, Outcome, Record, Said};

/// Counts over all texts so far; everything reported is made from it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub succeeded: usize,
    /// Successes after which the answer is still right: a goal may be another than a wrong answer.
    #[serde(default)]
    still_right: usize,
    pub failed: usize,
    pub certified: usize,
    /// Texts that were not attacked, by reason.
    pub skipped: BTreeMap<String, usize>,
    /// What was wrong with the first text that the model could not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Why attacks failed.
    pub reasons: BTreeMap<String, usize>,
    /// How many attacked texts took each number of questions.
    questions: BTreeMap<usize, usize>,
    asked: usize,
    inputs: usize,
    backward: usize,
    /// Over successes: the sums of shares of words in billionths (whole numbers survive a stop exactly), of words changed, and
    /// of words changed at first.
    share: u64,
    changed: usize,
    changed_at_first: usize,
    /// Over successes that flipped the answer: how many were found after each number of questions, and how many changed each number of
    /// thousandths of the words (rounded up).
    #[serde(default)]
    found: BTreeMap<usize, usize>,
    #[serde(default)]
    thousandths: BTreeMap<usize, usize>,
    /// Over successes: how many have a perplexity, and the sums of its logarithm in billionths before and after.
    #[serde(default)]
    perplexity: (usize, i64, i64),
    /// Over successes: how many have a similarity, and its sum and its least in billionths.
    #[serde(default)]
    similarity: (usize, i64, i64),
}

/// A mean, a median and the 95th percentile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub mean: f64,
    pub median: usize,
    pub p95: usize,
}

impl Summary {
    pub fn add(&mut self, record: &Record) {
        match record.outcome {
            Outcome::Skipped => {
                if self.refusal.is_none() {
                    self.refusal.clone_from(&record.refusal);
                }
                *self.skipped.entry(record.reason.clone().unwrap_or_default()).or_default() += 1;
                return;
            }
            Outcome::Succeeded => {
                self.succeeded += 1;
                let right = |after: &Said| record.before.as_ref().is_some_and(|before| before.label == after.label);
                let still_right = record.after.as_ref().is_some_and(right);
                self.still_right += usize::from(still_right);
                if !still_right {
                    *self.found.entry(record.found_after.unwrap_or(record.counts.questions)).or_default() += 1;
                    let share = (1000 * record.changed).div_ceil(record.words.max(1));
                    *self.thousandths.entry(share).or_default() += 1;
                }
                self.add_quality(record);
                self.share += (1e9 * record.changed as f64 / record.words.max(1) as f64).round() as u64;
                self.changed += record.changed;
                self.changed_at_first += record.changed_at_first;
            }
            Outcome::Failed => {
                self.failed += 1;
                let reason = record.reason.clone().unwrap_or_default();
                self.certified += usize::from(reason == "certified");
                *self.reasons.entry(reason).or_default() += 1;
            }
        }
        *self.questions.entry(record.counts.questions).or_default() += 1;
        self.asked += record.counts.asked;
        self.inputs += record.counts.inputs;
        self.backward += record.counts.backward;
    }

    fn add_quality(&mut self, record: &Record) {
        let Some(quality) = &record.quality else { return };
        let whole = |number: f64| (1e9 * number).round() as i64;
        let positive = |found: Option<f64>| found.filter(|found| *found > 0.0);
        if let (Some(before), Some(after)) = (positive(quality.perplexity_before), positive(quality.perplexity_after)) {
            self.perplexity.0 += 1;
            self.perplexity.1 += whole(before.ln());
            self.perplexity.2 += whole(after.ln());
        }
        if let Some(similarity) = quality.similarity {
            let least = if self.similarity.0 == 0 { i64::MAX } else { self.similarity.2 };
            self.similarity.0 += 1;
            self.similarity.1 += whole(similarity);
            self.similarity.2 = least.min(whole(similarity));
        }
    }

    /// Texts that were attacked.
    pub fn attacked(&self) -> usize {
        self.succeeded + self.failed
    }

    /// Texts that have an answer before the attack, right or wrong.
    fn answered(&self) -> usize {
        self.attacked() + self.skipped.get("wrong before the attack").copied().unwrap_or(0)
    }

    pub fn accuracy_before(&self) -> Option<Estimate> {
        proportion(self.attacked(), self.answered())
    }

    pub fn accuracy_under_attack(&self) -> Option<Estimate> {
        proportion(self.failed + self.still_right, self.answered())
    }

    /// The share of attacked texts that broke, with Wilson's interval.
    pub fn success(&self) -> Option<Estimate> {
        proportion(self.succeeded, self.attacked())
    }

    /// Attacked texts without a candidate: a proof over nothing would say nothing of the model.
    fn without_candidate(&self) -> usize {
        self.reasons.get(NO_CANDIDATE).copied().unwrap_or(0)
    }

    /// Attacked texts that have a candidate.
    pub fn tried(&self) -> usize {
        self.attacked().saturating_sub(self.without_candidate())
    }

    /// Attacked texts that have a candidate, and neither broke nor were proved safe.
    pub fn open(&self) -> usize {
        self.failed.saturating_sub(self.certified + self.without_candidate())
    }

    /// The share of the attacked texts with a candidate for which a proof was found that nothing breaks them. It means something only
    /// for searches that look for proofs.
    pub fn certified_share(&self) -> Option<Estimate> {
        proportion(self.certified, self.tried())
    }

    /// The share of the attacked texts with a candidate that neither broke nor were proved safe.
    pub fn open_share(&self) -> Option<Estimate> {
        proportion(self.open(), self.tried())
    }

    /// Geometric means of the perplexities of successes, before and after.
    pub fn perplexity(&self) -> Option<(f64, f64)> {
        let (count, before, after) = self.perplexity;
        let mean = |sum: i64| (sum as f64 / 1e9 / count as f64).exp();
        (count > 0).then(|| (mean(before), mean(after)))
    }

    /// The mean and the least similarity of successes.
    pub fn similarity(&self) -> Option<(f64, f64)> {
        let (count, sum, least) = self.similarity;
        (count > 0).then(|| (sum as f64 / 1e9 / count as f64, least as f64 / 1e9))
    }

    /// Accuracy if every attack stopped after this many questions.
    pub fn by_questions(&self) -> Vec<(usize, Estimate)> {
        let limits = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];
        let most = self.questions.keys().next_back().copied().unwrap_or(0);
        let needed = limits.iter().position(|limit| *limit >= most).map_or(limits.len(), |at| at + 1);
        self.curve(&self.found, limits[..needed].iter().copied())
    }

    /// Accuracy if an attack could change at most such a share of the words.
    pub fn by_words(&self) -> Vec<(f64, Estimate)> {
        let limits = [25, 50, 100, 150, 200, 300, 400, 500, 1_000];
        let points = self.curve(&self.thousandths, limits.into_iter());
        points.into_iter().map(|(limit, accuracy)| (limit as f64 / 1000.0, accuracy)).collect()
    }

    fn curve(&self, broken: &BTreeMap<usize, usize>, limits: impl Iterator<Item = usize>) -> Vec<(usize, Estimate)> {
        let under = |limit: usize| {
            let broken: usize = broken.range(..=limit).map(|(_, texts)| texts).sum();
            Some((limit, proportion(self.attacked().checked_sub(broken)?, self.answered())?))
        };
        limits.filter_map(under).collect()
    }

    /// The questions of attacked texts.
    pub fn questions(&self) -> Option<Spread> {
        self.attacked().checked_sub(1)?;
        let sum: usize = self.questions.iter().map(|(questions, texts)| questions * texts).sum();
        let at = |place: usize| {
            let mut before = 0;
            let found = self.questions.iter().find(|(_, texts)| {
                before += **texts;
                before > place
            });
            found.map_or(0, |(questions, _)| *questions)
        };
        Some(Spread {
            mean: sum as f64 / self.attacked() as f64,
            median: at(self.attacked() / 2),
            p95: at((0.95 * self.attacked() as f64).ceil() as usize - 1),
        })
    }

    fn per_text(&self, sum: usize) -> Option<f64> {
        (self.attacked() > 0).then(|| sum as f64 / self.attacked() as f64)
    }

    pub fn asked(&self) -> Option<f64> {
        self.per_text(self.asked)
    }

    pub fn inputs(&self) -> Option<f64> {
        self.per_text(self.inputs)
    }

    pub fn backward(&self) -> Option<f64> {
        self.per_text(self.backward)
    }

    /// Over successes: the mean share of words changed, the mean number, and the number before shrinking.
    pub fn changed(&self) -> Option<(f64, f64, f64)> {
        let n = self.succeeded as f64;
        (self.succeeded > 0)
            .then(|| (self.share as f64 / 1e9 / n, self.changed as f64 / n, self.changed_at_first as f64 / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;

    fn record(outcome: Outcome, reason: Option<&str>, questions: usize, changed: usize) -> Record {
        let counts = Counts { questions, asked: 2 * questions, ..Counts::default() };
        let value = serde_json::json!({
            "id": "1", "outcome": outcome, "reason": reason, "questions": counts.questions, "asked": counts.asked,
            "inputs": 0, "backward": 0, "words": 10, "changed": changed, "changed_at_first": changed,
        });
        serde_json::from_value(value).expect("a record")
    }

    #[test]
    fn a_text_without_a_candidate_is_neither_certified_nor_open() {
        let mut summary = Summary::default();
        summary.add(&record(Outcome::Failed, Some(NO_CANDIDATE), 1, 0));
        assert_eq!((summary.certified_share(), summary.open_share()), (None, None), "nothing was tried");
        summary.add(&record(Outcome::Failed, Some("certified"), 1, 0));
        summary.add(&record(Outcome::Failed, Some("too many combinations to look at"), 1, 0));
        let half = Some(0.5);
        assert_eq!(summary.certified_share().map(|share| share.value), half);
        assert_eq!(summary.open_share().map(|share| share.value), half);
        assert_eq!((summary.attacked(), summary.tried(), summary.open()), (3, 2, 1));
    }

    #[test]
    fn numbers_by_hand() {
        let mut summary = Summary::default();
        summary.add(&record(Outcome::Skipped, Some("wrong before the attack"), 1, 0));
        summary.add(&record(Outcome::Succeeded, None, 10, 2));
        summary.add(&record(Outcome::Succeeded, None, 20, 4));
        summary.add(&record(Outcome::Failed, Some("exhausted"), 60, 0));
        assert_eq!(summary.success().map(|success| success.value), Some(2.0 / 3.0));
        assert_eq!(summary.accuracy_before().map(|accuracy| accuracy.value), Some(0.75));
        assert_eq!(summary.accuracy_under_attack().map(|accuracy| accuracy.value), Some(0.25));
        assert_eq!(summary.questions(), Some(Spread { mean: 30.0, median: 20, p95: 60 }));
        assert_eq!((summary.asked(), summary.changed()), (Some(60.0), Some((0.3, 3.0, 3.0))));
        // Four texts have an answer, three of them a right one; two fall, after 10 and 20 questions, with 2 and 4 of 10 words.
        let values = |points: Vec<(usize, Estimate)>| -> Vec<(usize, f64)> {
            points.into_iter().map(|(limit, accuracy)| (limit, accuracy.value)).collect()
        };
        let by_questions = values(summary.by_questions());
        assert_eq!(by_questions, [(1, 0.75), (3, 0.75), (10, 0.5), (30, 0.25), (100, 0.25)]);
        let by_words = summary.by_words();
        let at = |share: f64| by_words.iter().find(|(limit, _)| *limit == share).map(|(_, accuracy)| accuracy.value);
        assert_eq!((at(0.15), at(0.2), at(0.4)), (Some(0.75), Some(0.5), Some(0.25)));
    }
}
