//! A program that runs beside us: lines in, lines out, and its last words.
//!
//! On Unix the program leads a process group of its own, and the group ends with it: a model that starts workers leaves
//! none behind. Only a child that leaves the group on purpose (`setsid`) stays.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::secrets::Secrets;

/// How much of what a program says on standard error is kept.
const LAST_WORDS: usize = 2000;
/// A line longer than this is cut, and will not be JSON. As a tree of JSON values it may take a hundred times as much
/// memory.
pub(crate) const LONGEST_LINE: u64 = 8 << 20;
/// Between two looks whether a program that says nothing has ended.
const STEP_OF_REST: Duration = Duration::from_millis(500);
/// At most this many lines wait to be heard; a program that says more waits itself.
const MOST_UNHEARD: usize = 16;

/// A running program. Threads carry its three streams, so that neither side can block the other.
#[derive(Debug)]
pub(crate) struct Child {
    process: std::process::Child,
    /// How it ended, once it has.
    status: Option<ExitStatus>,
    /// Ends the group if we are killed and cannot.
    #[cfg(unix)]
    watch: Option<std::process::Child>,
    questions: Option<Sender<String>>,
    answers: Receiver<Vec<u8>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The program has ended, or closed its output.
    Ended,
    TooLong,
}

impl Child {
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let mut process = command.spawn()?;
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
                        Ok(1..) if heard.send(line).is_ok() => {}
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
        Ok(Self {
            #[cfg(unix)]
            watch: watch(process.id()),
            process,
            status: None,
            questions: Some(questions),
            answers,
            last_words,
            listener,
        })
    }

    /// Sends a line; whether it arrives shows in what is heard.
    pub fn send(&self, line: String) {
        if let Some(questions) = &self.questions {
            // The writer is gone only when the program is.
            let _ = questions.send(line);
        }
    }

    /// The next line of the program's output.
    pub fn hear(&self, patience: Duration) -> Result<String, Silence> {
        self.hear_bytes(patience).map(|line| lossy(&line))
    }

    /// The same, as it was written.
    pub fn hear_bytes(&self, patience: Duration) -> Result<Vec<u8>, Silence> {
        self.answers.recv_timeout(patience).map_err(|why| match why {
            RecvTimeoutError::Timeout => Silence::TooLong,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// A line that is there already.
    pub fn unheard(&self) -> Option<String> {
        self.answers.try_recv().ok().map(|line| lossy(&line))
    }

    /// Ends the program's input. What it has still to say can be heard.
    pub fn close(&mut self) {
        self.questions = None;
    }

    /// Ends the input, and hears what the program says until it ends, for as long as `patience` lets it: the first line that is
    /// `wanted`.
    pub fn rest(mut self, patience: Duration, wanted: fn(&str) -> bool) -> Option<String> {
        self.close();
        let deadline = Instant::now() + patience;
        loop {
            match self.hear(deadline.saturating_duration_since(Instant::now()).min(STEP_OF_REST)) {
                Ok(line) if wanted(&line) => return Some(line),
                Ok(_) => {}
                // A child of it may hold its output open when it has ended.
                Err(Silence::TooLong) if !self.has_ended() && Instant::now() < deadline => {}
                Err(_) => return None,
            }
            if Instant::now() >= deadline {
                return None;
            }
        }
    }

    /// Ends the program, if it has not ended by itself; how it ended, and its last words without the keys.
    pub(super) fn end(mut self, secrets: &Secrets) -> String {
        self.questions = None;
        let ended = self.stop(Duration::from_millis(200));
        let status = ended.map_or_else(|why| why.to_string(), |status| status.to_string());
        // The words may still be on their way; a grandchild that left the group could hold the stream open for ever.
        for _ in 0..50 {
            if self.listener.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let words = self.last_words.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let full = words.len() >= LAST_WORDS;
        let words = String::from_utf8_lossy(&words);
        let words = secrets.strike(&words);
        // What was kept of more words may begin within a key.
        let cut = if full { words.ceil_char_boundary(secrets.longest()) } else { 0 };
        match words[cut..].trim() {
            "" => status,
            words => format!("{status}; stderr: {words}"),
        }
    }

    /// Waits for the program to end, kills what is left of its group, and gives its status.
    fn stop(&mut self, patience: Duration) -> io::Result<ExitStatus> {
        // Once the program is reaped its number may belong to another.
        if let Some(status) = self.status {
            return Ok(status);
        }
        const STEP: Duration = Duration::from_millis(10);
        for _ in 0..patience.as_millis() / STEP.as_millis() {
            if self.has_ended() {
                break;
            }
            thread::sleep(STEP);
        }
        self.kill();
        self.process.wait().inspect(|status| self.status = Some(*status))
    }

    /// Whether the program has ended. It is not reaped, so its number stays taken until its group is killed.
    #[cfg(unix)]
    pub fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.process)), options), Ok(None))
    }

    #[cfg(not(unix))]
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Kills what still runs; it fails only if nothing does.
    #[cfg(unix)]
    fn kill(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        if let Some(mut watch) = self.watch.take() {
            let _ = watch.kill();
            let _ = watch.wait();
        }
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.process.kill();
    }
}

fn lossy(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Starts a shell that reads until we end, however we end, and then kills the group. Ctrl-C in a terminal no longer
/// reaches the program, which has a group of its own, so without this a program that hangs would stay. If there is no
/// `sh` the program still sees the end of its input.
#[cfg(unix)]
fn watch(group: u32) -> Option<std::process::Child> {
    Command::new("sh")
        .args(["-c", "read -r _; kill -s KILL -- \"-$0\"", &group.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()
}

impl Drop for Child {
    fn drop(&mut self) {
        // Its input ends, so a well-behaved program does too.
        self.questions = None;
        let _ = self.stop(Duration::from_secs(2));
    }
}
