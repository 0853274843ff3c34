//! Where a run began: the paths in its config are relative to that folder, so every later command goes there first.

use std::env;
use std::path::{Component, Path, PathBuf};

use fissure_evaluate::{Header, RUN_FILE};

use crate::{Error, Result};

/// The working folder, seen from the folder of a run. So a run can be moved together with its data.
pub fn from(folder: &Path) -> Option<String> {
    seen_from(folder, &env::current_dir().ok()?)
}

/// Where a run in pieces began, seen from the folder of the whole: where one of the pieces began, if that folder is here,
/// else the working folder.
pub fn from_of_piece(pieces: &[PathBuf], folder: &Path) -> Option<String> {
    let began = pieces.iter().find_map(|piece| {
        let from = Header::read(&piece.join(RUN_FILE)).ok()?.from?;
        piece.canonicalize().ok()?.join(from).canonicalize().ok()
    });
    match began {
        Some(began) => seen_from(folder, &began),
        None => from(folder),
    }
}

/// A folder that is there, seen from one that may not be there yet.
fn seen_from(folder: &Path, here: &Path) -> Option<String> {
    let there = settled(folder)?;
    let here = here.canonicalize().ok()?;
    let (here, there): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (here.components().collect(), there.components().collect());
    let common = here.iter().zip(&there).take_while(|(one, other)| one == other).count();
    if common == 0 {
        // Another drive.
        return Some(here.iter().collect::<PathBuf>().to_str()?.to_owned());
    }
    let up = there[common..].iter().map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(here[common..].iter().copied()).collect();
    Some(path.to_str()?.to_owned())
}

/// Makes the folder in which a run began the working folder, and gives the run's own folder as it is called from there.
/// A run that does not say where it began, or whose data are not there any more, is taken from here.
pub fn go_where_it_began(folder: &Path) -> Result<PathBuf> {
    let header = Header::read(&folder.join(RUN_FILE))?;
    let Some(from) = &header.from else { return Ok(folder.to_owned()) };
    let failed = |source| Error::Read { place: folder.display().to_string(), source };
    let absolute = folder.canonicalize().map_err(failed)?;
    let Ok(began) = absolute.join(from).canonicalize() else { return Ok(folder.to_owned()) };
    let there = |name: &String| began.join(name).exists();
    let here = env::current_dir().and_then(|here| here.canonicalize()).map_err(failed)?;
    let files = || header.config.data.files.iter().filter(|name| !name.contains(':') && *name != "-");
    if here == began || !files().all(there) {
        return Ok(folder.to_owned());
    }
    env::set_current_dir(&began).map_err(failed)?;
    Ok(absolute)
}

/// Makes the folder in which a run began the working folder, if it is still there: its model is named from there.
pub fn go_back(folder: &Path) -> Result<()> {
    let header = Header::read(&folder.join(RUN_FILE))?;
    let failed = |source| Error::Read { place: folder.display().to_string(), source };
    let began = header.from.and_then(|from| folder.canonicalize().ok()?.join(from).canonicalize().ok());
    match began.filter(|began| began.is_dir()) {
        Some(began) => env::set_current_dir(began).map_err(failed),
        None => Ok(()),
    }
}

/// An absolute path without links, though its end may not be there yet.
fn settled(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let known = absolute.ancestors().find(|ancestor| ancestor.exists())?;
    let rest = absolute.strip_prefix(known).ok()?;
    Some(known.canonicalize().ok()?.join(rest).components().collect())
}
