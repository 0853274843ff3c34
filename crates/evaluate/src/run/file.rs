//! The run file: append-only, one writer, and mended at its end where a run was killed while writing.

use std::fs::{self, File, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::read::{Blocks, Next};
use super::record::{End, Header};
use crate::{Error, Result};

/// A run file open for writing.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    file: File,
    finished: bool,
}

impl RunFile {
    /// A new run file. The header is there as a whole or the file is not there at all.
    pub fn create(path: &Path, header: &Header) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        if path.exists() {
            return Err(Error::Exists { folder: folder.to_owned() });
        }
        let new = path.with_extension("new");
        let file = File::create(&new).map_err(Error::io("create", &new))?;
        let mut run = Self { path: new.clone(), file, finished: false };
        run.lock()?;
        let mut line = serde_json::to_vec(header).map_err(|why| Error::io("write", &new)(why.into()))?;
        line.push(b'\n');
        run.append(&line)?;
        run.file.sync_data().map_err(Error::io("write", &new))?;
        fs::rename(&new, path).map_err(Error::io("write", path))?;
        Ok(Self { path: path.to_owned(), ..run })
    }

    /// Opens the file of a run that was stopped, takes off what is not whole, and says how many samples are. The header
    /// must be the one that this run would write.
    pub fn resume(path: &Path, header: &Header) -> Result<(Self, usize)> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|why| Error::NoRun { path: path.to_owned(), why: why.to_string() })?;
        let mut run = Self { path: path.to_owned(), file, finished: false };
        run.lock()?;
        let mut blocks = Blocks::open(path)?;
        same(&blocks.header, header)?;
        let mut done = 0;
        let mut whole = blocks.read_bytes();
        // Whatever is wrong with a line, the run goes on from the last sample before it.
        loop {
            match blocks.next_block() {
                Ok(Next::Block(_)) => (done, whole) = (done + 1, blocks.read_bytes()),
                Ok(Next::End) => (run.finished, whole) = (true, blocks.read_bytes()),
                Ok(Next::Nothing) | Err(Error::Broken { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        run.file.set_len(whole).map_err(Error::io("shorten", path))?;
        run.file.seek(SeekFrom::End(0)).map_err(Error::io("write", path))?;
        Ok((run, done))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io("write", &self.path))
    }

    /// Writes the last line, unless it is there.
    pub fn finish(mut self, samples: usize) -> Result<PathBuf> {
        if !self.finished {
            let line = format!("{}\n", serde_json::json!(End { end: samples }));
            self.append(line.as_bytes())?;
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

/// Checks that a run began with what is here now, and says what is not the same.
fn same(then: &Header, now: &Header) -> Result<()> {
    let check = |what, a: &str, b: &str| {
        if a == b { Ok(()) } else { Err(Error::Differs { what, then: a.into(), now: b.into() }) }
    };
    check("version of Fissure", &then.fissure, &now.fissure)?;
    check("file format", &then.format.to_string(), &now.format.to_string())?;
    let checksum = |header: &Header| header.model.checksum.clone().unwrap_or_else(|| header.model.name.clone());
    check("model", &checksum(then), &checksum(now))?;
    check("data", &then.data.checksum, &now.data.checksum)?;
    check("lent help", &shown(&then.lent), &shown(&now.lent))?;
    check("config", &shown(&then.config), &shown(&now.config))?;
    check("plan", &shown(&then.plan), &shown(&now.plan))?;
    check("header", &shown(then), &shown(now))
}

/// As JSON, to be compared and named in messages.
fn shown(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
