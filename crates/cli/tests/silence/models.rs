//! What models, their programs and their labels may get wrong.

use std::fs;

use super::support::{done, fissure, refusal};
use super::{copies, program, refs, told, with_model, words};

#[test]
fn prompts_and_programs_are_inputs() {
    let (_folder, at) = copies();
    let model = program(&at, "model.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "pos"}"#);
    fs::write(at("prompt.txt"), "Is {text} good? {labels}").unwrap();
    fs::write(at("forecast.toml"), "chains = [\"typos\"]\n").unwrap();
    let shell = format!("process:sh -c \"python3 {}\"", at("model.py"));
    let said = refusal(&refs(&with_model(&shell, "predict --data @d.jsonl --task sa --out @model.py --force", &at)));
    assert!(said.contains("it is the input"), "{said}");
    fs::write(
        at("parts.toml"),
        format!("[[part]]\nname = \"own_sed\"\nsummary = \"x\"\nprogram = \"python3 {}\"\n", at("model.py")),
    )
    .unwrap();
    let own = "transform typos --parts-file @parts.toml --data @d.jsonl --task sa --out @model.py --force";
    let said = refusal(&refs(&words(own, &at)));
    assert!(said.contains("it is the input"), "{said}");
    for (output, command) in [
        ("model.py", "predict --data @d.jsonl --task sa --limit 3 --out @model.py --force"),
        ("model.py", "repair testset --data @d.jsonl --task sa --limit 3 --out @model.py --force"),
        ("forecast.toml", "forecast --config @forecast.toml --data @d.jsonl --task sa --out @forecast.toml --force"),
        ("prompt.txt", "predict --data @d.jsonl --task sa --prompt @prompt.txt --limit 3 --out @prompt.txt --force"),
        ("prompt.txt", "score --data @d.jsonl --task sa --prompt @prompt.txt --limit 3 --out @prompt.txt --force"),
    ] {
        let before = fs::read(at(output)).unwrap();
        let address = if output == "prompt.txt" { "http://127.0.0.1:9/v1/chat/completions" } else { &*model };
        let said = refusal(&refs(&with_model(address, command, &at)));
        assert!(said.contains("it is the input"), "{command}: {said}");
        assert_eq!(fs::read(at(output)).unwrap(), before, "{command}");
    }
}

#[test]
fn rows_without_a_label_teach_nothing() {
    let (_folder, at) = copies();
    let rows =
        (0..40).map(|row| format!("text {row} {},{}\n", ["good", "bad"][row % 2], ["pos", "neg", "-1"][row % 3]));
    fs::write(at("hidden.csv"), "text,label\n".to_owned() + &rows.collect::<String>()).unwrap();
    let said = told("train --arch fasttext --data @hidden.csv --task sa --epochs 1 --out @hidden", &at);
    assert!(said.contains("13 rows without a label") && !said.contains("labels -1"), "{said}");
}

#[test]
fn a_model_without_answers_ends_every_command() {
    let (_folder, at) = copies();
    let model = program(&at, "maybe.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "maybe"}"#);
    for (command, limit) in [
        ("predict --out @few.jsonl", 3),
        ("predict --out @many.jsonl", 200),
        ("score --out @scores.jsonl", 3),
        ("evaluate --chains typos --out @dead", 3),
    ] {
        let command = format!("{command} --data @d.jsonl --task sa --limit {limit}");
        let said = refusal(&refs(&with_model(&model, &command, &at)));
        assert!(said.contains("none of the") && said.contains("`maybe` is none of neg, pos"), "{command}: {said}");
    }
    let gate = ["gate", &at("dead"), "--rule", "accuracy >= 0", "--rule", "drop(all) <= 1"];
    let output = fissure(&gate).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), said.matches("FAIL").count()), (Some(1), 3), "{said}");
    assert!(said.lines().any(|line| line.starts_with("FAIL") && line.contains("answered >= 0.95")), "{said}");
    let command = "words --data @d.jsonl --task sa --limit 3";
    assert!(refusal(&refs(&with_model(&model, command, &at))).contains("none of the"));
}

#[test]
fn labels_that_a_model_does_not_list_are_those_of_the_data() {
    let (_folder, at) = copies();
    let model = program(&at, "silent.py", "{}", r#"{"label": "pos"}"#);
    let output = done(&refs(&with_model(&model, "predict --data @d.jsonl --task sa --limit 20 --out @a.jsonl", &at)));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("using those in the data (neg, pos)") && said.contains("accuracy 0.5000"), "{said}");
    let twice = program(&at, "twice.py", r#"{"labels": ["neg", "pos", "pos"]}"#, r#"{"label": "pos"}"#);
    let said = refusal(&refs(&with_model(&twice, "predict --data @d.jsonl --task sa --out @b.jsonl", &at)));
    assert!(said.contains("labels 2 and 3 are both `pos`"), "{said}");
}

#[test]
fn minus_one_is_a_label_if_the_user_says_so() {
    let (_folder, at) = copies();
    fs::write(at("m1.csv"), "text,label\na good film,pos\na bad film,neg\nodd,-1\n").unwrap();
    let said = told("predict --model @m --data @m1.csv --task sa --out @p1.jsonl", &at);
    assert!(said.contains("-1 = not scored"), "{said}");
    let model = program(&at, "three.py", r#"{"labels": ["neg", "pos", "-1"]}"#, r#"{"label": "pos"}"#);
    for (meaning, labelled) in [("none", "accuracy 0.5000"), ("label", "accuracy 0.3333")] {
        let command = format!("predict --data @m1.csv --task sa --minus-one {meaning} --out @{meaning}.jsonl");
        let output = done(&refs(&with_model(&model, &command, &at)));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(labelled), "--minus-one {meaning}: {said}");
    }
    let command = "predict --model @m --data @m1.csv --task sa --minus-one label --out @p2.jsonl";
    let said = refusal(&refs(&words(command, &at)));
    assert!(said.contains("-1"), "{said}");
}
