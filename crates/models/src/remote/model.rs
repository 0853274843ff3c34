//! A remote model as the classifier it is.

use std::sync::Arc;

use fissure_tasks::{Question, Task, read_class};
use serde_json::Value;

use super::{Channel, RemoteOptions, connect, gone, labels_of, public};
use crate::{Answer, Capabilities, Error, Input, Model, Result};

/// What a remote classifier can do: its labels, and whether it gives probabilities.
///
/// The labels are those the user gave, or those the model names in its greeting, or in its scores for a trial question,
/// or those of the data. The trial question also finds out early whether the model answers at all.
pub fn introduce(
    address: &str,
    channel: &dyn Channel,
    task: &'static Task,
    options: &RemoteOptions,
) -> Result<Capabilities> {
    let gone = |why: String| gone(address, why);
    let hello = channel.hello()?;
    let named = |list: &Value| -> Vec<String> {
        let name = |label: &Value| label.as_str().map_or_else(|| label.to_string(), str::to_owned);
        list.as_array().map_or(Vec::new(), |list| list.iter().map(name).collect())
    };
    let reply = channel.ask(&[task.trial_question()])?.pop().unwrap_or_else(|| Err("nothing".into()));
    let scored: Vec<String> = match &reply {
        Ok(answer) => answer["scores"].as_object().map_or(Vec::new(), |scores| scores.keys().cloned().collect()),
        Err(_) => Vec::new(),
    };
    let given = if options.label_names.is_empty() { options.labels.clone() } else { labels_of(options) };
    let known = [given, named(&hello["labels"]), scored, options.data_labels.clone()];
    let labels = known.into_iter().find(|labels| !labels.is_empty());
    let labels = labels.ok_or_else(|| match &reply {
        Err(why) => gone(format!("a trial question got no answer: {why}")),
        Ok(_) => Error::NoLabels { place: public(address) },
    })?;
    if let Some((at, label)) = labels.iter().enumerate().find(|(at, label)| labels[..*at].contains(label)) {
        let first = labels.iter().position(|other| other == label).unwrap_or(0);
        return Err(gone(format!("its labels {} and {} are both `{label}`: name each once", first + 1, at + 1)));
    }
    // A chat that declines the trial is not broken; nor is a model that answers in other words than the user's labels.
    let class = reply.as_ref().ok().and_then(|answer| read_class(answer, &labels).ok());
    Ok(Capabilities { probabilities: class.is_some_and(|class| class.log_probs.is_some()), labels, gradients: false })
}

/// A remote classifier.
#[derive(Debug)]
pub struct RemoteModel {
    channel: Arc<dyn Channel>,
    address: String,
    task: &'static Task,
    capabilities: Capabilities,
}

impl RemoteModel {
    /// Connects to the model at an address, for a task of classes.
    pub fn open(address: &str, task: &'static Task, options: &RemoteOptions) -> Result<Self> {
        let channel = connect(address, task, options)?;
        let capabilities = introduce(address, &*channel, task, options)?;
        Ok(Self::of(channel, address, task, capabilities))
    }

    /// The same, over a channel that is open already.
    pub fn of(channel: Arc<dyn Channel>, address: &str, task: &'static Task, capabilities: Capabilities) -> Self {
        Self { channel, address: address.into(), task, capabilities }
    }
}

impl Model for RemoteModel {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let answers = self.try_answer(inputs)?.into_iter();
        answers.map(|answer| answer.map_err(|why| gone(&self.address, why))).collect()
    }

    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        let questions: Vec<Question> =
            inputs.iter().map(|input| self.task.question_of(input.text, input.pair)).collect();
        let read = |reply: super::Reply| {
            let class = read_class(&reply?, &self.capabilities.labels)?;
            Ok(Answer { predicted: class.predicted, log_probs: class.log_probs, truncated: false })
        };
        let replies = self.channel.ask(&questions)?;
        if let Some(meter) = self.channel.meter() {
            meter.see_scores(replies.iter().flatten(), &self.capabilities.labels);
        }
        Ok(replies.into_iter().map(read).collect())
    }
}
