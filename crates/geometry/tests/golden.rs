//! Parity with the reference values of four trained models, within the tolerances they were published with.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::{Path, PathBuf};

use fissure_geometry::{
    MinimalStep, REACH, Space, Survey, gradient_dot_embedding, integrated_gradients, minimal_steps, survey,
};
use fissure_models::{Embedded, Input, Model, WhiteBox};
use serde_json::Value;

/// The directory of reference values beside the project; `None`, said loudly, if it is not there.
fn golden(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden");
    if path.join(format!("{name}.jsonl")).is_file() {
        return Some(path);
    }
    eprintln!("SKIPPED: golden parity of {name}: no shared/golden beside the workspace");
    None
}

fn records(directory: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(directory.join(format!("{name}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The largest difference, in parts of the largest wanted value.
fn relative(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let largest = wanted.iter().fold(0f64, |largest, value| largest.max(value.abs()));
    found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest.max(1e-12)
}

/// A step beyond the reach is null; one within 2e-3 of it may be on either side.
fn check_step(found: Option<f64>, wanted: &Value, what: &str) {
    match (found, wanted.as_f64()) {
        (None, None) => {}
        (Some(found), Some(wanted)) => assert!((found - wanted).abs() < 2e-3, "{what}: {found} against {wanted}"),
        (found, wanted) => {
            assert!(found.or(wanted).unwrap() > REACH - 2e-3, "{what}: {found:?} against {wanted:?}");
        }
    }
}

struct Golden<'a> {
    name: &'a str,
    model: &'a dyn WhiteBox,
    records: Vec<Value>,
    points: Vec<Embedded>,
    surveys: Vec<Survey>,
}

impl<'a> Golden<'a> {
    /// lambda_max must be right in every record but those whose `index` is in `but`, which are left out.
    fn new(name: &'a str, model: &'a dyn WhiteBox, mut records: Vec<Value>, but: &[u64]) -> Self {
        let inputs: Vec<Input<'_>> = records.iter().map(|record| record["text"].as_str().unwrap().into()).collect();
        let points = model.embed(&inputs).unwrap();
        let surveys = survey(model, &points, Space::Tokens).unwrap();
        let (mut points, mut surveys) = (points, surveys);
        let off = |(record, survey): (&Value, &Survey)| {
            (survey.spectrum.lambda_max() / record["lambda_max"].as_f64().unwrap() - 1.0).abs() > 1e-3
        };
        let wrong: Vec<usize> =
            records.iter().zip(&surveys).enumerate().filter(|(_, pair)| off(*pair)).map(|(at, _)| at).collect();
        let indices: Vec<u64> = wrong.iter().filter_map(|&at| records[at]["index"].as_u64()).collect();
        assert_eq!(indices, but, "{name}: records where lambda_max is off");
        for &at in wrong.iter().rev() {
            records.remove(at);
            points.remove(at);
            surveys.remove(at);
        }
        Self { name, model, records, points, surveys }
    }

    fn check_spectra(&self) {
        for ((record, point), survey) in self.records.iter().zip(&self.points).zip(&self.surveys) {
            let what = format!("{} {}", self.name, record["index"]);
            let ids: Vec<u64> = point.pieces.iter().map(|piece| u64::from(piece.id)).collect();
            let wanted: Vec<u64> = record["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
            assert_eq!(ids, wanted, "{what}");
            assert_eq!(survey.confidence.predicted as u64, record["pred"].as_u64().unwrap(), "{what}");
            for (found, wanted) in survey.confidence.log_probs.iter().zip(numbers(&record["logp"])) {
                assert!((found - wanted).abs() < 1e-4, "{what}: logp {found} against {wanted}");
            }
            let gap = relative(&survey.spectrum.eigenvalues, &numbers(&record["eig"]));
            assert!(gap < 1e-3, "{what}: eigenvalues are off by {gap}");
            let gap = relative(&survey.token_shares(), &numbers(&record["e_max_token_norm"]));
            assert!(gap < 2e-3, "{what}: shares are off by {gap}");
            let gap = relative(&gradient_dot_embedding(survey, point), &numbers(&record["grad_dot_emb"]));
            assert!(gap < 2e-3, "{what}: gradient . embedding is off by {gap}");
            if let Some(e_max) = record["e_max"].as_array() {
                let found: Vec<f64> = survey.spectrum.e_max.values.iter().map(|&value| f64::from(value)).collect();
                let gap = relative(&found, &e_max.iter().flat_map(numbers).collect::<Vec<_>>());
                assert!(gap < 2e-3, "{what}: e_max is off by {gap}");
            }
        }
    }

    /// Checks the first `most` records that have steps.
    fn check_steps(&self, most: usize) {
        let of: Vec<usize> =
            (0..self.records.len()).filter(|&at| self.records[at].get("eta_plus").is_some()).take(most).collect();
        let points: Vec<Embedded> = of.iter().map(|&at| self.points[at].clone()).collect();
        let directions: Vec<_> = of.iter().map(|&at| &self.surveys[at].spectrum.e_max).collect();
        let steps = minimal_steps(self.model, &points, &directions, Space::Tokens, REACH).unwrap();
        assert!(!of.is_empty());
        for (&at, MinimalStep { eta_plus, eta_minus }) in of.iter().zip(steps) {
            let what = format!("{} {}", self.name, self.records[at]["index"]);
            check_step(eta_plus, &self.records[at]["eta_plus"], &format!("{what} eta_plus"));
            check_step(eta_minus, &self.records[at]["eta_minus"], &format!("{what} eta_minus"));
        }
    }

    /// Checks the first `most` records that have integrated gradients.
    fn check_attributions(&self, most: usize) {
        let of: Vec<usize> =
            (0..self.records.len()).filter(|&at| self.records[at].get("ig_prob").is_some()).take(most).collect();
        assert!(!of.is_empty());
        let points: Vec<Embedded> = of.iter().map(|&at| self.points[at].clone()).collect();
        let with_logit = self.records[of[0]].get("ig_logit").is_some();
        for (&at, found) in of.iter().zip(integrated_gradients(self.model, &points, with_logit).unwrap()) {
            let (record, what) = (&self.records[at], format!("{} {}", self.name, self.records[at]["index"]));
            let gap = relative(&found.probability, &numbers(&record["ig_prob"]));
            assert!(gap < 2e-3, "{what}: ig_prob is off by {gap}");
            let gap = (found.probability_delta - record["ig_prob_delta"].as_f64().unwrap()).abs();
            assert!(gap < 1e-4, "{what}: ig_prob_delta is off by {gap}");
            if with_logit {
                let gap = relative(&found.logit, &numbers(&record["ig_logit"]));
                assert!(gap < 2e-3, "{what}: ig_logit is off by {gap}");
                let gap = (found.logit_delta - record["ig_logit_delta"].as_f64().unwrap()).abs();
                assert!(gap < 1e-3, "{what}: ig_logit_delta is off by {gap}");
            }
        }
    }
}

fn small(directory: &Path, name: &str) -> Box<dyn Model> {
    fissure_models::open(&directory.join(name)).unwrap()
}

#[test]
fn fasttext() {
    let Some(directory) = golden("fasttext_ag") else { return };
    let model = small(&directory, "fasttext_ag");
    let model = model.as_white_box().unwrap();
    let golden = Golden::new("fasttext_ag", model, records(&directory, "fasttext_ag"), &[]);
    golden.check_spectra();
    golden.check_steps(120);
    golden.check_attributions(120);
    // The other reading: the mean of the embeddings.
    let surveys = survey(model, &golden.points, Space::Mean).unwrap();
    let directions: Vec<_> = surveys.iter().map(|survey| &survey.spectrum.e_max).collect();
    let steps = minimal_steps(model, &golden.points, &directions, Space::Mean, REACH).unwrap();
    for (at, record) in golden.records.iter().enumerate() {
        let (wanted, found) = (&record["mean_embedding"], &surveys[at].spectrum);
        let what = format!("fasttext_ag {} by the mean", record["index"]);
        let ratio = found.lambda_max() / wanted["lambda_max"].as_f64().unwrap();
        assert!((ratio - 1.0).abs() < 1e-3, "{what}: {ratio}");
        assert!(relative(&found.eigenvalues, &numbers(&wanted["eig"])) < 1e-3, "{what}");
        let e_max: Vec<f64> = found.e_max.values.iter().map(|&value| f64::from(value)).collect();
        assert!(relative(&e_max, &numbers(&wanted["e_max"])) < 2e-3, "{what}");
        let x: Vec<f64> = Space::Mean.position(&golden.points[at]).values.iter().map(|&v| f64::from(v)).collect();
        assert!(relative(&x, &numbers(&wanted["x"])) < 1e-5, "{what}");
        check_step(steps[at].eta_plus, &wanted["eta_plus"], &what);
        check_step(steps[at].eta_minus, &wanted["eta_minus"], &what);
    }
}

/// Why one record of the cnn cannot agree. Its words 71 to 73 come again at 84 to 86, so in exact arithmetic the two
/// windows are equally high for every filter, and share the gradient: so do we. The reference added up the windows in
/// double precision, in another order at each place; for the filters 51 and 75, whose highest windows these are, the two
/// sums came out 2.2e-16 apart, and one window got everything. That makes its lambda_max 0.53 % larger than ours.
/// PyTorch gives our value when sums that are within 1e-9 of each other share.
fn check_tie(model: &dyn WhiteBox, record: &Value) {
    let ids = record["ids"].as_array().unwrap();
    assert_eq!(ids[71..74], ids[84..87], "the same three words twice");
    let point = model.embed(&[record["text"].as_str().unwrap().into()]).unwrap();
    let found = survey(model, &point, Space::Tokens).unwrap()[0].spectrum.lambda_max();
    let gap = found / record["lambda_max"].as_f64().unwrap() - 1.0;
    assert!((gap + 5.3e-3).abs() < 1e-4, "{gap}");
}

#[test]
fn cnn() {
    let Some(directory) = golden("cnn_ag") else { return };
    let model = small(&directory, "cnn_ag");
    let model = model.as_white_box().unwrap();
    let records = records(&directory, "cnn_ag");
    check_tie(model, &records[89]);
    let golden = Golden::new("cnn_ag", model, records, &[89]);
    golden.check_spectra();
    golden.check_steps(120);
    golden.check_attributions(60);
}

#[test]
fn bilstm() {
    let Some(directory) = golden("bilstm_imdb") else { return };
    let model = small(&directory, "bilstm_imdb");
    let golden = Golden::new("bilstm_imdb", model.as_white_box().unwrap(), records(&directory, "bilstm_imdb"), &[]);
    golden.check_spectra();
    golden.check_steps(12);
    golden.check_attributions(4);
}

#[test]
fn minilm() {
    let Some(directory) = golden("minilm_ag") else { return };
    let model = fissure_models::open_with_max_length(&directory.join("minilm_ag"), Some(64)).unwrap();
    let model = model.as_white_box().unwrap();
    // Steps stand in the first 30 records, integrated gradients in the first 12.
    let golden = Golden::new("minilm_ag", model, records(&directory, "minilm_ag").drain(..30).collect(), &[]);
    golden.check_spectra();
    golden.check_steps(6);
    golden.check_attributions(3);
}
