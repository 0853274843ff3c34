//! Running an evaluation: opening what its config names, preparing the plan, asking window by window, writing the results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fissure_ask::{LocalClassifier, RemoteRespondent, Unasked, open_local};
use fissure_core::Resources;
use fissure_data::{Draft, Existing, Samples, draft};
use fissure_evaluate::{
    ASKED_FILE, AskedFile, DataFacts, FINDINGS_FILE, Findings, Header, OpenData, PreciseProgress, Prepared, RUN_FILE,
    ReadSamples, Respondent, Run, RunConfig, Shard, findings, read_asked, shell_word, written_findings,
};
use fissure_models::Model;
use fissure_models::own::OWN;
use fissure_models::remote::{RemoteOptions, is_remote, is_shortened, public};
use fissure_repair::calibrate::at_temperature;
use fissure_settings::{Patience, Price};

use crate::counting_model::{Counted, CountedRespondent};
use crate::notice::note;
use crate::outputs::{self, Inputs};
use crate::remote::{Asked, RemoteSettings};
use crate::{Error, Result, classes, data, paths, remote, report, resources};

/// A window takes about this long: short enough that little is lost when the run is killed, long enough to fill batches.
const WINDOW: Duration = Duration::from_secs(1);
/// The most samples in a window.
const MOST: usize = 1024;
/// The samples of the first window.
const FIRST: usize = 64;
/// The samples of every window, if the clock may not choose.
const FIXED: usize = 256;
/// How often what asking took is written down.
const LEDGER: Duration = Duration::from_secs(5);
/// Where a run keeps data that came by standard input, to be read again.
pub const KEPT_INPUT: &str = "input";

type Reader = Box<dyn ReadSamples>;

/// A run of a model on this machine in a new directory, from its first question to its report.
pub fn run_into(folder: &Path, config: &RunConfig) -> Result<Findings> {
    let open = data_source(config, folder, false)?;
    let (respondent, resources, _) = local(config.model.as_deref().unwrap_or_default(), config, Resources::default())?;
    let mut prepared = Prepared::new(config.clone(), DataFacts::read(&open, config)?, respondent, &resources)?;
    prepared.header.from = paths::from(folder);
    if prepared.header.plan.precision.is_some() {
        complete_precisely(&prepared, folder, &open, false, &mut |_| Ok(()))?;
        return write_results(folder);
    }
    complete(prepared.start(folder, &open)?, Windows::ByClock { least: None }, &mut |_, _| Ok(()))?;
    write_results(folder)
}

/// The config of the run that began in a directory, with the whole address of its model, and which piece it is.
pub fn resumed_config(folder: &Path, model: Option<&str>) -> Result<(RunConfig, Option<Shard>)> {
    let Header { mut config, shard, .. } = Header::read(&folder.join(RUN_FILE))?;
    let kept = config.model.clone().unwrap_or_default();
    match model {
        Some(model) if public(model) == kept => config.model = Some(model.to_owned()),
        Some(model) => {
            let now = public(model);
            return Err(fissure_evaluate::Error::Differs { what: "model", then: kept, now }.into());
        }
        None if is_shortened(&kept) => return Err(Error::AddressNotKept { address: kept }),
        None => {}
    }
    Ok((config, shard))
}

/// Refuses a directory in which something is called as the files of a run are, above all the data of this one.
pub fn ensure_free(config: &RunConfig, folder: &Path) -> Result<()> {
    let names = [RUN_FILE, FINDINGS_FILE, ASKED_FILE, "report.html", "report.tex", "report.json", "report.pdf"];
    let outputs = names.map(|name| folder.join(name));
    let inputs = Inputs::default()
        .and(&config.data.files)
        .and(&config.model)
        .and(&config.endpoint.prompt)
        .and_resources(&config.resources);
    inputs.refuse(outputs.iter().map(PathBuf::as_path))?;
    match outputs.iter().find(|output| output.exists()).filter(|_| !folder.join(RUN_FILE).exists()) {
        Some(output) => Err(Error::NotFree { place: output.display().to_string() }),
        None => Ok(()),
    }
}

/// The command that goes on with a run.
pub fn resume_command(prepared: &Prepared, folder: &Path) -> String {
    let model = &prepared.header.model.name;
    let again = if is_shortened(model) { format!(" --model {}", shell_word(model)) } else { String::new() };
    format!("`fissure evaluate --resume {}{again}`", shell_word(&folder.display().to_string()))
}

/// How many samples are run at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Windows {
    /// As many as take about a second; the first as many as fill the requests of a remote model.
    ByClock { least: Option<usize> },
    /// Always as many. The last digits of what a network of torch answers depend on what else is in its batch; so batches are
    /// the same in every run.
    Fixed,
}

impl Windows {
    /// What fits the model of a run.
    pub fn of(prepared: &Prepared, patience: &Patience) -> Self {
        let model = &prepared.header.model.name;
        if model.starts_with(OWN) {
            return Self::Fixed;
        }
        Self::ByClock { least: is_remote(model).then(|| least_window(prepared, patience)) }
    }
}

/// The fewest samples that fill all requests a remote model may be sent at a time.
pub fn least_window(prepared: &Prepared, patience: &Patience) -> usize {
    let questions = usize::from(patience.concurrency) * usize::from(patience.batch.unwrap_or(16));
    questions.div_ceil(prepared.calls().div_ceil(prepared.samples().max(1)).max(1))
}

/// Writes beside the run file what was found, for programs and for people.
pub fn write_results(folder: &Path) -> Result<Findings> {
    let found = findings(&folder.join(RUN_FILE))?;
    let text = written_findings(&found, folder)?;
    outputs::write_again(&folder.join(FINDINGS_FILE), text.as_bytes(), false)?;
    report::write_beside(folder, &found)?;
    Ok(found)
}

/// Opens the data of a run, as often as is wanted.
pub fn data_source(
    config: &RunConfig,
    folder: &Path,
    dry_run: bool,
) -> Result<impl Fn() -> fissure_evaluate::Result<Reader> + use<>> {
    let layout = config.task()?;
    let files = files(config, folder, dry_run)?;
    let source = config.data.clone();
    Ok(move || -> fissure_evaluate::Result<Reader> {
        let options = data::options(&source, layout).map_err(as_data)?;
        let options = fissure_data::ReadOptions { unlabelled: true, ..options };
        Ok(Box::new(Samples::open(files.clone(), options)?))
    })
}

/// Runs all that is left, in windows that take about a second each. Those of a remote model, which may be slow and may
/// go away, begin with what fills its requests.
///
/// `window` is called after each window with the number of samples that were done, and with `true` at the end.
pub fn complete(mut run: Run<'_>, windows: Windows, window: &mut dyn FnMut(usize, bool) -> Result<()>) -> Result<()> {
    let full = match windows {
        Windows::ByClock { least } => least,
        Windows::Fixed => Some(FIXED),
    };
    let mut size = full.unwrap_or(FIRST);
    loop {
        let started = Instant::now();
        // What was asked is counted even if it ends badly.
        let done = run.advance(size).map_err(Error::from);
        let count = *done.as_ref().unwrap_or(&0);
        window(count, count == 0)?;
        let done = done?;
        if done == 0 {
            break;
        }
        if windows == Windows::Fixed {
            continue;
        }
        let took = started.elapsed().as_secs_f64().max(1e-3);
        // The size of a window never changes a result, so the clock may choose it.
        let fitting = done as f64 * WINDOW.as_secs_f64() / took;
        size = (fitting as usize).clamp(size / 4, size * 4).clamp(full.unwrap_or(1).min(MOST), MOST);
    }
    run.finish()?;
    Ok(())
}

/// Runs with `--precision`, or goes on with such a run. `tell` hears of samples that were looked at, and of every look.
pub fn complete_precisely(
    prepared: &Prepared,
    folder: &Path,
    open: &OpenData<'_>,
    resume: bool,
    tell: &mut dyn FnMut(PreciseProgress) -> Result<()>,
) -> Result<()> {
    // What goes wrong while results are written ends the run, and is returned as it is.
    let mut failed = None;
    let done = prepared.run_precisely(folder, open, resume, &mut |told| {
        tell(told).map_err(|why| {
            let source = io::Error::other(why.to_string());
            failed = Some(why);
            fissure_evaluate::Error::Io { action: "report on", path: folder.to_owned(), source }
        })
    });
    match failed {
        Some(why) => Err(why),
        None => Ok(done.map(|_| ())?),
    }
}

/// The files to read. Standard input or a pipe is kept in the directory of the run, because it is read twice, and again on
/// resume.
fn files(config: &RunConfig, folder: &Path, dry_run: bool) -> Result<Vec<PathBuf>> {
    let kept = folder.join(KEPT_INPUT);
    if kept.exists() {
        return Ok(vec![kept]);
    }
    if !config.data.is_input() {
        return data::files(&config.data);
    }
    let [name] = &*config.data.files else { return Err(Error::InputTwice) };
    if dry_run {
        return Err(Error::InputTwice);
    }
    let mut input: Box<dyn io::Read> = match &**name {
        "-" => Box::new(io::stdin().lock()),
        pipe => Box::new(fs::File::open(pipe).map_err(Error::reading(pipe))?),
    };
    let writing = || Error::writing(kept.display().to_string());
    fs::create_dir_all(folder).map_err(writing())?;
    let mut draft = Draft::create(&kept, Existing::Refuse)?;
    io::copy(&mut input, &mut draft).map_err(writing())?;
    draft.finish()?;
    Ok(vec![kept])
}

/// The plan, the model, and the resources that it and the user provide.
pub fn prepare(
    config: RunConfig,
    open: &OpenData<'_>,
    patience: (&Patience, Option<f64>),
    dry_run: bool,
) -> Result<(Prepared, Asking)> {
    // Whatever is wrong with what the user wrote is found before the data is read.
    if is_remote(config.model.as_deref().unwrap_or_default()) {
        remote::options(&remote_settings(&config, patience))?;
    }
    let resources = resources::open(&config.resources, &config.data)?;
    let name = config.model.clone().unwrap_or_default();
    // A model on this machine is opened first: a wrong name should not wait for the data.
    let local = if is_remote(&name) { None } else { Some(local(&name, &config, resources.clone())?) };
    let facts = DataFacts::read(open, &config)?;
    data::report_bad_rows(&facts.bad_rows);
    let (respondent, resources, asking) = match local {
        Some(local) => local,
        None => open_remote(&name, &config, patience, &facts, resources, dry_run)?,
    };
    let config = RunConfig { model: Some(public(&name)), ..config };
    Ok((Prepared::new(config, facts, respondent, &resources)?, asking))
}

/// How a remote model is asked: what the run keeps, and how patiently.
fn remote_settings<'a>(config: &'a RunConfig, (patience, rate): (&'a Patience, Option<f64>)) -> RemoteSettings<'a> {
    RemoteSettings { endpoint: &config.endpoint, patience, rate }
}

/// What is counted while a model is asked.
#[derive(Clone)]
pub struct Asking {
    pub asked: Asked,
    /// How a remote model is asked.
    pub remote: Option<RemoteOptions>,
}

impl Asking {
    fn here(count: Arc<AtomicU64>) -> Self {
        Self { asked: Arc::new(move || count.load(Ordering::Relaxed)), remote: None }
    }
}

/// What asking a remote model took, written beside the run every few seconds and at its end.
pub struct Ledger<'a> {
    path: PathBuf,
    earlier: Option<AskedFile>,
    options: Option<&'a RemoteOptions>,
    price: Option<Price>,
    next: Instant,
}

impl<'a> Ledger<'a> {
    pub fn open(folder: &Path, options: Option<&'a RemoteOptions>, price: Option<Price>) -> Result<Self> {
        let earlier = if options.is_some() { read_asked(folder)? } else { None };
        Ok(Self { path: folder.join(ASKED_FILE), earlier, options, price, next: Instant::now() })
    }

    /// Writes down that something will be asked, once the run is ours: a process that is killed at its first question was there.
    pub fn begin(&mut self) -> Result<()> {
        self.write(false)?;
        self.next = Instant::now();
        Ok(())
    }

    pub fn write(&mut self, end: bool) -> Result<()> {
        let Some(options) = self.options.filter(|_| end || Instant::now() >= self.next) else { return Ok(()) };
        self.next = Instant::now() + LEDGER;
        let file = AskedFile::new(self.earlier.clone(), &options.meter.asked(), self.price);
        let file = AskedFile { open: !end, ..file };
        let place = self.path.display().to_string();
        let text = serde_json::to_vec_pretty(&file).map_err(|why| Error::writing(place)(why.into()))?;
        Ok(draft::write(&self.path, &text, Existing::Replace)?)
    }
}

/// A local model, and the resources with those that it provides.
fn local(name: &str, config: &RunConfig, resources: Resources) -> Result<(Box<dyn Respondent>, Resources, Asking)> {
    let directory = classes::model_directory(name)?;
    let count = Arc::new(AtomicU64::new(0));
    if classes::classified(config.task()?).is_err() {
        let model = open_local(name, &directory, config.task()?)?;
        return Ok((Box::new(CountedRespondent::new(name, model, Arc::clone(&count))), resources, Asking::here(count)));
    }
    let model: Arc<dyn Model> = fissure_models::open(&directory)?.into();
    let model: Arc<dyn Model> = Arc::new(Counted::new(name, model, Arc::clone(&count)));
    let respondent = LocalClassifier::new(name, &directory, Arc::clone(&model))?;
    let respondent = match classes::temperature(&directory)? {
        None => respondent,
        Some(temperature) => respondent.at(move |log_probs| at_temperature(log_probs, temperature)),
    };
    Ok((
        Box::new(respondent),
        resources::with_importance(resources, model, config.resources.importance)?,
        Asking::here(count),
    ))
}

/// A model behind an address or in a program. What it is asked is written in the run, so that a resumed run asks the
/// same; how patiently is not. It says which words carry its answer only where the user wants that: it has to be asked
/// once for every word. The labels of the data are those of a model that names none.
fn open_remote(
    name: &str,
    config: &RunConfig,
    patience: (&Patience, Option<f64>),
    facts: &DataFacts,
    mut resources: Resources,
    dry_run: bool,
) -> Result<(Box<dyn Respondent>, Resources, Asking)> {
    let data_labels = facts.survey.labels().map(str::to_owned).collect();
    let options = RemoteOptions { data_labels, ..remote::options(&remote_settings(config, patience))? };
    let how = config.resources.importance;
    let asking = Asking { asked: remote::questions(&options), remote: Some(options.clone()) };
    if dry_run {
        if how.is_some() {
            resources =
                resources::with_importance(resources, Arc::new(Unasked::new(name, config.task()?, &options)?), how)?;
        }
        return Ok((Box::new(Unasked::new(name, config.task()?, &options)?), resources, asking));
    }
    note(&format!("waiting for {} to answer", public(name)));
    let respondent = RemoteRespondent::open(name, config.task()?, &options)?;
    if respondent.labels_of_data {
        let labels = respondent.about().labels.join(", ");
        note(&format!("the model does not list its labels; using those in the data ({labels})"));
    }
    if how.is_some() {
        resources = resources::with_importance(resources, Arc::new(respondent.classifier()), how)?;
    }
    Ok((Box::new(respondent), resources, asking))
}

/// Where runs go that are given no directory.
const RUNS: &str = "fissure-runs";

/// A directory of its own for a run, which no other run takes. It goes again if nothing comes into it.
#[derive(Debug)]
pub struct FreeFolder {
    folder: PathBuf,
    /// Whether the directory of all runs was made for it.
    first: bool,
}

impl FreeFolder {
    /// Makes the first directory in `fissure-runs` that is not there yet.
    pub fn take() -> Result<Self> {
        let runs = Path::new(RUNS);
        let first = !runs.exists();
        fs::create_dir_all(runs).map_err(Error::writing(RUNS))?;
        for number in 1u32.. {
            let folder = runs.join(number.to_string());
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self { folder, first }),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => return Err(Error::writing(folder.display().to_string())(why)),
            }
        }
        Err(Error::writing(RUNS)(io::ErrorKind::AlreadyExists.into()))
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The directory that a run would take now.
    pub fn next() -> PathBuf {
        let mut numbered = (1u32..).map(|number| Path::new(RUNS).join(number.to_string()));
        numbered.find(|folder| !folder.exists()).unwrap_or_else(|| RUNS.into())
    }
}

impl Drop for FreeFolder {
    fn drop(&mut self) {
        // Only a directory in which nothing is can be removed.
        if fs::remove_dir(&self.folder).is_ok() && self.first {
            let _ = fs::remove_dir(RUNS);
        }
    }
}

/// Only data can go wrong where data are opened.
fn as_data(error: Error) -> fissure_evaluate::Error {
    match error {
        Error::Data(error) => error.into(),
        Error::Core(error) => error.into(),
        other => fissure_evaluate::Error::Io {
            action: "open",
            path: "the data".into(),
            source: io::Error::other(other.to_string()),
        },
    }
}
