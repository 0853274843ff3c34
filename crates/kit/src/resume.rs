//! Outputs that can be stopped and resumed: `transform`, `slice`, `score` and `predict`.
//!
//! Beside the unfinished file lies a journal that says how many samples are in it. A run that goes on reads the data from
//! the start, checks that they are the same, and passes over the samples that are done.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fissure_ask::checksum;
use fissure_core::{Sample, counted};
use fissure_data::draft::Fingerprint;
use fissure_data::{Existing, Journal, Output, Writer};
use fissure_evaluate::shell_word;
use fissure_models::remote::{PROCESS, is_remote, program_files, public};
use fissure_settings::ResourceFiles;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::notice::note;
use crate::{Error, Result, resources, stop};

/// How often a plain file is kept; a compressed one is kept if it can be.
const EVERY: Duration = Duration::from_millis(200);

/// What may happen to an output that is there already.
#[derive(Debug, Clone, Copy, Default)]
pub struct Begin {
    /// Replace it.
    pub force: bool,
    /// Continue it.
    pub resume: bool,
}

impl Begin {
    pub fn existing(self) -> Existing {
        Existing::forced(self.force)
    }
}

/// A run that writes an output which can be gone on with.
pub struct Resumable {
    journal: Journal,
    fingerprint: Fingerprint,
    /// Samples that a stopped run has done.
    done: u64,
    /// Samples that a run that is stopped now would not do again.
    kept: u64,
    /// What is kept so far, for who stops this one.
    path: Option<PathBuf>,
    compressed: bool,
    next: Instant,
}

/// A file that can be kept and gone on with.
pub trait Keepable {
    fn can_be_kept(&mut self) -> bool;
    /// To be called after every sample. Whether a run that is stopped now could go on from here.
    fn end_row(&mut self) -> Result<bool>;
    fn keep(&mut self, journal: &mut Journal) -> Result<()>;
}

impl Keepable for Output {
    fn can_be_kept(&mut self) -> bool {
        Self::can_be_kept(self)
    }

    fn end_row(&mut self) -> Result<bool> {
        Self::end_row(self).map_err(Error::writing("the output"))
    }

    fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        Ok(Self::keep(self, journal)?)
    }
}

impl Keepable for Writer {
    fn can_be_kept(&mut self) -> bool {
        Self::can_be_kept(self)
    }

    fn end_row(&mut self) -> Result<bool> {
        Ok(Self::end_row(self)?)
    }

    fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        Ok(Self::keep(self, journal)?)
    }
}

/// What a change reads besides the samples, by the names that [`settings`] takes.
pub fn used(resources: &ResourceFiles, model: Option<&str>) -> Vec<String> {
    let programs = resources.commands().into_iter().map(|command| format!("{PROCESS}{command}"));
    resources.read_files().chain(model).map(str::to_owned).chain(programs).collect()
}

/// Everything that the bytes of an output depend on besides the data: the settings as they are printed, and the files and
/// directories that the settings name, with the programs of `process:` models.
pub fn settings<T: AsRef<str>>(printed: &str, files: impl IntoIterator<Item = T>) -> Result<String> {
    let mut hash = Sha256::new();
    hash.update(printed);
    for name in files {
        let name = name.as_ref();
        // A program answers otherwise once it was edited, as a model does.
        let files = match name.strip_prefix(PROCESS) {
            Some(command) => program_files(command),
            None => vec![name.to_owned()],
        };
        for file in files.iter().map(Path::new).filter(|file| file.exists()) {
            hash.update(checksum(file)?);
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Resumable {
    /// Starts the output at `path`, or goes on with it. `model` is the name of a model that may have a secret in it.
    pub fn open<O: Keepable>(
        path: Option<&Path>,
        resume: bool,
        settings: String,
        start: impl FnOnce() -> Result<O>,
        go_on: impl FnOnce(&Path) -> Result<Option<(O, Journal)>>,
    ) -> Result<(Self, O)> {
        let mut journal = Journal {
            fissure: env!("CARGO_PKG_VERSION").into(),
            command: command(),
            settings,
            samples: 0,
            input: String::new(),
            bytes: 0,
            output: String::new(),
            replace: false,
            format: Value::Null,
            counts: Value::Null,
        };
        let found = match path.filter(|_| resume) {
            Some(path) => go_on(path)?,
            None => None,
        };
        let mut out = match found {
            Some((out, kept)) => {
                if (&kept.settings, &kept.fissure) != (&journal.settings, &journal.fissure) {
                    return Err(Error::OtherSettings { command: kept.command });
                }
                note(&format!("continuing after {}", counted(kept.samples as usize, "sample")));
                journal = kept;
                out
            }
            None => {
                let mut out = start()?;
                match out.can_be_kept() {
                    true if resume => note("nothing was kept to continue with: starting from the beginning"),
                    false if resume => note("this kind of output cannot be continued: starting from the beginning"),
                    _ => {}
                }
                out
            }
        };
        let named = path;
        let path = named.filter(|_| out.can_be_kept()).map(Path::to_owned);
        let ending = path.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
        let compressed = matches!(ending, Some("gz" | "zst"));
        let done = journal.samples;
        let (fingerprint, next) = (Fingerprint::default(), Instant::now());
        let run = Self { journal, fingerprint, done, kept: done, path, compressed, next };
        match named.filter(|_| run.path.is_none()) {
            Some(named) if named.is_file() || !named.exists() => {
                let words = format!("stopped: {} is as it was, and cannot be continued", named.display());
                stop::say_and_remove(words, Some(draft_of(named)));
            }
            _ => run.announce(),
        }
        Ok((run, out))
    }

    /// What the stopped run had counted.
    pub fn counts<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.journal.counts.clone()).ok()
    }

    /// How many of these samples, the next of the data, are in the output already.
    pub fn done_of(&mut self, batch: &[Sample]) -> Result<usize> {
        let count = self.done.min(batch.len() as u64) as usize;
        if count > 0 {
            batch[..count].iter().for_each(|sample| self.fingerprint.add(sample));
            self.done -= count as u64;
            if self.done == 0 && self.fingerprint.checksum() != self.journal.input {
                return Err(Error::OtherData { command: self.journal.command.clone() });
            }
        }
        Ok(count)
    }

    /// A sample is in the output, with everything that was counted of it.
    pub fn wrote<T: Serialize>(&mut self, sample: &Sample, out: &mut impl Keepable, counts: &T) -> Result<()> {
        if self.path.is_none() {
            return Ok(());
        }
        self.fingerprint.add(sample);
        self.journal.samples += 1;
        if out.end_row()? && (self.compressed || Instant::now() >= self.next) {
            self.keep(out, counts)?;
        }
        Ok(())
    }

    /// To be called when what is written next has to be computed first, which may take long: nothing of the batch before is
    /// lost then.
    pub fn batch_ends<T: Serialize>(&mut self, out: &mut impl Keepable, counts: &T) -> Result<()> {
        if self.path.is_some() && self.journal.samples > self.kept && out.end_row()? {
            self.keep(out, counts)?;
        }
        Ok(())
    }

    fn keep<T: Serialize>(&mut self, out: &mut impl Keepable, counts: &T) -> Result<()> {
        self.journal.input = self.fingerprint.checksum();
        self.journal.counts = serde_json::to_value(counts).unwrap_or_default();
        out.keep(&mut self.journal)?;
        self.kept = self.journal.samples;
        self.next = Instant::now() + EVERY;
        self.announce();
        Ok(())
    }

    /// At the end of the data: whether all samples of the stopped run were there, and all programs gave one answer to each.
    pub fn check_end(&self) -> Result<()> {
        if self.done > 0 {
            return Err(Error::OtherData { command: self.journal.command.clone() });
        }
        resources::finish_programs()
    }

    /// What to say when the run is stopped now.
    fn announce(&self) {
        stop::say(match &self.path {
            Some(path) if self.journal.samples > 0 => {
                let kept = format!(
                    "{} kept in {}.unfinished. Continue with\n  {}",
                    counted(self.journal.samples as usize, "sample"),
                    path.display(),
                    self.journal.command
                );
                stop::keep(draft_of(path), kept.clone());
                format!("stopped: {kept}")
            }
            Some(path) => format!("stopped: nothing is kept yet; {} is as it was", path.display()),
            None => String::new(),
        });
    }
}

/// Removes what is left of an output that nobody should go on with.
pub fn discard(path: &Path) {
    discard_draft(&draft_of(path));
}

/// The same, by the name of the draft.
pub(crate) fn discard_draft(draft: &Path) {
    let mut journal = draft.as_os_str().to_owned();
    journal.push(".json");
    for left in [draft, Path::new(&journal)] {
        // If it cannot be removed it is as it was.
        let _ = std::fs::remove_file(left);
    }
}

/// What an output is called while it is written.
pub fn draft_of(path: &Path) -> PathBuf {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".unfinished");
    draft.into()
}

/// The command that goes on with this one.
pub fn command() -> String {
    format!("{} --resume", typed())
}

/// This command, without what it says about outputs that are there already.
pub fn typed() -> String {
    let words = std::env::args().skip(1).filter(|word| word != "--force" && word != "--resume");
    // What may be a key in the address of a model is not written anywhere.
    let words: Vec<String> =
        words.map(|word| shell_word(&if is_remote(&word) { public(&word) } else { word })).collect();
    format!("fissure {}", words.join(" "))
}
