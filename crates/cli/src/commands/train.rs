//! `fissure train`: a model of our own from a data set, or an encoder fine-tuned on it.

use std::path::Path;

use fissure_evaluate::LabelError;
use fissure_models::encoder::{FineTuneOptions, fine_tune};
use fissure_models::train::{Architecture, Example, HeldOut, Loss, Optimizer, Progress as Step, TrainOptions, train};
use fissure_statistics::proportion;
use serde_json::json;

use crate::args;
use crate::commands::examples::{self, Labelled};
use crate::commands::outputs::{self, Inputs};
use crate::commands::{data, labels};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};

pub fn run(args: &args::Train, ui: Ui) -> Result<()> {
    let read = args.from.as_deref().into_iter().chain(args.vectors.as_deref());
    Inputs::of(&args.data).and_paths(read).refuse([&*args.out])?;
    let folder = outputs::model_folder(&args.out, args.force.existing())?;
    let layout = data::task(&args.data)?;
    let mut data = examples::labelled(&args.data, layout)?;
    if let [label] = data.labels.as_slice() {
        return Err(Error::OneLabel { label: label.clone(), samples: data.examples.len() });
    }
    if let Some(encoder) = &args.from {
        keep_labels(&mut data, encoder, &args.labels, ui)?;
    }
    let Labelled { examples, labels, .. } = data;
    let mut watch = Watch::default();
    let mut tell = |step: &Step| watch.see(step);
    let (epochs, best, held_out) = match &args.from {
        Some(encoder) => {
            let options = fine_tune_options(args);
            let tuned = fine_tune(encoder, &examples, &labels, &options, &mut tell)?;
            tuned.model.save(folder.path())?;
            (tuned.epochs, tuned.best_epoch, tuned.held_out)
        }
        None => {
            let options = train_options(args)?;
            let trained = train(&examples, &labels, &options, &mut tell)?;
            trained.model.save(folder.path())?;
            (trained.epochs, trained.best_epoch, trained.held_out)
        }
    };
    folder.finish()?;
    watch.finish();
    summary(&examples, &labels, &epochs, best, held_out, &args.out, ui)
}

/// A classifier that is trained further keeps its labels, where those of the data are the same under other names; else its
/// head starts anew.
fn keep_labels(data: &mut Labelled, encoder: &Path, given: &args::Labels, ui: Ui) -> Result<()> {
    // An encoder without a head has no labels, and labels that only count are no names.
    let Ok(model) = fissure_models::open(encoder) else { return Ok(()) };
    let known = &model.offers().labels;
    if known.iter().any(|label| label.starts_with("LABEL_")) {
        return Ok(());
    }
    let map = match labels::matched(&*model, &data.survey, given) {
        Err(Error::Labels(LabelError::Unknown { .. })) if given.label_map.is_empty() => {
            let known = known.join(", ");
            ui::note(&format!(
                "the labels of the data are not those of {} ({known}): its head starts anew",
                encoder.display()
            ));
            return Ok(());
        }
        map => map?,
    };
    labels::tell("the data", &map, ui);
    let classes: Vec<Option<usize>> = data.labels.iter().map(|label| map.index(label)).collect();
    data.examples.retain_mut(|example| match classes[example.label] {
        Some(class) => {
            example.label = class;
            true
        }
        None => false,
    });
    data.labels.clone_from(known);
    Ok(())
}

fn train_options(args: &args::Train) -> Result<TrainOptions> {
    let mut options = TrainOptions::new(args.arch.parse::<Architecture>()?);
    options.seed = args.seed;
    options.vectors.clone_from(&args.vectors);
    options.loss = loss(args);
    set(&mut options.epochs, args.epochs);
    set(&mut options.batch, args.batch);
    set(&mut options.rate, args.rate);
    set(&mut options.dropout, args.dropout);
    set(&mut options.validation, args.validation);
    set(&mut options.patience, args.patience);
    set(&mut options.max_words, args.max_length);
    set(&mut options.words, args.words);
    match args.optimizer {
        None => {}
        Some(args::Optimizer::Adam) => options.optimizer = Optimizer::Adam(Default::default()),
        Some(args::Optimizer::Sgd) => options.optimizer = Optimizer::Sgd,
    }
    Ok(options)
}

fn fine_tune_options(args: &args::Train) -> FineTuneOptions {
    let mut options = FineTuneOptions { seed: args.seed, loss: loss(args), ..FineTuneOptions::default() };
    set(&mut options.epochs, args.epochs);
    set(&mut options.batch, args.batch);
    set(&mut options.rate, args.rate);
    set(&mut options.dropout, args.dropout);
    set(&mut options.validation, args.validation);
    set(&mut options.patience, args.patience);
    set(&mut options.max_length, args.max_length);
    options.frozen_layers = args.frozen_layers;
    options
}

fn loss(args: &args::Train) -> Loss {
    Loss { smoothing: args.label_smoothing, focus: args.focal }
}

/// Puts a value in where the user gave one.
fn set<T: Copy>(option: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *option = given;
    }
}

/// Shows how training goes: a bar for each epoch, and a line at its end.
#[derive(Debug, Default)]
struct Watch {
    bar: Option<Progress>,
}

impl Watch {
    fn see(&mut self, step: &Step) {
        match step.validation {
            None if step.batch < step.batches => {
                let bar = self.bar.get_or_insert_with(|| Progress::new("batches", Some(step.batches as u64)));
                bar.add(1);
            }
            None => {}
            Some(_) => self.finish(),
        }
        if step.validation.is_some() {
            ui::note(&line(step));
        }
    }

    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish();
        }
    }
}

fn line(step: &Step) -> String {
    let Step { epoch, epochs, training, validation, .. } = step;
    let held_out =
        validation.map_or_else(String::new, |v| format!(", held out: loss {:.4}, accuracy {:.4}", v.loss, v.accuracy));
    format!("epoch {epoch}/{epochs}: loss {:.4}, accuracy {:.4}{held_out}", training.loss, training.accuracy)
}

fn summary(
    examples: &[Example],
    labels: &[String],
    epochs: &[Step],
    best: usize,
    most_frequent: Option<HeldOut>,
    out: &Path,
    ui: Ui,
) -> Result<()> {
    let of_best = epochs.get(best.saturating_sub(1));
    let held_out = of_best.and_then(|step| step.validation);
    let no_better = match (held_out, most_frequent) {
        (Some(found), Some(baseline)) => {
            let right = (found.accuracy * baseline.examples as f64).round() as usize;
            proportion(right, baseline.examples).is_some_and(|found| found.low <= baseline.accuracy)
        }
        _ => false,
    };
    if ui.json {
        let summary = json!({
            "model": out, "examples": examples.len(), "labels": labels, "epochs": epochs.len(), "best_epoch": best,
            "validation_accuracy": held_out.map(|v| v.accuracy), "validation_loss": held_out.map(|v| v.loss),
            "most_frequent_label": most_frequent.map(|m| &labels[m.most_frequent]),
            "most_frequent_label_accuracy": most_frequent.map(|m| m.accuracy), "no_better": no_better,
        });
        return ui::print(&format!("{summary}\n")).map_err(Error::writing("standard output"));
    }
    let accuracy = held_out.map_or_else(|| "not measured".into(), |v| format!("{:.4}", v.accuracy));
    let baseline = most_frequent
        .map_or_else(|| "not measured".into(), |m| format!("{:.4} (`{}`)", m.accuracy, labels[m.most_frequent]));
    let row = vec![examples.len().to_string(), labels.join(" "), best.to_string(), accuracy, baseline];
    let head = ["examples", "labels", "best epoch", "held-out accuracy", "most frequent label"];
    ui::note(&table(&head, &[row]));
    if no_better {
        ui::note("the model is no better than always answering the most frequent label: train on more data, or longer");
    }
    ui::print(&format!("{}\n", out.display())).map_err(Error::writing("standard output"))
}
