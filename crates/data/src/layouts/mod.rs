//! The tasks: which fields and labels each has, what its columns are commonly called, and which metric scores it.
//!
//! A layout makes a sample of a row and a row of a sample, in the shape the row came in: tokens as tokens, character
//! offsets as character offsets, keys in their order.

mod absa;
mod classification;
mod columns;
mod coref;
mod cws;
mod dp;
mod draft;
mod mrc;
mod ner;
mod nli;
mod offsets;
mod page;
mod plain;
mod pos;
mod re;
mod sa;
mod sm;
mod tokens;

use std::sync::Arc;

use fissure_core::{Card, Column, Origin, Sample};

pub(crate) use columns::Plan;
pub use columns::{Columns, SampleId};
use draft::Draft;
pub(crate) use draft::is_content_id;
use page::Page;
pub use tokens::Token;

use crate::{Fault, Result, Row};

/// What a task's data look like.
#[derive(Debug)]
pub struct Layout {
    pub card: Card,
    pub roles: &'static [Role],
    /// What a model is scored by.
    pub metric: &'static str,
    /// Fills the sample from the values of a row.
    read: fn(&mut Draft) -> Result<(), Fault>,
    /// The value of a column, in the form it came in.
    write: fn(&Page<'_>, &Column) -> serde_json::Value,
}

/// What a column can be to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    pub name: &'static str,
    /// What the column is commonly called; case does not matter.
    pub names: &'static [&'static str],
    pub need: Need,
    /// For a text: whether parts may edit it unless the user says otherwise. `None` for labels.
    pub open: Option<bool>,
}

/// Whether a column has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Always,
    /// Unless data without labels are asked for.
    Label,
    Never,
}

/// How rows are to be read.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    pub layout: &'static Layout,
    pub columns: Columns,
    pub id: SampleId,
    pub unlabelled: bool,
    /// The fields that parts may edit; the layout's own choice where `None`.
    pub fields: Option<Vec<String>>,
}

/// What was found out about the last row and is likely to hold for the next: its plan and its origin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    plan: Option<Arc<Plan>>,
    origin: Option<Arc<Origin>>,
}

impl Memory {
    /// The name of a column of the last row, if the task makes something of it.
    pub fn task_column(&self, at: usize) -> Option<Arc<str>> {
        let plan = self.plan.as_ref()?;
        (*plan.roles.get(at)?)?;
        plan.names.get(at).cloned()
    }
}

impl Layout {
    /// The names of the text fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.roles.iter().filter(|role| role.open.is_some()).map(|role| role.name)
    }

    /// A sample of a row whose columns have common names.
    pub fn sample(&'static self, row: Row) -> Result<Sample, Fault> {
        let columns = Columns::default();
        let binding = Binding { layout: self, columns, id: SampleId::default(), unlabelled: true, fields: None };
        binding.sample(row, &mut Memory::default())
    }

    /// The sample as a row, in the shape it came in. A sample that was not read from anywhere gets the common names.
    pub fn row(&self, sample: &Sample) -> Row {
        page::row(self, sample)
    }
}

impl Memory {
    /// Which columns the last row had, and what they are to the task.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_deref()
    }
}

impl Binding {
    pub fn sample(&self, row: Row, memory: &mut Memory) -> Result<Sample, Fault> {
        let plan = match &memory.plan {
            Some(plan) if row.names().eq(&plan.names) => Arc::clone(plan),
            _ => {
                let names = row.names().cloned().collect();
                let plan = Arc::new(Plan::new(self.layout, names, &self.columns, &self.id, self.unlabelled)?);
                memory.plan = Some(Arc::clone(&plan));
                plan
            }
        };
        let mut draft = Draft::new(self.layout, &plan, row);
        (self.layout.read)(&mut draft)?;
        let (mut sample, origin) = draft.finish();
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

/// Declares a task: docs, fields, labels, common names of their columns, metric. The card is made from it.
macro_rules! layout {
    (
        $(#[doc = $doc:literal])+
        $(aliases: $aliases:expr,)?
        fields: { $( $field:literal ($state:ident) = [$first_name:literal $(, $field_name:literal)* $(,)?] ),+ $(,)? }
        labels: { $( $label:literal ($need:ident) = [$first_label:literal $(, $label_name:literal)* $(,)?] ),* $(,)? }
        metric: $metric:literal,
        read: $read:expr,
        write: $write:expr $(,)?
    ) => {
        pub(super) static LAYOUT: super::Layout = super::Layout {
            card: fissure_core::Card {
                $(aliases: $aliases,)?
                facts: &[
                    $( (concat!("field ", $field, super::layout!(@state $state)), concat!($first_name $(, ", ", $field_name)*)), )+
                    $( (concat!("label ", $label), concat!($first_label $(, ", ", $label_name)*)), )*
                    ("metric", $metric),
                ],
                ..fissure_core::Card::new(
                    fissure_core::Kind::Task,
                    fissure_core::last_segment(module_path!()),
                    concat!($($doc, "\n"),+),
                    file!(),
                    line!(),
                )
            },
            roles: &[
                $( super::Role {
                    name: $field,
                    names: &[$first_name $(, $field_name)*],
                    need: super::Need::Always,
                    open: Some(super::layout!(@open $state)),
                }, )+
                $( super::Role {
                    name: $label,
                    names: &[$first_label $(, $label_name)*],
                    need: super::Need::$need,
                    open: None,
                }, )*
            ],
            metric: $metric,
            read: $read,
            write: $write,
        };
    };
    (@open open) => { true };
    (@open closed) => { false };
    (@state open) => { "" };
    (@state closed) => { " (not edited)" };
}
use layout;

/// Every task, in the order of lists.
pub static ALL: &[&Layout] = &[
    &classification::LAYOUT,
    &sa::LAYOUT,
    &absa::LAYOUT,
    &nli::LAYOUT,
    &sm::LAYOUT,
    &ner::LAYOUT,
    &pos::LAYOUT,
    &dp::LAYOUT,
    &cws::LAYOUT,
    &mrc::LAYOUT,
    &coref::LAYOUT,
    &re::LAYOUT,
];

/// The task called `name`; where there is none, an error that offers the nearest.
pub fn find(name: &str) -> Result<&'static Layout> {
    let known = ALL.iter().flat_map(|layout| std::iter::once(&layout.card.name).chain(layout.card.aliases)).copied();
    ALL.iter()
        .find(|layout| layout.card.is_called(name))
        .copied()
        .ok_or_else(|| fissure_core::Error::unknown_name("task", name, known).into())
}

/// The tokens of a sample's first text as they are now, and as they would be written: words that an edit brought in are
/// tokens of their own. Where the sample has no tokens, the words between white space.
pub fn tokens(sample: &Sample) -> Vec<Token<'_>> {
    tokens::cut(sample)
}

/// The cards of all tasks.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    ALL.iter().map(|layout| &layout.card)
}
