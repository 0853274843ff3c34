//! What is compared with what: labels that mean the same, and rows that are no copies of one another.

use std::fs;

use super::support::{done, refusal};
use super::{copies, program, refs, told, with_model, words};

#[test]
fn runs_that_read_the_labels_differently_are_not_compared() {
    let (_folder, at) = copies();
    let options = "--data @d.jsonl --task sa --suite typos --limit 60 --label-map pos=neg,neg=pos --out @turned";
    told(&format!("evaluate --model @m {options}"), &at);
    for command in ["report @run @turned --out @page.html", "gate @turned --baseline @run"] {
        let said = refusal(&refs(&words(command, &at)));
        assert!(said.contains("the label `neg` of the data means `neg` in") && said.contains("--label-map"), "{said}");
    }
}

#[test]
fn forms_of_one_sample_are_known_as_such() {
    let (_folder, at) = copies();
    let rows = |head: &str| {
        let row = |at: usize| format!("a good film number {at},{}\n", ["pos", "neg"][at % 2]);
        head.to_owned() + &(0..40).map(row).collect::<String>()
    };
    fs::write(at("plain.csv"), rows("text,label\n")).unwrap();
    fs::write(at("headless.csv"), rows("")).unwrap();
    let options = "--task sa --variants 3 --only-changed";
    let said = told(&format!("transform keyboard --data @plain.csv {options} --out @forms.csv"), &at);
    assert!(said.contains("the column augmented_from says of which sample"), "{said}");
    let forms = fs::read_to_string(at("forms.csv")).unwrap();
    let (head, first) = (forms.lines().next().unwrap(), forms.lines().nth(1).unwrap());
    assert_eq!(head, "text,label,augmented_from");
    let origin = first.rsplit(',').next().unwrap();
    // Two slips that make the same text are one form.
    assert!((2..=3).contains(&forms.lines().filter(|line| line.ends_with(origin)).count()), "{forms}");
    // A name of their own, no names at all, or one form each: nothing is added.
    for (command, columns) in [
        (format!("transform keyboard --data @d.jsonl {options} --out @named.csv"), "id,text,label"),
        ("transform keyboard --data @plain.csv --task sa --out @one.csv".to_owned(), "text,label"),
    ] {
        told(&command, &at);
        let path = command.rsplit('@').next().unwrap();
        assert_eq!(fs::read_to_string(at(path)).unwrap().lines().next().unwrap(), columns, "{command}");
    }
    told(&format!("transform keyboard --data @headless.csv --columns text=1,label=2 {options} --out @bare.csv"), &at);
    assert!(!fs::read_to_string(at("bare.csv")).unwrap().contains("augmented_from"));
    let said =
        told(&format!("transform keyboard --data @headless.csv --columns text=1,label=2 {options} --out @b.csv"), &at);
    assert!(said.contains("the rows written do not say of which sample"), "{said}");
}

/// What a run that must end well says, in one line.
fn said_by(words: &[String]) -> String {
    let output = done(&refs(words));
    let said = [output.stderr, output.stdout].concat();
    String::from_utf8(said).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A program without numbers in its answers that passes a question over: the others keep their answers.
#[test]
fn a_question_that_is_passed_over_shifts_no_answers() {
    let (_folder, at) = copies();
    let code = "import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    if 'hello' in asked:\n        \
                print('{\"labels\": [\"neg\", \"pos\"]}', flush=True)\n        continue\n    text = asked['fields']['text']\n    \
                if text.endswith('number 8'):\n        continue\n    \
                print(json.dumps({'label': 'pos' if 'good' in text else 'neg'}), flush=True)\n";
    fs::write(at("skip.py"), code).unwrap();
    let model = format!("process:python3 {}", at("skip.py"));
    let command = "predict --data @d.jsonl --task sa --limit 40 --timeout 2 --out @answers.jsonl";
    let said = said_by(&with_model(&model, command, &at));
    assert!(said.contains("accuracy 1.0000"), "{said}");
    let answers = fs::read_to_string(at("answers.jsonl")).unwrap();
    assert_eq!(answers.lines().filter(|line| line.contains("\"failed\"")).count(), 1, "{answers}");
}

#[test]
fn what_is_printed_does_not_go_into_what_is_read() {
    let (_folder, at) = copies();
    let before = fs::read(at("d.jsonl")).unwrap();
    for command in
        ["words --model @m --data @d.jsonl --task sa", "compare --model @m --model @m --data @d.jsonl --task sa"]
    {
        let mut run = super::support::fissure(&refs(&words(command, &at)));
        run.stdout(fs::File::options().append(true).open(at("d.jsonl")).unwrap());
        let output = run.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("it is the input"), "{command}: {said}");
        assert!(fs::read(at("d.jsonl")).unwrap() == before, "{command}");
    }
}

/// Also if the input is a file inside a folder, or a file of the user's own parts.
#[test]
fn what_is_printed_does_not_go_into_a_run_or_parts() {
    let (_folder, at) = copies();
    let part =
        "[[part]]\nname = \"own_fine\"\ndocs = \"Says fine.\"\nlabel = \"kept\"\nwords = { good = [\"fine\"] }\n";
    fs::write(at("own.toml"), part).unwrap();
    for (command, input) in [
        ("gate @run --rule accuracy>=0.1", "run/findings.json"),
        ("gate @run --rule accuracy>=0.1", "run/run.jsonl"),
        ("words --model @m --data @d.jsonl --task sa", "m/config.json"),
        ("explain own_fine --parts-file @own.toml", "own.toml"),
    ] {
        let before = fs::read(at(input)).unwrap();
        let mut run = super::support::fissure(&refs(&words(command, &at)));
        run.stdout(fs::File::options().append(true).open(at(input)).unwrap());
        let output = run.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("it is the input"), "{command} >> {input}: {said}");
        assert!(fs::read(at(input)).unwrap() == before, "{command} >> {input}");
    }
}

#[test]
fn a_tagger_for_other_labels_is_not_asked() {
    let (_folder, at) = copies();
    fs::write(at("names.conll"), "Anna\tB-PERSON\nlives\tO\nin\tO\nRome\tB-GPE\n\n").unwrap();
    let model =
        program(&at, "tagger.py", r#"{"labels": ["O", "B-PER", "B-LOC"]}"#, r#"{"tags": ["O", "O", "O", "O"]}"#);
    for command in ["predict --out @tags.jsonl", "evaluate --chains typos --out @tagged"] {
        let command = format!("{command} --data @names.conll --task ner");
        let said = refusal(&refs(&with_model(&model, &command, &at)));
        assert!(said.contains("knows none of the labels of the data, `GPE`, `PERSON`; it has `LOC`, `PER`"), "{said}");
    }
    fs::write(at("some.conll"), "Anna\tB-PER\nlives\tO\nin\tO\nRome\tB-GPE\n\n").unwrap();
    let command = "predict --out @tags.jsonl --data @some.conll --task ner";
    let said = said_by(&with_model(&model, command, &at));
    assert!(said.contains("the model has no label `GPE`"), "{said}");
    let silent = program(&at, "silent.py", r#"{"hello": 1}"#, r#"{"tags": ["O", "O", "O", "O"]}"#);
    let command = "evaluate --chains typos --out @silent --data @names.conll --task ner";
    let said = said_by(&with_model(&silent, command, &at));
    assert!(said.contains("No answer to a text with a known label is right"), "{said}");
}
