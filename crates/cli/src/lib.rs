//! The command line of Fissure. It parses, calls the other crates, and shows their results; it has
//! no logic of its own.

mod args;
pub mod catalog;
mod commands;
mod error;
mod notices;
mod signals;
mod ui;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use clap::Parser;

pub use args::command;
pub use commands::Closer;
pub use error::{Error, Result};
pub use ui::{Listener, Said, Step, Stopping};

/// Runs the program: 0 done, 1 a gate or check did not hold, 2 wrong use or unusable input.
pub fn run() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os().collect()))
}

/// Runs the program with these words, the first of which is its own name; gives its exit code.
pub fn run_with(words: Vec<OsString>) -> u8 {
    let plain = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    if let Some(error) = args::misspelt_help(plain) {
        ui::report(&error);
        return 2;
    }
    let args = match args::Args::try_parse_from(words) {
        Ok(args) => args,
        // Help and the version are asked for, and end well.
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !fissure_data::formats::panic_is_expected() {
            usual(panic);
        }
    }));
    match commands::run(&args) {
        Ok(code) => code,
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if is_closed_pipe(&error) => 0,
        // Nor is an output that needs no more work.
        Err(Error::Kit(done @ fissure_kit::Error::Complete { .. })) => {
            ui::note(&done.to_string());
            0
        }
        Err(error) => {
            ui::report(&error);
            if let Some(kept) = fissure_kit::stop::kept() {
                ui::note(&kept);
            }
            2
        }
    }
}

/// Whether an error says that nobody reads standard output any more.
fn is_closed_pipe(error: &Error) -> bool {
    use fissure_data::Error::Write as DataWrite;
    use fissure_kit::Error as Kit;
    let why = match error {
        Error::Kit(Kit::Write { source, .. }) => source,
        Error::Data(DataWrite { why, .. }) | Error::Kit(Kit::Data(DataWrite { why, .. })) => why,
        _ => return false,
    };
    why.kind() == std::io::ErrorKind::BrokenPipe
}

/// Runs a command for a program in the same process, on the threads of the caller: what it would print goes to the
/// listener, and what goes wrong comes back. One command at a time. If it is stopping, the command ends with
/// [`Error::Stopped`] before its next piece of work.
pub fn call(words: Vec<OsString>, listener: Listener, stopping: Stopping) -> Result<u8> {
    let args = args::Args::try_parse_from(words).map_err(|error| Error::Usage(error.to_string()))?;
    ui::listen(Some((listener, stopping)));
    // Nothing of the command is looked at again if it is unwound.
    let done = catch_unwind(AssertUnwindSafe(|| commands::embedded(&args)));
    ui::listen(None);
    done.unwrap_or_else(|why| if why.is::<ui::Stopped>() { Err(Error::Stopped) } else { resume_unwind(why) })
}

/// Opens the page of `fissure explore` for a program in the same process, and serves it until the [`Closer`] that `opened`
/// gets with the address is gone. What would be printed goes to the listener until then.
pub fn explore(words: Vec<OsString>, listener: Listener, opened: impl FnOnce(String, Closer)) -> Result<()> {
    let args = args::Args::try_parse_from(words).map_err(|error| Error::Usage(error.to_string()))?;
    let args::Command::Explore(args) = &args.command else {
        return Err(Error::Usage("this is not `fissure explore`".into()));
    };
    ui::listen(Some((listener, std::sync::Arc::new(|| false))));
    let open = commands::open_page(args);
    ui::listen(None);
    open?.serve(opened)
}

/// An error with its causes, in one text.
pub fn with_causes(error: &Error) -> String {
    ui::with_causes(error)
}
