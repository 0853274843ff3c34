//! The journal of a draft, `NAME.unfinished.json`: what a later process needs to continue.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fissure_core::Sample;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{beside, hex};

/// How far an output is, and what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Journal {
    /// The version of Fissure.
    pub fissure: String,
    /// The command that began the output, for people.
    pub command: String,
    /// Everything that the bytes depend on besides the data.
    pub settings: String,
    /// How many samples were read, and what they were.
    pub samples: u64,
    pub input: String,
    /// How many bytes of the draft belong to them, and their checksum.
    pub bytes: u64,
    pub output: String,
    /// Whether the output may replace a file that is there.
    pub replace: bool,
    /// What the format has to remember from the rows before.
    pub format: Value,
    /// What the command has counted so far.
    pub counts: Value,
}

impl Journal {
    /// The journal of what goes to `place`, if there is one that can be read.
    pub(super) fn read(place: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path(place)).ok()?).ok()
    }

    /// A file that has the name of the journal and is none.
    pub(super) fn foreign(place: &Path) -> Option<PathBuf> {
        let path = path(place);
        (path.exists() && Self::read(place).is_none()).then_some(path)
    }

    /// The old journal or the new one is there at any moment.
    pub(super) fn write(&self, place: &Path) -> io::Result<()> {
        let (path, new) = (path(place), beside(place, ".unfinished.json.new"));
        // Only the process that holds the lock of the draft comes here.
        let _ = fs::remove_file(&new);
        let mut file = fs::File::create_new(&new)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        fs::rename(&new, &path)
    }

    pub(super) fn remove(place: &Path) {
        for path in [path(place), beside(place, ".unfinished.json.new")] {
            let _ = fs::remove_file(path);
        }
    }
}

fn path(place: &Path) -> PathBuf {
    beside(place, ".unfinished.json")
}

/// A checksum of samples, in their order.
#[derive(Debug, Clone, Default)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    pub fn add(&mut self, sample: &Sample) {
        let hash = &mut self.0;
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(sample.id.as_bytes());
        for field in &sample.fields {
            part(field.name.as_bytes());
            part(field.text.as_bytes());
        }
        part(sample.label.as_ref().map_or_else(String::new, ToString::to_string).as_bytes());
        for mark in &sample.marks {
            let place = format!("{} {} {} {}", mark.layer, mark.field, mark.span.start, mark.span.end);
            part(place.as_bytes());
            part(mark.value.as_bytes());
        }
        for link in &sample.links {
            part(format!("{} {} {} {}", link.layer, link.from, link.to, link.value).as_bytes());
        }
        for (name, value) in &sample.extra {
            part(name.as_bytes());
            part(value.to_string().as_bytes());
        }
    }

    pub fn checksum(&self) -> String {
        hex(&self.0.clone().finalize())
    }
}
