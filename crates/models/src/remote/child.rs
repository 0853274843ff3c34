//! A program that runs beside us: lines in, lines out, and its last words.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How much of what a program says on standard error is kept.
const LAST_WORDS: usize = 2000;
/// A line longer than this is cut, and will not be JSON.
const LONGEST_LINE: u64 = 64 << 20;
/// So many lines wait to be heard; a program that says more waits itself.
const MOST_UNHEARD: usize = 256;

/// A running program. Threads carry its three streams, so that neither side can block the other.
#[derive(Debug)]
pub(super) struct Child {
    process: std::process::Child,
    questions: Option<Sender<String>>,
    answers: Receiver<String>,
    last_words: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// The program has ended, or closed its output.
    Ended,
    TooLong,
}

impl Child {
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Self> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (questions, to_write) = channel::<String>();
        if let Some(mut input) = process.stdin.take() {
            thread::spawn(move || {
                // A program that has ended reads no more; that shows on its output.
                while let Ok(line) = to_write.recv() {
                    if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        let (heard, answers) = sync_channel(MOST_UNHEARD);
        if let Some(output) = process.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                        Ok(1..) if heard.send(String::from_utf8_lossy(&line).into_owned()).is_ok() => {}
                        _ => break,
                    }
                }
            });
        }
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let listener = process.stderr.take().map(|mut errors| {
            let words = Arc::clone(&last_words);
            thread::spawn(move || {
                let mut buffer = [0; 1024];
                while let Ok(read @ 1..) = errors.read(&mut buffer) {
                    let mut words = words.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    words.extend_from_slice(&buffer[..read]);
                    let surplus = words.len().saturating_sub(LAST_WORDS);
                    words.drain(..surplus);
                }
            })
        });
        Ok(Self { process, questions: Some(questions), answers, last_words, listener })
    }

    /// Sends a line; whether it arrives shows in what is heard.
    pub fn tell(&self, line: String) {
        if let Some(questions) = &self.questions {
            // The writer is gone only when the program is.
            let _ = questions.send(line);
        }
    }

    /// The next line of the program's output.
    pub fn hear(&self, patience: Duration) -> Result<String, Silence> {
        self.answers.recv_timeout(patience).map_err(|why| match why {
            RecvTimeoutError::Timeout => Silence::TooLong,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// A line that is there already.
    pub fn unheard(&self) -> Option<String> {
        self.answers.try_recv().ok()
    }

    /// Ends the program, if it has not ended by itself; how it ended, and its last words.
    pub fn end(mut self) -> String {
        self.questions = None;
        self.wait_or_kill(Duration::from_millis(200));
        let status = self.process.wait().map_or_else(|why| why.to_string(), |status| status.to_string());
        // The words may still be on their way; a grandchild could hold the stream open for ever.
        for _ in 0..50 {
            if self.listener.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let words = self.last_words.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let words = String::from_utf8_lossy(&words).trim().to_owned();
        if words.is_empty() { status } else { format!("{status}; its last words: {words}") }
    }

    fn wait_or_kill(&mut self, patience: Duration) {
        const STEP: Duration = Duration::from_millis(10);
        for _ in 0..patience.as_millis() / STEP.as_millis() {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(STEP);
        }
        // Fails only where it has ended meanwhile.
        let _ = self.process.kill();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Its input ends, so a well-behaved program does too.
        self.questions = None;
        self.wait_or_kill(Duration::from_secs(2));
        let _ = self.process.wait();
    }
}
