//! Models behind an address, for every task: the sample becomes a question of the protocol, the answer a response.

use std::sync::{Arc, Mutex};

use fissure_core::Sample;
use fissure_models::remote::{
    Api, Channel, RemoteModel, RemoteOptions, api_of, check, connect, introduce, labels_of, public,
};
use fissure_models::{Answer, Capabilities, Input, Model};
use fissure_tasks::{Answers, Question, Task};
use serde_json::Value;

use crate::{ModelAbout, Respondent, Response, Unavailable};

/// After this many questions from the first on without an answer that can be read, the model is not asked further.
const MOST_UNREAD: usize = 50;

/// A model behind an address (`http://`, `https://`) or in a program (`process:COMMAND`).
#[derive(Debug)]
pub struct RemoteRespondent {
    channel: Arc<dyn Channel>,
    address: String,
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
        let capabilities = if task.answers == Answers::Class {
            introduce(address, &*channel, task, options)?
        } else {
            let named: Option<Vec<String>> = serde_json::from_value(channel.hello()?["labels"].clone()).ok();
            let given = Some(options.labels.clone()).filter(|labels| !labels.is_empty());
            Capabilities { labels: given.or(named).unwrap_or_default(), probabilities: false, gradients: false }
        };
        let taken = options.labels.is_empty()
            && options.label_names.is_empty()
            && !capabilities.probabilities
            && capabilities.labels == options.data_labels;
        let labels_of_data = taken && task.answers == Answers::Class && !channel.hello()?["labels"].is_array();
        let Capabilities { labels, probabilities, gradients } = capabilities;
        Ok(Self {
            channel,
            address: address.into(),
            task,
            about: ModelAbout {
                name: public(address),
                labels,
                label_names: options.label_names.0.clone(),
                probabilities,
                gradients,
                ..ModelAbout::default()
            },
            labels_of_data,
            unread: Mutex::new(Some(0)),
        })
    }

    /// The same model as a classifier, over the same channel: a program is not started twice.
    pub fn classifier(&self) -> RemoteModel {
        let ModelAbout { labels, probabilities, gradients, .. } = self.about.clone();
        let capabilities = Capabilities { labels, probabilities, gradients };
        RemoteModel::of(Arc::clone(&self.channel), &self.address, self.task, capabilities)
    }
}

impl Respondent for RemoteRespondent {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        let questions: Vec<Question> = samples.iter().map(|sample| self.task.question(sample)).collect();
        let replies = self.channel.ask(&questions).map_err(|error| Unavailable(error.to_string()))?;
        if let Some(meter) = self.channel.meter().filter(|_| self.task.answers == Answers::Class) {
            meter.see_scores(replies.iter().flatten(), &self.about.labels);
        }
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
    fn believe(&self, said: &[Result<Response, String>]) -> Result<(), Unavailable> {
        let mut unread = self.unread.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let so_far = unread.map(|count| count + said.len());
        *unread = so_far.filter(|_| said.iter().all(Result::is_err));
        match (*unread, said.last()) {
            (Some(count @ MOST_UNREAD..), Some(Err(why))) => Err(Unavailable(format!(
                "{}: not one of the first {count} questions got an answer that can be read; the last time: {why}. \
                 Check what it says, and which labels it has (`--labels`)",
                self.about.name
            ))),
            _ => Ok(()),
        }
    }
}

/// A model behind an address that is not asked, for a plan: what is known of it is what the user and the data say.
#[derive(Debug)]
pub struct Unasked {
    about: ModelAbout,
    capabilities: Capabilities,
}

impl Unasked {
    /// Checks the address and the options, and neither connects nor starts anything.
    pub fn new(address: &str, task: &'static Task, options: &RemoteOptions) -> fissure_models::Result<Self> {
        check(address, task, options)?;
        let class = task.answers == Answers::Class;
        let labels = if class { labels_of(options) } else { options.labels.clone() };
        // A chat names a label; what others will say is not known, and most give probabilities.
        let probabilities = class && api_of(address, options) != Some(Api::Chat);
        let capabilities = Capabilities { labels: labels.clone(), probabilities, gradients: false };
        let about = ModelAbout {
            name: public(address),
            labels,
            label_names: options.label_names.0.clone(),
            probabilities,
            ..ModelAbout::default()
        };
        Ok(Self { about, capabilities })
    }
}

const NOT_ASKED: &str = "the model is not asked in a dry run";

impl Respondent for Unasked {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, _: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable> {
        Err(Unavailable(NOT_ASKED.into()))
    }
}

impl Model for Unasked {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, _: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
        Err(fissure_models::Error::Remote { place: self.about.name.clone(), why: NOT_ASKED.into() })
    }
}
