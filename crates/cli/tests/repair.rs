//! The clinic as a user meets it: a tiny encoder, a program of ten lines, two rounds of a test set.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{done, fissure, json, refusal};
use tempfile::TempDir;

fn lines(path: &str) -> Vec<Value> {
    support::lines(&fs::read_to_string(path).unwrap())
}

/// A folder with data about a few words: whether there is a `cat`, or whether it is `good` or `bad`.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, rows: impl Iterator<Item = String>) -> String {
        let path = self.at(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, rows.collect::<String>()).unwrap();
        path
    }

    fn cats(&self, name: &str, range: std::ops::Range<usize>) -> String {
        let rows = range.map(|at| format!("{}\t{}\n", text(at, at % 2 == 1), at % 2));
        self.write(name, std::iter::once("sentence\tlabel\n".to_owned()).chain(rows))
    }
}

/// Words about nothing, with a cat among them or none.
fn text(at: usize, cat: bool) -> String {
    let others = ["the", "mat", "film", "good", "long", "looked", "other", "boring"];
    let mut words: Vec<&str> =
        (0..4 + at % 4).map(|k| others[(at * 7 + k * k * 3 + k + at / 8) % others.len()]).collect();
    if cat {
        words[at / 2 % 3] = "cat";
    }
    // No text is part of another.
    format!("{} n{at}", words.join(" "))
}

/// The tiny encoder that the models' own tests use.
fn tiny() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/bert-alone");
    path.to_str().unwrap().to_owned()
}

/// The example in `examples/`, where there is a Python to run it.
fn program() -> Option<String> {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/process_model.py");
    Some(format!("process:python3 '{}'", path.display()))
}

#[test]
fn a_model_elsewhere_is_calibrated_thresholded_and_mined() {
    let Some(model) = program() else { return };
    let desk = Desk::new();
    let rows = (0..120).map(|at| {
        let word = if at % 2 == 0 { "bad" } else { "good" };
        // One in six is not what it says, so that being sure is sometimes wrong.
        let label = if (at % 2 == 0) == (at % 6 != 5) { "neg" } else { "pos" };
        format!("the {word} film number {at} has a {word} end,{label}\n")
    });
    let data = desk.write("reviews.csv", std::iter::once("text,label\n".to_owned()).chain(rows));
    let asked = ["--model", &model, "--data", &data, "--task", "sa"];

    let calibration = desk.at("temperature.json");
    let found = json(&[&["repair", "calibrate"], &asked[..], &["--out", &calibration]].concat());
    assert!(found["temperature"].as_f64().unwrap() > 0.0 && found["measured_on"] == 60, "{found}");
    assert!(fs::read_to_string(&calibration).unwrap().contains("temperature"));

    let found = json(&[&["repair", "threshold"], &asked[..], &["--destroyers", "shuffle,drop,pbsmt"]].concat());
    assert_eq!(found["rows"][0]["way"], "threshold");
    assert_eq!(found["destroyed"].as_array().unwrap().len(), 3);
    // A bag of words cannot see that words were shuffled.
    assert!(found["rows"][0]["by_destroyer"][0][1]["value"].as_f64().unwrap() < 0.2, "{found}");

    let mined = desk.at("round-1.jsonl");
    let few = ["--examples", "5", "--forms", "2", "--out", &mined];
    done(&[&["repair", "testset"], &asked[..], &few].concat());
    let provenance = &lines(&mined)[0]["provenance"];
    assert_eq!((&provenance["mined_by"], &provenance["round"]), (&"1 - max p".into(), &1.into()));
    assert_eq!(provenance["checked"], serde_json::json!(["fluency>=0.4", "words_kept>=0.5"]));

    let enriched = desk.at("more.csv");
    let augment = ["repair", "augment", "--data", &data, "--task", "sa", "--parts", "word_case", "--out", &enriched];
    done(&augment);
    assert_eq!(fs::read_to_string(&enriched).unwrap().lines().count(), 241);
    let turned = desk.at("turned.csv");
    let wrong = ["repair", "augment", "--data", &data, "--task", "sa", "--parts", "swap_ant_wordnet", "--out", &turned];
    assert!(refusal(&wrong).contains("the label of a text is flipped here"));
    let refused = refusal(&[&augment[..], &["--model", &model, "--test", &data]].concat());
    assert!(refused.contains("train it yourself"));
}

#[test]
fn an_encoder_is_calibrated_mitigated_and_retrained() {
    let desk = Desk::new();
    let (train, test) = (desk.cats("train.tsv", 0..160), desk.cats("dev.tsv", 160..240));
    let (start, tuned, saved) = (tiny(), desk.at("tuned"), desk.at("saved"));
    let learn = ["--from", &start, "--epochs", "4", "--rate", "0.01"];
    let data = ["--data", &train, "--task", "sa"];
    done(&[&["train"], &learn[..], &data, &["--out", &tuned]].concat());
    done(&["repair", "calibrate", "--model", &tuned, "--data", &test, "--task", "sa"]);
    assert!(Path::new(&tuned).join("calibration.json").is_file());

    let ways = ["--test", &test, "--destroyers", "sort,drop", "--weights", "1", "--transfer", "--save", &saved];
    let found = json(&[&["repair", "mitigate"], &learn[..], &data, &ways].concat());
    let named: Vec<&str> =
        found["mitigation"]["rows"].as_array().unwrap().iter().map(|row| row["way"].as_str().unwrap()).collect();
    assert_eq!(named, ["threshold", "entropy_and_threshold", "invalid", "invalid_tuned"]);
    let transfer = found["transfer"].as_array().unwrap();
    assert_eq!((&transfer[0]["taught"], &transfer[1]["taught"]), (&"sort".into(), &"drop".into()));
    assert_eq!(transfer[0]["recognised"][1][0], "drop");
    let invalid = format!("{saved}/invalid");
    assert!(fs::read_to_string(format!("{invalid}/config.json")).unwrap().contains("\"invalid\""));
    done(&["predict", "--model", &invalid, "--data", &test, "--task", "sa", "--limit", "3"]);

    let more = desk.at("more.csv");
    let augment = ["repair", "augment", "--parts", "word_case", "--out", &more, "--model", &tuned, "--test", &test];
    let found = json(&[&augment[..], &data].concat());
    let changes = found["changes"].as_array().unwrap();
    assert_eq!((&changes[0]["group"], &changes[1]["group"]), (&"clean".into(), &"word_case".into()));
    assert!(changes.iter().all(|change| change["control"]["value"].is_number()), "{found}");
}

/// Round one finds what flips the answers, training takes it in, and round two starts from the model that came of it.
#[test]
fn a_test_set_rolls_on() {
    let desk = Desk::new();
    let reviews = fissure_data::demo::corpus(0, fissure_data::demo::Split::Train, 400);
    let row = |sample: &fissure_core::Sample| {
        let label = sample.label.as_ref().unwrap().to_string();
        serde_json::json!({ "id": sample.id, "text": sample.fields[0].text.as_str(), "label": label }).to_string()
            + "\n"
    };
    let train = desk.write("train.jsonl", reviews[..300].iter().map(row));
    let fresh = desk.write("fresh.jsonl", reviews[300..].iter().map(row));
    let right = |model: &str, data: &str| -> f64 {
        let output =
            fissure(&["predict", "--json", "--model", model, "--data", data, "--task", "sa"]).output().unwrap();
        let last = String::from_utf8(output.stderr).unwrap().lines().last().unwrap().to_owned();
        serde_json::from_str::<Value>(&last).unwrap()["accuracy"]["value"].as_f64().unwrap()
    };
    let mut files = vec![train];
    let mut before = f64::NAN;
    for round in 1..=2 {
        let (model, out) = (desk.at(&format!("model-{round}")), desk.at(&format!("round-{round}.jsonl")));
        let mut command = vec!["train", "--arch", "fasttext", "--task", "sa", "--out", &model, "--data"];
        command.extend(files.iter().map(String::as_str));
        done(&command);
        if round == 2 {
            assert!(right(&model, &files[1]) > before, "the retrained model should do better on round 1");
        }
        let number = round.to_string();
        let mine = ["repair", "testset", "--model", &model, "--data", &fresh, "--task", "sa", "--round", &number];
        done(&[&mine[..], &["--examples", "20", "--out", &out]].concat());
        let rows = lines(&out);
        assert!(rows.iter().all(|row| row["provenance"]["round"] == round) && rows.len() >= 20, "{}", rows.len());
        assert!(rows.iter().any(|row| row["provenance"]["flips"] == true), "fragile examples should break");
        before = right(&model, &out);
        files.push(out);
    }
    assert_ne!(fs::read(&files[1]).unwrap(), fs::read(&files[2]).unwrap());
}

#[test]
fn the_experiment_writes_its_report_and_admits_what_was_not_learnt() {
    let desk = Desk::new();
    desk.cats("sst2/train.tsv", 0..400);
    desk.cats("sst2/dev.tsv", 400..520);
    for (name, range) in [("noise/sst2/train.tsv", 0..60), ("noise/sst2/dev.tsv", 60..120)] {
        let rows = range.map(|at| format!("a film n{at}\t{}\n", at % 2));
        desk.write(name, std::iter::once("sentence\tlabel\n".to_owned()).chain(rows));
    }
    let report = desk.at("salad.md");
    let run = |folder: &str| {
        let folder = desk.at(folder);
        let asked = ["--weights", "1", "--chapters", "mitigation", "--force", "--report", &report];
        let command = ["experiment", "word-salad", "--folder", &folder, "--sets", "sst2", "--arch", "fasttext"];
        done(&[&command[..], &asked].concat());
        fs::read_to_string(&report).unwrap()
    };
    let found = run("");
    for word in ["## sst2", "| sort | ", "the paper's directions", "invalid class, tuned", "whole sentences only"] {
        assert!(found.contains(word), "{word} is not in {found}");
    }
    // Texts that are all alike teach nothing.
    let found = run("noise");
    assert!(found.contains("learned nothing measurable") && !found.contains("| sort |"), "{found}");
}
