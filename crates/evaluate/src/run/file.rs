//! The run file: append-only, one writer, and repaired at its end if a run was killed while writing.

use std::fs::{self, File, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fissure_data::draft::keep_copy;
use fissure_data::{Draft, Existing};
use sha2::{Digest as _, Sha256};

use super::read::{Blocks, Next};
use super::record::{End, Header, Seal};
use crate::{Error, Result};
use fissure_ask::hex;

/// A run file open for writing.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    file: File,
    /// Of all that is in the file.
    sum: Sha256,
    finished: bool,
}

/// A run file that was not as it was written, and was shortened to what is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The first line that is not as it should be, and what is wrong with it.
    pub line: usize,
    pub why: String,
    /// The file as it was.
    pub kept: PathBuf,
}

impl RunFile {
    /// A new run file. The header is there as a whole or the file is not there at all, and of two processes that begin at
    /// once only one gets the file, which is locked from its first byte on.
    pub fn create(path: &Path, header: &Header) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        if folder.is_file() {
            return Err(Error::NotAFolder { path: folder.to_owned() });
        }
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let taken = |error| match error {
            fissure_data::Error::Exists { .. } => Error::Exists { folder: folder.to_owned() },
            fissure_data::Error::Busy { .. } => Error::Busy { path: path.to_owned() },
            other => other.into(),
        };
        let mut line = serde_json::to_vec(header).map_err(|why| Error::io("write", path)(why.into()))?;
        line.push(b'\n');
        let mut draft = Draft::create(path, Existing::Refuse).map_err(taken)?;
        draft.write_all(&line).map_err(Error::io("write", path))?;
        let file = draft.publish().map_err(taken)?;
        Ok(Self { path: path.to_owned(), file, sum: Sha256::new_with_prefix(&line), finished: false })
    }

    /// Opens the file of a run that was stopped, takes off what is not whole, and says how many samples are. The header
    /// must be the one that this run would write. A file that was not just cut short but damaged is kept beside.
    pub fn resume(path: &Path, header: &Header) -> Result<(Self, usize, Option<Damage>)> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|why| Error::NoRun { path: path.to_owned(), why: why.to_string() })?;
        let mut run = Self { path: path.to_owned(), file, sum: Sha256::new(), finished: false };
        run.lock()?;
        let mut blocks = Blocks::open(path)?;
        same(&blocks.header, header)?;
        let mut done = 0;
        let mut whole = blocks.read_bytes();
        run.sum = blocks.sum();
        let mut damage = None;
        // Whatever is wrong with a line, the run goes on from the last sample before it.
        loop {
            match blocks.next_block() {
                Ok(Next::Block(_)) => (done, whole, run.sum) = (done + 1, blocks.read_bytes(), blocks.sum()),
                Ok(Next::End) => (run.finished, whole, run.sum) = (true, blocks.read_bytes(), blocks.sum()),
                Ok(Next::Nothing) => break,
                // A run that is killed while it writes leaves a file that breaks off, and nothing behind that.
                Err(Error::Broken { .. }) if blocks.at_end() => break,
                Err(Error::Broken { line, why, .. }) => {
                    damage =
                        Some(Damage { line, why, kept: keep_copy(path, "damaged").map_err(Error::io("copy", path))? });
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        run.file.set_len(whole).map_err(Error::io("shorten", path))?;
        run.file.seek(SeekFrom::End(0)).map_err(Error::io("write", path))?;
        Ok((run, done, damage))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds samples, each with a seal behind it.
    pub fn append(&mut self, blocks: &[Vec<u8>]) -> Result<()> {
        let mut bytes = Vec::with_capacity(blocks.iter().map(|block| block.len() + 80).sum());
        for block in blocks {
            self.sum.update(block);
            let line = seal_line(&self.sum);
            self.sum.update(&line);
            bytes.extend_from_slice(block);
            bytes.extend_from_slice(&line);
        }
        self.file.write_all(&bytes).map_err(Error::io("write", &self.path))
    }

    /// Writes the last line, unless it is there.
    pub fn finish(mut self, samples: usize) -> Result<PathBuf> {
        if !self.finished {
            self.file.write_all(&end_line(samples, &self.sum)).map_err(Error::io("write", &self.path))?;
        }
        self.file.sync_data().map_err(Error::io("write", &self.path))?;
        Ok(self.path)
    }

    fn lock(&self) -> Result<()> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Error::Busy { path: self.path.clone() }),
            // Where the file system knows no locks, the user's care must do.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }
}

/// The line behind the cases of a sample, where `sum` is of all before it.
pub(super) fn seal_line(sum: &Sha256) -> Vec<u8> {
    format!("{}\n", serde_json::json!(Seal { seal: hex(&sum.clone().finalize()) })).into_bytes()
}

/// The last line.
pub(super) fn end_line(samples: usize, sum: &Sha256) -> Vec<u8> {
    format!("{}\n", serde_json::json!(End { end: samples, seal: hex(&sum.clone().finalize()) })).into_bytes()
}

/// Checks that a run began with what is here now, and says what is not the same.
fn same(then: &Header, now: &Header) -> Result<()> {
    // The run may have been moved since.
    let mut now = Header { from: then.from.clone(), ..now.clone() };
    if let Some((then, now)) = calibrations(then, &now) {
        let what = "calibration (calibration.json, beside the model)";
        return Err(Error::Differs { what, then, now });
    }
    if then.model.uncalibrated.is_none() {
        // The run was started by an earlier version.
        now.model.uncalibrated = None;
    }
    match difference(then, &now) {
        Some((what, then, now)) => Err(Error::Differs { what, then, now }),
        None => Ok(()),
    }
}

/// How the model was calibrated and how it is now, if nothing else of it is another.
fn calibrations(then: &Header, now: &Header) -> Option<(String, String)> {
    let (was, is) = (&then.model, &now.model);
    let model = is.uncalibrated.as_ref()?;
    // In runs of earlier versions only a model without a calibration can be known.
    let same = was.uncalibrated.as_ref().or(was.checksum.as_ref()) == Some(model);
    if !same || was.checksum == is.checksum {
        return None;
    }
    let [then, now] = [was, is].map(|of| of.checksum.as_ref() != Some(model));
    let there = |is_there: bool| if is_there { "there" } else { "not there" };
    Some(match (then, now) {
        (true, true) => ("another one".into(), "not the same".into()),
        (then, now) => (there(then).into(), there(now).into()),
    })
}

/// The first thing that two headers do not share: what it is, and both values.
pub(super) fn difference(one: &Header, other: &Header) -> Option<(&'static str, String, String)> {
    let model = |header: &Header| header.model.checksum.clone().unwrap_or_else(|| header.model.name.clone());
    let prompt = |header: &Header| header.resources.get(header.config.endpoint.prompt.as_ref()?).cloned();
    let both = [one, other];
    // The one file that is not the same says more than all of them do.
    let changed = one.resources.iter().find(|(name, sum)| other.resources.get(*name).is_some_and(|now| now != *sum));
    let file = |header: &Header| {
        let (name, _) = changed?;
        Some(format!("{name} (SHA-256 {})", header.resources.get(name)?))
    };
    let pairs = [
        ("version of Fissure", both.map(|header| header.fissure.clone())),
        ("file format", both.map(|header| header.format.to_string())),
        ("model", both.map(model)),
        ("data", both.map(|header| header.data.checksum.clone())),
        ("prompt (SHA-256)", both.map(|header| prompt(header).unwrap_or_default())),
        ("file", both.map(|header| file(header).unwrap_or_default())),
        ("set of resources", both.map(|header| shown(&header.resources))),
        ("config", both.map(|header| shown(&header.config))),
        ("plan", both.map(|header| shown(&header.plan))),
        ("header", both.map(shown)),
    ];
    let found = pairs.into_iter().find(|(_, [one, other])| one != other);
    found.map(|(what, [one, other])| (what, one, other))
}

/// As JSON, to be compared and named in messages.
fn shown(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
