//! `fissure generate --data FILE --task TASK --suite NAME --out DIR`: a data set for each part, the originals beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fissure_data::hub::Address;
use fissure_data::{Existing, draft};
use fissure_kit::outputs::{Inputs, sha256};
use fissure_kit::resume;
use fissure_kit::transform::{Rows, Transformed};
use fissure_settings::DataSource;
use serde::{Deserialize, Serialize};

use super::transform::{changed, several, summary};
use crate::args::{self, GoOn};
use crate::ui::{self, Ui};
use crate::{Error, Result};

/// The name of the file that says what was generated.
const MANIFEST: &str = "manifest.json";
/// The ending of files if the data do not come from a file.
const USUAL: &str = "jsonl";

/// What was generated.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    fissure: String,
    /// The command that made it; with --resume it continues.
    command: String,
    /// A checksum of the data and of all settings: files that other settings made are not taken for these.
    settings: String,
    data: Vec<String>,
    task: String,
    suite: String,
    seed: u64,
    sets: Vec<Set>,
    /// The parts of the suite that got no data set, and why.
    #[serde(default)]
    left_out: BTreeMap<String, String>,
}

/// One data set.
#[derive(Debug, Serialize, Deserialize)]
struct Set {
    name: String,
    chain: String,
    /// Knobs that were set, as `knob=value`; all others have their defaults.
    set: Vec<String>,
    expectation: String,
    file: String,
    originals: String,
    sha256: String,
    originals_sha256: String,
    read: usize,
    changed: usize,
    unchanged: usize,
    skipped: BTreeMap<String, usize>,
    filtered: BTreeMap<String, usize>,
}

pub fn run(args: &args::Generate, ui: Ui) -> Result<()> {
    let folder = args.out.as_path();
    if folder.is_file() {
        return Err(Error::SeveralNeedFolder);
    }
    if args.data.is_input() {
        return Err(Error::SeveralOfInput);
    }
    let ending = args.ending.clone().map_or_else(|| ending(&args.data), Ok)?;
    let wanted = args::Transform {
        names: None,
        suite: Some(args.suite.clone()),
        ending,
        data: args.data.clone(),
        changes: args.changes.clone(),
        config: None,
        model: args.model.clone(),
        resources: args.resources.clone(),
        only_changed: true,
        out: Some(args.out.clone()),
        go_on: args.go_on,
    };
    let parts = several::each(&wanted)?;
    if folder.join(MANIFEST).exists() && !args.go_on.force && !args.go_on.resume {
        return Err(Error::Generated { folder: folder.display().to_string() });
    }
    fs::create_dir_all(folder).map_err(Error::writing(folder.display().to_string()))?;
    let inputs = Inputs::of(&args.data).and_resources(&args.resources).and(&args.model);
    inputs.check([&*folder.join(MANIFEST)], Existing::forced(args.go_on.force || args.go_on.resume))?;
    let printed = format!("{:?} {:?} {:?} {} {:?}", args.data, args.changes, args.resources, args.suite, args.model);
    let read = args.data.files.iter().cloned().chain(resume::used(&args.resources, args.model.as_deref()));
    let settings = resume::settings(&printed, read)?;
    let mut manifest = begun(folder, args.go_on)?;
    if !manifest.sets.is_empty() && (manifest.settings != settings || manifest.fissure != env!("CARGO_PKG_VERSION")) {
        return Err(fissure_kit::Error::OtherSettings { command: manifest.command }.into());
    }
    manifest.fissure = env!("CARGO_PKG_VERSION").into();
    manifest.command = resume::typed();
    manifest.settings = settings;
    manifest.data.clone_from(&args.data.files);
    manifest.task = fissure_kit::data::task(&args.data)?.name().into();
    manifest.suite.clone_from(&args.suite);
    manifest.seed = args.changes.seed();
    manifest.left_out.clear();
    for own in parts {
        if let Some(set) = manifest.sets.iter().find(|set| set.name == own.name) {
            if is_there(folder, set) {
                ui::note(&format!("  `{}` is complete", own.name));
                continue;
            }
            refuse_edited(folder, set, args.go_on)?;
        }
        match generate(folder, &own, ui) {
            Err(Error::Kit(error)) if error.leaves_out().is_some() => {
                let why = error.leaves_out().unwrap_or_default();
                ui::note(&format!("  `{}` is left out: {why}", own.name));
                manifest.left_out.insert(own.name.clone(), why);
            }
            set => {
                manifest.sets.retain(|known| known.name != own.name);
                manifest.sets.push(set?);
                write(folder, &manifest)?;
            }
        }
    }
    if manifest.sets.is_empty() {
        return Err(Error::NothingGenerated);
    }
    write(folder, &manifest)?;
    ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))
}

/// Writes one data set and its originals.
fn generate(folder: &Path, own: &several::Own, ui: Ui) -> Result<Set> {
    let ending = own.args.ending.trim_start_matches('.');
    let file = format!("{}.{ending}", own.name);
    let originals = format!("ori_{}.{ending}", own.name);
    let mut done: Option<Transformed> = None;
    for (name, rows) in [(&originals, Rows::Originals), (&file, Rows::Changed)] {
        let out = folder.join(name);
        // A complete file without an entry in the manifest was written right before a stop: it is made again.
        let go_on = GoOn {
            force: own.args.go_on.force || (own.args.go_on.resume && out.exists()),
            resume: own.args.go_on.resume && !out.exists(),
        };
        let args = args::Transform { out: Some(out), go_on, ..own.args.clone() };
        done = Some(changed(&args, true, rows)?);
    }
    let Some(done) = done else { return Err(Error::SeveralNeedFolder) };
    summary::show(&done, ui);
    let counts = done.counts;
    Ok(Set {
        name: own.name.clone(),
        chain: done.chain,
        set: own.args.changes.set.clone(),
        expectation: done.expectation.name().into(),
        sha256: sha256(&folder.join(&file))?,
        originals_sha256: sha256(&folder.join(&originals))?,
        file,
        originals,
        read: counts.read,
        changed: counts.changed,
        unchanged: counts.unchanged,
        skipped: counts.skipped,
        filtered: counts.filtered,
    })
}

/// The manifest of a run that was stopped, if this one continues it.
fn begun(folder: &Path, go_on: GoOn) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    if !go_on.resume || !path.exists() {
        return Ok(Manifest::default());
    }
    let text = fs::read(&path).map_err(Error::reading(path.display().to_string()))?;
    // A manifest that cannot be read is made again, with the files that it would name.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

/// Whether the files of a set are as the manifest says.
fn is_there(folder: &Path, set: &Set) -> bool {
    let same = |file: &str, sum: &str| sha256(&folder.join(file)).is_ok_and(|now| now == sum);
    same(&set.file, &set.sha256) && same(&set.originals, &set.originals_sha256)
}

/// Refuses to make a file again that somebody has changed.
fn refuse_edited(folder: &Path, set: &Set, go_on: GoOn) -> Result<()> {
    let files = [(&set.file, &set.sha256), (&set.originals, &set.originals_sha256)];
    let edited = files
        .into_iter()
        .map(|(file, sum)| (folder.join(file), sum))
        .find(|(path, sum)| !go_on.force && path.exists() && sha256(path).is_ok_and(|now| now != **sum));
    match edited {
        Some((path, _)) => Err(Error::SetEdited { file: path.display().to_string() }),
        None => Ok(()),
    }
}

fn write(folder: &Path, manifest: &Manifest) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(manifest).unwrap_or_default();
    text.push(b'\n');
    Ok(draft::write(&folder.join(MANIFEST), &text, Existing::Replace)?)
}

/// The ending of the first data file, without that of its compression: the sets get its format. A name without an ending gets
/// that of the format that is read.
fn ending(data: &DataSource) -> Result<String> {
    let name = data.files.first().map_or("", String::as_str);
    let is_on_hub = name.starts_with(Address::SCHEME);
    let is_known = fissure_data::Format::of_name(name).is_some();
    if let Some(ending) = fissure_data::ending(name).filter(|_| is_known || !is_on_hub) {
        return Ok(ending.to_owned());
    }
    let samples = fissure_kit::data::open_quietly(data, fissure_kit::data::task(data)?)?;
    let usual = samples.shape().filter(|_| !is_on_hub).map_or(USUAL, |shape| shape.format().ending());
    Ok(usual.to_owned())
}
