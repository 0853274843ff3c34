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
fn no_file_of_an_attack_replaces_its_data() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["broken.jsonl", "report.json", "summary.json", "attacks.jsonl"] {
        let data = folder.path().join(name);
        fs::copy(LAB.join("reviews/test.jsonl"), &data).unwrap();
        let model = LAB.join("model");
        let words = ["attack", "--task", "sa", "--recipe", "exact", "--limit", "2", "--model", model.to_str().unwrap()];
        let places = ["--data", data.to_str().unwrap(), "--out", folder.path().to_str().unwrap(), "--force"];
        assert!(refusal(&[&words[..], &places[..]].concat()).contains("it is the input"), "{name}");
        assert_eq!(fs::read(&data).unwrap(), fs::read(LAB.join("reviews/test.jsonl")).unwrap(), "{name}");
        fs::remove_file(&data).unwrap();
    }
}

#[test]
fn a_run_that_was_cut_or_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&refs(&words("jump", &out, &["--limit", "10"])));
    let gate = ["gate", out.to_str().unwrap(), "--rule", "attack(jump).success <= 1"];
    done(&gate);
    let numbers = fs::read_to_string(out.join("summary.json")).unwrap();
    fs::write(out.join("summary.json"), numbers.replacen("\"seed\": 0", "\"seed\": 1", 1)).unwrap();
    assert!(refusal(&gate).contains("summary.json was cut or edited"));
    fs::write(out.join("summary.json"), &numbers).unwrap();
    done(&gate);
    let lines = fs::read_to_string(out.join("attacks.jsonl")).unwrap();
    fs::write(out.join("attacks.jsonl"), &lines[..lines.len() / 2]).unwrap();
    assert!(refusal(&gate).contains("attacks.jsonl was cut or edited"));
}

#[test]
fn a_complete_attack_does_not_keep_the_next_from_running() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&refs(&words("jump", &out.join("jump"), &["--limit", "5"])));
    done(&refs(&words("jump,exact", &out, &["--limit", "5", "--resume"])));
    assert!(out.join("exact/summary.json").exists());
}

#[test]
fn what_several_attacks_leave_out_is_left_out_of_those_that_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&refs(&words("exact,textfooler", &out, &["--limit", "5", "--without", "encoder"])));
    assert_eq!(files(&out.join("exact")).1["attack"], "exact");
    assert_eq!(files(&out.join("textfooler")).1["attack"], "textfooler -encoder");
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
    // The kill may also fall between the last attack and what is made of all of them.
    if !out.join("summary.json").exists() {
        done(&refs(&command(&out, &["--resume"])));
    }
    assert_eq!(files(&out), files(&whole));
}

#[test]
fn a_run_of_attacks_is_reported_held_to_rules_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let [out, exact] = ["jump", "exact"].map(|name| folder.path().join(name));
    done(&refs(&words("jump, exact", folder.path(), &["--limit", "60"])));
    let (text, summary) = files(&exact);
    let share = |name: &str| summary[name]["value"].as_f64().unwrap();
    assert!((share("success") + share("certified_share") + share("open_share") - 1.0).abs() < 1e-9, "{summary}");
    assert!(lines(&text).iter().any(|record| record["certificate"]["edits"].as_u64() > Some(0)));
    for page in ["report.html", "report.tex", "report.json", "report.pdf"] {
        assert!(exact.join(page).exists(), "{page}");
    }
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    let (out, exact) = (at(&out), at(&exact));
    done(&["report", &out, &exact, "--format", "html"]);
    let page = fs::read_to_string(folder.path().join("jump/comparison.html")).unwrap();
    assert!(page.contains("McNemar"));
    done(&["gate", &exact, "--rule", "attack(exact).success <= 1", "--rule", "attack(all).certified >= 0"]);
    let broken = fissure(&["gate", &exact, "--rule", "attack(exact).success < 0"]).output().unwrap();
    assert_eq!(broken.status.code(), Some(1), "{broken:?}");
    assert!(refusal(&["gate", &exact, "--rule", "attack(jump).success <= 1"]).contains("`exact`"));
    assert!(refusal(&["gate", &exact, "--rule", "drop(typos) <= 1"]).contains("run of attacks"));
    // Another attack is no baseline: nothing is measured, and it says why.
    let other = ["gate", &exact, "--baseline", &out, "--rule", "change(attack(exact).success) >= -1"];
    let other = fissure(&other).output().unwrap();
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(other.status.code() == Some(1) && said.contains("is a run of `exact`"), "{said}");
    done(&["gate", &exact, "--baseline", &exact, "--rule", "change(attack(exact).success) >= -1"]);
    // What was found breaks the same model again; the broken texts are data that every command reads.
    let again = at(&folder.path().join("again"));
    let (model, data) = (at(&LAB.join("model")), at(&LAB.join("reviews/test.jsonl")));
    let found = format!("{exact}/attacks.jsonl");
    done(&[
        "attack", "--task", "sa", "--replay", &found, "--model", &model, "--data", &data, "--limit", "60", "--out",
        &again,
    ]);
    let (_, replayed) = files(Path::new(&again));
    assert_eq!(replayed["succeeded"], summary["succeeded"]);
    let broken = format!("{exact}/broken.jsonl");
    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &broken, "--task", "sa"]));
    assert_eq!(answers.len() as u64, summary["succeeded"].as_u64().unwrap());
}

#[test]
fn a_forced_attack_replaces_the_earlier_one_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |recipe: &str, out: &Path, more: &[&str]| {
        done(&refs(&words(recipe, out, &[&["--limit", "10"], more].concat())))
    };
    let names = |out: &Path| -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    // Several over one: gates would judge the old one.
    let out = at("one");
    run("deepwordbug", &out, &[]);
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let refused = refusal(&refs(&words("jump,line", &out, &["--limit", "10"])));
    assert!(refused.contains("another attack") && refused.contains("--force"), "{refused}");
    run("jump,line", &out, &["--force"]);
    assert_eq!(names(&out), ["jump", "line", "notes.txt"]);
    let all = ["gate", out.to_str().unwrap(), "--rule", "attack(all).success <= 1"];
    let judged = stdout(&all);
    assert!(
        judged.contains("attack(jump)") && judged.contains("attack(line)") && !judged.contains("deepwordbug"),
        "{judged}"
    );
    // Several over several; a file of the user's keeps its directory, and a run that was put there alone stays.
    fs::write(out.join("line/notes.txt"), "mine").unwrap();
    run("pwws", &out.join("pwws"), &[]);
    run("deepwordbug,jump", &out, &["--force"]);
    assert_eq!(names(&out), ["deepwordbug", "jump", "line", "notes.txt", "pwws"]);
    assert_eq!(names(&out.join("line")), ["notes.txt"]);
    // One over several.
    refusal(&refs(&words("jump", &out, &["--limit", "10"])));
    run("jump", &out, &["--force"]);
    assert!(!out.join("deepwordbug").exists() && !out.join("jump").exists() && out.join("pwws/summary.json").exists());
    assert_eq!(files(&out).1["attack"], "jump");
    // What was edited is not removed.
    let numbers = fs::read_to_string(out.join("summary.json")).unwrap();
    fs::write(out.join("summary.json"), numbers.replacen("\"seed\": 0", "\"seed\": 1", 1)).unwrap();
    let edited = refusal(&refs(&words("pwws,line", &out, &["--limit", "10", "--force"])));
    assert!(edited.contains("was cut or edited, so it is not removed"), "{edited}");
    assert!(out.join("attacks.jsonl").exists());
}

#[test]
fn candidates_of_a_file_are_checked_and_texts_without_any_are_not_certified() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mine = at(
        "mine.toml",
        "name = 'mine'\nsummary = 'One word.'\n[goal]\nuse = 'untargeted'\n[[source]]\nuse = 'neighbours'\n\
         [[constraint]]\nuse = 'repeat'\n[search]\nuse = 'bound'\nedits = 1\n",
    );
    let rows = lines(&fs::read_to_string(LAB.join("reviews/test.jsonl")).unwrap());
    let text = rows[0]["text"].as_str().unwrap();
    let probe = folder.path().join("probe");
    done(&refs(&words("exact", &probe, &["--limit", "1"])));
    let id = lines(&files(&probe).0)[0]["id"].clone();
    let given =
        |start: usize, end: usize| serde_json::json!({ "id": id, "places": [[start, end, ["zzz"]]] }).to_string();
    let out = folder.path().join("out");
    let more = |file: &str| ["--limit", "10", "--candidates", file].map(str::to_owned);
    let past = at("past.jsonl", &given(3, 100_000));
    let refused = refusal(&refs(&words(&mine, &out, &more(&past).each_ref().map(String::as_str))));
    let length = format!("{} bytes", text.len());
    assert!(refused.contains("line 1") && refused.contains("3 to 100000") && refused.contains(&length), "{refused}");
    assert!(!out.exists(), "nothing was begun");
    let sound = at("sound.jsonl", &given(0, text.find(' ').unwrap()));
    let said = done(&refs(&words(&mine, &out, &more(&sound).each_ref().map(String::as_str))));
    let (_, summary) = files(&out);
    let attacked = summary["attacked"].as_u64().unwrap();
    let missing = summary["failed"]["no candidate"].as_u64().unwrap();
    assert!(missing + 1 >= attacked && missing < 10, "{summary}");
    assert!(summary["certified"].as_u64().unwrap() <= 1);
    if attacked == missing {
        assert!(summary["certified_share"].is_null());
    }
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains(&format!("of {}\n", attacked - missing)) && said.contains("no candidate"), "{said}");
}

#[test]
fn what_broke_reads_back_with_the_labels_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // The same reviews with numbers for labels.
    let rows = lines(&fs::read_to_string(LAB.join("reviews/test.jsonl")).unwrap());
    let number = |row: &Value| {
        let label = if row["label"] == "positive" { 1 } else { 0 };
        serde_json::json!({ "id": row["id"], "text": row["text"], "label": label }).to_string() + "\n"
    };
    fs::write(at("numbers.jsonl"), rows.iter().map(number).collect::<String>()).unwrap();
    let model = LAB.join("model");
    let given = ["--model", model.to_str().unwrap(), "--task", "sa", "--data"];
    let run = |more: &[&str]| {
        [&given[..], &[&at("numbers.jsonl"), "--limit", "60"], more]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    done(&refs(
        &[&["attack".to_owned(), "--recipe".into(), "exact".into()], &run(&["--out", &at("out")])[..]].concat(),
    ));
    let broken = format!("{}/broken.jsonl", at("out"));
    let found = lines(&fs::read_to_string(&broken).unwrap());
    assert!(!found.is_empty() && found.iter().all(|row| row["label"] == "positive" || row["label"] == "negative"));
    let answers = lines(&stdout(&[&["predict"], &given[..], &[&broken]].concat()));
    assert_eq!(answers.len(), found.len());
    // A label may be named as the data have it.
    let target = [
        &["attack".to_owned(), "--recipe".into(), "jump".into(), "--target".into(), "1".into()],
        &run(&["--out", &at("target"), "--json"])[..],
    ]
    .concat();
    let numbers: Value = serde_json::from_str(&stdout(&refs(&target))).unwrap();
    assert!(numbers["attacked"].as_u64() > Some(0), "numbers go to standard output: {numbers}");
    let trigger = stdout(
        &[&["trigger", "--label", "1", "--texts", "4"], &given[..], &[&at("numbers.jsonl"), "--limit", "60"]].concat(),
    );
    assert!(trigger.contains("positive"), "{trigger}");
    let program = refusal(&["trigger", "--model", "process:cat", "--task", "sa", "--data", &at("numbers.jsonl")]);
    assert!(program.contains("gives no gradients, which a trigger needs"), "{program}");
}

#[test]
fn goals_and_the_weakest_texts_are_chosen_by_flags() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    done(&refs(&words("line", &out, &["--limit", "60", "--weakest", "10", "--goal", "confidence<0.5"])));
    let (text, summary) = files(&out);
    assert_eq!(summary["attacked"], 10);
    assert_eq!(summary["skipped"]["not among the weakest"].as_u64().unwrap() as usize + 10, lines(&text).len());
    let unsure = folder.path().join("unsure");
    let why = refusal(&refs(&words("line", &unsure, &["--goal", "confidence<often"])));
    assert!(why.contains("confidence<0.7"), "{why}");
    assert!(refusal(&refs(&words("line", &unsure, &["--goal", "untargetted"]))).contains("`untargeted`"));
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
    let empty = folder.path().join("empty.csv");
    fs::write(&empty, "text,label\n").unwrap();
    let model = LAB.join("model");
    let given = ["--model", model.to_str().unwrap(), "--data", empty.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let nothing = refusal(&[&["attack", "--task", "sa", "--recipe", "jump"], &given[..]].concat());
    assert!(nothing.contains("there is no sample in"), "{nothing}");
    assert!(why("morpheus", &[]).contains("answers with a text"));
    let goal = why("pwws", &["--goal", "targeted"]);
    assert!(goal.contains("--target LABEL"), "{goal}");
    // Of several, all are looked at before the first runs.
    let lacks = why("exact,textfooler", &[]);
    assert!(lacks.contains("`textfooler`") && lacks.contains("sentence encoder"), "{lacks}");
    assert!(why("exact,pwws", &["--without", "encoder"]).contains("none of the attacks uses `encoder`"));
    assert!(why("exact,pwws,exact", &[]).contains("`exact` comes twice"));
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
fn a_text_of_very_many_words_is_left_out_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("long.jsonl"), folder.path().join("out"));
    let long = "A good film. ".repeat(30_000);
    let rows = [long.as_str(), "A good film."]
        .map(|text| serde_json::json!({ "text": text, "label": "positive" }).to_string());
    fs::write(&data, rows.join("\n")).unwrap();
    let model = LAB.join("model");
    let (model, data) = (model.to_str().unwrap(), data.to_str().unwrap());
    let given = ["--model", model, "--data", data, "--task", "sa"];
    done(&[&["attack", "--recipe", "jump", "--out", out.to_str().unwrap()], &given[..]].concat());
    let (text, summary) = files(&out);
    assert_eq!(summary["skipped"]["of more than 5000 words (--max-words N)"], 1, "{summary}");
    assert_eq!((&lines(&text)[0]["outcome"], &lines(&text)[0]["questions"]), (&"skipped".into(), &0.into()));
    done(
        &[&["attack", "--recipe", "jump", "--max-words", "2", "--force", "--out", out.to_str().unwrap()], &given[..]]
            .concat(),
    );
    assert_eq!(files(&out).1["skipped"]["of more than 2 words (--max-words N)"], 2);
    let written = folder.path().join("testset.jsonl");
    let testset = done(&[&["repair", "testset", "--out", written.to_str().unwrap()], &given[..]].concat());
    let said = String::from_utf8(testset.stderr).unwrap();
    assert!(said.contains("1 text is left out, of more than 5000 words (--max-words N)"), "{said}");
    let rows = lines(&fs::read_to_string(&written).unwrap());
    assert!(!rows.is_empty() && rows.iter().all(|row| row["text"].as_str().unwrap().len() < 100), "{rows:?}");
}

#[test]
fn attacks_are_listed_and_explained() {
    let listed = stdout(&["list", "attacks"]);
    assert!(listed.contains("textfooler") && listed.contains("stop_words") && listed.contains("jump"), "{listed}");
    let explained = stdout(&["explain", "textfooler"]);
    assert!(explained.contains("Jin et al. 2020") && explained.contains("Departures"), "{explained}");
    assert!(explained.contains("[search]\nuse = \"importance\""), "the recipe itself: {explained}");
    assert_eq!(json(&["explain", "importance"])["kind"], "search");
}

#[test]
fn found_attacks_go_to_training_data_to_test_sets_and_to_the_gate_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = folder.path().join("out");
    done(&refs(&words("exact", &out, &["--limit", "60"])));
    let broken = files(&out).1["succeeded"].as_u64().unwrap() as usize;
    assert!(broken > 0);
    let (model, data) = (LAB.join("model"), LAB.join("reviews/test.jsonl"));
    let (model, data) = (model.to_str().unwrap(), data.to_str().unwrap());
    let attacked = out.to_str().unwrap();
    done(&["repair", "augment", "--data", data, "--task", "sa", "--attacks", attacked, "--out", &at("more.jsonl")]);
    let rows = lines(&fs::read_to_string(at("more.jsonl")).unwrap());
    let copies: Vec<&Value> = rows.iter().filter(|row| row["augmented_by"] == "attack exact").collect();
    assert_eq!(copies.len(), broken);
    done(&[
        "repair",
        "testset",
        "--model",
        model,
        "--data",
        data,
        "--task",
        "sa",
        "--attacks",
        attacked,
        "--keep",
        "words_kept>=0",
        "--out",
        &at("testset.jsonl"),
    ]);
    let rows = lines(&fs::read_to_string(at("testset.jsonl")).unwrap());
    assert_eq!(rows.len(), broken);
    assert!(rows.iter().all(|row| row["provenance"]["kind"] == "attack exact" && row["provenance"]["flips"] == true));

    // Attacks on other texts are refused: nothing would be taken from them.
    let train = LAB.join("reviews/train.jsonl");
    let others = ["--data", train.to_str().unwrap(), "--task", "sa", "--attacks", attacked];
    let augment = refusal(&[&["repair", "augment", "--out", &at("none.jsonl")], &others[..]].concat());
    let testset =
        refusal(&[&["repair", "testset", "--model", model, "--out", &at("none.jsonl")], &others[..]].concat());
    for why in [augment, testset] {
        assert!(why.contains("none of the") && why.contains("test.jsonl"), "{why}");
    }
    assert!(!Path::new(&at("none.jsonl")).exists());

    // A run with attacks beside it has them in its report, and the gate finds them.
    let run = at("run");
    done(&[
        "evaluate", "--model", model, "--data", data, "--task", "sa", "--limit", "30", "--suite", "attacks", "--out",
        &run,
    ]);
    let report = fs::read_to_string(Path::new(&run).join("report.html")).unwrap();
    assert!(report.contains("Under attack") && report.contains("deepwordbug"));
    // For a fasttext model the proof is for any number of words.
    done(&["gate", &run, "--rule", "attack(exact).certified >= 0"]);
    let refused = refusal(&["gate", &run, "--rule", "attack(pso).success <= 1"]);
    assert!(refused.contains("no attack `pso`"), "{refused}");
}

/// The model was trained with the seed that `augment` would take: without the copies it would be the same model once more, which fails on
/// every text that was found because it does.
#[test]
fn the_control_of_copies_is_not_the_attacked_model() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    done(&refs(&words("exact", &folder.path().join("found"), &[])));
    let [model, train, test] = ["model", "reviews/train.jsonl", "reviews/test.jsonl"].map(|name| LAB.join(name));
    let given = ["--data", train.to_str().unwrap(), "--task", "sa", "--model", model.to_str().unwrap(), "--json"];
    let places = ["--test", test.to_str().unwrap(), "--test-attacks", &at("found"), "--out", &at("more.jsonl")];
    let found = stdout(&[&["repair", "augment", "--parts", "word_case"], &given[..], &places].concat());
    let found: Value = serde_json::from_str(&found).unwrap();
    let changes = found["changes"].as_array().unwrap();
    let attacked = changes.iter().find(|change| change["group"] == "attack exact").unwrap();
    assert_eq!(attacked["before"]["value"], 0.0, "{attacked}");
    assert!(attacked["control"]["value"].as_f64() > Some(0.0), "{attacked}");
    let right =
        |model: &str| (attacked[model]["value"].as_f64().unwrap() * attacked["samples"].as_f64().unwrap()).round();
    let gained = attacked["fixed"].as_f64().unwrap() - attacked["broken"].as_f64().unwrap();
    assert_eq!(right("after") - right("control"), gained, "the test is against the control: {attacked}");
    let selected = found["selected"].as_str().unwrap();
    assert!(selected.contains("attack the new model afresh") && selected.contains("--recipe exact"), "{selected}");
}

#[test]
fn training_with_bounds_says_what_is_proved_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [model, train, test] = ["model", "reviews/train.jsonl", "reviews/test.jsonl"].map(|name| LAB.join(name));
    let given =
        ["--model", model.to_str().unwrap(), "--data", train.to_str().unwrap(), "--test", test.to_str().unwrap()];
    let found = stdout(
        &[
            &["repair", "certify", "--task", "sa", "--proofs", "60", "--epochs", "4", "--save"],
            &[&*at("certified")][..],
            &given,
            &["--json"],
        ]
        .concat(),
    );
    let found: Value = serde_json::from_str(&found).unwrap();
    let row = &found["proofs"][0];
    assert_eq!(row["samples"], 60);
    for model in ["before", "after"] {
        let share = |name: &str| row[model][name]["value"].as_f64().unwrap();
        let sum = share("certified") + share("broken") + share("open");
        assert!((sum - share("accuracy")).abs() < 1e-9, "{row}");
    }
    let certified = |model: &str| row[model]["certified"]["value"].as_f64().unwrap();
    assert!(certified("after") > certified("before"), "{row}");
    // What was saved is a model like any other.
    done(&refs(&words("exact", &folder.path().join("again"), &["--limit", "5"])));
    done(&[
        "predict",
        "--model",
        &at("certified"),
        "--data",
        test.to_str().unwrap(),
        "--task",
        "sa",
        "--out",
        &at("p.jsonl"),
    ]);
    let refused = refusal(&[&["repair", "certify", "--task", "sa", "--weight", "7"], &given[..]].concat());
    assert!(refused.contains("from 0 to 1"), "{refused}");
}

#[test]
fn names_and_translations_are_attacked_by_the_metrics_of_their_tasks() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // Tags a word that begins with a capital as a person, unless the word before ends in y.
    let tagger = at(
        "tagger.py",
        "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
         print(json.dumps({'labels': ['O', 'B-PER']}), flush=True)\n        continue\n    tags, before = [], ''\n    \
         for word in asked['tokens']:\n        person = word[0].isupper() and not before.endswith('y')\n        \
         tags.append('B-PER' if person else 'O')\n        before = word\n    \
         print(json.dumps({'id': asked.get('id'), 'tags': tags}), flush=True)\n",
    );
    let names = at(
        "names.jsonl",
        "{\"tokens\": [\"the\", \"large\", \"dog\", \"of\", \"Anna\"], \"ner_tags\": [\"O\", \"O\", \"O\", \"O\", \"B-PER\"]}\n\
         {\"tokens\": [\"a\", \"little\", \"Bob\"], \"ner_tags\": [\"O\", \"O\", \"B-PER\"]}\n",
    );
    let near = at("near.json", "{\"little\": [\"tiny\"], \"large\": [\"big\"], \"bob\": [\"rob\"]}");
    let model = format!("process:python3 {tagger}");
    let recipe = at(
        "own.toml",
        "name = 'own'\nsummary = 'Near words.'\n[goal]\nuse = 'untargeted'\n[[source]]\nuse = 'neighbours'\n\
         [search]\nuse = 'beam'\n",
    );
    let out = folder.path().join("names").to_str().unwrap().to_owned();
    done(&[
        "attack",
        "--model",
        &model,
        "--data",
        &names,
        "--task",
        "ner",
        "--recipe",
        &recipe,
        "--synonyms",
        &near,
        "--out",
        &out,
    ]);
    let records = lines(&fs::read_to_string(Path::new(&out).join("attacks.jsonl")).unwrap());
    assert_eq!(records[0]["outcome"], "failed", "{}", records[0]);
    assert_eq!(records[1]["outcome"], "succeeded", "{}", records[1]);
    assert_eq!(records[1]["edits"][0]["new"], "tiny", "the entity itself is protected: {}", records[1]);
    let broken = lines(&fs::read_to_string(Path::new(&out).join("broken.jsonl")).unwrap());
    assert_eq!(broken.len(), 1);
    assert_eq!(broken[0]["tokens"], serde_json::json!(["a", "tiny", "Bob"]), "{}", broken[0]);
    assert_eq!(broken[0]["ner_tags"], serde_json::json!(["O", "O", "B-PER"]), "{}", broken[0]);
    let bound = ["attack", "--model", &model, "--data", &names, "--task", "ner", "--recipe", "bound"];
    let refused = refusal(&bound);
    assert!(refused.contains("`bound` cannot be run here") && refused.contains("`pwws`"), "{refused}");
    // Tags have no probability, and a text with fewer words has other tags.
    for more in [&["--recipe", "input-reduction"][..], &["--recipe", "pwws", "--goal", "confidence<0.7"]] {
        let given = ["attack", "--model", &model, "--data", &names, "--task", "ner", "--out", &out, "--force"];
        let refused = refusal(&[&given[..], more].concat());
        assert!(refused.contains("this task has none for a whole text"), "{refused}");
    }

    // Repeats a text, unless it has the word `big`.
    let translator = at(
        "translator.py",
        "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
         print(json.dumps({}), flush=True)\n        continue\n    text = asked['fields']['source']\n    \
         answer = 'rien' if 'big' in text else text\n    \
         print(json.dumps({'id': asked.get('id'), 'answer': answer}), flush=True)\n",
    );
    let pairs = at("pairs.jsonl", "{\"source\": \"my large dog runs\", \"target\": \"my large dog runs\"}\n");
    let model = format!("process:python3 {translator}");
    let out = folder.path().join("texts").to_str().unwrap().to_owned();
    done(&[
        "attack",
        "--model",
        &model,
        "--data",
        &pairs,
        "--task",
        "mt",
        "--recipe",
        "seq2sick",
        "--synonyms",
        &near,
        "--out",
        &out,
    ]);
    let records = lines(&fs::read_to_string(Path::new(&out).join("attacks.jsonl")).unwrap());
    assert_eq!(
        (&records[0]["outcome"], &records[0]["after"]["label"]),
        (&"succeeded".into(), &"rien".into()),
        "{}",
        records[0]
    );
    let refused = refusal(&refs(&words("morpheus", &folder.path().join("no"), &[])));
    assert!(refused.contains("answers with a text"), "{refused}");
}
