//! Models on this machine, opened from a directory.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use fissure_core::{Has, Mark, Sample, layer};
use fissure_models::encoder::SpanFinder;
use fissure_models::tagging::{TokenTagger, Tokenised, open_tagger};
use fissure_models::{Answer, Input, Model, WhiteBox};
use fissure_tasks::{Answers, Task, Token, in_order, tokens};
use sha2::{Digest as _, Sha256};

use crate::shown::{Sees, Shown};
use crate::{Error, ModelAbout, Respondent, Response, Result, Unavailable};

/// Where `fissure repair calibrate` leaves a temperature, in the directory of the model.
pub const CALIBRATION: &str = "calibration.json";

/// Whether models on this machine answer a task.
fn answers(task: &Task) -> bool {
    Sees::of(task).is_some() || matches!(task.answers, Answers::TokenTags | Answers::Piece)
}

/// Opens the model in a directory for a task. `name` is what reports call it.
pub fn open_local(name: &str, directory: &Path, task: &'static Task) -> Result<Box<dyn Respondent>> {
    if !answers(task) {
        let known: Vec<&str> = fissure_tasks::ALL.iter().filter(|task| answers(task)).map(|task| task.name()).collect();
        return Err(Error::NoModelForTask { task: task.name(), known: known.join(", ") });
    }
    match Sees::of_model(directory, task)? {
        None if task.answers == Answers::TokenTags => {
            let tagger = open_tagger(directory)?;
            let about = about(name, directory, tagger.labels().to_vec())?;
            Ok(Box::new(LocalTagger { tagger, about }))
        }
        None => {
            let about = about(name, directory, Vec::new())?;
            Ok(Box::new(LocalReader { finder: SpanFinder::open(directory)?, about }))
        }
        Some(sees) => {
            let model: Arc<dyn Model> = fissure_models::open(directory)?.into();
            let classifier = LocalClassifier::new(name, directory, model)?;
            if task.facts.has(Has::Class) {
                return Ok(Box::new(classifier));
            }
            // Gradients are of what the model is shown, which is not the sample's own text.
            let about = ModelAbout { gradients: false, ..classifier.about.clone() };
            Ok(Box::new(LocalMarks { classifier, about, task, sees }))
        }
    }
}

/// A classifier on this machine.
#[derive(Debug)]
pub struct LocalClassifier {
    model: Arc<dyn Model>,
    about: ModelAbout,
    scale: Option<Scale>,
}

/// Makes other probabilities of log-probabilities, with the same answer.
struct Scale(Box<ScaleFn>);

type ScaleFn = dyn Fn(&[f32]) -> Vec<f32> + Send + Sync;

impl fmt::Debug for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scale")
    }
}

impl LocalClassifier {
    /// Answers with `model`, which was opened from `directory`; reports call it `name`.
    pub fn new(name: &str, directory: &Path, model: Arc<dyn Model>) -> Result<Self> {
        let capabilities = model.capabilities();
        let about = ModelAbout {
            probabilities: capabilities.probabilities,
            gradients: capabilities.gradients,
            ..about(name, directory, capabilities.labels.clone())?
        };
        Ok(Self { model, about, scale: None })
    }

    /// With its probabilities scaled. Its gradients stay those of the model itself: no answer depends on the scale.
    pub fn at(self, scale: impl Fn(&[f32]) -> Vec<f32> + Send + Sync + 'static) -> Self {
        Self { scale: Some(Scale(Box::new(scale))), ..self }
    }

    /// Answers with a model that has no directory (yet); `checksum` identifies it.
    pub fn of(name: &str, checksum: Option<String>, model: Arc<dyn Model>) -> Self {
        let capabilities = model.capabilities();
        let about = ModelAbout {
            name: name.into(),
            uncalibrated: checksum.clone(),
            checksum,
            labels: capabilities.labels.clone(),
            probabilities: capabilities.probabilities,
            gradients: capabilities.gradients,
            ..ModelAbout::default()
        };
        Self { model, about, scale: None }
    }
}

impl Respondent for LocalClassifier {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        self.answer(&samples.iter().map(|sample| input(sample)).collect::<Vec<_>>())
    }

    fn inside(&self) -> Option<&dyn WhiteBox> {
        self.model.as_white_box()
    }
}

impl LocalClassifier {
    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let answers = self.model.answer(inputs).map_err(|error| Unavailable(error.to_string()))?;
        let said = |Answer { predicted, log_probs, .. }: Answer| match self.about.labels.get(predicted) {
            Some(label) => {
                let scaled = |log_probs: Vec<f32>| match &self.scale {
                    Some(Scale(scale)) => scale(&log_probs),
                    None => log_probs,
                };
                Ok(Response::predicted(label, predicted, log_probs.map(scaled)))
            }
            None => Err(format!("the model answered with its label number {predicted}, which has no name")),
        };
        Ok(answers.into_iter().map(said).collect())
    }
}

/// The question that a sample puts to a classifier: its first text, and its second if it has one.
pub fn input(sample: &Sample) -> Input<'_> {
    let mut texts = sample.fields.iter().map(|field| field.text.as_str());
    Input { text: texts.next().unwrap_or(""), pair: texts.next() }
}

/// A classifier on this machine that is asked about marked words.
#[derive(Debug)]
struct LocalMarks {
    classifier: LocalClassifier,
    about: ModelAbout,
    task: &'static Task,
    sees: Sees,
}

impl Respondent for LocalMarks {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let shown: Vec<Vec<Shown<'_>>> = samples.iter().map(|sample| self.sees.shown(self.task, sample)).collect();
        let inputs: Vec<Input<'_>> = shown.iter().flatten().map(Shown::input).collect();
        let mut said = self.classifier.answer(&inputs)?.into_iter();
        let one = |shown: Vec<Shown<'_>>| {
            let said: Result<Vec<Response>, String> = said.by_ref().take(shown.len()).collect();
            if self.task.answers == Answers::Class {
                return said?.into_iter().next().ok_or_else(|| "the sample has no question".to_owned());
            }
            Ok(Response::Tags(said?.iter().map(Response::shown).collect()))
        };
        Ok(shown.into_iter().map(one).collect())
    }
}

/// A tagger on this machine.
#[derive(Debug)]
struct LocalTagger {
    tagger: Box<dyn TokenTagger>,
    about: ModelAbout,
}

impl Respondent for LocalTagger {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let cut: Vec<Vec<Token<'_>>> = samples.iter().map(|sample| tokens(sample)).collect();
        let range = |token: &Token<'_>| token.span.start..token.span.end;
        let tokens: Vec<Vec<Range<usize>>> = cut.iter().map(|cut| cut.iter().map(range).collect()).collect();
        let text = |(sample, tokens)| Tokenised { text: input(sample).text, tokens };
        let texts: Vec<Tokenised<'_>> =
            samples.iter().copied().zip(tokens.iter().map(Vec::as_slice)).map(text).collect();
        let tagged = self.tagger.tag_tokens(&texts).map_err(|error| Unavailable(error.to_string()))?;
        let tags = |((sample, cut), tags): ((&&Sample, Vec<Token<'_>>), Vec<Option<usize>>)| {
            // A token that an edit made into several words has the tag of the first; `O` stands where the text was too
            // long for the model to get there.
            let first = |index: usize| cut.iter().position(|token| token.mark == Some(index));
            let tag = |(index, _): &(usize, &Mark)| {
                let label = first(*index).and_then(|at| tags[at]).and_then(|tag| self.tagger.labels().get(tag));
                label.cloned().unwrap_or_else(|| "O".into())
            };
            Ok(Response::Tags(in_order(sample, layer::TOKEN).iter().map(tag).collect()))
        };
        Ok(samples.iter().zip(cut).zip(tagged).map(tags).collect())
    }
}

/// A model on this machine that finds answers in a passage.
#[derive(Debug)]
struct LocalReader {
    finder: SpanFinder,
    about: ModelAbout,
}

impl Respondent for LocalReader {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        fn text<'a>(sample: &'a Sample, name: &str) -> &'a str {
            sample.text(name).map_or("", |text| text.as_str())
        }
        let questions: Vec<(&str, &str)> =
            samples.iter().map(|sample| (text(sample, "question"), text(sample, "context"))).collect();
        let found = self.finder.find(&questions).map_err(|error| Unavailable(error.to_string()))?;
        let answer = |(found, (_, context)): (fissure_models::encoder::FoundSpan, &(&str, &str))| {
            let there = found.log_prob > found.no_answer;
            Ok(Response::Answer(context.get(found.bytes).filter(|_| there).map(str::to_owned)))
        };
        Ok(found.into_iter().zip(&questions).map(answer).collect())
    }
}

fn about(name: &str, directory: &Path, labels: Vec<String>) -> Result<ModelAbout> {
    let (checksum, uncalibrated) = (Some(checksum(directory)?), Some(uncalibrated_checksum(directory)?));
    Ok(ModelAbout { name: name.into(), checksum, uncalibrated, labels, ..ModelAbout::default() })
}

/// SHA-256 of a file, or of the files in a directory, with their names, in the order of the names. Folders in it do not
/// count.
pub fn checksum(path: &Path) -> Result<String> {
    if let Some((_, checksum)) = fissure_models::own::inside(path) {
        return Ok(checksum);
    }
    checksum_of(path, |_| true)
}

/// The same without the calibration.
pub fn uncalibrated_checksum(path: &Path) -> Result<String> {
    if let Some((_, checksum)) = fissure_models::own::inside(path) {
        return Ok(checksum);
    }
    checksum_of(path, |file| !file.ends_with(CALIBRATION))
}

/// SHA-256 of what decides a model's answers: its weights and its configuration. What lies beside them in the directory, such
/// as a calibration, does not count.
pub fn weights_checksum(directory: &Path) -> Result<String> {
    let decides =
        |file: &Path| file.extension().is_some_and(|ending| ending == "safetensors") || file.ends_with("config.json");
    checksum_of(directory, decides)
}

fn checksum_of(path: &Path, counts: impl Fn(&Path) -> bool) -> Result<String> {
    let mut files = Vec::new();
    if path.is_file() {
        files.push(path.to_owned());
    } else {
        for entry in path.read_dir().map_err(io(path))? {
            let path = entry.map_err(io(path))?.path();
            if path.is_file() && counts(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    for path in files {
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        let mut file = File::open(&path).map_err(io(&path))?;
        hash.update(file.metadata().map_err(io(&path))?.len().to_le_bytes());
        loop {
            match file.read(&mut buffer).map_err(io(&path))? {
                0 => break,
                read => hash.update(&buffer[..read]),
            }
        }
    }
    Ok(hex(&hash.finalize()))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { path, source }
}
