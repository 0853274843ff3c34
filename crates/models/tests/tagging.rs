//! The tagger from nothing: it learns, the threads do not show, and what is saved is read back.

#![allow(clippy::unwrap_used)] // A test that cannot read its own files should fail.

use std::fs;

use fissure_models::open;
use fissure_models::tagging::{TaggedText, Tokenised, open_tagger};
use fissure_models::train::{Architecture, TrainOptions, TrainedTagger, train_tagger};

/// Sentences in which the same word is a noun behind `the` and a verb behind `they`, and capitals are names.
fn texts(count: usize) -> Vec<TaggedText> {
    let mut state = 5_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let words = ["walk", "look", "play", "change", "talk"];
    let one = |_| {
        let mut pairs: Vec<(String, usize)> = Vec::new();
        for _ in 0..2 + below(4) {
            let word = words[below(5)].to_owned();
            match below(3) {
                0 => pairs.extend([("the".to_owned(), 0), (word, 1)]),
                1 => pairs.extend([("they".to_owned(), 2), (word, 3)]),
                _ => pairs.push((format!("Q{}x", ["an", "el", "om", "ir"][below(4)].repeat(1 + below(3))), 4)),
            }
        }
        let mut text = String::new();
        let (mut tokens, mut tags) = (Vec::new(), Vec::new());
        for (word, tag) in pairs {
            if !text.is_empty() {
                text.push(' ');
            }
            tokens.push(text.len()..text.len() + word.len());
            text.push_str(&word);
            tags.push(tag);
        }
        TaggedText { text, tokens, tags, source: None }
    };
    (0..count).map(one).collect()
}

fn train_with(threads: usize, texts: &[TaggedText]) -> TrainedTagger {
    let labels = ["DET", "NOUN", "PRON", "VERB", "PROPN"].map(str::to_owned);
    let options = TrainOptions {
        seed: 3,
        embedding_width: 12,
        hidden: 16,
        epochs: 8,
        batch: 16,
        rate: 1e-2,
        ..TrainOptions::new(Architecture::BiLstm)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| train_tagger(texts, &labels, &options, &mut |_| {})).unwrap()
}

#[test]
fn it_learns_and_the_threads_do_not_show() {
    let all = texts(420);
    let (training, test) = all.split_at(300);
    let one = train_with(1, training);
    let two = train_with(3, training);
    assert_eq!(one.epochs, two.epochs);
    let [first, second] = [&one, &two].map(|trained| {
        let directory = tempfile::tempdir().unwrap();
        trained.model.save(directory.path()).unwrap();
        directory
    });
    for file in ["config.json", "model.safetensors"] {
        let bytes = |directory: &tempfile::TempDir| fs::read(directory.path().join(file)).unwrap();
        assert!(bytes(&first) == bytes(&second), "{file}");
    }
    let model = open_tagger(first.path()).unwrap();
    let inputs: Vec<Tokenised<'_>> =
        test.iter().map(|text| Tokenised { text: &text.text, tokens: &text.tokens }).collect();
    let found = model.tag_tokens(&inputs).unwrap();
    let pairs = || found.iter().zip(test).flat_map(|(found, text)| found.iter().zip(&text.tags));
    let right = pairs().filter(|(found, tag)| **found == Some(**tag)).count();
    assert!(right * 100 >= pairs().count() * 98, "{right} of {}", pairs().count());

    // In any company, and for texts without tokens.
    let alone: Vec<_> = inputs.iter().map(|text| model.tag_tokens(&[*text]).unwrap().remove(0)).collect();
    assert_eq!(alone, found);
    assert_eq!(model.tag_tokens(&[Tokenised { text: "", tokens: &[] }]).unwrap(), [Vec::<Option<usize>>::new()]);
    let long = "the ".repeat(400);
    let tokens: Vec<_> = (0..400).map(|at| 4 * at..4 * at + 3).collect();
    let tags = model.tag_tokens(&[Tokenised { text: &long, tokens: &tokens }]).unwrap().remove(0);
    assert!(tags.len() == 400 && tags[127].is_some() && tags[128].is_none(), "what is not read has no tag");

    let error = open(first.path()).unwrap_err().to_string();
    assert!(error.contains("a tagger of tokens"), "{error}");
}

#[test]
fn wrong_use_is_named() {
    let labels = ["DET", "NOUN", "PRON", "VERB", "PROPN"].map(str::to_owned);
    let options = TrainOptions::new(Architecture::BiLstm);
    let fails = |texts: &[TaggedText], labels: &[String]| {
        train_tagger(texts, labels, &options, &mut |_| {}).unwrap_err().to_string()
    };
    let good = texts(20);
    let mut short = good.clone();
    short[3].tags.pop();
    assert!(fails(&short, &labels).contains("example 3"));
    assert!(fails(&good, &labels[..1]).contains("two labels"));
    assert!(fails(&good, &labels[..2]).contains("only 2 labels"));
    assert!(fails(&[], &labels).contains("too few"));
}
