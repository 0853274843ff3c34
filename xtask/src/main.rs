//! Chores of the house, each a module of its own: `cargo xtask CHORE ...`.

mod generate;
mod lexicons;
mod manifest;
mod new_part;
mod substitutes;
mod taggers;

use std::path::PathBuf;
use std::process::ExitCode;

const CHORES: &str = "generate, lexicons, new, substitutes, train-taggers, measure-taggers";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match chore.as_str() {
        "generate" => generate::run(&rest),
        "lexicons" => lexicons::run(&rest),
        "new" => new_part::run(&rest),
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
