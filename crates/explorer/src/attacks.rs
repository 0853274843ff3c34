//! Attacks on an example: run now, or found by a run before.

use fissure_ask::{ModelAbout, Respondent, Response, Unavailable, input};
use fissure_attacks::{
    AttackResources, Options, Outcome, Recipe, Record, RecordEdit, Step, Target, attack_step_by_step, changed,
};
use fissure_core::Sample;
use fissure_models::{Answer, Model, WhiteBox};

use crate::cancel::Visit;
use crate::error::Problem;
use crate::session::Session;

/// Recipes that need nothing but the model, with what they do in a few words; the first is for models with gradients.
pub const RECIPES: [(&str, &str); 5] = [
    ("jump", "many words at once"),
    ("bound", "two words, or a proof"),
    ("pwws", "synonyms"),
    ("deepwordbug", "typos"),
    ("checklist", "names and numbers"),
];

/// The most questions of an attack that a person waits for.
const BUDGET: usize = 2_000;

/// A model as attacks ask it; the work ends if nobody waits for it any more.
#[derive(Debug)]
struct Asked<'a, M> {
    model: M,
    inside: Option<&'a dyn WhiteBox>,
    about: ModelAbout,
}

impl<M: Model> Respondent for Asked<'_, M> {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let inputs: Vec<_> = samples.iter().map(|sample| input(sample)).collect();
        let answers = self.model.try_answer(&inputs).map_err(|error| Unavailable(error.to_string()))?;
        let said = |answer: Answer| match self.about.labels.get(answer.predicted) {
            Some(label) => Ok(Response::predicted(label, answer.predicted, answer.log_probs)),
            None => Err("the model answered with a label that has no name".to_owned()),
        };
        Ok(answers.into_iter().map(|answer| answer.and_then(said)).collect())
    }

    fn inside(&self) -> Option<&dyn WhiteBox> {
        self.inside
    }
}

impl Session {
    /// Attacks an example, and keeps the steps.
    pub fn attack(
        &self,
        visit: &Visit<'_>,
        model: usize,
        example: usize,
        recipe: &str,
    ) -> Result<(Record, Vec<Step>), Problem> {
        let sample = self.setup.samples.get(example).ok_or_else(|| Problem::not_found("such example"))?;
        if !RECIPES.iter().any(|(known, _)| *known == recipe) {
            return Err(Problem::bad("There is no such attack here."));
        }
        let capabilities = self.setup.subjects[model].model.capabilities();
        let about = ModelAbout {
            name: self.setup.subjects[model].name.clone(),
            labels: capabilities.labels.clone(),
            probabilities: capabilities.probabilities,
            gradients: capabilities.gradients,
            ..ModelAbout::default()
        };
        let watched = self.watched(model, visit);
        let inside = watched.as_ref().map(|inside| inside as &dyn WhiteBox);
        let asked = Asked { model: self.asked(model, visit), inside, about };
        let target = Target::new(&asked);
        let resources = AttackResources {
            gradients: target.shows_gradients(),
            additive: target.is_additive(),
            ..AttackResources::default()
        };
        // The least number of changes is known exactly for a sum of words.
        let recipe = if recipe == "bound" && target.is_additive() { "exact" } else { recipe };
        let attack = Recipe::builtin(recipe)?.build(resources, &[])?;
        let options = Options { seed: self.setup.seed, budget: BUDGET, target: None, max_words: Options::MAX_WORDS };
        Ok(attack_step_by_step(&attack, &target, sample, self.gold(model, example), options)?)
    }

    /// What broke an example in an earlier run.
    pub fn broken(&self, example: usize) -> Option<&Record> {
        let sample = self.setup.samples.get(example)?;
        let (_, records) = self.setup.attacks.as_ref()?;
        records.get(&sample.id).filter(|record| record.outcome == Outcome::Succeeded)
    }

    /// What the given run of attacks is called, how many of the examples it attacked, and how many it broke.
    pub fn attacked(&self) -> Option<(&str, usize, usize)> {
        let (name, records) = self.setup.attacks.as_ref()?;
        let found = self.setup.samples.iter().filter_map(|sample| records.get(&sample.id));
        let attacked = found.filter(|record| record.outcome != Outcome::Skipped).count();
        let broken = (0..self.setup.samples.len()).filter(|at| self.broken(*at).is_some()).count();
        Some((name, attacked, broken))
    }

    /// What an earlier run found on an example, as steps: one edit after the other.
    pub fn found_before(&self, example: usize) -> Option<(&Record, Vec<Vec<RecordEdit>>)> {
        let record = self.broken(example)?;
        changed(record, self.setup.samples.get(example)?)?;
        Some((record, (1..=record.edits.len()).map(|count| record.edits[..count].to_vec()).collect()))
    }
}
