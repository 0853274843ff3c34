//! One repository in the cache, in the layout of Python's `huggingface_hub`:
//!
//! ```text
//! datasets--owner--name/
//!   refs/main                    the commit that `main` was when it was fetched
//!   snapshots/<commit>/<file>    a link to the blob
//!   blobs/<etag>                 the bytes, once, however many commits have them
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::address::is_inside;
use super::{HubError, Kind, Result};

pub(super) struct Cached {
    folder: PathBuf,
}

impl Cached {
    pub fn new(cache_dir: &Path, kind: Kind, repository: &str) -> Self {
        Self { folder: cache_dir.join(format!("{}--{}", kind.plural(), repository.replace('/', "--"))) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit that a revision was when it was fetched.
    pub fn commit(&self, revision: &str) -> Option<String> {
        if is_commit(revision) {
            return Some(revision.to_owned());
        }
        let commit = fs::read_to_string(self.folder.join("refs").join(revision)).ok()?.trim().to_owned();
        is_commit(&commit).then_some(commit)
    }

    /// The files of a commit that are here, sorted; a link to a blob that is gone is no file.
    pub fn files(&self, commit: &str) -> Vec<String> {
        let mut files = Vec::new();
        walk(&self.snapshot(commit), "", &mut files);
        files.sort();
        files
    }

    pub fn path(&self, commit: &str, file: &str) -> PathBuf {
        self.snapshot(commit).join(file)
    }

    pub fn blob(&self, etag: &str) -> PathBuf {
        self.folder.join("blobs").join(etag)
    }

    /// Lets a file of a commit lead to a blob that is there.
    pub fn link(&self, commit: &str, file: &str, etag: &str) -> Result<PathBuf> {
        let path = self.path(commit, file);
        let steps = file.split('/').count() + 1;
        let target = PathBuf::from("../".repeat(steps)).join("blobs").join(etag);
        let made = make_folder_of(&path).and_then(|()| match link_or_move(&target, &self.blob(etag), &path) {
            // A link whose blob was deleted once. One that leads somewhere is left alone: another process made it.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists && !path.is_file() => {
                fs::remove_file(&path)?;
                link_or_move(&target, &self.blob(etag), &path)
            }
            other => other,
        });
        match made {
            Err(why) if !path.is_file() => Err(HubError::Cache { path, why }),
            _ => Ok(path),
        }
    }

    /// Notes which commit a revision is.
    pub fn remember(&self, revision: &str, commit: &str) -> Result<()> {
        if is_commit(revision) {
            return Ok(());
        }
        let path = self.folder.join("refs").join(revision);
        // Written beside and moved into place, so that no reader ever sees half a commit.
        let mut draft = path.clone().into_os_string();
        draft.push(format!(".{commit}.draft"));
        let written =
            make_folder_of(&path).and_then(|()| fs::write(&draft, commit)).and_then(|()| fs::rename(&draft, &path));
        match written {
            // Of two processes that note the same commit, one finds the draft moved already.
            Err(why) if self.commit(revision).as_deref() != Some(commit) => Err(HubError::Cache { path, why }),
            _ => Ok(()),
        }
    }

    fn snapshot(&self, commit: &str) -> PathBuf {
        self.folder.join("snapshots").join(commit)
    }
}

/// Whether a text is a commit's full hash.
pub(super) fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

pub(super) fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

#[cfg(unix)]
fn link_or_move(target: &Path, _blob: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Where links need special rights, `huggingface_hub` keeps the file itself in the snapshot, and so do we.
#[cfg(not(unix))]
fn link_or_move(_target: &Path, blob: &Path, path: &Path) -> io::Result<()> {
    fs::rename(blob, path)
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Some(name) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else { continue };
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, &format!("{name}/"), files);
        } else if path.is_file() && is_inside(&name) {
            files.push(name);
        }
    }
}
