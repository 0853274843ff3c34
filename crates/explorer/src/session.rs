//! The session: the models and data of the page, and the scores so far.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use fissure_attacks::Record;
use fissure_core::Sample;
use fissure_data::Task;
use fissure_evaluate::Findings;
use fissure_geometry::{
    Calibration, EditLaw, ExampleScore, Forecaster, NamedInput, ScoreOptions, Scorer, ShortcutWord, Substitution,
    Vocabulary, input_of,
};
use fissure_models::{Model, WhiteBox};

use crate::basket::{Basket, Shelf};
use crate::inspection::{Draft, Inspection};
use crate::scoring::Progress;
use crate::threats::CalibratedParts;
use crate::{Error, Result};

/// What to look at.
#[derive(Debug)]
pub struct Setup {
    /// What it is called on the page: the names of the files, or of the demo.
    pub title: String,
    pub task: &'static Task,
    pub samples: Vec<Sample>,
    /// `(original, revised)`, by places in `samples`.
    pub pairs: Vec<(usize, usize)>,
    /// One model or several; what is looked at closely is the first unless the person chooses another.
    pub subjects: Vec<Subject>,
    /// What the first model learned from, if it is known.
    pub training: Option<Training>,
    /// Words that were planted on purpose, in lower case.
    pub planted: Vec<Planted>,
    /// What a run of `fissure evaluate` found on these data, where one is given.
    pub findings: Option<Findings>,
    /// What a run of `fissure attack` found on these data, by the ids of texts, and what the attack is called.
    pub attacks: Option<(String, HashMap<String, Record>)>,
    /// Where the basket is kept from one time to the next; `None` for nowhere.
    pub shelf: Option<Shelf>,
    pub seed: u64,
}

/// A model to look at.
#[derive(Debug)]
pub struct Subject {
    pub name: String,
    pub model: Box<dyn Model>,
    /// For each sample which of the model's classes its label is; `None` if it has none that the model knows.
    pub gold: Vec<Option<usize>>,
}

/// What a model learned from.
#[derive(Debug)]
pub struct Training {
    pub samples: Vec<Sample>,
    pub labels: Vec<usize>,
}

/// A word that was put into the training data to mislead.
#[derive(Debug, Clone)]
pub struct Planted {
    pub word: String,
    pub label: String,
}

/// A look at some models on some data.
#[derive(Debug)]
pub struct Session {
    pub(crate) setup: Setup,
    /// One for each model.
    boards: Vec<Board>,
    pub(crate) progress: Progress,
    basket: Mutex<Basket>,
    /// The last close looks: the model, the text, what was seen.
    looks: Mutex<VecDeque<(usize, Draft, Arc<Inspection>)>>,
}

/// What is known about one model's answers.
#[derive(Debug)]
pub struct Board {
    vocabulary: OnceLock<Option<Vocabulary>>,
    calibration: OnceLock<Option<Calibration>>,
    near: OnceLock<Vec<Vec<u32>>>,
    /// What the forecasts of parts learned about the model, once somebody asked for them.
    pub parts: OnceLock<CalibratedParts>,
    slots: RwLock<Vec<Slot>>,
    /// For an example that was searched: the single word that flips its answer, where one was found.
    pub flips: RwLock<BTreeMap<usize, Option<Substitution>>>,
    pub shortcuts: RwLock<Option<Arc<Vec<ShortcutWord>>>>,
}

/// What is known about one example.
#[derive(Debug, Clone, Default)]
pub enum Slot {
    #[default]
    Waiting,
    Scored(Arc<ExampleScore>),
    /// It could not be scored, and why.
    Failed(Arc<str>),
}

impl Slot {
    pub fn row(&self) -> Option<&Arc<ExampleScore>> {
        match self {
            Self::Scored(row) => Some(row),
            _ => None,
        }
    }
}

impl Session {
    /// Refuses what cannot be looked at; scores nothing yet.
    pub fn new(setup: Setup) -> Result<Arc<Self>> {
        if setup.samples.is_empty() {
            return Err(Error::NoSamples);
        }
        if setup.subjects.is_empty() {
            return Err(Error::NoModel);
        }
        let board = |_: &Subject| Board {
            vocabulary: OnceLock::new(),
            calibration: OnceLock::new(),
            near: OnceLock::new(),
            parts: OnceLock::new(),
            slots: RwLock::new(vec![Slot::Waiting; setup.samples.len()]),
            flips: RwLock::default(),
            shortcuts: RwLock::default(),
        };
        let boards = setup.subjects.iter().map(board).collect();
        let basket = Mutex::new(Basket::open(&setup)?);
        let looks = Mutex::default();
        Ok(Arc::new(Self { boards, progress: Progress::default(), basket, looks, setup }))
    }

    pub fn board(&self, model: usize) -> &Board {
        &self.boards[model]
    }

    /// The model with its gradients; `None` if it has none.
    pub fn inside(&self, model: usize) -> Option<&dyn WhiteBox> {
        self.setup.subjects[model].model.as_white_box()
    }

    /// Scores that are known before anything is asked, as from a run: one for each example, `None` for those to ask about.
    pub fn prefill(&self, model: usize, rows: Vec<Option<ExampleScore>>) {
        for (example, row) in rows.into_iter().enumerate() {
            if let Some(row) = row {
                self.set_slot(model, example, Slot::Scored(Arc::new(row)));
            }
        }
    }

    pub fn labels(&self, model: usize) -> &[String] {
        &self.setup.subjects[model].model.capabilities().labels
    }

    pub fn gold(&self, model: usize, example: usize) -> Option<usize> {
        self.setup.subjects[model].gold.get(example).copied().flatten()
    }

    /// Whether a scored answer is right; `None` if no label says so.
    pub fn right(&self, model: usize, example: usize, row: &ExampleScore) -> Option<bool> {
        self.gold(model, example).map(|gold| self.labels(model)[gold] == row.predicted)
    }

    /// What is known of every example, as it is now.
    pub fn slots(&self, model: usize) -> Vec<Slot> {
        read(&self.boards[model].slots).clone()
    }

    pub fn slot(&self, model: usize, example: usize) -> Slot {
        read(&self.boards[model].slots).get(example).cloned().unwrap_or_default()
    }

    pub fn set_slot(&self, model: usize, example: usize, slot: Slot) {
        if let Some(place) = write(&self.boards[model].slots).get_mut(example) {
            *place = slot;
        }
    }

    pub fn basket(&self) -> MutexGuard<'_, Basket> {
        self.basket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn looks(&self) -> MutexGuard<'_, VecDeque<(usize, Draft, Arc<Inspection>)>> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words that can stand in for others; `None` for a model that names none.
    pub fn vocabulary(&self, model: usize) -> Option<&Vocabulary> {
        let make = || Vocabulary::of(self.inside(model)?).ok();
        self.boards[model].vocabulary.get_or_init(make).as_ref()
    }

    /// For each word of the vocabulary those near it in meaning.
    pub fn near(&self, model: usize, vocabulary: &Vocabulary) -> &[Vec<u32>] {
        self.boards[model].near.get_or_init(|| crate::inspection::near(vocabulary))
    }

    /// Scores as `fissure score` does; with `close`, tokens and minimal steps too, but no integrated gradients. Before the calibration there are no
    /// forecasts: nobody is kept waiting for it.
    pub fn scorer<'a>(&'a self, model: usize, inside: &'a dyn WhiteBox, close: bool) -> Scorer<'a> {
        let options = ScoreOptions { tokens: close, eta: close, ..ScoreOptions::default() };
        let forecaster = self.boards[model].calibration.get().and_then(|calibration| {
            let (vocabulary, calibration) = (self.vocabulary(model)?, calibration.clone());
            Some(Forecaster { model: inside, vocabulary, law: LAW, calibration, refine: 0, seed: self.setup.seed })
        });
        Scorer { model: inside, options, forecaster, decoding: None }
    }

    /// Whether the forecasts of a model are ready, or never will be.
    pub fn calibrated(&self, model: usize) -> bool {
        self.inside(model).is_none() || self.boards[model].calibration.get().is_some()
    }

    /// Learns from the first examples how edits move this model's answers.
    pub fn calibrate(&self, model: usize, inside: &dyn WhiteBox) {
        let place = &self.boards[model].calibration;
        if place.get().is_some() {
            return;
        }
        let first: Vec<NamedInput<'_>> =
            self.setup.samples.iter().take(fissure_geometry::CALIBRATION_TEXTS).map(named).collect();
        let found =
            self.vocabulary(model).map(|words| Forecaster::calibrated(inside, words, LAW, &first, self.setup.seed));
        match found {
            Some(Err(fissure_geometry::Error::Model(fissure_models::Error::Stopped))) => {}
            // Texts without a single known word calibrate nothing; their forecast is the plain one.
            found => drop(place.set(found.and_then(|found| found.ok()?.calibration))),
        }
    }
}

/// The edits whose effect is forecast.
const LAW: EditLaw = EditLaw::RANDOM;

/// A sample as the geometry wants it.
pub fn named(sample: &Sample) -> NamedInput<'_> {
    NamedInput { id: &sample.id, input: input_of(sample) }
}

/// A panic while a lock was held leaves the numbers as they were: each is written whole.
pub fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
