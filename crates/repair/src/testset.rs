//! A rolling test set: the most fragile examples, perturbed, checked, and written down with where they come from.
//!
//! A round mines with the model of today; the next starts from the model that was retrained on what this one found.

mod mine;
mod perturb;

use std::collections::BTreeMap;

use fissure_core::{Chain, Resources, Sample, Thresholds, TrailEdit};
use fissure_geometry::Vocabulary;
use fissure_models::Model;
use serde::Serialize;
use serde_json::json;

use crate::labelled::answers;
use crate::{FoundAttacks, LabelledSet, Result};
pub use mine::Mined;

/// The version of the rows.
pub const FORMAT: &str = "fissure-testset-1";
/// The column that holds the provenance.
pub const COLUMN: &str = "provenance";

/// What to look for.
#[derive(Debug)]
pub struct TestsetOptions {
    /// How many of the most fragile examples to start from.
    pub examples: usize,
    /// The most perturbed forms of one example.
    pub forms: usize,
    /// Parts that perturb too, beside substitutions.
    pub parts: Vec<Chain>,
    /// Attacks that were found on the set: they are the forms then, and no others are made.
    pub found: Option<FoundAttacks>,
    /// What a form must meet, and the resources of the validators.
    pub thresholds: Thresholds,
    pub resources: Resources,
    pub round: usize,
    pub seed: u64,
}

/// What came of a round.
#[derive(Debug)]
pub struct Testset {
    pub rows: Vec<Tested>,
    /// How many examples were started from, and how fragility was measured.
    pub mined: usize,
    pub mined_by: &'static str,
    pub made: usize,
    /// Forms that a validator refused, by its name.
    pub refused: BTreeMap<&'static str, usize>,
}

/// A perturbed example.
#[derive(Debug)]
pub struct Tested {
    /// With its provenance in a column.
    pub sample: Sample,
    pub flips: bool,
}

/// Where a row comes from.
#[derive(Debug, Serialize)]
struct Provenance<'a> {
    format: &'static str,
    version: &'static str,
    round: usize,
    seed: u64,
    source: &'a str,
    /// `along e_max`, `neighbour`, `name`, a part, or `attack NAME`.
    kind: &'a str,
    edits: &'a [TrailEdit],
    mined_by: &'static str,
    fragility: f64,
    answer_before: Option<&'a str>,
    answer_after: Option<&'a str>,
    flips: bool,
    /// What the form was checked for, and held.
    checked: &'a [String],
}

/// Mines, perturbs and checks. The label of a form is that of its original.
pub fn testset(model: &dyn Model, set: &LabelledSet, options: &TestsetOptions) -> Result<Testset> {
    let inside = model.as_white_box().filter(|inside| !inside.words().is_empty());
    let vocabulary = inside.map(Vocabulary::of).transpose()?;
    let mined = match &options.found {
        Some(found) => mine::broken(set, found, options.examples),
        None => mine::mine(model, vocabulary.as_ref(), set, options.examples, options.seed)?,
    };
    let mut found =
        Testset { rows: Vec::new(), mined: mined.places.len(), mined_by: mined.by, made: 0, refused: BTreeMap::new() };
    let checked: Vec<String> = options.thresholds.0.iter().map(ToString::to_string).collect();
    for (at, fragility) in mined.places {
        let original = &set.samples[at];
        let mut forms = match &options.found {
            Some(found) => perturb::found(original, found).into_iter().collect(),
            None => perturb::forms(model, vocabulary.as_ref(), original, options)?,
        };
        found.made += forms.len();
        forms.retain(|form| match options.thresholds.failure(original, &form.sample, &options.resources) {
            None => true,
            Some(failure) => {
                *found.refused.entry(failure.validator).or_default() += 1;
                false
            }
        });
        let samples: Vec<Sample> =
            std::iter::once(original).chain(forms.iter().map(|form| &form.sample)).cloned().collect();
        let answers = answers(model, &samples)?;
        let Some((before, after)) = answers.split_first() else { continue };
        let mut judged: Vec<(perturb::Form, usize, f64)> = forms
            .into_iter()
            .zip(after)
            .map(|(form, after)| {
                let log_prob = |answer: &fissure_models::Answer| {
                    answer.log_probs.as_ref().and_then(|z| z.get(before.predicted)).map_or(0.0, |z| f64::from(*z))
                };
                (form, after.predicted, log_prob(after) - log_prob(before))
            })
            .collect();
        // Those that flip the answer first, then those that come nearest to it.
        judged.sort_by(|a, b| {
            let turns = |judged: &(perturb::Form, usize, f64)| judged.1 == before.predicted;
            turns(a).cmp(&turns(b)).then(a.2.total_cmp(&b.2))
        });
        judged.truncate(options.forms);
        let label = |class: usize| model.capabilities().labels.get(class).map(String::as_str);
        for (number, (form, after, _)) in judged.into_iter().enumerate() {
            let flips = after != before.predicted;
            let provenance = Provenance {
                format: FORMAT,
                version: env!("CARGO_PKG_VERSION"),
                round: options.round,
                seed: options.seed,
                source: &original.id,
                kind: &form.kind,
                edits: &form.edits,
                mined_by: mined.by,
                fragility,
                answer_before: label(before.predicted),
                answer_after: label(after),
                flips,
                checked: &checked,
            };
            let mut sample = form.sample;
            sample.id = format!("{}~{}.{number}", original.id, options.round);
            sample.extra.retain(|(name, _)| &**name != COLUMN);
            sample.extra.push((COLUMN.into(), json!(provenance)));
            found.rows.push(Tested { sample, flips });
        }
    }
    Ok(found)
}
