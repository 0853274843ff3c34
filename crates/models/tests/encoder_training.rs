//! Fine-tuning a tiny encoder: it learns, the threads do not show, and what is frozen stays.

#![allow(clippy::unwrap_used)] // A test that cannot read its own fixture should fail.

use std::fs;
use std::path::{Path, PathBuf};

use fissure_models::encoder::{
    Classifier, FineTuneOptions, FineTuned, Reading, SpanFinder, Tagger, fine_tune, fine_tune_reader, fine_tune_tagger,
};
use fissure_models::tagging::{TaggedText, TokenTagger, Tokenised};
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
        assert_eq!(again.capabilities().labels, ["no cat", "cat"]);
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

/// Every cat is 1, what follows it 2, all else 0.
fn tagged() -> Vec<TaggedText> {
    let tag = |example: Example| {
        let mut at = 0;
        let token = |word: &str| {
            let start = at;
            at += word.len() + 1;
            start..start + word.len()
        };
        let words: Vec<&str> = example.text.split(' ').collect();
        let tag = |at: usize| match words[at] {
            "cat" => 1,
            _ if at > 0 && words[at - 1] == "cat" => 2,
            _ => 0,
        };
        let (tokens, tags) = (words.iter().copied().map(token).collect(), (0..words.len()).map(tag).collect());
        TaggedText { text: example.text, tokens, tags, source: None }
    };
    examples().into_iter().map(tag).collect()
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn taggers_learn_and_threads_do_not_show() {
    let (texts, labels) = (tagged(), ["O", "B-CAT", "I-CAT"].map(str::to_owned));
    let longer = FineTuneOptions { epochs: 12, ..options() };
    for name in ["bert-alone", "roberta"] {
        let run = |threads| {
            in_pool(threads, || fine_tune_tagger(&encoder(name), &texts, &labels, &longer, &mut |_| {}).unwrap())
        };
        let found = run(1);
        let inputs: Vec<Tokenised<'_>> =
            texts.iter().map(|text| Tokenised { text: &text.text, tokens: &text.tokens }).collect();
        let answers = found.model.tag_tokens(&inputs).unwrap();
        let tags = || answers.iter().zip(&texts).flat_map(|(found, text)| found.iter().zip(&text.tags));
        let (right, all) = (tags().filter(|(found, tag)| **found == Some(**tag)).count(), tags().count());
        assert!(right * 100 >= all * 95, "{name}: {right} of {all}; {:?}", found.epochs);
        let held_out = found.held_out.unwrap();
        assert!(held_out.most_frequent == 0 && held_out.examples > 16, "tokens are counted: {held_out:?}");

        let [one, two] = [found.model, run(3).model].map(|model| {
            let directory = tempfile::tempdir().unwrap();
            model.save(directory.path()).unwrap();
            directory
        });
        let bytes = |directory: &tempfile::TempDir| fs::read(directory.path().join("model.safetensors")).unwrap();
        assert!(bytes(&one) == bytes(&two), "{name}: three threads gave other weights");
        let again = Tagger::open(one.path()).unwrap();
        assert_eq!(again.labels(), labels);
        assert_eq!(again.tag_tokens(&inputs).unwrap(), answers, "{name}");
    }
}

#[test]
fn readers_learn_and_threads_do_not_show() {
    // The answer is the cat, if there is one.
    let reading = |example: Example| Reading {
        question: "the other".to_owned(),
        answer: example.text.find("cat").map(|at| at..at + 3),
        context: example.text,
        source: None,
    };
    let readings: Vec<Reading> = examples().into_iter().map(reading).collect();
    let longer = FineTuneOptions { epochs: 12, max_length: 24, ..options() };
    let run = |threads| {
        in_pool(threads, || fine_tune_reader(&encoder("bert-alone"), &readings, &longer, &mut |_| {}).unwrap())
    };
    let found = run(1);
    let questions: Vec<(&str, &str)> =
        readings.iter().map(|reading| (reading.question.as_str(), reading.context.as_str())).collect();
    let answers = found.model.find(&questions).unwrap();
    let right = |(answer, reading): &(&fissure_models::encoder::FoundSpan, &Reading)| {
        let there = answer.log_prob > answer.no_answer;
        reading.answer.as_ref().map_or(!there, |expected| there && answer.bytes == *expected)
    };
    let count = answers.iter().zip(&readings).filter(right).count();
    assert!(count >= 144, "{count} of 160; {:?}", found.epochs);
    assert!((found.held_out.unwrap().accuracy - 0.5).abs() < 0.3);
    let [one, two] = [found.model, run(2).model].map(|model| {
        let directory = tempfile::tempdir().unwrap();
        model.save(directory.path()).unwrap();
        directory
    });
    let bytes = |directory: &tempfile::TempDir| fs::read(directory.path().join("model.safetensors")).unwrap();
    assert!(bytes(&one) == bytes(&two), "two threads gave other weights");
    assert_eq!(SpanFinder::open(one.path()).unwrap().find(&questions).unwrap(), answers);

    let wrong = Reading { answer: Some(900..903), ..readings[0].clone() };
    let error = fine_tune_reader(&encoder("bert-alone"), &[wrong], &longer, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("example 0"), "{error}");
}

#[test]
fn families_that_only_answer_say_so() {
    let labels = ["no cat", "cat"].map(str::to_owned);
    for name in ["deberta-v2", "modernbert", "xlnet"] {
        let error = fine_tune(&encoder(name), &examples(), &labels, &options(), &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("cannot be trained"), "{name}: {error}");
    }
}
