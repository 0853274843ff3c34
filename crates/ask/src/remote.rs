//! Models behind an address, for every task: the sample becomes a question of the protocol, the answer a response.

use std::sync::Mutex;

use fissure_core::Sample;
use fissure_models::Offers;
use fissure_models::remote::{Channel, RemoteOptions, connect, introduce, public};
use fissure_tasks::{Answers, Question, Task};
use serde_json::Value;

use crate::{Gone, ModelAbout, Respondent, Response};

/// After this many questions from the first on without an answer that can be read, the model is not asked further.
const MOST_UNREAD: usize = 50;

/// A model behind an address (`http://`, `https://`) or in a program (`process:COMMAND`).
#[derive(Debug)]
pub struct RemoteRespondent {
    channel: Box<dyn Channel>,
    task: &'static Task,
    about: ModelAbout,
    /// Whether the labels are those of the data, because neither the user nor the model names them.
    pub labels_of_data: bool,
    /// How many answers could not be read, until one can.
    unread: Mutex<Option<usize>>,
}

impl RemoteRespondent {
    /// Connects to the model at an address, and asks it who it is.
    pub fn open(address: &str, task: &'static Task, options: &RemoteOptions) -> fissure_models::Result<Self> {
        let channel = connect(address, task, options)?;
        let offers = if task.answers == Answers::Class {
            introduce(address, &*channel, task, options)?
        } else {
            let named: Option<Vec<String>> = serde_json::from_value(channel.hello()?["labels"].clone()).ok();
            let given = Some(options.labels.clone()).filter(|labels| !labels.is_empty());
            Offers { labels: given.or(named).unwrap_or_default(), probabilities: false, gradients: false }
        };
        let taken = options.labels.is_empty() && !offers.probabilities && offers.labels == options.data_labels;
        let labels_of_data = taken && task.answers == Answers::Class && !channel.hello()?["labels"].is_array();
        let Offers { labels, probabilities, gradients } = offers;
        Ok(Self {
            channel,
            task,
            about: ModelAbout { name: public(address), checksum: None, labels, probabilities, gradients },
            labels_of_data,
            unread: Mutex::new(Some(0)),
        })
    }
}

impl Respondent for RemoteRespondent {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        let questions: Vec<Question> = samples.iter().map(|sample| self.task.question(sample)).collect();
        let replies = self.channel.ask(&questions).map_err(|error| Gone(error.to_string()))?;
        let read = |(sample, reply): (&&Sample, Result<Value, String>)| {
            self.task.response(sample, &reply?, &self.about.labels)
        };
        let said: Vec<Result<Response, String>> = samples.iter().zip(replies).map(read).collect();
        self.believe(&said)?;
        Ok(said)
    }
}

impl RemoteRespondent {
    /// A model that from the start gives no answer that can be read is not asked thousands of questions.
    fn believe(&self, said: &[Result<Response, String>]) -> Result<(), Gone> {
        let mut unread = self.unread.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let so_far = unread.map(|count| count + said.len());
        *unread = so_far.filter(|_| said.iter().all(Result::is_err));
        match (*unread, said.last()) {
            (Some(count @ MOST_UNREAD..), Some(Err(why))) => Err(Gone(format!(
                "{}: not one of the first {count} questions got an answer that can be read; the last time: {why}. \
                 Check what it says, and which labels it has (`--labels`)",
                self.about.name
            ))),
            _ => Ok(()),
        }
    }
}
