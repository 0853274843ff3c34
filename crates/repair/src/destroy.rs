//! Destroyed samples: what a model should notice.

use std::sync::Arc;

use fissure_core::{Chain, Dice, Has, Need, Outcome, Resources, Sample, Tag};
use fissure_evaluate::SaladTally;
use fissure_geometry::{ByModel, Method};
use fissure_models::Model;
use fissure_probes::TRANSFORMS;
use fissure_tasks::Task;
use fissure_translate::{Lesson, learn};
use rayon::prelude::*;

use crate::labelled::input;
use crate::{LabelledSet, Result};

/// All nine, in the order of the paper's tables.
pub const NAMES: [&str; 9] =
    ["sort", "reverse", "shuffle", "copy_sort", "replace", "repeat", "drop", "copy_one", "pbsmt"];

/// Destroyers that can be run on a data set, with what they need.
#[derive(Debug)]
pub struct Destroyers {
    chains: Vec<Chain>,
    /// How words are weighed, for those that ask.
    importance: Option<String>,
    seed: u64,
}

impl Destroyers {
    /// The named destroyers; those for pairs are left out for single texts. Words matter by what they matter to `model`;
    /// phrases are learned from the training texts, by the names of their labels.
    pub fn new(
        names: &[String],
        model: Arc<dyn Model>,
        training: &LabelledSet,
        labels: &[String],
        seed: u64,
    ) -> Result<Self> {
        let method = Method::usual(&*model);
        let mut resources =
            Resources { importance: Some(Arc::new(ByModel::new(model, method)?)), ..Resources::default() };
        if names.iter().any(|name| name.split('+').any(|part| part.trim() == "pbsmt")) {
            let lessons: Vec<Lesson<'_>> = training
                .samples
                .iter()
                .zip(&training.labels)
                .map(|(sample, label)| {
                    let input = input(sample);
                    Lesson { text: input.text, pair: input.pair, label: labels.get(*label).map_or("", String::as_str) }
                })
                .collect();
            resources.label_translator = Some(Arc::new(learn(&lessons)?));
        }
        Self::with(names, &resources, training.is_paired(), seed)
    }

    /// The named destroyers with the help that is there; those that lack it are left out.
    pub fn with(names: &[String], resources: &Resources, paired: bool, seed: u64) -> Result<Self> {
        let mut chains = Vec::new();
        for name in names {
            let chain = Chain::build(&TRANSFORMS, name, &[])?.with(resources.clone());
            if chain.lacks().is_none() && chain.cards().all(|card| paired || !card.requires.contains(&Has::Pair)) {
                chains.push(chain);
            }
        }
        let importance = resources.importance.as_ref().map(|importance| importance.method().to_owned());
        Ok(Self { chains, importance, seed })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.chains.iter().map(Chain::name)
    }

    pub fn len(&self) -> usize {
        self.chains.len()
    }

    pub fn is_empty(&self) -> bool {
        self.chains.is_empty()
    }

    /// To count the answers to what one destroyer makes.
    pub fn tally(&self, destroyer: usize, task: &Task, labels: &[String]) -> SaladTally {
        let chain = &self.chains[destroyer];
        let copies = chain.cards().any(|card| card.tags.contains(&Tag::Copies));
        let weighs = chain.cards().any(|card| card.needs.contains(&Need::TokenImportance));
        SaladTally::new(
            chain.name(),
            &chain.cards().map(|card| card.summary()).collect::<Vec<_>>().join(" Then: "),
            copies.then(|| task.label_of_copies(labels)).flatten(),
            self.importance.clone().filter(|_| weighs),
        )
    }

    /// Every sample through one destroyer; `None` if it could not be changed.
    pub fn all(&self, destroyer: usize, samples: &[Sample], labels: &[String], golds: &[usize]) -> Vec<Option<Sample>> {
        let chain = &self.chains[destroyer];
        let work = samples.par_iter().zip(golds);
        work.map(|(sample, gold)| self.one(chain, sample, labels.get(*gold))).collect()
    }

    /// A share of the samples, each through a destroyer of its own, drawn by the seed; another is tried where one cannot
    /// change it.
    pub fn mixed(&self, set: &LabelledSet, labels: &[String], share: f64) -> Vec<Option<Sample>> {
        let work = set.samples.par_iter().zip(&set.labels);
        work.map(|(sample, gold)| {
            let mut order: Vec<usize> = (0..self.chains.len()).collect();
            let mut dice = Dice::new(self.seed, &["destroyer", &sample.id]);
            dice.shuffle(&mut order);
            if !dice.chance(share) {
                return None;
            }
            order.into_iter().find_map(|at| self.one(&self.chains[at], sample, labels.get(*gold)))
        })
        .collect()
    }

    fn one(&self, chain: &Chain, sample: &Sample, label: Option<&String>) -> Option<Sample> {
        // Phrases are known by the names of the model's labels, whatever the file calls them.
        let sample = Sample { label: label.map(|label| label.as_str().into()), ..sample.clone() };
        match chain.run(&sample, self.seed, 0) {
            Outcome::Changed(variant) => Some(variant.sample),
            Outcome::Unchanged | Outcome::Skipped(_) | Outcome::Filtered(_) => None,
        }
    }
}
