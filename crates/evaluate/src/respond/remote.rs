//! Models elsewhere, for every task: the sample becomes a question of the protocol, the answer a response.

use std::sync::{Arc, Mutex};

use fissure_core::{Mark, Sample, Span};
use fissure_data::layouts::{Token, tokens};
use fissure_models::remote::{
    Api, Channel, Question, RemoteModel, RemoteOptions, api_of, check, connect, introduce, labels_of, public,
    read_class, short,
};
use fissure_models::{Answer, Input, Model, Offers};
use serde_json::{Map, Value, json};

use crate::{Gone, ModelAbout, Respondent, Response};

/// So many questions from the first on without an answer that can be read, and the model is not asked further.
const MOST_UNREAD: usize = 50;

/// A model behind an address (`http://`, `https://`) or in a program (`process:COMMAND`).
#[derive(Debug)]
pub struct RemoteRespondent {
    channel: Arc<dyn Channel>,
    address: String,
    task: String,
    about: ModelAbout,
    /// Whether nobody named the labels, and those of the data were taken.
    pub labels_of_data: bool,
    /// How many answers could not be read, until one can.
    unread: Mutex<Option<usize>>,
}

impl RemoteRespondent {
    /// Connects to the model at an address, and asks it who it is.
    pub fn open(address: &str, task: &str, options: &RemoteOptions) -> fissure_models::Result<Self> {
        let channel = connect(address, task, options)?;
        let offers = if has_class(task) {
            introduce(address, &*channel, task, options)?
        } else {
            let named: Option<Vec<String>> = serde_json::from_value(channel.hello()?["labels"].clone()).ok();
            let given = Some(options.labels.clone()).filter(|labels| !labels.is_empty());
            Offers { labels: given.or(named).unwrap_or_default(), probabilities: false, gradients: false }
        };
        let taken = options.labels.is_empty()
            && options.label_names.is_empty()
            && !offers.probabilities
            && offers.labels == options.data_labels;
        let labels_of_data = taken && has_class(task) && !channel.hello()?["labels"].is_array();
        let Offers { labels, probabilities, gradients } = offers;
        Ok(Self {
            channel,
            address: address.into(),
            task: task.into(),
            about: ModelAbout { name: public(address), checksum: None, labels, probabilities, gradients },
            labels_of_data,
            unread: Mutex::new(Some(0)),
        })
    }

    /// The same model as a classifier, over the same channel: a program is not started twice.
    pub fn classifier(&self) -> RemoteModel {
        let ModelAbout { labels, probabilities, gradients, .. } = self.about.clone();
        let offers = Offers { labels, probabilities, gradients };
        RemoteModel::of(Arc::clone(&self.channel), &self.address, &self.task, offers)
    }

    fn read(&self, sample: &Sample, answer: &Value) -> Result<Response, String> {
        match &*self.task {
            "mrc" => match answer.get("answer") {
                Some(Value::String(text)) => Ok(Response::Answer(Some(text.clone()).filter(|text| !text.is_empty()))),
                Some(Value::Null) => Ok(Response::Answer(None)),
                _ => Err(format!("no `answer`, which is a text or null, in {}", short(&answer.to_string()))),
            },
            "absa" => Ok(Response::Tags(texts(answer, "tags", in_order(sample, "aspect").len())?)),
            "cws" => characters(sample, answer),
            "ner" | "pos" => {
                let tokens = tokens(sample);
                let tags = texts(answer, "tags", tokens.len())?;
                // A token that an edit made into several words has the tag of the first.
                let first = |index: usize| tokens.iter().position(|token| token.mark == Some(index));
                let tag = |(index, _): &(usize, &Mark)| first(*index).map_or_else(|| "O".into(), |at| tags[at].clone());
                Ok(Response::Tags(in_order(sample, "token").iter().map(tag).collect()))
            }
            "dp" => {
                let count = tokens(sample).len();
                let heads: Vec<usize> = list(answer, "heads")?;
                if heads.len() != count || heads.iter().any(|head| *head > count) {
                    return Err(format!("`heads` must be {count} numbers from 0 to {count}, one for each token"));
                }
                Ok(Response::Tree(heads.into_iter().zip(texts(answer, "deprels", count)?).collect()))
            }
            "coref" => {
                let clusters: Vec<Vec<(usize, usize)>> = list(answer, "clusters")?;
                let count = tokens(sample).len();
                if clusters.iter().flatten().any(|(first, last)| first > last || *last >= count) {
                    return Err(format!("a mention in `clusters` is not the first and the last of {count} tokens"));
                }
                Ok(Response::Clusters(clusters))
            }
            _ => {
                let class = read_class(answer, &self.about.labels)?;
                Ok(Response::Class { label: self.about.labels[class.predicted].clone(), log_probs: class.log_probs })
            }
        }
    }
}

impl Respondent for RemoteRespondent {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        let questions: Vec<Question> = samples.iter().map(|sample| question(&self.task, sample)).collect();
        let replies = self.channel.ask(&questions).map_err(|error| Gone(error.to_string()))?;
        let read = |(sample, reply): (&&Sample, Result<Value, String>)| self.read(sample, &reply?);
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

/// A model elsewhere that is not asked, for a plan: what is known of it is what the user and the data say.
#[derive(Debug)]
pub struct Unasked {
    about: ModelAbout,
    offers: Offers,
}

impl Unasked {
    /// Checks the address and the options, and neither connects nor starts anything.
    pub fn new(address: &str, task: &str, options: &RemoteOptions) -> fissure_models::Result<Self> {
        check(address, task, options)?;
        let labels = if has_class(task) { labels_of(options) } else { options.labels.clone() };
        // A chat names a label; what others will say is not known, and most give probabilities.
        let probabilities = has_class(task) && api_of(address, options) != Some(Api::Chat);
        let offers = Offers { labels: labels.clone(), probabilities, gradients: false };
        let about = ModelAbout { name: public(address), checksum: None, labels, probabilities, gradients: false };
        Ok(Self { about, offers })
    }
}

const NOT_ASKED: &str = "the model is not asked in a dry run";

impl Respondent for Unasked {
    fn about(&self) -> &ModelAbout {
        &self.about
    }

    fn respond(&self, _: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone> {
        Err(Gone(NOT_ASKED.into()))
    }
}

impl Model for Unasked {
    fn offers(&self) -> &Offers {
        &self.offers
    }

    fn answer(&self, _: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
        Err(fissure_models::Error::Remote { place: self.about.name.clone(), why: NOT_ASKED.into() })
    }
}

fn has_class(task: &str) -> bool {
    matches!(task, "classification" | "sa" | "nli" | "sm" | "re")
}

/// The sample as a question: its texts by name, and what else its task has.
pub fn question(task: &str, sample: &Sample) -> Question {
    let fields = sample.fields.iter().map(|field| (field.name.to_string(), field.text.to_string())).collect();
    let mut more = Map::new();
    let text = sample.fields.first().map_or("", |field| field.text.as_str());
    match task {
        "ner" | "pos" | "dp" | "coref" | "re" => {
            let tokens = tokens(sample);
            more.insert("tokens".into(), tokens.iter().map(|token| token.text).collect());
            for layer in ["subject", "object"] {
                if let Some((_, mark)) = sample.layer(layer).next() {
                    more.insert(layer.into(), json!(covered(&tokens, mark.span)));
                }
            }
        }
        "absa" => {
            let character = |byte: usize| text.get(..byte).map_or(0, |before| before.chars().count());
            let aspect = |(_, mark): &(usize, &Mark)| {
                json!({
                    "term": sample.words_of(mark), "from": character(mark.span.start), "to": character(mark.span.end),
                })
            };
            more.insert("aspects".into(), in_order(sample, "aspect").iter().map(aspect).collect());
        }
        _ => {}
    }
    Question { task: task.into(), fields, more }
}

/// The first and the last of the tokens that a span touches.
fn covered(tokens: &[Token<'_>], span: Span) -> Option<[usize; 2]> {
    let touched = |token: &Token<'_>| token.span.overlaps(span) || token.span == span;
    Some([tokens.iter().position(touched)?, tokens.iter().rposition(touched)?])
}

fn in_order<'s>(sample: &'s Sample, layer: &'s str) -> Vec<(usize, &'s Mark)> {
    let mut marks: Vec<(usize, &Mark)> = sample.layer(layer).collect();
    marks.sort_by_key(|(_, mark)| (mark.field, mark.span.start));
    marks
}

/// Tags of characters, as tags of the marks that a text was cut into.
fn characters(sample: &Sample, answer: &Value) -> Result<Response, String> {
    let text = sample.fields.first().map_or("", |field| field.text.as_str());
    let tags = texts(answer, "tags", text.chars().count())?;
    let tag = |(_, mark): &(usize, &Mark)| {
        let first = text.get(..mark.span.start).map_or(0, |before| before.chars().count());
        let tags = tags.get(first..first + mark.span.of(text).chars().count()).unwrap_or_default();
        match tags {
            [] => String::new(),
            [tag] => tag.clone(),
            [first, inner @ .., last] => {
                // An edit made several characters of one: they are one piece, unless the answer cuts it.
                let (begins, ends) = (matches!(&**first, "B" | "S"), matches!(&**last, "E" | "S"));
                let cut =
                    matches!(&**first, "E" | "S") || matches!(&**last, "B" | "S") || inner.iter().any(|tag| tag != "M");
                let tag = match (begins, ends) {
                    _ if cut => "",
                    (true, true) => "S",
                    (true, false) => "B",
                    (false, true) => "E",
                    (false, false) => "M",
                };
                tag.to_owned()
            }
        }
    };
    Ok(Response::Tags(in_order(sample, "token").iter().map(tag).collect()))
}

fn list<T: serde::de::DeserializeOwned>(answer: &Value, key: &str) -> Result<Vec<T>, String> {
    serde_json::from_value(answer[key].clone())
        .map_err(|why| format!("`{key}` in {} is not what it should be: {why}", short(&answer.to_string())))
}

/// So many texts; numbers are texts too.
fn texts(answer: &Value, key: &str, count: usize) -> Result<Vec<String>, String> {
    let list: Vec<Value> = list(answer, key)?;
    if list.len() != count {
        return Err(format!("{} values in `{key}` where {count} are needed", list.len()));
    }
    Ok(list.into_iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect())
}
