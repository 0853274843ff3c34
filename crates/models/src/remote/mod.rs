//! Remote models: endpoints (`http://`, `https://`) and programs (`process:COMMAND`). Protocol: `docs/protocol.md`.
//!
//! Both are a [`Channel`] that takes questions and gives replies; what goes wrong with one question becomes that
//! question's reason, and only a model that can no longer be asked at all is an error. For classification a channel can
//! be seen as a [`Model`](crate::Model) through [`RemoteModel`].

mod apis;
mod body;
pub(crate) mod child;
mod http;
mod meter;
mod model;
mod names;
mod parallel;
mod process;
mod prompt;
mod secrets;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fissure_tasks::{Question, Task};
use serde_json::Value;

use crate::own::{self, OwnModel};
use crate::{Error, Result};

pub use body::Body;
pub use meter::{Asked, Meter};
pub use model::{RemoteModel, introduce};
pub use names::LabelNames;
pub use process::{command_files, program_files};
pub use prompt::Prompt;

/// An answer as an object of the protocol, or why there is none.
pub type Reply = std::result::Result<Value, String>;

/// A connection to a remote model.
pub trait Channel: fmt::Debug + Send + Sync {
    /// What the model says about itself (`{"name": ..., "labels": [...]}`); null if it says nothing.
    fn hello(&self) -> Result<Value>;

    /// Replies in the order of the questions. An error means that the model can no longer be asked.
    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>>;

    /// What counts the questions, if they are counted.
    fn meter(&self) -> Option<&Meter> {
        None
    }
}

/// How an endpoint wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Fissure's own small protocol.
    Fissure,
    /// The inference format of Hugging Face: `{"inputs": ...}`.
    HuggingFace,
    /// Chat completions as OpenAI has them, where the model answers with the name of a label.
    Chat,
}

/// The knobs of remote models.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// How to ask; guessed from the address where `None`.
    pub api: Option<Api>,
    /// The names of the classes, if the user gives them.
    pub labels: Vec<String>,
    /// The names of the classes in the data, for a model that says nothing of its own.
    pub data_labels: Vec<String>,
    /// What the model calls the classes, where it is another name. Without `labels`, the classes are those named here.
    pub label_names: LabelNames,
    /// The prompt of a chat, instead of ours.
    pub prompt: Option<Prompt>,
    /// What is added to the body of every request.
    pub body: Body,
    /// The name of the model, for endpoints that serve several.
    pub model: Option<String>,
    /// Sent as `Authorization: Bearer ...`; never written anywhere, and struck out of replies.
    pub token: Option<String>,
    /// How long one request, or one answer of a program, may take.
    pub timeout: Duration,
    /// How long a program may take from its start to the end of its greeting.
    pub start_timeout: Duration,
    /// How often a request is repeated when the endpoint is busy or gone.
    pub retries: u32,
    /// The pause before the first repetition; it doubles each time. An endpoint's `Retry-After` goes before it.
    pub pause: Duration,
    /// Most requests a second.
    pub rate: Option<f64>,
    /// Requests in flight at a time, or copies of the program.
    pub concurrency: usize,
    /// The most questions in one request; if `None`, 16, or what the greeting of a program says.
    pub batch: Option<usize>,
    /// Counts what is asked.
    pub meter: Arc<Meter>,
    /// Where to say what is waited for, if a pause is long.
    pub say: Option<fn(&str)>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            api: None,
            labels: Vec::new(),
            data_labels: Vec::new(),
            label_names: LabelNames::default(),
            prompt: None,
            body: Body::default(),
            model: None,
            token: None,
            timeout: Duration::from_secs(60),
            start_timeout: Duration::from_secs(600),
            retries: 5,
            pause: Duration::from_millis(500),
            rate: None,
            concurrency: 1,
            batch: None,
            meter: Arc::default(),
            say: None,
        }
    }
}

/// Questions in one request by default.
const USUAL_BATCH: usize = 16;

/// What a program's address starts with.
pub const PROCESS: &str = "process:";

/// The variable with the key for endpoints that want one; a key on the command line could be seen by others.
pub const API_KEY: &str = "FISSURE_API_KEY";

/// Whether a model's name is the address of a remote one.
pub fn is_remote(name: &str) -> bool {
    is_program(name) || own::is_asked(name) || name.starts_with("http://") || name.starts_with("https://")
}

/// An address as it may be written down and shown: a password in it, and what follows `?`, may be keys to it.
pub fn public(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://").filter(|_| is_remote(address) && !is_program(address)) else {
        return address.to_owned();
    };
    let (place, query) = rest.split_once('?').map_or((rest, ""), |(place, _)| (place, "?..."));
    let host = place.find('/').map_or(place, |end| &place[..end]);
    let (user, place) = host.rfind('@').map_or(("", place), |at| ("...@", &place[at + 1..]));
    format!("{scheme}://{user}{place}{query}")
}

/// Whether [`public`] left a part of the address out, so that the rest is not an address.
pub fn is_shortened(address: &str) -> bool {
    is_remote(address) && !is_program(address) && (address.ends_with("?...") || address.contains("://...@"))
}

fn is_program(address: &str) -> bool {
    address.starts_with(PROCESS)
}

/// Why a remote model cannot be asked.
fn gone(address: &str, why: String) -> Error {
    Error::Remote { place: public(address), why }
}

/// Opens the connection to a remote model, for questions of one task. What the options say wrong is found before anything is
/// asked or started.
pub fn connect(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<Arc<dyn Channel>> {
    let options = checked(address, task, options)?;
    if own::is_asked(address) {
        return own_channel(address);
    }
    let channel: Box<dyn Channel> = match address.strip_prefix(PROCESS) {
        Some(command) => Box::new(process::Program::start(command, task, &options)?),
        None => Box::new(http::Endpoint::new(address, task, &options)?),
    };
    if options.label_names.is_empty() {
        return Ok(channel.into());
    }
    Ok(Arc::new(names::Renamed { channel, names: options.label_names }))
}

/// The connection to a model of the caller.
fn own_channel(address: &str) -> Result<Arc<dyn Channel>> {
    match own::registered(address) {
        Some(OwnModel::Channel(channel)) => Ok(channel),
        _ => Err(gone(address, "it lived in a Python program, which has ended: ask it from there".into())),
    }
}

/// Checks an address and its options, and asks nothing.
pub fn check(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<()> {
    let options = checked(address, task, options)?;
    if own::is_asked(address) {
        return own_channel(address).map(|_| ());
    }
    match address.strip_prefix(PROCESS) {
        Some(command) => process::split(command).map(|_| ()).map_err(|why| gone(address, why.into())),
        None => http::Endpoint::new(address, task, &options).map(|_| ()),
    }
}

/// The format in which an endpoint is asked; `None` for a program.
pub fn api_of(address: &str, options: &RemoteOptions) -> Option<Api> {
    (!is_program(address) && !own::is_asked(address)).then(|| options.api.unwrap_or_else(|| apis::guess(address)))
}

/// The texts that a chat would be sent for a question; `None` for models that are no chats.
pub fn chat_texts(address: &str, question: &Question, options: &RemoteOptions) -> Option<Vec<String>> {
    (api_of(address, options) == Some(Api::Chat)).then(|| {
        let labels = labels_of(options);
        let shown: Vec<String> = labels.iter().map(|label| options.label_names.shown(label).to_owned()).collect();
        apis::messages(question, &shown, options.prompt.as_ref()).into_iter().map(|(_, text)| text).collect()
    })
}

/// The classes that are known before the model is asked: given, named, or those of the data.
pub fn labels_of(options: &RemoteOptions) -> Vec<String> {
    if !options.labels.is_empty() {
        options.labels.clone()
    } else if !options.label_names.is_empty() {
        options.label_names.0.iter().map(|(label, _)| label.clone()).collect()
    } else {
        options.data_labels.clone()
    }
}

/// The options with the labels that the names imply, if they can be used for this address.
fn checked(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<RemoteOptions> {
    let wrong = |why: String| Err(gone(address, why));
    if !is_remote(address) {
        return wrong(format!("it is not an address: give http://..., https://... or {PROCESS}COMMAND"));
    }
    let path = address.split(['?', '#']).next().unwrap_or(address).trim_end_matches('/');
    if options.api.is_none() && !is_program(address) && path.ends_with("/v1") {
        return wrong(
            "it looks like the base of a chat API: add /chat/completions, or say what it is with --api".into(),
        );
    }
    let mut options = options.clone();
    if !options.label_names.is_empty() {
        if !task.facts.has_class() {
            return wrong(format!(
                "--label-names is for tasks with one class a sample, which `{}` is not",
                task.name()
            ));
        }
        if let Err(why) = options.label_names.check(&options.labels) {
            return wrong(why);
        }
        options.labels = labels_of(&options);
    }
    if is_program(address) && !options.body.is_empty() {
        return wrong("--body is for endpoints; a program takes its settings on its own command line".into());
    }
    if let Some(prompt) = &options.prompt {
        if api_of(address, &options) != Some(Api::Chat) {
            return wrong("--prompt is for chat completions (--api chat); this model gets the original texts".into());
        }
        if let Err(why) = prompt.check(task) {
            return wrong(format!("the prompt cannot be used: {why}"));
        }
    }
    Ok(options)
}
