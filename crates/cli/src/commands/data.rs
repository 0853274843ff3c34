//! Opening the user's data, the same way for every command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use fissure_core::{Sample, counted};
use fissure_data::hub::{Address, Hub, HubOptions};
use fissure_data::{Columns, Format, OnBadRow, Output, ReadAs, ReadOptions, SampleId, Samples, Task};
use serde_json::{Map, Value, json};

use crate::args::{self, Data, GoOn};
use crate::commands::resume::Resumable;
use crate::{Result, ui};

/// The task the user named.
pub fn task(data: &Data) -> Result<&'static Task> {
    Ok(fissure_tasks::find(&data.task)?)
}

/// Opens data in which every sample must have its label.
pub fn open(data: &Data, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(files(data)?, options(data, task)?)?)
}

/// Opens data that may come without labels.
pub fn open_unlabelled(data: &Data, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(files(data)?, ReadOptions { unlabelled: true, ..options(data, task)? })?)
}

/// The same once more, without saying again how the files are read.
pub fn open_quietly(data: &Data, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(files(data)?, ReadOptions { unlabelled: true, report: None, ..options(data, task)? })?)
}

/// The files the user named; `hf:owner/name` is looked up in the Hugging Face cache, then on the hub.
pub fn files(data: &Data) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in &data.data {
        if name.starts_with(Address::SCHEME) {
            files.extend(hub().data(&name.parse()?)?);
        } else {
            files.push(name.into());
        }
    }
    Ok(files)
}

/// The hub as the environment describes it (`HF_HOME`, `HF_ENDPOINT`, ...), as other tools read it too.
#[allow(clippy::disallowed_methods, reason = "a door may look at the environment; the crates behind it may not")]
pub fn hub() -> Hub {
    Hub::new(HubOptions::from_variables(|name| std::env::var(name).ok()))
}

/// Where JSON lines go, a file or standard output, and how far they are.
pub fn lines(path: Option<&Path>, go_on: GoOn, settings: String) -> Result<(Resumable, Output)> {
    let start = || Ok(Output::create(path.unwrap_or(Path::new("-")), go_on.existing())?);
    Resumable::open(path, go_on.resume, settings, start, |path| Ok(Output::resume(path)?))
}

/// How the user wants the data to be read.
pub fn options(data: &Data, task: &'static Task) -> Result<ReadOptions> {
    let mut options = ReadOptions::new(task);
    if !data.columns.is_empty() {
        options.columns = Columns::parse(&data.columns.join(","))?;
    }
    options.id = data.id.as_deref().map_or(SampleId::Usual, SampleId::parse);
    options.report = Some(say_how_it_is_read);
    options.format = data.format.as_deref().map(Format::find).transpose()?;
    options.on_bad_row = match data.on_bad_row {
        args::OnBadRow::Stop => OnBadRow::Stop,
        args::OnBadRow::Skip => OnBadRow::Skip,
    };
    options.fields = Some(data.fields.clone()).filter(|fields| !fields.is_empty());
    Ok(options)
}

/// Whether notes about files are JSON. Readers report through a plain function, which has no place for settings.
static IN_JSON: AtomicBool = AtomicBool::new(false);

/// Says whether notes about files are to be JSON.
pub fn notes_in_json(json: bool) {
    IN_JSON.store(json, Ordering::Relaxed);
}

/// Prints what was guessed about a file, once for each reading that differs.
fn say_how_it_is_read(read: &ReadAs) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = if IN_JSON.load(Ordering::Relaxed) {
        let columns: Map<String, Value> =
            read.columns.iter().map(|(role, columns)| ((*role).to_owned(), json!(columns.join("+")))).collect();
        json!({ "reads": *read.file, "format": read.format, "columns": columns, "id": read.id.as_deref() }).to_string()
    } else {
        in_words(read)
    };
    // A poisoned lock means that printing failed on another thread: printing again does no harm.
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(line.clone()) {
        ui::note(&line);
    }
}

fn in_words(read: &ReadAs) -> String {
    let columns: Vec<String> =
        read.columns.iter().map(|(role, columns)| format!("{role} = {}", columns.join("+"))).collect();
    let id = read.id.as_ref().map_or_else(
        || "samples are identified by their texts (--id COLUMN to choose)".to_owned(),
        |id| format!("samples are identified by column `{id}`"),
    );
    // The spaces of a file's name are part of it.
    let file = read.file.replace(' ', "\u{A0}");
    let text = format!("reads {file} as {}: {}; {id}", read.format, columns.join(", "));
    ui::wrapped(&text, "  ").trim_end().to_owned()
}

/// Samples in flight at a time: enough to keep the threads busy, few enough to hold little memory.
const BATCH: usize = 4096;

/// The next samples, of which `read` were read before; `None` at the end of the data or at the user's limit.
pub fn next(samples: &mut Samples, limit: Option<usize>, read: usize) -> Result<Option<Vec<Sample>>> {
    let wanted = limit.map_or(BATCH, |limit| BATCH.min(limit.saturating_sub(read)));
    let batch = if wanted == 0 { Vec::new() } else { samples.batch(wanted)? };
    Ok(Some(batch).filter(|batch| !batch.is_empty()))
}

/// Tells about rows that could not be read and were left out.
pub fn report_bad_rows(samples: &Samples) {
    let bad = samples.skipped();
    if bad.count > 0 {
        let (rows, were) = (counted(bad.count as usize, "row"), if bad.count == 1 { "was" } else { "were" });
        ui::note(&format!("  {rows} could not be read and {were} left out, among them:"));
        for row in &bad.first {
            ui::note(&format!("    {row}"));
        }
    }
}
