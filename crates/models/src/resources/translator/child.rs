//! One program that reads texts and writes texts for as long as we run.

use std::io;
use std::time::{Duration, Instant};

use crate::programs::PATIENCE;
use crate::remote::child::{self, LONGEST_LINE, Silence};

/// What ends a text on the way to a program and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    Lines,
    /// The end of its input and of its output: the program is started again for each text.
    Whole,
}

/// No honest answer is so long: the program is babbling.
const LONGEST: usize = 16 << 20;
/// A program may have ended while children of its hold its output open: then this is long enough for its last words.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// A program that does not notice the end of its input may read an empty line for ever, and answer with one.
const MOST_EMPTY: usize = 1000;

/// A running program. It ends, and its children with it, when this is dropped.
#[derive(Debug)]
pub struct Child {
    child: child::Child,
    marks: Marks,
}

/// Why there is no answer to a text.
#[derive(Debug)]
pub enum NoAnswer {
    /// It took longer than `PATIENCE`.
    Hung,
    Other(String),
}

/// What a program says once its input has ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Rest {
    Nothing,
    Line(String),
    /// It goes on running without a word, so it is not known.
    Unknown,
}

impl Child {
    pub fn start(program: &str, arguments: &[String], marks: Marks) -> io::Result<Self> {
        Ok(Self { child: child::Child::start(program, arguments)?, marks })
    }

    /// A line that is there although nothing was asked.
    pub fn unheard(&self) -> Option<String> {
        self.child.unheard()
    }

    /// What the program writes for a text.
    pub fn ask(&mut self, text: &str) -> Result<String, NoAnswer> {
        self.child.send(format!("{text}\n"));
        let answer = if self.marks == Marks::Lines { self.line()? } else { self.whole()? };
        String::from_utf8(answer).map_err(|_| NoAnswer::Other("answered with bytes that are not UTF-8".into()))
    }

    fn line(&self) -> Result<Vec<u8>, NoAnswer> {
        match self.child.hear_bytes(PATIENCE) {
            Ok(line) if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") => Err(endless()),
            Ok(line) => Ok(line),
            Err(Silence::Ended) => Err(NoAnswer::Other("ended before it answered".into())),
            Err(Silence::TooLong) => Err(NoAnswer::Hung),
        }
    }

    fn whole(&mut self) -> Result<Vec<u8>, NoAnswer> {
        self.child.close();
        let deadline = Instant::now() + PATIENCE;
        let mut answer = Vec::new();
        loop {
            match self.child.hear_bytes(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => answer.extend(line),
                Err(Silence::Ended) if answer.is_empty() => {
                    return Err(NoAnswer::Other("ended before it answered".into()));
                }
                Err(Silence::Ended) => return Ok(answer),
                Err(Silence::TooLong) => return Err(NoAnswer::Hung),
            }
            if answer.len() > LONGEST {
                return Err(endless());
            }
        }
    }

    /// Ends the input, and hears what the program says until it ends: a line that was not asked for shows here, however long it
    /// takes.
    pub fn rest(mut self) -> Rest {
        self.child.close();
        let deadline = Instant::now() + PATIENCE;
        let mut empty = 0;
        loop {
            match self.child.hear_bytes(LAST_WORDS) {
                Ok(line) if line.trim_ascii().is_empty() => {
                    empty += 1;
                    if empty > MOST_EMPTY {
                        return Rest::Nothing;
                    }
                    continue;
                }
                Ok(line) => return Rest::Line(String::from_utf8_lossy(&line).into_owned()),
                Err(Silence::TooLong) if !self.child.has_ended() => {
                    if Instant::now() < deadline {
                        continue;
                    }
                    if empty == 0 {
                        return Rest::Unknown;
                    }
                }
                Err(Silence::Ended | Silence::TooLong) => {}
            }
            return if empty > 0 { Rest::Line(String::new()) } else { Rest::Nothing };
        }
    }
}

fn endless() -> NoAnswer {
    NoAnswer::Other("gave an answer without an end".into())
}
