//! Taggers and readers on this machine, end to end: tiny checkpoints with random weights, whose answers are nothing to
//! be proud of but must be asked for, scored and counted like any other.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_ask::open_local;
use fissure_core::Sample;
use fissure_data::Row;
use fissure_evaluate::{
    CaseRecord, ChainConfig, Findings, RUN_FILE, Response, RunConfig, SampleRecord, Status, findings,
};
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
    let folder = TempDir::new().unwrap();
    let config = RunConfig {
        task: Some(task.into()),
        chains: chains.iter().map(|name| ChainConfig::Name((*name).to_owned())).collect(),
        slices: Some(Vec::new()),
        ..RunConfig::default()
    };
    let model = open_local(model, &checkpoint(model), fissure_tasks::find(task).unwrap()).unwrap();
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
    let rows = sentences("B-PER");
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
