//! Models on this machine, opened from a directory.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use fissure_core::{Has, Mark, Sample, layer};
use fissure_models::encoder::{SpanFinder, TaggedPiece, Tagger};
use fissure_models::{Answer, Input, Model, WhiteBox};
use fissure_tasks::{Answers, Task};
use sha2::{Digest as _, Sha256};

use crate::{Error, Gone, ModelAbout, Respondent, Response, Result};

/// Whether models on this machine answer a task. A class must be about the texts as a whole: they see no marks.
fn answers(task: &Task) -> bool {
    match task.answers {
        Answers::Class => task.facts.has(Has::Class),
        Answers::TokenTags | Answers::Piece => true,
        _ => false,
    }
}

/// Opens the model in a directory for a task. `name` is what reports call it.
pub fn open_local(name: &str, directory: &Path, task: &'static Task) -> Result<Box<dyn Respondent>> {
    if !answers(task) {
        let known: Vec<&str> = fissure_tasks::ALL.iter().filter(|task| answers(task)).map(|task| task.name()).collect();
        return Err(Error::NoModelForTask { task: task.name(), known: known.join(", ") });
    }
    match task.answers {
        Answers::TokenTags => {
            let tagger = Tagger::open(directory)?;
            let about = about(name, directory, tagger.labels().to_vec())?;
            Ok(Box::new(LocalTagger { tagger, about }))
        }
        Answers::Piece => {
            let about = about(name, directory, Vec::new())?;
            Ok(Box::new(LocalReader { finder: SpanFinder::open(directory)?, about }))
        }
        _ => {
            let model: Arc<dyn Model> = fissure_models::open(directory)?.into();
            Ok(Box::new(LocalClassifier::new(name, directory, model)?))
        }
    }
}

/// A classifier on this machine.
#[derive(Debug)]
pub struct LocalClassifier {
    model: Arc<dyn Model>,
    about: ModelAbout,
}

impl LocalClassifier {
    /// Answers with `model`, which was opened from `directory`; reports call it `name`.
    pub fn new(name: &str, directory: &Path, model: Arc<dyn Model>) -> Result<Self> {
        let offers = model.offers();
        let about = ModelAbout {
            probabilities: offers.probabilities,
            gradients: offers.gradients,
            ..about(name, directory, offers.labels.clone())?
        };
        Ok(Self { model, about })
    }

    /// Answers with a model that has no directory (yet); `checksum` tells it from others.
    pub fn of(name: &str, checksum: Option<String>, model: Arc<dyn Model>) -> Self {
        let offers = model.offers();
        let about = ModelAbout {
            name: name.into(),
            checksum,
            labels: offers.labels.clone(),
            probabilities: offers.probabilities,
            gradients: offers.gradients,
        };
        Self { model, about }
    }
}

impl Respondent for LocalClassifier {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        let inputs: Vec<Input<'_>> = samples.iter().map(|sample| input(sample)).collect();
        let answers = self.model.answer(&inputs).map_err(|error| Gone(error.to_string()))?;
        let said = |Answer { predicted, log_probs, .. }: Answer| match self.about.labels.get(predicted) {
            Some(label) => Ok(Response::Class { label: label.clone(), log_probs }),
            None => Err(format!("the model answered with its label number {predicted}, which has no name")),
        };
        Ok(answers.into_iter().map(said).collect())
    }

    fn inside(&self) -> Option<&dyn WhiteBox> {
        self.model.as_white_box()
    }
}

/// The question that a sample puts to a classifier: its first text, and its second where it has one.
pub fn input(sample: &Sample) -> Input<'_> {
    let mut texts = sample.fields.iter().map(|field| field.text.as_str());
    Input { text: texts.next().unwrap_or(""), pair: texts.next() }
}

/// A tagger on this machine.
#[derive(Debug)]
struct LocalTagger {
    tagger: Tagger,
    about: ModelAbout,
}

impl Respondent for LocalTagger {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        let inputs: Vec<Input<'_>> = samples.iter().map(|sample| Input { pair: None, ..input(sample) }).collect();
        let tagged = self.tagger.tag(&inputs).map_err(|error| Gone(error.to_string()))?;
        let tags = |(sample, pieces): (&&Sample, Vec<TaggedPiece>)| {
            let mut tokens: Vec<&Mark> =
                sample.layer(layer::TOKEN).map(|(_, mark)| mark).filter(|mark| mark.field == 0).collect();
            tokens.sort_by_key(|mark| mark.span.start);
            Ok(Response::Tags(tokens.into_iter().map(|token| self.tag_of(token, &pieces)).collect()))
        };
        Ok(samples.iter().zip(tagged).map(tags).collect())
    }
}

impl LocalTagger {
    /// The tag of the first piece of a token; `O` where the text was too long for the model to get there.
    fn tag_of(&self, token: &Mark, pieces: &[TaggedPiece]) -> String {
        let first = pieces.iter().find(|tagged| {
            tagged.piece.source.as_ref().is_some_and(|(_, bytes)| token.span.overlaps(bytes.clone().into()))
        });
        let best = first.and_then(|tagged| {
            let numbered = tagged.log_probs.iter().enumerate();
            numbered.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
        });
        best.and_then(|at| self.tagger.labels().get(at)).cloned().unwrap_or_else(|| "O".into())
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

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        fn text<'a>(sample: &'a Sample, name: &str) -> &'a str {
            sample.text(name).map_or("", |text| text.as_str())
        }
        let questions: Vec<(&str, &str)> =
            samples.iter().map(|sample| (text(sample, "question"), text(sample, "context"))).collect();
        let found = self.finder.find(&questions).map_err(|error| Gone(error.to_string()))?;
        let answer = |(found, (_, context)): (fissure_models::encoder::FoundSpan, &(&str, &str))| {
            let there = found.log_prob > found.no_answer;
            Ok(Response::Answer(context.get(found.bytes).filter(|_| there).map(str::to_owned)))
        };
        Ok(found.into_iter().zip(&questions).map(answer).collect())
    }
}

fn about(name: &str, directory: &Path, labels: Vec<String>) -> Result<ModelAbout> {
    let checksum = Some(checksum(directory)?);
    Ok(ModelAbout { name: name.into(), checksum, labels, probabilities: false, gradients: false })
}

/// SHA-256 of a file, or of the files in a directory, with their names, in the order of the names. Folders in it do not
/// count.
pub fn checksum(path: &Path) -> Result<String> {
    let mut files = Vec::new();
    if path.is_file() {
        files.push(path.to_owned());
    } else {
        for entry in path.read_dir().map_err(io(path))? {
            let path = entry.map_err(io(path))?.path();
            if path.is_file() {
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
