//! What is the user's own is noticed, and kept: programs, pages, data sets, columns, parts.

use std::fs;

use super::support::{done, refusal};
use super::{copies, program, refs, told, with_model, words};

#[test]
fn a_program_that_was_edited_is_not_resumed() {
    let (_folder, at) = copies();
    let model = program(&at, "model.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "pos"}"#);
    fs::write(at("log.txt"), "").unwrap();
    let logged = format!("{model} {}", at("log.txt"));
    let run = "evaluate --chains typos --data @d.jsonl --task sa --limit 5 --out @asked";
    done(&refs(&with_model(&logged, run, &at)));
    // What the program may have written itself is no reason to refuse.
    fs::write(at("log.txt"), "5 questions").unwrap();
    let file = at("asked/run.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    let most: String = lines.split_inclusive('\n').take(lines.lines().count() - 2).collect();
    fs::write(&file, &most).unwrap();
    fs::remove_file(at("asked/findings.json")).unwrap();
    done(&["evaluate", "--resume", &at("asked")]);
    assert_eq!(fs::read_to_string(&file).unwrap(), lines);
    program(&at, "model.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "neg"}"#);
    fs::write(&file, most).unwrap();
    fs::remove_file(at("asked/findings.json")).unwrap();
    let said = refusal(&["evaluate", "--resume", &at("asked")]);
    assert!(said.contains("its file was") && said.contains("model.py (SHA-256"), "{said}");
}

#[test]
fn pages_that_differ_stay_unless_forced() {
    let (_folder, at) = copies();
    done(&refs(&words("evaluate --model @m --data @d.jsonl --task sa --chains keyboard --limit 60 --out @two", &at)));
    let compare = ["report", &at("run"), &at("two"), "--format", "html"];
    done(&compare);
    // The same page once more is no loss.
    done(&compare);
    let page = at("run/comparison.html");
    fs::write(&page, "my notes").unwrap();
    assert!(refusal(&compare).contains("exists already"));
    assert_eq!(fs::read_to_string(&page).unwrap(), "my notes");
    done(&[&compare[..], &["--force"]].concat());
    assert_ne!(fs::read_to_string(&page).unwrap(), "my notes");
}

#[test]
fn pages_that_were_edited_are_kept_by_a_run_that_goes_on() {
    let (_folder, at) = copies();
    let again = ["evaluate", "--resume", &at("run")];
    let page = fs::read_to_string(at("run/report.html")).unwrap();
    done(&again);
    assert!(!fs::exists(at("run/report.html.before-1")).unwrap(), "the same page is not kept twice");
    for number in 1..=2 {
        let notes = format!("my notes {number}");
        fs::write(at("run/report.html"), &notes).unwrap();
        let said = String::from_utf8(done(&again).stderr).unwrap();
        let kept = at(&format!("run/report.html.before-{number}"));
        assert!(said.contains(&kept), "{said}");
        assert_eq!(fs::read_to_string(kept).unwrap(), notes);
        assert_eq!(fs::read_to_string(at("run/report.html")).unwrap(), page);
    }
}

#[test]
fn a_set_that_was_edited_is_not_made_again() {
    let (_folder, at) = copies();
    let command = "generate --data @d.jsonl --task sa --suite typos --limit 20 --out @sets";
    done(&refs(&words(command, &at)));
    let edited = at("sets/typos.jsonl");
    let before = fs::read_to_string(&edited).unwrap();
    fs::write(&edited, before.clone() + "\n").unwrap();
    let said = refusal(&refs(&words(&format!("{command} --resume"), &at)));
    assert!(said.contains("typos.jsonl was changed after it was written"), "{said}");
    fs::remove_file(&edited).unwrap();
    done(&refs(&words(&format!("{command} --resume"), &at)));
    assert_eq!(fs::read_to_string(&edited).unwrap(), before);
    let said = refusal(&refs(&words("transform typos,keyboard --data @d.jsonl --task sa --out @both.jsonl", &at)));
    assert!(said.contains("give --out DIR"), "{said}");
}

#[test]
fn columns_of_the_user_are_not_replaced() {
    let (_folder, at) = copies();
    fs::write(at("orders.csv"), "text,label,status,trail\na good film in London,pos,shipped,north\n").unwrap();
    let said = told("transform typos --data @orders.csv --task sa --out @orders.jsonl", &at);
    assert!(said.contains("your column `status` is called `data_status`"), "{said}");
    let line = fs::read_to_string(at("orders.jsonl")).unwrap();
    for kept in ["\"data_status\":\"shipped\"", "\"data_trail\":\"north\"", "\"status\":\"changed\""] {
        assert!(line.contains(kept), "{line}");
    }
    // What an earlier run wrote is kept as well, and no name comes twice.
    let said = told("transform keyboard --data @orders.jsonl --task sa --out @again.jsonl", &at);
    assert!(said.contains("your column `status` is called `data_data_status`"), "{said}");
    let line = fs::read_to_string(at("again.jsonl")).unwrap();
    assert_eq!(line.matches("\"status\"").count(), 1, "{line}");
    assert!(
        line.contains("\"data_status\":\"shipped\"") && line.contains("\"data_data_status\":\"changed\""),
        "{line}"
    );
}

#[test]
fn copies_of_a_sample_are_spoken_of() {
    let (_folder, at) = copies();
    let row = "{\"text\":\"a good film in London\",\"label\":\"pos\"}\n{\"text\":\"a bad film\",\"label\":\"neg\"}\n";
    fs::write(at("copies.jsonl"), row.repeat(20)).unwrap();
    let said = told("evaluate --model @m --data @copies.jsonl --task sa --chains typos --out @copied", &at);
    assert!(said.contains("38 with the same texts as one before them"), "{said}");
    assert!(said.contains("38 of the 40 samples have the same texts"), "{said}");
}

#[test]
fn a_recipe_may_name_a_part_of_the_user() {
    let (_folder, at) = copies();
    let part = "[[part]]\nname = \"swapper\"\ndocs = \"Swaps.\"\nlabel = \"kept\"\nwords = { good = [\"bad\"], bad = [\"good\"] }\n";
    fs::write(at("parts.toml"), part).unwrap();
    let recipe = "name = \"mine\"\nsummary = \"Swaps.\"\n[goal]\nuse = \"untargeted\"\n[[source]]\nuse = \"part\"\nname = \"swapper\"\n\
                  [search]\nuse = \"importance\"\nrank = \"delete\"\n";
    fs::write(at("mine.toml"), recipe).unwrap();
    let command = "attack --model @m --data @d.jsonl --task sa --recipe @mine.toml --limit 10 --out @attacked";
    assert!(refusal(&refs(&words(command, &at))).contains("no transform called `swapper`"));
    let said = told(&format!("{command} --parts-file @parts.toml"), &at);
    assert!(fs::read_to_string(at("attacked/broken.jsonl")).unwrap().contains("good film"), "{said}");
}

#[test]
fn a_trial_question_has_every_text() {
    let (_folder, at) = copies();
    let code = "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
                print('{}', flush=True)\n        continue\n    fields = asked['fields']\n    \
                assert fields['premise'] and fields['hypothesis']\n    \
                print(json.dumps({'id': asked['id'], 'scores': {'entailment': 0.5, 'neutral': 0.3, 'contradiction': 0.2}}), flush=True)\n";
    fs::write(at("pair.py"), code).unwrap();
    fs::write(at("nli.csv"), "premise,hypothesis,label\na man sleeps,a man is awake,contradiction\n").unwrap();
    let model = format!("process:python3 {}", at("pair.py"));
    let output = done(&refs(&with_model(&model, "predict --data @nli.csv --task nli --out @p.jsonl", &at)));
    assert!(String::from_utf8(output.stderr).unwrap().contains("accuracy 0.0000"));
}
