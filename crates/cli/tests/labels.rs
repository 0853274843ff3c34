//! Labels as data sets really write them: numbers from 0, from 1, names; all rows or some; known to the model or not.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{done, lines, refusal};
use tempfile::TempDir;

/// One word tells each of four classes.
const WORDS: [&str; 4] = ["minister", "goal", "shares", "software"];

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Rows of the classes, in order, with a label that `label` makes of each class.
    fn rows(&self, name: &str, classes: impl Iterator<Item = usize>, label: impl Fn(usize) -> String) -> String {
        let others = ["the", "a", "new", "old", "big"];
        let row = |(at, class): (usize, usize)| {
            let text = format!("{} {} {}", others[at % 5], WORDS[class], others[(at / 5) % 5]);
            format!("\"{}\",\"{text}\"\n", label(class))
        };
        let path = self.at(name);
        fs::write(&path, classes.enumerate().map(row).collect::<String>()).unwrap();
        path
    }

    /// A model that has learned the four words, under the labels that `label` makes of the classes.
    fn model(&self, name: &str, label: impl Fn(usize) -> String) -> String {
        let data = self.rows(&format!("{name}.csv"), (0..240).map(|at| at % 4), label);
        let out = self.at(name);
        done(&["train", "--arch", "fasttext", "--data", &data, "--columns", COLUMNS, "--out", &out]);
        out
    }
}

/// A model with names in the order in which AG News numbers them; `train` would sort them.
fn news(desk: &Desk) -> String {
    let model = desk.model("named", from(0));
    let path = Path::new(&model).join("config.json");
    let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config["labels"] = (0..4).map(named).collect();
    fs::write(&path, config.to_string()).unwrap();
    model
}

const COLUMNS: &str = "label=1,text=2";

fn from(first: usize) -> impl Fn(usize) -> String {
    move |class| (class + first).to_string()
}

fn named(class: usize) -> String {
    ["World", "Sports", "Business", "Sci/Tech"][class].to_owned()
}

/// What a command about a model and data says on standard error.
fn said(command: &[&str], model: &str, data: &str, more: &[&str]) -> String {
    let on = ["--model", model, "--data", data, "--columns", COLUMNS];
    String::from_utf8(done(&[command, &on, more].concat()).stderr).unwrap()
}

fn accuracy(model: &str, data: &str, more: &[&str]) -> f64 {
    let said = said(&["predict"], model, data, &[more, &["--json"]].concat());
    let tally: Value = lines(&said).pop().unwrap();
    tally["accuracy"]["value"].as_f64().unwrap()
}

#[test]
fn numbers_from_1_are_one_set_whatever_the_model_calls_its_classes() {
    let desk = Desk::new();
    let data = desk.rows("test.csv", (0..160).map(|at| at / 40), from(1));
    for (name, model) in [("named", news(&desk)), ("0", desk.model("0", from(0))), ("1", desk.model("1", from(1)))] {
        assert!(accuracy(&model, &data, &[]) > 0.9, "{name}");
        // The first rows of a sorted file have one class only; what its label means does not depend on that.
        assert!(accuracy(&model, &data, &["--limit", "5"]) > 0.9, "{name}");
    }
    let model = desk.at("named");
    let matched = "by number, counted from 1 (1 = World, 2 = Sports, 3 = Business, 4 = Sci/Tech)";
    for command in [&["predict"][..], &["score"], &["words"], &["compare"], &["experiment", "fragility"]] {
        let said = said(command, &model, &data, &["--limit", "120"]);
        assert!(said.contains(matched), "{command:?}: {said}");
    }
    let forecast = said(&["forecast"], &model, &data, &["--parts", "typos", "--limit", "120"]);
    assert!(forecast.contains(matched), "{forecast}");
    let run = desk.at("run");
    let said = said(&["evaluate"], &model, &data, &["--suite", "typos", "--limit", "30", "--out", &run]);
    assert!(said.contains(matched), "{said}");
    let findings: Value = serde_json::from_slice(&fs::read(Path::new(&run).join("findings.json")).unwrap()).unwrap();
    assert_eq!(findings["about"]["label_match"]["pairs"][3], serde_json::json!(["4", "Sci/Tech"]));
    assert!(findings["clean"][0][1]["value"].as_f64().unwrap() > 0.9, "{}", findings["clean"]);
    assert!(fs::read_to_string(Path::new(&run).join("report.html")).unwrap().contains("counted from 1"));
}

#[test]
fn two_readings_stop_and_the_user_settles_it() {
    let desk = Desk::new();
    let model = news(&desk);
    let data = desk.rows("three.csv", (0..60).map(|at| at / 20), from(1));
    let on = ["--model", &model, "--data", &data, "--columns", COLUMNS];
    let run = desk.at("run");
    for command in [&["predict"][..], &["score"], &["words"], &["evaluate", "--suite", "typos", "--out", &run]] {
        let said = refusal(&[command, &on].concat());
        assert!(said.contains("counted from 0: right for 0 of 60"), "{said}");
        assert!(said.contains("--label-map 1=World,2=Sports,3=Business"), "{said}");
    }
    let map = ["--label-map", "1=World,2=Sports,3=Business"];
    assert!(accuracy(&model, &data, &map) > 0.9);
    let said = said(&["evaluate"], &model, &data, &[&map[..], &["--suite", "typos", "--out", &run]].concat());
    assert!(said.contains("as given by --label-map"), "{said}");
    let header: Value = lines(&fs::read_to_string(Path::new(&run).join("run.jsonl")).unwrap()).remove(0);
    assert_eq!(header["config"]["label_map"], serde_json::json!(["1=World,2=Sports,3=Business"]));
    assert!(header["command"].as_str().unwrap().contains("--label-map 1=World,2=Sports,3=Business"), "{header}");
}

#[test]
fn labels_that_the_model_does_not_know_stop_before_the_run() {
    let desk = Desk::new();
    let model = news(&desk);
    let data = desk.rows(
        "other.csv",
        (0..40).map(|at| at % 4),
        |class| if class == 1 { "Sport".into() } else { named(class) },
    );
    let on = ["--model", &model, "--data", &data, "--columns", COLUMNS];
    let out = desk.at("answers.jsonl");
    for command in [&["predict", "--out", &out][..], &["compare"], &["repair", "calibrate"], &["repair", "threshold"]] {
        let said = refusal(&[command, &on].concat());
        assert!(said.contains("does not know the label `Sport` (`Sports`?)") && said.contains("`Sci/Tech`"), "{said}");
    }
    assert!(!Path::new(&out).exists(), "nothing was written");
    assert!(accuracy(&model, &data, &["--label-map", "Sport=Sports"]) > 0.9);
    let said = said(&["predict"], &model, &data, &["--label-map", "Sport="]);
    assert!(said.contains("Sport = not scored"), "{said}");
}

#[test]
fn names_that_train_sorted_do_not_number_the_classes() {
    let desk = Desk::new();
    let model = desk.model("sorted", named);
    let data = desk.rows("test.csv", (0..80).map(|at| at / 20), from(1));
    let said = refusal(&["predict", "--model", &model, "--data", &data, "--columns", COLUMNS]);
    let map = "1=World,2=Sports,3=Business,4=Sci/Tech";
    assert!(said.contains("right for 80 of 80") && said.contains(&format!("--label-map {map}")), "{said}");
    assert!(accuracy(&model, &data, &["--label-map", map]) > 0.9);
    let data = desk.rows("names.csv", (0..80).map(|at| at / 20), named);
    assert!(accuracy(&model, &data, &[]) > 0.9, "names need no map");
}

#[test]
fn standard_input_is_matched_too() {
    let desk = Desk::new();
    let model = news(&desk);
    let data = fs::read(desk.rows("test.csv", (0..80).map(|at| at / 20), from(1))).unwrap();
    let on = ["predict", "--model", &model, "--data", "-", "--format", "csv", "--columns", COLUMNS, "--limit", "3"];
    let mut child = support::fissure(&on).stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &data).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("counted from 1") && said.contains("3 samples; accuracy 1.0"), "{said}");
}

#[test]
fn answers_that_are_no_numbers_are_refused() {
    let desk = Desk::new();
    let data = desk.rows("test.csv", (0..40).map(|at| at % 4), named);
    let start = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/bert-alone");
    let model = desk.at("encoder");
    let train = ["train", "--from", start.to_str().unwrap(), "--epochs", "1", "--columns", COLUMNS];
    done(&[&train[..], &["--data", &data, "--out", &model]].concat());
    let predict = ["predict", "--model", &model, "--data", &data, "--columns", COLUMNS];
    done(&predict);
    let path = Path::new(&model).join("config.json");
    let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config["layer_norm_eps"] = (-1).into();
    fs::write(&path, config.to_string()).unwrap();
    let said = refusal(&predict);
    assert!(said.contains("gave the logit NaN"), "{said}");
}

#[test]
fn labels_beyond_64_bits_stay_apart() {
    let desk = Desk::new();
    let labels = ["123456789012345678901234567890", "123456789012345678901234567891"];
    let row = |at: usize| format!("{{\"text\": \"{} n{at}\", \"label\": {}}}\n", WORDS[at % 2], labels[at % 2]);
    let (data, model) = (desk.at("large.jsonl"), desk.at("model"));
    fs::write(&data, (0..80).map(row).collect::<String>()).unwrap();
    done(&["train", "--arch", "fasttext", "--data", &data, "--out", &model]);
    let config: Value = serde_json::from_slice(&fs::read(Path::new(&model).join("config.json")).unwrap()).unwrap();
    assert_eq!(config["labels"], serde_json::json!(labels));
}

#[test]
fn copies_are_held_out_with_their_source_and_the_baseline_is_shown() {
    let desk = Desk::new();
    let model = news(&desk);
    let data = desk.rows("train.csv", (0..40).map(|at| at % 4), named);
    let more = desk.at("more.csv");
    let on = ["--data", &data, "--columns", COLUMNS, "--out", &more];
    done(&[&["repair", "augment", "--parts", "word_case,typos"], &on[..]].concat());
    let text = fs::read_to_string(&more).unwrap();
    let source = |line: &str| line.rsplit(',').next().unwrap().to_owned();
    let sources: Vec<String> = text.lines().map(source).collect();
    assert_eq!(sources.last(), sources.get(40), "the last copy is one of the last row: {text}");

    // Labels that have nothing to do with the texts.
    let noise = desk.at("noise.csv");
    fs::write(&noise, (0..200).map(|at| format!("\"{}\",\"a film n{at}\"\n", (at * at / 7) % 2)).collect::<String>())
        .unwrap();
    let out = desk.at("noise");
    let train = ["train", "--arch", "fasttext", "--data", &noise, "--columns", COLUMNS, "--out", &out];
    let said = String::from_utf8(done(&train).stderr).unwrap();
    assert!(said.contains("most frequent label") && said.contains("no better than always"), "{said}");
    let refused = refusal(&["repair", "mitigate", "--model", "process:cat", "--data", &data, "--test", &data]);
    assert!(refused.contains("needs gradients") && refused.contains("repair threshold"), "{refused}");

    // Nothing to build on is said, and nothing is trained.
    let on = ["--data", &noise, "--test", &noise, "--columns", COLUMNS];
    let found = support::json(&[&["repair", "mitigate", "--model", &out], &on[..]].concat());
    let learned = found["mitigation"]["baseline"]["low"].as_f64() > found["mitigation"]["majority"].as_f64();
    assert_eq!(found["verdict"].as_str().unwrap().contains("nothing to build on"), !learned, "{found}");

    // A model that has learned something is mitigated itself.
    let on = ["--data", &data, "--test", &data, "--columns", COLUMNS, "--destroyers", "sort,repeat", "--weights", "1"];
    let found = support::json(&[&["repair", "mitigate", "--model", &model], &on[..]].concat());
    assert_eq!(found["model"], model.as_str());
    assert_eq!(found["mitigation"]["baseline"]["value"], 1.0, "{found}");
    let verdict = found["verdict"].as_str().unwrap();
    // The model has seen more than these forty rows, and a control that has not says so.
    let by_the_data = verdict.contains("neither does training on these samples without any nonsense");
    assert!(verdict.starts_with("Best: ") || verdict.starts_with("Nothing helped") || by_the_data, "{verdict}");
}
