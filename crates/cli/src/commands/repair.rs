//! `fissure repair`: calibrate, reject, mitigate, train on nonsense, augment, and mine a test set.

mod augment;
mod mitigate;
mod sets;
mod testset;

use std::path::Path;

use fissure_models::encoder::FineTuneOptions;
use fissure_models::train::{Progress as Step, TrainOptions};
use fissure_repair::School;
use fissure_repair::calibrate::{FILE, Stated, calibrate};
use fissure_repair::nonsense::compare;
use fissure_statistics::Estimate;

use crate::args::{CalibrateArgs, NonsenseArgs, Pupil, Repair};
use crate::commands::experiment::{show, write_found};
use crate::commands::outputs::Inputs;
use crate::commands::remote;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

pub use mitigate::cells as mitigation_table;
use sets::halves;
pub use sets::{known, learnt};

pub fn run(repair: &Repair, ui: Ui) -> Result<()> {
    match repair {
        Repair::Calibrate(args) => run_calibrate(args, ui),
        Repair::Threshold(args) => mitigate::run_threshold(args, ui),
        Repair::Mitigate(args) => mitigate::run(args, ui),
        Repair::Nonsense(args) => run_nonsense(args, ui),
        Repair::Augment(args) => augment::run(args, ui),
        Repair::Testset(args) => testset::run(args, ui),
    }
}

fn run_calibrate(args: &CalibrateArgs, ui: Ui) -> Result<()> {
    let beside = || Some(Path::new(&args.model).join(FILE)).filter(|_| Path::new(&args.model).is_dir());
    let out = args.out.clone().or_else(beside);
    let inputs = Inputs::of(&args.data).and(&args.test);
    inputs.check(out.as_deref(), args.force.existing())?;
    let model = remote::uncalibrated(&args.model, &args.data.task, &args.remote)?;
    let (fit, test) = halves(&args.data, &args.test, &*model, &args.labels, args.seed, ui)?;
    let busy = ui::busy("fitting the temperature");
    let found = calibrate(&*model, &fit, &test, args.seed)?;
    drop(busy);
    match &out {
        Some(path) => write_found(Some(path), &found, args.force)?,
        None => ui::note("the model is no directory, so nothing was saved: give --out FILE"),
    }
    if ui.json {
        return show(ui, &found, String::new);
    }
    let row = |name: &str, stated: &Stated| {
        let numbers = [stated.accuracy, stated.confidence, stated.loss].map(|number| format!("{number:.4}"));
        [vec![name.to_owned(), estimate(&stated.ece, 1.0)], numbers.to_vec()].concat()
    };
    let rows = [row("before", &found.before), row("after", &found.after)];
    ui::note(&format!(
        "temperature {:.3}, fitted on {} samples; measured on {} others:",
        found.temperature, found.fitted_on, found.measured_on
    ));
    let head = ["", "calibration error (95 % interval)", "accuracy", "mean confidence", "log loss"];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))
}

fn run_nonsense(args: &NonsenseArgs, ui: Ui) -> Result<()> {
    let (labels, training, test) = learnt(&args.data, &args.test)?;
    let school = school(&args.pupil)?;
    let busy = ui::busy("training on nonsense");
    let found = compare(&school, &labels, &training, &test, &args.destroyer, args.pupil.seed, &mut watch)?;
    drop(busy);
    if ui.json {
        return show(ui, &found, String::new);
    }
    let rows = [
        vec!["the texts as they are".to_owned(), estimate(&found.original, 100.0)],
        vec![format!("the same texts after {}", found.destroyer), estimate(&found.destroyed, 100.0)],
    ];
    ui::note(&format!("{}; {} texts; McNemar's p = {:.2e}", school.name(), training.len(), found.p));
    let head = ["trained on", "accuracy on valid data, %"];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))
}

/// How the user wants models to be trained.
pub fn school(pupil: &Pupil) -> Result<School> {
    let school = match &pupil.from {
        Some(start) => {
            let options = FineTuneOptions { seed: pupil.seed, ..FineTuneOptions::default() };
            School::Encoder { start: start.clone(), options, home: None }
        }
        None => School::Small(TrainOptions { seed: pupil.seed, ..TrainOptions::new(pupil.arch.parse()?) }),
    };
    Ok(overruled(school, pupil))
}

/// The same school, with what the user wants otherwise.
fn overruled(mut school: School, pupil: &Pupil) -> School {
    fn set<T: Copy>(option: &mut T, given: Option<T>) {
        *option = given.unwrap_or(*option);
    }
    match &mut school {
        School::Small(options) => {
            set(&mut options.epochs, pupil.epochs);
            set(&mut options.rate, pupil.rate);
            set(&mut options.max_words, pupil.max_length);
        }
        School::Encoder { options, .. } => {
            set(&mut options.epochs, pupil.epochs);
            set(&mut options.rate, pupil.rate);
            set(&mut options.max_length, pupil.max_length);
            options.frozen_layers = pupil.frozen_layers.or(options.frozen_layers);
        }
    }
    school
}

/// Says what is being trained, at the end of each epoch.
pub fn watch(name: &str, step: &Step) {
    if let Some(held_out) = step.validation {
        let Step { epoch, epochs, .. } = step;
        ui::note(&format!("  {name}: epoch {epoch} of {epochs}, held-out accuracy {:.4}", held_out.accuracy));
    }
}

/// `0.812 (0.801 to 0.823)`, times a factor (100 for per cent).
pub fn estimate(found: &Estimate, factor: f64) -> String {
    let digits = if factor > 1.0 { 1 } else { 3 };
    let [value, low, high] = [found.value, found.low, found.high].map(|number| format!("{:.digits$}", number * factor));
    format!("{value} ({low} to {high})")
}
