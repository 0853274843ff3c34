//! Translation there and back by programs that run beside us.
//!
//! A command is started once and asked line by line. `apertium` is started for each text: its pipeline keeps answers
//! back until its input ends, null flush (`-z`) or not. Each worker asks through a lock; answers do not depend on the order of questions, as
//! long as the program's do not. A program that dies, hangs or gives nothing is ended and started again for the next text,
//! and the sample is skipped with the reason.

mod child;

use std::sync::Mutex;

use fissure_core::{Skip, Translator};

use child::{Child, Marks};

/// A translator made of one program or two in a row.
#[derive(Debug)]
pub struct CommandTranslator {
    way: String,
    steps: Vec<Mutex<Step>>,
}

#[derive(Debug)]
struct Step {
    program: String,
    arguments: Vec<String>,
    marks: Marks,
    child: Option<Child>,
}

/// Why a translator cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TranslatorError {
    #[error("`--translator` names no command; write `--translator apertium` or `--translator 'COMMAND'`")]
    Empty,
    #[error("cannot start `{program}`: {source}; install it, or name another command with --translator")]
    Start { program: String, source: std::io::Error },
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
                let step = |pair: &str| Step::new("apertium", &["-u", "-f", "none", pair], Marks::Whole);
                Self { way: format!("{pair} and back by apertium"), steps: vec![step(pair).into(), step(&back).into()] }
            }
            None => Self { way: what.to_owned(), steps: vec![Step::new("sh", &["-c", what], Marks::Lines).into()] },
        };
        for step in &translator.steps {
            // A program that is not there is found out now, not at the first text.
            lock(step)
                .start()
                .map_err(|source| TranslatorError::Start { program: lock(step).program.clone(), source })?;
        }
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
        let asked = line.replace(['\0', '\n', '\r'], " ");
        self.steps.iter().try_fold(asked, |text, step| {
            let mut step = lock(step);
            let answer = step.ask(&text).map_err(|why| Skip(format!("`{}` {why}", step.program).into()))?;
            let answer = answer.trim();
            if answer.is_empty() {
                return Err(Skip(format!("`{}` answered with nothing", step.program).into()));
            }
            Ok(answer.replace(['\0', '\n', '\r'], " "))
        })
    }
}

impl Step {
    fn new(program: &str, arguments: &[&str], marks: Marks) -> Self {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Self { program: program.to_owned(), arguments, marks, child: None }
    }

    fn start(&mut self) -> std::io::Result<&mut Child> {
        if self.child.is_none() {
            self.child = Some(Child::start(&self.program, &self.arguments, self.marks)?);
        }
        self.child.as_mut().ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    /// What the program makes of a text. After a fault the next text gets a new program.
    fn ask(&mut self, text: &str) -> Result<String, String> {
        let marks = self.marks;
        let child = self.start().map_err(|source| format!("cannot be started: {source}"))?;
        let asked = match marks {
            Marks::Lines => child.ask(text),
            Marks::Whole => child.ask(&escaped(text)).map(|answer| unescaped(&answer)),
        };
        if asked.is_err() || marks == Marks::Whole {
            self.child = None;
        }
        asked
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
fn lock(step: &Mutex<Step>) -> std::sync::MutexGuard<'_, Step> {
    step.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
