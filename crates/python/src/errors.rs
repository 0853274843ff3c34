//! Errors of the crates as exceptions of Python, which are declared in `fissure/errors.py`.

use fissure_core::Error as Core;
use fissure_data::BadRow;
use fissure_tasks::{Error as OfTask, Fault};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of the package, by the name of its class.
pub fn raise(py: Python<'_>, class: &str, message: &str, attributes: &[(&str, Option<String>)]) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("fissure.errors")?.getattr(class)?;
        let given = PyDict::new(py);
        for (name, value) in attributes {
            given.set_item(*name, value)?;
        }
        Ok(PyErr::from_value(class.call((in_python(message),), Some(&given))?))
    };
    made().unwrap_or_else(|other| other)
}

/// Any other error, as the base class of all.
pub fn other(py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
    raise(py, "Error", &error.to_string(), &[])
}

/// An error of the foundation.
pub fn core(py: Python<'_>, error: &Core) -> PyErr {
    let message = error.to_string();
    match error {
        Core::UnknownName { name, nearest, .. } => {
            let known = Some(quoted(nearest));
            raise(py, "UnknownName", &message, &[("name", Some(name.clone())), ("nearest", known)])
        }
        Core::UnknownKnob { knob, nearest, .. } => {
            raise(py, "BadKnob", &message, &[("knob", Some(knob.clone())), ("nearest", Some(quoted(nearest)))])
        }
        Core::KnobValue { knob, value, .. } => {
            raise(py, "BadKnob", &message, &[("knob", Some((*knob).into())), ("value", Some(value.clone()))])
        }
        Core::RetiredKnob { knob, .. } => raise(py, "BadKnob", &message, &[("knob", Some((*knob).into()))]),
        Core::Threshold { text } => raise(py, "BadKnob", &message, &[("value", Some(text.clone()))]),
        Core::KeepNeeds { .. } => raise(py, "NotOffered", &message, &[]),
        _ => raise(py, "Error", &message, &[]),
    }
}

/// An error of the tasks.
pub fn task(py: Python<'_>, error: &OfTask) -> PyErr {
    match error {
        OfTask::Unknown(error) => core(py, error),
        other => raise(py, "BadKnob", &other.to_string(), &[]),
    }
}

/// A row that cannot be used, by its number.
pub fn row(py: Python<'_>, number: usize, fault: &Fault) -> PyErr {
    if fault.of_columns {
        return raise(py, "UnknownName", &fault.why, &[("nearest", Some(quoted("")))]);
    }
    let message = format!("row {number}: {fault}. To go on without such rows: on_bad_row=\"skip\"");
    let column = fault.column.as_ref().map(ToString::to_string);
    raise(
        py,
        "BadRow",
        &message,
        &[("line", Some(number.to_string())), ("column", column), ("value", Some(fault.value.clone()))],
    )
}

/// An error of the readers.
pub fn data(py: Python<'_>, error: &fissure_data::Error) -> PyErr {
    use fissure_data::Error as E;
    match error {
        E::Task(error) => task(py, error),
        E::Unknown(error) => core(py, error),
        E::Columns { .. } => raise(py, "UnknownName", &error.to_string(), &[]),
        E::BadRow(BadRow { file, line, fault, .. }) => {
            let column = fault.column.as_ref().map(ToString::to_string);
            let (file, line) = (Some(file.to_string()), Some(line.to_string()));
            let value = Some(fault.value.clone());
            let attributes = [("file", file), ("line", line), ("column", column), ("value", value)];
            raise(py, "BadRow", &error.to_string(), &attributes)
        }
        other => raise(py, "Error", &other.to_string(), &[]),
    }
}

/// An error of a command.
pub fn of_command(py: Python<'_>, error: &fissure::Error) -> PyErr {
    use fissure::Error as E;
    use fissure_kit::Error as K;
    use fissure_models::Error as M;
    let said = fissure::with_causes(error);
    match error {
        E::Core(error) | E::Kit(K::Core(error)) => core(py, error),
        E::Data(error) | E::Kit(K::Data(error)) => data(py, error),
        E::Task(error) | E::Kit(K::Task(error)) => task(py, error),
        E::Evaluate(fissure_evaluate::Error::Data(error))
        | E::Kit(K::Evaluate(fissure_evaluate::Error::Data(error))) => data(py, error),
        E::Kit(K::WrongTask { .. } | K::NotClassified { .. } | K::NotTrained { .. })
        | E::BlackBox { .. }
        | E::NoGradients { .. } => raise(py, "NotOffered", &said, &[]),
        E::Model(M::Remote { .. } | M::NoLabels { .. }) | E::Kit(K::Model(M::Remote { .. } | M::NoLabels { .. })) => {
            raise(py, "ModelFailed", &said, &[])
        }
        _ => raise(py, "Error", &said, &[]),
    }
}

/// A fault of this crate, which no input should cause.
pub fn broken(why: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(format!("this is a fault of Fissure: {why}"))
}

/// What stands in backticks, one to a line.
fn quoted(text: &str) -> String {
    text.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n")
}

/// Flags of the command line, as Python writes them.
const FLAGS: &[(&str, &str)] = &[
    ("`--columns text=", "`column="),
    ("`--columns ", "`columns="),
    ("`--label-map LABEL=MODEL_LABEL,...`; `LABEL=`", "`label_map={LABEL: MODEL_LABEL, ...}`; `\"\"`"),
    ("--label-map ", "label_map="),
    ("--label-map", "label_map"),
    ("--on-bad-row skip", "on_bad_row=\"skip\""),
    (
        "give --senses LABEL=SENSE,..., for instance --senses 0=entails,2=contradicts, or 1=same,0=different for pairs that mean the same or not",
        "give senses={\"0\": \"entails\"}",
    ),
    ("give --donors FILE", "give donors=..."),
    ("give --language-model DIR", "give language_model=DIR"),
    ("give --translator", "give translator="),
    ("give --train FILE", "give train=..."),
    ("give --encoder DIR", "give encoder=DIR"),
    ("give --model DIR", "give model=..."),
    ("give --labels", "give labels=[...], in the order of the scores"),
    ("--force to replace it", "force=True to replace it"),
    ("`--keep ", "`keep="),
    ("`--where ", "`where="),
];

/// Commands that a message advises, as Python calls them with the word behind.
const CALLS: &[(&str, &str)] = &[("`fissure explain ", "fissure.explain"), ("`fissure list ", "fissure.catalog")];

/// Any other flag as an argument: `--without encoder` is `without="encoder"`, and `--parts` is `parts=`.
fn without_flags(message: &str) -> String {
    let mut written = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once("--") {
        let end = after.find(|sign: char| !sign.is_ascii_lowercase() && sign != '-').unwrap_or(after.len());
        let (name, behind) = after.split_at(end);
        written.push_str(before);
        if !name.starts_with(|sign: char| sign.is_ascii_lowercase())
            || before.ends_with(|sign: char| sign.is_alphanumeric())
        {
            written.push_str("--");
            rest = after;
            continue;
        }
        written.push_str(&name.replace('-', "_"));
        written.push('=');
        rest = behind;
        // In backticks the value follows: a word stands in quotes in Python.
        let value = before.ends_with('`').then(|| behind.strip_prefix(' ')?.split_once('`')).flatten();
        if let Some((value, behind)) = value {
            let is_plain = value.parse::<f64>().is_ok() || value.starts_with(['\'', '"']);
            written.push_str(&if is_plain { value.to_owned() } else { format!("\"{value}\"") });
            written.push('`');
            rest = behind;
        }
    }
    written.push_str(rest);
    written
}

/// A message that was written for the command line, for somebody who writes Python.
fn in_python(message: &str) -> String {
    let message = FLAGS.iter().fold(message.to_owned(), |message, (flag, python)| message.replace(flag, python));
    let message = without_flags(&message).replace("`fissure list`", "`fissure.catalog()`");
    CALLS.iter().fold(message, |message, (command, function)| {
        let Some((before, (word, after))) =
            message.split_once(command).and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
        else {
            return message;
        };
        format!("{before}`{function}(\"{word}\")`{after}")
    })
}
