//! The model under attack.

use std::sync::OnceLock;

use fissure_ask::Respondent;
use fissure_models::{Bag, Input, Recurrent, Stretches, WhiteBox, Windows};
use fissure_tasks::metrics::Metric;
use fissure_tasks::{Answers, Task};
use hashbrown::HashSet;

use crate::lines::Lines;

/// The model under attack, with what is worked out about it once.
pub struct Target<'m> {
    pub(crate) model: &'m dyn Respondent,
    pub(crate) bag: Option<Bag<'m>>,
    pub(crate) windows: Option<Windows<'m>>,
    pub(crate) recurrent: Option<Recurrent<'m>>,
    pub(crate) stretches: Option<Stretches<'m>>,
    /// The metrics of a task whose answers are no classes.
    pub(crate) metrics: Vec<Box<dyn Metric>>,
    pub(crate) words: HashSet<String>,
    rows: OnceLock<Vec<(String, Vec<f32>)>>,
}

impl<'m> Target<'m> {
    pub fn new(model: &'m dyn Respondent) -> Self {
        let inside = model.inside();
        let words = inside.map(|inside| inside.words().into_iter().collect()).unwrap_or_default();
        let (bag, windows) = (inside.and_then(WhiteBox::bag), inside.and_then(WhiteBox::windows));
        let (recurrent, stretches) = (inside.and_then(WhiteBox::recurrent), inside.and_then(WhiteBox::stretches));
        Self { model, bag, windows, recurrent, stretches, metrics: Vec::new(), words, rows: OnceLock::new() }
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
