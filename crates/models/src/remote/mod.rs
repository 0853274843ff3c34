//! Models elsewhere: endpoints (`http://`, `https://`) and programs (`process:COMMAND`). Protocol: `docs/protocol.md`.
//!
//! Both are a [`Channel`] that takes questions and gives replies; what goes wrong with one question becomes that
//! question's reason, and only a model that can no longer be asked at all is an error. For classification a channel can
//! be seen as a [`Model`](crate::Model) through [`RemoteModel`].

mod apis;
mod child;
mod http;
mod model;
mod parallel;
mod process;
mod secrets;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use fissure_tasks::{Question, Task};
use serde_json::Value;

use crate::{Error, Result};

pub use model::{RemoteModel, introduce};

/// An answer as an object of the protocol, or why there is none.
pub type Reply = std::result::Result<Value, String>;

/// A way to a model elsewhere.
pub trait Channel: fmt::Debug + Send + Sync {
    /// What the model says about itself (`{"name": ..., "labels": [...]}`); null where it says nothing.
    fn hello(&self) -> Result<Value>;

    /// Replies in the order of the questions. An error means that the model can no longer be asked.
    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>>;
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

/// The knobs of models elsewhere. None of them changes an answer.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// How to ask; guessed from the address where `None`.
    pub api: Option<Api>,
    /// The names of the classes, where the user gives them.
    pub labels: Vec<String>,
    /// The names of the classes in the data, for a model that says nothing of its own.
    pub data_labels: Vec<String>,
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
    /// Questions in one request.
    pub batch: usize,
    /// Where to say what is waited for, if a pause is long.
    pub say: Option<fn(&str)>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            api: None,
            labels: Vec::new(),
            data_labels: Vec::new(),
            model: None,
            token: None,
            timeout: Duration::from_secs(60),
            start_timeout: Duration::from_secs(600),
            retries: 5,
            pause: Duration::from_millis(500),
            rate: None,
            concurrency: 1,
            batch: 16,
            say: None,
        }
    }
}

/// What a program's address starts with.
pub const PROCESS: &str = "process:";

/// Whether a model's name is the address of one elsewhere.
pub fn is_remote(name: &str) -> bool {
    is_program(name) || name.starts_with("http://") || name.starts_with("https://")
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

/// Whether [`public`] left a part of the address out, so that nobody can be asked there.
pub fn is_shortened(address: &str) -> bool {
    is_remote(address) && !is_program(address) && (address.ends_with("?...") || address.contains("://...@"))
}

fn is_program(address: &str) -> bool {
    address.starts_with(PROCESS)
}

/// Why a model elsewhere cannot be asked.
fn gone(address: &str, why: String) -> Error {
    Error::Remote { place: public(address), why }
}

/// Opens the way to a model elsewhere, for questions of one task.
pub fn connect(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<Box<dyn Channel>> {
    match address.strip_prefix(PROCESS) {
        Some(command) => Ok(Box::new(process::Program::start(command, task, options)?)),
        None if is_remote(address) => Ok(Box::new(http::Endpoint::new(address, task, options)?)),
        None => Err(gone(address, format!("it is no address: give http://..., https://... or {PROCESS}COMMAND"))),
    }
}
