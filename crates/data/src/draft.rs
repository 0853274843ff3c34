//! An output that is not complete yet. It is written beside its place, as `NAME.unfinished`, and gets its name only when all
//! of it is on the disk: if `NAME` exists, it is complete. Every writer of the program goes through here.
//!
//! The process that writes a draft holds a lock on it, so a draft without a lock was left behind by a process that was
//! killed, and the next one removes it.

mod folder;
mod journal;
mod place;

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::{Error, Result};
pub use folder::DraftFolder;
pub use journal::{Fingerprint, Journal};
pub use place::{refuse_inputs, same_file};

/// What to do about a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// End with an error that names it.
    Refuse,
    /// Replace it, once the new one is whole.
    Replace,
}

impl Existing {
    /// As `--force` says.
    pub fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

/// A file that is being written.
#[derive(Debug)]
pub struct Draft {
    /// What the user calls the file, for messages.
    name: Arc<str>,
    /// Where the file goes; symbolic links are followed.
    place: PathBuf,
    /// Where it is until then; `None` for a device or a pipe, which is written directly.
    draft: Option<PathBuf>,
    file: File,
    existing: Existing,
    /// A checksum of what was written, and how much that is.
    sum: Sha256,
    bytes: u64,
    /// Whether a journal says how to go on from here: then the draft stays when the process ends early.
    kept: bool,
    done: bool,
}

impl Draft {
    /// Starts a file. What a killed process left of it is removed, unless its journal says how to go on: then it stays,
    /// and this is an error, unless the user wants to replace what is there.
    pub fn create(path: &Path, existing: Existing) -> Result<Self> {
        let name: Arc<str> = path.to_string_lossy().into();
        let failed = |why| Error::Write { file: Arc::clone(&name), why };
        let Some(place) = place::regular(path).map_err(failed)? else {
            let file = place::open_directly(path).map_err(failed)?;
            return Ok(Self::new(Arc::clone(&name), path.to_owned(), None, file, existing));
        };
        if existing == Existing::Refuse && place.exists() {
            return Err(Error::Exists { file: name });
        }
        let draft = beside(&place, ENDING);
        if let Some(foreign_file) = Journal::foreign(&place) {
            return Err(foreign(&name, &foreign_file));
        }
        // Another process may take the name between two steps; then this starts again.
        for _ in 0..100 {
            match place::create_marked(&draft) {
                Ok(file) => {
                    let made = Self::new(Arc::clone(&name), place.clone(), Some(draft.clone()), file, existing);
                    made.lock()?;
                    if place::is_at(&made.file, &draft) {
                        return Ok(made);
                    }
                }
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                    if existing == Existing::Refuse
                        && let Some(journal) = Journal::read(&place).filter(|journal| journal.samples > 0)
                    {
                        ensure_free(&name, &draft)?;
                        let (samples, kept) = (journal.samples, draft.to_string_lossy().into());
                        return Err(Error::Kept { file: name, samples, kept });
                    }
                    if !place::is_marked(&draft) && Journal::read(&place).is_none() {
                        // A file of the user's, or a draft that has got its name between two of these steps: that one is gone.
                        match ensure_free(&name, &draft)? {
                            Some(_) => return Err(foreign(&name, &draft)),
                            None => continue,
                        }
                    }
                    remove_stale(&name, &draft)?;
                    Journal::remove(&place);
                }
                Err(why) => return Err(failed(why)),
            }
        }
        Err(Error::Busy { file: name, draft: draft.to_string_lossy().into() })
    }

    /// Goes on with a file that was stopped, from the place that its journal names. `None` if nothing was kept.
    pub fn resume(path: &Path) -> Result<Option<(Self, Journal)>> {
        let name: Arc<str> = path.to_string_lossy().into();
        let failed = |why| Error::Write { file: Arc::clone(&name), why };
        let Some(place) = place::regular(path).map_err(failed)? else { return Ok(None) };
        let draft = beside(&place, ENDING);
        let Some(journal) = Journal::read(&place).filter(|_| draft.exists()) else { return Ok(None) };
        if !fs::symlink_metadata(&draft).map_err(failed)?.is_file() {
            return Err(foreign(&name, &draft));
        }
        let file = File::options().read(true).write(true).open(&draft).map_err(failed)?;
        let existing = Existing::forced(journal.replace);
        let mut made = Self::new(Arc::clone(&name), place, Some(draft.clone()), file, existing);
        // Whatever goes wrong from here on, what was kept stays.
        made.kept = true;
        made.lock()?;
        let damaged = || Error::KeptDamaged { file: Arc::clone(&name), kept: draft.to_string_lossy().into() };
        if !place::is_at(&made.file, &draft) {
            return Err(Error::Busy { file: name, draft: draft.to_string_lossy().into() });
        }
        let mut buffer = vec![0; 1 << 16];
        while made.bytes < journal.bytes {
            let wanted = (journal.bytes - made.bytes).min(buffer.len() as u64) as usize;
            match made.file.read(&mut buffer[..wanted]).map_err(failed)? {
                0 => return Err(damaged()),
                read => made.count(&buffer[..read]),
            }
        }
        if made.checksum() != journal.output {
            return Err(damaged());
        }
        made.file.set_len(journal.bytes).map_err(failed)?;
        made.file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Some((made, journal)))
    }

    fn new(name: Arc<str>, place: PathBuf, draft: Option<PathBuf>, file: File, existing: Existing) -> Self {
        Self { name, place, draft, file, existing, sum: Sha256::new(), bytes: 0, kept: false, done: false }
    }

    /// Whether it is a file that gets its name at the end: not a device or a pipe.
    pub fn is_beside(&self) -> bool {
        self.draft.is_some()
    }

    /// How many bytes were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// SHA-256 of what was written.
    pub fn checksum(&self) -> String {
        hex(&self.sum.clone().finalize())
    }

    /// Writes down how to go on from here. From now on the draft stays when the process ends early.
    pub fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        if self.draft.is_none() {
            return Ok(());
        }
        (journal.bytes, journal.output) = (self.bytes, self.checksum());
        journal.replace = self.existing == Existing::Replace;
        journal.write(&self.place).map_err(|why| Error::Write { file: Arc::clone(&self.name), why })?;
        self.kept = true;
        Ok(())
    }

    /// Gives the file its name, once all of it is on the disk.
    pub fn finish(mut self) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        self.file.flush().map_err(failed)?;
        let Some(draft) = self.draft.clone() else { return Ok(()) };
        self.file.sync_all().map_err(failed)?;
        match fs::metadata(&self.place) {
            Ok(_) if self.existing == Existing::Refuse => {
                // It came while this one was written. Both stay.
                self.done = true;
                return Err(Error::Appeared { file: Arc::clone(&self.name), kept: draft.to_string_lossy().into() });
            }
            Ok(old) => place::set_permissions(&self.file, &old).map_err(failed)?,
            Err(_) => {}
        }
        fs::rename(&draft, &self.place).map_err(failed)?;
        self.done = true;
        // Only now: a process that was killed between the two would leave a draft that is taken for the user's.
        place::unmark(&self.file).map_err(failed)?;
        sync_folder(&self.place);
        Journal::remove(&self.place);
        Ok(())
    }

    /// Gives the file its name only if nothing has that name, and goes on writing to it, still locked. Where another
    /// process was faster, this is [`Error::Exists`].
    pub fn publish(mut self) -> Result<File> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        self.file.sync_all().map_err(failed)?;
        if let Some(draft) = &self.draft {
            match fs::hard_link(draft, &self.place) {
                Ok(()) => fs::remove_file(draft).map_err(failed)?,
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(Error::Exists { file: Arc::clone(&self.name) });
                }
                // A file system without hard links: the lock on the draft keeps other runs out.
                Err(_) if self.place.exists() => return Err(Error::Exists { file: Arc::clone(&self.name) }),
                Err(_) => fs::rename(draft, &self.place).map_err(failed)?,
            }
            place::unmark(&self.file).map_err(failed)?;
            sync_folder(&self.place);
        }
        self.done = true;
        self.file.try_clone().map_err(failed)
    }

    fn lock(&self) -> Result<()> {
        match (self.file.try_lock(), &self.draft) {
            (Err(TryLockError::WouldBlock), Some(draft)) => {
                Err(Error::Busy { file: Arc::clone(&self.name), draft: draft.to_string_lossy().into() })
            }
            // Where the file system has no locks, a name that only one process can create must do.
            _ => Ok(()),
        }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.count(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(draft) = self.draft.as_ref().filter(|_| !self.done && !self.kept)
            && place::is_at(&self.file, draft)
        {
            let _ = fs::remove_file(draft);
        }
    }
}

/// Writes a whole file. It is there with all its bytes, or as it was before.
pub fn write(path: &Path, bytes: &[u8], existing: Existing) -> Result<()> {
    let mut draft = Draft::create(path, existing)?;
    draft.write_all(bytes).map_err(|why| Error::Write { file: Arc::clone(&draft.name), why })?;
    draft.finish()
}

/// Writes a whole file that an earlier run may have written. One with the same bytes is left alone; one with other bytes, which
/// the user may have edited, is kept under another name, which is returned.
pub fn write_again(path: &Path, bytes: &[u8]) -> Result<Option<PathBuf>> {
    match fs::read(path) {
        Ok(there) if there == bytes => return Ok(None),
        Ok(_) => {}
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            write(path, bytes, Existing::Refuse)?;
            return Ok(None);
        }
        Err(why) => return Err(Error::Write { file: path.to_string_lossy().into(), why }),
    }
    let kept = keep_copy(path, "before").map_err(|why| Error::Write { file: path.to_string_lossy().into(), why })?;
    write(path, bytes, Existing::Replace)?;
    Ok(Some(kept))
}

/// Copies a file beside itself, as `NAME.WORD-1` or the next number that is free, and returns where.
pub fn keep_copy(path: &Path, word: &str) -> io::Result<PathBuf> {
    for number in 1u32.. {
        let kept = beside(path, &format!(".{word}-{number}"));
        let mut copy = match File::create_new(&kept) {
            Ok(copy) => copy,
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(why) => return Err(why),
        };
        let copied = File::open(path).and_then(|mut file| io::copy(&mut file, &mut copy)).and_then(|_| copy.sync_all());
        // Half a copy is no copy.
        return copied.map(|()| kept.clone()).inspect_err(|_| drop(fs::remove_file(&kept)));
    }
    Err(io::Error::other("there are too many copies beside it"))
}

/// Says early that a file is there already and must not be replaced, before hours of work are spent on its content.
pub fn ensure_new(path: &Path, existing: Existing) -> Result<()> {
    let file: Arc<str> = path.to_string_lossy().into();
    match place::regular(path) {
        Ok(Some(place)) if existing == Existing::Refuse && place.exists() => Err(Error::Exists { file }),
        Ok(_) => Ok(()),
        Err(why) => Err(Error::Write { file, why }),
    }
}

/// Whether a file is there, and no run that would replace it was stopped on the way.
pub fn is_complete(path: &Path) -> bool {
    let Ok(Some(place)) = place::regular(path) else { return false };
    let complete = place.is_file() && !beside(&place, ENDING).exists();
    // A process that was killed after it named the file has left the journal.
    if complete && Journal::read(&place).is_some() {
        Journal::remove(&place);
    }
    complete
}

const ENDING: &str = ".unfinished";

/// A path with more at its end.
fn beside(place: &Path, ending: &str) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Removes what a process left that no longer runs.
fn remove_stale(name: &Arc<str>, draft: &Path) -> Result<()> {
    let _lock = ensure_free(name, draft)?;
    match fs::remove_file(draft) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(Error::Write { file: Arc::clone(name), why }),
        _ => Ok(()),
    }
}

/// Makes sure that no process writes to a draft; the file that is given back is locked. `None` if it is gone.
fn ensure_free(name: &Arc<str>, draft: &Path) -> Result<Option<File>> {
    match fs::symlink_metadata(draft) {
        Ok(found) if found.is_file() => {}
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => return Err(foreign(name, draft)),
    }
    let file = match File::open(draft) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(Error::Write { file: Arc::clone(name), why }),
    };
    match file.try_lock() {
        Ok(()) if place::is_at(&file, draft) => Ok(Some(file)),
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            Err(Error::Busy { file: Arc::clone(name), draft: draft.to_string_lossy().into() })
        }
        // It cannot be known whether a process still writes to it.
        Err(TryLockError::Error(_)) => Err(foreign(name, draft)),
    }
}

fn foreign(name: &Arc<str>, draft: &Path) -> Error {
    Error::Foreign { file: Arc::clone(name), draft: draft.to_string_lossy().into() }
}

/// Makes a new name last through a power cut, where the system can. The name itself is there already.
fn sync_folder(place: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(place::folder(place)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = place;
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
