//! Inputs of 50 MB and less are answered within 1 GB, whatever is in them.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A transformation in a gigabyte of address space, which is more than it can ever hold in memory.
fn within_a_gigabyte(folder: &Path, arguments: &[&str]) {
    let limited = Command::new("bash")
        .args(["-c", "ulimit -v 1048576 && exec \"$@\"", "-", env!("CARGO_BIN_EXE_fissure"), "transform", "typos"])
        .args(arguments)
        .args(["--threads", "2"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(limited.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&limited.stderr));
}

fn is_limited() -> bool {
    let probe = Command::new("bash").args(["-c", "ulimit -v 1048576"]).stderr(Stdio::null()).status();
    let able = probe.is_ok_and(|status| status.success());
    if !able {
        eprintln!("SKIPPED: there is no bash here that limits memory; large inputs were not tried");
    }
    able
}

#[test]
fn one_row_of_45_megabytes() {
    let folder = TempDir::new().unwrap();
    let mut file = BufWriter::new(File::create(folder.path().join("data.csv")).unwrap());
    file.write_all(b"text,label\n").unwrap();
    (0..4_500_000).for_each(|_| file.write_all(b"good film ").unwrap());
    file.write_all(b",1\n").unwrap();
    file.into_inner().unwrap();
    if is_limited() {
        within_a_gigabyte(folder.path(), &["--data", "data.csv", "--task", "sa", "--out", "out.csv"]);
    }
}

#[test]
fn a_format_that_is_read_whole() {
    let folder = TempDir::new().unwrap();
    let mut file = BufWriter::new(File::create(folder.path().join("data.json")).unwrap());
    let context = "The film was good. ".repeat(20);
    write!(file, "{{\"version\": \"1\", \"data\": [").unwrap();
    for number in 0..90_000 {
        let comma = if number == 0 { "" } else { "," };
        write!(
            file,
            "{comma}{{\"title\": \"t\", \"paragraphs\": [{{\"context\": \"{context}\", \"qas\": [{{\"id\": \"{number}\", \
             \"question\": \"What was good?\", \"answers\": [{{\"text\": \"film\", \"answer_start\": 4}}]}}]}}]}}"
        )
        .unwrap();
    }
    write!(file, "]}}").unwrap();
    file.into_inner().unwrap();
    if is_limited() {
        within_a_gigabyte(
            folder.path(),
            &["--data", "data.json", "--task", "mrc", "--limit", "20000", "--out", "out.json"],
        );
    }
}

#[test]
fn a_small_file_that_grows_when_it_is_unpacked() {
    let folder = TempDir::new().unwrap();
    // 400 MB of rows in less than 2 MB; the limit on samples keeps the test short, not the memory small.
    let packed = Command::new("bash")
        .args([
            "-c",
            "yes '{\"text\": \"the film was good\", \"label\": 1}' | head -c 400000000 | gzip -1 > data.jsonl.gz",
        ])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .status();
    if !packed.is_ok_and(|status| status.success()) || !is_limited() {
        eprintln!("SKIPPED: there is no gzip here; a packed input was not tried");
        return;
    }
    let arguments = ["--data", "data.jsonl.gz", "--task", "sa", "--limit", "300000", "--out", "out.jsonl.zst"];
    within_a_gigabyte(folder.path(), &arguments);
}
