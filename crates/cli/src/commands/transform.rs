//! `fissure transform NAME[+NAME...] --data FILE`

pub(super) mod several;
pub(super) mod summary;

use std::fs;
use std::path::Path;

use fissure_kit::outputs::Inputs;
use fissure_kit::transform::{Rows, Transformation, Transformed};
use fissure_settings::{ChangeOptions, Setting};

use crate::ui::{Progress, Ui};
use crate::{Error, Result, args};

pub fn run(args: &args::Transform, ui: Ui) -> Result<()> {
    if several::wanted(args) { several::run(args, ui) } else { one(args, false, ui) }
}

/// Changes the data with one chain. One that lacks a resource skips every sample, unless it is to be refused.
fn one(args: &args::Transform, refuse_lacking: bool, ui: Ui) -> Result<()> {
    summary::show(&changed(args, refuse_lacking, Rows::Trails)?, ui);
    Ok(())
}

/// Changes the data with one chain and says nothing.
pub(super) fn changed(args: &args::Transform, refuse_lacking: bool, rows: Rows) -> Result<Transformed> {
    Inputs::default().and_paths(args.config.as_deref()).refuse(args.out.as_deref())?;
    let changes = match &args.config {
        None => args.changes.clone(),
        Some(path) => with_file(path, &args.changes)?,
    };
    let transformation = Transformation {
        chain: args.names.as_deref().unwrap_or_default(),
        data: &args.data,
        changes: &changes,
        resources: &args.resources,
        model: args.model.as_deref(),
        only_changed: args.only_changed,
        out: args.out.as_deref(),
        begin: args.go_on.begin(),
        refuse_lacking,
        rows,
    };
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let done = transformation.run(&mut |count| progress.add(count))?;
    progress.finish();
    Ok(done)
}

/// The settings of a file, overruled by the flags; settings of knobs are added to those of the file.
fn with_file(path: &Path, flags: &ChangeOptions) -> Result<ChangeOptions> {
    let place = path.display().to_string();
    let text = fs::read_to_string(path).map_err(Error::reading(place.clone()))?;
    let file = ChangeOptions::from_toml(&text).map_err(|source| Error::Config { place, source })?;
    let set = [file.set.clone(), flags.set.clone()].concat();
    Ok(ChangeOptions { set, ..file.overruled_by(flags.clone()) })
}
