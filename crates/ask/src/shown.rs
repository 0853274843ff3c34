//! What a classifier on this machine is shown of a sample: its texts, and where the label is about marked words, which
//! words are meant.

use std::borrow::Cow;
use std::path::Path;

use fissure_core::layer::{ASPECT, OBJECT, SUBJECT};
use fissure_core::{Has, LabelKind, Mark, Sample};
use fissure_models::Input;
use fissure_models::weights::{Config, annotate};
use fissure_tasks::{Answers, Task, in_order};
use serde_json::{Value, json};

use crate::Result;

/// What a classifier sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sees {
    /// The texts alone.
    Texts,
    /// The text, and the aspect as second text: one question for each aspect (as BERT-SPC, Song et al. 2019).
    Aspect,
    /// The text with marks around subject and object: `[E1] Ann [/E1]` and `[E2] Paris [/E2]` (as Baldini Soares et al.
    /// 2019).
    Arguments,
}

/// The key in `config.json` of a model that sees something else than is usual for its task.
const KEY: &str = "fissure_sees";

/// A question to a classifier, and the label that is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'a> {
    pub text: Cow<'a, str>,
    pub pair: Option<Cow<'a, str>>,
    /// `None` if the sample has no label.
    pub label: Option<String>,
}

impl Shown<'_> {
    pub fn input(&self) -> Input<'_> {
        Input { text: &self.text, pair: self.pair.as_deref() }
    }
}

impl Sees {
    /// What is usual for a task; `None` if no class answers it.
    pub fn of(task: &Task) -> Option<Self> {
        match task.answers {
            Answers::Class if task.facts.has(Has::Class) => Some(Self::Texts),
            Answers::Class if task.facts.labels == LabelKind::ClassOfMarks => Some(Self::Arguments),
            Answers::MarkTags(ASPECT) => Some(Self::Aspect),
            _ => None,
        }
    }

    /// What the model in a directory was trained to see; what is usual for the task if its directory says nothing.
    pub fn of_model(directory: &Path, task: &Task) -> Result<Option<Self>> {
        let Some(usual) = Self::of(task) else { return Ok(None) };
        // A model of the caller's own has no directory.
        let Ok(config) = Config::open(directory) else { return Ok(Some(usual)) };
        let named = |sees: &Self| config.get(KEY).and_then(Value::as_str) == Some(sees.name());
        match [Self::Texts, Self::Aspect, Self::Arguments].into_iter().find(named) {
            Some(sees) => Ok(Some(sees)),
            None if config.get(KEY).is_none() => Ok(Some(usual)),
            None => Err(config.bad(KEY, "one of texts, aspect, arguments").into()),
        }
    }

    /// Writes into the directory of a model what it sees.
    pub fn write(self, directory: &Path) -> Result<()> {
        Ok(annotate(directory, KEY, json!(self.name()))?)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Texts => "texts",
            Self::Aspect => "aspect",
            Self::Arguments => "arguments",
        }
    }

    /// The questions that a sample puts: one, or one for each mark that has a label.
    pub fn shown<'a>(self, task: &Task, sample: &'a Sample) -> Vec<Shown<'a>> {
        let mut texts = sample.fields.iter().map(|field| Cow::Borrowed(field.text.as_str()));
        let text = texts.next().unwrap_or_default();
        if let Answers::MarkTags(layer) = task.answers {
            let one = |(_, mark): (usize, &'a Mark)| Shown {
                text: text.clone(),
                pair: (self == Self::Aspect).then(|| sample.words_of(mark).into()),
                label: Some(mark.value.to_string()).filter(|label| !label.is_empty()),
            };
            return in_order(sample, layer).into_iter().map(one).collect();
        }
        let label = sample.label.as_ref().map(ToString::to_string);
        match self {
            Self::Arguments => vec![Shown { text: with_arguments(sample, &text).into(), pair: None, label }],
            _ => vec![Shown { text, pair: texts.next(), label }],
        }
    }
}

/// The text with marks around subject and object.
fn with_arguments(sample: &Sample, text: &str) -> String {
    let mut marks: Vec<(usize, u8, &str)> = Vec::new();
    for (layer, open, close) in [(SUBJECT, "[E1] ", " [/E1]"), (OBJECT, "[E2] ", " [/E2]")] {
        if let Some((_, mark)) = sample.layer(layer).next() {
            // Where two meet, one that closes comes first.
            marks.extend([(mark.span.start, 1, open), (mark.span.end, 0, close)]);
        }
    }
    marks.sort_unstable();
    let (mut out, mut done) = (String::with_capacity(text.len() + 24), 0);
    for (at, _, mark) in marks {
        out.push_str(text.get(done..at).unwrap_or_default());
        out.push_str(mark);
        done = at;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

    use std::sync::Arc;

    use fissure_tasks::Row;

    use super::*;

    fn sample(task: &Task, row: &Value) -> Sample {
        let columns = row.as_object().unwrap().iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
        fissure_tasks::find(task.name()).unwrap().sample(Row(columns.collect())).unwrap()
    }

    #[test]
    fn aspects_are_second_texts() {
        let absa = fissure_tasks::find("absa").unwrap();
        let term = |term: &str, from: usize, polarity: &str| json!({"term": term, "from": from, "to": from + term.len(), "polarity": polarity});
        let row = json!({"text": "Great soup, slow staff.", "term_list": {
            "2": term("staff", 17, "negative"), "1": term("soup", 6, "positive"),
        }});
        let sample = sample(absa, &row);
        let pairs = |sees: Sees| -> Vec<(Option<String>, Option<String>)> {
            let shown = sees.shown(absa, &sample);
            shown.into_iter().map(|shown| (shown.pair.map(Cow::into_owned), shown.label)).collect()
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(pairs(Sees::Aspect), [(text("soup"), text("positive")), (text("staff"), text("negative"))]);
        assert_eq!(pairs(Sees::Texts), [(None, text("positive")), (None, text("negative"))]);
        assert_eq!(Sees::of(absa), Some(Sees::Aspect));
        assert_eq!(Sees::of(fissure_tasks::find("entailment").unwrap()), Some(Sees::Texts));
        assert_eq!(Sees::of(fissure_tasks::find("ner").unwrap()), None);
        assert_eq!(Sees::of(fissure_tasks::find("wsd").unwrap()), None, "senses are too many for classes");
    }

    #[test]
    fn arguments_are_marked_in_the_text() {
        let re = fissure_tasks::find("re").unwrap();
        let row = json!({"text": "<e2>Paris</e2> greets <e1>Ann</e1>.", "relation": "Place"});
        let sample = sample(re, &row);
        let shown = Sees::of(re).unwrap().shown(re, &sample).remove(0);
        assert_eq!(shown.text, "[E2] Paris [/E2] greets [E1] Ann [/E1].");
        assert_eq!((shown.pair, shown.label.as_deref()), (None, Some("Place")));
    }
}
