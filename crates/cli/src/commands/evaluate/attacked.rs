//! The suite `attacks`: a cheap set of attacks on the first samples of a run, each in a directory of its own beside it.

use std::path::Path;

use fissure_attacks::{AttackRun, Recipe};
use fissure_core::{Texts, counted};
use fissure_evaluate::suite::ATTACKS;
use fissure_evaluate::{Prepared, RunConfig};
use fissure_kit::attacks::{ATTACKS_FILE, folder_of};
use fissure_models::remote::is_remote;
use fissure_settings::DataSource;
use fissure_statistics::Estimate;

use crate::Result;
use crate::args::{self, GoOn, Remote};
use crate::commands::attack;
use crate::ui::{self, Ui, table};

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
    pub fn of(prepared: &Prepared) -> Option<std::result::Result<Self, &'static str>> {
        let (config, model) = (&prepared.header.config, &prepared.header.model);
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
        let one_text = config.task().is_ok_and(|task| task.facts.texts == Texts::One);
        let inside: &[&str] = match (model.gradients, prepared.is_additive() && one_text) {
            (true, true) => &["careful", "jump", "exact"],
            (true, false) => &["careful", "jump", "bound"],
            (false, _) => &[],
        };
        // A build without the tables of tags has no reviewed synonyms.
        let is_there = |name: &&str| Recipe::builtin(name).is_ok_and(|recipe| recipe.needs().is_ok());
        let recipes = inside.iter().chain(&["pwws", "deepwordbug"]).copied().filter(is_there).collect();
        Some(Ok(Self { recipes, samples, budget }))
    }

    /// In a line, for the plan.
    pub fn line(&self) -> String {
        let questions = self.recipes.len() * self.samples * self.budget;
        format!(
            "then {} on the first {} samples, at most {} questions a text: at most {questions} in all, which no other sum of \
             questions, tokens or cost has",
            self.recipes.join(", "),
            self.samples,
            self.budget
        )
    }

    /// Runs what is not done yet. What is done stays as it is.
    pub fn run(&self, config: &RunConfig, args: &args::Evaluate, folder: &Path, ui: Ui) -> Result<()> {
        for recipe in &self.recipes {
            let out = folder_of(folder, recipe);
            if attack::is_complete(&out) {
                continue;
            }
            let begun = ["", ".unfinished"].iter().any(|ending| out.join(format!("{ATTACKS_FILE}{ending}")).exists());
            let data = DataSource { limit: Some(self.samples), ..config.data.clone() };
            let remote = Remote { endpoint: config.endpoint.clone(), patience: args.patience.clone(), rate: args.rate };
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
                // The numbers of all of them are shown together.
                brief: true,
                ..args::Attack::default()
            };
            attack::run(&one, ui)?;
        }
        Ok(())
    }
}

/// The numbers of all attacks beside a run, a row each.
pub fn show(runs: &[AttackRun]) {
    let Some(first) = runs.first() else { return };
    let rows: Vec<Vec<String>> = runs
        .iter()
        .map(|AttackRun { finding, .. }| {
            vec![
                finding.name.clone(),
                finding.attacked.to_string(),
                percent(finding.success),
                if finding.proves { percent(finding.certified_share) } else { "–".to_owned() },
                percent(finding.accuracy_under_attack),
                finding.questions.map_or_else(|| "–".to_owned(), |spread| format!("{:.1}", spread.mean)),
            ]
        })
        .collect();
    let head = ["attack", "texts", "broken, %", "certified, %", "accuracy under attack, %", "questions a text"];
    ui::note(&format!(
        "\n{}: accuracy before is {}\n{}",
        ui::bold("Under attack, the first samples"),
        in_text(first.finding.accuracy_before),
        table(&head, &rows)
    ));
    let asked = |run: &AttackRun| run.finding.questions.map_or(0.0, |spread| spread.mean * run.finding.attacked as f64);
    let asked = counted(runs.iter().map(asked).sum::<f64>().round() as usize, "question");
    ui::note(&format!("the attacks asked {asked} about these texts, which are not among those of the run"));
}

/// What the attacks say, in sentences: the one that breaks most, and what is proved.
pub fn in_words(runs: &[AttackRun]) -> Vec<String> {
    let mut words = Vec::new();
    let strongest = runs.iter().filter_map(|run| Some((&run.finding, run.finding.success?)));
    if let Some((finding, success)) = strongest.reduce(|a, b| if b.1.value > a.1.value { b } else { a }) {
        words.push(format!(
            "Of {} attacks {} breaks most: {} of {} texts that the model answers correctly. Whether a reader would still \
             give the old label was not checked: read the broken texts in the report.",
            runs.len(),
            finding.name,
            in_text(Some(success)),
            finding.attacked,
        ));
    }
    for finding in runs.iter().map(|run| &run.finding).filter(|finding| finding.proves && finding.attacked > 0) {
        words.push(format!(
            "For {} of these texts {} proves that no change that it may make flips the answer.",
            in_text(finding.certified_share),
            finding.name,
        ));
    }
    words
}

fn in_text(share: Option<Estimate>) -> String {
    let shown = |e: Estimate| format!("{:.1} % ({:.1} to {:.1})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
    share.map_or_else(|| "not measured".to_owned(), shown)
}

fn percent(share: Option<Estimate>) -> String {
    let shown = |e: Estimate| format!("{:.1} ({:.1} to {:.1})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
    share.map_or_else(|| "not measured".to_owned(), shown)
}
