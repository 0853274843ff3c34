//! Taggers and readers on this machine, end to end: tiny checkpoints with random weights, whose answers are nothing to
//! be proud of but must be asked for, scored and counted like any other.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_ask::{Sees, open_local};
use fissure_core::Sample;
use fissure_data::Row;
use fissure_evaluate::{
    CaseRecord, ChainConfig, Findings, RUN_FILE, Response, RunConfig, SampleRecord, Status, findings,
};
use fissure_models::train::{Architecture, Example, TrainOptions, train};
use serde_json::{Value, json};
use support::prepare;
use tempfile::TempDir;

fn checkpoint(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families").join(name)
}

fn sample(task: &str, row: &Value) -> Sample {
    let columns = row.as_object().unwrap().iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
    fissure_tasks::find(task).unwrap().sample(Row(columns.collect())).unwrap()
}

/// What was found, and the lines of the run.
struct Ran {
    found: Findings,
    samples: Vec<SampleRecord>,
    cases: Vec<CaseRecord>,
}

fn ran(task: &str, model: &str, samples: &[Sample], chains: &[&str]) -> Ran {
    ran_with(task, &checkpoint(model), samples, chains)
}

fn ran_with(task: &str, directory: &Path, samples: &[Sample], chains: &[&str]) -> Ran {
    let folder = TempDir::new().unwrap();
    let config = support::with(RunConfig::default(), |config| {
        config.data.task = Some(task.into());
        config.selection.chains = chains.iter().map(|name| ChainConfig::Name((*name).to_owned())).collect();
        config.selection.slices = Some(Vec::new());
    });
    let model = open_local("tiny", directory, fissure_tasks::find(task).unwrap()).unwrap();
    let prepared = prepare(config, samples, model).unwrap();
    let bytes = support::run(&prepared, samples, folder.path(), 2);
    let lines: Vec<Value> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let of = |key: &str| lines.iter().filter(|line| line.get(key).is_some()).cloned().collect::<Vec<_>>();
    Ran {
        found: findings(&folder.path().join(RUN_FILE)).unwrap(),
        samples: of("texts").into_iter().map(|line| serde_json::from_value(line).unwrap()).collect(),
        cases: of("status").into_iter().map(|line| serde_json::from_value(line).unwrap()).collect(),
    }
}

/// A small classifier of these labels, trained on texts or pairs for a moment.
fn small(folder: &Path, examples: &[(&str, Option<&str>, usize)], labels: &[&str]) {
    let example = |(text, pair, label): &(&str, Option<&str>, usize)| Example {
        text: (*text).to_owned(),
        pair: pair.map(str::to_owned),
        label: *label,
        source: None,
    };
    let examples: Vec<Example> = examples.iter().map(example).collect();
    let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
    let options = TrainOptions {
        epochs: 30,
        batch: 10,
        rate: 1e-2,
        dropout: 0.0,
        hidden: 16,
        validation: 0.0,
        fewest_occurrences: 1,
        ..TrainOptions::new(Architecture::BiLstm)
    };
    train(&examples, &labels, &options, &mut |_| {}).unwrap().model.save(folder).unwrap();
}

fn restaurants() -> Vec<Sample> {
    let term = |term: &str, from: usize, polarity: &str| json!({"term": term, "from": from, "to": from + term.len(), "polarity": polarity});
    let rows = [
        json!({"text": "The soup was good, but the staff was slow.", "term_list":
            {"1": term("soup", 4, "positive"), "2": term("staff", 27, "negative")}}),
        json!({"text": "I like the bread.", "term_list": {"1": term("bread", 11, "positive")}}),
        json!({"text": "We left.", "term_list": {}}),
    ];
    rows.iter().map(|row| sample("absa", row)).collect()
}

#[test]
fn a_classifier_is_asked_about_every_aspect() {
    let folder = TempDir::new().unwrap();
    let text = "The soup was good, but the staff was slow.";
    let examples = [(text, Some("soup"), 1), (text, Some("staff"), 0), ("I like the bread.", Some("bread"), 1)];
    small(folder.path(), &examples.repeat(20), &["negative", "positive"]);
    let samples = restaurants();
    let Ran { found, samples: records, .. } = ran_with("absa", folder.path(), &samples, &["word_case", "append_irr"]);
    let said: Vec<_> = records.iter().map(|record| record.said.clone().unwrap()).collect();
    let tags = |tags: &[&str]| Response::Tags(tags.iter().map(|tag| (*tag).to_owned()).collect());
    assert_eq!(said, [tags(&["positive", "negative"]), tags(&["positive"]), tags(&[])]);
    assert!((found.clean[0].1.value - 1.0).abs() < 1e-12, "{:?}", found.clean);
    assert!(!found.about.model.gradients);

    // The same model, which is not shown the aspect, cannot tell two of one text apart.
    small(folder.path(), &[(text, None, 1), ("I like the bread.", None, 0)].repeat(20), &["negative", "positive"]);
    Sees::Texts.write(folder.path()).unwrap();
    let Ran { samples: records, .. } = ran_with("absa", folder.path(), &samples, &["word_case"]);
    assert_eq!(records[0].said.clone().unwrap(), tags(&["positive", "positive"]));
}

#[test]
fn a_classifier_is_shown_subject_and_object() {
    let folder = TempDir::new().unwrap();
    let examples = [("[E1] Ann [/E1] met [E2] Bob [/E2] .", None, 0), ("[E2] Ann [/E2] met [E1] Bob [/E1] .", None, 1)];
    small(folder.path(), &examples.repeat(30), &["first", "second"]);
    let rows = [("<e1>Ann</e1> met <e2>Bob</e2>.", "first"), ("<e2>Ann</e2> met <e1>Bob</e1>.", "second")];
    let samples: Vec<Sample> =
        rows.iter().map(|(text, label)| sample("re", &json!({"text": text, "relation": label}))).collect();
    let Ran { found, samples: records, .. } = ran_with("re", folder.path(), &samples, &["word_case"]);
    let labels: Vec<String> = records.iter().map(|record| record.said.as_ref().unwrap().shown()).collect();
    assert_eq!(labels, ["first", "second"]);
    assert_eq!(found.about.model.labels, ["first", "second"]);
}

fn sentences(tags: &'static str) -> Vec<(Vec<&'static str>, Value)> {
    let texts = ["Ann went to Paris with the old man", "the film was good", "Bob saw 3 dogs"];
    let row = |text: &&'static str| {
        let tokens: Vec<&str> = text.split(' ').collect();
        let gold: Vec<&str> =
            tokens.iter().map(|token| if token.starts_with(char::is_uppercase) { tags } else { "O" }).collect();
        (gold.clone(), json!({ "tokens": tokens, "ner_tags": gold }))
    };
    texts.iter().map(row).collect()
}

#[test]
fn a_tagger_answers_a_run() {
    // The checkpoint has the labels `bad`, `good` and `so so`; a tagger that knows none of the tags of the data is refused.
    let rows = sentences("B-good");
    let samples: Vec<Sample> = rows.iter().map(|(_, row)| sample("ner", row)).collect();
    let Ran { found, samples: records, cases } = ran("ner", "bert-tags", &samples, &["word_case", "append_irr"]);
    let labels = &found.about.model.labels;
    assert!(labels.len() > 1 && found.about.metric == "span_f1", "{labels:?} {}", found.about.metric);
    let tags = |said: &Option<Response>| match said {
        Some(Response::Tags(tags)) => tags.clone(),
        other => panic!("{other:?}"),
    };
    let (mut right, mut all) = (0, 0);
    for ((gold, _), record) in rows.iter().zip(&records) {
        let said = tags(&record.said);
        assert_eq!(said.len(), gold.len(), "one tag a token");
        assert!(said.iter().all(|tag| labels.contains(tag)), "{said:?}");
        right += said.iter().zip(gold).filter(|(said, gold)| said.as_str() == **gold).count();
        all += gold.len();
    }
    let accuracy = found.clean.iter().find(|(name, _)| name == "token_accuracy").unwrap().1;
    assert!((accuracy.value - right as f64 / all as f64).abs() < 1e-12, "{right} of {all}, {accuracy:?}");
    // Every changed form has as many tags as the tokens that kept theirs, and counts.
    let changed: Vec<&CaseRecord> = cases.iter().filter(|case| case.status == Status::Changed).collect();
    assert!(changed.len() >= 3 && changed.iter().all(|case| case.tally.is_some()), "{changed:?}");
    for case in changed {
        assert!(tags(&case.said).len() >= rows[case.n].0.len(), "{case:?}");
    }
    assert!(found.parts.iter().any(|part| part.evidence.as_ref().is_some_and(|evidence| evidence.drop.is_some())));
}

#[test]
fn a_reader_answers_a_run() {
    let rows = [
        ("the old man went to the film", "who went to the film", "the old man", 0),
        ("the film was good and the dogs were good", "what was good", "the film", 0),
        ("Bob saw the dogs", "what did Bob see", "the dogs", 8),
    ];
    let row = |(context, question, answer, start): &(&str, &str, &str, usize)| {
        let answers = json!({"text": [answer], "answer_start": [start]});
        sample("mrc", &json!({"context": context, "question": question, "answers": answers}))
    };
    let samples: Vec<Sample> = rows.iter().map(row).collect();
    let Ran { found, samples: records, cases } = ran("mrc", "bert-spans", &samples, &["word_case", "append_irr"]);
    let mut right = 0;
    for ((context, _, gold, _), record) in rows.iter().zip(&records) {
        let Some(Response::Answer(said)) = &record.said else { panic!("{record:?}") };
        assert!(said.as_ref().is_none_or(|said| context.contains(said.as_str())), "{said:?} is not in {context}");
        right += usize::from(said.as_deref() == Some(*gold));
    }
    let exact = found.clean.iter().find(|(name, _)| name == "exact_match").unwrap().1;
    assert!((exact.value - right as f64 / 3.0).abs() < 1e-12, "{exact:?}");
    let changed = cases.iter().filter(|case| case.status == Status::Changed);
    assert!(changed.clone().count() >= 3 && changed.clone().all(|case| case.tally.is_some()));
    assert!(changed.clone().all(|case| matches!(case.said, Some(Response::Answer(_)))));
}
