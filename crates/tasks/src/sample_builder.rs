//! A sample in the making: what a task's reading works on.

use std::sync::Arc;

use fissure_core::layer::COLUMN;
use fissure_core::{Anchor, Column, Dice, Field, Label, Mark, Origin, Sample, Span};
use serde_json::Value;

use crate::{ColumnPlan, Task};
use crate::{Fault, MOST_VALUES, Row, may_have_more_values};

/// The form of a column that is one of several joined into a text.
pub(crate) const JOINED: &str = "joined";

pub(crate) struct SampleBuilder {
    pub sample: Sample,
    task: &'static Task,
    plan: Arc<ColumnPlan>,
    values: Vec<(Arc<str>, Value)>,
    columns: Vec<Column>,
}

impl SampleBuilder {
    pub fn new(task: &'static Task, plan: &Arc<ColumnPlan>, row: Row) -> Self {
        let id = plan.id.and_then(|at| id_of(&row.0[at].1));
        let role = |role: Option<usize>| role.map_or("", |at| task.roles[at].name);
        let column = |(name, at): (&Arc<str>, &Option<usize>)| Column {
            name: Arc::clone(name),
            role: role(*at),
            form: "",
            in_cell: false,
        };
        Self {
            sample: Sample { id: id.unwrap_or_default(), ..Sample::default() },
            columns: plan.names.iter().zip(&plan.roles).map(column).collect(),
            task,
            plan: Arc::clone(plan),
            values: row.0,
        }
    }

    pub fn task(&self) -> &'static Task {
        self.task
    }

    /// Takes the value of a role, with the name of its column for messages; `None` if the row has no such column. A
    /// list or an object that stands as JSON in a text is taken for what it is.
    pub fn take(&mut self, role: &str) -> Result<Option<(Arc<str>, Value)>, Fault> {
        let Some((column, mut value)) = self.take_plain(role)? else { return Ok(None) };
        if let Value::String(text) = &value
            && text.starts_with(['[', '{'])
            && !may_have_more_values(text.as_bytes(), MOST_VALUES)
            && let Ok(json @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text)
        {
            value = json;
            self.columns[column].in_cell = true;
        }
        Ok(Some((Arc::clone(&self.columns[column].name), value)))
    }

    /// Takes the value of a role as it is, with the number of its column.
    fn take_plain(&mut self, role: &str) -> Result<Option<(usize, Value)>, Fault> {
        match *self.columns_of(role) {
            [] => Ok(None),
            [column] => Ok(Some((column, self.values[column].1.take()))),
            _ => {
                let task = self.task.card.name;
                Err(Fault::columns(format!("`{role}` of task `{task}` is one column, not several joined by `+`")))
            }
        }
    }

    /// The value of a role, left where it is.
    pub fn peek(&self, role: &str) -> Option<&Value> {
        self.columns_of(role).first().map(|column| &self.values[*column].1)
    }

    /// Whether the row has a column with one of these names.
    pub fn has_column(&self, names: &[&str]) -> bool {
        self.columns.iter().any(|column| names.contains(&&*column.name))
    }

    /// Whether a label that is not there is missed.
    pub fn wants_labels(&self) -> bool {
        !self.plan.unlabelled
    }

    /// Remembers which of several spellings the value of a role had.
    pub fn set_form(&mut self, role: &str, form: &'static str) {
        for column in self.columns_of(role).to_vec() {
            self.columns[column].form = form;
        }
    }

    /// Gives a value back: its column is carried along as it came.
    pub fn give_back(&mut self, role: &str, value: Value) {
        if let Some(&column) = self.columns_of(role).first() {
            self.values[column].1 = value;
            self.columns[column].role = "";
        }
    }

    /// Takes every column that has no role and for which `wanted` makes something of the value; they get `role`.
    pub fn take_others<T>(
        &mut self,
        role: &'static str,
        wanted: impl Fn(&str, &mut Value) -> Option<T>,
    ) -> Vec<(Arc<str>, T)> {
        let mut taken = Vec::new();
        for ((name, value), column) in self.values.iter_mut().zip(&mut self.columns) {
            if column.role.is_empty()
                && let Some(made) = wanted(name, value)
            {
                column.role = role;
                taken.push((Arc::clone(name), made));
            }
        }
        taken
    }

    /// Makes a field of the text of a role. Several columns are joined by a space, with a mark on each.
    pub fn text(&mut self, role: &'static str) -> Result<(), Fault> {
        let mut text = String::new();
        let mut marks = Vec::new();
        let field = self.sample.fields.len();
        let columns = self.columns_of(role).to_vec();
        for (at, &column) in columns.iter().enumerate() {
            let (name, value) = &mut self.values[column];
            let part = match value.take() {
                Value::String(part) => part,
                other => {
                    let why = format!("{} where a text is needed", kind(&other));
                    return Err(Fault::at(Arc::clone(name), why, other));
                }
            };
            if columns.len() == 1 {
                text = part;
                continue;
            }
            if at > 0 {
                text.push(' ');
            }
            let span = Span::new(text.len(), text.len() + part.len());
            marks.push(Mark::new(COLUMN, field, span, &**name, Anchor::Elastic));
            text.push_str(&part);
            self.columns[column].form = JOINED;
        }
        self.sample.marks.append(&mut marks);
        self.field(role, text, false);
        Ok(())
    }

    /// Adds a field.
    pub fn field(&mut self, role: &'static str, text: String, from_tokens: bool) {
        let Some(at) = self.task.roles.iter().position(|known| known.name == role) else { return };
        let open = self.task.roles[at].open.unwrap_or(false);
        let name = Arc::clone(&self.plan.fields[at]);
        self.sample.fields.push(Field { name, text: text.into(), open, from_tokens });
    }

    /// Makes the class of the value of a role. Null, -1 and `-` stand for "none" in the usual data sets; the user may say that
    /// -1 is a label.
    pub fn label(&mut self, role: &'static str) -> Result<(), Fault> {
        let Some((column, value)) = self.take_plain(role)? else { return Ok(()) };
        match &value {
            Value::Array(_) | Value::Object(_) => {
                let column = Arc::clone(&self.columns[column].name);
                return Err(Fault::at(column, format!("{} where a class is needed", kind(&value)), value));
            }
            Value::Null => self.give_back(role, value),
            Value::String(none) if none == "-" => self.give_back(role, value),
            Value::Number(none) if none.as_i64() == Some(-1) && !self.plan.minus_one_is_label => {
                self.give_back(role, value);
            }
            _ => self.sample.label = Some(Label(value)),
        }
        Ok(())
    }

    /// The sample, with every column that nothing took, and how it was written down.
    pub fn finish(mut self) -> (Sample, Origin) {
        let others = self.values.into_iter().zip(&self.columns).filter(|(_, column)| column.role.is_empty());
        self.sample.extra.extend(others.map(|(value, _)| value));
        if self.sample.id.is_empty() {
            self.sample.id = content_id(self.sample.fields.iter().map(|field| field.text.as_str()));
        }
        (self.sample, Origin { columns: self.columns })
    }

    fn columns_of(&self, role: &str) -> &[usize] {
        let at = self.task.roles.iter().position(|known| known.name == role);
        at.map_or(&[], |at| &self.plan.columns[at])
    }
}

/// The id that a value gives to its sample; `None` if it is neither a text nor a number.
pub fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The id of a sample that no column names: a hash of its texts. The number of its row would depend on how a data set is
/// cut into files.
pub fn content_id<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<&str> = texts.into_iter().collect();
    let bits = Dice::new(0, &texts).bits();
    // By hand: a formatter takes longer than the dice, and every row of a file without ids comes here.
    let digit = |at: u32| char::from(b"0123456789abcdef"[(bits >> (60 - 4 * at) & 0xf) as usize]);
    std::iter::once('h').chain((0..16).map(digit)).collect()
}

/// Whether an id was made of the texts of its sample.
pub fn is_content_id(id: &str) -> bool {
    id.len() == 17 && id.strip_prefix('h').is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// What a value is, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing (null)",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_texts_is_their_hash_in_sixteen_digits() {
        for texts in [&["a good film"][..], &["", ""], &["Straße", "酒店"]] {
            let wanted = format!("h{:016x}", Dice::new(0, texts).bits());
            assert_eq!(content_id(texts.iter().copied()), wanted);
            assert!(is_content_id(&wanted));
        }
    }
}
