//! A question of the protocol: what a model is asked about one sample.

use fissure_core::{Mark, Sample};
use serde_json::{Map, Value, json};

use crate::tokens::{self, Token};

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub task: String,
    /// The texts by the names of their fields.
    pub fields: Vec<(String, String)>,
    /// What else the task has: tokens, aspects.
    pub more: Map<String, Value>,
}

impl Question {
    pub fn to_json(&self) -> Value {
        let fields: Map<String, Value> =
            self.fields.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
        let mut question =
            Map::from_iter([("task".to_owned(), json!(self.task)), ("fields".to_owned(), json!(fields))]);
        question.extend(self.more.clone());
        Value::Object(question)
    }
}

/// The tokens.
pub(crate) fn with_tokens(sample: &Sample) -> Map<String, Value> {
    of_tokens(&tokens::cut(sample))
}

fn of_tokens(tokens: &[Token<'_>]) -> Map<String, Value> {
    Map::from_iter([("tokens".to_owned(), tokens.iter().map(|token| token.text).collect())])
}

/// The tokens, and for each layer the first and the last token of its mark.
pub(crate) fn with_arguments(sample: &Sample, layers: &'static [&'static str]) -> Map<String, Value> {
    let tokens = tokens::cut(sample);
    let mut more = of_tokens(&tokens);
    for layer in layers {
        if let Some((_, mark)) = sample.layer(layer).next() {
            more.insert((*layer).into(), json!(tokens::covered(&tokens, mark.span)));
        }
    }
    more
}

/// The marks of a layer as terms with their places, counted in characters.
pub(crate) fn with_terms(sample: &Sample, name: &str, layer: &str) -> Map<String, Value> {
    let text = sample.fields.first().map_or("", |field| field.text.as_str());
    let character = |byte: usize| text.get(..byte).map_or(0, |before| before.chars().count());
    let term = |(_, mark): &(usize, &Mark)| {
        json!({
            "term": sample.words_of(mark), "from": character(mark.span.start), "to": character(mark.span.end),
        })
    };
    Map::from_iter([(name.to_owned(), tokens::in_order(sample, layer).iter().map(term).collect())])
}
