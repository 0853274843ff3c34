//! The directory of a tour: everything it makes is kept there, to try commands on.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use fissure_data::{Existing, draft};
use fissure_evaluate::RUN_FILE;

use crate::{Error, Result};

/// The file that says that a directory is a tour's, and what it says.
const MARK: &str = "README.txt";
const WORDS: &str = "\
`fissure demo` made this directory, and replaces it when it is run again.

  reviews/   the built-in reviews: train.jsonl, validation.jsonl, test.jsonl
  model/     the network trained on train.jsonl
  run/       how it was tried on test.jsonl: run.jsonl, findings.json, and the report
";

#[derive(Debug)]
pub struct Place(PathBuf);

impl Place {
    /// Makes the directory. One that is there already must be empty, or that of an earlier tour; whatever else lies in it
    /// stays.
    pub fn make(folder: &Path) -> Result<Self> {
        let place = folder.display().to_string();
        // An earlier version may have said the rest in other words.
        let marked =
            fs::read_to_string(folder.join(MARK)).is_ok_and(|words| words.lines().next() == WORDS.lines().next());
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
        draft::write(&folder.join(MARK), WORDS.as_bytes(), Existing::Replace)?;
        let made = Self(folder.to_owned());
        // A run is never written over: the earlier one goes.
        match fs::remove_file(made.run().join(RUN_FILE)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::writing(place)(error)),
            _ => Ok(made),
        }
    }

    pub fn reviews(&self) -> PathBuf {
        self.0.join("reviews")
    }

    pub fn model(&self) -> PathBuf {
        self.0.join("model")
    }

    pub fn run(&self) -> PathBuf {
        self.0.join("run")
    }

    /// A further thing in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}
