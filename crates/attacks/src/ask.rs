//! Asking the model: every text once, and no more often than the budget allows.

use std::sync::{Arc, OnceLock};

use fissure_ask::{Respondent, Response, input};
use fissure_core::Sample;
use fissure_models::kernels::log_softmax;
use fissure_models::{Bag, Input, Recurrent, Saved, WhiteBox, Windows};
use fissure_tasks::metrics::Metric;
use fissure_tasks::{Answers, Task};
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
    /// The answer itself, if it is no class.
    pub output: Option<Output>,
}

/// An answer that is no class: tags, a text, a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub response: Arc<Response>,
    /// How good it is by each metric of the task, the first first; from 0 to 1.
    pub scores: Arc<[(&'static str, f64)]>,
    /// Whether it is wholly right.
    pub right: bool,
}

impl Output {
    /// How good it is by a metric; by the task's first if the name is empty.
    pub fn score(&self, metric: &str) -> Option<f64> {
        let mut scores = self.scores.iter();
        let found = scores.find(|(name, _)| metric.is_empty() || name.eq_ignore_ascii_case(metric));
        found.map(|(_, score)| *score)
    }

    /// The words of an answer that is a text, in lower case.
    pub fn words(&self) -> Vec<String> {
        match &*self.response {
            Response::Answer(Some(text)) => text.split_whitespace().map(str::to_lowercase).collect(),
            _ => Vec::new(),
        }
    }
}

impl Verdict {
    pub fn of_class(predicted: usize, log_probs: impl Into<Arc<[f32]>>) -> Self {
        Self { predicted, log_probs: log_probs.into(), output: None }
    }

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
    windows: Option<Windows<'m>>,
    recurrent: Option<Recurrent<'m>>,
    /// The metrics of a task whose answers are no classes.
    metrics: Vec<Box<dyn Metric>>,
    words: HashSet<String>,
    rows: OnceLock<Vec<(String, Vec<f32>)>>,
}

impl<'m> Target<'m> {
    pub fn new(model: &'m dyn Respondent) -> Self {
        let inside = model.inside();
        let words = inside.map(|inside| inside.words().into_iter().collect()).unwrap_or_default();
        let (bag, windows) = (inside.and_then(WhiteBox::bag), inside.and_then(WhiteBox::windows));
        let recurrent = inside.and_then(WhiteBox::recurrent);
        Self { model, bag, windows, recurrent, metrics: Vec::new(), words, rows: OnceLock::new() }
    }

    /// A model that answers a task with tags, texts or trees is attacked by the metrics of the task.
    pub fn for_task(model: &'m dyn Respondent, task: &Task) -> Self {
        let metrics = match task.answers {
            Answers::Class => Vec::new(),
            _ => task.metrics(&model.about().labels),
        };
        Self { metrics, ..Self::new(model) }
    }

    /// Whether its answers are no classes.
    pub fn answers_otherwise(&self) -> bool {
        !self.metrics.is_empty()
    }

    /// The same model, asked through another: one that gathers questions.
    pub(crate) fn through<'o>(&'o self, model: &'o dyn Respondent) -> Target<'o> {
        Target { words: self.words.clone(), rows: self.rows.clone(), ..Target::new(model) }
    }

    /// The model itself.
    pub(crate) fn model(&self) -> &'m dyn Respondent {
        self.model
    }

    /// Whether it is fast only with many texts at once: a local model that is not answered from parts.
    pub(crate) fn likes_company(&self) -> bool {
        self.inside().is_some() && self.bag.is_none() && self.windows.is_none() && self.metrics.is_empty()
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

    /// The inside of the model, if it can be seen.
    pub fn inside(&self) -> Option<&'m dyn WhiteBox> {
        self.model.inside()
    }

    /// The words of letters in the model's vocabulary, each with its row; embedded once.
    pub fn vocabulary(&self) -> &[(String, Vec<f32>)] {
        self.rows.get_or_init(|| {
            let Some(inside) = self.inside() else { return Vec::new() };
            let words: Vec<String> =
                inside.words().into_iter().filter(|word| word.chars().all(char::is_alphabetic)).collect();
            let inputs: Vec<Input<'_>> = words.iter().map(|word| Input::from(word.as_str())).collect();
            let rows: Vec<_> = inside.embed(&inputs).unwrap_or_default().iter().map(Lines::mean_row).collect();
            words.into_iter().zip(rows).filter_map(|(word, row)| Some((word, row?))).collect()
        })
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
    /// The windows of the text that the last ones were like.
    saved: Option<Saved>,
    pub counts: Counts,
}

impl<'m> Questions<'m> {
    pub fn new(target: &'m Target<'m>, budget: usize) -> Self {
        Self { target, budget, known: HashMap::new(), read: HashMap::new(), saved: None, counts: Counts::default() }
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

    /// The model as maxima over windows, if it is that.
    pub fn windows(&self) -> Option<&'m Windows<'m>> {
        self.target.windows.as_ref()
    }

    /// The model as states that words move on, if it is that.
    pub fn recurrent(&self) -> Option<&'m Recurrent<'m>> {
        self.target.recurrent.as_ref()
    }

    /// The words of letters in the model's vocabulary, each with its row.
    pub fn vocabulary(&self) -> &'m [(String, Vec<f32>)] {
        self.target.vocabulary()
    }

    /// Whether the model is known to have a lower-case word in its vocabulary.
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
        let readings = inside.readings(&inputs)?;
        let mut new: Vec<usize> = Vec::new();
        for (at, reading) in readings.iter().enumerate() {
            if !self.read.contains_key(reading) {
                self.read.insert(reading.clone(), None);
                new.push(at);
            }
        }
        self.counts.inputs += new.len();
        // What the parts of a small model say is enough for the search; what it finds, the model is asked about in full.
        let mut in_full: Vec<usize> = Vec::new();
        for at in new {
            match self.answer_from_parts(&readings[at]) {
                Some(verdict) => _ = self.read.insert(readings[at].clone(), Some(verdict)),
                None => in_full.push(at),
            }
        }
        let asked: Vec<&Sample> = in_full.iter().map(|at| texts[*at]).collect();
        for (at, verdict) in in_full.iter().zip(self.respond(&asked)?) {
            self.read.insert(readings[*at].clone(), verdict);
        }
        Ok(readings.iter().map(|reading| self.read.get(reading).cloned().flatten()).collect())
    }

    /// The answer of a model that is a sum of parts: a mean over features, or maxima over windows, of which only those are
    /// looked at that differ from the text before. It depends on the text alone, but for the last digit it need not be what the
    /// model says.
    fn answer_from_parts(&mut self, reading: &[u32]) -> Option<Verdict> {
        let logits = match (&self.target.bag, &self.target.windows) {
            (Some(bag), _) => mean_of_features(bag, reading),
            (None, Some(windows)) => {
                // A text that differs in many words is kept for those that come next: they will be like it.
                let near = self.saved.as_ref().filter(|saved| 4 * saved.distance(reading) <= reading.len());
                if near.is_none() {
                    self.saved = Some(windows.save(reading));
                }
                windows.logits(self.saved.as_ref()?, reading)
            }
            (None, None) => return None,
        };
        let predicted = (0..logits.len()).reduce(|best, c| if logits[c] > logits[best] { c } else { best })?;
        let finite = logits.iter().all(|logit| logit.is_finite());
        finite.then(|| Verdict::of_class(predicted, log_softmax(&logits)))
    }

    fn respond(&self, texts: &[&Sample]) -> Result<Vec<Option<Verdict>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.target.model.respond(texts).map_err(|gone| Error::Unavailable(gone.0))?;
        if self.target.answers_otherwise() {
            return Ok(texts.iter().zip(answers).map(|(text, answer)| self.judged(text, answer.ok()?)).collect());
        }
        let verdict = |answer| match answer {
            Ok(Response::Class { label, log_probs: Some(log_probs) }) => {
                let predicted = self.labels().iter().position(|known| *known == label);
                Ok(predicted.map(|predicted| Verdict::of_class(predicted, log_probs)))
            }
            Ok(_) => Err(Error::NoProbabilities),
            // One text that cannot be answered does not end the attack.
            Err(_) => Ok(None),
        };
        answers.into_iter().map(verdict).collect()
    }
}

impl Questions<'_> {
    /// An answer that is no class, beside the labels of the text; nothing if they do not fit together.
    fn judged(&self, text: &Sample, response: Response) -> Option<Verdict> {
        let metrics = &self.target.metrics;
        let tally = |metric: &dyn Metric| metric.tally(text, &response);
        let scores = metrics.iter().filter_map(|metric| Some((metric.name(), metric.value(&tally(&**metric)?)?)));
        let scores: Arc<[(&'static str, f64)]> = scores.collect();
        let right = metrics.first().is_some_and(|metric| tally(&**metric).is_some_and(|tally| metric.right(&tally)));
        let output = Output { response: Arc::new(response), scores, right };
        Some(Verdict { output: Some(output), ..Verdict::of_class(0, []) })
    }

    /// Whether the answers are no classes.
    pub fn answers_otherwise(&self) -> bool {
        self.target.answers_otherwise()
    }
}

fn mean_of_features(bag: &Bag<'_>, reading: &[u32]) -> Vec<f32> {
    let mut sums = vec![0.0; bag.classes()];
    for feature in reading {
        sums.iter_mut().zip(bag.logits(*feature)).for_each(|(sum, logit)| *sum += logit);
    }
    sums.iter_mut().for_each(|sum| *sum /= reading.len().max(1) as f32);
    sums
}

fn key(text: &Sample) -> Vec<Box<str>> {
    text.fields.iter().map(|field| field.text.as_str().into()).collect()
}
