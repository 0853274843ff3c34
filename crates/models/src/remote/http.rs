//! Models behind an address: requests with patience, pauses and repetitions.

use std::io::ErrorKind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fissure_core::counted;
use fissure_tasks::{Question, Task, short};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::apis::{Speech, guess};
use super::parallel::in_chunks;
use super::secrets::Secrets;
use super::{API_KEY, Api, Channel, Meter, RemoteOptions, Reply, USUAL_BATCH, labels_of};
use crate::{Error, Result};

/// The longest pause an endpoint can ask for, and the longest we make by ourselves.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);
/// A pause from here on is announced.
const LONG_PAUSE: Duration = Duration::from_secs(5);
/// A reply longer than this is no answer. As a tree of JSON values it may take a hundred times as much memory.
const LONGEST_REPLY: u64 = 8 << 20;
/// After this many questions in a row without an answer, the endpoint is considered broken, not the questions.
const MOST_STRIKES: usize = 50;

/// An endpoint for questions of one task.
#[derive(Debug)]
pub(super) struct Endpoint {
    agent: Agent,
    address: String,
    task: &'static Task,
    api: Api,
    /// The labels as the model is shown them.
    labels: Vec<String>,
    options: RemoteOptions,
    secrets: Secrets,
    /// When the next request may go, where there is a rate.
    next: Mutex<Instant>,
    strikes: AtomicUsize,
}

/// Why a request brought no answers.
enum Fault {
    /// Try again, after the pause the endpoint asks for.
    Busy(String, Option<Duration>),
    /// This request is at fault, or the reply to it.
    Bad(String),
    /// No request will fare better.
    Unavailable(String),
}

impl Endpoint {
    pub fn new(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<Self> {
        let config = Agent::config_builder()
            // The library would look into the environment by itself.
            .proxy(None)
            .http_status_as_error(false)
            // A redirect would turn a question into a request without one, perhaps to another host.
            .max_redirects(0)
            .timeout_global(Some(options.timeout))
            .user_agent(concat!("fissure/", env!("CARGO_PKG_VERSION")))
            .build();
        let options = options.clone();
        let shown = |label: &String| options.label_names.shown(label).to_owned();
        let endpoint = Self {
            agent: config.new_agent(),
            address: address.to_owned(),
            task,
            api: options.api.unwrap_or_else(|| guess(address)),
            labels: labels_of(&options).iter().map(shown).collect(),
            secrets: Secrets::new(address, &options),
            options,
            next: Mutex::new(Instant::now()),
            strikes: AtomicUsize::new(0),
        };
        match endpoint.speech().refusal() {
            Some(why) => Err(endpoint.gone(why)),
            None => Ok(endpoint),
        }
    }

    fn speech(&self) -> Speech<'_> {
        Speech {
            api: self.api,
            task: self.task,
            labels: &self.labels,
            prompt: self.options.prompt.as_ref(),
            body: &self.options.body,
            model: self.options.model.as_deref(),
        }
    }

    fn gone(&self, why: String) -> Error {
        super::gone(&self.address, why)
    }

    /// Replies to questions that fit one request. A request that is refused, or whose reply makes no sense, is taken
    /// apart: only the question at fault goes without an answer.
    fn chunk(&self, questions: &[Question]) -> Result<Vec<Reply>> {
        let body = self.speech().put(questions);
        let fault = match self.patiently("POST", Some(&body)) {
            Ok(reply) => match self.speech().read(&reply, questions.len()) {
                Ok(replies) => {
                    self.strikes.store(0, Ordering::Relaxed);
                    let failed = replies.iter().filter(|reply| reply.is_err()).count();
                    self.options.meter.change(|asked| {
                        asked.questions += replies.len() as u64;
                        asked.failures += failed as u64;
                    });
                    return Ok(replies);
                }
                Err(why) => why,
            },
            Err(Fault::Bad(why)) => why,
            Err(Fault::Unavailable(why) | Fault::Busy(why, _)) => return Err(self.gone(why)),
        };
        if questions.len() > 1 {
            let singles: Result<Vec<_>> =
                questions.iter().map(|question| self.chunk(std::slice::from_ref(question))).collect();
            return Ok(singles?.concat());
        }
        self.options.meter.change(|asked| {
            asked.questions += 1;
            asked.failures += 1;
        });
        let strikes = self.strikes.fetch_add(1, Ordering::Relaxed) + 1;
        if strikes >= MOST_STRIKES {
            return Err(self.gone(format!("no answer to {strikes} questions in a row; the last time: {fault}")));
        }
        Ok(vec![Err(fault)])
    }

    /// Asks until there is a reply, or patience ends.
    fn patiently(&self, method: &str, body: Option<&Value>) -> std::result::Result<Value, Fault> {
        let mut pause = self.options.pause;
        for tried in 0..=self.options.retries {
            self.wait_for_turn();
            let started = Instant::now();
            let reply = self.once(method, body);
            // A greeting is no question.
            if body.is_some() {
                self.options.meter.change(|asked| {
                    asked.requests += 1;
                    asked.retries += u64::from(tried > 0);
                    if let Ok(reply) = &reply {
                        asked.took(started.elapsed());
                        asked.read_usage(reply);
                    }
                });
            }
            match reply {
                Err(Fault::Busy(why, _)) if tried == self.options.retries => {
                    let tries = match self.options.retries {
                        0 => String::new(),
                        retries => format!("no answer in {} tries; the last time: ", retries + 1),
                    };
                    return Err(Fault::Unavailable(tries + &why));
                }
                Err(Fault::Busy(why, asked)) => {
                    self.rest(&why, asked, pause);
                    pause = (pause * 2).min(LONGEST_BACK_OFF);
                }
                other => return other,
            }
        }
        Err(Fault::Unavailable("no try is allowed".into()))
    }

    /// Pauses before the next try, as long as the endpoint asks for, within limits; a long pause is announced.
    fn rest(&self, why: &str, asked: Option<Duration>, pause: Duration) {
        let length = asked.map_or(pause, |asked| asked.min(LONGEST_PAUSE));
        if length >= LONG_PAUSE
            && let Some(say) = self.options.say
        {
            let of = match asked {
                Some(asked) if asked > LONGEST_PAUSE => format!(" (it asks for {} s)", asked.as_secs()),
                _ => String::new(),
            };
            let (place, seconds) = (super::public(&self.address), length.as_secs());
            say(&format!("{place}: {why}; waiting {seconds} s{of} before the next try"));
        }
        thread::sleep(length);
    }

    fn once(&self, method: &str, body: Option<&Value>) -> std::result::Result<Value, Fault> {
        let mut request = Request::builder().method(method).uri(&self.address).header("accept", "application/json");
        if let Some(token) = &self.options.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json").body(body.to_string());
                self.agent.run(request.map_err(|why| Fault::Unavailable(format!("not a usable address: {why}")))?)
            }
            None => self
                .agent
                .run(request.body(()).map_err(|why| Fault::Unavailable(format!("not a usable address: {why}")))?),
        };
        let mut response = sent.map_err(|why| Fault::Busy(self.words(&why), None))?;
        let status = response.status().as_u16();
        let asked = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let asked = asked.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
        let location = response.headers().get("location").and_then(|value| value.to_str().ok());
        let location = location.map(|location| short(&self.secrets.strike(&super::public(location))));
        let bytes = response.body_mut().with_config().limit(LONGEST_REPLY).read_to_vec();
        let bytes = bytes.map_err(|why| match why {
            ureq::Error::BodyExceedsLimit(_) => {
                Fault::Bad(format!("the reply is longer than {} MB; give a smaller --batch", LONGEST_REPLY >> 20))
            }
            why => Fault::Busy(format!("the reply broke off: {}", self.words(&why)), None),
        })?;
        let text = self.secrets.strike_reply(&String::from_utf8_lossy(&bytes));
        let said = || short(text.trim());
        match status {
            200..=299 if str::from_utf8(&bytes).is_err() => {
                Err(Fault::Bad(format!("the reply `{}` is not UTF-8", said())))
            }
            200..=299 => serde_json::from_str(&text)
                .map_err(|why| Fault::Bad(format!("the reply `{}` is not JSON: {why}", said()))),
            300..=399 => Err(Fault::Unavailable(match location {
                Some(location) => format!("status {status}: it redirects to {location}; give that address"),
                None => format!("status {status}: it redirects, and does not say where to; check the address"),
            })),
            // It does not know such requests: asking again changes nothing.
            404 | 405 | 501 | 505 => Err(Fault::Unavailable(format!("status {status}: {}; check the address", said()))),
            408 | 425 | 429 | 500..=599 => Err(Fault::Busy(format!("status {status}: {}", said()), asked)),
            401 | 403 => {
                let next = match &self.options.token {
                    Some(_) => format!("the key in the variable {API_KEY} may not ask it"),
                    None => format!("no key was sent; put one into the variable {API_KEY}"),
                };
                Err(Fault::Unavailable(format!("status {status}: {}; {next}", said())))
            }
            _ => Err(Fault::Bad(format!("status {status}: {}", said()))),
        }
    }

    /// What kept a reply from coming, and what to do about it.
    fn words(&self, why: &ureq::Error) -> String {
        let words = match why {
            ureq::Error::Timeout(_) => {
                let patience = counted(self.options.timeout.as_secs() as usize, "second");
                format!("no reply within {patience}; `--timeout` gives it more")
            }
            ureq::Error::Io(why) if why.kind() == ErrorKind::ConnectionRefused => {
                format!("nothing listens there ({why}); start the endpoint, or check the address")
            }
            ureq::Error::Io(why) => why.to_string(),
            other => other.to_string(),
        };
        // A redirect, for one, may repeat the address.
        short(&self.secrets.strike(&words))
    }

    /// Waits until the rate allows the next request.
    fn wait_for_turn(&self) {
        let Some(rate) = self.options.rate.filter(|rate| *rate > 0.0) else { return };
        let gap = Duration::try_from_secs_f64(1.0 / rate).unwrap_or(LONGEST_PAUSE);
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let turn = (*next).max(Instant::now());
            *next = turn + gap;
            turn
        };
        thread::sleep(turn.saturating_duration_since(Instant::now()));
    }
}

impl Channel for Endpoint {
    /// Our protocol answers to GET; an endpoint that does not know that says nothing about itself.
    fn hello(&self) -> Result<Value> {
        if self.api != Api::Fissure {
            return Ok(Value::Null);
        }
        match self.patiently("GET", None) {
            Ok(hello) => Ok(hello),
            Err(Fault::Unavailable(why)) if !why.starts_with("status 404") && !why.starts_with("status 405") => {
                Err(self.gone(why))
            }
            Err(_) => Ok(Value::Null),
        }
    }

    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>> {
        let size = self.options.batch.unwrap_or(USUAL_BATCH).min(self.speech().most());
        in_chunks(questions, size, self.options.concurrency, |_, chunk| self.chunk(chunk))
    }

    fn meter(&self) -> Option<&Meter> {
        Some(&self.options.meter)
    }
}
