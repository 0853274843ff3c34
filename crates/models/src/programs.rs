//! Programs that are asked line by line, and whether they gave one line for each.
//!
//! If an answer does not say what it is to, one line too many gives every later answer to another question, and nothing in the
//! answers shows it. Whether such a line came is known only at the end of the program: so what is in use is listed here, to be
//! asked before any result is trusted.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// A program that takes longer for a text, or for its end, is taken for hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Why what a program answered cannot be trusted, or why it cannot be asked any further, and a command that asked it must not
/// go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramFault {
    #[error(
        "`{command}` wrote more lines than it was asked for (`{line}`), so its answers may belong to other texts. Let it \
         write one line for each line that it reads and nothing else, and messages to standard error"
    )]
    ExtraLine { command: String, line: String },
    #[error(
        "`{command}` wrote more answers than it was asked for (`{line}`), so its answers may belong to other questions. Let it \
         write one line for each question, with the `id` of the question in it, and messages to standard error"
    )]
    ExtraAnswer { command: String, line: String },
    #[error(
        "`{command}` still ran {} seconds after its input had ended, so it cannot be seen whether it writes more lines than \
         it is asked for. Let it stop when its input ends",
        PATIENCE.as_secs()
    )]
    NoEnd { command: String },
    #[error("`{command}` gave no answer within {} seconds, {times} times in a row", PATIENCE.as_secs())]
    Hangs { command: String, times: usize },
}

impl ProgramFault {
    /// Whether answers may have gone to other texts than they were for.
    pub fn is_of_answers(&self) -> bool {
        !matches!(self, Self::Hangs { .. })
    }
}

/// Programs that are in use.
pub(crate) trait Watched: Send + Sync {
    /// What is wrong as far as can be seen now; a fault is reported once.
    fn check(&self) -> Result<(), ProgramFault>;

    /// Ends the programs, and hears what they still say. One that is asked again is started again.
    fn finish(&self) -> Result<(), ProgramFault>;
}

static OPEN: Mutex<Vec<Weak<dyn Watched>>> = Mutex::new(Vec::new());

pub(crate) fn watch(programs: Weak<dyn Watched>) {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).push(programs);
}

/// Whether all programs that were asked so far wrote one line for each line, as far as can be seen now; a fault is reported once.
pub fn check_programs() -> Result<(), ProgramFault> {
    for_each(|programs| programs.check())
}

/// The same at the end of the work, before any of it is kept: the input of the programs ends, and whatever they still say was not
/// asked for.
pub fn finish_programs() -> Result<(), ProgramFault> {
    for_each(|programs| programs.finish())
}

fn for_each(see: impl Fn(&dyn Watched) -> Result<(), ProgramFault>) -> Result<(), ProgramFault> {
    let open: Vec<Arc<dyn Watched>> = {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|programs| programs.strong_count() > 0);
        open.iter().filter_map(Weak::upgrade).collect()
    };
    all(open.iter().map(|programs| see(&**programs)))
}

/// The first fault. Every program is looked at: a fault that is not reported now would be reported for later work.
pub(crate) fn all(found: impl Iterator<Item = Result<(), ProgramFault>>) -> Result<(), ProgramFault> {
    found.collect::<Vec<_>>().into_iter().collect()
}
