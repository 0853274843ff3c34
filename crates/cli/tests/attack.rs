//! `fissure attack`, from the command line to the files it writes.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{done, fissure, json, lines, refusal, stdout};

/// The built-in reviews and a model trained on them, made once for all tests.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("attack");
    // What an earlier run of the tests left.
    let _ = fs::remove_dir_all(&lab);
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let train = at("reviews/train.jsonl");
    done(&["train", "--arch", "fasttext", "--epochs", "2", "--data", &train, "--task", "sa", "--out", &at("model")]);
    lab
});

fn words(recipe: &str, out: &Path, more: &[&str]) -> Vec<String> {
    let (model, data) = (LAB.join("model"), LAB.join("reviews/test.jsonl"));
    let words = ["attack", "--task", "sa", "--recipe", recipe, "--model", model.to_str().unwrap()];
    let places = ["--data", data.to_str().unwrap(), "--out", out.to_str().unwrap()];
    [&words[..], &places[..], more].concat().into_iter().map(str::to_owned).collect()
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn files(out: &Path) -> (String, Value) {
    let text = fs::read_to_string(out.join("attacks.jsonl")).unwrap();
    (text, serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap())
}

#[test]
fn an_attack_is_a_file_of_edits_and_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let said = done(&refs(&words("jump", &out, &["--limit", "40"])));
    let table = String::from_utf8(said.stderr).unwrap();
    assert!(table.contains("accuracy under attack") && table.contains("success"), "{table}");
    let (text, summary) = files(&out);
    let records = lines(&text);
    assert_eq!(records.len(), 40);
    let succeeded = records.iter().filter(|record| record["outcome"] == "succeeded").count();
    assert_eq!(summary["succeeded"], succeeded);
    let failed: u64 = summary["failed"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(summary["attacked"].as_u64().unwrap(), succeeded as u64 + failed);
    // Another number of threads gives the same bytes, and an existing file is not replaced.
    let again = folder.path().join("again");
    done(&refs(&words("jump", &again, &["--limit", "40", "--threads", "1"])));
    assert_eq!(files(&again), files(&out));
    let refused = refusal(&refs(&words("jump", &out, &["--limit", "40"])));
    assert!(refused.contains("--force"), "{refused}");
}

#[test]
fn a_stopped_attack_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let command =
        |out: &Path, more: &[&str]| words("pso", out, &[&["--limit", "120", "--threads", "1"], more].concat());
    let started = Instant::now();
    done(&refs(&command(&whole, &[])));
    let takes = started.elapsed();
    let out = folder.path().join("out");
    let mut child = fissure(&refs(&command(&out, &[]))).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep((takes / 2).max(Duration::from_millis(300)));
    child.kill().unwrap();
    child.wait().unwrap();
    if !out.join("attacks.jsonl").exists() {
        done(&refs(&command(&out, &["--resume"])));
    }
    assert_eq!(files(&out), files(&whole));
}

#[test]
fn what_cannot_be_done_is_said_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let why = |recipe: &str, more: &[&str]| refusal(&refs(&words(recipe, &out, more)));
    assert!(why("textfoler", &[]).contains("textfooler"));
    let lacks = why("textfooler", &[]);
    assert!(lacks.contains("sentence encoder") && lacks.contains("--without encoder"), "{lacks}");
    assert!(why("pwws", &["--without", "encoder"]).contains("does not use"));
    assert!(why("pwws", &["--target", "mixed"]).contains("mixed"));
    assert!(why("morpheus", &[]).contains("answers with a text"));
    let mine = folder.path().join("mine.toml");
    fs::write(&mine, "name = \"mine\"\nsummary = \"x\"\n[goal]\nuse = \"untargetted\"\n[search]\nuse = \"beam\"\n")
        .unwrap();
    assert!(why(mine.to_str().unwrap(), &[]).contains("`untargeted`"));
    let given = folder.path().join("given.jsonl");
    fs::write(&given, "{\"id\": 1}\n").unwrap();
    assert!(why("pwws", &["--candidates", given.to_str().unwrap()]).contains("line 1"));
    assert!(!out.exists(), "nothing was begun");
}

#[test]
fn attacks_are_listed_and_explained() {
    let listed = stdout(&["list", "attacks"]);
    assert!(listed.contains("textfooler") && listed.contains("stop_words") && listed.contains("jump"), "{listed}");
    let explained = stdout(&["explain", "textfooler"]);
    assert!(explained.contains("Jin et al. 2020") && explained.contains("Departures"), "{explained}");
    assert_eq!(json(&["explain", "importance"])["kind"], "search");
}
