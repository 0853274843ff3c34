//! The suite `attacks`: a cheap set of attacks on the first samples of a run, each in a directory of its own beside it.

use std::path::Path;

use fissure_evaluate::suite::ATTACKS;
use fissure_evaluate::{ModelAbout, RunConfig};
use fissure_kit::attacks::{ATTACKS_FILE, SUMMARY_FILE, folder_of};
use fissure_models::remote::is_remote;
use fissure_settings::DataSource;

use crate::Result;
use crate::args::{self, GoOn, Remote};
use crate::commands::attack;
use crate::ui::{self, Ui};

/// The most samples that are attacked, and the most questions for each, of a model on this machine and of one that is paid for.
const LOCAL: (usize, usize) = (100, 1_000);
const REMOTE: (usize, usize) = (20, 50);

/// The attacks of a run that asks for them, and how much they may cost; `Err` says why there are none.
pub struct Set {
    recipes: Vec<&'static str>,
    samples: usize,
    budget: usize,
}

impl Set {
    pub fn of(config: &RunConfig, model: &ModelAbout) -> Option<std::result::Result<Self, &'static str>> {
        let suites = config.selection.suite.as_deref().unwrap_or_default();
        if !suites.split(',').any(|suite| suite.trim().eq_ignore_ascii_case(ATTACKS)) {
            return None;
        }
        if !config.task().is_ok_and(|task| task.facts.has_class()) {
            return Some(Err("the suite `attacks` is for tasks with one class a sample"));
        }
        if !model.probabilities {
            return Some(Err("the suite `attacks` needs a model with probabilities"));
        }
        let remote = config.model.as_deref().is_some_and(is_remote);
        let (samples, budget) = if remote { REMOTE } else { LOCAL };
        let samples = config.data.limit.map_or(samples, |limit| limit.min(samples));
        // What needs to look inside comes first: it proves, or it asks least.
        let inside: &[&str] = if model.gradients { &["jump", "bound"] } else { &[] };
        let recipes = inside.iter().chain(&["pwws", "deepwordbug"]).copied().collect();
        Some(Ok(Self { recipes, samples, budget }))
    }

    /// In a line, for the plan.
    pub fn line(&self) -> String {
        let questions = self.recipes.len() * self.samples * self.budget;
        format!(
            "then {} on the first {} samples, at most {} questions a text: at most {questions} in all",
            self.recipes.join(", "),
            self.samples,
            self.budget
        )
    }

    /// Runs what is not done yet. What is done stays as it is.
    pub fn run(&self, config: &RunConfig, args: &args::Evaluate, folder: &Path, ui: Ui) -> Result<()> {
        for recipe in &self.recipes {
            let out = folder_of(folder, recipe);
            if out.join(SUMMARY_FILE).exists() {
                continue;
            }
            let begun = ["", ".unfinished"].iter().any(|ending| out.join(format!("{ATTACKS_FILE}{ending}")).exists());
            let data = DataSource { limit: Some(self.samples), ..config.data.clone() };
            let remote = Remote { endpoint: config.endpoint.clone(), patience: args.patience.clone(), rate: args.rate };
            ui::note(&format!("attack {recipe}"));
            let one = args::Attack {
                model: config.model.clone().unwrap_or_default(),
                remote,
                data: data.into(),
                labels: config.map.clone(),
                recipe: Some((*recipe).to_owned()),
                budget: Some(self.budget),
                seed: config.seed(),
                out: Some(out),
                go_on: GoOn { force: false, resume: begun },
                ..args::Attack::default()
            };
            attack::run(&one, ui)?;
        }
        Ok(())
    }
}
