//! One program that reads texts and writes texts for as long as we run.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// What ends a text on the way to a program and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    Lines,
    /// The end of its input and of its output: the program is started again for each text.
    Whole,
}

/// A running program. It ends when this is dropped.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    /// Taken away to end the input.
    input: Option<ChildStdin>,
    answers: Receiver<std::io::Result<Vec<u8>>>,
    marks: Marks,
}

/// A program that takes longer for one line is taken for hung.
const PATIENCE: Duration = Duration::from_secs(60);
/// No honest answer is so long: the program is babbling.
const LONGEST: usize = 16 << 20;

impl Child {
    pub fn start(program: &str, arguments: &[String], marks: Marks) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        // A thread of its own reads, so that a program that never answers can be left waiting.
        let (send, answers) = sync_channel(1);
        // No text holds a null byte, so that a whole answer goes on to its end.
        let end = if marks == Marks::Lines { b'\n' } else { 0 };
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let answer = read_until(&mut output, end);
                let last = !matches!(&answer, Ok(bytes) if !bytes.is_empty());
                if send.send(answer).is_err() || last {
                    break;
                }
            }
        });
        Ok(Self { process, input: Some(input), answers, marks })
    }

    /// What the program writes for a text.
    pub fn ask(&mut self, text: &str) -> Result<String, String> {
        let Some(mut input) = self.input.take() else { return Err("does not read any more".into()) };
        let write = |input: &mut ChildStdin| {
            input.write_all(text.as_bytes())?;
            input.write_all(b"\n")?;
            input.flush()
        };
        write(&mut input).map_err(|error| format!("does not read any more: {error}"))?;
        if self.marks == Marks::Lines {
            self.input = Some(input);
        } else {
            drop(input);
        }
        match self.answers.recv_timeout(PATIENCE) {
            Ok(Ok(answer)) if answer.is_empty() => Err("ended before it answered".into()),
            Ok(Ok(answer)) => String::from_utf8(answer).map_err(|_| "answered with bytes that are not UTF-8".into()),
            Ok(Err(error)) => Err(format!("cannot be read: {error}")),
            Err(RecvTimeoutError::Timeout) => Err(format!("gave no answer within {} seconds", PATIENCE.as_secs())),
            Err(RecvTimeoutError::Disconnected) => Err("ended before it answered".into()),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing is left behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The bytes up to `end`, with it; what was there where the program exited.
fn read_until(output: &mut impl BufRead, end: u8) -> std::io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let mut limited = std::io::Read::take(output, LONGEST as u64);
    limited.read_until(end, &mut answer)?;
    if answer.len() == LONGEST {
        return Err(std::io::Error::other("the answer has no end"));
    }
    Ok(answer)
}
