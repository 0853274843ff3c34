//! Training with bounds, so that more answers are proved to withstand other words; before and after on the same texts.
//!
//! The words that may take another's place are those of an attack, so what is trained for is what is measured: `bound` for a
//! cnn, `exact` for a fasttext model. Accuracy stands beside it, because that is the price.

use std::sync::Arc;

use fissure_ask::LocalClassifier;
use fissure_attacks::{
    Attack, AttackResources, Options, Outcome, Recipe, Record, Target, WordSet, attack_all, word_sets,
};
use fissure_models::Model;
use fissure_models::train::{Certify, Choice, Progress, TrainOptions, train_certified};
use fissure_statistics::{Estimate, mcnemar, paired_difference, proportion};
use serde::Serialize;

use crate::mitigate::accuracy;
use crate::{LabelledSet, Result, Trained};

/// How to train, and what to prove.
#[derive(Debug, Clone)]
pub struct CertifyOptions {
    /// The most changed words of the first proof, for models that are not sums; the second is for any number.
    pub edits: usize,
    /// How much the worst text counts against the text itself, from 0 to 1.
    pub weight: f32,
    /// The share of the epochs over which the substitutes come in.
    pub ramp: f32,
    /// Near words to use instead of the built-in table, and what else attacks take.
    pub resources: AttackResources,
    pub seed: u64,
}

/// The most bounds for a text in the proof for any number of words: what they do not decide at once, no search does.
const WORK_FOR_ALL: i64 = 200;

/// Trains a model like the one of `options` with bounds over the words that the attack puts in each other's place.
pub fn train(
    before: &Arc<dyn Model>,
    training: &LabelledSet,
    options: &TrainOptions,
    certify: &CertifyOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    let respondent = LocalClassifier::of("the model", None, Arc::clone(before));
    let target = Target::new(&respondent);
    let attack = attacks(&target, certify)?.swap_remove(0).1;
    let choices = |at: usize| -> Vec<Choice> {
        let sets = word_sets(&attack, &target, &training.samples[at], certify.seed);
        let choice = |(field, span, with): WordSet| {
            (field as u8, span.range(), with.iter().map(|word| Box::from(&**word)).collect())
        };
        sets.into_iter().map(choice).collect()
    };
    let labels = &before.capabilities().labels;
    let bounds = Certify { choices: &choices, weight: certify.weight, ramp: certify.ramp };
    let trained = train_certified(&training.examples(), labels, options, &bounds, progress)?;
    Ok(Trained::Small(trained.model.into()))
}

/// The accuracy of a model that is trained in the same way without bounds: what it is to be trained on these samples, if the model
/// before saw others.
pub fn control(
    before: &Arc<dyn Model>,
    training: &LabelledSet,
    test: &LabelledSet,
    options: &TrainOptions,
    certify: &CertifyOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Estimate> {
    let without = CertifyOptions { weight: 0.0, ..certify.clone() };
    let trained = train(before, training, options, &without, progress)?;
    accuracy(&test.answers(&*trained.model())?, &test.labels)
}

/// What was proved of a model's answers, in shares of all texts: the rest is answered wrongly.
#[derive(Debug, Clone, Serialize)]
pub struct Proved {
    pub accuracy: Estimate,
    /// Right, and no such change of words makes it wrong.
    pub certified: Estimate,
    /// Right, but an example shows how to make it wrong.
    pub broken: Estimate,
    /// Right, and neither was shown.
    pub open: Estimate,
}

/// Two models under the same changes.
#[derive(Debug, Clone, Serialize)]
pub struct Certified {
    /// Which changes: `at most 2 words`.
    pub changes: String,
    pub samples: usize,
    pub before: Proved,
    pub after: Proved,
    /// Texts that are certified after and not before, and the other way round; the difference of the shares; McNemar's test.
    pub gained: usize,
    pub lost: usize,
    pub difference: Estimate,
    pub p: f64,
}

/// Both models on the same texts.
pub fn compare(
    before: &Arc<dyn Model>,
    after: &Arc<dyn Model>,
    test: &LabelledSet,
    certify: &CertifyOptions,
) -> Result<Vec<Certified>> {
    let (then, now) = (outcomes(before, test, certify)?, outcomes(after, test, certify)?);
    let mut rows = Vec::new();
    for ((changes, then), (_, now)) in then.into_iter().zip(now) {
        let both = || then.iter().zip(&now).map(|(then, now)| (is_certified(then), is_certified(now)));
        let gained = both().filter(|(then, now)| !then & now).count();
        let lost = both().filter(|(then, now)| *then & !now).count();
        let difference = paired_difference(test.len() as f64, gained as f64, lost as f64);
        if let (Some(before), Some(after), Some(difference)) = (proved(&then), proved(&now), difference) {
            let p = mcnemar(gained, lost);
            rows.push(Certified { changes, samples: test.len(), before, after, gained, lost, difference, p });
        }
    }
    Ok(rows)
}

fn outcomes(
    model: &Arc<dyn Model>,
    test: &LabelledSet,
    certify: &CertifyOptions,
) -> Result<Vec<(String, Vec<Record>)>> {
    let respondent = LocalClassifier::of("the model", None, Arc::clone(model));
    let target = Target::new(&respondent);
    let gold: Vec<Option<usize>> = test.labels.iter().map(|label| Some(*label)).collect();
    let options = Options { seed: certify.seed, budget: usize::MAX, target: None, max_words: Options::MAX_WORDS };
    let run = |(changes, attack): (String, Attack)| {
        Ok((changes, attack_all(&attack, &target, &test.samples, &gold, options)?))
    };
    attacks(&target, certify)?.into_iter().map(run).collect()
}

/// The attacks that prove, with what they allow.
fn attacks(target: &Target<'_>, certify: &CertifyOptions) -> Result<Vec<(String, Attack)>> {
    let resources = AttackResources {
        gradients: target.shows_gradients(),
        additive: target.is_additive(),
        ..certify.resources.clone()
    };
    if target.is_additive() {
        return Ok(vec![("any number of words".into(), Recipe::builtin("exact")?.build(resources, &[])?)]);
    }
    let mut few = Recipe::builtin("bound")?;
    few.set_search("edits", certify.edits as i64);
    let mut all = Recipe::builtin("bound")?;
    all.set_search("edits", 100);
    all.set_search("work", WORK_FOR_ALL);
    let words = if certify.edits == 1 { "word" } else { "words" };
    Ok(vec![
        (format!("at most {} {words}", certify.edits), few.build(resources.clone(), &[])?),
        ("any number of words".into(), all.build(resources, &[])?),
    ])
}

fn is_certified(record: &Record) -> bool {
    record.certificate.is_some()
}

fn proved(records: &[Record]) -> Option<Proved> {
    let share = |counts: &dyn Fn(&Record) -> bool| {
        proportion(records.iter().filter(|record| counts(record)).count(), records.len())
    };
    Some(Proved {
        accuracy: share(&|record| record.outcome != Outcome::Skipped)?,
        certified: share(&is_certified)?,
        broken: share(&|record| record.outcome == Outcome::Succeeded)?,
        open: share(&|record| record.outcome == Outcome::Failed && !is_certified(record))?,
    })
}
