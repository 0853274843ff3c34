//! The tasks of Fissure, each in one file: its fields and labels, what its columns are usually called, how a row becomes
//! a sample and a sample a row again, its metrics, and how a model is asked and its answer read.
//!
//! Rows are written in the shape they came in: tokens as tokens, character offsets as character offsets, keys in their
//! order. Nothing outside a task's file matches on its name: parts look at its [`TaskFacts`], models at its [`Answers`].

mod answers;
mod chunks;
mod columns;
mod conventions;
mod fault;
mod gathered;
pub mod heads;
pub mod metrics;
mod offsets;
mod plain;
mod pointers;
mod questions;
mod response;
mod row;
mod row_builder;
mod sample_builder;
mod scheme;
mod spacing;
mod tasks;
mod tokens;

use std::sync::Arc;

use fissure_core::{Card, Column, Label, Origin, Sample, Spelling, TaskFacts};
use serde_json::{Map, Value};

pub use answers::{Answers, Class, has_scaled_scores, read_class, short};
pub use columns::{ColumnPlan, Columns, SampleId};
pub use conventions::{CONVENTIONS, Convention};
pub use fault::{Error, Fault, Result, shorten};
pub use gathered::Gathered;
use metrics::Metric;
pub use questions::Question;
pub use response::Response;
pub use row::{MOST_VALUES, Row, may_have_more_values};
use row_builder::RowBuilder;
use sample_builder::SampleBuilder;
pub use sample_builder::{content_id, id_of, is_content_id};
pub use tasks::ALL;
pub use tokens::{Token, in_order};

/// A task.
#[derive(Debug)]
pub struct Task {
    pub card: Card,
    pub facts: TaskFacts,
    pub roles: &'static [Role],
    /// What a model is scored by, in words.
    pub metric: &'static str,
    /// What a model answers.
    pub answers: Answers,
    /// Fills the sample from the values of a row.
    read: fn(&mut SampleBuilder) -> Result<(), Fault>,
    /// The value of a column, in the form it came in.
    write: fn(&RowBuilder<'_>, &Column) -> Value,
    /// The metrics, the main one first, given the names of the classes or tags.
    metrics: fn(&[String]) -> Vec<Box<dyn Metric>>,
    /// What a question holds besides the texts.
    besides: fn(&Sample) -> Map<String, Value>,
}

/// What a column can be to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    pub name: &'static str,
    /// What the column is usually called; case does not matter.
    pub names: &'static [&'static str],
    pub need: Presence,
    /// For a text: whether parts may edit it unless the user says otherwise. `None` for labels.
    pub open: Option<bool>,
    /// For a text: whether models see it. The translation that a model is asked for is a text that they do not see.
    pub asked: bool,
}

/// Whether a column has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Always,
    /// Unless data without labels are asked for.
    Label,
    Never,
}

/// Makes samples of rows.
#[derive(Debug, Clone)]
pub struct RowReader {
    pub task: &'static Task,
    pub columns: Columns,
    pub id: SampleId,
    /// Whether rows without labels will do.
    pub unlabelled: bool,
    /// Whether the number -1 is a label like any other.
    pub minus_one_is_label: bool,
    /// The fields that parts may edit; the task's own choice if `None`.
    pub fields: Option<Vec<String>>,
}

/// What was found out about the last row and is likely to hold for the next: its columns and its origin.
#[derive(Debug, Clone, Default)]
pub struct RowMemory {
    plan: Option<Arc<ColumnPlan>>,
    origin: Option<Arc<Origin>>,
}

impl Task {
    pub fn name(&self) -> &'static str {
        self.card.name
    }

    /// The names of the text fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.roles.iter().filter(|role| role.open.is_some()).map(|role| role.name)
    }

    /// A sample of a row whose columns have usual names.
    pub fn sample(&'static self, row: Row) -> Result<Sample, Fault> {
        let columns = Columns::default();
        let reader = RowReader {
            task: self,
            columns,
            id: SampleId::default(),
            unlabelled: true,
            minus_one_is_label: false,
            fields: None,
        };
        reader.sample(row, &mut RowMemory::default())
    }

    /// The sample as a row, in the shape it came in. A sample that was not read from anywhere gets the usual names.
    pub fn row(&self, sample: &Sample) -> Row {
        row_builder::row(self, sample)
    }

    /// The metrics, the main one first. `labels` are the names of the classes or tags, of the model and of the data.
    pub fn metrics(&self, labels: &[String]) -> Vec<Box<dyn Metric>> {
        (self.metrics)(labels)
    }

    /// The question that a sample puts to a model: its texts by name, and what else the task has.
    pub fn question(&self, sample: &Sample) -> Question {
        let hidden = |name: &str| self.roles.iter().any(|role| role.name == name && role.open.is_some() && !role.asked);
        let asked = sample.fields.iter().filter(|field| !hidden(&field.name));
        let fields = asked.map(|field| (field.name.to_string(), field.text.to_string())).collect();
        Question { task: self.name().into(), fields, more: (self.besides)(sample) }
    }

    /// A question to find out whether a model answers at all: every text that it is asked about is there.
    pub fn trial_question(&self) -> Question {
        let asked = self.roles.iter().filter(|role| role.open.is_some() && role.asked);
        let texts = ["This is a trial.", "It is one."].into_iter().cycle();
        let fields = asked.zip(texts).map(|(role, text)| (role.name.to_owned(), text.to_owned())).collect();
        Question { task: self.name().into(), fields, more: Map::new() }
    }

    /// A text or a pair as a question, its fields named as the task names them.
    pub fn question_of(&self, text: &str, pair: Option<&str>) -> Question {
        let names = self.fields().chain(["pair"]);
        let texts = [Some(text), pair].into_iter().flatten();
        let fields = names.zip(texts).map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        Question { task: self.name().into(), fields, more: Map::new() }
    }

    /// What a model's answer to a sample says; `labels` are the model's.
    pub fn response(&self, sample: &Sample, answer: &Value, labels: &[String]) -> Result<Response, String> {
        self.answers.read(sample, answer, labels)
    }

    /// The label that a model which looks for the same words in both texts of a pair gives when one is a copy of the
    /// other: the one that copying destroyers are measured against.
    pub fn label_of_copies(&self, known: &[String]) -> Option<String> {
        conventions::label_of_copies(&self.facts, known)
    }

    /// How a file spells what its classes mean, from all labels of the data; `None` if no convention fits, or two that
    /// disagree do.
    pub fn spelling(&self, labels: &[Label]) -> Option<Spelling> {
        conventions::spelling(&self.facts, labels)
    }
}

impl RowMemory {
    /// Which columns the last row had, and what they are to the task.
    pub fn plan(&self) -> Option<&ColumnPlan> {
        self.plan.as_deref()
    }

    /// The name of a column of the last row, if the task makes something of it.
    pub fn task_column(&self, at: usize) -> Option<Arc<str>> {
        let plan = self.plan.as_ref()?;
        (*plan.roles.get(at)?)?;
        plan.names.get(at).cloned()
    }
}

impl RowReader {
    /// The sample of a row.
    pub fn sample(&self, row: Row, memory: &mut RowMemory) -> Result<Sample, Fault> {
        let plan = match &memory.plan {
            Some(plan) if row.names().eq(&plan.names) => Arc::clone(plan),
            _ => {
                let names = row.names().cloned().collect();
                let mut plan = ColumnPlan::new(self.task, names, &self.columns, &self.id, self.unlabelled)?;
                plan.minus_one_is_label = self.minus_one_is_label;
                let plan = Arc::new(plan);
                memory.plan = Some(Arc::clone(&plan));
                plan
            }
        };
        let mut sample_builder = SampleBuilder::new(self.task, &plan, row);
        (self.task.read)(&mut sample_builder)?;
        let (mut sample, origin) = sample_builder.finish();
        sample.origin = match &memory.origin {
            Some(known) if **known == origin => Some(Arc::clone(known)),
            _ => {
                memory.origin = Some(Arc::new(origin));
                memory.origin.clone()
            }
        };
        if let Some(open) = &self.fields {
            for field in &mut sample.fields {
                field.open = open.iter().any(|name| **name == *field.name);
            }
        }
        Ok(sample)
    }
}

/// The task called `name`; if there is none, an error that offers the nearest.
pub fn find(name: &str) -> Result<&'static Task> {
    let known = ALL.iter().flat_map(|task| std::iter::once(&task.card.name).chain(task.card.aliases)).copied();
    ALL.iter()
        .find(|task| task.card.is_called(name))
        .copied()
        .ok_or_else(|| fissure_core::Error::unknown_name("task", name, known).into())
}

/// What a part does to the right answer, in words: `unsure; flipped on sa`.
pub fn expectation_in_words(card: &Card) -> Option<String> {
    let mut words = card.expectation?.name().to_owned();
    for (_, other) in card.expectation_if {
        let on: Vec<&str> = ALL
            .iter()
            .filter(|task| card.serves(&task.facts) && card.expects_on(&task.facts) == *other)
            .map(|task| task.name())
            .collect();
        words += &format!("; {} on {}", other.name(), on.join(", "));
    }
    Some(words)
}

/// The tasks that a part serves, in words: `any`, `nli, sm`, `any but pos, dp`.
pub fn served_in_words(card: &Card) -> String {
    let (served, refused): (Vec<&Task>, Vec<&Task>) = ALL.iter().partition(|task| card.serves(&task.facts));
    let names = |tasks: &[&Task]| tasks.iter().map(|task| task.name()).collect::<Vec<_>>().join(", ");
    match (served.len(), refused.len()) {
        (_, 0) => "any".into(),
        (served_count, refused_count) if served_count > refused_count => format!("any but {}", names(&refused)),
        _ => names(&served),
    }
}

/// The tokens of a sample's first text as they are now, and as they would be written: words that an edit brought in are
/// tokens of their own. If the sample has no tokens, the words between white space.
pub fn tokens(sample: &Sample) -> Vec<Token<'_>> {
    tokens::cut(sample)
}

/// Whether a tree that came beside the tokens of a sample is none any more, so that it is not written.
pub fn loses_tree(sample: &Sample) -> bool {
    RowBuilder::new(sample).loses_tree()
}

/// The cards of all tasks.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    ALL.iter().map(|task| &task.card)
}
