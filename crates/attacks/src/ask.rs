//! Asking the model: every text once, and no more often than the budget allows.

use std::sync::{Arc, OnceLock};

use fissure_ask::{Respondent, Response, input};
use fissure_core::Sample;
use fissure_models::{Bag, Input, WhiteBox};
use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};

use crate::lines::Lines;
use crate::{Error, Result};

/// What the model says about a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The class, in the order of the model's labels.
    pub predicted: usize,
    pub log_probs: Arc<[f32]>,
}

impl Verdict {
    pub fn probability(&self, class: usize) -> f64 {
        self.log_probs.get(class).map_or(0.0, |log| f64::from(*log).exp().min(1.0))
    }

    /// By how much the best other class beats `class`, in nats; negative while `class` leads.
    pub fn lead_over(&self, class: usize) -> f64 {
        let others = self.log_probs.iter().enumerate().filter(|(other, _)| *other != class);
        let best = others.map(|(_, log)| f64::from(*log)).fold(f64::NEG_INFINITY, f64::max);
        best - self.log_probs.get(class).map_or(f64::NEG_INFINITY, |log| f64::from(*log))
    }
}

/// What an attack on one text has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Different texts that the model was asked about, the original included.
    pub questions: usize,
    /// The same with repetitions, as other tools count.
    pub asked: usize,
    /// Different inputs as the model reads them; only for models on this machine.
    pub inputs: usize,
    /// Backward passes.
    pub backward: usize,
}

/// The model under attack, with what is worked out about it once.
pub struct Target<'m> {
    model: &'m dyn Respondent,
    bag: Option<Bag<'m>>,
    words: HashSet<String>,
    rows: OnceLock<Vec<(String, Vec<f32>)>>,
}

impl<'m> Target<'m> {
    pub fn new(model: &'m dyn Respondent) -> Self {
        let inside = model.inside();
        let words = inside.map(|inside| inside.words().into_iter().collect()).unwrap_or_default();
        Self { model, bag: inside.and_then(WhiteBox::bag), words, rows: OnceLock::new() }
    }

    pub fn labels(&self) -> &'m [String] {
        &self.model.about().labels
    }

    pub fn gives_probabilities(&self) -> bool {
        self.model.about().probabilities
    }

    pub fn shows_gradients(&self) -> bool {
        self.model.inside().is_some()
    }

    pub fn is_additive(&self) -> bool {
        self.bag.is_some()
    }
}

/// The questions of an attack on one text.
pub struct Questions<'m> {
    target: &'m Target<'m>,
    budget: usize,
    /// By the bytes of all fields.
    known: HashMap<Vec<Box<str>>, Option<Verdict>>,
    /// By what the model reads.
    read: HashMap<Vec<u32>, Option<Verdict>>,
    pub counts: Counts,
}

impl<'m> Questions<'m> {
    pub fn new(target: &'m Target<'m>, budget: usize) -> Self {
        Self { target, budget, known: HashMap::new(), read: HashMap::new(), counts: Counts::default() }
    }

    pub fn labels(&self) -> &'m [String] {
        self.target.labels()
    }

    pub fn inside(&self) -> Option<&'m dyn WhiteBox> {
        self.target.model.inside()
    }

    /// The model as a sum over features, if it is one.
    pub fn bag(&self) -> Option<&'m Bag<'m>> {
        self.target.bag.as_ref()
    }

    /// The words of letters in the model's vocabulary, each with its row; embedded once.
    pub fn vocabulary(&self) -> &'m [(String, Vec<f32>)] {
        self.target.rows.get_or_init(|| {
            let Some(inside) = self.inside() else { return Vec::new() };
            let words: Vec<String> =
                inside.words().into_iter().filter(|word| word.chars().all(char::is_alphabetic)).collect();
            let inputs: Vec<Input<'_>> = words.iter().map(|word| Input::from(word.as_str())).collect();
            let rows: Vec<_> = inside.embed(&inputs).unwrap_or_default().iter().map(Lines::mean_row).collect();
            words.into_iter().zip(rows).filter_map(|(word, row)| Some((word, row?))).collect()
        })
    }

    /// Whether the model is known to have a word in small letters in its vocabulary.
    pub fn knows(&self, word: &str) -> bool {
        self.target.words.contains(word)
    }

    /// How many questions are left.
    pub fn left(&self) -> usize {
        self.budget - self.counts.questions.min(self.budget)
    }

    /// Asks about texts in one call. `None` for a text that the budget does not reach, in their order, and for one that the
    /// model could not answer.
    pub fn ask(&mut self, texts: &[Sample]) -> Result<Vec<Option<Verdict>>> {
        let keys: Vec<Vec<Box<str>>> = texts.iter().map(key).collect();
        let mut new: Vec<usize> = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            if self.known.contains_key(key) {
                self.counts.asked += 1;
            } else if self.left() > 0 {
                self.counts.asked += 1;
                self.counts.questions += 1;
                self.known.insert(key.clone(), None);
                new.push(at);
            }
        }
        let asked: Vec<&Sample> = new.iter().map(|at| &texts[*at]).collect();
        for (at, verdict) in new.iter().zip(self.answers(&asked)?) {
            self.known.insert(keys[*at].clone(), verdict);
        }
        Ok(keys.iter().map(|key| self.known.get(key).cloned().flatten()).collect())
    }

    /// Asks about a text whatever is known and left: the last check of a text that was found. It is not counted.
    pub fn ask_afresh(&self, text: &Sample) -> Result<Option<Verdict>> {
        Ok(self.respond(&[text])?.pop().flatten())
    }

    /// The answers, from the model or from a text that reads alike.
    fn answers(&mut self, texts: &[&Sample]) -> Result<Vec<Option<Verdict>>> {
        let Some(inside) = self.inside().filter(|_| !texts.is_empty()) else { return self.respond(texts) };
        let inputs: Vec<_> = texts.iter().map(|text| input(text)).collect();
        let readings: Vec<Vec<u32>> =
            inside.embed(&inputs)?.iter().map(|point| point.pieces.iter().map(|piece| piece.id).collect()).collect();
        let mut new: Vec<usize> = Vec::new();
        for (at, reading) in readings.iter().enumerate() {
            if !self.read.contains_key(reading) {
                self.read.insert(reading.clone(), None);
                new.push(at);
            }
        }
        self.counts.inputs += new.len();
        let asked: Vec<&Sample> = new.iter().map(|at| texts[*at]).collect();
        for (at, verdict) in new.iter().zip(self.respond(&asked)?) {
            self.read.insert(readings[*at].clone(), verdict);
        }
        Ok(readings.iter().map(|reading| self.read.get(reading).cloned().flatten()).collect())
    }

    fn respond(&self, texts: &[&Sample]) -> Result<Vec<Option<Verdict>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.target.model.respond(texts).map_err(|gone| Error::Gone(gone.0))?;
        let verdict = |answer| match answer {
            Ok(Response::Class { label, log_probs: Some(log_probs) }) => {
                let predicted = self.labels().iter().position(|known| *known == label);
                Ok(predicted.map(|predicted| Verdict { predicted, log_probs: log_probs.into() }))
            }
            Ok(_) => Err(Error::NoProbabilities),
            // One text that cannot be answered does not end the attack.
            Err(_) => Ok(None),
        };
        answers.into_iter().map(verdict).collect()
    }
}

fn key(text: &Sample) -> Vec<Box<str>> {
    text.fields.iter().map(|field| field.text.as_str().into()).collect()
}
