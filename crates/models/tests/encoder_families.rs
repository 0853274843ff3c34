//! Every encoder family against PyTorch: tiny random checkpoints with the outputs and input gradients that
//! `transformers` gives (`make_families.py` beside this file made those of DeBERTa, ModernBERT and XLNet, in float64).

#![allow(clippy::unwrap_used)] // A test that cannot read its own fixture should fail.

use std::fs;
use std::path::PathBuf;

use fissure_models::encoder::{Classifier, SentenceEncoder, SpanFinder, Tagger, WordGuesser};
use fissure_models::{Input, Model, WhiteBox};
use serde_json::Value;

const CLASSIFIERS: [&str; 15] = [
    "albert",
    "albert-groups",
    "bert",
    "bert-tanh-gelu",
    "deberta-v2",
    "deberta-v2-plain",
    "distilbert",
    "electra",
    "electra-wide",
    "modernbert",
    "modernbert-mean",
    "mpnet",
    "roberta",
    "xlm-roberta",
    "xlnet",
];
/// The combination of logits whose gradient is compared, as in `make_families.py`.
const WEIGHTS: [f32; 3] = [1.0, -0.5, 0.25];

fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name)
}

fn expected(name: &str) -> Vec<Value> {
    let lines = fs::read_to_string(directory(name).join("expected.jsonl")).unwrap();
    let cases: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= 9, "{name}");
    cases
}

fn inputs(cases: &[Value]) -> Vec<Input<'_>> {
    cases.iter().map(|case| Input { text: case["text"].as_str().unwrap(), pair: case["pair"].as_str() }).collect()
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

/// The families whose expected numbers are of float64: how far float32 is off, in parts of the largest number.
const IN_DOUBLE: [&str; 5] = ["deberta-v2", "deberta-v2-plain", "modernbert", "modernbert-mean", "xlnet"];

#[test]
fn new_families_agree_to_the_last_digits() {
    let mut worst: Vec<(&str, f32)> = Vec::new();
    for name in IN_DOUBLE {
        let model = Classifier::open(&directory(name)).unwrap();
        let cases = expected(name);
        let points = model.embed(&inputs(&cases)).unwrap();
        let pulled = model.pull_back(&points, &|_, _| vec![WEIGHTS.to_vec()]).unwrap();
        let off = |found: &[f32], expected: &[f32]| {
            let largest = expected.iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
            found.iter().zip(expected).fold(0.0_f32, |worst, (a, b)| worst.max((a - b).abs() / largest))
        };
        let case = |(found, case): (&fissure_models::PullBack, &Value)| {
            let gradient = off(&found.gradients[0].kept().values, &numbers(&case["gradient"]));
            gradient.max(off(&found.logits, &numbers(&case["logits"])))
        };
        worst.push((name, pulled.iter().zip(&cases).map(case).fold(0.0, f32::max)));
    }
    println!("{worst:?}");
    assert!(worst.iter().all(|(_, off)| *off < 5e-6), "{worst:?}");
}

#[track_caller]
fn assert_close(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 2e-5 * largest, "{what}, number {at}: {found} where PyTorch has {expected}");
    }
}

#[test]
fn every_family_classifies_and_differentiates_as_pytorch_does() {
    for name in CLASSIFIERS {
        let model = Classifier::open(&directory(name)).unwrap();
        assert_eq!(model.capabilities().labels, ["bad", "so so", "good"], "{name}");
        let cases = expected(name);
        let points = model.embed(&inputs(&cases)).unwrap();
        let logits = model.logits_at(&points).unwrap();
        let ask = |_: usize, _: &[f32]| vec![vec![0.5, 0.5, 0.0], WEIGHTS.to_vec()];
        let pulled = model.pull_back(&points, &ask).unwrap();
        for (at, case) in cases.iter().enumerate() {
            let what = format!("{name}, text {at}");
            let ids: Vec<f32> = points[at].pieces.iter().map(|piece| piece.id as f32).collect();
            assert_eq!(ids, numbers(&case["ids"]), "{what}");
            assert_eq!(points[at].truncated, case["truncated"].as_bool().unwrap(), "{what}");
            assert_close(&logits[at], &numbers(&case["logits"]), &what);
            assert_close(&pulled[at].logits, &numbers(&case["logits"]), &what);
            assert_close(
                &pulled[at].gradients[1].kept().values,
                &numbers(&case["gradient"]),
                &format!("{what}, gradient"),
            );
        }
    }
}

#[test]
fn offsets_are_bytes_of_the_text_itself() {
    for name in CLASSIFIERS {
        let model = Classifier::open(&directory(name)).unwrap();
        let cases = expected(name);
        let inputs = inputs(&cases);
        for (input, point) in inputs.iter().zip(model.embed(&inputs).unwrap()) {
            let mut last = [0, 0];
            for piece in &point.pieces {
                let Some((text, bytes)) = &piece.source else { continue };
                let text_bytes = if *text == 0 { input.text } else { input.pair.unwrap() };
                let covered = text_bytes.get(bytes.clone());
                // Only a piece that is nothing but a space covers nothing.
                let space = || text_bytes[..bytes.start].ends_with(' ');
                assert!(
                    covered.is_some_and(|covered| !covered.is_empty() || space()),
                    "{name}: {bytes:?} of {text_bytes:?}"
                );
                // A character that is cut into several pieces is covered by each of them.
                assert!(bytes.start >= last[usize::from(*text)], "{name}: {bytes:?} of {text_bytes:?}");
                last[usize::from(*text)] = bytes.start;
            }
        }
    }
}

#[test]
fn pieces_of_a_word_share_its_number_and_name_their_bytes() {
    let model = Classifier::open(&directory("bert")).unwrap();
    let text = "Cafe\u{301} 👨‍👩‍👧 我喜欢";
    let point = &model.embed(&[Input { text, pair: Some("the mat") }]).unwrap()[0];
    let covered: Vec<(&str, Option<u32>)> = point
        .pieces
        .iter()
        .filter_map(|piece| match piece.source.as_ref()? {
            (0, bytes) => Some((&text[bytes.clone()], piece.word)),
            _ => None,
        })
        .collect();
    let whole: String = covered.iter().map(|(covered, _)| *covered).collect();
    assert!(whole.starts_with("Cafe"), "{covered:?}");
    for han in ["我", "喜", "欢"] {
        assert!(covered.iter().any(|(covered, _)| *covered == han), "{covered:?}");
    }
    let first_of_pair = point.pieces.iter().find(|piece| matches!(piece.source, Some((1, _)))).unwrap();
    let last_of_text = covered.iter().filter_map(|(_, word)| *word).max().unwrap();
    assert_eq!(first_of_pair.word, Some(last_of_text + 1));
    assert!(point.pieces.iter().filter(|piece| piece.source.is_none()).all(|piece| piece.word.is_none()));
}

/// A Chinese checkpoint against the `tokenizers` package: characters of four bytes, full-width letters, word pieces.
#[test]
fn chinese_pieces_are_characters_and_name_their_bytes() {
    let model = Classifier::open(&directory("bert-chinese")).unwrap();
    let cases = expected("bert-chinese");
    let points = model.embed(&inputs(&cases)).unwrap();
    for (case, point) in cases.iter().zip(&points) {
        let text = case["text"].as_str().unwrap();
        let ids: Vec<f32> = point.pieces.iter().map(|piece| piece.id as f32).collect();
        assert_eq!(ids, numbers(&case["ids"]), "{text}");
        let covered = case["covered"].as_array().unwrap();
        for (piece, covered) in point.pieces.iter().zip(covered) {
            let Some((0, bytes)) = &piece.source else { continue };
            assert_eq!(text.get(bytes.clone()), covered.as_str().map(str::trim), "{text}");
        }
    }
    // Each Han character is a word, and the pieces of a Latin word share its number.
    let point = &points[3];
    let words: Vec<(&str, u32)> = point
        .pieces
        .iter()
        .filter_map(|piece| Some((&"playing电影3.5分"[piece.source.clone()?.1], piece.word?)))
        .collect();
    let expected = [("play", 0), ("ing", 0), ("电", 1), ("影", 2), ("3", 3), (".", 4), ("5", 5), ("分", 6)];
    assert_eq!(words, expected);
    assert!(model.words().iter().any(|word| word == "\u{20bb7}"), "a character is a word of the vocabulary");
    assert!(model.answer(&[Input::from("𠮷野家的服务太差了！")]).is_ok());
}

#[test]
fn taggers_label_every_piece_as_pytorch_does() {
    for name in ["bert-tags", "deberta-v2-tags", "roberta-tags"] {
        let model = Tagger::open(&directory(name)).unwrap();
        assert_eq!(model.labels(), ["bad", "so so", "good"]);
        let cases = expected(name);
        let inputs = inputs(&cases);
        for (at, (found, case)) in model.tag(&inputs).unwrap().iter().zip(&cases).enumerate() {
            let logits: Vec<Vec<f32>> = case["logits"].as_array().unwrap().iter().map(numbers).collect();
            // Marks such as [CLS] carry no label: they are what is left out.
            let marks = if inputs[at].pair.is_none() {
                2
            } else if name != "roberta-tags" {
                3
            } else {
                4
            };
            assert_eq!(found.len() + marks, logits.len(), "{name}, text {at}");
            let first = logits.get(1).filter(|_| !found.is_empty());
            if let Some(first) = first {
                assert_close(&found[0].log_probs, &log_softmax(first), &format!("{name}, text {at}"));
            }
        }
    }
}

#[test]
fn spans_are_the_best_of_pytorch_s_scores() {
    for name in ["bert-spans", "distilbert-spans"] {
        let model = SpanFinder::open(&directory(name)).unwrap();
        let cases = expected(name);
        let pairs: Vec<&Value> =
            cases.iter().filter(|case| case["pair"].as_str().is_some_and(|pair| !pair.is_empty())).collect();
        let questions: Vec<(&str, &str)> =
            pairs.iter().map(|case| (case["text"].as_str().unwrap(), case["pair"].as_str().unwrap())).collect();
        for (found, case) in model.find(&questions).unwrap().iter().zip(&pairs) {
            let (start, end) = (log_softmax(&numbers(&case["start"])), log_softmax(&numbers(&case["end"])));
            // The context lies between the second [SEP] (id 3) and the last.
            let ids = numbers(&case["ids"]);
            let first = ids.iter().position(|id| *id == 3.0).unwrap() + 1;
            let mut best = f32::NEG_INFINITY;
            let last = ids.len() - 1;
            for (from, start) in start.iter().enumerate().take(last).skip(first) {
                best = end[from..last].iter().fold(best, |best, end| best.max(start + end));
            }
            assert_close(&[found.log_prob, found.no_answer], &[best, start[0] + end[0]], name);
            assert!(!case["pair"].as_str().unwrap()[found.bytes.clone()].is_empty());
        }
    }
}

#[test]
fn masked_words_are_guessed_as_pytorch_does() {
    for name in
        ["albert-masked", "bert-masked", "distilbert-masked", "electra-masked", "mpnet-masked", "roberta-masked"]
    {
        let model = WordGuesser::open(&directory(name)).unwrap();
        let cases = expected(name);
        let case = cases.iter().find(|case| case.get("masked").is_some()).unwrap();
        let text = case["text"].as_str().unwrap();
        let found = model.guess(&[(text, 0..3)], 5).unwrap().remove(0);
        let mut best = numbers(&case["masked"]);
        best.sort_by(|a, b| b.total_cmp(a));
        let scores: Vec<f32> = found.iter().map(|(_, log_prob)| *log_prob).collect();
        assert_close(&scores, &best[..5], name);
        assert!(model.guess(&[(text, 9999..10_000)], 5).unwrap()[0].is_empty());
    }
}

#[test]
fn sentence_vectors_are_the_mean_of_hidden_rows() {
    let model = SentenceEncoder::open(&directory("bert-alone")).unwrap();
    let cases = expected("bert-alone");
    for (found, case) in model.encode(&inputs(&cases)).unwrap().iter().zip(&cases) {
        assert_close(found, &numbers(&case["mean"]), "bert-alone");
    }
}

fn log_softmax(logits: &[f32]) -> Vec<f32> {
    let total: f64 = logits.iter().map(|z| f64::from(*z).exp()).sum();
    logits.iter().map(|z| (f64::from(*z) - total.ln()) as f32).collect()
}
