//! fasttext, cnn and bilstm against the reference values that were made with PyTorch in float64.

mod common;

use fissure_models::{Embedded, Gradient, Input, Matrix, PullBack, WhiteBox, open};
use serde_json::Value;

#[test]
fn fasttext() {
    compare("fasttext_ag", 0);
}

#[test]
fn cnn() {
    compare("cnn_ag", 1);
}

#[test]
fn bilstm() {
    compare("bilstm_imdb", 0);
}

/// `ties` examples may differ by a tie of the max-pool.
fn compare(name: &str, ties: usize) {
    let (Some(directory), Some(values)) =
        (common::shared(&format!("golden/{name}")), common::shared(&format!("golden/{name}.jsonl")))
    else {
        return;
    };
    let model = open(&directory).expect("a model");
    let lines = std::fs::read_to_string(values).expect("readable");
    let golden: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(golden.len() >= 100);
    let inputs: Vec<Input<'_>> = golden.iter().map(|row| row["text"].as_str().expect("a text").into()).collect();

    for (row, answer) in golden.iter().zip(model.answer(&inputs).expect("answers")) {
        let found = answer.log_probs.expect("log-probabilities");
        assert!(close(&found, &numbers(&row["logp"]), 1e-4), "{}: {found:?} {}", row["index"], row["logp"]);
        assert_eq!(Some(answer.predicted as u64), row["pred"].as_u64());
    }

    let white = model.as_white_box().expect("gradients");
    let points = white.embed(&inputs).expect("points");
    for ((row, point), input) in golden.iter().zip(&points).zip(&inputs) {
        check_pieces(row, point, input.text);
    }
    let mut moved = 0;
    for (row, (lambda, shares)) in golden.iter().zip(top_of_fisher(white, &points)) {
        let expected = row["lambda_max"].as_f64().expect("a number");
        let norms = numbers(&row["e_max_token_norm"]);
        let largest = norms.iter().copied().fold(0.0, f64::max);
        let right = (lambda / expected - 1.0).abs() < 1e-3 && close(&shares, &norms, 2e-3 * largest);
        if !right {
            eprintln!("{name} {}: lambda_max {lambda} against {expected}", row["index"]);
            // Equal windows share a peak; where rounding makes them unequal in the reference, its peak is in one.
            assert!((lambda / expected - 1.0).abs() < 1e-2, "{name} {}", row["index"]);
            moved += 1;
        }
    }
    assert!(moved <= ties, "{moved} examples off");
}

/// Pieces have the ids of the reference, and cover its words in the text as it stands.
fn check_pieces(row: &Value, point: &Embedded, text: &str) {
    let ids: Vec<f64> = point.pieces.iter().map(|piece| f64::from(piece.id)).collect();
    assert_eq!(ids, numbers(&row["ids"]), "{}", row["index"]);
    let words = row["words"].as_array().expect("a list").iter().map(|word| word.as_str().expect("a word"));
    for (piece, word) in point.pieces.iter().zip(words) {
        let (source, range) = piece.source.clone().expect("a word of the text");
        assert_eq!((source, text[range].to_ascii_lowercase().as_str()), (0, word));
    }
}

/// The largest eigenvalue of the Fisher information and the share of each row in its eigenvector, computed simply: G is
/// the sum of v v^T over class pairs, v_ab = sqrt(p_a p_b) grad(z_a - z_b), so its spectrum is that of the matrix of
/// their products.
fn top_of_fisher(model: &dyn WhiteBox, points: &[Embedded]) -> Vec<(f64, Vec<f64>)> {
    let differences = |_: usize, logits: &[f32]| -> Vec<Vec<f32>> {
        let one = |class: usize| (0..logits.len()).map(|c| f32::from(c == class) - f32::from(c == 0)).collect();
        (1..logits.len()).map(one).collect()
    };
    let pulled = model.pull_back(points, &differences).expect("gradients");
    pulled.iter().zip(points).map(|(pulled, point)| top(pulled, point)).collect()
}

fn top(pulled: &PullBack, point: &Embedded) -> (f64, Vec<f64>) {
    let classes = pulled.logits.len();
    let highest = pulled.logits.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f64> = pulled.logits.iter().map(|z| f64::from(z - highest).exp()).collect();
    let total: f64 = weights.iter().sum();
    let size = point.rows.values.len();
    let gradients: Vec<Matrix> = pulled.gradients.iter().map(Gradient::to_rows).collect();
    let gradient = |class: usize, i: usize| match class {
        0 => 0.0,
        _ => f64::from(gradients[class - 1].values[i]),
    };
    let mut vectors: Vec<Vec<f64>> = Vec::new();
    for a in 0..classes {
        for b in a + 1..classes {
            let scale = (weights[a] * weights[b]).sqrt() / total;
            vectors.push((0..size).map(|i| scale * (gradient(a, i) - gradient(b, i))).collect());
        }
    }
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    // Power iteration in the space of the points, from the longest of the vectors.
    let longest = vectors.iter().max_by(|x, y| dot(x, x).total_cmp(&dot(y, y))).expect("two classes");
    let mut direction = longest.clone();
    let mut lambda = 0.0;
    for _ in 0..100 {
        let norm = dot(&direction, &direction).sqrt();
        direction.iter_mut().for_each(|x| *x /= norm);
        let mut next = vec![0.0; size];
        for vector in &vectors {
            let along = dot(vector, &direction);
            next.iter_mut().zip(vector).for_each(|(next, x)| *next += along * x);
        }
        lambda = dot(&next, &direction);
        direction = next;
    }
    let norm = dot(&direction, &direction).sqrt();
    (lambda, direction.chunks(point.rows.width).map(|row| dot(row, row).sqrt() / norm).collect())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn close<T: Copy + Into<f64>>(found: &[T], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| ((*f).into() - e).abs() <= tolerance)
}
