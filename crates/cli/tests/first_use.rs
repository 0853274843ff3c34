//! What a newcomer tries first: names as people say them, lists for a task, whole folders at once, narrow terminals.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use support::{done, json, refusal, stdout};
use tempfile::TempDir;

/// The built-in reviews and a model trained on them, made once for all tests.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first_use");
    // What an earlier run of the tests left.
    let _ = fs::remove_dir_all(&lab);
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let train = at("reviews/train.jsonl");
    done(&["train", "--arch", "cnn", "--epochs", "2", "--data", &train, "--task", "sentiment", "--out", &at("cnn")]);
    lab
});

fn lab(name: &str) -> String {
    LAB.join(name).to_str().unwrap().to_owned()
}

#[test]
fn tasks_go_by_the_names_people_say() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, data) = (lab("cnn"), lab("reviews/test.jsonl"));
    let run = |task: &str| {
        let out = at(task);
        let words = ["evaluate", "--model", &model, "--data", &data, "--suite", "typos", "--limit", "20"];
        done(&[&words[..], &["--task", task, "--out", &out]].concat());
        fs::read(Path::new(&out).join("findings.json")).unwrap()
    };
    let plain = run("sa");
    assert!(run("sentiment") == plain, "an alias is the same task");
    assert!(run("Sentiment-Analysis") == plain);
    for (alias, name) in [("paraphrase", "sm"), ("topic", "classification"), ("qa", "mrc"), ("entailment", "nli")] {
        assert!(stdout(&["explain", alias]).starts_with(&format!("{name} (task)")), "{alias}");
    }
    let said = refusal(&["transform", "typos", "--data", &data, "--task", "sentimant"]);
    assert!(said.contains("did you mean") && said.contains("`sentiment`"), "{said}");
    assert!(stdout(&["list", "tasks"]).contains("sentiment"));
}

#[test]
fn a_list_for_a_task_has_what_serves_it() {
    let names = |words: &[&str]| -> Vec<String> {
        json(words).as_array().unwrap().iter().map(|card| card["name"].as_str().unwrap().to_owned()).collect()
    };
    let (all, ner) = (names(&["list", "transforms"]), names(&["list", "transforms", "--task", "entities"]));
    assert!(!ner.is_empty() && ner.len() < all.len(), "{ner:?}");
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("a.conll");
    fs::write(&data, "EU\tB-ORG\nrejects\tO\ncalls\tO\n\n").unwrap();
    let serves = |name: &&String| {
        let words = ["transform", name, "--data", data.to_str().unwrap(), "--task", "ner"];
        support::fissure(&words).output().unwrap().status.success()
    };
    let left_out: Vec<&String> = all.iter().filter(|name| !ner.contains(name)).collect();
    assert!(ner.iter().all(|name| serves(&name)) && !left_out.iter().any(serves), "{ner:?} {left_out:?}");
}

#[test]
fn misspelt_suites_and_commands_get_suggestions() {
    let (model, data) = (lab("cnn"), lab("reviews/test.jsonl"));
    let said = refusal(&["evaluate", "--model", &model, "--data", &data, "--suite", "quik"]);
    assert!(said.contains("did you mean `quick`?"), "{said}");
    let said = refusal(&["help", "evalute"]);
    assert!(said.contains("evaluate"), "{said}");
    let said = refusal(&["help", "experiment", "word-sald"]);
    assert!(said.contains("word-salad"), "{said}");
}

#[test]
fn prose_fits_a_terminal() {
    for name in ["swap_named_ent", "mrc", "conllu", "shuffle", "typos"] {
        let page = stdout(&["explain", name]);
        let prose = page.lines().skip(2).take_while(|line| !line.is_empty());
        prose.for_each(|line| assert!(line.chars().count() <= 80, "{name}: {line}"));
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a file with a rather long name to fill the line.csv");
    fs::write(&path, "text,label\nso good,1\n").unwrap();
    let said = done(&["transform", "typos", "--data", path.to_str().unwrap(), "--task", "sa"]).stderr;
    let said = String::from_utf8(said).unwrap();
    let (note, _) = said.split_once(" transform").unwrap_or((&said, ""));
    assert!(note.contains("a file with a rather long name to fill the line.csv"), "{said}");
    let longest = |line: &&str| line.chars().count() > 80 && !line.contains(".csv");
    assert!(!note.lines().any(|line| longest(&line)), "{said}");
}

#[test]
fn several_transformations_fill_a_folder() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data.csv");
    fs::write(&data, "text,label\r\nI don't like it.,0\r\nAn excellent film of 2010.,1\r\n").unwrap();
    let data = data.to_str().unwrap();
    let out = folder.path().join("out");
    let place = out.to_str().unwrap();
    let listed = |folder: &Path| -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let words = ["transform", "contraction,typos+word_case", "--data", data, "--task", "sa", "--ending", "csv"];
    done(&[&words[..], &["--out", place]].concat());
    assert_eq!(listed(&out), ["contraction.csv", "typos+word_case.csv"]);
    // Each is what the transformation alone gives, with the line ends of the data.
    let alone = folder.path().join("alone.csv");
    done(&["transform", "contraction", "--data", data, "--task", "sa", "--out", alone.to_str().unwrap()]);
    let made = fs::read_to_string(out.join("contraction.csv")).unwrap();
    assert_eq!(made, fs::read_to_string(&alone).unwrap());
    assert_eq!(made, "text,label\r\nI do not like it.,0\r\nAn excellent film of 2010.,1\r\n");
    // What is there is not replaced, but gone on with.
    assert!(refusal(&[&words[..], &["--out", place]].concat()).contains("--force"));
    fs::remove_file(out.join("contraction.csv")).unwrap();
    done(&[&words[..], &["--out", place, "--resume"]].concat());
    assert_eq!(fs::read_to_string(out.join("contraction.csv")).unwrap(), made);

    let suite = folder.path().join("suite");
    let words = ["transform", "--suite", "universal", "--data", data, "--task", "sa", "--set", "rate=0.5"];
    done(&[&words[..], &["--out", suite.to_str().unwrap()]].concat());
    let names = listed(&suite);
    assert!(names.len() > 10 && names.contains(&"typos.jsonl".to_owned()), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("prejudice-")), "every way of a part has its file: {names:?}");
    assert!(!names.contains(&"back_trans.jsonl".to_owned()), "a part that lacks help is left out: {names:?}");

    assert!(refusal(&["transform", "typos,keyboard", "--data", data]).contains("--out DIR"));
    assert!(refusal(&["transform", "typos,keybord", "--data", data, "--out", place]).contains("keyboard"));
    let said = refusal(&["transform", "typos,keyboard", "--data", data, "--set", "rte=1", "--out", place]);
    assert!(said.contains("knob `rte`"), "{said}");
}

#[test]
fn words_of_both_ends_are_replaced() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("words");
    let (model, data) = (lab("cnn"), lab("reviews/test.jsonl"));
    let words = ["experiment", "words", "--model", &model, "--data", &data, "--task", "sa", "--limit", "80"];
    let words = [&words[..], &["--top", "2"]].concat();
    let shown = stdout(&[&words[..], &["--out", out.to_str().unwrap()]].concat());
    assert!(shown.contains("Most fragile") && shown.contains("part of speech"), "{shown}");
    let found: Value = serde_json::from_str(&fs::read_to_string(out.join("words.json")).unwrap()).unwrap();
    assert_eq!(found, json(&words), "what is written is what is shown");
    let lambda = |end: &str, at: usize| found[end][at]["lambda_max"].as_f64().unwrap();
    assert!(lambda("most_fragile", 0) >= lambda("most_fragile", 1));
    assert!(
        lambda("most_fragile", 1) > lambda("most_robust", 0) && lambda("most_robust", 0) <= lambda("most_robust", 1)
    );
    for end in ["most_fragile", "most_robust"] {
        for text in found[end].as_array().unwrap() {
            let tried = text["alone"].as_array().unwrap();
            assert!(!tried.is_empty());
            for tried in tried {
                let (start, stop) =
                    (tried["start"].as_u64().unwrap() as usize, tried["end"].as_u64().unwrap() as usize);
                assert_eq!(text["text"].as_str().unwrap()[start..stop], *tried["old"].as_str().unwrap());
                assert!(["synonym", "antonym", "name in the text"].contains(&tried["kind"].as_str().unwrap()));
                assert_eq!(tried["changes"], tried["predicted"] != text["predicted"]);
            }
        }
    }
    // What it says of one replacement is what `predict` says to the changed text.
    let text = &found["most_fragile"][0];
    let tried = &text["alone"][0];
    let (start, stop) = (tried["start"].as_u64().unwrap() as usize, tried["end"].as_u64().unwrap() as usize);
    let mut changed = text["text"].as_str().unwrap().to_owned();
    changed.replace_range(start..stop, tried["new"].as_str().unwrap());
    let one = folder.path().join("one.jsonl");
    fs::write(&one, serde_json::json!({ "text": changed }).to_string()).unwrap();
    let answer = stdout(&["predict", "--model", &model, "--data", one.to_str().unwrap(), "--task", "sa"]);
    let answer: Value = serde_json::from_str(answer.trim()).unwrap();
    assert_eq!(answer["predicted"], tried["predicted"]);

    let (page, tex) = (out.join("words.html"), out.join("words.tex"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<ins>") && page.contains("Most robust texts"), "the replaced words are marked");
    let tex = fs::read_to_string(tex).unwrap();
    assert!(tex.contains("\\begin{tabular}") && tex.contains("synonym"), "{tex}");
    assert!(refusal(&["experiment", "words", "--model", "process:cat", "--data", &data, "--task", "sa"]).len() > 10);
}
