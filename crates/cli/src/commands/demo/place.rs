//! The directory of a tour: everything it makes is kept there, to try commands on.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fissure_data::{Existing, draft};
use fissure_evaluate::{FINDINGS_FILE, RUN_FILE};
use fissure_kit::outputs::sha256;

use crate::{Error, Result, ui};

/// The file that says that a directory is a tour's, and what it says.
const MARK: &str = "README.txt";
const WORDS: &str = "\
`fissure demo` made this directory, and replaces it when it is run again.

  reviews/   the built-in reviews: train.jsonl, validation.jsonl, test.jsonl
  model/     the network trained on train.jsonl
  run/       how it was tried on test.jsonl: run.jsonl, findings.json, and the report

What was changed since (written.sha256 knows the files as they were) is kept under another name.
";
/// The SHA-256 of what the last tour that came to its end has left, as `sha256sum` writes it.
const SUMS: &str = "written.sha256";

/// The folders that a tour writes.
const REVIEWS: &str = "reviews";
const MODEL: &str = "model";
const RUN: &str = "run";

#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// Makes the directory. One that is there already must be empty, or that of an earlier tour; whatever else lies in it
    /// stays.
    pub fn make(folder: &Path) -> Result<Self> {
        let place = folder.display().to_string();
        // An earlier version may have said the rest in other words.
        let mark = fs::read_to_string(folder.join(MARK)).unwrap_or_default();
        let marked = mark.lines().next() == WORDS.lines().next();
        // A tour that was killed in its first moment leaves a draft.
        let draft = format!("{MARK}.unfinished");
        let free = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().all(|entry| *entry.file_name() == *draft),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !marked && !free {
            return Err(Error::NotADemo { place });
        }
        fs::create_dir_all(folder).map_err(Error::writing(&*place))?;
        let made = Self { folder: folder.to_owned() };
        // A tour that was stopped has no checksums, and nobody has worked on it. One of an earlier version never had any.
        let sums = fs::read_to_string(folder.join(SUMS)).ok();
        if sums.is_some() || (marked && mark != WORDS) {
            made.keep_changed(&written(&sums.unwrap_or_default()))?;
        }
        draft::write(&folder.join(MARK), WORDS.as_bytes(), Existing::Replace)?;
        // A run is never written over: the earlier one goes, with its findings, which would stand beside other parts if this
        // tour is stopped.
        for file in [FINDINGS_FILE, RUN_FILE] {
            match fs::remove_file(made.run().join(file)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::writing(place)(error)),
                _ => {}
            }
        }
        Ok(made)
    }

    /// Keeps what is not as an earlier tour wrote it under another name, and says so.
    fn keep_changed(&self, written: &BTreeMap<&str, &str>) -> Result<()> {
        for name in self.files(REVIEWS)? {
            if self.is_changed(&name, written)? {
                let path = self.folder.join(&name);
                let kept = draft::keep_copy(&path, "before").map_err(Error::writing(path.display().to_string()))?;
                say_kept(&path, &kept);
            }
        }
        // A model and a run are no use without the rest of their files.
        for folder in [MODEL, RUN] {
            let mut changed = false;
            for name in self.files(folder)? {
                changed |= self.is_changed(&name, written)?;
            }
            if changed {
                let path = self.folder.join(folder);
                let kept = put_aside(&path).map_err(Error::writing(path.display().to_string()))?;
                say_kept(&path, &kept);
            }
        }
        Ok(())
    }

    /// Whether a file is not as it was written by a tour.
    fn is_changed(&self, name: &str, written: &BTreeMap<&str, &str>) -> Result<bool> {
        Ok(written.get(name) != Some(&&*sha256(&self.folder.join(name))?))
    }

    /// The files in a folder that the next tour writes over, by their path. The pages of a run see to themselves.
    fn files(&self, folder: &str) -> Result<Vec<String>> {
        let path = self.folder.join(folder);
        let reading = |why| Error::reading(path.display().to_string())(why);
        let mut files = Vec::new();
        match fs::read_dir(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(reading(why)),
            Ok(entries) => {
                for entry in entries {
                    let entry = entry.map_err(reading)?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let written = match folder {
                        REVIEWS => ["train.jsonl", "validation.jsonl", "test.jsonl"].contains(&&*name),
                        RUN => [RUN_FILE, FINDINGS_FILE].contains(&&*name),
                        _ => true,
                    };
                    if written && entry.path().is_file() {
                        files.push(format!("{folder}/{name}"));
                    }
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Notes at the end of the tour what is in it.
    pub fn finish(&self) -> Result<()> {
        let mut sums = String::new();
        for name in
            [REVIEWS, MODEL, RUN].map(|folder| self.files(folder)).into_iter().collect::<Result<Vec<_>>>()?.concat()
        {
            sums += &format!("{}  {name}\n", sha256(&self.folder.join(&name))?);
        }
        Ok(draft::write(&self.folder.join(SUMS), sums.as_bytes(), Existing::Replace)?)
    }

    pub fn reviews(&self) -> PathBuf {
        self.folder.join(REVIEWS)
    }

    pub fn model(&self) -> PathBuf {
        self.folder.join(MODEL)
    }

    pub fn run(&self) -> PathBuf {
        self.folder.join(RUN)
    }

    /// A further thing in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Checksums by path.
fn written(sums: &str) -> BTreeMap<&str, &str> {
    sums.lines().filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name, sum)).collect()
}

/// Renames a folder to `NAME.before-1`, or the next number that is free.
fn put_aside(folder: &Path) -> io::Result<PathBuf> {
    for number in 1u32.. {
        let mut kept = folder.as_os_str().to_owned();
        kept.push(format!(".before-{number}"));
        let kept = PathBuf::from(kept);
        if fs::symlink_metadata(&kept).is_err() {
            return fs::rename(folder, &kept).map(|()| kept);
        }
    }
    Err(io::Error::other("there are too many copies beside it"))
}

fn say_kept(path: &Path, kept: &Path) {
    ui::note(&format!("{} is not as an earlier tour wrote it, and is kept as {}", path.display(), kept.display()));
}
