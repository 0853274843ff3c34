//! `fissure demo` as a newcomer meets it: the whole way, and every command it says to try next.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{fissure, refusal};
use tempfile::TempDir;

/// The tour on few reviews, in a directory of its own: what it says.
fn tour(folder: &Path, more: &[&str]) -> String {
    let arguments = [&["demo", "--limit", "200"], more].concat();
    let output = fissure(&arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the tour says to try, each on one line.
fn commands(said: &str) -> Vec<String> {
    let next = said.split("Try next").nth(1).unwrap().replace("\\\n", " ");
    next.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned).collect()
}

#[test]
fn the_whole_way() {
    let folder = TempDir::new().unwrap();
    let said = tour(folder.path(), &[]);
    for words in ["interval", "forecast", "drop (95 %)", "sort", "planted", "What was found", "report.html"] {
        assert!(said.contains(words), "{words} is missing in:\n{said}");
    }
    let before_the_commands = said.split("Try next").next().unwrap();
    let wide: Vec<&str> = before_the_commands.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");

    let at = |name: &str| folder.path().join("fissure-demo").join(name);
    let found: Value = serde_json::from_str(&fs::read_to_string(at("run/findings.json")).unwrap()).unwrap();
    assert_eq!(found["about"]["data"]["samples"], 200);
    assert!(found["salad"].as_array().unwrap().len() > 3 && found["parts"].as_array().unwrap().len() > 3);
    assert!(found["about"]["command"].as_str().unwrap().contains("--suite quick,word-salad"));
    let pages = || ["html", "tex", "json"].map(|ending| fs::read(at(&format!("run/report.{ending}"))).unwrap());
    let paper = || fs::read(at("run/report.pdf")).ok();
    let first = (pages(), paper());
    assert_eq!(first.1.is_some(), cfg!(feature = "pdf"));

    for command in commands(&said) {
        assert!(command.starts_with(env!("CARGO_BIN_EXE_fissure")), "{command}");
        if command.contains(" DIR ") || command.contains("process:") {
            continue;
        }
        tried(&command, folder.path());
    }
    assert!(at("fixed/model.safetensors").exists());

    // Made again, to the same bytes; what is not the tour's stays.
    fs::write(at("notes.txt"), "mine").unwrap();
    fs::remove_file(at("model/calibration.json")).unwrap();
    tour(folder.path(), &[]);
    assert!((pages(), paper()) == first);
    assert!(at("notes.txt").exists() && at("fixed/model.safetensors").exists());
}

/// Runs a command in a shell, as somebody who pastes it.
fn tried(command: &str, folder: &Path) {
    if cfg!(not(unix)) {
        eprintln!("SKIPPED: there is no sh on this machine");
        return;
    }
    let page = command.contains(" explore ");
    let command = if page { format!("exec {command} --no-open") } else { command.to_owned() };
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if page {
        let mut child = shell.stderr(Stdio::null()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(first.starts_with("http://127.0.0.1:"), "{command}: {first}");
        return;
    }
    let output = shell.output().unwrap();
    // A gate may be shut: that is an answer too.
    let well = output.status.success() || command.contains(" gate ") && output.status.code() == Some(1);
    assert!(well, "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_program_reads_what_was_found() {
    let folder = TempDir::new().unwrap();
    let found: Value = serde_json::from_str(&tour(folder.path(), &["--json", "--out", "a tour"])).unwrap();
    assert!(found["accuracy"]["low"].as_f64().unwrap() > 0.5, "{found}");
    let words: Vec<&str> = found["shortcuts"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(words.contains(&"matinee"), "{words:?}");
    assert!(folder.path().join(found["report"].as_str().unwrap()).exists());
    assert!(!folder.path().join("fissure-demo").exists());
}

#[test]
fn what_is_not_a_tours_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "mine").unwrap();
    let said = refusal(&["demo", "--out", folder.path().to_str().unwrap()]);
    assert!(said.contains("--out DIR"), "{said}");
    let said = refusal(&["demo", "--out", notes.to_str().unwrap()]);
    assert!(said.contains("notes.txt"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
