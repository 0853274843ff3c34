//! Our metrics against other people's: random answers with the values that scikit-learn, seqeval, the SQuAD script and
//! scorch give them. `benches/metrics/reference.py` makes the fixture.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::sync::Arc;

use fissure_core::Sample;
use fissure_data::Row;
use fissure_evaluate::Response;
use fissure_tasks::metrics::{ClassF1, Metric};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Case {
    task: String,
    labels: Vec<String>,
    rows: Vec<Map<String, Value>>,
    answers: Vec<Value>,
    expected: BTreeMap<String, f64>,
    #[serde(default)]
    each: BTreeMap<String, f64>,
}

fn response(task: &str, answer: &Value) -> Response {
    let text = || answer.as_str().unwrap().to_owned();
    match task {
        "classification" | "re" => Response::class(text()),
        "mrc" => Response::Answer(Some(text()).filter(|answer| !answer.is_empty())),
        "coref" => Response::Clusters(serde_json::from_value(answer.clone()).unwrap()),
        _ => Response::Tags(serde_json::from_value(answer.clone()).unwrap()),
    }
}

fn value(metric: &dyn Metric, samples: &[Sample], responses: &[Response]) -> f64 {
    let mut sum: Vec<f64> = Vec::new();
    for (sample, response) in samples.iter().zip(responses) {
        let tally = metric.tally(sample, response).unwrap();
        sum.resize(tally.len(), 0.0);
        sum.iter_mut().zip(tally).for_each(|(sum, number)| *sum += number);
    }
    // Other scorers call it 0 if there is nothing to find and nothing was found.
    metric.value(&sum).unwrap_or(0.0)
}

#[test]
fn the_same_values_as_the_reference_implementations() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fixtures/metrics.json")).unwrap();
    assert!(cases.len() >= 15);
    for (number, case) in cases.iter().enumerate() {
        let layout = fissure_tasks::find(&case.task).unwrap();
        let row = |row: &Map<String, Value>| {
            let columns = row.iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
            layout.sample(Row(columns.collect())).unwrap()
        };
        let samples: Vec<Sample> = case.rows.iter().map(row).collect();
        let responses: Vec<Response> = case.answers.iter().map(|answer| response(&case.task, answer)).collect();
        let metrics = fissure_tasks::find(&case.task).unwrap().metrics(&case.labels);
        for (name, expected) in &case.expected {
            // The mean of three measures leaves out one that is not defined; the scorer counts it as 0.
            if name == "conll_f1" && case.expected["muc"] == 0.0 {
                continue;
            }
            let metric = metrics.iter().find(|metric| metric.name() == name).unwrap();
            let found = value(&**metric, &samples, &responses);
            assert!((found - expected).abs() < 1e-12, "case {number} ({}): {name} {found}, not {expected}", case.task);
        }
        for (label, expected) in &case.each {
            let found = value(&ClassF1 { label: label.clone() }, &samples, &responses);
            assert!((found - expected).abs() < 1e-12, "case {number}: F1 of {label} {found}, not {expected}");
        }
    }
}
