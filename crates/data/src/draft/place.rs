//! Where outputs go: which paths are plain files, and which are one and the same.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{ENDING, beside};
use crate::{Error, Result};

/// Where a plain file goes, behind all symbolic links. `None` for devices, pipes and what this process already has open as its standard
/// output, which are written as they are. Where a path begins says nothing: `/dev/shm` holds files, and `/proc/self/cwd` leads to them.
pub fn regular(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut place = path.to_owned();
    for _ in 0..40 {
        // What it leads to, if there is something.
        let there = fs::metadata(&place).ok();
        if is_standard_output(&place) || there.as_ref().is_some_and(|there| !there.is_file() && !there.is_dir()) {
            return Ok(None);
        }
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_symlink() => {
                let next = folder(&place).join(fs::read_link(&place)?);
                // `/proc/self/fd/3` leads to the open file, which may have no name any more.
                if there.is_some() && !same_file(&next, &place) {
                    return Ok(None);
                }
                place = next;
            }
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name a file in it"));
            }
            _ => return Ok(Some(place)),
        }
    }
    Err(io::Error::other("it is a symbolic link to itself"))
}

fn is_standard_output(place: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| place == Path::new(name))
}

/// Opens what is written as it is. Standard output goes on where it is: opened by its path, a file behind it would be written from its
/// start.
pub fn open_directly(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if leads_to_standard_output(path) {
        return standard_output();
    }
    File::options().write(true).open(path)
}

#[cfg(unix)]
fn leads_to_standard_output(path: &Path) -> bool {
    let mut place = path.to_owned();
    for _ in 0..40 {
        if is_standard_output(&place) {
            return true;
        }
        match fs::read_link(&place) {
            Ok(target) => place = folder(&place).join(target),
            Err(_) => return false,
        }
    }
    false
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Whether a path leads to the file that standard output goes to. Never true for a terminal, a device or a pipe.
fn is_read_and_printed_to(input: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let found = (fs::metadata(input), standard_output().and_then(|output| output.metadata()));
        matches!(found, (Ok(input), Ok(output)) if input.is_file() && (input.dev(), input.ino()) == (output.dev(), output.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = input;
        false
    }
}

/// The sticky bit: Linux keeps it for a plain file and does nothing with it, so nobody sets it by chance. A draft has it from the
/// moment it exists, and is known as ours by it whenever its process was killed.
#[cfg(target_os = "linux")]
const MARK: u32 = 0o1000;

/// Creates a draft, which must not exist, with a mark that tells it from a file of the user's that has its name.
pub fn create_marked(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o666 | MARK);
    options.open(path)
}

/// Whether a draft has the mark; if the system has none, every file of that name is taken for a draft.
pub fn is_marked(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.mode() & MARK != 0)
    }
    #[cfg(not(target_os = "linux"))]
    path.is_file()
}

/// Gives a draft the permissions of the file that it replaces, and leaves the mark on it.
pub fn set_permissions(draft: &File, of: &fs::Metadata) -> io::Result<()> {
    let permissions = of.permissions();
    #[cfg(target_os = "linux")]
    let permissions = {
        use std::os::unix::fs::PermissionsExt as _;
        fs::Permissions::from_mode(permissions.mode() | MARK)
    };
    draft.set_permissions(permissions)
}

/// Takes the mark off a file that is whole and has its name.
pub fn unmark(file: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata()?.permissions().mode() & 0o7777 & !MARK;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    let _ = file;
    Ok(())
}

/// The folder a file is in.
pub fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths lead to one file: by another name, a symbolic link or a hard link.
pub fn same_file(first: &Path, second: &Path) -> bool {
    match (identity(first), identity(second)) {
        (Some(first), Some(second)) => first == second,
        _ => false,
    }
}

/// Whether an open file is the one that has this name now.
pub fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let found = (file.metadata(), fs::symlink_metadata(path));
        matches!(found, (Ok(file), Ok(path)) if (file.dev(), file.ino()) == (path.dev(), path.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Refuses an output that is an input, or a file in a folder that is one, or a folder that holds one, or another output. What an
/// output is called until it is whole counts as the output.
pub fn refuse_inputs(outputs: &[&Path], inputs: &[&Path]) -> Result<()> {
    // Every command prints something.
    if let Some(input) = inputs.iter().find(|input| is_read_and_printed_to(input)) {
        let input = input.to_string_lossy().into();
        return Err(Error::OutputIsInput { output: "standard output".into(), input });
    }
    for (at, output) in outputs.iter().enumerate() {
        // A device may be both, and so may a pipe.
        if output.as_os_str() == "-" || matches!(regular(output), Ok(None)) {
            continue;
        }
        if let Some(other) = outputs[..at].iter().find(|other| **other == *output || same_file(other, output)) {
            return Err(Error::TwoOutputs {
                one: other.to_string_lossy().into(),
                other: output.to_string_lossy().into(),
            });
        }
        for input in inputs {
            let inside = fs::read_dir(input).into_iter().flatten().flatten().map(|entry| entry.path());
            let drafts = [ENDING, ".unfinished.json"].map(|ending| beside(output, ending));
            let is_written = |one: &PathBuf| {
                same_file(one, output)
                    || drafts.iter().any(|draft| same_file(one, draft))
                    // A folder is replaced with all that it holds.
                    || (output.is_dir() && one.is_file() && same_file(folder(one), output))
            };
            if let Some(found) = std::iter::once(input.to_path_buf()).chain(inside).find(is_written) {
                return Err(Error::OutputIsInput {
                    output: output.to_string_lossy().into(),
                    input: found.to_string_lossy().into(),
                });
            }
        }
    }
    Ok(())
}
