//! `fissure repair`: calibrate, reject, mitigate, train on nonsense, augment, certify, and mine a test set.

mod augment;
mod certify;
mod mitigate;
mod testset;

use std::path::Path;
use std::sync::Arc;

use fissure_core::counted;
use fissure_models::encoder::FineTuneOptions;
use fissure_models::train::{Progress as Step, TrainOptions};
use fissure_repair::calibrate::{FILE, Stated, calibrate};
use fissure_repair::train_on_destroyed::compare;
use fissure_repair::{FoundAttacks, LabelledSet, Trainer};
use fissure_statistics::Estimate;

use crate::args::{CalibrateArgs, NonsenseArgs, Repair, TrainerArgs};
use crate::commands::experiment::{show, write_found};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};
use fissure_kit::attacks;
use fissure_kit::outputs::Inputs;
use fissure_kit::remote::Asking;

use fissure_kit::sets::halves;
pub use fissure_kit::sets::{known, training_sets, warn_of_shared};
pub use mitigate::cells as mitigation_table;

pub fn run(repair: &Repair, ui: Ui) -> Result<()> {
    match repair {
        Repair::Calibrate(args) => run_calibrate(args, ui),
        Repair::Threshold(args) => mitigate::run_threshold(args, ui),
        Repair::Mitigate(args) => mitigate::run(args, ui),
        Repair::Nonsense(args) => run_nonsense(args, ui),
        Repair::Augment(args) => augment::run(args, ui),
        Repair::Certify(args) => certify::run(args, ui),
        Repair::Testset(args) => testset::run(args, ui),
    }
}

fn run_calibrate(args: &CalibrateArgs, ui: Ui) -> Result<()> {
    let beside = || Some(Path::new(&args.model).join(FILE)).filter(|_| Path::new(&args.model).is_dir());
    let out = args.out.clone().or_else(beside);
    // The model's own folder is the place for its calibration, and for no other file.
    let is_beside = out.as_deref().and_then(Path::file_name).is_some_and(|name| name == FILE);
    let inputs =
        Inputs::of(&args.data).and(&args.test).and(Some(&args.model).filter(|_| !is_beside)).and(&args.remote.prompt);
    inputs.check(out.as_deref(), args.force.existing())?;
    let asking = Asking::uncalibrated(&args.model, &args.data, &args.remote.settings(), None)?;
    let model = Arc::clone(&asking.model);
    let (fit, test) = halves(&args.data, &args.test, &*model, &args.labels, args.seed)?;
    let progress = ui::question_progress(&asking, Some((fit.len() + test.len()) as u64));
    let mut found = calibrate(&*model, &fit, &test, args.seed)?;
    progress.finish();
    found.weights = Some(Path::new(&args.model))
        .filter(|directory| directory.is_dir())
        .map(fissure_ask::weights_checksum)
        .transpose()
        .map_err(fissure_kit::Error::from)?;
    ui::end_asking(&asking, args.remote.patience.price, ui)?;
    match &out {
        Some(path) => write_found(Some(path), &found, args.force)?,
        None => ui::note("the model is not a directory, so nothing was saved: give --out FILE"),
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
        "temperature {:.3}, fitted on {} samples; measured on {}:",
        found.temperature, found.fitted_on, found.measured_on
    ));
    let head = ["", "calibration error (95 % interval)", "accuracy", "mean confidence", "log loss"];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))?;
    if found.after.loss >= found.before.loss {
        ui::note(&match &out {
            Some(path) => format!(
                "the temperature does not help on these data: their log loss does not fall. The model is used with it all the same \
                 until {} is removed",
                path.display()
            ),
            None => "the temperature does not help on these data: their log loss does not fall".to_owned(),
        });
    }
    Ok(())
}

fn run_nonsense(args: &NonsenseArgs, ui: Ui) -> Result<()> {
    let (labels, training, test) = training_sets(&args.data, &args.test)?;
    warn_of_shared(&training, &test);
    let trainer = trainer(&args.trainer_args)?;
    let found = compare(&trainer, &labels, &training, &test, &args.destroyer, args.trainer_args.seed, &mut watching())?;
    if ui.json {
        return show(ui, &found, String::new);
    }
    let rows = [
        vec!["the original texts".to_owned(), estimate(&found.original, 100.0)],
        vec![format!("the same texts after {}", found.destroyer), estimate(&found.destroyed, 100.0)],
    ];
    ui::note(&format!("{}; {} texts; McNemar's p = {:.2e}", trainer.name(), training.len(), found.p));
    let head = ["trained on", "accuracy on valid data, %"];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))
}

/// The attacks that a run found.
fn found_attacks(folder: &Path) -> Result<FoundAttacks> {
    let run = attacks::read_run(folder)?;
    let found = FoundAttacks::new(&run.finding.name, attacks::read_records(&folder.join(attacks::ATTACKS_FILE))?);
    if found.is_empty() {
        return Err(Error::NothingBroke { run: folder.display().to_string() });
    }
    Ok(found)
}

/// Refuses attacks on other texts: nothing would be taken from them.
fn check_on(found: &FoundAttacks, folder: &Path, set: &LabelledSet, files: &[String]) -> Result<()> {
    if found.count_on(&set.samples) > 0 {
        return Ok(());
    }
    Err(Error::OtherTexts {
        broken: counted(found.len(), "text"),
        run: folder.display().to_string(),
        data: files.join(" "),
        attacked: attacks::read_run(folder)?.data.join(" "),
    })
}

/// How the user wants models to be trained.
pub fn trainer(trainer_args: &TrainerArgs) -> Result<Trainer> {
    let trainer = match &trainer_args.from {
        Some(start) => {
            let options = FineTuneOptions { seed: trainer_args.seed, ..FineTuneOptions::default() };
            Trainer::Encoder { start: start.clone(), options, home: None }
        }
        None => {
            Trainer::Small(TrainOptions { seed: trainer_args.seed, ..TrainOptions::new(trainer_args.arch.parse()?) })
        }
    };
    Ok(overruled(trainer, trainer_args))
}

/// The same trainer, with what the user wants otherwise.
fn overruled(mut trainer: Trainer, trainer_args: &TrainerArgs) -> Trainer {
    fn set<T: Copy>(option: &mut T, given: Option<T>) {
        *option = given.unwrap_or(*option);
    }
    match &mut trainer {
        Trainer::Small(options) => {
            set(&mut options.epochs, trainer_args.epochs);
            set(&mut options.rate, trainer_args.rate);
            set(&mut options.max_words, trainer_args.max_length);
        }
        Trainer::Encoder { options, .. } => {
            set(&mut options.epochs, trainer_args.epochs);
            set(&mut options.rate, trainer_args.rate);
            set(&mut options.max_length, trainer_args.max_length);
            options.frozen_layers = trainer_args.frozen_layers.or(options.frozen_layers);
        }
    }
    trainer
}

/// Shows what is being trained: its batches as they are done, and a line at the end of each epoch.
pub fn watching() -> impl FnMut(&str, &Step) {
    let mut shown: Option<(String, usize, Progress)> = None;
    move |name: &str, step: &Step| {
        let Step { epoch, epochs, batch, batches, .. } = *step;
        let done = epoch.saturating_sub(1) * batches + batch;
        let (all, model) = ((epochs * batches) as u64, name.to_owned());
        // Another model, or the same once more, starts again.
        if shown.as_ref().is_none_or(|(of, before, _)| *of != model || done < *before) {
            shown = Some((model, 0, Progress::new("batches of training", Some(all))));
        }
        if let Some((_, before, progress)) = &mut shown {
            progress.add((done - *before) as u64);
            *before = done;
        }
        if let Some(held_out) = step.validation {
            ui::note(&format!("  {name}: epoch {epoch} of {epochs}, held-out accuracy {:.4}", held_out.accuracy));
        }
        if epoch == epochs && batch == batches {
            shown = None;
        }
    }
}

/// `0.812 (0.801 to 0.823)`, times a factor (100 for per cent).
pub fn estimate(found: &Estimate, factor: f64) -> String {
    let digits = if factor > 1.0 { 1 } else { 3 };
    let [value, low, high] = [found.value, found.low, found.high].map(|number| format!("{:.digits$}", number * factor));
    format!("{value} ({low} to {high})")
}
