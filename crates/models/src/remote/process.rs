//! Models that are programs: JSON lines in, JSON lines out.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use fissure_core::counted;
use fissure_tasks::{Question, Task, short};
use serde_json::{Value, json};

use super::apis::answer;
use super::child::{Child, Silence};
use super::parallel::in_chunks;
use super::secrets::Secrets;
use super::{Channel, PROCESS, RemoteOptions, Reply, gone};
use crate::{Error, Result};

/// So many questions in a row that end in a fault, and the program is given up.
const MOST_FAULTS: usize = 8;
/// What a program may say before it says hello: progress of loading, warnings.
const MOST_CHATTER: usize = 1000;

/// A program for questions of one task, in as many copies as may work at a time.
#[derive(Debug)]
pub(super) struct Program {
    command: String,
    words: Vec<String>,
    task: &'static Task,
    options: RemoteOptions,
    /// The program sees our environment, and with it the token.
    secrets: Secrets,
    hello: Value,
    seats: Vec<Mutex<Seat>>,
}

/// A place for one copy of the program.
#[derive(Debug, Default)]
struct Seat {
    child: Option<Child>,
    asked: u64,
    faults: usize,
}

impl Program {
    pub fn start(command: &str, task: &'static Task, options: &RemoteOptions) -> Result<Self> {
        let words = split(command).map_err(|why| gone(&format!("{PROCESS}{command}"), why.into()))?;
        let seats = (0..options.concurrency.max(1)).map(|_| Mutex::default()).collect();
        let command = command.to_owned();
        let secrets = Secrets::new(PROCESS, options);
        let options = options.clone();
        let mut program = Self { command, words, task, options, secrets, hello: Value::Null, seats };
        let (child, hello) = program.launch()?;
        program.hello = hello;
        if let Some(first) = program.seats.first_mut() {
            first.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).child = Some(child);
        }
        Ok(program)
    }

    fn gone(&self, why: String) -> Error {
        gone(&format!("{PROCESS}{}", self.command), why)
    }

    /// Starts a copy and greets it.
    fn launch(&self) -> Result<(Child, Value)> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(self.gone("there is no command: write process:python model.py".into()));
        };
        let child =
            Child::start(program, arguments).map_err(|why| self.gone(format!("cannot start `{program}`: {why}")))?;
        child.tell(format!("{}\n", json!({"hello": 1, "task": self.task.name()})));
        // One deadline for all of it: a program that prints for ever must not move it.
        let deadline = Instant::now() + self.options.start_timeout;
        for _ in 0..MOST_CHATTER {
            match child.hear(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => match serde_json::from_str(self.secrets.strike_reply(&line).trim()) {
                    Ok(hello @ Value::Object(_)) => return Ok((child, hello)),
                    _ => continue,
                },
                Err(silence) => {
                    let why = self.why(silence, self.options.start_timeout);
                    return Err(self.gone(format!("no greeting: {why} ({})", child.end(&self.secrets))));
                }
            }
        }
        let end = child.end(&self.secrets);
        Err(self.gone(format!("{MOST_CHATTER} lines and no greeting among them ({end})")))
    }

    fn why(&self, silence: Silence, patience: Duration) -> String {
        match silence {
            Silence::Ended => "the program ended".into(),
            Silence::TooLong => {
                let patience = counted(patience.as_secs() as usize, "second");
                format!("no answer within {patience}; `--timeout` gives it more")
            }
        }
    }

    /// The copy, if it said nothing but answers. Who says more than was asked for may have answered other questions.
    fn alone(&self, child: Child) -> Result<Option<Child>> {
        match child.unheard() {
            None => Ok(Some(child)),
            Some(line) if line.trim_start().starts_with('{') => Err(self.gone(format!(
                "it said `{}` when nothing was asked, so its answers may belong to other questions; let it write one \
                 line for each question, with the `id` of the question in it",
                short(self.secrets.strike(line.trim()).as_ref())
            ))),
            // Chatter; a fresh copy starts clean.
            Some(_) => Ok(None),
        }
    }

    /// Replies by one copy. A question that ends the program, hangs it, or is answered by nonsense, is asked once more by
    /// a fresh copy, for that may have been bad luck; then it gets the reason, and another copy goes on with the next.
    fn chunk(&self, seat: &mut Seat, questions: &[Question]) -> Result<Vec<Reply>> {
        let mut replies: Vec<Reply> = Vec::with_capacity(questions.len());
        let mut again = None;
        while replies.len() < questions.len() {
            let waiting = seat.child.take().map(|child| self.alone(child)).transpose()?.flatten();
            let child = match waiting {
                Some(child) => child,
                None => self.launch()?.0,
            };
            let first = seat.asked;
            for (at, question) in questions[replies.len()..].iter().enumerate() {
                let mut line = question.to_json();
                line["id"] = (first + at as u64).into();
                child.tell(format!("{line}\n"));
            }
            let fault = loop {
                if replies.len() == questions.len() {
                    break None;
                }
                let heard = child.hear(self.options.timeout);
                let heard = heard.map_err(|silence| self.why(silence, self.options.timeout));
                match heard.and_then(|line| read(&self.secrets.strike_reply(&line), seat.asked)) {
                    Ok(reply) => {
                        replies.push(reply);
                        seat.asked += 1;
                        seat.faults = 0;
                    }
                    Err(why) => break Some(why),
                }
            };
            let Some(why) = fault else {
                seat.child = self.alone(child)?;
                break;
            };
            let reason = format!("{why} ({})", child.end(&self.secrets));
            if again != Some(seat.asked) {
                again = Some(seat.asked);
                continue;
            }
            seat.faults += 1;
            if seat.faults >= MOST_FAULTS {
                return Err(self.gone(format!("{MOST_FAULTS} faults in a row; the last: {reason}")));
            }
            replies.push(Err(reason));
            seat.asked += 1;
        }
        Ok(replies)
    }
}

/// Reads a line as the answer to question `id`; an error is a fault of the program, not of the question.
fn read(line: &str, id: u64) -> std::result::Result<Reply, String> {
    let value: Value = serde_json::from_str(line.trim())
        .map_err(|why| format!("the program said `{}`, which is no JSON: {why}", short(line.trim())))?;
    match value.get("id") {
        None | Some(Value::Null) => {}
        Some(said) if *said == id => {}
        Some(said) => return Err(format!("the answer is to question {said}, where {id} was asked")),
    }
    if !value.is_object() {
        return Err(format!("the program said `{}`, which is no object", short(line.trim())));
    }
    Ok(answer(&value))
}

impl Channel for Program {
    fn hello(&self) -> Result<Value> {
        Ok(self.hello.clone())
    }

    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>> {
        let chunk = self.options.batch.max(1);
        in_chunks(questions, chunk, self.seats.len(), |worker, chunk| {
            let mut seat =
                self.seats[worker % self.seats.len()].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.chunk(&mut seat, chunk)
        })
    }
}

/// The words of a command, with quotes and backslashes as in a shell, but no shell: nothing is expanded.
fn split(command: &str) -> std::result::Result<Vec<String>, &'static str> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), _) if letter == open => quote = None,
            (None | Some('"'), '\\') if cfg!(not(windows)) => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("the command has a quote that does not end") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let words = |command: &str| split(command).unwrap();
        assert_eq!(
            words("python3  model.py --name 'my model' \"a b\""),
            ["python3", "model.py", "--name", "my model", "a b"]
        );
        assert_eq!(words("x ''"), ["x", ""]);
        assert_eq!(words(""), [""; 0]);
        if cfg!(not(windows)) {
            assert_eq!(words(r"a\ b"), ["a b"]);
        }
        assert!(split("say \"hello").is_err());
    }

    #[test]
    fn lines_that_are_no_answers_are_faults() {
        assert_eq!(read("{\"id\": 3, \"label\": \"pos\"}", 3), Ok(Ok(json!({"id": 3, "label": "pos"}))));
        assert_eq!(read("{\"error\": \"too long\"}", 3), Ok(Err("too long".into())));
        assert!(read("{\"id\": 4, \"label\": \"pos\"}", 3).unwrap_err().contains("question 4"));
        assert!(read("Traceback", 3).unwrap_err().contains("Traceback"));
        assert!(read("[1]", 3).unwrap_err().contains("no object"));
    }
}
