//! Translation there and back by programs that run beside us.
//!
//! A command is started once and asked line by line. `apertium` is started for each text: its pipeline keeps answers
//! back until its input ends, null flush (`-z`) or not. Each worker asks through a lock; answers do not depend on the order of questions, as
//! long as the program's do not. A program that dies, hangs or gives nothing is ended and started again for the next text,
//! and the sample is skipped with the reason.

mod child;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use fissure_core::{Skip, Translator};
use fissure_tasks::short;

use crate::programs::{PATIENCE, ProgramFault, Watched, all, watch};
use child::{Child, Marks, NoAnswer, Rest};

/// After this many texts in a row without an answer in time, the program is given up.
const MOST_HANGS: usize = 3;

/// A translator made of one program or two in a row.
#[derive(Debug)]
pub struct CommandTranslator {
    way: String,
    steps: Arc<Steps>,
}

#[derive(Debug)]
struct Steps(Vec<Mutex<Step>>);

#[derive(Debug)]
struct Step {
    program: String,
    arguments: Vec<String>,
    /// As the user gave it.
    command: String,
    marks: Marks,
    child: Option<Child>,
    /// Whether the program was seen to write one line for one line.
    proven: bool,
    /// Texts in a row without an answer in time.
    hangs: usize,
    /// Why it is not asked any more.
    fault: Option<ProgramFault>,
}

/// Why a translator cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TranslatorError {
    #[error("`--translator` names no command; write `--translator apertium` or `--translator 'COMMAND'`")]
    Empty,
    #[error("cannot start `{program}`: {source}; install it, or name another command with --translator")]
    Start { program: String, source: std::io::Error },
}

impl Watched for Steps {
    fn check(&self) -> Result<(), ProgramFault> {
        all(self.0.iter().map(|step| lock(step).fault.take().map_or(Ok(()), Err)))
    }

    fn finish(&self) -> Result<(), ProgramFault> {
        all(self.0.iter().map(|step| {
            let step = &mut *lock(step);
            let child = step.child.take().filter(|_| step.marks == Marks::Lines);
            // One that was proven ends with its input; to be slow at the very end is no fault.
            if let Some(Rest::Line(line)) = child.map(Child::rest) {
                step.extra(&short(line.trim()));
            }
            step.fault.take().map_or(Ok(()), Err)
        }))
    }
}

impl CommandTranslator {
    /// `apertium` goes from English to Spanish and back; `apertium:eng-cat` through another pair; anything else is a
    /// command of the shell, which reads a line and writes, at once, the line that came back.
    pub fn open(what: &str) -> Result<Self, TranslatorError> {
        if what.trim().is_empty() {
            return Err(TranslatorError::Empty);
        }
        let pair = if what == "apertium" { Some("eng-spa") } else { what.strip_prefix("apertium:") };
        let translator = match pair {
            Some(pair) => {
                let back: String = pair.split('-').rev().collect::<Vec<_>>().join("-");
                let step = |pair: &str| {
                    Mutex::new(Step::new("apertium", &["-u", "-f", "none", pair], "apertium", Marks::Whole))
                };
                Self {
                    way: format!("{pair} and back by apertium"),
                    steps: Arc::new(Steps(vec![step(pair), step(&back)])),
                }
            }
            None => {
                let step = Step::new("sh", &["-c", what], what, Marks::Lines);
                Self { way: what.to_owned(), steps: Arc::new(Steps(vec![Mutex::new(step)])) }
            }
        };
        for step in &translator.steps.0 {
            // A program that is not there is found out now, not at the first text.
            let mut step = lock(step);
            let program = step.program.clone();
            let child = step.start().map_err(|source| TranslatorError::Start { program, source })?;
            step.child = Some(child);
        }
        let steps: Weak<Steps> = Arc::downgrade(&translator.steps);
        watch(steps);
        Ok(translator)
    }
}

impl Translator for CommandTranslator {
    fn way(&self) -> String {
        self.way.clone()
    }

    fn translate(&self, text: &str, _: Option<&str>) -> Result<String, Skip> {
        // Lines are asked one by one; what stands between them is ours to keep.
        let mut back = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let inner = line.trim();
            if inner.is_empty() {
                back.push_str(line);
                continue;
            }
            let start = line.len() - line.trim_start().len();
            back.push_str(&line[..start]);
            back.push_str(&self.line(inner)?);
            back.push_str(&line[start + inner.len()..]);
        }
        Ok(back)
    }
}

impl CommandTranslator {
    /// What comes back for one line.
    pub fn line(&self, line: &str) -> Result<String, Skip> {
        self.sound_line(line, &|_| true)
    }

    /// The same, where not every line is an answer. After one that is none, the program must have said all that it had to say.
    pub fn sound_line(&self, line: &str, is_sound: &dyn Fn(&str) -> bool) -> Result<String, Skip> {
        let asked = line.replace(['\0', '\n', '\r'], " ");
        self.steps.0.iter().try_fold(asked, |text, step| {
            let mut step = lock(step);
            let answer = step.ask(&text, is_sound).map_err(|why| Skip(format!("`{}` {why}", step.command).into()))?;
            let answer = answer.trim();
            if answer.is_empty() {
                return Err(Skip(format!("`{}` answered with nothing", step.command).into()));
            }
            Ok(answer.replace(['\0', '\n', '\r'], " "))
        })
    }
}

impl Step {
    fn new(program: &str, arguments: &[&str], command: &str, marks: Marks) -> Self {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Self {
            program: program.to_owned(),
            arguments,
            command: command.to_owned(),
            marks,
            child: None,
            proven: false,
            hangs: 0,
            fault: None,
        }
    }

    fn start(&mut self) -> std::io::Result<Child> {
        match self.child.take() {
            Some(child) => Ok(child),
            None => Child::start(&self.program, &self.arguments, self.marks),
        }
    }

    /// What the program makes of a text. After no answer the next text gets a new program.
    fn ask(&mut self, text: &str, is_sound: &dyn Fn(&str) -> bool) -> Result<String, String> {
        if self.fault.is_some() {
            return Err("is not asked any more".into());
        }
        let mut child = self.start().map_err(|source| format!("cannot be started: {source}"))?;
        if let Some(line) = child.unheard() {
            return Err(self.extra(&short(line.trim())));
        }
        let asked = match self.marks {
            Marks::Lines => child.ask(text),
            Marks::Whole => child.ask(&escaped(text)).map(|answer| unescaped(&answer)),
        };
        self.hangs = if matches!(asked, Err(NoAnswer::Hung)) { self.hangs + 1 } else { 0 };
        match asked {
            Ok(answer) if self.marks == Marks::Whole => Ok(answer),
            // A line that is late shows only where the program has come to its end: so the first answer is its last, and so
            // is one that is none.
            Ok(answer) if !self.proven || answer.trim().is_empty() || !is_sound(answer.trim()) => {
                match child.rest() {
                    Rest::Nothing => self.proven = true,
                    Rest::Line(line) => {
                        let both = format!("{}`, `{}", short(answer.trim()), short(line.trim()));
                        return Err(self.extra(&both));
                    }
                    Rest::Unknown if self.proven => {}
                    Rest::Unknown => {
                        self.fault = Some(ProgramFault::NoEnd { command: self.command.clone() });
                        return Err("did not end with its input".into());
                    }
                }
                Ok(answer)
            }
            Ok(answer) => {
                self.child = Some(child);
                Ok(answer)
            }
            Err(NoAnswer::Hung) => {
                if self.hangs >= MOST_HANGS {
                    self.fault = Some(ProgramFault::Hangs { command: self.command.clone(), times: self.hangs });
                }
                Err(format!("gave no answer within {} seconds", PATIENCE.as_secs()))
            }
            Err(NoAnswer::Other(why)) => Err(why),
        }
    }

    /// Notes a line that was not asked for.
    fn extra(&mut self, line: &str) -> String {
        let line = line.trim().to_owned();
        self.fault = Some(ProgramFault::ExtraLine { command: self.command.clone(), line });
        self.proven = false;
        "wrote a line that was not asked for".into()
    }
}

/// The signs that mean something to apertium, each behind a backslash.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if "[]{}^$/\\@<>".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

/// A lock whose holder panicked guards nothing that could be half done: a child is asked or dropped.
fn lock(step: &Mutex<Step>) -> MutexGuard<'_, Step> {
    step.lock().unwrap_or_else(PoisonError::into_inner)
}
