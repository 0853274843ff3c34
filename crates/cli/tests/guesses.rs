//! Guesses that were wrong in silence, and numbers that stood beside the wrong count: found by trials by hand.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::process::Stdio;

use support::{done, fissure, refusal};
use tempfile::TempDir;

struct Lab {
    folder: TempDir,
}

impl Lab {
    /// A folder with `d.jsonl`: reviews with the labels 0 and 1.
    fn new() -> Self {
        let lab = Self { folder: TempDir::new().unwrap() };
        let row = |at: usize| {
            let (word, label) = [("good", 1), ("bad", 0)][at % 2];
            format!("{{\"id\":\"s{at}\",\"text\":\"a {word} film, number {at}\",\"label\":\"{label}\"}}\n")
        };
        lab.write("d.jsonl", &(0..60).map(row).collect::<String>());
        lab
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    /// The words of a command; `@name` is a file of the folder.
    fn words(&self, command: &str) -> Vec<String> {
        command
            .split(' ')
            .map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| self.at(name)))
            .collect()
    }

    fn said(&self, command: &str) -> String {
        let words = self.words(command);
        let output = done(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let all = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn refused(&self, command: &str) -> String {
        let words = self.words(command);
        refusal(&words.iter().map(String::as_str).collect::<Vec<_>>()).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn data_without_samples_are_refused_by_every_command() {
    let lab = Lab::new();
    lab.said("train --arch fasttext --data @d.jsonl --task sa --out @m");
    lab.write("e.csv", "text,label\n");
    lab.write("bad.jsonl", "{\"text\": 3, \"label\": \"1\"}\n");
    for command in [
        "transform typos --data @e.csv --task sa --out @o.jsonl",
        "slice length --data @e.csv --task sa --out @o.jsonl",
        "predict --model @m --data @e.csv --task sa --out @o.jsonl",
        "score --model @m --data @e.csv --task sa --out @o.jsonl",
        "words --model @m --data @e.csv --task sa",
        "trigger --model @m --data @e.csv --task sa",
        "train --arch fasttext --data @e.csv --task sa --out @m2",
        "transform typos --data @bad.jsonl --on-bad-row skip --task sa --out @o.jsonl",
    ] {
        let said = lab.refused(command);
        assert!(said.contains("there is no sample in"), "{command}: {said}");
        assert!(
            !fs::exists(lab.at("o.jsonl")).unwrap() && !fs::exists(lab.at("o.jsonl.unfinished")).unwrap(),
            "{command}"
        );
    }
}

#[test]
fn minus_one_can_be_a_label() {
    let lab = Lab::new();
    let row = |at: usize| {
        let (word, label) = [("good", 1), ("bad", -1)][at % 2];
        format!("{{\"text\":\"a {word} film, number {at}\",\"label\":{label}}}\n")
    };
    lab.write("n.jsonl", &(0..60).map(row).collect::<String>());
    let said = lab.refused("train --arch fasttext --data @n.jsonl --task sa --out @m");
    assert!(said.contains("--minus-one label") && said.contains("have the label `1`"), "{said}");
    lab.said("train --arch fasttext --data @n.jsonl --task sa --minus-one label --out @m");
    let said = lab.said("predict --model @m --data @n.jsonl --task sa --minus-one label --out @p.jsonl");
    assert!(said.contains("60 samples; accuracy"), "{said}");
}

#[test]
fn a_label_of_the_map_that_no_row_has_is_reported() {
    let lab = Lab::new();
    lab.said("train --arch fasttext --data @d.jsonl --task sa --out @m");
    let said = lab.said("predict --model @m --data @d.jsonl --task sa --label-map 0=0,1=1,7=1 --out @p.jsonl");
    assert!(said.contains("no row has the label `7`, which --label-map names"), "{said}");
}

#[test]
fn a_column_of_texts_is_no_label() {
    let lab = Lab::new();
    let row = |at: usize| format!("the whole text of review number {at}\t{}\n", at % 2);
    lab.write("swapped.tsv", &(0..60).map(row).collect::<String>());
    let said = lab.refused("train --arch fasttext --data @swapped.tsv --columns label=1,text=2 --task sa --out @m");
    assert!(said.contains("60 samples have 60 labels") && said.contains("--columns text=...,label=..."), "{said}");
    assert!(!fs::exists(lab.at("m")).unwrap());
}

/// Answers every third text, with scores that do not sum to 1.
const PARTLY: &str = r#"
import json, sys, zlib
sys.stdin.readline()
print(json.dumps({"labels": ["0", "1"]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    text = asked["fields"]["text"]
    if zlib.crc32(text.encode()) % 3 and text != "This is a trial.":
        print(json.dumps({"id": asked["id"], "error": "no"}), flush=True)
    else:
        print(json.dumps({"id": asked["id"], "scores": {"0": 0.2, "1": 0.9}}), flush=True)
"#;

#[test]
#[cfg(unix)]
fn numbers_stand_beside_the_count_they_rest_on() {
    let lab = Lab::new();
    lab.write("partly.py", PARTLY);
    let model = format!("process:python3 {}", lab.at("partly.py"));
    let data = lab.at("d.jsonl");
    let run = |words: &[&str]| {
        let output = done(
            &[words, &["--model", &model, "--data", &data, "--task", "sa", "--out"]]
                .concat()
                .into_iter()
                .chain([lab.at(words[0]).as_str()])
                .collect::<Vec<_>>(),
        );
        let all = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = run(&["predict"]);
    assert!(said.contains("with a label and an answer"), "{said}");
    assert!(said.contains("had scores that do not sum to 1 and were scaled"), "{said}");
    let said = run(&["evaluate", "--chains", "typos"]);
    assert!(said.contains("of 60 labelled samples, those that got an answer"), "{said}");
    assert!(!said.contains("rests on 60 changed texts"), "{said}");
}

/// Takes a fifth of a second for an answer.
const SLOW: &str = r#"
import json, sys, time
sys.stdin.readline()
print(json.dumps({"labels": ["0", "1"]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["fields"]["text"] != "This is a trial.":
        time.sleep(0.2)
    print(json.dumps({"id": asked["id"], "label": "1"}), flush=True)
"#;

/// Answers of a slow model that were paid for were lost when the command was stopped in its first batch.
#[test]
#[cfg(unix)]
fn a_stopped_prediction_keeps_its_first_answers() {
    let lab = Lab::new();
    lab.write("slow.py", SLOW);
    let model = format!("process:python3 {}", lab.at("slow.py"));
    let out = lab.at("p.jsonl");
    let words = ["predict", "--model", &model, "--data", &lab.at("d.jsonl"), "--task", "sa", "--out", &out];
    let mut running = fissure(&words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let draft = format!("{out}.unfinished");
    let kept = || fs::read_to_string(&draft).map_or(0, |text| text.lines().count());
    // The first batch takes two seconds of the twelve.
    while kept() == 0 && running.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let kept = kept();
    assert!((1..60).contains(&kept), "{kept}");
    done(&[&words[..], &["--resume"]].concat());
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 60);
}
