//! Opening the user's data, the same way for every command.

use std::path::{Path, PathBuf};

use fissure_core::{Copies, Sample, counted};
use fissure_data::hub::{Address, Hub, HubOptions};
use fissure_data::{Columns, Format, Output, ReadAs, ReadOptions, SampleId, Samples, Skipped, Task};
use fissure_settings::{DataSource, OnBadRow};

use crate::notice::{self, Notice, note};
use crate::outputs::Inputs;
use crate::resume::{Begin, Resumable};
use crate::{Error, Result};

/// The task the user named.
pub fn task(data: &DataSource) -> Result<&'static Task> {
    Ok(data.task()?)
}

/// Opens data in which every sample must have its label.
pub fn open(data: &DataSource, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(files(data)?, options(data, task)?)?)
}

/// Opens data that may come without labels.
pub fn open_unlabelled(data: &DataSource, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(files(data)?, ReadOptions { unlabelled: true, ..options(data, task)? })?)
}

/// The same once more, without saying again how the files are read.
pub fn open_quietly(data: &DataSource, task: &'static Task) -> Result<Samples> {
    Ok(Samples::open(
        files(data)?,
        ReadOptions { unlabelled: true, report: None, report_minus_one: None, ..options(data, task)? },
    )?)
}

/// The files the user named; `hf:owner/name` is looked up in the Hugging Face cache, then on the hub.
pub fn files(data: &DataSource) -> Result<Vec<PathBuf>> {
    // Commands without an output print: not into what they read.
    Inputs::of(data).refuse(std::iter::empty())?;
    let mut files = Vec::new();
    for name in &data.files {
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
pub fn lines(path: Option<&Path>, begin: Begin, settings: String) -> Result<(Resumable, Output)> {
    let start = || Ok(Output::create(path.unwrap_or(Path::new("-")), begin.existing())?);
    Resumable::open(path, begin.resume, settings, start, |path| Ok(Output::resume(path)?))
}

/// How the user wants the data to be read.
pub fn options(data: &DataSource, task: &'static Task) -> Result<ReadOptions> {
    let mut options = ReadOptions::new(task);
    if !data.columns.is_empty() {
        options.columns = Columns::parse(&data.columns.join(","))?;
    }
    options.id = data.id.as_deref().map_or(SampleId::Usual, SampleId::parse);
    options.report = Some(say_how_it_is_read);
    options.report_minus_one = Some(say_what_minus_one_is);
    options.format = data.format.as_deref().map(Format::find).transpose()?;
    options.on_bad_row = match data.on_bad_row.unwrap_or_default() {
        OnBadRow::Stop => fissure_data::OnBadRow::Stop,
        OnBadRow::Skip => fissure_data::OnBadRow::Skip,
    };
    options.minus_one_is_label = data.minus_one_is_label();
    options.language = data.language;
    options.fields = Some(data.fields.clone()).filter(|fields| !fields.is_empty());
    Ok(options)
}

fn say_what_minus_one_is(file: &str) {
    note(&format!(
        "{file}: rows with the number -1 for a label count as rows without one; if it is a label: --minus-one label"
    ));
}

/// How the file is read, for whoever shows it.
fn say_how_it_is_read(read: &ReadAs) {
    notice::notify(Notice::Reads(read));
}

/// Samples in flight at a time: enough to keep the threads busy, few enough to hold little memory.
const BATCH: usize = 4096;

/// The next samples, of which `read` were read before; `None` at the end of the data or at the user's limit.
pub fn next(samples: &mut Samples, limit: Option<usize>, read: usize) -> Result<Option<Vec<Sample>>> {
    let wanted = limit.map_or(BATCH, |limit| BATCH.min(limit.saturating_sub(read)));
    let batch = if wanted == 0 { Vec::new() } else { samples.batch(wanted)? };
    Ok(Some(batch).filter(|batch| !batch.is_empty()))
}

/// An error if the data have no samples: nothing could be said about them, and a script should notice.
pub fn refuse_empty(data: &DataSource, read: usize, bad: &Skipped) -> Result<()> {
    if read > 0 {
        return Ok(());
    }
    report_bad_rows(bad);
    Err(Error::NoSamples { files: data.files.join(" ") })
}

/// Says how many samples are copies: a figure about all of them rests on fewer texts than it seems.
pub fn report_copies(copies: &Copies, read: usize) {
    if copies.repeated() > 0 {
        let (count, have) = (copies.repeated(), if copies.repeated() == 1 { "has" } else { "have" });
        note(&format!("  {count} of {} {have} the same texts as one before them", counted(read, "sample")));
    }
    report_shared_ids(copies.shared_ids(), read);
}

/// Says how many samples share an id, which should be their own.
pub fn report_shared_ids(shared: usize, read: usize) {
    if shared > 0 {
        let have = if shared == 1 { "has" } else { "have" };
        note(&format!(
            "  {shared} of {} {have} the id of one before them, and so the same chance: what changes one changes all of them \
             alike. --id content gives each text an id of its own",
            counted(read, "sample")
        ));
    }
}

/// Reports rows that could not be read and were left out.
pub fn report_bad_rows(bad: &Skipped) {
    if bad.count > 0 {
        let (rows, were) = (counted(bad.count as usize, "row"), if bad.count == 1 { "was" } else { "were" });
        note(&format!("  {rows} could not be read and {were} left out, among them:"));
        for row in &bad.first {
            note(&format!("    {row}"));
        }
    }
}
