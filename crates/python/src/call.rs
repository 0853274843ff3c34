//! Runs commands of the program in this process, with models of Python passed by name.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use fissure::{Closer, Listener, Said, Step};
use fissure_models::Error;
use fissure_models::own::{self, OwnModel};
use fissure_models::remote::{Channel, Reply};
use fissure_tasks::Question;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::{Value, json};

use crate::door::{Door, Here, is_serving};
use crate::errors;
use crate::torch::TorchModel;
use crate::values::{to_json, to_python};

/// A model of Python, as its half of the package describes it.
#[derive(FromPyObject)]
pub struct Described {
    /// `python:NAME`.
    #[pyo3(item)]
    name: String,
    /// Takes a list of questions, and gives as many answers.
    #[pyo3(item)]
    ask: Py<PyAny>,
    #[pyo3(item)]
    labels: Option<Vec<String>>,
    #[pyo3(item)]
    checksum: Option<String>,
    /// A white box, if the model is one.
    #[pyo3(item)]
    inside: Option<Py<PyAny>>,
}

impl Described {
    fn lend(self, py: Python<'_>, door: &Door) -> PyResult<String> {
        let Self { name, ask, labels, checksum, inside } = self;
        let model = match inside {
            Some(inside) => {
                let model = TorchModel::new(py, inside, &labels.unwrap_or_default(), door)?;
                OwnModel::Inside { model: Arc::new(model), checksum: checksum.unwrap_or_default() }
            }
            None => {
                let hello = labels.map_or(Value::Null, |labels| json!({ "labels": labels }));
                let hello = if hello.is_null() { json!({}) } else { hello };
                OwnModel::Channel(Arc::new(PythonChannel {
                    ask: Arc::new(ask),
                    name: name.clone(),
                    hello,
                    door: door.clone(),
                }))
            }
        };
        own::register(&name, model);
        Ok(name)
    }
}

/// The models that are registered for a command; removed when it ends, however it ends.
struct Lent(Vec<String>);

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.iter().for_each(|name| own::unregister(name));
    }
}

/// The models that a command may ask.
fn lend(py: Python<'_>, models: Vec<Described>, door: &Door) -> PyResult<Lent> {
    let mut lent = Lent(Vec::new());
    for model in models {
        lent.0.push(model.lend(py, door)?);
    }
    Ok(lent)
}

/// Passes on what a command says: results to `out`, notes to a function of a text, progress to one of what is counted, how
/// many are done, how many there are, and whether this is the end.
fn listener(door: &Door, out: &Arc<Mutex<String>>, note: Py<PyAny>, progress: Option<Py<PyAny>>) -> Listener {
    let (door, out, note, progress) = (door.clone(), Arc::clone(out), Arc::new(note), progress.map(Arc::new));
    Arc::new(move |said: Said<'_>| match said {
        Said::Result(text) => out.lock().unwrap_or_else(PoisonError::into_inner).push_str(text),
        Said::Note(text) => {
            let (note, text) = (Arc::clone(&note), text.to_owned());
            // A note that cannot be shown must not end the work.
            let _ = door.ask(move |py| note.call1(py, (text,)).map(|_| ()));
        }
        Said::Progress(Step { what, done, total, ended }) => {
            if let Some(progress) = progress.clone() {
                let _ = door.ask(move |py| progress.call1(py, (what, done, total, ended)).map(|_| ()));
            }
        }
    })
}

/// Runs a command: its exit code, and what it printed on standard output. `note` and `progress` hear the rest.
#[pyfunction]
#[pyo3(signature = (words, models, note, progress = None))]
pub fn call(
    py: Python<'_>,
    words: Vec<OsString>,
    models: Vec<Described>,
    note: Py<PyAny>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u8, String)> {
    if is_serving() {
        let message = "a model was asked, and wanted to run a command: run it before or after";
        return Err(errors::raise(py, "NotOffered", message, &[]));
    }
    let here = Here::new();
    let _lent = lend(py, models, &here.door)?;
    let printed = Arc::new(Mutex::new(String::new()));
    let listener = listener(&here.door, &printed, note, progress);
    let door = here.door.clone();
    let done = here.run(
        py,
        || fissure::call(words, listener, Arc::new(move || door.is_stopped())).map_err(Box::new),
        |done| done.as_ref().err().map(|error| fissure::with_causes(error)),
    )?;
    let code = done.map_err(|error| errors::of_command(py, &error))?;
    let printed = std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((code, printed))
}

/// Keeps a page open.
#[pyclass(frozen, module = "fissure._native")]
pub struct NativePage {
    url: String,
    closer: Mutex<Option<Closer>>,
}

#[pymethods]
impl NativePage {
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    fn close(&self) {
        self.closer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Serves the page of `fissure explore` until it is closed; models are asked on the thread of this call. `opened` gets a
/// `NativePage`.
#[pyfunction]
pub fn explore(
    py: Python<'_>,
    words: Vec<OsString>,
    models: Vec<Described>,
    note: Py<PyAny>,
    opened: Py<PyAny>,
) -> PyResult<()> {
    let here = Here::new();
    let _lent = lend(py, models, &here.door)?;
    let listener = listener(&here.door, &Arc::default(), note, None);
    let door = here.door.clone();
    let opened = move |url: String, closer: Closer| {
        // Fails only if Python raises, which ends the page: its closer is gone.
        let _ =
            door.ask(move |py| opened.call1(py, (NativePage { url, closer: Mutex::new(Some(closer)) },)).map(|_| ()));
    };
    let done = here.run_aside(
        py,
        || fissure::explore(words, listener, opened).map_err(Box::new),
        |done| done.as_ref().err().map(|error| fissure::with_causes(error)),
    )?;
    done.map_err(|error| errors::of_command(py, &error))
}

/// The arguments that a command takes besides its positions: `(name, whether it takes a value)`.
#[pyfunction]
pub fn arguments(py: Python<'_>, words: Vec<String>) -> PyResult<Vec<(String, bool)>> {
    let mut command = fissure::command();
    for word in &words {
        let found = command.find_subcommand(word).cloned();
        command =
            found.ok_or_else(|| errors::raise(py, "UnknownName", &format!("there is no command `{word}`"), &[]))?;
    }
    let named = command
        .get_arguments()
        .filter_map(|argument| Some((argument.get_long()?.replace('-', "_"), argument.get_action().takes_values())));
    Ok(named.collect())
}

/// A function of Python that answers questions of the protocol, a list of them at a time.
#[derive(Debug)]
struct PythonChannel {
    ask: Arc<Py<PyAny>>,
    name: String,
    hello: Value,
    door: Door,
}

impl Channel for PythonChannel {
    fn hello(&self) -> fissure_models::Result<Value> {
        Ok(self.hello.clone())
    }

    fn ask(&self, questions: &[Question]) -> fissure_models::Result<Vec<Reply>> {
        let gone = |why| Error::Remote { place: self.name.clone(), why };
        let questions: Vec<Value> = questions.iter().map(Question::to_json).collect();
        let (ask, count) = (Arc::clone(&self.ask), questions.len());
        let answers: Vec<Value> = self
            .door
            .ask(move |py| {
                let list = PyList::empty(py);
                for question in &questions {
                    list.append(to_python(py, question)?)?;
                }
                ask.bind(py).call1((list,))?.try_iter()?.map(|answer| to_json(&answer?)).collect()
            })
            .map_err(gone)?;
        if answers.len() != count {
            return Err(gone(format!("{} answers to {count} questions", answers.len())));
        }
        let reply = |answer: Value| match answer.get("error").and_then(Value::as_str) {
            Some(why) => Err(why.to_owned()),
            None => Ok(answer),
        };
        Ok(answers.into_iter().map(reply).collect())
    }
}
