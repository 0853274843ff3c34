//! A folder that is being written, such as a model: it gets its name when all its files are on the disk.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ENDING, Existing, beside, foreign, sync_folder};
use crate::{Error, Result};

/// A folder that is being written.
#[derive(Debug)]
pub struct DraftFolder {
    name: Arc<str>,
    place: PathBuf,
    draft: PathBuf,
    existing: Existing,
    /// The files that a folder may have that is replaced.
    known: &'static [&'static str],
    /// Locked while the folder is written, where the system can lock folders.
    lock: Option<File>,
    done: bool,
}

impl DraftFolder {
    /// Starts a folder. An empty one may be there already; any other is replaced only where the user wants that, and only
    /// if it holds nothing but `known` files.
    pub fn create(path: &Path, existing: Existing, known: &'static [&'static str]) -> Result<Self> {
        let name: Arc<str> = path.to_string_lossy().into();
        let failed = |why| Error::Write { file: Arc::clone(&name), why };
        let place = match fs::canonicalize(path) {
            Ok(place) => place,
            Err(_) => path.components().collect(),
        };
        if path.file_name().is_none() || place.file_name().is_none() {
            return Err(failed(io::Error::other("give the folder a name of its own")));
        }
        let draft = beside(&place, ENDING);
        let mut made = Self { name: Arc::clone(&name), place, draft, existing, known, lock: None, done: true };
        made.check()?;
        fs::create_dir_all(super::place::folder(&made.place)).map_err(failed)?;
        for _ in 0..100 {
            match fs::create_dir(&made.draft) {
                Ok(()) => {
                    let lock = lock(&name, &made.draft)?;
                    if lock.as_ref().is_none_or(|lock| super::place::is_at(lock, &made.draft)) {
                        (made.lock, made.done) = (lock, false);
                        return Ok(made);
                    }
                }
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => made.remove_stale()?,
                Err(why) => return Err(failed(why)),
            }
        }
        Err(Error::Busy { file: name, draft: made.draft.to_string_lossy().into() })
    }

    /// Where to write the files.
    pub fn path(&self) -> &Path {
        &self.draft
    }

    /// Gives the folder its name, once all its files are on the disk.
    pub fn finish(mut self) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        for entry in fs::read_dir(&self.draft).map_err(failed)? {
            File::open(entry.map_err(failed)?.path()).and_then(|file| file.sync_all()).map_err(failed)?;
        }
        self.check()?;
        if exchange(&self.draft, &self.place) {
            // The old folder and the draft have changed places.
            self.done = true;
            sync_folder(&self.place);
            let _ = fs::remove_dir_all(&self.draft);
            return Ok(());
        }
        let before = beside(&self.place, ".replaced");
        if self.place.exists() {
            // A folder cannot be renamed onto one that has files in it. For a moment the old one is called `.replaced`.
            let _ = fs::remove_dir_all(&before);
            fs::rename(&self.place, &before).map_err(failed)?;
        }
        if let Err(why) = fs::rename(&self.draft, &self.place) {
            let _ = fs::rename(&before, &self.place);
            return Err(failed(why));
        }
        self.done = true;
        sync_folder(&self.place);
        let _ = fs::remove_dir_all(&before);
        Ok(())
    }

    /// Whether the folder may be written where it goes.
    fn check(&self) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        let before = beside(&self.place, ".replaced");
        if !self.place.exists() && before.is_dir() {
            // A process was killed between two renames.
            fs::rename(&before, &self.place).map_err(failed)?;
        }
        if !self.place.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(&self.place).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let file = entry.file_name().to_string_lossy().into_owned();
            if self.existing == Existing::Refuse {
                return Err(Error::Exists { file: Arc::clone(&self.name) });
            }
            if !self.known.contains(&&*file) || entry.file_type().map_err(failed)?.is_dir() {
                return Err(Error::OtherFiles { folder: Arc::clone(&self.name), file });
            }
        }
        Ok(())
    }

    fn remove_stale(&self) -> Result<()> {
        let failed = |why| Error::Write { file: Arc::clone(&self.name), why };
        match fs::symlink_metadata(&self.draft) {
            Ok(found) if found.is_dir() => {}
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            _ => return Err(foreign(&self.name, &self.draft)),
        }
        // Without a lock it cannot be known whether a process still writes there.
        let Some(_lock) = lock(&self.name, &self.draft)? else { return Err(foreign(&self.name, &self.draft)) };
        // What else is in it, somebody put there.
        for entry in fs::read_dir(&self.draft).map_err(failed)? {
            if !self.known.contains(&&*entry.map_err(failed)?.file_name().to_string_lossy()) {
                return Err(foreign(&self.name, &self.draft));
            }
        }
        fs::remove_dir_all(&self.draft).map_err(failed)
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_dir_all(&self.draft);
        }
    }
}

/// Swaps the names of two folders in one step, so that a kill at any moment leaves one or the other. False if one is not
/// there or the system cannot; nothing has changed then.
fn exchange(one: &Path, other: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (one, other);
        false
    }
}

/// Locks a folder; `None` if the system cannot.
fn lock(name: &Arc<str>, draft: &Path) -> Result<Option<File>> {
    let Ok(folder) = File::open(draft) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => {
            Err(Error::Busy { file: Arc::clone(name), draft: draft.to_string_lossy().into() })
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
