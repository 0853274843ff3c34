//! Models for tasks whose labels are not on texts as a whole, through the binary: trained, asked, evaluated.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{done, fissure, lines, refusal, stdout};
use tempfile::TempDir;

fn encoder() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/bert-alone");
    folder.to_str().unwrap().to_owned()
}

/// Sentences in which capitals are names.
fn names() -> String {
    let names = ["Ann", "Bob", "Eve", "Tom", "Kim"];
    let verbs = ["saw", "met", "left", "heard"];
    let sentence = |at: usize| {
        let (one, two, verb) = (names[at % 5], names[(at * 3 + 1) % 5], verbs[at % 4]);
        format!("{one} B-PER\n{verb} O\nthe O\ncat O\nand O\n{two} B-PER\n. O\n\n")
    };
    (0..60).map(sentence).collect()
}

#[test]
fn a_tagger_from_nothing_is_trained_asked_and_evaluated() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("names.conll"), names()).unwrap();
    let (data, model) = (at("names.conll"), at("tagger"));
    let summary: Value = serde_json::from_str(&stdout(&[
        "train", "--data", &data, "--task", "ner", "--batch", "4", "--out", &model, "--json",
    ]))
    .unwrap();
    assert_eq!(summary["labels"], json!(["B-PER", "O"]));
    assert!(
        summary["validation_accuracy"].as_f64().unwrap() > summary["most_frequent_label_accuracy"].as_f64().unwrap()
    );
    let said = refusal(&["train", "--data", &data, "--task", "ner", "--refit", "--out", &at("refit")]);
    assert!(said.contains("--refit is for models that give a text one label"), "{said}");
    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &data, "--task", "ner"]));
    assert_eq!(answers.len(), 60);
    assert_eq!(answers[0]["predicted"], json!(["B-PER", "O", "O", "O", "O", "B-PER", "O"]));
    let chains = ["--suite", "task", "--out", &at("run")];
    let command = ["evaluate", "--model", &model, "--data", &data, "--task", "ner", "--limit", "20"];
    done(&[&command[..], &chains].concat());
    let findings: Value = serde_json::from_str(&fs::read_to_string(at("run/findings.json")).unwrap()).unwrap();
    assert_eq!(findings["about"]["metric"], "span_f1");

    let tuned = at("tuned");
    done(&["train", "--from", &encoder(), "--data", &data, "--task", "ner", "--epochs", "1", "--out", &tuned]);
    assert_eq!(lines(&stdout(&["predict", "--model", &tuned, "--data", &data, "--task", "ner"])).len(), 60);
}

#[test]
fn aspects_relations_and_passages() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, rows: Vec<Value>| {
        let rows: Vec<String> = rows.iter().cycle().take(rows.len() * 15).map(Value::to_string).collect();
        fs::write(at(name), rows.join("\n")).unwrap();
    };
    let term = |term: &str, from: usize, polarity: &str| json!({"term": term, "from": from, "to": from + term.len(), "polarity": polarity});
    write(
        "absa.jsonl",
        vec![
            json!({"sentence": "Good soup, bad staff.", "term_list":
                {"1": term("soup", 5, "positive"), "2": term("staff", 15, "negative")}}),
            json!({"sentence": "Bad bread.", "term_list": {"1": term("bread", 4, "negative")}}),
        ],
    );
    let (absa, model) = (at("absa.jsonl"), at("absa"));
    done(&["train", "--arch", "bilstm", "--data", &absa, "--task", "absa", "--epochs", "2", "--out", &model]);
    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &absa, "--task", "absa"]));
    assert!(answers.len() == 30 && answers[0]["predicted"].as_array().unwrap().len() == 2, "{:?}", answers[0]);
    let blind = at("blind");
    let train = ["train", "--arch", "bilstm", "--no-aspect", "--data", &absa, "--task", "absa", "--out", &blind];
    done(&[&train[..], &["--epochs", "1"]].concat());
    let answers = lines(&stdout(&["predict", "--model", &blind, "--data", &absa, "--task", "absa"]));
    assert_eq!(answers[0]["predicted"][0], answers[0]["predicted"][1], "the aspect is not seen");
    let refused = refusal(&["train", "--no-aspect", "--data", &absa, "--task", "sa", "--out", &at("no")]);
    assert!(refused.contains("--no-aspect"), "{refused}");

    write(
        "re.jsonl",
        vec![
            json!({"text": "<e1>Ann</e1> met <e2>Bob</e2>.", "relation": "met"}),
            json!({"text": "<e1>Ann</e1> left <e2>Bob</e2>.", "relation": "left"}),
        ],
    );
    let (re, model) = (at("re.jsonl"), at("re"));
    done(&["train", "--arch", "bilstm", "--data", &re, "--task", "re", "--epochs", "4", "--out", &model]);
    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &re, "--task", "re"]));
    assert!(answers.iter().all(|answer| answer["predicted"].is_string()), "{:?}", answers[0]);

    write(
        "mrc.jsonl",
        vec![
            json!({"context": "the cat sat", "question": "who sat", "answers": [{"text": "cat", "answer_start": 4}]}),
            json!({"context": "the mat", "question": "who sat", "answers": []}),
        ],
    );
    let (mrc, model) = (at("mrc.jsonl"), at("mrc"));
    let from = ["train", "--from", &encoder(), "--data", &mrc, "--task", "mrc", "--epochs", "1", "--out", &model];
    done(&from);
    let answers = lines(&stdout(&["predict", "--model", &model, "--data", &mrc, "--task", "mrc"]));
    assert!(answers.iter().all(|answer| answer["predicted"].is_string() || answer["predicted"].is_null()));
    let refused = refusal(&["train", "--data", &mrc, "--task", "mrc", "--out", &at("no")]);
    assert!(refused.contains("--from DIR"), "{refused}");
    let refused = refusal(&["train", "--data", &mrc, "--task", "dp", "--out", &at("no")]);
    assert!(refused.contains("no model of Fissure is trained for the task `dp`"), "{refused}");
}

/// A change of one aspect says which one it is: only that one counts.
#[test]
fn the_aspect_on_trial_is_named_in_trails_and_data() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let term = |term: &str, from: usize, word: &str, start: usize| {
        let (to, end) = (from + term.len(), start + word.len());
        json!({"id": term, "term": term, "from": from, "to": to, "polarity": "positive", "opinion_words": [word], "opinion_position": [[start, end]]})
    };
    let terms = json!({"a": term("food", 9, "tasty", 3), "b": term("staff", 28, "attentive", 18)});
    let rows = json!({
        "1": {"sentence": "My tasty food and attentive staff.", "term_list": terms},
        "2": {"sentence": "We came by bus.", "term_list": {}},
    });
    fs::write(at("absa.json"), rows.to_string()).unwrap();
    let command = ["transform", "rev_tgt", "--data", &at("absa.json"), "--task", "absa"];
    let lined = lines(&stdout(&command));
    let tried = lined.iter().find_map(|line| line["trail"]["on_trial"].as_array()).unwrap();
    assert!(tried.len() == 1 && tried[0]["layer"] == "aspect", "{tried:?}");
    done(&[&command[..], &["--out", &at("made.json")]].concat());
    let made: Value = serde_json::from_str(&fs::read_to_string(at("made.json")).unwrap()).unwrap();
    let ids: Vec<&Value> = made.as_object().unwrap().values().map(|row| &row["trans_id"]).collect();
    assert_eq!((ids[0], ids[1]), (&json!([tried[0]["key"]]), &json!([])), "{made}");
}

/// Rows that all entail have no label for a contradiction: the user gives the one to write.
#[test]
fn a_label_that_no_row_has_is_written_if_the_user_gives_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("pairs.jsonl");
    let row = json!({"premise": "A tall man runs.", "hypothesis": "A tall man moves.", "label": "entailment"});
    fs::write(&path, format!("{row}\n")).unwrap();
    let command = ["transform", "swap_ant", "--data", path.to_str().unwrap(), "--task", "nli"];
    let skipped = &lines(&stdout(&command))[0];
    assert!(skipped["reason"].as_str().unwrap().contains("--senses contradiction=contradicts"), "{skipped}");
    let senses = "entailment=entails,contradiction=contradicts";
    let output = done(&[&command[..], &["--senses", senses]].concat());
    let made = &lines(&String::from_utf8(output.stdout).unwrap())[0];
    assert_eq!(made["label"], "contradiction", "{made}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the data have no label `contradiction`; they have `entailment`"), "{said}");
    let refused = refusal(&[&command[..], &["--senses", "entailmnet=entails"]].concat());
    assert!(refused.contains("the data have no label `entailmnet`"), "{refused}");
}

#[test]
fn changes_that_set_labels_have_a_table_and_show_both_labels() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let things = ["dogs", "boys", "women", "birds", "cars", "men", "girls", "cats"];
    let places = ["park", "street", "garden", "city", "field"];
    let row = |number: usize| {
        let (thing, place) = (things[number % 8], places[number / 8 % 5]);
        let (hypothesis, label) = match number / 40 {
            0 => (format!("Three {thing} are outside."), "entailment"),
            _ => (format!("Nobody is outside near the {thing}."), "contradiction"),
        };
        let premise = format!("Three {thing} are in the {place}.");
        json!({"premise": premise, "hypothesis": hypothesis, "label": label}).to_string()
    };
    fs::write(at("pairs.jsonl"), (0..80).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    let (data, model) = (at("pairs.jsonl"), at("model"));
    done(&["train", "--arch", "cnn", "--data", &data, "--task", "nli", "--epochs", "12", "--out", &model]);
    let command = ["evaluate", "--model", &model, "--data", &data, "--task", "nli", "--chains", "num_word"];
    let said = String::from_utf8(done(&[&command[..], &["--out", &at("run")]].concat()).stderr).unwrap();
    assert!(said.contains("Changes that set the right answer: scored by the new labels"), "{said}");
    assert!(said.contains("The change made for the task, num_word, sets"), "{said}");
    let records = lines(&fs::read_to_string(at("run/run.jsonl")).unwrap());
    let changed: Vec<&Value> = records.iter().filter(|record| record["status"] == "changed").collect();
    // What was a contradiction before has no new label.
    let new = changed.iter().filter(|record| record["gold"] == "contradiction").count();
    assert_eq!((new, changed.len()), (40, 80));
    let findings: Value = serde_json::from_str(&fs::read_to_string(at("run/findings.json")).unwrap()).unwrap();
    let part = &findings["parts"][0];
    assert!(part["expectation"] == "relabelled" && part["evidence"]["drop"]["value"].as_f64().unwrap() > 0.2, "{part}");
    let telling = &findings["telling"][0];
    assert_eq!((&telling["gold"], &telling["gold_after"]), (&json!("entailment"), &json!("contradiction")));
    let report = fs::read_to_string(at("run/report.html")).unwrap();
    assert!(report.contains(" points under num_word"), "the headline names it");
    assert!(report.contains("Changes that set labels, in numbers") && report.contains("after the change: "));
    // A limit on the drop is a limit on these changes, too.
    let gate = fissure(&["gate", &at("run"), "--rule", "drop(task) <= 0.1"]).output().unwrap();
    assert_eq!(gate.status.code(), Some(1), "{}", String::from_utf8_lossy(&gate.stderr));
}
