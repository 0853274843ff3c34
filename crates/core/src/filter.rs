//! Conditions on samples, as a user writes them: `label == "pos" and length > 20`.
//!
//! ```text
//! condition  = either { "or" either }
//! either     = simple { "and" simple }
//! simple     = "not" simple | "(" condition ")" | value [ sign value ]
//! sign       = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains"
//! value      = "text" | 'text' | number | true | false | null | name
//! ```
//!
//! A name is `label`, `id`, a text field, a further column of the data, or a measure: `length` (words of the open
//! texts) and `letters`. Names with other signs than letters, digits, `_`, `-` and `.` go between backticks.

mod read;

use std::cmp::Ordering;

use serde_json::Value;

use crate::Sample;
use read::Reader;

/// A condition on samples.
///
/// ```
/// use fissure_core::{Sample, Filter};
/// let long = Filter::parse("length > 3 and not text contains \"soup\"").unwrap();
/// assert_eq!(long.holds(&Sample::of_text("1", "Bread and butter, please")), Ok(true));
/// assert_eq!(long.holds(&Sample::of_text("2", "Bread")), Ok(false));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    text: String,
    condition: Condition,
}

#[derive(Debug, Clone, PartialEq)]
enum Condition {
    Or(Vec<Self>),
    And(Vec<Self>),
    Not(Box<Self>),
    Compare(Operand, Sign, Operand),
    /// A value that must be true.
    Is(Operand),
}

#[derive(Debug, Clone, PartialEq)]
enum Operand {
    Constant(Value),
    Name(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Contains,
}

/// Why a condition cannot be read, or not be decided for a sample.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    #[error("`--where {text}` cannot be read: at character {at}, {wanted}")]
    Syntax { text: String, at: usize, wanted: String },
    #[error("`--where {text}` asks for `{name}`, which sample {id} does not have; it has {known}")]
    NoSuchName { text: String, name: String, id: String, known: String },
    #[error("`--where {text}` compares {left} with {right} in sample {id}: only numbers and texts have an order")]
    NoOrder { text: String, left: String, right: String, id: String },
}

impl Filter {
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let condition = Reader::new(text)?.whole()?;
        Ok(Self { text: text.into(), condition })
    }

    /// Whether the condition holds for a sample.
    pub fn holds(&self, sample: &Sample) -> Result<bool, FilterError> {
        self.decide(&self.condition, sample)
    }

    fn decide(&self, condition: &Condition, sample: &Sample) -> Result<bool, FilterError> {
        match condition {
            Condition::Or(any) => any.iter().try_fold(false, |found, next| Ok(found || self.decide(next, sample)?)),
            Condition::And(all) => all.iter().try_fold(true, |found, next| Ok(found && self.decide(next, sample)?)),
            Condition::Not(other) => Ok(!self.decide(other, sample)?),
            Condition::Is(operand) => Ok(self.value(operand, sample)? == Value::Bool(true)),
            Condition::Compare(left, sign, right) => {
                let (left, right) = (self.value(left, sample)?, self.value(right, sample)?);
                self.compare(&left, *sign, &right, sample)
            }
        }
    }

    fn compare(&self, left: &Value, sign: Sign, right: &Value, sample: &Sample) -> Result<bool, FilterError> {
        let order = || {
            order(left, right).ok_or_else(|| FilterError::NoOrder {
                text: self.text.clone(),
                left: left.to_string(),
                right: right.to_string(),
                id: sample.id.clone(),
            })
        };
        Ok(match sign {
            Sign::Equal => equal(left, right),
            Sign::Unequal => !equal(left, right),
            Sign::Less => order()? == Ordering::Less,
            Sign::AtMost => order()? != Ordering::Greater,
            Sign::Greater => order()? == Ordering::Greater,
            Sign::AtLeast => order()? != Ordering::Less,
            Sign::Contains => match left {
                Value::Array(items) => items.iter().any(|item| equal(item, right)),
                other => plain(other).contains(&plain(right)),
            },
        })
    }

    fn value(&self, operand: &Operand, sample: &Sample) -> Result<Value, FilterError> {
        let name = match operand {
            Operand::Constant(value) => return Ok(value.clone()),
            Operand::Name(name) => name,
        };
        // The data's own columns come before what is measured.
        let column = match name.as_str() {
            "id" => Some(sample.id.as_str().into()),
            "label" => sample.label.as_ref().map(|label| label.0.clone()),
            other => sample.text(other).map(|text| text.as_str().into()),
        };
        let extra = || sample.extra.iter().find(|(column, _)| **column == **name).map(|(_, value)| value.clone());
        column.or_else(extra).or_else(|| measure(sample, name)).ok_or_else(|| self.no_such(name, sample))
    }

    fn no_such(&self, name: &str, sample: &Sample) -> FilterError {
        let label = sample.label.as_ref().map(|_| "label");
        let fields = sample.fields.iter().map(|field| &*field.name);
        let extra = sample.extra.iter().map(|(column, _)| &**column);
        let known: Vec<&str> = ["id"].into_iter().chain(label).chain(fields).chain(extra).chain(MEASURES).collect();
        FilterError::NoSuchName {
            text: self.text.clone(),
            name: name.into(),
            id: sample.id.clone(),
            known: format!("`{}`", known.join("`, `")),
        }
    }
}

/// What can be asked of every sample.
const MEASURES: [&str; 2] = ["length", "letters"];

fn measure(sample: &Sample, name: &str) -> Option<Value> {
    let open = || sample.fields.iter().filter(|field| field.open).map(|field| &field.text);
    match name {
        "length" => Some(open().map(|text| text.words().count()).sum::<usize>().into()),
        "letters" => Some(open().map(|text| text.letter_count()).sum::<usize>().into()),
        _ => None,
    }
}

/// Tables say `"1"` where JSON says `1`: they are equal.
fn equal(left: &Value, right: &Value) -> bool {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left == right || (!left.is_null() && !right.is_null() && plain(left) == plain(right)),
    }
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.partial_cmp(&right),
        _ => Some(left.as_str()?.cmp(right.as_str()?)),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
