//! `fissure evaluate` as a user meets it: planned, run, killed, resumed.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{done, fissure, refusal};
use tempfile::TempDir;

/// The built-in reviews and a model trained on them, made once for all tests.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluate");
    // What an earlier run of the tests left.
    let _ = fs::remove_dir_all(&lab);
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    done(&["demo", "--write", &at("reviews")]);
    let train = at("reviews/train.jsonl");
    done(&["train", "--arch", "cnn", "--epochs", "2", "--data", &train, "--task", "sa", "--out", &at("cnn")]);
    lab
});

fn lab(name: &str) -> String {
    LAB.join(name).to_str().unwrap().to_owned()
}

/// `evaluate` on the reviews, with more words behind.
fn words<'a>(paths: &'a [String; 2], more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["evaluate", "--model", &paths[0], "--data", &paths[1], "--task", "sa"];
    words.extend(more);
    words
}

fn paths() -> [String; 2] {
    [lab("cnn"), lab("reviews/test.jsonl")]
}

#[test]
fn what_nothing_predicted_is_no_prediction_and_too_few_questions_measure_nothing() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Labels without probabilities, by the length of a text.
    let program = "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
                   print(json.dumps({'labels': ['negative', 'positive']}), flush=True)\n        continue\n    \
                   label = ['negative', 'positive'][len(asked['fields']['text']) % 2]\n    \
                   print(json.dumps({'id': asked.get('id'), 'label': label}), flush=True)\n";
    fs::write(at("program.py"), program).unwrap();
    let paths = [format!("process:python3 {}", at("program.py")), lab("reviews/test.jsonl")];
    let run = |budget: &str, out: &str| {
        let more = ["--limit", "100", "--chains", "typos", "--precision", "0.05", "--budget", budget, "--out", out];
        String::from_utf8(done(&words(&paths, &more)).stderr).unwrap()
    };
    let said = run("160", &at("run"));
    let predicted = said.lines().skip_while(|line| !line.contains("flips predicted")).nth(1).unwrap_or_default();
    assert!(predicted.contains("typos") && predicted.matches('–').count() >= 2, "{said}");
    let found: Value = serde_json::from_str(&fs::read_to_string(at("run/findings.json")).unwrap()).unwrap();
    let forecast = &found["parts"][0]["forecast"];
    assert!(forecast["by"] == "nothing" && forecast["flips"].is_null() && forecast["agrees"].is_null(), "{forecast}");
    let said = run("104", &at("few"));
    assert!(said.contains("not measured: ") && said.contains("question"), "{said}");
    let found: Value = serde_json::from_str(&fs::read_to_string(at("few/findings.json")).unwrap()).unwrap();
    assert!(found["parts"][0]["evidence"].is_null(), "{found}");
}

#[test]
fn a_run_is_planned_run_and_told() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let out = folder.path().join("run");
    let plan = done(&words(&paths, &["--limit", "200", "--dry-run", "--json"])).stdout;
    let plan: Value = serde_json::from_slice(&plan).unwrap();
    let cases = plan["plan"]["chains"].as_array().unwrap().len() as u64;
    assert_eq!(plan["calls"].as_u64().unwrap(), 200 * (1 + cases));
    assert!(!out.exists(), "a plan writes nothing");

    let output = done(&words(&paths, &["--limit", "200", "--out", out.to_str().unwrap()]));
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), out.to_str().unwrap(), "the directory comes last");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("typos") && shown.contains("drop (95 %)"), "{shown}");
    // A change that turns the right answer around has no drop: it stands in a table of its own.
    let (kept, turned) = shown.split_once("Changes that flip the right answer").unwrap();
    assert!(kept.contains("Changes that keep the right answer") && !kept.contains("swap_ant_wordnet"), "{shown}");
    assert!(turned.contains("swap_ant_wordnet") && turned.contains("right after (95 %)"), "{shown}");
    // The end says what was found, and where to read more.
    let (_, end) = shown.split_once("What was found").unwrap();
    assert!(end.contains("The mean drop over"), "{end}");
    let plain = end.replace('\n', " ");
    assert!(plain.contains(&format!("open {} for all charts", out.join("report.html").display())), "{end}");
    let found: Value = serde_json::from_str(&fs::read_to_string(out.join("findings.json")).unwrap()).unwrap();
    let accuracy = found["clean"][0][1]["value"].as_f64().unwrap();
    assert!((0.6..1.0).contains(&accuracy), "{accuracy}");
    let parts = found["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["evidence"]["drop"]["value"].is_number()));
    for part in parts {
        let counts = &part["counts"];
        let all: u64 =
            ["changed", "unchanged", "skipped", "filtered"].iter().map(|of| counts[of].as_u64().unwrap()).sum();
        assert_eq!(all, 200, "{part}");
    }
    let fragility = &found["fragility"];
    assert_eq!(fragility["points"].as_array().unwrap().len(), 200);
    assert!(fragility["predictors"].as_array().unwrap().len() == 3, "{fragility}");
    assert!(found["telling"].as_array().unwrap().len() <= 10);
    // Sorted words still get an answer: that is what the suite is about.
    assert!(found["salad"].as_array().unwrap().iter().any(|row| row["name"] == "sort"));
}

#[test]
fn threads_change_nothing() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let bytes = |threads: &str| {
        let out = folder.path().join(threads);
        done(&words(&paths, &["--limit", "150", "--threads", threads, "--out", out.to_str().unwrap()]));
        (fs::read(out.join("run.jsonl")).unwrap(), fs::read(out.join("findings.json")).unwrap())
    };
    let (one, two) = (bytes("1"), bytes("2"));
    assert!(one == two, "one thread and two must write the same bytes");
}

#[test]
fn a_run_killed_fifty_times_ends_as_if_never_stopped() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let more = ["--limit", "300", "--suite", "universal", "--seed", "5"];
    let whole = folder.path().join("whole");
    let started = Instant::now();
    let mut child =
        fissure(&words(&paths, &[&more[..], &["--out", whole.to_str().unwrap()]].concat())).spawn().unwrap();
    // The run itself is to be killed, not the pages that are written after it.
    while !whole.join("findings.json").exists() {
        assert!(child.try_wait().unwrap().is_none_or(|status| status.success()));
        sleep(Duration::from_millis(5));
    }
    let takes = started.elapsed();
    assert!(child.wait().unwrap().success());
    let whole = fs::read(whole.join("run.jsonl")).unwrap();

    let mut chance = 1u64;
    let (mut kills, mut rounds) = (0, 0);
    while kills < 50 {
        rounds += 1;
        let out = folder.path().join(format!("killed-{rounds}"));
        loop {
            let begun = out.join("run.jsonl").exists();
            let mut child = match begun {
                true => fissure(&["evaluate", "--resume", out.to_str().unwrap()]),
                false => fissure(&words(&paths, &[&more[..], &["--out", out.to_str().unwrap()]].concat())),
            }
            .spawn()
            .unwrap();
            chance = chance.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let share = (chance >> 33) as f64 / (1u64 << 31) as f64;
            // After fifty kills it may come to its end.
            if kills < 50 {
                sleep(takes.mul_f64(share));
                // Kills the process at once, wherever it is.
                child.kill().unwrap();
            }
            let status = child.wait().unwrap();
            if status.success() {
                break;
            }
            kills += 1;
        }
        let bytes = fs::read(out.join("run.jsonl")).unwrap();
        assert!(bytes == whole, "round {rounds}, after {kills} kills");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    done(&words(&paths, &["--limit", "5", "--suite", "typos", "--out", &out]));
    assert!(refusal(&words(&paths, &["--limit", "5", "--out", &out])).contains("already holds a run"));
    assert!(refusal(&words(&paths, &["--suite", "tpyos"])).contains("there is no suite called `tpyos`"));
    assert!(refusal(&words(&paths, &["--suite", "typos", "--set", "typos.rte=1"])).contains("no knob `rte`"));
    assert!(refusal(&words(&paths, &["--set", "wordcase=1"])).contains("no part of this run has a knob `wordcase`"));
    assert!(refusal(&["evaluate", "--resume", folder.path().to_str().unwrap()]).contains("holds no run"));
    // Another model in the same place.
    let copy = folder.path().join("cnn");
    copy_files(Path::new(&paths[0]), &copy);
    let model = copy.to_str().unwrap();
    let moved = folder.path().join("moved").to_str().unwrap().to_owned();
    done(&["evaluate", "--model", model, "--data", &paths[1], "--limit", "5", "--suite", "typos", "--out", &moved]);
    fs::write(copy.join("notes.txt"), "trained again").unwrap();
    assert!(refusal(&["evaluate", "--resume", &moved]).contains("its model was"));
}

#[test]
fn a_config_says_everything_and_flags_win() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let file = folder.path().join("run.toml");
    let config = format!(
        "model = {:?}\ndata = [{:?}]\ntask = \"sa\"\nlimit = 40\nseed = 3\n\
         chains = [\"typos\", \"word_case\", {{ parts = \"word_case+typos\", variants = 2, knobs = {{ \"typos.rate\" = 0.5 }} }}]\n\
         slices = [{{ name = \"length\", knobs = {{ take = \"shortest\" }} }}]\n\n[knobs.word_case]\nmode = \"upper\"\n",
        paths[0], paths[1]
    );
    fs::write(&file, config).unwrap();
    let out: PathBuf = folder.path().join("run");
    let (file, out_name) = (file.to_str().unwrap(), out.to_str().unwrap());
    let told =
        String::from_utf8(done(&["evaluate", "--config", file, "--limit", "30", "--out", out_name]).stderr).unwrap();
    assert!(told.contains("30 samples, 3 chains and 1 slice of"), "{told}");
    assert!(told.contains("more than the sum"), "{told}");
    let found: Value = serde_json::from_str(&fs::read_to_string(out.join("findings.json")).unwrap()).unwrap();
    assert_eq!(found["about"]["data"]["samples"], 30);
    assert_eq!(found["about"]["seed"], 3);
    assert_eq!(found["parts"][2]["name"], "word_case+typos (typos.rate=0.5)");
    assert_eq!(found["parts"][2]["counts"]["changed"], 60);
    assert_eq!(found["interactions"][0]["samples"], 30);
    assert_eq!(found["slices"][0]["inside"], 6);
    fs::write(folder.path().join("bad.toml"), "chians = []").unwrap();
    let bad = folder.path().join("bad.toml");
    assert!(refusal(&["evaluate", "--config", bad.to_str().unwrap()]).contains("chians"));
}

#[test]
fn standard_input_is_kept_for_the_resume() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let out = folder.path().join("run");
    let rows: String =
        fs::read_to_string(&paths[1]).unwrap().lines().take(20).map(|line| format!("{line}\n")).collect();
    let piped = folder.path().join("piped.jsonl");
    fs::write(&piped, rows).unwrap();
    let output =
        fissure(&["evaluate", "--model", &paths[0], "--data", "-", "--suite", "typos", "--out", out.to_str().unwrap()])
            .stdin(fs::File::open(&piped).unwrap())
            .output()
            .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let before = fs::read(out.join("run.jsonl")).unwrap();
    let cut = before.len() - 500;
    fs::write(out.join("run.jsonl"), &before[..cut]).unwrap();
    done(&["evaluate", "--resume", out.to_str().unwrap()]);
    assert!(fs::read(out.join("run.jsonl")).unwrap() == before);
}

#[test]
fn what_is_lent_to_parts_is_kept_with_the_run() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    // Without training texts the plan says which flag would provide them.
    let salad = ["--suite", "word-salad", "--limit", "40"];
    let plan = done(&words(&paths, &[&salad[..], &["--dry-run", "--json"]].concat())).stdout;
    let plan: Value = serde_json::from_slice(&plan).unwrap();
    let missing = plan["plan"]["not_run"].as_array().unwrap().iter().find(|part| part["name"] == "pbsmt").unwrap();
    assert!(missing["reason"].as_str().unwrap().contains("--train FILE"), "{missing}");

    let lessons: String = fs::read_to_string(lab("reviews/train.jsonl"))
        .unwrap()
        .lines()
        .take(300)
        .map(|line| format!("{line}\n"))
        .collect();
    let train = folder.path().join("lessons.jsonl");
    fs::write(&train, lessons).unwrap();
    let (train, out) = (train.to_str().unwrap(), folder.path().join("run"));
    let lent = ["--train", train, "--where", "length > 3", "--keep", "chrf<=0.6", "--out", out.to_str().unwrap()];
    done(&words(&paths, &[&salad[..], &lent].concat()));
    let found: Value = serde_json::from_str(&fs::read_to_string(out.join("findings.json")).unwrap()).unwrap();
    let rows = found["salad"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    assert!(row("pbsmt")["counts"]["changed"].as_u64().unwrap() > 0, "{}", row("pbsmt"));
    let filtered: u64 = rows.iter().map(|row| row["counts"]["filtered"].as_u64().unwrap()).sum();
    assert!(filtered > 0, "some destroyers leave most letters where they were");
    let command = found["about"]["command"].as_str().unwrap();
    for words in [&format!("--train {train}") as &str, "--where 'length > 3'", "--keep 'chrf<=0.6'"] {
        assert!(command.contains(words), "{command}");
    }

    // A resumed run lends the same again, and takes no other.
    let whole = fs::read(out.join("run.jsonl")).unwrap();
    fs::write(out.join("run.jsonl"), &whole[..whole.len() * 2 / 3]).unwrap();
    assert!(
        refusal(&["evaluate", "--resume", out.to_str().unwrap(), "--train", train]).contains("cannot be used with")
    );
    done(&["evaluate", "--resume", out.to_str().unwrap()]);
    assert!(fs::read(out.join("run.jsonl")).unwrap() == whole);
    fs::write(
        train,
        "{\"text\": \"so bad\", \"label\": \"negative\"}\n{\"text\": \"so good\", \"label\": \"positive\"}\n",
    )
    .unwrap();
    let refused = refusal(&["evaluate", "--resume", out.to_str().unwrap()]);
    assert!(refused.contains("its set of resources was") || refused.contains("learn"), "{refused}");
    assert!(refusal(&words(&paths, &["--keep", "similarity>=0.8"])).contains("give --encoder DIR"));
}

#[test]
fn two_runs_on_the_same_data_are_compared_sample_by_sample() {
    let (paths, folder) = (paths(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (train, other) = (lab("reviews/train.jsonl"), at("fasttext"));
    done(&["train", "--arch", "fasttext", "--epochs", "1", "--data", &train, "--task", "sa", "--out", &other]);
    let run = |model: &str, out: &str, more: &[&str]| {
        let out = at(out);
        let usual =
            ["evaluate", "--model", model, "--data", &paths[1], "--task", "sa", "--suite", "typos", "--out", &out];
        done(&[&usual[..], more].concat());
        out
    };
    let limit = ["--limit", "150"];
    let (first, second) = (run(&paths[0], "first", &limit), run(&other, "second", &limit));
    let judged = |run: &str, baseline: &str| -> Value {
        let rules =
            ["--rule", "change(accuracy) >= -1", "--rule", "change(drop(typos)) <= 1", "--rule", "change(ece) <= 1"];
        let said = done(&[&["gate", run, "--baseline", baseline, "--json"][..], &rules].concat());
        serde_json::from_slice(&said.stdout).unwrap()
    };
    let paired = |said: &Value| -> Vec<Value> {
        said["rules"].as_array().unwrap().iter().map(|rule| rule["outcomes"][0]["paired"].clone()).collect()
    };
    let said = judged(&second, &first);
    assert_eq!(paired(&said), [true; 3], "{said}");
    assert_eq!(said["together"]["samples"], 150);
    // The difference is that of the findings, and McNemar's counts explain it.
    let found = |run: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(format!("{run}/findings.json")).unwrap()).unwrap()
    };
    let score = |run: &str| -> f64 { found(run)["clean"][0][1]["value"].as_f64().unwrap() };
    let gap = |rule: usize| said["rules"][rule]["outcomes"][0]["left"]["value"].as_f64().unwrap();
    let ece = |run: &str| -> f64 { found(run)["reliability"]["ece"]["value"].as_f64().unwrap() };
    assert!((gap(2) - (ece(&second) - ece(&first))).abs() < 1e-9);
    let gap = gap(0);
    assert!((gap - (score(&second) - score(&first))).abs() < 1e-12);
    let only = |which: &str| said["together"]["answers"][which].as_f64().unwrap();
    assert!((gap - (only("only_second") - only("only_first")) / 150.0).abs() < 1e-12);

    done(&["report", &first, &second, "--format", "html,json", "--out", &at("both")]);
    let page = fs::read_to_string(folder.path().join("both/comparison.html")).unwrap();
    assert!(page.contains("the same 150 samples, and differences are paired sample by sample"));
    assert!(page.contains("McNemar"));

    let other_dice = run(&other, "dice", &["--limit", "150", "--seed", "9"]);
    assert_eq!(paired(&judged(&other_dice, &first)), [true, false, true], "another seed makes other changes");
    let fewer = run(&other, "fewer", &["--limit", "100"]);
    let said = judged(&fewer, &first);
    assert_eq!(paired(&said), [false; 3]);
    assert_eq!(said["together"]["apart"], "they differ in their data");
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}
