//! `fissure train`: trains a small model on a data set, or fine-tunes an encoder.

use std::path::Path;

use fissure_ask::Sees;
use fissure_data::Task;
use fissure_evaluate::LabelError;
use fissure_models::WordCut;
use fissure_models::encoder::{FineTuneOptions, FineTuned, Reading, fine_tune, fine_tune_reader, fine_tune_tagger};
use fissure_models::tagging::TaggedText;
use fissure_models::train::{
    Architecture, Example, HeldOut, Loss, Optimizer, Progress as Step, TrainOptions, Trained, TrainedTagger, train,
    train_tagger,
};
use fissure_settings::LabelMapping;
use fissure_statistics::proportion;
use serde_json::json;

use crate::args;
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes::Labelled;
use fissure_kit::lessons::{self, Lessons};
use fissure_kit::outputs::{self, Inputs};
use fissure_kit::{data, labels, stop};

pub fn run(args: &args::Train, ui: Ui) -> Result<()> {
    let read = args.from.as_deref().into_iter().chain(args.vectors.as_deref());
    Inputs::of(&args.data).and_paths(read).refuse([&*args.out])?;
    let folder = outputs::model_folder(&args.out, args.force.existing())?;
    let task = data::task(&args.data)?;
    let sees = args.no_aspect.then_some(Sees::Texts);
    if args.no_aspect && Sees::of(task) != Some(Sees::Aspect) {
        return Err(Error::NoAspect { task: task.name() });
    }
    let lessons = lessons::lessons(&args.data, task, sees)?;
    stop::say_and_remove(
        format!("stopped: no model was written to {}; training cannot be continued", args.out.display()),
        Some(folder.path().to_owned()),
    );
    if args.refit && !matches!(lessons, Lessons::Classes(_)) {
        return Err(Error::NoRefit);
    }
    let mut watch = Watch::default();
    let mut on_step = |step: &Step| watch.see(step);
    let ended = match lessons {
        Lessons::Classes(data) => classes(args, task, data, folder.path(), &mut on_step)?,
        Lessons::Tags { texts, labels } => tags(args, &texts, labels, folder.path(), &mut on_step)?,
        Lessons::Readings(readings) => readings_of(args, &readings, folder.path(), &mut on_step)?,
    };
    if let Some(sees) = sees {
        sees.write(folder.path())?;
    }
    folder.finish()?;
    watch.finish();
    summary(&ended, &args.out, ui)
}

/// What training came to.
struct Ended {
    examples: usize,
    labels: Vec<String>,
    epochs: Vec<Step>,
    best: usize,
    held_out: Option<HeldOut>,
    /// Whether the model was then trained on all examples.
    refit: bool,
}

impl Ended {
    fn tuned<M>(examples: usize, labels: Vec<String>, tuned: FineTuned<M>) -> (Self, M) {
        let FineTuned { model, epochs, best_epoch: best, held_out } = tuned;
        (Self { examples, labels, epochs, best, held_out, refit: false }, model)
    }
}

/// A classifier of texts, pairs or marked words.
fn classes(
    args: &args::Train,
    task: &'static Task,
    mut data: Labelled,
    folder: &Path,
    on_step: &mut dyn FnMut(&Step),
) -> Result<Ended> {
    if let [label] = data.labels.as_slice() {
        return Err(Error::OneLabel { label: label.clone(), samples: data.examples.len() });
    }
    if data.labels.len() > MANY_LABELS && 2 * data.labels.len() > data.examples.len() {
        let first = ui::shortened_to(60, &data.labels[0]);
        return Err(Error::LabelsLikeTexts { values: data.labels.len(), samples: data.examples.len(), first });
    }
    if let Some(encoder) = args.from.as_ref().filter(|_| lessons::has_own_class(task)) {
        keep_labels(&mut data, encoder, &args.labels)?;
    }
    let Labelled { examples, labels, .. } = data;
    match &args.from {
        Some(encoder) => {
            let tuned = fine_tune(encoder, &examples, &labels, &fine_tune_options(args), on_step)?;
            let (ended, model) = Ended::tuned(examples.len(), labels, tuned);
            model.save(folder)?;
            Ok(ended)
        }
        None => {
            let options = TrainOptions { cut: Some(word_cut(&examples)), ..train_options(args, Architecture::Cnn)? };
            let trained = train(&examples, &labels, &options, on_step)?;
            trained.model.save(folder)?;
            let Trained { epochs, best_epoch: best, held_out, .. } = trained;
            let refit = options.refit && held_out.is_some();
            Ok(Ended { examples: examples.len(), labels, epochs, best, held_out, refit })
        }
    }
}

/// Labels from which on a column with few samples for each is taken for a column of texts or ids.
const MANY_LABELS: usize = 20;

/// How the texts are cut into words; a choice that is not the usual one is reported.
fn word_cut(examples: &[Example]) -> WordCut {
    let texts = examples.iter().flat_map(|example| [Some(example.text.as_str()), example.pair.as_deref()]).flatten();
    let cut = WordCut::for_texts(texts);
    if let Some(name) = cut.name() {
        ui::note(&format!(
            "most texts are Chinese or Japanese: each character is a word for the model (\"words\": \"{name}\")"
        ));
    }
    cut
}

/// A tagger of tokens.
fn tags(
    args: &args::Train,
    texts: &[TaggedText],
    labels: Vec<String>,
    folder: &Path,
    on_step: &mut dyn FnMut(&Step),
) -> Result<Ended> {
    if let [label] = labels.as_slice() {
        return Err(Error::OneLabel { label: label.clone(), samples: texts.len() });
    }
    if let Some(encoder) = &args.from {
        let tuned = fine_tune_tagger(encoder, texts, &labels, &fine_tune_options(args), on_step)?;
        let (ended, model) = Ended::tuned(texts.len(), labels, tuned);
        model.save(folder)?;
        return Ok(ended);
    }
    let mut options = train_options(args, Architecture::BiLstm)?;
    options.batch = args.batch.unwrap_or(TAGGER_BATCH);
    if options.architecture != Architecture::BiLstm {
        return Err(Error::NoTagger { architecture: options.architecture.name() });
    }
    let trained = train_tagger(texts, &labels, &options, on_step)?;
    trained.model.save(folder)?;
    let TrainedTagger { epochs, best_epoch: best, held_out, .. } = trained;
    Ok(Ended { examples: texts.len(), labels, epochs, best, held_out, refit: false })
}

/// A reader of passages.
fn readings_of(
    args: &args::Train,
    readings: &[Reading],
    folder: &Path,
    on_step: &mut dyn FnMut(&Step),
) -> Result<Ended> {
    let encoder = args.from.as_ref().ok_or(Error::NeedsEncoder)?;
    let mut options = fine_tune_options(args);
    // Passages are long, and an answer behind what is read cannot be learned.
    options.max_length = args.max_length.unwrap_or(READING_LENGTH);
    let tuned = fine_tune_reader(encoder, readings, &options, on_step)?;
    let (ended, model) = Ended::tuned(readings.len(), vec!["no answer".to_owned()], tuned);
    model.save(folder)?;
    Ok(ended)
}

/// Texts in a batch of a tagger: every token is an example, and tagged data are few.
const TAGGER_BATCH: usize = 16;

/// Pieces of question and passage that a reader sees in training, as in BERT's paper.
const READING_LENGTH: usize = 384;

/// A classifier that is trained further keeps its labels, where those of the data are the same under other names; else its
/// head starts again.
fn keep_labels(data: &mut Labelled, encoder: &Path, given: &LabelMapping) -> Result<()> {
    // An encoder without a head has no labels, and labels that only count are no names.
    let Ok(model) = fissure_models::open(encoder) else { return Ok(()) };
    let known = &model.capabilities().labels;
    if known.iter().any(|label| label.starts_with("LABEL_")) {
        return Ok(());
    }
    let map = match labels::matched(&*model, &data.survey, given) {
        Err(fissure_kit::Error::Labels(LabelError::Unknown { .. })) if given.label_map.is_empty() => {
            let known = known.join(", ");
            ui::note(&format!(
                "the labels of the data are not those of {} ({known}): its head is trained from scratch",
                encoder.display()
            ));
            return Ok(());
        }
        map => map?,
    };
    labels::announce("the data", &map);
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

fn train_options(args: &args::Train, usual: Architecture) -> Result<TrainOptions> {
    let architecture = args.arch.as_ref().map(|name| name.parse::<Architecture>()).transpose()?;
    let mut options = TrainOptions::new(architecture.unwrap_or(usual));
    options.seed = args.seed;
    options.vectors.clone_from(&args.vectors);
    options.loss = loss(args);
    set(&mut options.epochs, args.epochs);
    set(&mut options.batch, args.batch);
    set(&mut options.rate, args.rate);
    set(&mut options.dropout, args.dropout);
    options.refit |= args.refit;
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

fn summary(ended: &Ended, out: &Path, ui: Ui) -> Result<()> {
    let Ended { examples, labels, epochs, best, held_out: most_frequent, refit } = ended;
    let (best, most_frequent) = (*best, *most_frequent);
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
            "model": out, "examples": examples, "labels": labels, "epochs": epochs.len(), "best_epoch": best,
            "validation_accuracy": held_out.map(|v| v.accuracy), "validation_loss": held_out.map(|v| v.loss),
            "most_frequent_label": most_frequent.map(|m| &labels[m.most_frequent]),
            "most_frequent_label_accuracy": most_frequent.map(|m| m.accuracy), "no_better": no_better,
            "refit": refit,
        });
        return ui::print(&format!("{summary}\n")).map_err(Error::writing("standard output"));
    }
    let accuracy = held_out.map_or_else(|| "not measured".into(), |v| format!("{:.4}", v.accuracy));
    let baseline = most_frequent
        .map_or_else(|| "not measured".into(), |m| format!("{:.4} (`{}`)", m.accuracy, labels[m.most_frequent]));
    let row = vec![examples.to_string(), labels.join(" "), best.to_string(), accuracy, baseline];
    let head = ["examples", "labels", "best epoch", "held-out accuracy", "most frequent label"];
    ui::note(&table(&head, &[row]));
    if *refit {
        ui::note(&format!(
            "trained once more on all {examples} examples for {best} epochs; the held-out accuracy is that of the model before"
        ));
    }
    if no_better {
        ui::note("the model is no better than always answering the most frequent label: train on more data, or longer");
    }
    ui::print(&format!("{}\n", out.display())).map_err(Error::writing("standard output"))
}
