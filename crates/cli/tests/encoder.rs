//! Changes filtered by a real sentence encoder, through the binary: `--keep similarity>=... --encoder DIR`.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{lines, stdout};
use tempfile::TempDir;

#[test]
fn an_encoder_tells_small_changes_from_large_ones() {
    let encoder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden/minilm_ag");
    if !encoder.is_dir() {
        eprintln!("SKIPPED: {} is absent, so no encoder measures similarity", encoder.display());
        return;
    }
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("news.csv");
    let rows = "text,label\nThe central bank raised its interest rates on Tuesday.,0\nThe champion won the final in two sets.,1\n";
    fs::write(&data, rows).unwrap();
    let made = |part: &str, knobs: &[&str]| -> Vec<Value> {
        let (data, encoder) = (data.to_str().unwrap(), encoder.to_str().unwrap());
        let command = ["transform", part, "--data", data, "--keep", "similarity>=0.8", "--encoder", encoder];
        lines(&stdout(&[&command[..], knobs].concat()))
    };
    // Letters in another case are the same to this encoder.
    let cased = made("word_case", &[]);
    assert!(cased.len() == 2 && cased.iter().all(|sample| sample["status"] == "changed"), "{cased:?}");
    let random = made("swap_random_vocab", &["--set", "rate=1"]);
    for sample in &random {
        assert_eq!(sample["status"], "filtered", "{sample}");
        assert!(sample["reason"].as_str().unwrap().starts_with("similarity is "), "{sample}");
    }
    assert!(
        random[0]["text"] == "The central bank raised its interest rates on Tuesday.",
        "what is filtered stays as it was"
    );
}
