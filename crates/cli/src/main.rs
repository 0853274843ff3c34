//! The `fissure` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    fissure::run()
}
