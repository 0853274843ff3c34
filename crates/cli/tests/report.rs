//! `fissure report` as a user meets it, on findings whose numbers are made up.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

const FINDINGS: &str = include_str!("../../report/tests/findings.json");

fn fissure(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("fissure").unwrap().args(arguments).assert()
}

fn run(folder: &TempDir, name: &str) -> String {
    let run = folder.path().join(name);
    fs::create_dir(&run).unwrap();
    fs::write(run.join("findings.json"), FINDINGS).unwrap();
    run.to_str().unwrap().to_owned()
}

#[test]
fn a_run_becomes_pages() {
    let folder = TempDir::new().unwrap();
    let run = run(&folder, "run");
    let said = fissure(&["report", &run, "--format", "html,tex,json"]).success();
    let paths: Vec<String> =
        String::from_utf8(said.get_output().stdout.clone()).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(paths.len(), 3);
    assert!(paths.iter().all(|path| Path::new(path).exists()));
    let page = fs::read_to_string(&paths[0]).unwrap();
    assert!(page.contains("Cracks under 6 of 10 changes"));
    assert!(fs::read_to_string(&paths[1]).unwrap().contains("\\toprule"));
    let before: serde_json::Value = serde_json::from_str(FINDINGS).unwrap();
    let after: serde_json::Value = serde_json::from_str(&fs::read_to_string(&paths[2]).unwrap()).unwrap();
    assert_eq!(before["telling"], after["telling"]);
}

#[test]
fn two_runs_are_compared() {
    let folder = TempDir::new().unwrap();
    let (first, second) = (run(&folder, "first"), run(&folder, "second"));
    let out = folder.path().join("both");
    let out = out.to_str().unwrap();
    fissure(&["report", &first, &second, "--format", "html", "--out", out]).success();
    let page = fs::read_to_string(Path::new(out).join("comparison.html")).unwrap();
    assert!(page.contains("Clean scores within noise"));
}

#[test]
fn what_is_no_run_is_named() {
    let folder = TempDir::new().unwrap();
    let nowhere = folder.path().join("nowhere");
    let said = fissure(&["report", nowhere.to_str().unwrap()]).code(2);
    assert!(String::from_utf8(said.get_output().stderr.clone()).unwrap().contains("nowhere"));
}
