//! Other names for labels: what the model is shown, and answers, instead of a label of the data (`0=negative`).
//!
//! They are replaced where questions go out and answers come in, so that everything behind it knows one name only.

use serde_json::{Map, Value};

use super::{Channel, Meter, Question, Reply};
use crate::Result;

/// (label, what the model calls it).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelNames(pub Vec<(String, String)>);

impl LabelNames {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that every label is one of `labels`, where those are known, and that no two are shown alike.
    pub(super) fn check(&self, labels: &[String]) -> std::result::Result<(), String> {
        if let Some((strange, _)) = self.0.iter().find(|(label, _)| !labels.is_empty() && !labels.contains(label)) {
            return Err(format!("--label-names names `{strange}`, which is none of --labels {}", labels.join(",")));
        }
        let all: Vec<&str> = if labels.is_empty() {
            self.0.iter().map(|(_, shown)| shown.as_str()).collect()
        } else {
            labels.iter().map(|label| self.shown(label)).collect()
        };
        for (at, shown) in all.iter().enumerate() {
            if shown.is_empty() {
                return Err("--label-names shows a label as nothing: write LABEL=SHOWN".into());
            }
            if all[..at].iter().any(|other| other.eq_ignore_ascii_case(shown)) {
                return Err(format!(
                    "--label-names: two labels are shown as `{shown}`, so an answer could mean either"
                ));
            }
        }
        Ok(())
    }

    /// What the model is shown for a label.
    pub(super) fn shown<'a>(&'a self, label: &'a str) -> &'a str {
        self.0.iter().find(|(known, _)| known == label).map_or(label, |(_, shown)| shown)
    }

    /// The label that the model means.
    fn meant(&self, said: &str) -> Option<&str> {
        let exact = self.0.iter().find(|(_, shown)| shown == said);
        let alike = || self.0.iter().find(|(_, shown)| shown.eq_ignore_ascii_case(said));
        exact.or_else(alike).map(|(label, _)| label.as_str())
    }

    fn rename(&self, label: &mut Value) {
        let said = label.as_str().map_or_else(|| label.to_string(), str::to_owned);
        if let Some(meant) = self.meant(&said) {
            *label = meant.into();
        }
    }

    /// The same answer with our labels.
    fn read(&self, mut answer: Value) -> Value {
        if let Some(label) = answer.get_mut("label").filter(|label| !label.is_null()) {
            self.rename(label);
        }
        if let Some(Value::Object(scores)) = answer.get_mut("scores") {
            let renamed: Map<String, Value> = std::mem::take(scores)
                .into_iter()
                .map(|(said, score)| (self.meant(&said).map_or(said.clone(), str::to_owned), score))
                .collect();
            *scores = renamed;
        }
        answer
    }
}

/// A channel whose model has other names for the labels.
#[derive(Debug)]
pub(super) struct Renamed {
    pub channel: Box<dyn Channel>,
    pub names: LabelNames,
}

impl Channel for Renamed {
    fn hello(&self) -> Result<Value> {
        let mut hello = self.channel.hello()?;
        if let Some(Value::Array(labels)) = hello.get_mut("labels") {
            labels.iter_mut().for_each(|label| self.names.rename(label));
        }
        Ok(hello)
    }

    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>> {
        let replies = self.channel.ask(questions)?;
        Ok(replies.into_iter().map(|reply| reply.map(|answer| self.names.read(answer))).collect())
    }

    fn meter(&self) -> Option<&Meter> {
        self.channel.meter()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(pairs: &[(&str, &str)]) -> LabelNames {
        LabelNames(pairs.iter().map(|(label, shown)| ((*label).to_owned(), (*shown).to_owned())).collect())
    }

    #[test]
    fn answers_come_back_with_our_labels() {
        let names = names(&[("0", "negative"), ("1", "positive")]);
        assert_eq!(names.read(json!({"label": "Positive"})), json!({"label": "1"}));
        assert_eq!(
            names.read(json!({"scores": {"negative": 0.2, "positive": 0.8}})),
            json!({"scores": {"0": 0.2, "1": 0.8}})
        );
        assert_eq!(names.read(json!({"label": "odd"})), json!({"label": "odd"}));
        // Names that swap two labels are no riddle.
        let swapped = self::names(&[("a", "b"), ("b", "a")]);
        assert_eq!(swapped.read(json!({"label": "a"})), json!({"label": "b"}));
    }

    #[test]
    fn names_that_cannot_be_told_apart_are_refused() {
        let labels = ["0", "1", "yes"].map(str::to_owned);
        assert!(names(&[("0", "no"), ("1", "Yes")]).check(&labels).unwrap_err().contains("`yes`"));
        assert!(names(&[("2", "no")]).check(&labels).unwrap_err().contains("none of --labels 0,1,yes"));
        assert!(names(&[("0", "x"), ("1", "x")]).check(&[]).is_err());
        assert!(names(&[("0", "no"), ("1", "maybe")]).check(&labels).is_ok());
    }
}
