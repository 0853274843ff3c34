//! What a model of each task is trained on.

use std::collections::BTreeSet;

use fissure_ask::Sees;
use fissure_core::layer::{ANSWERS, TOKEN};
use fissure_core::{Has, Sample};
use fissure_data::Task;
use fissure_models::encoder::Reading;
use fissure_models::tagging::TaggedText;
use fissure_repair::source;
use fissure_settings::DataSource;
use fissure_tasks::{Answers, in_order};

use crate::classes::{self, Labelled};
use crate::{Error, Result, data};

/// Everything the data holds, to train on.
pub enum Lessons {
    /// Texts with a class: the sample's, or one for each marked word.
    Classes(Labelled),
    /// Tokens with a tag each.
    Tags { texts: Vec<TaggedText>, labels: Vec<String> },
    /// Questions about passages.
    Readings(Vec<Reading>),
}

/// Everything the data holds, to train on. `sees` overrules what a classifier is usually shown.
pub fn lessons(args: &DataSource, task: &'static Task, sees: Option<Sees>) -> Result<Lessons> {
    if let Some(sees) = sees.or(Sees::of(task)) {
        return classes::labelled_as(args, task, sees).map(Lessons::Classes);
    }
    match task.answers {
        Answers::TokenTags => {
            let mut tagged: Vec<(TaggedText, Vec<String>)> = Vec::new();
            each(args, task, |sample| tagged.push(tagged_text(sample)))?;
            let labels: BTreeSet<&String> = tagged.iter().flat_map(|(_, tags)| tags).collect();
            let labels: Vec<String> = labels.into_iter().cloned().collect();
            let number = |(text, tags): (TaggedText, Vec<String>)| {
                let tags = tags.iter().map(|tag| labels.binary_search(tag).unwrap_or(0)).collect();
                TaggedText { tags, ..text }
            };
            Ok(Lessons::Tags { texts: tagged.into_iter().map(number).collect(), labels })
        }
        Answers::Piece => {
            let mut readings = Vec::new();
            each(args, task, |sample| readings.push(reading(sample)))?;
            Ok(Lessons::Readings(readings))
        }
        _ => {
            let trained =
                |task: &&&Task| Sees::of(task).is_some() || matches!(task.answers, Answers::TokenTags | Answers::Piece);
            let known: Vec<&str> = fissure_tasks::ALL.iter().filter(trained).map(|task| task.name()).collect();
            Err(Error::NotTrained { task: task.name(), known: known.join(", ") })
        }
    }
}

/// Whether the class is the sample's own, so that labels can be matched as sets.
pub fn has_own_class(task: &Task) -> bool {
    task.facts.has(Has::Class)
}

/// Calls `act` with every sample up to the user's limit.
fn each(args: &DataSource, task: &'static Task, mut act: impl FnMut(&Sample)) -> Result<()> {
    let mut samples = data::open(args, task)?;
    let mut read = 0;
    while let Some(batch) = data::next(&mut samples, args.limit, read)? {
        batch.iter().for_each(&mut act);
        read += batch.len();
    }
    data::refuse_empty(args, read, samples.skipped())?;
    data::report_bad_rows(samples.skipped());
    Ok(())
}

/// Tokens and their tags, which are numbered later.
fn tagged_text(sample: &Sample) -> (TaggedText, Vec<String>) {
    let tokens = in_order(sample, TOKEN);
    let tags = tokens.iter().map(|(_, mark)| mark.value.to_string()).collect();
    let text = TaggedText {
        text: sample.fields.first().map(|field| field.text.to_string()).unwrap_or_default(),
        tokens: tokens.iter().map(|(_, mark)| mark.span.start..mark.span.end).collect(),
        tags: Vec::new(),
        source: Some(source(sample).into_owned()),
    };
    (text, tags)
}

/// A question with its first answer. Questions about one passage stay together, so that none that is held out was read.
fn reading(sample: &Sample) -> Reading {
    let text = |name: &str| sample.text(name).map(|text| text.to_string()).unwrap_or_default();
    let answer = sample.layer(ANSWERS).map(|(_, mark)| mark.span).find(|span| !span.is_empty());
    let context = text("context");
    Reading {
        question: text("question"),
        answer: answer.map(|span| span.start..span.end),
        source: Some(context.clone()),
        context,
    }
}
