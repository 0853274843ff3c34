//! Training data enriched with the changes that hurt most, and whether that helped: before and after on the same frozen
//! variants, with paired tests, and clean accuracy beside them.

use fissure_core::{Chain, Dice, Expectation, Outcome, Pipeline, Resources, Sample, TaskFacts, Thresholds};
use fissure_evaluate::{Findings, PartFinding};
use fissure_models::Model;
use fissure_statistics::{Estimate, holm, mcnemar};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::mitigate::accuracy;
use crate::{Error, FoundAttacks, LabelledSet, Result, SOURCE};

/// The column that says by which part a sample was made.
pub const COLUMN: &str = "augmented_by";

/// The parts of a run that hurt most, the worst first: those that keep the label and after which more answers are wrong.
pub fn hurtful(findings: &Findings, most: usize) -> Result<Vec<&PartFinding>> {
    let mut parts: Vec<(f64, &PartFinding)> = findings
        .parts
        .iter()
        .filter(|part| part.expectation == Expectation::Kept)
        .filter_map(|part| Some((part.evidence.as_ref()?.drop?.value, part)))
        .filter(|(drop, _)| *drop > 0.0)
        .collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.name.cmp(&b.1.name)));
    parts.truncate(most);
    if parts.is_empty() {
        return Err(Error::NothingHurts);
    }
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}

/// Refuses chains after which the label of a sample may be wrong: copies keep it, and a model would learn the error.
pub fn check_kept(chains: &[Chain], task: &TaskFacts) -> Result<()> {
    match chains.iter().find(|chain| chain.expects_on(task) != Expectation::Kept) {
        None => Ok(()),
        Some(chain) => {
            Err(Error::LabelNotKept { chain: chain.name().to_owned(), expectation: chain.expects_on(task).name() })
        }
    }
}

/// Samples with their changed copies behind them.
#[derive(Debug, Clone, Default)]
pub struct Enriched {
    pub set: LabelledSet,
    /// How many copies each chain made.
    pub made: Vec<(String, usize)>,
}

/// Adds to every sample a copy changed by each chain, with the given chance. Copies keep the label, have an id of their
/// own, and say in columns by which part and from which sample they were made.
pub fn enrich(set: &LabelledSet, chains: &[Chain], keep: &Thresholds, share: f64, seed: u64) -> Enriched {
    let copies: Vec<Vec<Option<Sample>>> = set
        .samples
        .par_iter()
        .map(|sample| {
            let drawn = |chain: &&Chain| Dice::new(seed, &["augment", chain.name(), &sample.id]).chance(share);
            let resources = Resources::default();
            let copy = |chain: &Chain| match (Pipeline { chain, keep, resources: &resources }).run(sample, seed, 0) {
                Outcome::Changed(variant) => {
                    let mut copy = variant.sample;
                    copy.id = format!("{}~{}", sample.id, chain.name());
                    copy.extra.push((COLUMN.into(), json!(chain.name())));
                    if !copy.extra.iter().any(|(name, _)| &**name == SOURCE) {
                        copy.extra.push((SOURCE.into(), json!(sample.id)));
                    }
                    Some(copy)
                }
                Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => None,
            };
            chains.iter().map(|chain| Some(chain).filter(drawn).and_then(copy)).collect()
        })
        .collect();
    let mut enriched = Enriched { set: set.clone(), made: Vec::new() };
    for (at, chain) in chains.iter().enumerate() {
        let mut made = 0;
        for (copies, label) in copies.iter().zip(&set.labels) {
            if let Some(copy) = &copies[at] {
                enriched.set.samples.push(copy.clone());
                enriched.set.labels.push(*label);
                made += 1;
            }
        }
        enriched.made.push((chain.name().to_owned(), made));
    }
    enriched
}

impl Enriched {
    /// Adds the samples that an attack broke, as it left them.
    pub fn add_found(&mut self, set: &LabelledSet, found: &FoundAttacks) {
        let made = broken(set, found);
        self.made.push((found.kind(), made.len()));
        for (mut copy, label) in made.samples.into_iter().zip(made.labels) {
            let source = copy.id.clone();
            copy.id = format!("{source}~attack");
            copy.extra.push((COLUMN.into(), json!(found.kind())));
            if !copy.extra.iter().any(|(name, _)| &**name == SOURCE) {
                copy.extra.push((SOURCE.into(), json!(source)));
            }
            self.set.samples.push(copy);
            self.set.labels.push(label);
        }
    }
}

/// The samples that an attack broke, as it left them.
fn broken(set: &LabelledSet, found: &FoundAttacks) -> LabelledSet {
    let both = set.samples.iter().zip(&set.labels);
    let (samples, labels) = both.filter_map(|(sample, label)| Some((found.on(sample)?.0, *label))).unzip();
    LabelledSet { samples, labels }
}

/// The test set as it is, and its variants under each chain: made once, asked twice.
#[derive(Debug)]
pub struct Frozen {
    groups: Vec<(String, LabelledSet)>,
}

impl Frozen {
    pub fn new(test: &LabelledSet, chains: &[Chain], keep: &Thresholds, seed: u64) -> Self {
        let mut groups = vec![("clean".to_owned(), test.clone())];
        let resources = Resources::default();
        for chain in chains {
            let made: Vec<Option<Sample>> = test
                .samples
                .par_iter()
                .map(|sample| match (Pipeline { chain, keep, resources: &resources }).run(sample, seed, 0) {
                    Outcome::Changed(variant) => Some(variant.sample),
                    Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => None,
                })
                .collect();
            let mut set = LabelledSet::default();
            for (sample, label) in made.into_iter().zip(&test.labels) {
                set.samples.extend(sample.inspect(|_| set.labels.push(*label)));
            }
            groups.push((chain.name().to_owned(), set));
        }
        Self { groups }
    }

    /// Adds the samples of the test set that an attack broke, as it left them.
    pub fn add_found(&mut self, test: &LabelledSet, found: &FoundAttacks) {
        self.groups.push((found.kind(), broken(test, found)));
    }
}

/// One group of frozen samples, before and after.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// `clean`, or the name of a part.
    pub group: String,
    pub samples: usize,
    pub before: Estimate,
    /// Of a model that was retrained in the same way without the copies: what training alone does.
    pub control: Option<Estimate>,
    pub after: Estimate,
    /// Answers that are right after and wrong with the control, and the other way round; without a control with the model before. The texts
    /// that an attack found were chosen because the model before gets them wrong, so that one is no measure of what the copies do.
    pub fixed: usize,
    pub broken: usize,
    /// McNemar's exact test, and the same after Holm's correction over all groups.
    pub p: f64,
    pub p_holm: f64,
}

/// The models on the same samples. Groups without a sample are left out: there is nothing to say about them.
pub fn compare(
    before: &dyn Model,
    control: Option<&dyn Model>,
    after: &dyn Model,
    frozen: &Frozen,
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (group, set) in frozen.groups.iter().filter(|(_, set)| !set.is_empty()) {
        let (old, new) = (set.answers(before)?, set.answers(after)?);
        let plain = control.map(|model| set.answers(model)).transpose()?;
        let (mut fixed, mut broken) = (0, 0);
        for ((old, new), gold) in plain.as_ref().unwrap_or(&old).iter().zip(&new).zip(&set.labels) {
            match (old.predicted == *gold, new.predicted == *gold) {
                (false, true) => fixed += 1,
                (true, false) => broken += 1,
                _ => {}
            }
        }
        changes.push(Change {
            group: group.clone(),
            samples: set.len(),
            before: accuracy(&old, &set.labels)?,
            control: plain.map(|answers| accuracy(&answers, &set.labels)).transpose()?,
            after: accuracy(&new, &set.labels)?,
            fixed,
            broken,
            p: mcnemar(broken, fixed),
            p_holm: 1.0,
        });
    }
    let corrected = holm(&changes.iter().map(|change| change.p).collect::<Vec<_>>());
    changes.iter_mut().zip(corrected).for_each(|(change, p)| change.p_holm = p);
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use fissure_models::{Answer, Capabilities, Input};
    use fissure_probes::TRANSFORMS;

    use super::*;

    /// Says 1 if a text has a capital letter.
    #[derive(Debug)]
    struct Capitals(Capabilities, usize);

    impl Model for Capitals {
        fn capabilities(&self) -> &Capabilities {
            &self.0
        }

        fn answer(&self, inputs: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
            let capitals = |text: &str| usize::from(text.chars().filter(|c| c.is_uppercase()).count() > self.1);
            let say = |input: &Input<'_>| Answer { predicted: capitals(input.text), log_probs: None, truncated: false };
            Ok(inputs.iter().map(say).collect())
        }
    }

    fn capitals(more_than: usize) -> Capitals {
        let labels = vec!["0".to_owned(), "1".to_owned()];
        Capitals(Capabilities { labels, probabilities: false, gradients: false }, more_than)
    }

    fn chains() -> Vec<Chain> {
        let upper = [("mode".to_owned(), "upper".to_owned())];
        vec![Chain::build(&TRANSFORMS, "word_case", &upper).unwrap()]
    }

    fn set() -> LabelledSet {
        let samples = (0..10).map(|id| Sample::of_text(id.to_string(), "one two three four five")).collect();
        LabelledSet { samples, labels: vec![0; 10] }
    }

    #[test]
    fn copies_stand_behind_and_say_where_they_come_from() {
        let enriched = enrich(&set(), &chains(), &Thresholds::default(), 1.0, 0);
        assert_eq!((enriched.set.len(), enriched.made[0].1), (20, 10));
        assert_eq!(enriched.set.samples[10].id, "0~word_case");
        let made = [(COLUMN.into(), json!("word_case")), (SOURCE.into(), json!("0"))];
        assert_eq!(enriched.set.samples[10].extra, made);
        let examples = enriched.set.examples();
        assert!(
            (0..10).all(|at| examples[at].source == examples[10 + at].source),
            "copies say what they are copies of"
        );
        assert_eq!(enrich(&set(), &chains(), &Thresholds::default(), 0.0, 0).set.len(), 10);
    }

    #[test]
    fn broken_samples_become_copies_and_a_group_of_their_own() {
        let line = |id: &str, old: &str| {
            json!({ "id": id, "outcome": "succeeded", "questions": 3, "asked": 3, "inputs": 3, "backward": 0, "words": 5,
                    "changed": 1, "changed_at_first": 1,
                    "edits": [{ "field": "text", "start": 4, "end": 7, "old": old, "new": "TWO" }] })
        };
        let records = [line("3", "two"), line("4", "other"), line("77", "two")];
        let records = records.map(|line| serde_json::from_value(line).unwrap()).to_vec();
        let found = FoundAttacks::new("own", records);
        let mut enriched = enrich(&set(), &[], &Thresholds::default(), 1.0, 0);
        enriched.add_found(&set(), &found);
        // Of the three one is of another text, and one of a sample that is not here.
        assert_eq!((enriched.set.len(), enriched.made), (11, vec![("attack own".to_owned(), 1)]));
        let copy = &enriched.set.samples[10];
        assert_eq!((copy.id.as_str(), copy.fields[0].text.as_str()), ("3~attack", "one TWO three four five"));
        assert_eq!(copy.extra, [(COLUMN.into(), json!("attack own")), (SOURCE.into(), json!("3"))]);
        let mut frozen = Frozen::new(&set(), &[], &Thresholds::default(), 0);
        frozen.add_found(&set(), &found);
        let changes = compare(&capitals(0), None, &capitals(1000), &frozen).unwrap();
        assert_eq!((changes[1].group.as_str(), changes[1].samples, changes[1].fixed), ("attack own", 1, 1));
    }

    #[test]
    fn before_and_after_on_the_same_variants() {
        let frozen = Frozen::new(&set(), &chains(), &Thresholds::default(), 0);
        // The first is fooled by any capital, the second by none.
        let changes = compare(&capitals(0), None, &capitals(1000), &frozen).unwrap();
        assert_eq!((changes[0].group.as_str(), changes[0].before.value, changes[0].p), ("clean", 1.0, 1.0));
        let upper = &changes[1];
        assert_eq!((upper.before.value, upper.after.value, upper.fixed, upper.broken), (0.0, 1.0, 10, 0));
        // With a control it is the control that counts: what training alone does is no merit of the copies.
        let same = compare(&capitals(0), Some(&capitals(1000)), &capitals(1000), &frozen).unwrap();
        assert_eq!((same[1].fixed, same[1].broken, same[1].p), (0, 0, 1.0));
        assert_eq!(same[1].control.map(|control| control.value), Some(1.0));
        // Ten of ten by a fair coin, both ways; Holm doubles it.
        assert!((upper.p - 2.0 / 1024.0).abs() < 1e-12 && (upper.p_holm - 4.0 / 1024.0).abs() < 1e-12);
    }
}
