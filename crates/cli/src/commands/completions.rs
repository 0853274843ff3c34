//! `fissure completions SHELL`: a script for the shell.

use crate::{Error, Result, args};

pub fn run(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "fissure", &mut script);
    crate::ui::print(&String::from_utf8_lossy(&script)).map_err(Error::writing("standard output"))
}
