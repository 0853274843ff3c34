//! `fissure report` as a user meets it, on findings whose numbers are made up.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use fissure_evaluate::{Findings, written_findings};
use support::{done, refusal, stdout};
use tempfile::TempDir;

const FINDINGS: &str = include_str!("../../report/tests/findings.json");

fn run(folder: &TempDir, name: &str) -> String {
    let run = folder.path().join(name);
    fs::create_dir(&run).unwrap();
    let found: Findings = serde_json::from_str(FINDINGS).unwrap();
    fs::write(run.join("findings.json"), written_findings(&found, &run).unwrap()).unwrap();
    run.to_str().unwrap().to_owned()
}

#[test]
fn a_run_becomes_pages() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run");
    let said = stdout(&["report", &run, "--format", "html,tex,json"]);
    let paths: Vec<&str> = said.lines().collect();
    assert_eq!(paths.len(), 3);
    assert!(paths.iter().all(|path| Path::new(path).exists()));
    let page = fs::read_to_string(paths[0]).unwrap();
    assert!(page.contains("Loses 5.0 points of accuracy on average"));
    assert!(fs::read_to_string(paths[1]).unwrap().contains("\\toprule"));
    let before: serde_json::Value = serde_json::from_str(FINDINGS).unwrap();
    let after: serde_json::Value = serde_json::from_str(&fs::read_to_string(paths[2]).unwrap()).unwrap();
    assert_eq!(before["telling"], after["telling"]);
}

#[cfg(feature = "pdf")]
#[test]
fn the_usual_formats_hold_paper_with_the_same_words() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run");
    let said = stdout(&["report", &run]);
    let paths: Vec<&str> = said.lines().collect();
    let endings: Vec<_> = paths.iter().map(|path| Path::new(path).extension().unwrap().to_str().unwrap()).collect();
    assert_eq!(endings, ["html", "tex", "json", "pdf"]);
    assert!(fs::read(paths[3]).unwrap().starts_with(b"%PDF-1.7"));
    // The words are glyphs of subset fonts; one who reads them back is a better judge than we.
    let Ok(read) = std::process::Command::new("pdftotext").args(["-layout", paths[3], "-"]).output() else {
        eprintln!("SKIPPED: there is no pdftotext on this machine");
        return;
    };
    let words = String::from_utf8(read.stdout).unwrap();
    for expected in ["Loses 5.0 points of accuracy on average", "Verdict", "What each change costs", "How to reproduce"]
    {
        assert!(words.contains(expected), "{expected} is not in:\n{words}");
    }
}

#[test]
fn two_runs_are_compared() {
    let folder = TempDir::new().unwrap();
    let (first, second) = (run(&folder, "first"), run(&folder, "second"));
    let out = folder.path().join("both");
    let out = out.to_str().unwrap();
    done(&["report", &first, &second, "--format", "html", "--out", out]);
    let page = fs::read_to_string(Path::new(out).join("comparison.html")).unwrap();
    assert!(page.contains("Clean scores do not differ beyond noise"));
}

#[test]
fn what_is_no_run_is_named() {
    let folder = TempDir::new().unwrap();
    let nowhere = folder.path().join("nowhere");
    assert!(refusal(&["report", nowhere.to_str().unwrap()]).contains("`fissure evaluate --out"));
}
