//! `fissure repair mitigate`, and `fissure repair threshold`, which is the part of it that needs no training.

use std::path::Path;
use std::sync::Arc;

use fissure_models::Model;
use fissure_models::remote::is_remote;
use fissure_repair::mitigate::{MitigateOptions, Mitigation, Threshold, Transfer, mitigate, threshold, transfer};
use fissure_repair::{LabelledSet, NAMES, Trained, Trainer};
use fissure_statistics::Estimate;
use serde_json::json;

use super::{estimate, known, overruled, trainer, training_sets, warn_of_shared, watching};
use crate::args::{MitigateArgs, ThresholdArgs};
use crate::commands::experiment::{show, write_found};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes;
use fissure_kit::outputs::{self, Inputs};
use fissure_kit::remote::Asking;
use fissure_kit::sets::halves;

/// The models that are saved.
const SAVED: [&str; 3] = ["baseline", "entropy", "invalid"];

pub fn run(args: &MitigateArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and(&args.test).and(&args.model).and_paths(args.trainer_args.from.as_deref());
    inputs.check(args.out.as_deref(), args.force.existing())?;
    for name in SAVED.iter().filter(|_| args.save.is_some()) {
        let folder = args.save.as_deref().unwrap_or(Path::new(".")).join(name);
        inputs.refuse([&*folder])?;
        // Said now, not after the training.
        drop(outputs::model_folder(&folder, args.force.existing())?);
    }
    let Start { trainer, baseline, labels, training, test } = start(args)?;
    let options = MitigateOptions {
        baseline,
        destroyers: named(&args.destroyers),
        weights: args.weights.clone(),
        per_valid: args.per_valid,
        seed: args.trainer_args.seed,
        ..Default::default()
    };
    let found = mitigate(&trainer, &labels, &training, &test, &options, &mut watching())?;
    if let Some(folder) = &args.save {
        for (name, model) in &found.models {
            let folder = outputs::model_folder(&folder.join(name), args.force.existing())?;
            model.save(folder.path())?;
            folder.finish()?;
        }
    }
    let moved = match args.transfer && found.learned() {
        true => transfer(&trainer, &labels, &training, &test, &options, &mut watching())?,
        false => Vec::new(),
    };
    let model = args.model.clone().unwrap_or_else(|| trainer.name());
    let both = json!({ "model": model, "mitigation": found, "transfer": moved, "verdict": found.verdict() });
    write_found(args.out.as_deref(), &both, args.force)?;
    if ui.json {
        return show(ui, &both, String::new);
    }
    ui::note(&format!("{model}; {} training and {} test samples", training.len(), test.len()));
    let text = format!("{}\n{}", shown(&found), shown_transfer(&moved));
    ui::print(&text).map_err(Error::writing("standard output"))
}

/// What mitigation starts from.
struct Start {
    trainer: Trainer,
    /// The user's model, if there is one.
    baseline: Option<Trained>,
    labels: Vec<String>,
    training: LabelledSet,
    test: LabelledSet,
}

fn start(args: &MitigateArgs) -> Result<Start> {
    let Some(name) = &args.model else {
        let (labels, training, test) = training_sets(&args.data, &args.test)?;
        warn_of_shared(&training, &test);
        return Ok(Start { trainer: trainer(&args.trainer_args)?, baseline: None, labels, training, test });
    };
    if is_remote(name) {
        return Err(Error::NoGradients { model: name.clone() });
    }
    let directory = classes::model_directory(name)?;
    let model: Arc<dyn Model> = classes::model(name)?.into();
    let training = known(&args.data, &args.data.files, &*model, &args.labels)?;
    let test = known(&args.data.unlimited(), &args.test, &*model, &args.labels)?;
    warn_of_shared(&training, &test);
    ui::note(
        "thresholds are tuned on a tenth of --data: give data that the model was not trained on, or they are too high",
    );
    let trainer = overruled(Trainer::like(&directory, args.trainer_args.seed)?, &args.trainer_args);
    let labels = model.capabilities().labels.clone();
    Ok(Start { trainer, baseline: Some(Trained::Opened(model, directory)), labels, training, test })
}

pub fn run_threshold(args: &ThresholdArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and(&args.test).and([&args.model]).and(&args.remote.prompt);
    inputs.check(args.out.as_deref(), args.force.existing())?;
    let asking = Asking::uncalibrated(&args.model, &args.data, &args.remote.settings(), None)?;
    let model = Arc::clone(&asking.model);
    let (tune, test) = halves(&args.data, &args.test, &*model, &args.labels, args.seed)?;
    let options = MitigateOptions { destroyers: named(&args.destroyers), seed: args.seed, ..Default::default() };
    let forms = 1 + options.destroyers.len();
    let progress = ui::question_progress(&asking, Some(((tune.len() + test.len()) * forms) as u64));
    let found = threshold(&model, &tune, &test, &options)?;
    progress.finish();
    ui::end_asking(&asking, args.remote.patience.price, ui)?;
    write_found(args.out.as_deref(), &found, args.force)?;
    if ui.json {
        return show(ui, &found, String::new);
    }
    if let Some(Threshold { temperature, least, .. }) = found.rows.first().and_then(|row| row.threshold) {
        ui::note(&format!(
            "tuned on {} samples: temperature {temperature:.3}, then nothing below a probability of {least:.3}",
            tune.len()
        ));
    }
    ui::print(&shown(&found)).map_err(Error::writing("standard output"))
}

fn named(destroyers: &[String]) -> Vec<String> {
    if destroyers.is_empty() { NAMES.map(str::to_owned).to_vec() } else { destroyers.to_vec() }
}

fn shown(found: &Mitigation) -> String {
    if found.rows.is_empty() {
        return format!("{}\n", found.verdict());
    }
    let (head, rows) = cells(found);
    let by_destroyer = found.rows.iter().flat_map(|row| &row.by_destroyer).map(|(_, share)| share);
    format!(
        "{}\n{}\n{}\n",
        table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows),
        how_sure(by_destroyer),
        found.verdict()
    )
}

/// A line below a table whose columns are too many for an interval in each cell: the widest of them.
fn how_sure<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> String {
    let reach = |found: &Estimate| (found.high - found.value).max(found.value - found.low);
    let widest = estimates.map(reach).fold(0.0, f64::max);
    format!(" where a cell has no interval, 95 % intervals reach at most {:.1} to either side\n", 100.0 * widest)
}

/// As the paper's Table 12, with intervals, and a column for each destroyer.
pub fn cells(found: &Mitigation) -> (Vec<String>, Vec<Vec<String>>) {
    let own = ["", "right and kept, %", "nonsense recognised, %", "valid rejected, %"].map(str::to_owned);
    let head = own.into_iter().chain(found.destroyed.iter().map(|(name, _)| name.clone())).collect();
    let blank = |count: usize| vec![String::new(); count];
    let majority = format!("{:.1}", 100.0 * found.majority);
    let columns = found.destroyed.len();
    let mut rows = vec![
        [vec!["the most frequent label".to_owned(), majority], blank(2 + columns)].concat(),
        [vec!["before".to_owned(), estimate(&found.baseline, 100.0)], blank(2 + columns)].concat(),
    ];
    for row in &found.rows {
        let mut cells = vec![
            row.way.name().to_owned(),
            estimate(&row.accuracy, 100.0),
            estimate(&row.recognised, 100.0),
            estimate(&row.rejected, 100.0),
        ];
        cells.extend(found.destroyed.iter().map(|(name, _)| {
            let share = row.by_destroyer.iter().find(|(other, _)| other == name);
            share.map_or_else(|| "-".into(), |(_, share)| format!("{:.1}", 100.0 * share.value))
        }));
        rows.push(cells);
    }
    (head, rows)
}

fn shown_transfer(rows: &[Transfer]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut head = vec!["taught with", "right, %"];
    head.extend(first.recognised.iter().map(|(name, _)| name.as_str()));
    let cells = |row: &Transfer| {
        let mut cells = vec![row.taught.clone(), format!("{:.1}", 100.0 * row.accuracy.value)];
        cells.extend(row.recognised.iter().map(|(_, share)| format!("{:.1}", 100.0 * share.value)));
        cells
    };
    let estimates = rows.iter().flat_map(|row| row.recognised.iter().map(|(_, share)| share).chain([&row.accuracy]));
    format!("\n{}\n{}", table(&head, &rows.iter().map(cells).collect::<Vec<_>>()), how_sure(estimates))
}
