//! What was made for one model is not used for another, and what was settled on some texts is not measured on them in silence.

use std::fs;

use super::support::{done, refusal};
use super::{copies, program, refs, told, with_model, words};

#[test]
fn a_calibration_of_other_weights_is_not_used() {
    let (_folder, at) = copies();
    done(&refs(&words("repair calibrate --model @m --data @d.jsonl --task sa", &at)));
    let predict = "predict --model @m --data @d.jsonl --task sa --limit 2 --out @p.jsonl --force";
    assert!(told(predict, &at).contains("calibrated: temperature"));
    done(&refs(&words("train --arch fasttext --seed 9 --data @d.jsonl --task sa --out @other", &at)));
    fs::copy(at("other/model.safetensors"), at("m/model.safetensors")).unwrap();
    fs::copy(at("other/config.json"), at("m/config.json")).unwrap();
    let said = told(predict, &at).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("was fitted for other weights of the model and is not used"), "{said}");
    let with = fs::read(at("p.jsonl")).unwrap();
    done(&refs(&words(&predict.replace("@m ", "@other "), &at)));
    assert!(fs::read(at("p.jsonl")).unwrap() == with);
}

#[test]
fn scores_of_a_model_take_no_flips_of_a_program() {
    let (_folder, at) = copies();
    let model = program(&at, "model.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "pos"}"#);
    let run = "evaluate --chains typos --data @d.jsonl --task sa --limit 5 --out @asked";
    done(&refs(&with_model(&model, run, &at)));
    let said = refusal(&refs(&words("score --model @m --run @asked --data @d.jsonl --task sa --out @s.jsonl", &at)));
    assert!(said.contains("the run asked the model"), "{said}");
}

#[test]
fn what_is_proved_on_training_texts_says_so() {
    let (_folder, at) = copies();
    let certify = "repair certify --model @m --data @d.jsonl --test @d.jsonl --task sa --proofs 5 --epochs 1";
    let said = told(certify, &at).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("5 of the 5 texts of --test are in --data too"), "{said}");
}

#[test]
fn what_hurt_another_model_is_named() {
    let (_folder, at) = copies();
    done(&refs(&words("train --arch fasttext --seed 9 --data @d.jsonl --task sa --out @other", &at)));
    let augment = "repair augment --findings @run/findings.json --data @d.jsonl --test @d.jsonl --task sa --force";
    // The findings of a model that nothing hurts are refused before that: either way it is said.
    let output =
        super::fissure(&refs(&words(&format!("{augment} --model @other --out @a.jsonl"), &at))).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the parts that hurt most are those of"), "{said}");
    let output = super::fissure(&refs(&words(&format!("{augment} --model @m --out @b.jsonl"), &at))).output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("the parts that hurt most are those of"));
}

#[test]
fn findings_without_their_run_say_that_nothing_was_checked() {
    let (_folder, at) = copies();
    fs::remove_file(at("run/run.jsonl")).unwrap();
    fs::write(at("rules.txt"), "\u{feff}accuracy >= 0.1 # a mark of the editor in front\n").unwrap();
    let said = told("gate @run --rules @rules.txt", &at).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the run file is not beside it") && said.contains("PASS"), "{said}");
    let said = refusal(&refs(&words("gate @run/report.json --rules @rules.txt", &at)));
    assert!(said.contains("it has no checksums, as a report has none"), "{said}");
}

#[test]
fn a_budget_that_is_too_small_starts_nothing() {
    let (_folder, at) = copies();
    let run = "evaluate --model @m --data @d.jsonl --task sa --chains typos --precision 0.1 --budget 5 --out @z";
    let said = refusal(&refs(&words(run, &at)));
    assert!(said.contains("a budget of 5 does not reach") && !said.contains("is kept"), "{said}");
    assert!(!fs::exists(at("z/run.jsonl")).unwrap());
}

#[test]
fn a_chain_that_is_listed_twice_is_run_once() {
    let (_folder, at) = copies();
    let run = "evaluate --model @m --data @d.jsonl --task sa --chains typos,typos --limit 20 --out @z";
    assert!(told(run, &at).contains("not run: typos once more"));
    let found: serde_json::Value = serde_json::from_slice(&fs::read(at("z/findings.json")).unwrap()).unwrap();
    assert_eq!(found["parts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let (_folder, at) = copies();
    fs::write(at("d.csv"), "id,text,label\n1,a good film,pos\n2,a bad film,neg\n").unwrap();
    for (ending, expected) in [("csv", "id,text,label\n"), ("tsv", "id\ttext\tlabel\n")] {
        let none = format!("transform typos --data @d.csv --task sa --where label==\"none\" --out @z.{ending}");
        done(&refs(&words(&none, &at)));
        assert_eq!(fs::read_to_string(at(&format!("z.{ending}"))).unwrap().replace('"', ""), expected);
    }
    let none = "transform typos --data @d.csv --task sa --where label==\"none\" --out @z.parquet";
    done(&refs(&words(none, &at)));
    let said = refusal(&refs(&words("transform typos --data @z.parquet --task sa --out @y.jsonl", &at)));
    assert!(said.contains("there is no sample in"), "{said}");
}

#[test]
fn parts_that_one_of_two_runs_has_are_named_and_break_no_group() {
    let (_folder, at) = copies();
    done(&refs(&words(
        "evaluate --model @m --data @d.jsonl --task sa --chains typos,word_case --limit 60 --out @two",
        &at,
    )));
    for (run, baseline) in [("@two", "@run"), ("@run", "@two")] {
        let gate = format!("gate {run} --baseline {baseline} --rule change(after(all))>=-1");
        let said = told(&gate, &at).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("has word_case: their change is not measured"), "{said}");
        assert!(said.contains("PASS") && !said.contains("not measured /"), "{said}");
    }
}

#[test]
fn what_asking_took_is_merged_with_the_pieces() {
    let (_folder, at) = copies();
    let model = program(&at, "model.py", r#"{"labels": ["neg", "pos"]}"#, r#"{"label": "pos"}"#);
    for piece in 1..=2 {
        let run =
            format!("evaluate --chains typos --data @d.jsonl --task sa --limit 8 --shard {piece}/2 --out @p{piece}");
        done(&refs(&with_model(&model, &run, &at)));
    }
    done(&refs(&words("merge @p2 @p1 --out @whole", &at)));
    let questions = |folder: &str| {
        let file = fs::read(at(&format!("{folder}/asked.json"))).unwrap();
        let asked: serde_json::Value = serde_json::from_slice(&file).unwrap();
        asked["asked"]["questions"].as_u64().unwrap()
    };
    assert_eq!(questions("whole"), questions("p1") + questions("p2"));
    assert!(questions("whole") >= 16);
}
