//! `fissure train`: a model of our own from a data set, or an encoder fine-tuned on it.

use std::path::Path;

use fissure_models::encoder::{FineTuneOptions, fine_tune};
use fissure_models::train::{Architecture, Example, Loss, Optimizer, Progress as Step, TrainOptions, train};
use serde_json::json;

use crate::args;
use crate::commands::outputs::{self, Inputs};
use crate::commands::{data, examples};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};

pub fn run(args: &args::Train, ui: Ui) -> Result<()> {
    let read = args.from.as_deref().into_iter().chain(args.vectors.as_deref());
    Inputs::of(&args.data).and_paths(read).refuse([&*args.out])?;
    let folder = outputs::model_folder(&args.out, args.force.existing())?;
    let layout = data::layout(&args.data)?;
    let (examples, labels) = examples::labelled(&args.data, layout)?;
    if let [label] = labels.as_slice() {
        return Err(Error::OneLabel { label: label.clone(), samples: examples.len() });
    }
    let mut watch = Watch::default();
    let mut tell = |step: &Step| watch.see(step);
    let (epochs, best) = match &args.from {
        Some(encoder) => {
            let options = fine_tune_options(args);
            let tuned = fine_tune(encoder, &examples, &labels, &options, &mut tell)?;
            tuned.model.save(folder.path())?;
            (tuned.epochs, tuned.best_epoch)
        }
        None => {
            let options = train_options(args)?;
            let trained = train(&examples, &labels, &options, &mut tell)?;
            trained.model.save(folder.path())?;
            (trained.epochs, trained.best_epoch)
        }
    };
    folder.finish()?;
    watch.finish();
    summary(&examples, &labels, &epochs, best, &args.out, ui)
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

fn summary(examples: &[Example], labels: &[String], epochs: &[Step], best: usize, out: &Path, ui: Ui) -> Result<()> {
    let of_best = epochs.get(best.saturating_sub(1));
    let held_out = of_best.and_then(|step| step.validation);
    if ui.json {
        let summary = json!({
            "model": out, "examples": examples.len(), "labels": labels, "epochs": epochs.len(), "best_epoch": best,
            "validation_accuracy": held_out.map(|v| v.accuracy), "validation_loss": held_out.map(|v| v.loss),
        });
        return ui::print(&format!("{summary}\n")).map_err(Error::writing("standard output"));
    }
    let accuracy = held_out.map_or_else(|| "not measured".into(), |v| format!("{:.4}", v.accuracy));
    let row = vec![examples.len().to_string(), labels.join(" "), best.to_string(), accuracy];
    ui::note(&table(&["examples", "labels", "best epoch", "held-out accuracy"], &[row]));
    ui::print(&format!("{}\n", out.display())).map_err(Error::writing("standard output"))
}
