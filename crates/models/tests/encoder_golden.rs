//! The encoder against the reference values for the MiniLM classifier of AG News.

#![allow(clippy::unwrap_used)] // A test that cannot read its own fixture should fail.

mod common;

use std::fs;

use fissure_models::encoder::Classifier;
use fissure_models::{Input, Model, PullBack, WhiteBox};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The largest eigenvalue of sum_{a<b} p_a p_b (g_a - g_b)(g_a - g_b)^T, from the gradients of z_c - z_0, by power
/// iteration on the small matrix that has the same one.
fn lambda_max(found: &PullBack, log_probs: &[f32]) -> f64 {
    let p: Vec<f64> = log_probs.iter().map(|log| f64::from(*log).exp()).collect();
    let classes = p.len();
    let zero = vec![0.0; found.gradients[0].kept().values.len()];
    let gradient = |c: usize| if c == 0 { &zero } else { &found.gradients[c - 1].kept().values };
    let pairs: Vec<(usize, usize)> = (0..classes).flat_map(|a| (a + 1..classes).map(move |b| (a, b))).collect();
    let columns: Vec<Vec<f64>> = pairs
        .iter()
        .map(|&(a, b)| {
            let factor = (p[a] * p[b]).sqrt();
            gradient(a).iter().zip(gradient(b)).map(|(a, b)| factor * (f64::from(*a) - f64::from(*b))).collect()
        })
        .collect();
    let gram: Vec<Vec<f64>> =
        columns.iter().map(|x| columns.iter().map(|y| x.iter().zip(y).map(|(x, y)| x * y).sum()).collect()).collect();
    let mut vector: Vec<f64> = (0..pairs.len()).map(|at| 1.0 + at as f64 * 0.1).collect();
    let mut lambda = 0.0;
    for _ in 0..2000 {
        let next: Vec<f64> = gram.iter().map(|row| row.iter().zip(&vector).map(|(g, v)| g * v).sum()).collect();
        lambda = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector = next.iter().map(|x| x / lambda).collect();
    }
    lambda
}

#[test]
fn minilm_agrees_with_the_reference() {
    let Some(golden) = common::shared("golden") else { return };
    let model = Classifier::open(&golden.join("minilm_ag")).unwrap().with_max_length(64).unwrap();
    assert_eq!(model.capabilities().labels, ["World", "Sports", "Business", "Sci/Tech"]);
    let lines = fs::read_to_string(golden.join("minilm_ag.jsonl")).unwrap();
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let inputs: Vec<Input<'_>> = rows.iter().map(|row| Input::from(row["text"].as_str().unwrap())).collect();
    let answers = model.answer(&inputs).unwrap();
    let points = model.embed(&inputs).unwrap();
    let classes = model.capabilities().labels.len();
    let against_first = |_: usize, _: &[f32]| {
        (1..classes)
            .map(|c| {
                (0..classes)
                    .map(|k| {
                        if k == c {
                            1.0
                        } else if k == 0 {
                            -1.0
                        } else {
                            0.0
                        }
                    })
                    .collect()
            })
            .collect()
    };
    let pulled = model.pull_back(&points, &against_first).unwrap();
    let (mut worst_log_prob, mut worst_lambda) = (0.0_f64, 0.0_f64);
    for (((row, answer), point), pulled) in rows.iter().zip(&answers).zip(&points).zip(&pulled) {
        let ids: Vec<f64> = point.pieces.iter().map(|piece| f64::from(piece.id)).collect();
        assert_eq!(ids, numbers(&row["ids"]));
        let log_probs = answer.log_probs.as_ref().unwrap();
        for (found, expected) in log_probs.iter().zip(numbers(&row["logp"])) {
            worst_log_prob = worst_log_prob.max((f64::from(*found) - expected).abs());
        }
        assert_eq!(answer.predicted as u64, row["pred"].as_u64().unwrap());
        let expected = row["lambda_max"].as_f64().unwrap();
        worst_lambda = worst_lambda.max((lambda_max(pulled, log_probs) / expected - 1.0).abs());
    }
    eprintln!("log-probabilities within {worst_log_prob:.1e}, lambda_max within {worst_lambda:.1e} relative");
    assert!(worst_log_prob < 1e-4, "{worst_log_prob}");
    assert!(worst_lambda < 1e-3, "{worst_lambda}");
}
