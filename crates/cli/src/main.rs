//! The front door.

use std::process::ExitCode;

fn main() -> ExitCode {
    fissure::run()
}
