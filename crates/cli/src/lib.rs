//! The front door of Fissure: the command line. It parses, asks the crates behind it, and shows what they say; it has
//! no logic of its own.

mod args;
pub mod catalog;
mod commands;
mod config;
mod error;
mod ui;

use std::process::ExitCode;

use clap::Parser;

pub use args::command;
pub use error::{Error, Result};

/// Runs the program: 0 done, 1 a gate or check did not hold, 2 wrong use or unusable input.
pub fn run() -> ExitCode {
    if let Some(error) = args::misspelt_help(std::env::args().skip(1)) {
        ui::report(&error);
        return ExitCode::from(2);
    }
    let args = args::Args::parse();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !fissure_data::formats::panic_is_expected() {
            usual(panic);
        }
    }));
    match commands::run(&args) {
        Ok(code) => code,
        // A reader that has seen enough (`| head`) is no failure.
        Err(Error::Write { source: why, .. } | Error::Data(fissure_data::Error::Write { why, .. }))
            if why.kind() == std::io::ErrorKind::BrokenPipe =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            ui::report(&error);
            ExitCode::from(2)
        }
    }
}
