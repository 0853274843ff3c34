//! Interprets findings: what counts as more than noise, which parts belong together, how they are averaged.

use fissure_core::{Expectation, Family, counted};
pub use fissure_evaluate::acceptability;
use fissure_evaluate::{ENOUGH_FOR_MEAN, Evidence, Findings, PartFinding, Weighted, enter_mean};
use fissure_statistics::Estimate;

use crate::charts::FamilyRow;

/// Chance findings that are let through, all parts of a run together.
pub const ALPHA: f64 = 0.05;

/// The families of the TextFlint paper, in its order, and what a report calls them.
pub const FAMILIES: [(Family, &str); 5] = [
    (Family::Morphology, "morphology"),
    (Family::Paradigmatic, "paradigmatic relations"),
    (Family::Syntax, "syntax"),
    (Family::Pragmatics, "pragmatics"),
    (Family::Model, "model-related"),
];

/// The parts with this expectation, in the order of the plan.
pub fn expecting(findings: &Findings, expectation: Expectation) -> impl Iterator<Item = &PartFinding> {
    findings.parts.iter().filter(move |part| part.expectation == expectation)
}

/// A part with its drop.
pub type Dropping<'a> = (&'a PartFinding, &'a Evidence, Estimate);

/// The parts that keep the label and have a drop, with it, the largest first.
pub fn dropping(findings: &Findings) -> Vec<Dropping<'_>> {
    dropping_of(findings, Expectation::Kept)
}

/// The parts with this expectation that have a drop, with it, the largest first.
pub fn dropping_of(findings: &Findings, expectation: Expectation) -> Vec<Dropping<'_>> {
    let mut parts: Vec<_> = expecting(findings, expectation)
        .filter_map(|part| part.evidence.as_ref().and_then(|evidence| evidence.drop.map(|drop| (part, evidence, drop))))
        .collect();
    parts.sort_by(|a, b| b.2.value.total_cmp(&a.2.value).then_with(|| a.0.name.cmp(&b.0.name)));
    parts
}

/// The parts that keep the right answer and have no drop, because that answer is not known: the one that moves most of
/// the model's answers first. Where an answer moved, one of the two was wrong.
pub fn moving(findings: &Findings) -> Vec<(&PartFinding, &Evidence)> {
    let mut parts: Vec<_> = expecting(findings, Expectation::Kept)
        .filter_map(|part| Some((part, part.evidence.as_ref().filter(|evidence| evidence.drop.is_none())?)))
        .collect();
    let moved = |evidence: &Evidence| evidence.changed_answers.value;
    parts.sort_by(|a, b| moved(b.1).total_cmp(&moved(a.1)).then_with(|| a.0.name.cmp(&b.0.name)));
    parts
}

/// Metrics that count whole samples, right or wrong, as McNemar's test does.
const WHOLE: [&str; 2] = ["accuracy", "exact_match"];

/// Whether the main metric counts whole samples, right or wrong. Beside the drop of another one, the p of a test that does would
/// mislead.
pub fn counts_samples(findings: &Findings) -> bool {
    WHOLE.contains(&findings.about.metric.as_str())
}

/// Whether a drop or a gain is more than noise: its interval leaves out 0, also after a correction for the number of changes. For a metric that
/// counts whole samples McNemar's test after Holm's correction says so; for others (tags, spans, trees), of which that
/// test sees only the samples that are right throughout, the interval itself, widened for the number of changes.
pub fn sure(findings: &Findings, evidence: &Evidence) -> bool {
    let Some(drop) = evidence.drop.filter(|drop| excludes(drop, 0.0)) else { return false };
    if counts_samples(findings) {
        return evidence.p_holm.is_none_or(|p| p < ALPHA);
    }
    excludes(&drop.widened_for(comparisons(findings)), 0.0)
}

/// Among how many changes a single one is judged: those with a test, or with a drop where the interval decides.
pub fn comparisons(findings: &Findings) -> usize {
    let whole = counts_samples(findings);
    let counts = |evidence: &Evidence| if whole { evidence.p_holm.is_some() } else { evidence.drop.is_some() };
    findings.parts.iter().filter_map(|part| part.evidence.as_ref()).filter(|evidence| counts(evidence)).count()
}

/// The answer of a model that gives the same one to every text: one class is always right, and all others never.
pub fn constant_answer(findings: &Findings) -> Option<&str> {
    let mut right = findings.classes.iter().filter(|(.., score)| score.value > 0.0);
    let (label, _, score) = right.next().filter(|_| findings.classes.len() > 1)?;
    let constant = findings.about.metric == "accuracy" && score.value == 1.0 && right.next().is_none();
    constant.then_some(label.as_str())
}

/// Whether no answer to an original is right: then nothing can fall, and a drop of 0 says nothing.
pub fn is_never_right(findings: &Findings) -> bool {
    findings.clean.first().is_some_and(|(_, score)| score.value == 0.0)
}

/// The drop over many changes at once, which shows what no single change can.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overall {
    pub drop: Estimate,
    /// Over how many changes.
    pub changes: usize,
    /// Changes of too few samples to enter the mean.
    pub left_out: usize,
}

impl Overall {
    /// A remark about changes that do not enter, after a semicolon; nothing if all do.
    pub fn remark(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left_out => {
                let few = counted(left_out, "change");
                format!("; {few} of fewer than {ENOUGH_FOR_MEAN} texts left out")
            }
        }
    }
}

/// The mean drop: over the changes that people judged, of which it is known how their errors go together; without any,
/// over all changes, on the safe side.
pub fn overall(findings: &Findings) -> Option<Overall> {
    if let Some(Weighted { drop, parts: changes, left_out, .. }) = findings.weighted {
        return Some(Overall { drop, changes, left_out });
    }
    let parts = dropping(findings);
    let enough = with_enough(&parts);
    let drop = mean_drop(enough.iter().map(|(part, _, drop)| (*part, *drop)))?;
    Some(Overall { drop, changes: enough.len(), left_out: parts.len() - enough.len() })
}

/// The changes that enter a mean: those of enough samples, or all if none has.
pub fn with_enough<'a>(parts: &[Dropping<'a>]) -> Vec<Dropping<'a>> {
    let samples: Vec<usize> = parts.iter().map(|(_, evidence, _)| evidence.samples).collect();
    parts.iter().zip(enter_mean(&samples)).filter(|(_, enters)| *enters).map(|(part, _)| *part).collect()
}

/// Whether a drop is more than noise, in a word: also among all changes, by its own interval only, or not.
pub fn beyond_noise(findings: &Findings, evidence: &Evidence) -> &'static str {
    let alone = evidence.drop.is_some_and(|drop| excludes(&drop, 0.0));
    match (sure(findings, evidence), alone) {
        (true, _) => "yes",
        (false, true) => "own interval only",
        (false, false) => "no",
    }
}

/// Whether an interval leaves a value out.
pub fn excludes(estimate: &Estimate, value: f64) -> bool {
    estimate.low > value || estimate.high < value
}

/// The mean of drops, weighted by how acceptable people found the changes; a part without human judgements counts as 1.
///
/// The interval is the weighted mean of the intervals' ends: the parts share samples, and the error of a mean is never
/// more than the mean of the errors, so this is on the safe side.
pub fn mean_drop<'a>(parts: impl IntoIterator<Item = (&'a PartFinding, Estimate)>) -> Option<Estimate> {
    let mut sum = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    let mut weights = 0.0;
    for (part, drop) in parts {
        let weight = part.human.as_ref().and_then(acceptability).unwrap_or(1.0);
        sum.value += weight * drop.value;
        sum.low += weight * drop.low;
        sum.high += weight * drop.high;
        weights += weight;
    }
    (weights > 0.0).then(|| Estimate { value: sum.value / weights, low: sum.low / weights, high: sum.high / weights })
}

/// Every family with the parts of it that were measured. Chains belong to no family.
pub fn family_rows(findings: &Findings) -> Vec<FamilyRow> {
    let dropping = dropping(findings);
    FAMILIES
        .iter()
        .map(|(family, name)| {
            let mine = || dropping.iter().filter(|(part, ..)| part.family == Some(*family));
            let enough = with_enough(&mine().copied().collect::<Vec<_>>());
            FamilyRow {
                name: (*name).to_owned(),
                parts: mine().map(|(part, _, drop)| (part.name.clone(), *drop)).collect(),
                mean: mean_drop(enough.iter().map(|(part, _, drop)| (*part, *drop))),
                absent: absent(findings, *family),
            }
        })
        .collect()
}

/// Why a family has no mean: it was not measured, or has only changes that do not keep the right answer.
fn absent(findings: &Findings, family: Family) -> String {
    let other = |part: &&PartFinding| part.family == Some(family) && part.evidence.is_some();
    if findings.parts.iter().any(|part| other(&part)) { "no drop to take" } else { "not measured" }.to_owned()
}

/// By how much stated confidence is above accuracy, over all bins; below 0 the model is too modest.
pub fn overconfidence(findings: &Findings) -> Option<f64> {
    let bins = &findings.reliability.as_ref()?.bins;
    let samples: usize = bins.iter().map(|bin| bin.samples).sum();
    let gap: f64 = (bins.iter().filter(|bin| bin.samples > 0))
        .map(|bin| bin.samples as f64 * (bin.confidence - bin.accuracy.value))
        .sum();
    (samples > 0).then(|| gap / samples as f64)
}

#[cfg(test)]
mod tests {
    use fissure_core::HumanScores;
    use fissure_evaluate::Counts;

    use super::*;

    fn part(human: Option<HumanScores>) -> PartFinding {
        PartFinding {
            name: "typos".to_owned(),
            settings: Vec::new(),
            summary: String::new(),
            family: None,
            expectation: Expectation::Kept,
            human,
            counts: Counts::default(),
            skips: Default::default(),
            evidence: None,
            yielded: Default::default(),
            forecast: None,
        }
    }

    #[test]
    fn drops_are_weighted_by_what_people_accept() {
        let scores = HumanScores { plausibility: (4.0, 2.0), grammaticality: (4.0, 4.0) };
        assert_eq!(acceptability(&scores), Some(0.75));
        let (judged, unjudged) = (part(Some(scores)), part(None));
        let drop = |value: f64| Estimate { value, low: value - 0.1, high: value + 0.1 };
        let mean = mean_drop([(&judged, drop(0.4)), (&unjudged, drop(0.05))]).unwrap();
        // (0.75 * 0.4 + 0.05) / 1.75 = 0.2
        assert!((mean.value - 0.2).abs() < 1e-12 && (mean.low - 0.1).abs() < 1e-12 && (mean.high - 0.3).abs() < 1e-12);
        assert_eq!(mean_drop([]), None);
    }

    #[test]
    fn better_than_the_original_counts_once() {
        let scores = HumanScores { plausibility: (4.0, 5.0), grammaticality: (4.0, 5.0) };
        assert_eq!(acceptability(&scores), Some(1.0));
        assert_eq!(acceptability(&HumanScores { plausibility: (0.0, 0.0), grammaticality: (1.0, 1.0) }), None);
    }
}
