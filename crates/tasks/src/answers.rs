//! What models answer, and how an answer of the protocol is read.

use fissure_core::{Mark, Sample, layer};
use serde_json::{Map, Value};

use crate::Response;
use crate::tokens::{self, in_order};

/// What a model answers to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// A class: `{"label": ..., "scores": {...}}`.
    Class,
    /// A tag for each token: `{"tags": [...]}`.
    TokenTags,
    /// A tag for each mark of a layer: `{"tags": [...]}`.
    MarkTags(&'static str),
    /// A tag for each character: `{"tags": [...]}`.
    CharacterTags,
    /// A piece of the passage, or null: `{"answer": ...}`.
    Piece,
    /// Another text: `{"answer": ...}`.
    Text,
    /// Heads and relations: `{"heads": [...], "deprels": [...]}`.
    Tree,
    /// Clusters of mentions: `{"clusters": [[[first, last], ...], ...]}`.
    Clusters,
}

impl Answers {
    /// Reads an answer about a sample; `labels` are those of the model.
    pub fn read(self, sample: &Sample, answer: &Value, labels: &[String]) -> Result<Response, String> {
        match self {
            Self::Class => {
                let class = read_class(answer, labels)?;
                Ok(Response::predicted(&labels[class.predicted], class.predicted, class.log_probs))
            }
            Self::TokenTags => {
                let tokens = tokens::cut(sample);
                let tags = texts(answer, "tags", tokens.len())?;
                // A token that an edit made into several words has the tag of the first.
                let first = |index: usize| tokens.iter().position(|token| token.mark == Some(index));
                let tag = |(index, _): &(usize, &Mark)| first(*index).map_or_else(|| "O".into(), |at| tags[at].clone());
                Ok(Response::Tags(in_order(sample, layer::TOKEN).iter().map(tag).collect()))
            }
            Self::MarkTags(layer) => Ok(Response::Tags(texts(answer, "tags", in_order(sample, layer).len())?)),
            Self::CharacterTags => characters(sample, answer),
            Self::Text => match answer.get("answer") {
                Some(Value::String(text)) => Ok(Response::Answer(Some(text.clone()))),
                _ => Err(format!("no `answer`, which is a text, in {}", short(&answer.to_string()))),
            },
            Self::Piece => match answer.get("answer") {
                Some(Value::String(text)) => Ok(Response::Answer(Some(text.clone()).filter(|text| !text.is_empty()))),
                Some(Value::Null) => Ok(Response::Answer(None)),
                _ => Err(format!("no `answer`, which is a text or null, in {}", short(&answer.to_string()))),
            },
            Self::Tree => {
                let count = tokens::cut(sample).len();
                let heads: Vec<usize> = list(answer, "heads")?;
                if heads.len() != count || heads.iter().any(|head| *head > count) {
                    return Err(format!("`heads` must be {count} numbers from 0 to {count}, one for each token"));
                }
                Ok(Response::Tree(heads.into_iter().zip(texts(answer, "deprels", count)?).collect()))
            }
            Self::Clusters => {
                let clusters: Vec<Vec<(usize, usize)>> = list(answer, "clusters")?;
                let count = tokens::cut(sample).len();
                if clusters.iter().flatten().any(|(first, last)| first > last || *last >= count) {
                    return Err(format!("a mention in `clusters` is not the first and the last of {count} tokens"));
                }
                Ok(Response::Clusters(clusters))
            }
        }
    }
}

/// A class, and how sure the model is.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// The number of the label.
    pub predicted: usize,
    /// Natural logarithms of the probabilities in the order of the labels; `None` if not all have a score.
    pub log_probs: Option<Vec<f32>>,
}

/// Reads `{"label": ..., "scores": {...}}`, in which one of the two may be missing.
pub fn read_class(answer: &Value, labels: &[String]) -> Result<Class, String> {
    let scores = match &answer["scores"] {
        Value::Null => None,
        Value::Object(scores) => Some(scores.clone()),
        Value::Array(scores) if scores.len() == labels.len() => {
            Some(labels.iter().cloned().zip(scores.iter().cloned()).collect())
        }
        other => {
            let other = short(&other.to_string());
            return Err(format!("`scores` is {other}, not an object with a number for each label"));
        }
    };
    if let Some(twice) = scores.as_ref().and_then(|scores| scored_twice(scores, labels)) {
        return Err(format!("`scores` has several numbers for `{}`, in other letters", short(twice)));
    }
    let log_probs = scores.as_ref().map(|scores| log_probabilities(scores, labels)).transpose()?.flatten();
    let said = match &answer["label"] {
        Value::Null => None,
        Value::String(label) => Some(label.clone()),
        other => Some(other.to_string()),
    };
    let Some(said) =
        said.map_or_else(|| scores.as_ref().map(|scores| best_of(scores, labels)).transpose(), |said| Ok(Some(said)))?
    else {
        return Err(format!("the answer {} has neither a `label` nor `scores`", short(&answer.to_string())));
    };
    let exact = labels.iter().position(|label| *label == said);
    let alike = || labels.iter().position(|label| label.eq_ignore_ascii_case(&said));
    let predicted = exact.or_else(alike);
    let predicted =
        predicted.ok_or_else(|| format!("the answer `{}` is none of {}", short(&said), short(&labels.join(", "))))?;
    Ok(Class { predicted, log_probs })
}

/// A label that has two scores, such as those of `pos` and `Pos`.
fn scored_twice<'a>(scores: &Map<String, Value>, labels: &'a [String]) -> Option<&'a String> {
    let alike = |label: &String| scores.keys().filter(|scored| scored.eq_ignore_ascii_case(label)).count();
    let others = |label: &String| labels.iter().filter(|other| other.eq_ignore_ascii_case(label)).count();
    labels.iter().find(|label| alike(label) > others(label))
}

/// Whether an answer has a score for every label, but scores that do not sum to 1: they are scaled, and what they say of
/// how sure the model is then depends on the scaling.
pub fn has_scaled_scores(answer: &Value, labels: &[String]) -> bool {
    let score = |label: &String, at: usize| match &answer["scores"] {
        Value::Object(scores) => scores.get(label)?.as_f64(),
        Value::Array(scores) if scores.len() == labels.len() => scores.get(at)?.as_f64(),
        _ => None,
    };
    let scores: Option<Vec<f64>> = labels.iter().enumerate().map(|(at, label)| score(label, at)).collect();
    scores.is_some_and(|scores| (scores.iter().sum::<f64>() - 1.0).abs() > SUM_SLACK)
}

/// How far from 1 the sum of probabilities may be: models print them rounded.
const SUM_SLACK: f64 = 0.02;

/// The label with the highest score, the first of several. If a label has no score, what the others leave of 1 may be its own:
/// the highest must be more than that.
fn best_of(scores: &Map<String, Value>, labels: &[String]) -> Result<String, String> {
    let (mut best, mut left): (Option<(&String, f64)>, f64) = (None, 1.0);
    for (label, score) in scores {
        let Some(score) = score.as_f64() else {
            return Err(format!("the score of `{label}` is {}, not a probability", short(&score.to_string())));
        };
        left -= score;
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((label, score));
        }
    }
    let Some((best, highest)) = best else { return Err("`scores` is empty".into()) };
    let missing = labels.iter().find(|label| !scores.keys().any(|scored| scored.eq_ignore_ascii_case(label)));
    match missing {
        Some(missing) if left < -SUM_SLACK => Err(format!(
            "`scores` has no number for `{missing}`, and the others sum to more than 1, so they are no probabilities: give a \
             score for every label, or a `label`"
        )),
        Some(missing) if highest <= left + SUM_SLACK => Err(format!(
            "`scores` has no number for `{missing}`, and `{best}` has {highest}: give a score for every label, or a `label`"
        )),
        _ => Ok(best.clone()),
    }
}

/// Scores as probabilities that sum to 1; `None` if a label has none.
fn log_probabilities(scores: &Map<String, Value>, labels: &[String]) -> Result<Option<Vec<f32>>, String> {
    let mut found = Vec::with_capacity(labels.len());
    for label in labels {
        match scores.get(label).map(|score| (score, score.as_f64())) {
            None => return Ok(None),
            Some((_, Some(score))) if score >= 0.0 && score.is_finite() => found.push(score),
            Some((score, _)) => {
                let score = short(&score.to_string());
                return Err(format!("the score of `{label}` is {score}, not a probability"));
            }
        }
    }
    let sum: f64 = found.iter().sum();
    if sum <= 0.0 {
        return Err("all scores are 0".into());
    }
    if !sum.is_finite() {
        return Err("the scores are so large that their sum is beyond 64-bit numbers; give probabilities".into());
    }
    // The logarithm of 0 would not survive being written down as JSON.
    Ok(Some(found.into_iter().map(|score| (score / sum).max(f64::from(f32::MIN_POSITIVE)).ln() as f32).collect()))
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
    Ok(Response::Tags(in_order(sample, layer::TOKEN).iter().map(tag).collect()))
}

fn list<T: serde::de::DeserializeOwned>(answer: &Value, key: &str) -> Result<Vec<T>, String> {
    serde_json::from_value(answer[key].clone())
        .map_err(|why| format!("`{key}` in {} is not what it should be: {why}", short(&answer.to_string())))
}

/// Exactly `count` texts; numbers are texts too.
fn texts(answer: &Value, key: &str, count: usize) -> Result<Vec<String>, String> {
    let list: Vec<Value> = list(answer, key)?;
    if list.len() != count {
        return Err(format!("{} values in `{key}` where {count} are needed", list.len()));
    }
    Ok(list.into_iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect())
}

/// The beginning of a long text: what a model says is kept for every question, so it must not be long.
pub fn short(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> Result<(usize, Option<Vec<f32>>), String> {
        let labels = ["neg", "pos"].map(str::to_owned);
        read_class(answer, &labels).map(|class| (class.predicted, class.log_probs))
    }

    #[test]
    fn labels_and_scores_in_all_their_spellings() {
        let halves = Some(vec![0.25f32.ln(), 0.75f32.ln()]);
        assert_eq!(read(&json!({"label": "pos"})), Ok((1, None)));
        assert_eq!(read(&json!({"label": "POS"})), Ok((1, None)));
        assert_eq!(read(&json!({"scores": {"pos": 0.75, "neg": 0.25}})), Ok((1, halves.clone())));
        assert_eq!(read(&json!({"scores": [1, 3]})), Ok((1, halves)));
        assert_eq!(read(&json!({"scores": {"pos": 0.9}})), Ok((1, None)), "a score is missing");
        let (predicted, sure) = read(&json!({"scores": {"neg": 1.0, "pos": 0.0}})).unwrap();
        assert!(predicted == 0 && sure.unwrap()[1].is_finite());
    }

    #[test]
    fn a_missing_score_may_be_the_highest() {
        // The rest of 0.1 is 0.9, which may be that of `neg`.
        let why = read(&json!({"scores": {"pos": 0.1}})).unwrap_err();
        assert!(why.contains("no number for `neg`") && why.contains("every label"), "{why}");
        assert!(read(&json!({"scores": {"pos": 0.5}})).is_err(), "a tie");
        assert_eq!(read(&json!({"scores": {"pos": 0.1}, "label": "neg"})), Ok((0, None)), "the label decides");
        assert!(read(&json!({"scores": {}})).is_err());
    }

    #[test]
    fn scores_that_do_not_sum_to_one_are_noticed() {
        let labels = ["neg", "pos"].map(str::to_owned);
        let scaled = |scores: Value| has_scaled_scores(&json!({ "scores": scores }), &labels);
        assert!(scaled(json!({"neg": 0.9, "pos": 0.8})) && scaled(json!([0.2, 0.3])) && scaled(json!([1, 3])));
        assert!(!scaled(json!({"neg": 0.333, "pos": 0.666})), "rounded");
        assert!(!scaled(json!({"pos": 0.7})), "not all labels have a score: no probabilities are made of it");
        assert!(!scaled(Value::Null));
    }

    #[test]
    fn what_is_no_answer() {
        assert_eq!(read(&json!({"label": "good"})), Err("the answer `good` is none of neg, pos".into()));
        assert!(read(&json!({"answer": "pos"})).unwrap_err().contains("neither a `label` nor `scores`"));
        assert!(read(&json!({"scores": {"neg": -1.2, "pos": 0.1}})).unwrap_err().contains("not a probability"));
        assert!(read(&json!({"scores": {"neg": 1e308, "pos": 1e308}})).unwrap_err().contains("give probabilities"));
        assert!(read(&json!({"scores": "high"})).unwrap_err().contains("not an object"));
        assert!(read(&json!({"scores": {"pos": 9}})).unwrap_err().contains("no probabilities"));
        let twice = json!({"scores": {"neg": 0.1, "pos": 0.3, "Pos": 0.6}});
        assert!(read(&twice).unwrap_err().contains("several numbers for `pos`"));
        assert!(read(&json!([1])).is_err());
        let long = "x".repeat(200_000);
        for answer in
            [json!({"label": long}), json!({"scores": long}), json!([long]), json!({"scores": {"neg": long, "pos": 1}})]
        {
            assert!(read(&answer).unwrap_err().len() < 1000);
        }
    }
}
