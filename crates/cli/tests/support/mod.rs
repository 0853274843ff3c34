//! What the tests of the program share: ways to run it.

#![allow(dead_code, reason = "every test file takes what it needs")]

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program with these words behind it, not yet started.
pub fn fissure(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fissure"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A run that must end well.
pub fn done(arguments: &[&str]) -> Output {
    let output = fissure(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What a run that must end well says on standard output.
pub fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(done(arguments).stdout).unwrap()
}

/// What a failing run says on standard error; the exit code must be 2.
pub fn refusal(arguments: &[&str]) -> String {
    let output = fissure(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stderr).unwrap()
}

/// What a run says to a program.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).unwrap()
}

/// JSON lines as values.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
