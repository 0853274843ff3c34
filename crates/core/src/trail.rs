//! The trail: what was done to a sample, by which part, and how to undo it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::apply::by_field;
use crate::{BadEdit, Change, Edit, Label, Sample, Span, check, compose, splice};

/// The record of a change: every edit against the *original* text, however many parts took part.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trail {
    /// The parts that ran, in order.
    pub steps: Vec<Step>,
    pub edits: Vec<TrailEdit>,
    /// What parts did to labels: a new class, another value of a mark, a mark that came or went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<TrailLabel>,
    /// The marks that the change puts on trial, as the changed sample has them; empty if all are, or none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_trial: Vec<TrailMark>,
    /// The ids of the samples that words were taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub donors: Vec<Arc<str>>,
    /// Edits that were refused because they would have cut a label.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused: usize,
    /// Labels that were dropped because their words are gone.
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: usize,
}

/// One part at work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    pub part: &'static str,
    pub seed: u64,
    /// Its knobs, `(name, value)`, as they were set.
    #[serde(serialize_with = "as_map")]
    pub knobs: Arc<[(&'static str, String)]>,
    /// How many edits it made.
    pub edits: usize,
}

/// One edit of the original text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailEdit {
    pub field: Arc<str>,
    /// The bytes of the original that were replaced.
    pub start: usize,
    pub end: usize,
    pub old: String,
    pub new: String,
}

/// One mark on trial: metrics over marks count it, and leave the others out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailMark {
    pub layer: String,
    pub words: String,
    /// What the file calls it, if it has a name there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// One label that parts set. A label that only moved with its words is not one of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailLabel {
    /// The layer of the mark; `class` for the class of the sample.
    pub layer: String,
    /// The words of the mark; empty for the class.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The label in the original; `None` if it is new.
    pub old: Option<String>,
    /// The label in the changed sample; `None` if it is gone.
    pub new: Option<String>,
}

impl Trail {
    /// Writes down that the class of the sample is another one now.
    pub fn record_class(&mut self, old: &Label, new: &Label) {
        let [old, new] = [old, new].map(|label| Some(label.to_string()));
        self.labels.push(TrailLabel { layer: "class".into(), words: String::new(), old, new });
    }

    /// Writes down which marks of the changed sample are on trial.
    pub(crate) fn record_trial(&mut self, changed: &Sample, focus: &[usize]) {
        let marks = focus.iter().filter_map(|at| changed.marks.get(*at));
        self.on_trial = marks
            .map(|mark| TrailMark {
                layer: mark.layer.into(),
                words: changed.words_of(mark).to_owned(),
                key: mark.key().map(str::to_owned),
            })
            .collect();
    }

    /// Writes down what happened to the labels; `index` says where each mark of the original is now. Marks that are gone
    /// with their words are [counted](Trail::dropped), not listed.
    pub(crate) fn record_labels(&mut self, original: &Sample, changed: &Sample, index: &[Option<usize>]) {
        if original.label != changed.label {
            let [old, new] = [original, changed].map(|sample| sample.label.as_ref().map(ToString::to_string));
            self.labels.push(TrailLabel { layer: "class".into(), words: String::new(), old, new });
        }
        let mut is_new = vec![true; changed.marks.len()];
        for (mark, now) in original.marks.iter().zip(index) {
            let Some(now) = *now else { continue };
            is_new[now] = false;
            let new = &changed.marks[now];
            if new.value != mark.value {
                let (old, new_value) = (Some(mark.value.clone()), Some(new.value.clone()));
                let words = changed.words_of(new).to_owned();
                self.labels.push(TrailLabel { layer: mark.layer.into(), words, old, new: new_value });
            }
        }
        for mark in changed.marks.iter().zip(&is_new).filter(|(_, is_new)| **is_new).map(|(mark, _)| mark) {
            let words = changed.words_of(mark).to_owned();
            self.labels.push(TrailLabel { layer: mark.layer.into(), words, old: None, new: Some(mark.value.clone()) });
        }
    }

    /// Writes down the edits against the original.
    pub(crate) fn record(&mut self, original: &Sample, edits: Vec<Edit>) {
        self.edits = edits
            .into_iter()
            .map(|Edit { field, span, with, .. }| {
                let field = &original.fields[field];
                let Span { start, end } = span;
                TrailEdit { field: Arc::clone(&field.name), start, end, old: span.of(&field.text).into(), new: with }
            })
            .collect();
    }

    /// The original texts, field by field, from the changed sample.
    pub fn undo(&self, changed: &Sample) -> Result<Vec<String>, BadEdit> {
        changed
            .fields
            .iter()
            .map(|field| {
                let mut shift = 0isize;
                let mut back = Vec::new();
                for edit in self.edits.iter().filter(|edit| edit.field == field.name) {
                    let start = edit.start.wrapping_add_signed(shift);
                    shift += edit.new.len() as isize - edit.old.len() as isize;
                    back.push(Edit::replace(start..start.saturating_add(edit.new.len()), edit.old.as_str()));
                }
                check(&field.text, &back)?;
                Ok(splice(&field.text, &back))
            })
            .collect()
    }
}

impl TrailEdit {
    /// Edits as JSON: the bytes that serde gives, written by hand because a door that takes texts one by one spends a tenth
    /// of its time here.
    pub fn list_to_json(edits: &[Self]) -> String {
        let fixed = r#"{"field":"","start":,"end":,"old":"","new":""},"#.len() + 12;
        let room = |edit: &Self| fixed + edit.field.len() + edit.old.len() + edit.new.len();
        let mut json = String::with_capacity(2 + edits.iter().map(room).sum::<usize>());
        json.push('[');
        for edit in edits {
            json.push_str(if json.len() == 1 { r#"{"field":"# } else { r#",{"field":"# });
            push_json(&mut json, &edit.field);
            for (name, number) in [(r#","start":"#, edit.start), (r#","end":"#, edit.end)] {
                json.push_str(name);
                push_number(&mut json, number);
            }
            for (name, text) in [(r#","old":"#, &edit.old), (r#","new":"#, &edit.new)] {
                json.push_str(name);
                push_json(&mut json, text);
            }
            json.push('}');
        }
        json.push(']');
        json
    }
}

/// A text as JSON, in quotes.
fn push_json(json: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        json.push_str(&serde_json::Value::from(text).to_string());
        return;
    }
    json.push('"');
    json.push_str(text);
    json.push('"');
}

fn push_number(json: &mut String, mut number: usize) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    json.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

/// The marks that the change takes off while their words stay.
pub(crate) fn taken_off(sample: &Sample, change: &Change) -> Vec<TrailLabel> {
    let gone = change.values.iter().filter(|(_, value)| value.is_none());
    let mark = gone.filter_map(|(mark, _)| sample.marks.get(*mark));
    mark.map(|mark| {
        let (words, old) = (sample.words_of(mark).to_owned(), Some(mark.value.clone()));
        TrailLabel { layer: mark.layer.into(), words, old, new: None }
    })
    .collect()
}

/// [`compose`] for a whole sample: `second` was made on what `first` left. Both lists are sorted by field.
pub(crate) fn compose_fields(original: &Sample, first: &[Edit], second: &[Edit]) -> Vec<Edit> {
    let of = |edits: &[Edit], wanted: usize| -> Vec<Edit> {
        by_field(edits).find(|(field, _)| *field == wanted).map_or_else(Vec::new, |(_, edits)| edits.to_vec())
    };
    (0..original.fields.len())
        .flat_map(|field| {
            let edits = compose(&original.fields[field].text, &of(first, field), &of(second, field));
            edits.into_iter().map(move |edit| edit.on(field))
        })
        .collect()
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn as_map<S: serde::Serializer>(knobs: &Arc<[(&'static str, String)]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(knobs.iter().map(|(name, value)| (name, value)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edits_are_written_as_serde_writes_them(
            edits in proptest::collection::vec(("\\PC{0,5}", any::<usize>(), 0..2000usize, any::<String>(), "[a-z\"\\\\\n\t\u{7f}é]{0,9}"), 0..4),
        ) {
            let edit = |(field, start, end, old, new): (String, usize, usize, String, String)| {
                TrailEdit { field: field.into(), start, end, old, new }
            };
            let edits: Vec<TrailEdit> = edits.into_iter().map(edit).collect();
            prop_assert_eq!(TrailEdit::list_to_json(&edits), serde_json::to_string(&edits).unwrap());
        }
    }
}
