//! Models that are programs: JSON lines in, JSON lines out.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use fissure_core::counted;
use fissure_core::keys::Once;
use fissure_tasks::{Question, Task, short};
use serde_json::{Value, json};

use super::apis::answer;
use super::child::{Child, Silence};
use super::parallel::in_chunks;
use super::secrets::Secrets;
use super::{Channel, Meter, PROCESS, RemoteOptions, Reply, USUAL_BATCH, gone};
use crate::programs::{ProgramFault, Watched, all, watch};
use crate::{Error, Result};

/// After this many faults in a row, the program is given up.
const MOST_FAULTS: usize = 8;
/// What a program may say before it says hello: progress of loading, warnings.
const MOST_CHATTER: usize = 1000;
/// How long a program may take to end once its input has. A line that it was not asked for is there long before.
const END_PATIENCE: Duration = Duration::from_secs(10);

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
    /// The most questions that the program takes in one line; `None` if it takes one question a line.
    most: Option<usize>,
    seats: Arc<Seats>,
}

/// The copies of a program.
#[derive(Debug)]
struct Seats {
    command: String,
    secrets: Secrets,
    seats: Vec<Mutex<Seat>>,
}

/// A place for one copy of the program.
#[derive(Debug, Default)]
struct Seat {
    child: Option<Child>,
    asked: u64,
    faults: usize,
    /// Whether its answers say which question they are to.
    numbered: bool,
    /// Why its answers cannot be trusted.
    fault: Option<ProgramFault>,
}

impl Seats {
    fn lock(&self, at: usize) -> MutexGuard<'_, Seat> {
        self.seats[at % self.seats.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at each copy, and takes its fault.
    fn each(&self, look: impl Fn(&mut Seat)) -> std::result::Result<(), ProgramFault> {
        all((0..self.seats.len()).map(|at| {
            let seat = &mut *self.lock(at);
            look(seat);
            seat.fault.take().map_or(Ok(()), Err)
        }))
    }

    fn extra(&self, line: &str) -> ProgramFault {
        let line = short(self.secrets.strike(line.trim()).as_ref());
        ProgramFault::ExtraAnswer { command: self.command.clone(), line }
    }
}

impl Watched for Seats {
    fn check(&self) -> std::result::Result<(), ProgramFault> {
        self.each(|_| {})
    }

    fn finish(&self) -> std::result::Result<(), ProgramFault> {
        self.each(|seat| {
            // Answers with numbers cannot go astray, and who was asked nothing has given none.
            if seat.numbered || seat.asked == 0 {
                return;
            }
            let rest = seat.child.take().and_then(|child| child.rest(END_PATIENCE, is_answer));
            if let Some(line) = rest {
                seat.fault.get_or_insert(self.extra(&line));
            }
        })
    }
}

impl Program {
    pub fn start(command: &str, task: &'static Task, options: &RemoteOptions) -> Result<Self> {
        let words = split(command).map_err(|why| gone(&format!("{PROCESS}{command}"), why.into()))?;
        let seats = (0..options.concurrency.max(1)).map(|_| Mutex::default()).collect();
        let command = command.to_owned();
        let secrets = Secrets::new(PROCESS, options);
        let options = options.clone();
        let seats = Arc::new(Seats { command: command.clone(), secrets: secrets.clone(), seats });
        let mut program = Self { command, words, task, options, secrets, hello: Value::Null, most: None, seats };
        let (child, hello) = program.launch()?;
        program.most = program.batch_of(&hello)?;
        program.hello = hello;
        program.seats.lock(0).child = Some(child);
        let seats: Weak<Seats> = Arc::downgrade(&program.seats);
        watch(seats);
        Ok(program)
    }

    fn gone(&self, why: String) -> Error {
        gone(&format!("{PROCESS}{}", self.command), why)
    }

    /// What the greeting says about batches.
    fn batch_of(&self, hello: &Value) -> Result<Option<usize>> {
        match &hello["batch"] {
            Value::Null => Ok(None),
            said => match said.as_u64() {
                Some(most @ 1..) => Ok(Some(usize::try_from(most).unwrap_or(usize::MAX))),
                _ => {
                    let said = short(&said.to_string());
                    Err(self.gone(format!(
                        "its greeting says `\"batch\": {said}`, which is not a whole number of 1 or more"
                    )))
                }
            },
        }
    }

    /// A copy that waits for questions.
    fn ready(&self, seat: &mut Seat) -> Result<Child> {
        match seat.child.take().map(|child| self.alone(seat, child)).transpose()?.flatten() {
            Some(child) => Ok(child),
            None => Ok(self.launch()?.0),
        }
    }

    /// Counts a line that the program is asked to answer.
    fn sent(&self, again: bool) {
        self.options.meter.change(|asked| {
            asked.requests += 1;
            asked.retries += u64::from(again);
        });
    }

    /// Counts replies and how long one took.
    fn heard(&self, replies: &[Reply], since: Instant) {
        self.options.meter.change(|asked| {
            asked.questions += replies.len() as u64;
            asked.failures += replies.iter().filter(|reply| reply.is_err()).count() as u64;
            asked.took(since.elapsed());
        });
    }

    /// Replies by a copy that takes many questions in one line. A batch that ends the program, hangs it, or is answered by
    /// nonsense, is asked once more by a fresh copy, and then taken apart: only the question at fault gets the reason.
    fn batch(&self, seat: &mut Seat, questions: &[Question]) -> Result<Vec<Reply>> {
        let mut reason = String::new();
        for again in [false, true] {
            let child = self.ready(seat)?;
            let asked: Vec<Value> = questions.iter().map(Question::to_json).collect();
            child.send(format!("{}\n", json!({"id": seat.asked, "questions": asked})));
            self.sent(again);
            let since = Instant::now();
            let heard = child.hear(self.options.timeout);
            let heard = heard.map_err(|silence| self.why(silence, self.options.timeout));
            let (numbered, asked) = (&mut seat.numbered, seat.asked);
            let read = |line: String| {
                let line = self.secrets.strike_reply(&line);
                *numbered = *numbered || number(&line).is_some_and(|id| id == asked);
                read_batch(&line, asked, questions.len())
            };
            match heard.and_then(read) {
                Ok(replies) => {
                    self.heard(&replies, since);
                    seat.asked += 1;
                    seat.faults = 0;
                    seat.child = self.alone(seat, child)?;
                    return Ok(replies);
                }
                Err(why) => reason = format!("{why} ({})", child.end(&self.secrets)),
            }
        }
        seat.asked += 1;
        if questions.len() > 1 {
            let singles: Result<Vec<_>> =
                questions.iter().map(|question| self.batch(seat, std::slice::from_ref(question))).collect();
            return Ok(singles?.concat());
        }
        self.fault(seat, &reason)?;
        Ok(vec![Err(reason)])
    }

    /// Counts a question that went without an answer; too many in a row are the end.
    fn fault(&self, seat: &mut Seat, reason: &str) -> Result<()> {
        self.options.meter.change(|asked| {
            asked.questions += 1;
            asked.failures += 1;
        });
        seat.faults += 1;
        if seat.faults >= MOST_FAULTS {
            return Err(self.gone(format!("{MOST_FAULTS} faults in a row; the last: {reason}")));
        }
        Ok(())
    }

    /// The first line that a program is sent.
    fn hello(&self) -> Value {
        json!({"hello": 1, "task": self.task.name()})
    }

    /// Starts a copy and greets it.
    fn launch(&self) -> Result<(Child, Value)> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(self.gone("there is no command: write process:python model.py".into()));
        };
        let child =
            Child::start(program, arguments).map_err(|why| self.gone(format!("cannot start `{program}`: {why}")))?;
        child.send(format!("{}\n", self.hello()));
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
                    return Err(self.gone(format!(
                        "no greeting: {why} ({}). The first line that the program reads is {}; it answers with {{}} or \
                         {{\"labels\": [...]}} on one line, then with one line for each question (docs/protocol.md)",
                        child.end(&self.secrets),
                        self.hello(),
                    )));
                }
            }
        }
        let end = child.end(&self.secrets);
        Err(self.gone(format!("{MOST_CHATTER} lines and no greeting among them ({end})")))
    }

    fn why(&self, silence: Silence, patience: Duration) -> String {
        match silence {
            Silence::Ended => "the program exited".into(),
            Silence::TooLong => {
                let patience = counted(patience.as_secs() as usize, "second");
                format!("no answer within {patience}; `--timeout` gives it more")
            }
        }
    }

    /// The copy, if it said nothing but answers. Who says more than was asked for may have answered other questions, unless its
    /// answers say which they are to.
    fn alone(&self, seat: &mut Seat, child: Child) -> Result<Option<Child>> {
        match child.unheard() {
            None => Ok(Some(child)),
            Some(line) if is_answer(&line) && !seat.numbered => {
                let fault = seat.fault.insert(self.seats.extra(&line));
                Err(fault.clone().into())
            }
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
            let child = self.ready(seat)?;
            let mut sent = replies.len();
            let mut since = Instant::now();
            let fault = loop {
                if replies.len() == questions.len() {
                    break None;
                }
                // Answers without a number are those to the last question only if no other was sent: a program that passes one
                // over would otherwise give its answers to other questions from there on.
                let ahead = if seat.numbered { questions.len() } else { replies.len() + 1 };
                for question in &questions[sent..ahead.max(sent)] {
                    let mut line = question.to_json();
                    line["id"] = (seat.asked + (sent - replies.len()) as u64).into();
                    child.send(format!("{line}\n"));
                    sent += 1;
                }
                // Lines wait in the pipe; one counts when its answer is due, so that those behind a crash count once.
                self.sent(again == Some(seat.asked));
                let heard = child.hear(self.options.timeout);
                let heard = heard.map_err(|silence| self.why(silence, self.options.timeout));
                let numbered = &mut seat.numbered;
                let heard = heard.and_then(|line| {
                    let line = self.secrets.strike_reply(&line);
                    let id = number(&line);
                    if *numbered && id.is_none() {
                        return Err(format!("the program wrote `{}`, which has no `id`", short(line.trim())));
                    }
                    *numbered = *numbered || id.is_some_and(|id| id == seat.asked);
                    read(&line, seat.asked)
                });
                match heard {
                    Ok(reply) => {
                        self.heard(std::slice::from_ref(&reply), since);
                        since = Instant::now();
                        replies.push(reply);
                        seat.asked += 1;
                        seat.faults = 0;
                    }
                    Err(why) => break Some(why),
                }
            };
            let Some(why) = fault else {
                seat.child = self.alone(seat, child)?;
                break;
            };
            let reason = format!("{why} ({})", child.end(&self.secrets));
            if again != Some(seat.asked) {
                again = Some(seat.asked);
                continue;
            }
            self.fault(seat, &reason)?;
            replies.push(Err(reason));
            seat.asked += 1;
        }
        Ok(replies)
    }
}

/// The number of the question that an answer is to, if it says so.
fn number(line: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(line.trim()).ok()?;
    value.get("id").filter(|id| !id.is_null()).cloned()
}

/// Whether a line that was not asked for would be taken for an answer. What is no JSON is chatter: it is never one.
fn is_answer(line: &str) -> bool {
    line.trim_start().starts_with('{')
}

/// Reads a line as the answer to question `id`; an error is a fault of the program, not of the question.
fn read(line: &str, id: u64) -> std::result::Result<Reply, String> {
    let value: Value = serde_json::from_str(line.trim())
        .map_err(|why| format!("the program wrote `{}`, which is not JSON: {why}", short(line.trim())))?;
    // Of two values a parser keeps the last, in silence.
    if let Err(why) = serde_json::from_str::<Once>(line.trim()) {
        return Err(format!("the program wrote `{}`: {why}", short(line.trim())));
    }
    match value.get("id") {
        None | Some(Value::Null) => {}
        Some(said) if *said == id => {}
        Some(said) => return Err(format!("the answer is to question {said}, where {id} was asked")),
    }
    if !value.is_object() {
        return Err(format!("the program wrote `{}`, which is not an object", short(line.trim())));
    }
    Ok(answer(&value))
}

/// Reads a line as the answers to batch `id` of this many questions.
fn read_batch(line: &str, id: u64, count: usize) -> std::result::Result<Vec<Reply>, String> {
    let value = match read(line, id)? {
        Ok(value) => value,
        // The program refuses the batch; one of the questions may be the reason.
        Err(why) if count > 1 => return Err(why),
        Err(why) => return Ok(vec![Err(why)]),
    };
    let Some(answers) = value["answers"].as_array() else {
        return Err(format!("there is no list `answers` in `{}`", short(line.trim())));
    };
    if answers.len() != count {
        return Err(format!("{} to {}", counted(answers.len(), "answer"), counted(count, "question")));
    }
    Ok(answers.iter().map(answer).collect())
}

impl Channel for Program {
    fn hello(&self) -> Result<Value> {
        Ok(self.hello.clone())
    }

    fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>> {
        let chunk = match (self.options.batch, self.most) {
            (Some(wanted), Some(most)) => wanted.min(most),
            (Some(size), None) | (None, Some(size)) => size,
            (None, None) => USUAL_BATCH,
        };
        in_chunks(questions, chunk, self.seats.seats.len(), |worker, chunk| {
            let mut seat = self.seats.lock(worker);
            if self.most.is_some() { self.batch(&mut seat, chunk) } else { self.chunk(&mut seat, chunk) }
        })
    }

    fn meter(&self) -> Option<&Meter> {
        Some(&self.options.meter)
    }
}

/// The files that a command names: its words, the words of a word in quotes (`sh -c "python3 model.py"`), what follows a `=`, and the module of `python3 -m`.
pub fn command_files(command: &str) -> Vec<String> {
    let words = split(command).unwrap_or_default();
    let named = words.iter().flat_map(|word| {
        let pieces = word.split_whitespace().flat_map(|piece| [piece, piece.rsplit('=').next().unwrap_or(piece)]);
        std::iter::once(word.as_str()).chain(pieces)
    });
    let modules = words.windows(2).filter(|pair| pair[0] == "-m").flat_map(|pair| {
        let path = pair[1].replace('.', "/");
        [format!("{path}.py"), format!("{path}/__main__.py"), format!("{path}/__init__.py")]
    });
    let mut files: Vec<String> =
        named.map(str::to_owned).chain(modules).filter(|name| Path::new(name).is_file()).collect();
    files.sort();
    files.dedup();
    files
}

/// The files of a command that decide its answers: programs, and models that it loads. Other files that a command names may
/// be written while it answers, such as a log.
pub fn program_files(command: &str) -> Vec<String> {
    let mut files = command_files(command);
    files.retain(|file| is_program(Path::new(file)));
    files
}

/// Endings of source code, of programs, of settings, and of files with weights.
const PROGRAMS: &[&str] = &[
    "bin",
    "cfg",
    "exe",
    "gguf",
    "h5",
    "ini",
    "jar",
    "jl",
    "joblib",
    "js",
    "json",
    "lua",
    "mjs",
    "model",
    "npy",
    "npz",
    "onnx",
    "pickle",
    "pkl",
    "pl",
    "pt",
    "pth",
    "py",
    "r",
    "rb",
    "safetensors",
    "sh",
    "toml",
    "ts",
    "yaml",
    "yml",
];

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    if let Ok(about) = path.metadata() {
        use std::os::unix::fs::PermissionsExt as _;
        if about.permissions().mode() & 0o111 != 0 {
            return true;
        }
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    PROGRAMS.contains(&ending.to_ascii_lowercase().as_str())
}

/// The words of a command, with quotes and backslashes as in a shell, but no shell: nothing is expanded.
pub(super) fn split(command: &str) -> std::result::Result<Vec<String>, &'static str> {
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
        let twice = "{\"id\": 3, \"label\": \"pos\", \"label\": \"neg\"}";
        assert!(read(twice, 3).unwrap_err().contains("the key `label` occurs twice"));
        let scores = "{\"scores\": {\"pos\": 0.9, \"pos\": 0.1}}";
        assert!(read(scores, 3).unwrap_err().contains("the key `pos` occurs twice"));
        assert!(read("[1]", 3).unwrap_err().contains("not an object"));
    }
}
