//! Checks on outputs that every command makes before it opens anything.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use fissure_data::draft::{self, ensure_new, is_complete, refuse_inputs};
use fissure_data::hub::Address;
use fissure_data::{DraftFolder, Existing};
use fissure_evaluate::{FINDINGS_FILE, RUN_FILE};
use fissure_models::remote::{PROCESS, command_files, is_remote};
use fissure_settings::{DataSource, ResourceFiles};
use sha2::{Digest as _, Sha256};

use crate::attacks::{ATTACKS_FILE, SUMMARY_FILE};
use crate::notice::note;
use crate::resume::Begin;
use crate::{Error, Result};

/// The files that a model's directory may hold; one with others is never replaced.
const MODEL_FILES: &[&str] = &[
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "calibration.json",
];

/// The files of runs and attacks that later commands read.
const RUN_FILES: [&str; 4] = [RUN_FILE, FINDINGS_FILE, ATTACKS_FILE, SUMMARY_FILE];

/// Writes a file that is made from a run, also if an earlier one is there. The user may have edited that: unless it is the same, or
/// `force` says to replace it, it is kept under another name, and the user hears of it.
pub fn write_again(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    if force {
        return Ok(draft::write(path, bytes, Existing::Replace)?);
    }
    if let Some(kept) = draft::write_again(path, bytes)? {
        note(&format!("{} was written again; what was there before is kept as {}", path.display(), kept.display()));
    }
    Ok(())
}

/// What a command reads, by the names that the user gave.
#[derive(Debug, Default)]
pub struct Inputs(Vec<String>);

impl Inputs {
    pub fn of(data: &DataSource) -> Self {
        Self::default().and(&data.files)
    }

    /// With more files or directories, and what is read of a model's or a run's. Remote models and data on a hub are no files here.
    pub fn and<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        for name in names {
            let name = name.as_ref();
            if name == "-" {
                // Standard input may be a file, which an output must not replace while it is read.
                self.0.push("/dev/stdin".to_owned());
            } else if let Some(command) = name.strip_prefix(PROCESS) {
                // The program itself, or what it reads.
                self.0.extend(command_files(command));
            } else if !name.starts_with(Address::SCHEME) && !is_remote(name) {
                self.0.push(name.to_owned());
                let inside = MODEL_FILES.iter().chain(&RUN_FILES).map(|file| Path::new(name).join(file));
                self.0.extend(inside.filter(|file| file.is_file()).map(|file| file.to_string_lossy().into_owned()));
            }
        }
        self
    }

    pub fn and_paths<'a>(self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        self.and(paths.into_iter().map(Path::to_string_lossy))
    }

    /// With what parts need besides the samples.
    pub fn and_resources(self, resources: &ResourceFiles) -> Self {
        self.and(resources.read_files()).and(programs_of(resources))
    }

    /// Refuses outputs that are one of these, or each other.
    pub fn refuse<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let outputs: Vec<&Path> = outputs.into_iter().collect();
        let inputs: Vec<&Path> = self.0.iter().map(Path::new).collect();
        Ok(refuse_inputs(&outputs, &inputs)?)
    }

    /// The same for an output that can be gone on with.
    pub fn check_resumable(&self, output: Option<&Path>, begin: Begin) -> Result<()> {
        // A resumed command may replace a file if it was started with --force.
        self.check(output, Existing::forced(begin.force || begin.resume))?;
        match output.filter(|output| begin.resume && !begin.force && is_complete(output)) {
            Some(output) => Err(Error::Complete { place: output.display().to_string() }),
            None => Ok(()),
        }
    }

    /// The same, and outputs that are there already, unless they are to be replaced: said before any work is done.
    pub fn check<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>, existing: Existing) -> Result<()> {
        let outputs: Vec<&Path> = outputs.into_iter().collect();
        self.refuse(outputs.iter().copied())?;
        for output in outputs.into_iter().filter(|output| output.as_os_str() != "-") {
            ensure_new(output, existing)?;
        }
        Ok(())
    }
}

/// The files of the programs that parts start: a translator, and those of the user's own parts.
pub fn programs_of(resources: &ResourceFiles) -> Vec<String> {
    resources.commands().iter().flat_map(|command| command_files(command)).collect()
}

/// The SHA-256 of a file, as `sha256sum` prints it.
pub fn sha256(path: &Path) -> Result<String> {
    let reading = |why| Error::reading(path.display().to_string())(why);
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(reading)?);
    let mut hash = Sha256::new();
    loop {
        let bytes = file.fill_buf().map_err(reading)?;
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        let read = bytes.len();
        file.consume(read);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The directory of a model that is to be written.
pub fn model_folder(path: &Path, existing: Existing) -> Result<DraftFolder> {
    Ok(DraftFolder::create(path, existing, MODEL_FILES)?)
}
