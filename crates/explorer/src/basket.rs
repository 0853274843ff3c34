//! The basket: examples that the user chose or made, with where they came from.

mod shelf;

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use fissure_core::{Edit, Label, Sample, compose};
use fissure_data::{Format, Row, Task, Writer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::Draft;
use crate::session::Session;

pub use shelf::Shelf;

/// The most examples in the basket, and the most steps of one: a page that goes wild fills no memory.
const MOST: usize = 10_000;
const STEPS: usize = 1_000;

/// What the page sends to keep.
#[derive(Debug, Deserialize)]
pub struct Keep {
    pub example: usize,
    #[serde(default)]
    pub model: usize,
    /// The texts on the way from the original to what is kept; none for the original itself.
    #[serde(default)]
    pub steps: Vec<Draft>,
    /// The label it should have: one of the model's, `""` for none. Left out: as the original.
    #[serde(default)]
    pub label: Option<String>,
}

/// An example in the basket.
#[derive(Debug, Clone)]
pub struct Kept {
    pub number: usize,
    /// Its original among the examples; `None` if it came from other data, some other time.
    pub example: Option<usize>,
    /// The original, changed, with the provenance in extra columns.
    pub sample: Sample,
    pub was: String,
    pub is: String,
    pub flipped: bool,
    pub changed: bool,
}

/// The basket.
#[derive(Debug, Default)]
pub struct Basket {
    pub kept: Vec<Kept>,
    /// Examples that are not saved: neither downloaded nor in the file of the basket.
    pub unsaved: usize,
}

impl Session {
    /// Puts an example into the basket; gives its number.
    pub fn keep(&self, visit: &Visit<'_>, keep: &Keep) -> Result<usize, Problem> {
        let original = self.setup.samples.get(keep.example).ok_or_else(|| Problem::not_found("such example"))?;
        let subject = self.setup.subjects.get(keep.model).ok_or_else(|| Problem::not_found("such model"))?;
        if keep.steps.len() > STEPS {
            return Err(Problem::bad(format!("An example of more than {STEPS} steps is too much to keep.")));
        }
        let edits = trail(original, &keep.steps);
        let applied = fissure_core::apply(original, edits.clone()).map_err(|fault| Problem::bad(fault.to_string()))?;
        let mut sample = applied.sample;
        let answers = self.truth(visit, keep.model, &[draft_of(original), draft_of(&sample)])?;
        let [was, is] = [0, 1].map(|at| self.labels(keep.model)[answers[at].predicted].clone());
        let label_from = match &keep.label {
            None => "original",
            Some(label) => {
                sample.label = self
                    .labels(keep.model)
                    .iter()
                    .position(|known| known == label)
                    .map(|class| self.written(keep.model, class));
                "person"
            }
        };
        let shown = |edit: &Edit| {
            let field = &original.fields[edit.field];
            json!({ "field": &*field.name, "start": edit.span.start, "end": edit.span.end,
                    "old": edit.span.of(&field.text), "new": edit.with })
        };
        let provenance = json!({
            "from": original.id, "data": self.setup.title, "model": subject.name, "label_from": label_from,
            "answer_before": was, "answer_after": is, "flipped": was != is,
            "probability_before": answers[0].probability(answers[0].predicted),
            "probability_after": answers[1].probability(answers[1].predicted),
            "edits": edits.iter().map(shown).collect::<Vec<_>>(), "by": "fissure explore",
            "version": env!("CARGO_PKG_VERSION"),
        });
        let mut basket = self.basket();
        if basket.kept.len() >= MOST {
            return Err(Problem::bad(format!("The basket holds {MOST} examples: save them first.")));
        }
        let number = basket.kept.last().map_or(1, |last| last.number + 1);
        if !edits.is_empty() {
            sample.id = format!("{}-made-{number}", original.id);
        }
        sample.extra.retain(|(name, _)| **name != *COLUMN);
        sample.extra.push((COLUMN.into(), provenance));
        let (flipped, changed) = (was != is, !edits.is_empty());
        basket.kept.push(Kept { number, example: Some(keep.example), sample, was, is, flipped, changed });
        basket.unsaved += 1;
        self.shelve(&mut basket)?;
        Ok(number)
    }

    /// Takes an example out again.
    pub fn drop_kept(&self, number: usize) -> Result<(), Problem> {
        let mut basket = self.basket();
        let before = basket.kept.len();
        basket.kept.retain(|kept| kept.number != number);
        if basket.kept.len() < before {
            basket.unsaved = basket.unsaved.saturating_sub(1);
            self.shelve(&mut basket)?;
        }
        Ok(())
    }

    /// A class as the data write it: `1` where they number what the model names.
    fn written(&self, model: usize, class: usize) -> Label {
        let same = self.setup.samples.iter().enumerate().find(|(at, _)| self.gold(model, *at) == Some(class));
        same.and_then(|(_, sample)| sample.label.clone())
            .unwrap_or_else(|| Label::from(self.labels(model)[class].as_str()))
    }

    /// The basket as a file in the shape of the data, with a column `fissure` that says where each came from.
    pub fn export(&self, format: Format) -> Result<Vec<u8>, Problem> {
        let mut basket = self.basket();
        let bytes = written(self.setup.task, &basket.kept, format)?;
        basket.unsaved = 0;
        Ok(bytes)
    }
}

/// The column that says where an example came from.
const COLUMN: &str = "fissure";

fn written(task: &'static Task, kept: &[Kept], format: Format) -> crate::Result<Vec<u8>> {
    let buffer = Buffer::default();
    let mut writer = Writer::of(buffer.clone(), format, task);
    let mut rows: Vec<_> = kept.iter().map(|kept| row(task, kept)).collect();
    if matches!(format, Format::Csv | Format::Tsv) {
        level(&mut rows);
    }
    for (kept, row) in kept.iter().zip(&rows) {
        writer.write_row(row, &kept.sample.id)?;
    }
    writer.finish()?;
    Ok(buffer.taken())
}

/// Gives every row the columns of all, in the order in which they first appear; a table has no other rows. What a row
/// does not have is empty.
fn level(rows: &mut [Row]) {
    let mut names: Vec<Arc<str>> = Vec::new();
    for name in rows.iter().flat_map(Row::names) {
        if !names.contains(name) {
            names.push(Arc::clone(name));
        }
    }
    for row in rows {
        let value = |name: &Arc<str>| row.get(name).cloned().unwrap_or_default();
        *row = Row(names.iter().map(|name| (Arc::clone(name), value(name))).collect());
    }
}

/// The columns of a kept example. Data without ids get one: a made example needs an id of its own.
fn row(task: &'static Task, kept: &Kept) -> Row {
    let mut row = task.row(&kept.sample);
    match row.0.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case("id")) {
        Some((_, value)) => *value = Value::from(kept.sample.id.clone()),
        None => row.0.insert(0, ("id".into(), kept.sample.id.clone().into())),
    }
    row
}

/// The steps as edits of the original.
fn trail(original: &Sample, steps: &[Draft]) -> Vec<Edit> {
    let mut all = Vec::new();
    for (at, field) in original.fields.iter().enumerate().take(2) {
        let mut edits: Vec<Edit> = Vec::new();
        let mut now = field.text.as_str();
        for step in steps {
            let next = if at == 0 { Some(step.text.as_str()) } else { step.pair.as_deref() };
            let Some(next) = next else { continue };
            let change: Vec<Edit> = Edit::between(now, next).into_iter().collect();
            edits = compose(&field.text, &edits, &change);
            now = next;
        }
        // Steps that undo one another leave no edit.
        edits.retain(|edit| edit.span.of(&field.text) != edit.with);
        all.extend(edits.into_iter().map(|edit| edit.on(at)));
    }
    all
}

/// A sample as the page has it.
pub fn draft_of(sample: &Sample) -> Draft {
    let input = fissure_geometry::input_of(sample);
    Draft { text: input.text.to_owned(), pair: input.pair.map(str::to_owned) }
}

/// Bytes that a writer fills and we keep hold of.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn taken(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_columns_of_every_example() {
        let kept = |number: usize, extra: &[(&str, Value)]| {
            let mut sample = Sample::of_text(number.to_string(), "fine");
            sample.extra = extra.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
            let (was, is) = ("a".to_owned(), "a".to_owned());
            Kept { number, example: None, sample, was, is, flipped: false, changed: false }
        };
        let all =
            [kept(1, &[("year", json!(2001))]), kept(2, &[]), kept(3, &[("place", json!("x")), ("year", json!(2))])];
        let task = fissure_tasks::find("sa").unwrap();
        let table = String::from_utf8(written(task, &all, Format::Csv).unwrap()).unwrap();
        assert_eq!(table, "id,text,year,place\n1,fine,2001,\n2,fine,,\n3,fine,2,x\n");
    }

    #[test]
    fn steps_become_edits_of_the_original() {
        let original = Sample::of_text("1", "so good, so fine");
        let step = |text: &str| Draft { text: text.into(), pair: None };
        let edits = trail(&original, &[step("so bad, so fine"), step("so bad, so dull")]);
        assert_eq!(edits, [Edit::replace(3..6, "ba"), Edit::replace(12..16, "dull")]);
        assert_eq!(fissure_core::splice("so good, so fine", &edits), "so bad, so dull");
        assert!(trail(&original, &[step("so bad, so fine"), step("so good, so fine")]).is_empty());
        assert!(trail(&original, &[]).is_empty());
    }
}
