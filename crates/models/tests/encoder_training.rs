//! Fine-tuning a tiny encoder: it learns, the threads do not show, and what is frozen stays.

#![allow(clippy::unwrap_used)] // A test that cannot read its own fixture should fail.

use std::fs;
use std::path::{Path, PathBuf};

use fissure_models::encoder::{Classifier, FineTuneOptions, FineTuned, fine_tune};
use fissure_models::train::Example;
use fissure_models::weights::Weights;
use fissure_models::{Input, Model};

fn encoder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name)
}

/// Whether there is a cat in the text.
fn examples() -> Vec<Example> {
    let others = ["the", "mat", "film", "good", "long", "looked", "other", "boring"];
    let example = |at: usize| {
        let mut words: Vec<&str> = (0..3 + at % 4).map(|k| others[(at * 7 + k * k * 3 + k) % others.len()]).collect();
        let label = at % 2;
        if label == 1 {
            words[at / 2 % 3] = "cat";
        }
        Example { text: words.join(" "), pair: None, label, source: None }
    };
    (0..160).map(example).collect()
}

fn options() -> FineTuneOptions {
    FineTuneOptions { epochs: 6, batch: 10, rate: 1e-2, patience: 6, ..FineTuneOptions::default() }
}

fn run(name: &str, threads: usize, options: &FineTuneOptions) -> FineTuned {
    let labels = ["no cat", "cat"].map(str::to_owned);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| fine_tune(&encoder(name), &examples(), &labels, options, &mut |_| {})).unwrap()
}

fn saved(found: &FineTuned) -> (tempfile::TempDir, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    found.model.save(directory.path()).unwrap();
    let bytes = fs::read(directory.path().join("model.safetensors")).unwrap();
    (directory, bytes)
}

#[test]
fn every_family_learns_and_threads_do_not_show() {
    for name in ["bert-alone", "roberta", "mpnet", "albert", "electra", "distilbert"] {
        let found = run(name, 1, &options());
        let examples = examples();
        let inputs: Vec<Input<'_>> = examples.iter().map(|example| Input::from(example.text.as_str())).collect();
        let answers = found.model.answer(&inputs).unwrap();
        let right = answers.iter().zip(&examples).filter(|(answer, example)| answer.predicted == example.label).count();
        assert!(right >= 150, "{name}: {right} of 160; {:?}", found.epochs);
        let (first, last) = (found.epochs[0].training, found.epochs[found.epochs.len() - 1].training);
        assert!(last.loss < first.loss, "{name}");

        let (directory, bytes) = saved(&found);
        assert!(bytes == saved(&run(name, 3, &options())).1, "{name}: three threads gave other weights");
        let again = Classifier::open(directory.path()).unwrap();
        assert_eq!(again.offers().labels, ["no cat", "cat"]);
        assert_eq!(again.answer(&inputs).unwrap(), answers, "{name}");
    }
}

#[test]
fn what_is_frozen_stays() {
    let found = run("bert-alone", 2, &FineTuneOptions { frozen_layers: Some(1), ..options() });
    let (directory, _) = saved(&found);
    let [old, new] = [encoder("bert-alone"), directory.path().to_owned()].map(|path| Weights::open(&path).unwrap());
    let mut moved = Vec::new();
    for name in old.names() {
        let shape = old.shape(name).unwrap();
        if old.get(name, shape).unwrap() != new.get(&format!("bert.{name}"), shape).unwrap() {
            moved.push(name.to_owned());
        }
    }
    assert!(moved.iter().all(|name| name.starts_with("encoder.layer.1.") || name.starts_with("pooler.")), "{moved:?}");
    assert_eq!(moved.len(), 18);
    let frozen_all = run("bert-alone", 2, &FineTuneOptions { frozen_layers: Some(2), ..options() });
    assert_ne!(saved(&frozen_all).1, saved(&found).1);
}

#[test]
fn what_a_head_knows_of_the_labels_is_kept() {
    let one_slow_step = FineTuneOptions { epochs: 1, rate: 1e-12, validation: 0.0, ..options() };
    let text = [Input::from("the cat sat")];
    let scores = |model: &Classifier| model.answer(&text).unwrap()[0].log_probs.clone().unwrap();
    let old = scores(&Classifier::open(&encoder("bert")).unwrap());
    // The same labels; one more; the same in another order. Differences of log-probabilities are those of logits.
    for (labels, places) in [
        (&["bad", "so so", "good"][..], [0, 1, 2]),
        (&["bad", "so so", "good", "invalid"], [0, 1, 2]),
        (&["good", "bad", "so so"], [1, 2, 0]),
    ] {
        let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
        let found = fine_tune(&encoder("bert"), &examples(), &labels, &one_slow_step, &mut |_| {}).unwrap();
        let new = scores(&found.model);
        for at in 1..3 {
            let [was, is] = [old[at] - old[0], new[places[at]] - new[places[0]]];
            assert!((was - is).abs() < 1e-5, "{labels:?}: {was} became {is}");
        }
    }
}

#[test]
fn wrong_use_is_named() {
    let labels = ["no cat", "cat"].map(str::to_owned);
    let error = |examples: &[Example], labels: &[String], options: &FineTuneOptions| {
        fine_tune(&encoder("bert-alone"), examples, labels, options, &mut |_| {}).unwrap_err().to_string()
    };
    assert!(error(&examples(), &labels[..1], &options()).contains("two labels"));
    assert!(error(&[], &labels, &options()).contains("too few"));
    let frozen = FineTuneOptions { frozen_layers: Some(3), ..options() };
    assert!(error(&examples(), &labels, &frozen).contains("frozen layers"));
    let wild = FineTuneOptions { rate: 1e30, ..options() };
    assert!(error(&examples(), &labels, &wild).contains("lower rate"));
}
