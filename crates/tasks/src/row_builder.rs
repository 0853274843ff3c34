//! A sample on its way back into a row.

use std::cell::OnceCell;
use std::collections::HashMap;

use fissure_core::layer::COLUMN;
use fissure_core::{Column, Link, Mark, Sample};
use serde_json::Value;

use crate::Row;
use crate::offsets::Offsets;
use crate::pointers::{INDEX, Numbers};
use crate::sample_builder::JOINED;
use crate::spacing::Spacing;
use crate::tokens::{self, Token};
use crate::{Presence, Task};

/// What a task's writing works on.
pub(crate) struct RowBuilder<'a> {
    pub sample: &'a Sample,
    tokens: OnceCell<Vec<Token<'a>>>,
    offsets: OnceCell<Offsets>,
    links: OnceCell<HashMap<usize, &'a Link>>,
    firsts: OnceCell<HashMap<usize, usize>>,
    numbers: OnceCell<Numbers>,
    loses_tree: OnceCell<bool>,
    spacing: OnceCell<Option<Spacing>>,
}

/// The sample as a row, in the shape it came in.
pub(crate) fn row(task: &Task, sample: &Sample) -> Row {
    let row_builder = RowBuilder::new(sample);
    let mut row = Row::default();
    // Columns without a role are taken in their order: names may repeat. The next one is most often the one that is looked
    // for, and a table may have many columns.
    let mut others: Vec<_> = sample.extra.iter().map(Some).collect();
    let mut next = 0;
    let usual = || usual_columns(task, sample);
    let usual = sample.origin.is_none().then(usual).unwrap_or_default();
    for column in sample.origin.as_ref().map_or(&usual, |origin| &origin.columns) {
        let value = if column.role.is_empty() {
            let is_it = |at: &usize| others[*at].is_some_and(|(name, _)| *name == column.name);
            let found = Some(next).filter(|at| *at < others.len() && is_it(at));
            let found = found.or_else(|| (0..others.len()).find(is_it));
            // A column that a part took out of the sample is not written.
            let Some((_, value)) = found.and_then(|at| others[at].take()) else { continue };
            next = found.map_or(next, |at| at + 1);
            value.clone()
        } else {
            match (task.write)(&row_builder, column) {
                // A list that lost all its words is written as a text, which needs no quotes in a cell.
                value if column.in_cell && !value.is_string() => value.to_string().into(),
                value => value,
            }
        };
        row.0.push((column.name.clone(), value));
    }
    row.0.extend(others.into_iter().flatten().cloned());
    row
}

/// The columns of a sample that was not read from a file: what its task always wants, and the labels it has.
fn usual_columns(task: &Task, sample: &Sample) -> Vec<Column> {
    let wanted = task.roles.iter().filter(|role| match role.need {
        Presence::Always => true,
        Presence::Label => role.name != "label" || sample.label.is_some(),
        Presence::Never => false,
    });
    wanted.map(|role| Column { name: role.names[0].into(), role: role.name, form: "", in_cell: false }).collect()
}

impl<'a> RowBuilder<'a> {
    pub fn new(sample: &'a Sample) -> Self {
        Self {
            sample,
            tokens: OnceCell::new(),
            offsets: OnceCell::new(),
            links: OnceCell::new(),
            firsts: OnceCell::new(),
            numbers: OnceCell::new(),
            loses_tree: OnceCell::new(),
            spacing: OnceCell::new(),
        }
    }

    /// The first link from each mark.
    pub fn links(&self) -> &HashMap<usize, &'a Link> {
        self.links.get_or_init(|| self.sample.links.iter().rev().map(|link| (link.from, link)).collect())
    }

    /// For each mark the token that is now its first piece.
    pub fn firsts(&self) -> &HashMap<usize, usize> {
        self.firsts.get_or_init(|| {
            let firsts = self.tokens().iter().enumerate().rev().filter(|(_, token)| token.piece == 0);
            firsts.filter_map(|(at, token)| Some((token.mark?, at))).collect()
        })
    }

    /// The numbers that the tokens had.
    pub fn numbers(&self) -> &Numbers {
        self.numbers.get_or_init(|| {
            let firsts = self.firsts();
            let first = |token: &Token<'_>| firsts.get(&token.mark?).copied().filter(|_| token.piece > 0);
            let had = |token: &Token<'_>| Numbers::number(token.attribute(self.sample, INDEX)?);
            Numbers::new(self.tokens().iter().map(|token| (had(token), first(token))))
        })
    }

    /// Whether the tokens had a tree beside them that is none any more.
    pub fn loses_tree(&self) -> bool {
        *self.loses_tree.get_or_init(|| {
            // Most samples have no tree, and a long text without marks need not be cut to see that.
            let has_head = |mark: &Mark| mark.attributes.iter().any(|(name, _)| &**name == "head");
            if !self.sample.marks.iter().any(has_head) {
                return false;
            }
            let tokens = self.tokens();
            self.numbers().lose_tree(|at| tokens[at].attribute(self.sample, "head"))
        })
    }

    /// How the tokens stand to each other, if they remember how they stood.
    pub fn spacing(&self) -> Option<&Spacing> {
        self.spacing.get_or_init(|| Spacing::of(self)).as_ref()
    }

    /// The text of the field called `role`.
    pub fn field(&self, role: &str) -> &'a str {
        self.sample.fields.iter().find(|field| &*field.name == role).map_or("", |field| field.text.as_str())
    }

    /// The text of a field, or of the part of it that came from this column.
    pub fn text(&self, column: &Column) -> Value {
        let text = self.field(column.role);
        if column.form != JOINED {
            return text.into();
        }
        // A column reaches from where its words start (the first from the start of the text) to where those of the next
        // column start, without the space that joins the two. Words put in between belong to the column before.
        let here = |field: usize| self.sample.fields.get(field).is_some_and(|field| &*field.name == column.role);
        let columns: Vec<_> = self.sample.layer(COLUMN).filter(|(_, mark)| here(mark.field)).collect();
        let Some(at) = columns.iter().position(|(_, mark)| *mark.value == *column.name) else { return "".into() };
        let start = if at == 0 { 0 } else { columns[at].1.span.start };
        let Some((_, next)) = columns.get(at + 1) else { return text.get(start..).unwrap_or("").into() };
        let part = text.get(start..next.span.start).unwrap_or("");
        part.strip_suffix(' ').unwrap_or(part).into()
    }

    /// The form that the column with the given role came in.
    pub fn form_of(&self, role: &str) -> &'static str {
        let columns = self.sample.origin.iter().flat_map(|origin| &origin.columns);
        columns.into_iter().find(|column| column.role == role).map_or("", |column| column.form)
    }

    /// The class.
    pub fn label(&self) -> Value {
        self.sample.label.as_ref().map_or(Value::Null, |label| label.0.clone())
    }

    /// The tokens of the first field as they are now.
    pub fn tokens(&self) -> &[Token<'a>] {
        self.tokens.get_or_init(|| tokens::cut(self.sample))
    }

    /// Characters and bytes of the first field.
    pub fn offsets(&self) -> &Offsets {
        self.offsets.get_or_init(|| Offsets::new(self.sample.fields.first().map_or("", |field| field.text.as_str())))
    }
}
