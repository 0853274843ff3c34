//! Chores of the project, one module each: `cargo xtask CHORE ...`.

mod generate;
mod lexicons;
mod manifest;
mod prose;
mod substitutes;
mod taggers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const CHORES: &str = "generate, lexicons, prose, substitutes, train-taggers, measure-taggers";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match chore.as_str() {
        "generate" => generate::run(&rest),
        "lexicons" => lexicons::run(&rest),
        "prose" => prose::run(&rest),
        "substitutes" => substitutes::run(&rest),
        "train-taggers" => taggers::train(&rest),
        "measure-taggers" => taggers::measure(&rest),
        _ => Err(format!("no chore is called {chore:?}; there are: {CHORES}").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// Every file below a folder, in the order of their paths.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The folders in a folder, in the order of their names.
fn subfolders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}
