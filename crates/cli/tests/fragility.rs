//! What a user can ask about the inside of a model: real runs of the binary.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::sync::LazyLock;

use serde_json::Value;
use support::{done, fissure, json, lines, stdout};
use tempfile::TempDir;

/// The demo reviews as files, and two models that learned from them.
struct Models {
    folder: TempDir,
    a: String,
    b: String,
    train: String,
    test: String,
}

static MODELS: LazyLock<Models> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (reviews, a, b) = (at("reviews"), at("a"), at("b"));
    done(&["demo", "--write", &reviews]);
    let (train, test) = (at("reviews/train.jsonl"), at("reviews/test.jsonl"));
    for (out, seed) in [(&a, "0"), (&b, "1")] {
        let from = ["train", "--arch", "fasttext", "--data", &train, "--task", "sa", "--out", out, "--seed", seed];
        done(&from);
    }
    Models { folder, a, b, train, test }
});

impl Models {
    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// A command on the first `limit` test reviews.
    fn on_test<'a>(&'a self, command: &[&'a str], limit: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        [command, &["--data", &self.test, "--task", "sa", "--limit", limit], more].concat()
    }

    fn score(&self, more: &[&str]) -> Vec<Value> {
        lines(&stdout(&self.on_test(&["score", "--model", &self.a], "60", more)))
    }

    fn reviews(&self) -> Vec<Value> {
        lines(&fs::read_to_string(&self.test).unwrap())
    }
}

#[test]
fn the_words_that_carry_decisions() {
    let all = &*MODELS;
    let found = json(&all.on_test(&["words", "--model", &all.a], "400", &["--train", &all.train]));
    let words: Vec<&str> =
        found["words"].as_array().unwrap().iter().take(5).map(|word| word["word"].as_str().unwrap()).collect();
    assert!(words.contains(&"matinee"), "{words:?}");
    let shown = stdout(&all.on_test(&["words", "--model", &all.a], "100", &["--top", "3"]));
    assert!(shown.contains("--train FILE") && shown.lines().count() < 12, "{shown}");
}

#[test]
fn the_fragile_direction_in_words() {
    let all = &*MODELS;
    for from in ["vocabulary", "synonyms", "neighbours"] {
        let mut found = 0;
        for (row, sample) in all.score(&["--decode", "2", "--decode-from", from]).iter().zip(&all.reviews()) {
            for substitution in row["substitutions"].as_array().unwrap() {
                let end = |end: &str| substitution[end].as_u64().unwrap() as usize;
                assert_eq!(&sample["text"].as_str().unwrap()[end("start")..end("end")], substitution["from"]);
                assert_eq!(substitution["flips"], (substitution["predicted"] != row["predicted"]));
                found += 1;
            }
        }
        assert!(found > 0, "nothing from {from}");
    }
}

#[test]
fn a_kept_calibration_serves_a_single_text() {
    let all = &*MODELS;
    let (kept, one) = (all.at("calibration.json"), all.at("one.jsonl"));
    let many = all.score(&["--calibration", &kept]);
    fs::write(&one, format!("{}\n", all.reviews()[7])).unwrap();
    let single = |model: &str| {
        fissure(&["score", "--model", model, "--data", &one, "--task", "sa", "--calibration", &kept]).output().unwrap()
    };
    let alone = lines(&String::from_utf8(single(&all.a).stdout).unwrap());
    assert_eq!(alone[0]["flip_t"], many[7]["flip_t"]);
    let foreign = String::from_utf8(single(&all.b).stderr).unwrap();
    assert!(foreign.contains("another model"), "{foreign}");
}

#[test]
fn every_command_reads_as_much_as_it_is_told() {
    let all = &*MODELS;
    let [scored, answered] = ["score", "predict"]
        .map(|command| lines(&stdout(&all.on_test(&[command, "--model", &all.a], "60", &["--max-length", "6"]))));
    for (scored, answered) in scored.iter().zip(&answered) {
        assert_eq!((&scored["predicted"], &scored["truncated"]), (&answered["predicted"], &answered["truncated"]));
    }
    assert!(scored.iter().any(|row| row["truncated"] == true));
}

#[test]
fn two_models_side_by_side() {
    let all = &*MODELS;
    let command = all.on_test(&["compare", "--model", &all.a, "--model", &all.b], "200", &[]);
    let compared = json(&command);
    assert!(compared["agreements"][0]["spearman"]["r"].as_f64().unwrap() > 0.3, "{}", compared["agreements"]);
    assert_eq!(compared["universal"][0]["models"].as_array().unwrap().len(), 2);
    let differing = compared["disagreements"].as_array().unwrap();
    let answers = |one: &Value| [0, 1].map(|at| one["models"][at]["predicted"].clone());
    assert!(!differing.is_empty() && differing.iter().map(answers).all(|[a, b]| a != b), "{differing:?}");
    assert!(stdout(&command).contains("by chance"));
}

#[test]
fn the_experiments_leave_numbers_and_pictures() {
    let all = &*MODELS;
    let results = all.at("results");
    let options = ["--copies", "10", "--out", &results];
    let shown = stdout(&all.on_test(&["experiment", "fragility", "--model", &all.a], "150", &options));
    assert!(shown.contains("flip forecast") && shown.contains("along random"), "{shown}");
    let sides = ["--originals", &all.test, "--revised", &all.test, "--train", &all.train, "--reference", &all.train];
    let pairs = [&["experiment", "pairs", "--model", &all.a, "--limit", "200", "--out", &results], &sides[..]].concat();
    let shown = stdout(&pairs);
    assert!(shown.contains("100.0") && shown.contains("original not seen"), "{shown}");
    done(&["experiment", "gaussians", "--points", "100", "--out", &results]);
    for name in ["fragility", "pairs", "gaussians"] {
        let text = fs::read_to_string(format!("{results}/{name}.json")).unwrap();
        assert!(serde_json::from_str::<Value>(&text).unwrap().is_object());
    }
    for name in ["p_flip", "forecast", "eta", "ends", "steps", "lambda", "differences", "gaussians"] {
        assert!(fs::read_to_string(format!("{results}/{name}.svg")).unwrap().starts_with("<svg"), "{name}");
    }
}
