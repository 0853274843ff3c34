//! Nothing is lost, and nothing wrong is said in silence: faults that a trial of the program by hand has found.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "silence/changed_since.rs"]
mod changed_since;
#[path = "silence/compared.rs"]
mod compared;
#[path = "silence/models.rs"]
mod models;
#[path = "silence/other_models.rs"]
mod other_models;
#[path = "silence/outside.rs"]
mod outside;
mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;

use support::{done, fissure, refusal};
use tempfile::TempDir;

/// A folder with `d.jsonl`, a model `m` that was trained on it, and a run of the model.
static LAB: LazyLock<PathBuf> = LazyLock::new(|| {
    let lab = Path::new(env!("CARGO_TARGET_TMPDIR")).join("silence");
    let _ = fs::remove_dir_all(&lab);
    fs::create_dir_all(&lab).unwrap();
    let row = |at: usize| {
        let (word, label) = [("good", "pos"), ("bad", "neg")][at % 2];
        format!("{{\"id\":\"s{at}\",\"text\":\"a {word} film in London, number {at}\",\"label\":\"{label}\"}}\n")
    };
    fs::write(lab.join("d.jsonl"), (0..200).map(row).collect::<String>()).unwrap();
    let at = |name: &str| lab.join(name).to_str().unwrap().to_owned();
    let data = at("d.jsonl");
    done(&["train", "--arch", "fasttext", "--data", &data, "--task", "sa", "--out", &at("m")]);
    let options = ["--task", "sa", "--suite", "typos", "--limit", "60", "--out"];
    done(&[&["evaluate", "--model", &at("m"), "--data", &data][..], &options, &[&at("run")]].concat());
    lab
});

fn lab(name: &str) -> String {
    LAB.join(name).to_str().unwrap().to_owned()
}

/// A folder of one's own with copies of everything in the lab.
fn copies() -> (TempDir, impl Fn(&str) -> String) {
    let folder = TempDir::new().unwrap();
    let root = folder.path().to_owned();
    for name in ["m", "run"] {
        fs::create_dir(root.join(name)).unwrap();
        for entry in fs::read_dir(lab(name)).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), root.join(name).join(entry.file_name())).unwrap();
        }
    }
    fs::copy(lab("d.jsonl"), root.join("d.jsonl")).unwrap();
    (folder, move |name: &str| root.join(name).to_str().unwrap().to_owned())
}

/// What a run that must end well says.
fn told(command: &str, at: &impl Fn(&str) -> String) -> String {
    let output = done(&refs(&words(command, at)));
    String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap()
}

fn words(command: &str, at: &impl Fn(&str) -> String) -> Vec<String> {
    command.split(' ').map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), at)).collect()
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn whatever_is_read_is_not_written_over() {
    let (_folder, at) = copies();
    fs::write(at("ner.conll"), "EU\tB-ORG\nwon\tO\n\nBonn\tB-LOC\nlost\tO\n\n").unwrap();
    fs::copy(at("ner.conll"), at("donors.conll")).unwrap();
    fs::write(at("knobs.toml"), "seed = 3\n").unwrap();
    fs::create_dir(at("words")).unwrap();
    fs::copy(at("d.jsonl"), at("words/words.json")).unwrap();
    fs::create_dir(at("fragility")).unwrap();
    fs::copy(at("d.jsonl"), at("fragility/fragility.json")).unwrap();
    fs::create_dir(at("pairs")).unwrap();
    fs::copy(at("d.jsonl"), at("pairs/pairs.json")).unwrap();
    let commands = [
        ("transform swap_ent --data @ner.conll --task ner --donors @donors.conll --out @donors.conll", "donors.conll"),
        ("transform typos --data @d.jsonl --task sa --config @knobs.toml --out @knobs.toml", "knobs.toml"),
        ("score --model @m --data @d.jsonl --task sa --run @run --out @run/run.jsonl", "run/run.jsonl"),
        ("score --model @m --data @d.jsonl --task sa --run @run --out @run/findings.json", "run/findings.json"),
        ("repair calibrate --model @m --data @d.jsonl --task sa --out @m/model.safetensors", "m/model.safetensors"),
        (
            "repair augment --data @d.jsonl --task sa --findings @run/findings.json --out @run/run.jsonl",
            "run/run.jsonl",
        ),
        (
            "experiment words --model @m --data @words/words.json --format jsonl --task sa --out @words",
            "words/words.json",
        ),
        (
            "experiment fragility --model @m --data @fragility/fragility.json --format jsonl --task sa --out @fragility",
            "fragility/fragility.json",
        ),
        (
            "experiment pairs --model @m --originals @pairs/pairs.json --revised @pairs/pairs.json --out @pairs",
            "pairs/pairs.json",
        ),
    ];
    for (command, input) in commands {
        let before = fs::read(at(input)).unwrap();
        let said = refusal(&refs(&words(&format!("{command} --force"), &at)));
        assert!(said.contains("it is the input"), "{command}: {said}");
        assert!(fs::read(at(input)).unwrap() == before, "{command}");
    }
    // The place for a calibration is beside the model.
    done(&refs(&words("repair calibrate --model @m --data @d.jsonl --task sa --force", &at)));
    assert!(Path::new(&at("m/calibration.json")).exists());
}

#[test]
fn a_file_goes_out_in_the_shape_it_came_in() {
    let (_folder, at) = copies();
    let table = "sentence\tlabel\n\"no\" is said\t1\nit is \"good\"\t0\n\"open\t1\nit is fine\t1\n";
    fs::write(at("glue.tsv"), table).unwrap();
    for command in [
        "transform contraction --data @glue.tsv --task sa --out @out.tsv",
        "slice length --set share=1 --data @glue.tsv --task sa --out @sliced.tsv",
    ] {
        done(&refs(&words(command, &at)));
    }
    let expected = table.replace("it is fine", "it's fine");
    assert_eq!(fs::read_to_string(at("out.tsv")).unwrap(), expected, "quotes are text in this file");
    assert_eq!(fs::read_to_string(at("sliced.tsv")).unwrap(), table);

    let squad = r#"{"data":[{"title":"T","paragraphs":[{"context":"It is in Paris.","qas":[
        {"id":"q1","question":"Where?","answers":[{"text":"Paris","answer_start":9}],"is_impossible":false}]}]}],"version":"v2.0"}"#;
    fs::write(at("squad.json"), squad).unwrap();
    done(&refs(&words("transform contraction --data @squad.json --task mrc --out @out.json", &at)));
    let out: serde_json::Value = serde_json::from_str(&fs::read_to_string(at("out.json")).unwrap()).unwrap();
    let paragraph = &out["data"][0]["paragraphs"][0];
    assert_eq!(paragraph["context"], "It's in Paris.");
    assert_eq!(paragraph["qas"][0]["answers"][0], serde_json::json!({ "text": "Paris", "answer_start": 8 }));
    assert_eq!((&out["version"], &out["data"][0]["title"]), (&"v2.0".into(), &"T".into()));

    // JSON lines that are called .json stay JSON lines.
    fs::copy(at("d.jsonl"), at("lines.json")).unwrap();
    done(&refs(&words("slice length --data @lines.json --task sa --out @some.json", &at)));
    assert!(fs::read_to_string(at("some.json")).unwrap().starts_with("{\"id\""));

    let tokens = "-DOCSTART- -X- O\n\nEU NNP B-ORG\nleft VBD O\n\n";
    fs::write(at("a.conll"), tokens).unwrap();
    done(&refs(&words("transform word_case --set mode=upper --data @a.conll --task ner --out @b.conll", &at)));
    assert_eq!(fs::read_to_string(at("b.conll")).unwrap(), tokens.replace("left", "LEFT"));
}

#[test]
fn two_labels_of_a_model_with_four_are_doubted() {
    let (_folder, at) = copies();
    let row = |at: usize| {
        let (word, label) = [("war", "world"), ("goal", "sports"), ("bank", "business"), ("chip", "science")][at % 4];
        format!("{{\"text\":\"a {word} today, number {at}\",\"label\":\"{label}\"}}\n")
    };
    fs::write(at("topics.jsonl"), (0..80).map(row).collect::<String>()).unwrap();
    done(&refs(&words("train --arch fasttext --data @topics.jsonl --out @topics", &at)));
    // As a model of the hub is: its labels are not in the order of their letters.
    let config = fs::read_to_string(at("topics/config.json")).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&config).unwrap();
    config["labels"] = serde_json::json!(["World", "Sports", "Business", "Science"]);
    fs::write(at("topics/config.json"), config.to_string()).unwrap();
    fs::write(at("two.csv"), "text,label\na good film,1\na bad film,0\n").unwrap();
    let said = told("predict --model @topics --data @two.csv --out @p.jsonl", &at);
    assert!(said.contains("Warning: the model has 4 labels and the data none for"), "{said}");
    let said = told("evaluate --model @topics --data @two.csv --suite typos --out @r", &at);
    assert!(said.contains("Warning: the model has 4 labels"), "{said}");
    assert!(fs::read_to_string(at("r/report.html")).unwrap().contains("Warning: the model has 4 labels"));
    // Where all four come, later than the limit, there is nothing to doubt.
    fs::write(at("four.csv"), "text,label\na,1\nb,0\nc,2\nd,3\n").unwrap();
    let said = told("predict --model @topics --data @four.csv --limit 2 --out @p4.jsonl", &at);
    assert!(said.contains("counted from 0") && !said.contains("Warning"), "{said}");
}

#[test]
fn a_misnamed_label_is_noticed_before_the_work() {
    let (_folder, at) = copies();
    fs::write(at("mis.csv"), "text,labell\na good film,pos\na bad film,neg\n").unwrap();
    let said = told("predict --model @m --data @mis.csv --task sa --out @p.jsonl", &at);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("no column is called like a label: if `labell` is one, say so with --columns label="),
        "{said}"
    );
    assert!(said.contains("accuracy not measured: no sample that got an answer has a label that is scored"), "{said}");
    let said = told("evaluate --model @m --data @mis.csv --task sa --suite typos --out @r", &at);
    assert!(said.contains("not measured: the data has no labels"), "{said}");
    fs::write(at("empty.jsonl"), "").unwrap();
    let said = refusal(&refs(&words("train --arch cnn --data @empty.jsonl --task sa --out @x", &at)));
    assert!(said.contains("there is no sample in"), "{said}");
}

#[test]
fn what_is_complete_needs_no_resuming() {
    let (_folder, at) = copies();
    for (command, file) in [
        ("attack --model @m --data @d.jsonl --task sa --recipe jump --limit 20 --out @a", "a/attacks.jsonl"),
        ("transform typos --data @d.jsonl --task sa --out @t.jsonl", "t.jsonl"),
        ("predict --model @m --data @d.jsonl --task sa --out @p.jsonl", "p.jsonl"),
    ] {
        done(&refs(&words(command, &at)));
        let before = fs::read(at(file)).unwrap();
        let said = told(&format!("{command} --resume"), &at);
        assert!(said.contains("no stopped run of it is left to continue"), "{command}: {said}");
        assert!(fs::read(at(file)).unwrap() == before, "{command}");
        assert!(refusal(&refs(&words(command, &at))).contains("exists already"), "{command}");
    }
    // Killed between the last attack and the numbers.
    let numbers = fs::read(at("a/summary.json")).unwrap();
    fs::remove_file(at("a/summary.json")).unwrap();
    let command = "attack --model @m --data @d.jsonl --task sa --recipe jump --limit 20 --out @a --resume";
    done(&refs(&words(command, &at)));
    assert!(fs::read(at("a/summary.json")).unwrap() == numbers);
}

#[test]
fn candidates_for_other_samples_are_refused() {
    let (_folder, at) = copies();
    fs::write(at("strange.jsonl"), "{\"id\":7,\"places\":[[0,1,[\"the\"]]]}\n").unwrap();
    let attack = "attack --model @m --data @d.jsonl --task sa --recipe exact --limit 20";
    let said = refusal(&refs(&words(&format!("{attack} --candidates @strange.jsonl --out @x"), &at)));
    assert!(said.contains("none of its ids (`7`) is that of one of the first 20 samples (such as `s0`)"), "{said}");
    fs::write(at("own.jsonl"), "{\"id\":\"s3\",\"places\":[[2,5,[\"good\",\"fine\"]]]}\n").unwrap();
    done(&refs(&words(&format!("{attack} --candidates @own.jsonl --out @y"), &at)));
}

#[test]
fn samples_beyond_a_run_are_counted() {
    let (_folder, at) = copies();
    let said = told("score --model @m --run @run --data @d.jsonl --task sa --out @s.jsonl", &at);
    assert!(said.contains("not in the run: 140 of 200 samples"), "{said}");
    let said = told("score --model @m --run @run --data @d.jsonl --task sa --limit 60 --out @t.jsonl", &at);
    assert!(!said.contains("not in the run"), "{said}");
}

#[test]
fn work_that_ends_with_an_error_says_what_is_kept() {
    let (_folder, at) = copies();
    let good = fs::read_to_string(at("d.jsonl")).unwrap();
    fs::write(at("broken.jsonl"), format!("{}{{\"text\": 5}}\n", good.repeat(60))).unwrap();
    let said = refusal(&refs(&words("transform typos --data @broken.jsonl --task sa --out @t.jsonl", &at)));
    assert!(said.contains("samples kept in") && said.contains("--resume"), "{said}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let data = lab("d.jsonl");
    let mut child =
        fissure(&["transform", "typos", "--variants", "1000", "--data", &data, "--task", "sa"]).spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && !said.contains("error"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_read_twice() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    for words in [["slice", "length"], ["generate", "--suite=typos"]] {
        let words = [&words[..], &["--data", "/dev/stdin", "--task", "sa", "--out", &out]].concat();
        let mut program = fissure(&words).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        program.stdin.take().unwrap().write_all(b"{\"text\": \"so good\", \"label\": 1}\n").unwrap();
        let output = program.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("standard input can be read once"), "{words:?}: {said}");
    }
}

#[test]
fn a_label_that_counts_as_none_is_announced() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("signs.jsonl");
    fs::write(&data, "{\"text\": \"so good\", \"label\": 1}\n{\"text\": \"so bad\", \"label\": -1}\n").unwrap();
    let said = done(&["transform", "typos", "--data", data.to_str().unwrap(), "--task", "sa"]).stderr;
    let said = String::from_utf8(said).unwrap();
    assert_eq!(said.matches("count as rows without one").count(), 1, "{said}");
}

#[test]
fn what_an_output_is_called_until_it_is_whole_is_no_input() {
    let (_folder, at) = copies();
    fs::copy(at("d.jsonl"), at("s.jsonl.unfinished")).unwrap();
    let before = fs::read(at("s.jsonl.unfinished")).unwrap();
    for command in ["predict --model @m", "transform typos"] {
        let command = format!("{command} --data @s.jsonl.unfinished --format jsonl --task sa --out @s.jsonl");
        let said = refusal(&refs(&words(&command, &at)));
        assert!(said.contains("s.jsonl.unfinished"), "{said}");
        assert!(fs::read(at("s.jsonl.unfinished")).unwrap() == before, "{command}");
    }
    // Somebody's notes are no model that was left unfinished.
    fs::create_dir(at("new.unfinished")).unwrap();
    fs::write(at("new.unfinished/notes.txt"), "mine").unwrap();
    refusal(&refs(&words("train --arch fasttext --data @d.jsonl --task sa --out @new", &at)));
    assert_eq!(fs::read_to_string(at("new.unfinished/notes.txt")).unwrap(), "mine");
    // Nor is data in a directory part of the model that replaces it.
    fs::create_dir(at("dir")).unwrap();
    fs::copy(at("d.jsonl"), at("dir/config.json")).unwrap();
    let said = refusal(&refs(&words("train --data @dir/config.json --format jsonl --task sa --out @dir --force", &at)));
    assert!(said.contains("config.json"), "{said}");
    assert!(fs::read(at("dir/config.json")).unwrap() == before);
}

#[test]
fn texts_that_are_learned_from_and_tested_on_are_announced() {
    let (_folder, at) = copies();
    let calibrate = "repair calibrate --model @m --data @d.jsonl --test @d.jsonl --task sa";
    let said = told(calibrate, &at);
    assert!(said.contains("200 of the 200 texts of --test are in --data too"), "{said}");
    let said = told("repair threshold --model @m --data @d.jsonl --test @d.jsonl --task sa", &at);
    assert!(said.contains("are in --data too"), "{said}");
}

#[test]
fn a_temperature_beside_a_model_is_used_and_takes_no_gradients_away() {
    let (_folder, at) = copies();
    told("repair calibrate --model @m --data @d.jsonl --task sa", &at);
    let path = at("m/calibration.json");
    let mut calibration: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    calibration["temperature"] = 20.0.into();
    fs::write(&path, calibration.to_string()).unwrap();
    let said = told("evaluate --model @m --data @d.jsonl --task sa --chains typos --limit 60 --out @scaled", &at);
    assert!(said.contains("temperature 20"), "{said}");
    let ece = |run: &str| {
        let findings: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(at(&format!("{run}/findings.json"))).unwrap()).unwrap();
        findings["reliability"]["ece"]["value"].as_f64().unwrap()
    };
    assert!(ece("scaled") > ece("run") + 0.2, "{} and {}", ece("scaled"), ece("run"));
    told("attack --model @m --data @d.jsonl --task sa --recipe jump --limit 5 --out @attacked", &at);
    told("attack --model @m --data @d.jsonl --task sa --recipe exact --limit 5 --out @exact", &at);
}

#[test]
fn a_model_of_nothing_but_nan_is_not_written() {
    let (_folder, at) = copies();
    let command = "train --arch cnn --data @d.jsonl --task sa --limit 50 --epochs 1 --rate 1e20 --out @nan";
    let said = refusal(&refs(&words(command, &at)));
    assert!(said.contains("diverged") && !Path::new(&at("nan")).exists(), "{said}");
}

#[test]
fn a_budget_that_does_not_reach_is_refused_before_the_run() {
    let (_folder, at) = copies();
    let run = "evaluate --model @m --data @d.jsonl --task sa --chains typos --precision 0.1 --out @precise --budget";
    let said = refusal(&refs(&words(&format!("{run} 100"), &at)));
    assert!(said.contains("200 questions are for the originals"), "{said}");
    let said = told(&format!("{run} 400"), &at);
    // What was asked, and not the number of cases, most of which were not.
    assert!(said.contains("asked of 200") && said.contains("What was predicted"), "{said}");
    assert!(said.contains("changed texts were asked to measure this, where asking each once takes 200"), "{said}");
}

#[test]
fn forms_of_a_text_are_not_counted_as_texts() {
    let (_folder, at) = copies();
    let said = told("transform typos --data @d.jsonl --task sa --limit 5 --variants 40 --out @forms.jsonl", &at);
    assert!(said.contains("5 of 5 texts changed"), "{said}");
}

/// A program that greets with `greeting` and answers every question with `answer`.
fn program(at: &impl Fn(&str) -> String, name: &str, greeting: &str, answer: &str) -> String {
    let code = format!(
        "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    \
         print({greeting:?} if 'hello' in asked else json.dumps(dict(json.loads({answer:?}), id=asked.get('id'))), flush=True)\n"
    );
    fs::write(at(name), code).unwrap();
    format!("process:python3 {}", at(name))
}

fn with_model<'a>(model: &'a str, command: &'a str, at: &impl Fn(&str) -> String) -> Vec<String> {
    let mut words = words(command, at);
    words.extend(["--model".to_owned(), model.to_owned()]);
    words
}

#[test]
fn a_gain_is_not_called_the_worst_drop() {
    let (_folder, at) = copies();
    let row = |at: usize| {
        let things = ["men", "women", "dogs", "boys"][at % 4];
        format!(
            "{{\"premise\":\"Three {things} play in park {at}.\",\"hypothesis\":\"Three {things} are outside.\",\"label\":\"entailment\"}}\n"
        )
    };
    let more = "{\"premise\":\"A man runs.\",\"hypothesis\":\"Nobody runs.\",\"label\":\"contradiction\"}\n\
                {\"premise\":\"A man runs.\",\"hypothesis\":\"He is tall.\",\"label\":\"neutral\"}\n";
    fs::write(at("nli.jsonl"), (0..40).map(row).collect::<String>() + more).unwrap();
    let labels = r#"{"labels": ["entailment", "neutral", "contradiction"]}"#;
    let model = program(&at, "nli.py", labels, r#"{"label": "contradiction"}"#);
    let command = "evaluate --data @nli.jsonl --task nli --chains num_word,typos --out @gains";
    let output = done(&refs(&with_model(&model, command, &at)));
    let said = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("a gain of"), "{said}");
    let command = "evaluate --data @nli.jsonl --task nli --chains num_word,typos --out @gains2";
    done(&refs(&with_model(&model, command, &at)));
    done(&refs(&words("report @gains @gains2 --out @compared", &at)));
    let page = fs::read_dir(at("compared")).unwrap().map(|entry| entry.unwrap().path());
    let html = page
        .filter(|path| path.extension().is_some_and(|ending| ending == "html"))
        .map(|path| fs::read_to_string(path).unwrap());
    let html: String = html.collect();
    assert!(html.contains("num_word (sets the label)"), "changes made for the task are compared too");
}

#[test]
fn several_attacks_in_a_folder_are_held_to_rules() {
    let (_folder, at) = copies();
    let command = "attack --model @m --data @d.jsonl --task sa --recipe jump,deepwordbug --limit 10 --out @attacked";
    done(&refs(&words(command, &at)));
    let gate = ["gate", &at("attacked"), "--rule", "attack(jump).success <= 1", "--rule", "attack(all).success <= 1"];
    let output = done(&gate);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.matches("PASS").count() >= 3, "{said}");
    assert!(said.contains("attack(deepwordbug).success <= 1"), "each line names its attack: {said}");
    done(&["gate", &at("attacked"), "--baseline", &at("attacked")]);
    let said = refusal(&["report", &at("attacked"), &at("attacked")]);
    assert!(said.contains("several runs of attacks") && said.contains("deepwordbug"), "{said}");
}

#[test]
fn attacks_beside_a_run_are_completed_on_resume() {
    let (_folder, at) = copies();
    let command = "evaluate --model @m --data @d.jsonl --task sa --suite typos,attacks --limit 20 --out @both";
    done(&refs(&words(command, &at)));
    let made = ["both/attacks/jump/broken.jsonl", "both/attacks/jump/report.html"].map(&at);
    let before = fs::read(&made[1]).unwrap();
    made.iter().for_each(|path| fs::remove_file(path).unwrap());
    done(&["evaluate", "--resume", &at("both")]);
    assert!(fs::read(&made[1]).unwrap() == before && Path::new(&made[0]).exists());
}
