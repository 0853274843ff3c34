//! `fissure experiment`: the papers' experiments on any model and data, with the papers' figures beside ours.

mod caveats;
mod fragility;
mod gaussians;
mod pairs;
mod papers;
mod parts;
mod pictures;
mod salad;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use fissure_data::draft;
use fissure_statistics::Estimate;
use serde::Serialize;

use crate::args::{Experiment, Force};
use crate::ui::{self, Ui};
use crate::{Error, Result};
use fissure_kit::outputs::Inputs;

pub fn run(experiment: &Experiment, ui: Ui) -> Result<()> {
    match experiment {
        Experiment::Fragility(args) => fragility::run(args, ui),
        Experiment::Pairs(args) => pairs::run(args, ui),
        Experiment::Parts(args) => parts::run(args, ui),
        Experiment::Gaussians(args) => gaussians::run(args, ui),
        Experiment::Words(args) => words::run(args, ui),
        Experiment::WordSalad(args) => salad::run(args, ui),
    }
}

/// Shows what was found: as JSON for a program, else as the text that `shown` makes of it.
pub fn show(ui: Ui, found: &impl Serialize, shown: impl FnOnce() -> String) -> Result<()> {
    let text = if ui.json { format!("{}\n", json(found, "standard output")?) } else { shown() };
    ui::print(&text).map_err(Error::writing("standard output"))
}

/// Refuses a folder in which one of these files is already, above all if it is read, before the work is done.
fn check(inputs: &Inputs, folder: Option<&Path>, names: &[&str], force: Force) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let places: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    Ok(inputs.check(places.iter().map(PathBuf::as_path), force.existing())?)
}

/// Writes every number into `folder`, as `NAME.json`.
fn write_numbers(folder: Option<&Path>, name: &str, found: &impl Serialize, force: Force) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let place = folder.join(name).with_extension("json");
    let text = json(found, &place.display().to_string())?;
    write(&place, text.as_bytes(), force)
}

/// Writes everything that was found into a file, where one is named.
pub fn write_found(path: Option<&Path>, found: &impl Serialize, force: Force) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    write(path, json(found, &path.display().to_string())?.as_bytes(), force)
}

fn write(path: &Path, bytes: &[u8], force: Force) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::writing(path.display().to_string()))?;
    }
    Ok(draft::write(path, bytes, force.existing())?)
}

fn json(found: &impl Serialize, place: &str) -> Result<String> {
    serde_json::to_string_pretty(found).map_err(|error| Error::writing(place)(error.into()))
}

/// A share in per cent, with its interval.
fn percent(share: Option<Estimate>) -> String {
    share.map_or_else(
        || "not measured".into(),
        |s| format!("{:.1} ({:.1} to {:.1})", 100.0 * s.value, 100.0 * s.low.max(0.0), 100.0 * s.high.min(1.0)),
    )
}
