//! Chores of the house, each a module of its own: `cargo xtask CHORE ...`.

mod taggers;

use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match chore.as_str() {
        "train-taggers" => taggers::train(&rest),
        "measure-taggers" => taggers::measure(&rest),
        _ => Err(format!("no chore is called {chore:?}; there are: train-taggers, measure-taggers").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
