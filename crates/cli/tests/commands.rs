//! The program as a user meets it: real runs of the binary.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{done, fissure, json, lines, refusal, stdout};
use tempfile::TempDir;

fn reviews(folder: &TempDir) -> String {
    let path = folder.path().join("reviews.csv");
    let rows = "text,label\n\"I don't like it, \"\"really\"\".\",0\nAn excellent film; you must not miss it.,1\n,1\n";
    fs::write(&path, rows).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_catalog_lists_and_explains_itself() {
    let listed: Value = serde_json::from_str(&stdout(&["list", "--json"])).unwrap();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|card| card["name"].as_str().unwrap()).collect();
    for name in ["keyboard", "length", "csv", "nli"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
        assert!(stdout(&["explain", name]).contains(name));
        let card: Value = serde_json::from_str(&stdout(&["explain", name, "--json"])).unwrap();
        assert_eq!(card["name"], name);
    }
    assert!(stdout(&["list", "transforms"]).contains("typos"));
    assert!(stdout(&["explain", "SwapNum"]).contains("swap_num"), "TextFlint's spelling is an alias");
    assert!(refusal(&["explain", "keybord"]).contains("did you mean `keyboard`"));
}

#[test]
fn a_transformation_says_what_it_changed() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let made = lines(&stdout(&["transform", "contraction", "--data", &data, "--task", "sa"]));
    assert_eq!(made.len(), 3);
    assert_eq!(made[0]["text"], "I do not like it, \"really\".");
    assert_eq!(made[0]["status"], "changed");
    let edit = &made[0]["trail"]["edits"][0];
    assert_eq!((edit["start"].as_u64(), edit["end"].as_u64()), (Some(2), Some(7)));
    assert_eq!((edit["old"].as_str(), edit["new"].as_str()), (Some("don't"), Some("do not")));
    assert_eq!(made[2]["status"], "unchanged");
    assert_eq!(made[2]["text"], "");
}

#[test]
fn threads_batches_and_order_change_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("many.jsonl");
    let rows: String = (0..5000)
        .map(|n| format!("{{\"text\": \"review number {n} is rather long\", \"label\": {}}}\n", n % 2))
        .collect();
    fs::write(&path, rows).unwrap();
    let run = |threads: &str| {
        stdout(&["transform", "typos+keyboard", "--data", path.to_str().unwrap(), "--threads", threads])
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one.lines().count(), 5000);
}

#[test]
fn results_can_be_piped_compressed_and_read_again() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let out = folder.path().join("changed.jsonl.gz");
    done(&["transform", "word_case", "--data", &data, "--out", out.to_str().unwrap()]);
    let again = lines(&stdout(&["transform", "typos", "--data", out.to_str().unwrap(), "--limit", "1"]));
    assert_eq!(again.len(), 1);

    let mut piped = fissure(&["transform", "typos", "--data", "-", "--format", "csv"]);
    let piped = piped.stdin(fs::File::open(&data).unwrap()).output().unwrap();
    assert_eq!(piped.stdout, done(&["transform", "typos", "--data", &data]).stdout);

    let table = folder.path().join("changed.csv");
    done(&["transform", "contraction", "--data", &data, "--out", table.to_str().unwrap()]);
    assert!(fs::read_to_string(&table).unwrap().contains("I do not like it, \"\"really\"\"."));
}

#[test]
fn wrong_use_is_answered_with_the_next_step() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    assert!(refusal(&["transform", "tipos", "--data", &data]).contains("did you mean `typos`?"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--set", "rat=1"]).contains("did you mean `rate`?"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--set", "rate=7"]).contains("a number from 0 to 1"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--set", "rate"]).contains("--set knob=value"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--task", "nly"]).contains("`nli`"));
    assert!(refusal(&["transform", "typos", "--data", "missing.csv"]).contains("missing.csv"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--task", "nli"]).contains("premise"));
}

#[test]
fn a_bad_row_stops_or_is_counted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("bad.jsonl");
    fs::write(
        &path,
        "{\"text\": \"fine text here\", \"label\": 1}\n{broken\n{\"text\": \"also fine here\", \"label\": 0}\n",
    )
    .unwrap();
    let data = path.to_str().unwrap();
    let said = refusal(&["transform", "typos", "--data", data]);
    assert!(said.contains("line 2") && said.contains("--on-bad-row skip"), "{said}");
    let run = done(&["transform", "typos", "--data", data, "--on-bad-row", "skip"]);
    assert_eq!(lines(&String::from_utf8_lossy(&run.stdout)).len(), 2);
    assert!(String::from_utf8_lossy(&run.stderr).contains("1 row could not be read and was left out"));
}

#[test]
fn a_config_sets_knobs_and_the_command_line_wins() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let config = folder.path().join("run.toml");
    fs::write(&config, "seed = 3\n[knobs.word_case]\nmode = \"upper\"\nrate = 1.0\nmax = 100\n").unwrap();
    let with = |more: &[&str]| {
        let mut arguments = vec!["transform", "word_case", "--data", &data, "--config", config.to_str().unwrap()];
        arguments.extend(more);
        lines(&stdout(&arguments))
    };
    assert_eq!(with(&[])[1]["text"], "AN EXCELLENT FILM; YOU MUST NOT MISS IT.");
    assert_eq!(with(&["--set", "mode=lower"])[1]["text"], "an excellent film; you must not miss it.");
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    assert!(stdout(&["completions", "bash"]).contains("fissure"));
    assert!(stdout(&["man"]).contains(".TH fissure"));
}

#[test]
fn a_model_is_trained_asked_and_scored() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let (train, test) = (at("reviews/train.jsonl"), at("reviews/test.jsonl"));

    let out =
        stdout(&["train", "--arch", "fasttext", "--data", &train, "--task", "sa", "--out", &at("model"), "--json"]);
    let trained: Value = serde_json::from_str(&out).unwrap();
    assert!(trained["validation_accuracy"].as_f64().unwrap() > 0.7, "{trained}");
    let again = ["train", "--arch", "fasttext", "--data", &train, "--task", "sa", "--out", &at("again"), "--json"];
    let refit: Value = serde_json::from_str(&stdout(&[&again[..], &["--refit"]].concat())).unwrap();
    assert_eq!(refit["validation_accuracy"], trained["validation_accuracy"], "the measure is that of the first");
    assert_eq!((&trained["refit"], &refit["refit"]), (&Value::Bool(false), &Value::Bool(true)));
    let weights = |model: &str| fs::read(at(&format!("{model}/model.safetensors"))).unwrap();
    assert_ne!(weights("model"), weights("again"));

    let one = ["train", "--arch", "fasttext", "--data", &train, "--task", "sa", "--limit", "1", "--out", &at("none")];
    let said = refusal(&one);
    assert!(said.contains("all 1 samples") && said.contains("shuffle it"), "{said}");

    let model = at("model");
    let ask = |more: &[&str]| {
        let mut arguments = vec!["score", "--model", &model, "--data", &test, "--task", "sa", "--limit", "60"];
        arguments.extend(more);
        stdout(&arguments)
    };
    let scored = ask(&["--tokens", "--eta", "--threads", "1"]);
    assert_eq!(scored, ask(&["--tokens", "--eta", "--threads", "2"]), "threads changed a score");
    let rows = lines(&scored);
    assert_eq!(rows.len(), 60);
    for row in &rows {
        for key in
            ["predicted", "lambda_max", "margin", "entropy", "distance", "flip_forecast", "flip_t", "uncertainty"]
        {
            assert!(!row[key].is_null(), "{key} is missing in {row}");
        }
        assert!(row.get("eta_plus").is_some() && row.get("eta_minus").is_some());
    }
    let texts = lines(&fs::read_to_string(&test).unwrap());
    for (row, sample) in rows.iter().zip(&texts) {
        for token in row["tokens"].as_array().unwrap().iter().filter(|token| token["start"].is_u64()) {
            let (start, end) = (token["start"].as_u64().unwrap() as usize, token["end"].as_u64().unwrap() as usize);
            assert_eq!(&sample["text"].as_str().unwrap()[start..end], token["text"].as_str().unwrap());
        }
    }

    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &test, "--task", "sa", "--limit", "60"]));
    let predicted = |rows: &[Value]| rows.iter().map(|row| row["predicted"].clone()).collect::<Vec<_>>();
    assert_eq!(predicted(&answers), predicted(&rows));
    let said = refusal(&["score", "--model", &at("reviews"), "--data", &test, "--task", "sa"]);
    assert!(said.contains("config.json"), "{said}");
}

#[test]
fn changes_that_are_not_good_enough_are_filtered_and_counted() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let output = done(&["transform", "contraction", "--data", &data, "--keep", "edit_distance>=0.9", "--json"]);
    let made = lines(&String::from_utf8(output.stdout).unwrap());
    let statuses: Vec<&str> = made.iter().map(|line| line["status"].as_str().unwrap()).collect();
    // `don't` to `do not` rewrites 2 of 28 letters, `must not` to `mustn't` 1 of 40.
    assert_eq!(statuses, ["changed", "changed", "unchanged"]);
    let strict = done(&["transform", "contraction", "--data", &data, "--keep", "words_kept>=0.9", "--json"]);
    let made = lines(&String::from_utf8(strict.stdout).unwrap());
    assert_eq!(made[0]["status"], "filtered");
    assert!(made[0]["reason"].as_str().unwrap().contains("words_kept"), "{}", made[0]);
    assert_eq!(made[0]["text"], "I don't like it, \"really\".", "a filtered sample stays as it was");
    let summary = lines(&String::from_utf8(strict.stderr).unwrap()).pop().unwrap();
    assert_eq!(summary["filtered"]["words_kept"], 2);
    assert_eq!(summary["changed"], 0);
}

#[test]
fn thresholds_and_helpers_that_are_not_there_are_named() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let with = |keep: &str| refusal(&["transform", "typos", "--data", &data, "--keep", keep]);
    assert!(with("similarity>=0.8").contains("--encoder DIR"));
    assert!(with("edit_distance>=7").contains("from 0 to 1"));
    assert!(with("edit_distanc>=0.7").contains("did you mean `edit_distance`"));
    let skipped = lines(&stdout(&["transform", "back_trans", "--data", &data]));
    assert!(skipped[0]["reason"].as_str().unwrap().contains("--translator"), "{}", skipped[0]);
    let skipped = lines(&stdout(&["transform", "mlm_suggestion", "--data", &data]));
    assert!(skipped[0]["reason"].as_str().unwrap().contains("--language-model DIR"), "{}", skipped[0]);
}

#[cfg(unix)]
#[test]
fn a_translator_of_the_users_and_a_language_model_serve() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let made = lines(&stdout(&["transform", "back_trans", "--data", &data, "--translator", "sed -u s/film/movie/"]));
    assert_eq!(made[1]["text"], "An excellent movie; you must not miss it.");
    assert_eq!(made[1]["trail"]["edits"].as_array().unwrap().len(), 1);
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/bert-masked");
    let model = model.to_str().unwrap();
    let guessed = stdout(&["transform", "mlm_suggestion", "--data", &data, "--language-model", model]);
    assert_eq!(guessed, stdout(&["transform", "mlm_suggestion", "--data", &data, "--language-model", model]));
    assert!(lines(&guessed).iter().all(|line| line["status"] != "skipped"), "{guessed}");
}

#[test]
fn a_slice_is_written_and_counted() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    let slice = |more: &[&str]| {
        let arguments: Vec<&str> = ["slice"].iter().chain(more).chain(&["--data", &data, "--json"]).copied().collect();
        let output = done(&arguments);
        let told = lines(&String::from_utf8(output.stderr).unwrap());
        assert_eq!(told[0]["columns"]["text"], "text", "how the file is read comes first");
        let summary = told.last().unwrap().clone();
        (lines(&String::from_utf8(output.stdout).unwrap()), summary)
    };
    let (inside, summary) = slice(&["phrase"]);
    assert_eq!(inside.len(), 2);
    assert_eq!((summary["inside"].as_u64(), summary["outside"].as_u64()), (Some(2), Some(1)));
    let (inside, summary) = slice(&["phrase", "--where", "label == 1"]);
    assert_eq!(inside[0]["text"], "An excellent film; you must not miss it.");
    assert_eq!((summary["inside"].as_u64(), summary["left_out"].as_u64()), (Some(1), Some(1)));
    let (inside, _) = slice(&["length", "--set", "take=between", "--set", "least=1", "--set", "most=5"]);
    assert_eq!(inside.len(), 1);
    assert!(refusal(&["slice", "lenght", "--data", &data]).contains("did you mean `length`"));
    assert!(refusal(&["slice", "length", "--data", "-"]).contains("standard input"));
    assert!(refusal(&["slice", "length", "--data", &data, "--where", "colour == 1"]).contains("colour"));
    assert!(refusal(&["transform", "typos", "--data", &data, "--where", "label = 1"]).contains("write `==`"));
    let some = lines(&stdout(&["transform", "word_case", "--data", &data, "--where", "length > 5"]));
    assert_eq!(some.len(), 1);
}

#[test]
fn a_name_of_two_kinds_is_explained_twice() {
    let page = stdout(&["explain", "prejudice"]);
    assert!(page.contains("(transform)") && page.contains("(slice)"), "{page}");
    assert!(stdout(&["list", "validators"]).contains("edit_distance"));
}

#[test]
fn a_program_is_a_model() {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no python3 on this machine");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("reviews.csv");
    fs::write(&path, "text,label\na good film,pos\na bad film,neg\nso bad it is good good,neg\n").unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/process_model.py");
    let model = format!("process:python3 '{}'", program.display());
    let made = lines(&stdout(&["predict", "--model", &model, "--data", path.to_str().unwrap(), "--task", "sa"]));
    let predicted: Vec<&str> = made.iter().map(|line| line["predicted"].as_str().unwrap()).collect();
    assert_eq!(predicted, ["pos", "neg", "pos"]);
    assert!(
        refusal(&["predict", "--model", "process:no-such-program", "--data", path.to_str().unwrap()])
            .contains("cannot start `no-such-program`")
    );
}

/// The first line on standard output is the address; without its token nobody is let in.
#[test]
fn explore_prints_its_address_first() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpStream;
    use std::process::Stdio;

    let mut child = fissure(&["explore", "--demo", "--no-open", "--port", "0"]).stderr(Stdio::null()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let (address, token) = first.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    assert!(address.starts_with("127.0.0.1:") && token.len() == 32, "{first}");
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let (shut, open) = (ask("/"), ask(&format!("/?token={token}")));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(shut.starts_with("HTTP/1.1 401"), "{shut}");
    assert!(open.starts_with("HTTP/1.1 200") && open.contains("a small CNN"), "{open}");
}

#[test]
fn explore_says_what_is_missing() {
    let folder = TempDir::new().unwrap();
    let data = reviews(&folder);
    assert!(refusal(&["explore", "--data", &data]).contains("--model"));
    assert!(refusal(&["explore", folder.path().to_str().unwrap()]).contains("run.jsonl"));
}

/// Before the address, not after it.
#[test]
fn explore_refuses_a_basket_that_is_none() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (data, model, basket) = (reviews(&folder), at("model"), at("basket.jsonl"));
    done(&["train", "--arch", "fasttext", "--epochs", "1", "--data", &data, "--task", "sa", "--out", &model]);
    fs::write(&basket, "{\"text\": \"no story\", \"label\": \"1\"}\n").unwrap();
    let words = ["explore", "--model", &model, "--data", &data, "--task", "sa", "--no-open", "--basket", &basket];
    let output = fissure(&words).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("basket.jsonl"), "{output:?}");
}

#[test]
fn the_program_says_the_licences_of_its_tables() {
    let licences = stdout(&["licences"]);
    assert_eq!(licences, stdout(&["licenses"]));
    for words in [
        "tags.weights",
        "CC BY-SA 4.0",
        "UD English EWT",
        "places.txt",
        "GeoNames",
        "Princeton University under the following license",
    ] {
        assert!(licences.contains(words), "{words}");
    }
    let tables = json(&["licences"]);
    assert!(tables["tables"].as_array().unwrap().len() > 20 && tables["code"] == "MIT OR Apache-2.0");
    let version = stdout(&["--version"]);
    assert!(version.contains("CC BY-SA 4.0 (share-alike): certain_tags") && version.contains("fissure licences"));
    assert_eq!(stdout(&["-V"]).lines().count(), 1);
}
