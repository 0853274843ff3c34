//! `fissure gate` as CI meets it: exit codes and files.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use fissure_evaluate::{Findings, written_findings};
use serde_json::{Value, json};
use tempfile::TempDir;

fn estimate(value: f64, half: f64) -> Value {
    json!({"value": value, "low": value - half, "high": value + half})
}

/// A run directory whose `typos` drop is as given, with an interval of 0.02 either way.
fn run(folder: &TempDir, name: &str, drop: f64) -> String {
    let part = |name: &str, evidence: &Value| {
        json!({
            "name": name, "summary": "", "family": "morphology", "expectation": "kept", "human": null, "skips": {},
            "counts": {"changed": 1, "unchanged": 0, "skipped": 0, "filtered": 0}, "evidence": evidence,
        })
    };
    let evidence = json!({
        "samples": 400, "before": estimate(0.9, 0.02), "after": estimate(0.9 - drop, 0.02),
        "drop": estimate(drop, 0.02), "p": 0.01, "p_holm": 0.02, "broken": 40, "fixed": 2,
        "changed_answers": estimate(0.1, 0.02), "confidence": null,
    });
    let findings = json!({
        "about": {
            "version": "0", "command": "fissure evaluate", "suite": "default", "seed": 0, "task": "sa",
            "metric": "accuracy",
            "model": {"name": "m", "checksum": null, "labels": ["0", "1"], "probabilities": true, "gradients": false},
            "data": {"files": ["d.csv"], "checksum": "c", "samples": 400, "labelled": 400},
        },
        "clean": [["accuracy", estimate(0.9, 0.02)]], "classes": [], "reliability": null,
        "parts": [part("typos", &evidence), part("keyboard", &Value::Null)],
        "slices": [], "bias": [], "interactions": [], "salad": [], "fragility": null, "telling": [], "not_run": [],
    });
    let path = folder.path().join(name);
    fs::create_dir_all(&path).unwrap();
    write(&path, &findings);
    path.to_str().unwrap().to_owned()
}

/// Writes findings as a run does.
fn write(folder: &Path, findings: &Value) {
    let found: Findings = serde_json::from_value(findings.clone()).unwrap();
    fs::write(folder.join("findings.json"), written_findings(&found, folder).unwrap()).unwrap();
}

/// The exit code, standard output and standard error of a gate.
fn gate(arguments: &[&str]) -> (i32, String, String) {
    let output = support::fissure(&[&["gate"], arguments].concat()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn exit_codes() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run", 0.1);
    let code = |arguments: &[&str]| gate(&[&[&*run], arguments].concat()).0;
    assert_eq!(code(&["--rule", "drop(typos) <= 0.2"]), 0);
    assert_eq!(code(&["--rule", "drop(typos) <= 0.09"]), 0, "noise does not break builds");
    assert_eq!(code(&["--rule", "drop(typos) <= 0.09", "--strict"]), 1);
    assert_eq!(code(&["--rule", "drop(typos) <= 0.05"]), 1);
    assert_eq!(code(&["--rule", "accuracy >= 0.5", "--rule", "drop(typos) <= 0.05"]), 1);
    assert_eq!(code(&["--rule", "drop(keyboard) <= 0.05"]), 1, "not measured");
    assert_eq!(code(&["--rule", "drop(keyboard) <= 0.05", "--allow-unmeasured"]), 0);
    assert_eq!(code(&["--rule", "drop(universal) <= 0.2", "--allow-unmeasured"]), 0);
    assert_eq!(code(&[]), 2, "no rule");
    assert_eq!(code(&["--rule", "drop(typos"]), 2);
    assert_eq!(gate(&[folder.path().to_str().unwrap(), "--rule", "ece <= 1"]).0, 2, "no run there");
}

#[test]
fn what_is_said() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run", 0.1);
    let (_, out, err) = gate(&[&run, "--rule", "drop(typos) <= 0.05"]);
    assert!(out.starts_with("FAIL ") && out.contains("0.1000 (95 % interval 0.0800 to 0.1200)"), "{out}");
    assert!(err.contains("FAIL: 1 of 1 rule failed (0 met, 0 inconclusive)"), "{err}");
    let (_, out, err) = gate(&[&run, "--rule", "drop(typos) <= 0.09", "--rule", "drop(typos) <= 0.2"]);
    assert!(out.starts_with("INCONCLUSIVE ") && out.contains("\nPASS "), "{out}");
    assert!(err.contains("PASS: 1 rule met, 1 inconclusive, 0 failed"), "{err}");
    let (code, _, err) = gate(&[&run, "--rule", "drop(typoes) <= 0.05"]);
    assert!(code == 2 && err.contains("did you mean `typos`"), "{err}");
    let (_, out, _) = gate(&[&run, "--rule", "drop(typos) <= 0.05", "--json"]);
    let said: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(said["passed"], false);
    assert_eq!((&said["verdict"], &said["rules"][0]["verdict"]), (&json!("fail"), &json!("fail")));
    assert_eq!(said["tally"], json!({"met": 0, "inconclusive": 0, "failed": 1}));
    assert_eq!(said["rules"][0]["outcomes"][0]["state"], "fail");
    let (_, out, _) = gate(&[&run, "--rule", "drop(typos) <= 0.09", "--json"]);
    let said: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&said["verdict"], &said["rules"][0]["verdict"]), (&json!("pass"), &json!("inconclusive")));
    let (_, out, _) = gate(&[&run, "--rule", "drop(typos) <= 5%", "--github"]);
    let annotation = "::error title=fissure gate%3A drop(typos) <= 5%25::";
    assert!(out.contains(annotation), "{out}");
    let (_, out, err) = gate(&[&run, "--rule", "drop(typos) <= 5%", "--github", "--json"]);
    assert!(serde_json::from_str::<Value>(&out).is_ok() && err.contains(annotation), "{out}{err}");
}

#[test]
fn files_in_and_out() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run", 0.1);
    let rules = folder.path().join("rules.txt");
    fs::write(&rules, "# what we promise\naccuracy >= 0.8\n\ndrop(typos) <= 0.05  # not yet\n").unwrap();
    let xml = folder.path().join("gate.xml");
    let place = |path: &Path| path.to_str().unwrap().to_owned();
    let findings = format!("{run}/findings.json");
    let (code, _, _) = gate(&[&findings, "--rules", &place(&rules), "--junit", &place(&xml)]);
    assert_eq!(code, 1);
    // Its own earlier verdict is replaced, somebody's file is not.
    assert_eq!(gate(&[&findings, "--rule", "accuracy >= 0.8", "--junit", &place(&xml)]).0, 0);
    assert!(fs::read_to_string(&xml).unwrap().contains("tests=\"1\" failures=\"0\""));
    let mine = folder.path().join("mine.xml");
    fs::write(&mine, "<?xml version=\"1.0\"?>\n<testsuite name=\"others\"/>\n").unwrap();
    let (code, _, said) = gate(&[&findings, "--rule", "accuracy >= 0.8", "--junit", &place(&mine)]);
    assert!(code == 2 && said.contains("--force"), "{said}");
    gate(&[&findings, "--rules", &place(&rules), "--junit", &place(&xml)]);
    let written = fs::read_to_string(xml).unwrap();
    assert!(written.contains("tests=\"2\" failures=\"1\""), "{written}");
}

#[test]
fn a_part_with_nothing_to_change_does_not_shut_the_gate() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run", 0.1);
    let path = format!("{run}/findings.json");
    let found = fs::read_to_string(&path).unwrap();
    // The second part found nothing to change.
    let mut idle: Value = serde_json::from_str(&found).unwrap();
    idle["parts"][1]["counts"] = json!({"changed": 0, "unchanged": 400, "skipped": 0, "filtered": 0});
    assert_eq!(gate(&[&run, "--rule", "drop(all) <= 0.2"]).0, 1, "changed, and yet not measured");
    write(Path::new(&run), &idle);
    let xml = folder.path().join("gate.xml").to_str().unwrap().to_owned();
    let (code, out, _) = gate(&[&run, "--rule", "drop(all) <= 0.2", "--junit", &xml]);
    assert!(code == 0 && out.contains("left out, nothing to change: keyboard"), "{out}");
    assert!(fs::read_to_string(&xml).unwrap().contains("tests=\"2\" failures=\"0\" skipped=\"1\""));
    assert_eq!(gate(&[&run, "--baseline", &run]).0, 0, "a run is no worse than itself");
    assert_eq!(gate(&[&run, "--rule", "drop(keyboard) <= 0.2"]).0, 1, "asked for by name, it is not measured");
    idle["about"]["metric"] = "span_f1".into();
    idle["about"]["task"] = "ner".into();
    fs::create_dir(folder.path().join("other")).unwrap();
    write(&folder.path().join("other"), &idle);
    let other = folder.path().join("other").to_str().unwrap().to_owned();
    for words in [&["gate", &run, "--baseline", &other][..], &["report", &run, &other]] {
        let refused = support::refusal(words);
        assert!(
            refused.contains("the task ner, measured by span_f1") && refused.contains("task and metric are the same"),
            "{refused}"
        );
    }
}

#[test]
fn an_earlier_run_is_a_baseline() {
    let folder = TempDir::new().unwrap();
    let (then, now) = (run(&folder, "then", 0.02), run(&folder, "now", 0.1));
    let options = ["--baseline", &then, "--allow-unmeasured"];
    assert_eq!(gate(&[&[&*now], &options[..]].concat()).0, 1, "typos became worse");
    assert_eq!(
        gate(&[&then, "--baseline", &now, "--allow-unmeasured"]).0,
        0,
        "and the other way round it became better"
    );
    let rule = ["--rule", "change(drop(typos)) <= 0.1"];
    assert_eq!(gate(&[&[&*now], &options[..], &rule[..]].concat()).0, 0);
}
