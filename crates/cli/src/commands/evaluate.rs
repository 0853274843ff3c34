//! `fissure evaluate`: from a model and a data set to findings one can trust.

pub mod paths;
mod plan;
mod summary;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use fissure_ask::{LocalClassifier, RemoteRespondent, Unasked, open_local};
use fissure_core::{Aids, Sample};
use fissure_data::{Draft, Existing, Samples, draft};
use fissure_evaluate::{
    ASKED_FILE, AskedFile, DataFacts, FINDINGS_FILE, Findings, Header, OpenData, Prepared, RUN_FILE, Respondent, Run,
    RunConfig, Shard, findings, read_asked, shell_word, written_findings,
};
use fissure_models::Model;
use fissure_models::remote::{RemoteOptions, is_remote, is_shortened, public};

use crate::args::{self, ApiName, Data, Endpoint, Help, Importance, OnBadRow, Remote};
use crate::commands::counted::{Counted, CountedRespondent};
use crate::commands::outputs::Inputs;
use crate::commands::{data, examples, lend, remote, report, stop};
use crate::ui::{self, Asked, Progress, Ui};
use crate::{Error, Result, catalog};

/// A window takes about this long: short enough that little is lost when the run is killed, long enough to fill batches.
const WINDOW: Duration = Duration::from_secs(1);
/// The most samples in a window.
const MOST: usize = 1024;
/// The samples of the first window.
const FIRST: usize = 64;
/// How often what asking took is written down.
const LEDGER: Duration = Duration::from_secs(5);
/// Where a run keeps data that came by standard input, to be read again.
pub const KEPT_INPUT: &str = "input";

type Reader = Box<dyn Iterator<Item = fissure_data::Result<Sample>>>;

pub fn run(args: &args::Evaluate, ui: Ui) -> Result<()> {
    let (config, shard, folder) = match &args.resume {
        Some(folder) => {
            let folder = paths::go_where_it_began(folder)?;
            let (config, shard) = begun(&folder, args.model.as_deref())?;
            (config, shard, folder)
        }
        None => (config(args)?, args.shard, args.out.clone().unwrap_or_else(free_folder)),
    };
    if args.resume.is_none() {
        ensure_free(&config, &folder)?;
    }
    let open = opener(&config, &folder, args.dry_run)?;
    let (mut prepared, asking) = prepare(config, &open, &args.remote, args.dry_run)?;
    prepared.header.shard = shard;
    if args.dry_run {
        let cost = asking.elsewhere.as_ref().map(|options| plan::cost(&prepared, options, &args.remote));
        return plan::show(&prepared, cost.as_ref(), ui);
    }
    let mut ledger = Ledger::open(&folder, asking.elsewhere.as_ref(), &args.remote)?;
    prepared.header.from = paths::from(&folder);
    // A forecast is calibrated first, which takes a while with a large model.
    let calibrating = Progress::asking("", None, Arc::clone(&asking.asked), None);
    let run = match &args.resume {
        Some(_) => prepared.resume(&folder, &open)?,
        None => prepared.start(&folder, &open)?,
    };
    calibrating.finish();
    ui::note(&plan::line(&prepared));
    catalog::left_out().iter().for_each(|left_out| ui::note(left_out));
    ui::note(&plan::labels(&prepared));
    let goes_on = goes_on(&prepared, &folder);
    if let Some(damage) = run.damage() {
        let left = prepared.samples() - run.done();
        ui::note(&format!(
            "the run file is damaged at line {} ({}); it is kept as {}. {} of {} samples are asked again: at most {} \
             questions",
            damage.line,
            damage.why,
            damage.kept.display(),
            left,
            prepared.samples(),
            prepared.plan.calls(left),
        ));
    }
    ui::note(&format!("if it is stopped, {goes_on} goes on"));
    stop::say(format!("stopped: what was answered is kept in {}. Continue with\n  {goes_on}", folder.display()));
    let full = is_remote(&prepared.header.model.name).then(|| full(&prepared, &args.remote));
    let done = complete(run, &prepared, full, &asking.asked, &mut |end| ledger.write(end));
    done.inspect_err(|_| ui::note(&format!("what was done is kept: {goes_on} goes on")))?;
    match shard {
        None => tell(&folder, ui),
        Some(shard) => {
            ui::note(&format!(
                "piece {shard} is complete. When all {} are, `fissure merge DIR... --out DIR` makes the run of them",
                shard.of()
            ));
            ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))
        }
    }
}

/// Writes the findings and the report of a complete run, and shows what was found.
pub fn tell(folder: &Path, ui: Ui) -> Result<()> {
    let found = told(folder)?;
    summary::show(&found, ui);
    if let Some(file) = read_asked(folder)?.filter(|_| !ui.json) {
        ui::note(&format!("\n{}", file.told()));
    }
    ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))?;
    if !ui.json {
        summary::show_words(&found, folder);
    }
    Ok(())
}

/// A run of a model on this machine in a new directory, from its first question to its report.
pub fn run_into(folder: &Path, config: &RunConfig) -> Result<Findings> {
    let open = opener(config, folder, false)?;
    let (respondent, aids, asking) = local(config.model.as_deref().unwrap_or_default(), config, Aids::default())?;
    let mut prepared = Prepared::new(config.clone(), DataFacts::read(&open, config)?, respondent, &aids)?;
    prepared.header.from = paths::from(folder);
    complete(prepared.start(folder, &open)?, &prepared, None, &asking.asked, &mut |_| Ok(()))?;
    told(folder)
}

/// The config of the run that began in a directory, with the whole address of its model, and which piece it is.
fn begun(folder: &Path, model: Option<&str>) -> Result<(RunConfig, Option<Shard>)> {
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
    let inputs = Inputs::default().and(&config.data).and(&config.model).and(&config.prompt).and_help(&help(config));
    inputs.refuse(outputs.iter().map(PathBuf::as_path))?;
    match outputs.iter().find(|output| output.exists()).filter(|_| !folder.join(RUN_FILE).exists()) {
        Some(output) => Err(Error::NotFree { place: output.display().to_string() }),
        None => Ok(()),
    }
}

/// The command that goes on with a run.
fn goes_on(prepared: &Prepared, folder: &Path) -> String {
    let model = &prepared.header.model.name;
    let again = if is_shortened(model) { format!(" --model {}", shell_word(model)) } else { String::new() };
    format!("`fissure evaluate --resume {}{again}`", shell_word(&folder.display().to_string()))
}

/// The fewest samples that fill all requests a model elsewhere may be sent at a time.
fn full(prepared: &Prepared, patience: &Remote) -> usize {
    let questions = usize::from(patience.concurrency) * usize::from(patience.batch.unwrap_or(16));
    questions.div_ceil(prepared.calls().div_ceil(prepared.samples().max(1)).max(1))
}

/// Writes beside the run file what was found, for programs and for people.
fn told(folder: &Path) -> Result<Findings> {
    let found = findings(&folder.join(RUN_FILE))?;
    let text = written_findings(&found, folder)?;
    draft::write(&folder.join(FINDINGS_FILE), text.as_bytes(), Existing::Replace)?;
    report::write_beside(folder, &found)?;
    Ok(found)
}

/// Opens the data of a run, as often as is wanted.
fn opener(
    config: &RunConfig,
    folder: &Path,
    dry_run: bool,
) -> Result<impl Fn() -> fissure_evaluate::Result<Reader> + use<>> {
    let reading = reading(config);
    let layout = config.task()?;
    let files = files(config, &reading, folder, dry_run)?;
    Ok(move || -> fissure_evaluate::Result<Reader> {
        let options = data::options(&reading, layout).map_err(as_data)?;
        let options = fissure_data::ReadOptions { unlabelled: true, ..options };
        Ok(Box::new(Samples::open(files.clone(), options)?))
    })
}

/// Runs all that is left, in windows that take about a second each. Those of a model elsewhere, which may be slow and may
/// go away, begin with what fills its requests.
///
/// `window` is called after each window, and with `true` at the end.
fn complete(
    mut run: Run<'_>,
    prepared: &Prepared,
    full: Option<usize>,
    asked: &Asked,
    window: &mut dyn FnMut(bool) -> Result<()>,
) -> Result<()> {
    let samples = prepared.samples();
    let expected = prepared.plan.calls(samples - run.done().min(samples)) as u64;
    let mut progress = Progress::asking("samples", Some(samples as u64), Arc::clone(asked), Some(expected));
    progress.resumed(run.done() as u64);
    let mut size = full.unwrap_or(FIRST);
    loop {
        let started = Instant::now();
        // What was asked is counted even if it ends badly.
        let done = run.advance(size).map_err(Error::from);
        window(!done.as_ref().is_ok_and(|done| *done > 0))?;
        let done = done?;
        if done == 0 {
            break;
        }
        progress.add(done as u64);
        let took = started.elapsed().as_secs_f64().max(1e-3);
        // The size of a window never changes a result, so the clock may choose it.
        let fitting = done as f64 * WINDOW.as_secs_f64() / took;
        size = (fitting as usize).clamp(size / 4, size * 4).clamp(full.unwrap_or(1).min(MOST), MOST);
    }
    progress.finish();
    run.finish()?;
    Ok(())
}

/// What the user asked for: the file, overruled by the flags.
fn config(args: &args::Evaluate) -> Result<RunConfig> {
    let file = match &args.config {
        None => RunConfig::default(),
        Some(path) => {
            let place = path.display().to_string();
            let text = fs::read_to_string(path).map_err(|source| Error::Read { place: place.clone(), source })?;
            toml::from_str(&text).map_err(|source| Error::Config { place, source })?
        }
    };
    let mut set = Vec::new();
    for setting in &args.set {
        let (knob, value) = setting.split_once('=').ok_or_else(|| Error::SetWithoutValue(setting.clone()))?;
        set.push((knob.trim().to_owned(), value.trim().to_owned()));
    }
    let config = file.overruled_by(RunConfig {
        model: args.model.clone(),
        data: args.data.clone(),
        task: args.task.clone(),
        columns: args.columns.clone(),
        id: args.id.clone(),
        format: args.format.clone(),
        label_map: args.map.label_map.clone(),
        fields: args.fields.clone(),
        skip_bad_rows: args.on_bad_row.map(|what| what == OnBadRow::Skip),
        limit: args.limit,
        seed: args.seed,
        suite: args.suite.clone(),
        variants: args.variants,
        set,
        importance: name_of(args.importance),
        api: name_of(args.remote.api),
        api_model: args.remote.api_model.clone(),
        labels: args.remote.labels.clone(),
        label_names: args.remote.label_names.clone(),
        prompt: args.remote.prompt.clone(),
        body: args.remote.body.clone(),
        condition: args.condition.clone(),
        keep: args.keep.clone(),
        language_model: args.help.language_model.clone(),
        translator: args.help.translator.clone(),
        encoder: args.help.encoder.clone(),
        vectors: args.help.vectors.clone(),
        train: args.help.train.clone(),
        donors: args.help.donors.clone(),
        senses: args.help.senses.clone(),
        phrases: args.help.phrases.clone(),
        ..RunConfig::default()
    });
    // A task goes by one name in a run, whatever the user calls it.
    let task = config.task.as_deref().map(fissure_tasks::find).transpose()?.map(|layout| layout.card.name.to_owned());
    let config = RunConfig { task, ..config };
    if config.model.is_none() {
        return Err(Error::NotSaid { what: "a model", flag: "--model" });
    }
    if config.data.is_empty() {
        return Err(Error::NotSaid { what: "data", flag: "--data" });
    }
    Ok(config)
}

/// The data as every other command reads them.
pub fn reading(config: &RunConfig) -> Data {
    Data {
        data: config.data.clone(),
        task: config.task_name().to_owned(),
        columns: config.columns.clone(),
        id: config.id.clone(),
        format: config.format.clone(),
        fields: config.fields.clone(),
        on_bad_row: if config.skip_bad_rows == Some(true) { OnBadRow::Skip } else { OnBadRow::Stop },
        limit: config.limit,
    }
}

/// What the run lends to parts, as `fissure transform` is told it.
fn help(config: &RunConfig) -> Help {
    Help {
        language_model: config.language_model.clone(),
        translator: config.translator.clone(),
        encoder: config.encoder.clone(),
        train: config.train.clone(),
        donors: config.donors.clone(),
        senses: config.senses.clone(),
        phrases: config.phrases.clone(),
        vectors: config.vectors.clone(),
    }
}

/// The files to read. Standard input is kept in the directory of the run, because it is read twice, and again on resume.
fn files(config: &RunConfig, reading: &Data, folder: &Path, dry_run: bool) -> Result<Vec<PathBuf>> {
    if !config.data.iter().any(|name| name == "-") {
        return data::files(reading);
    }
    let kept = folder.join(KEPT_INPUT);
    if !kept.exists() {
        if dry_run {
            return Err(Error::InputTwice);
        }
        let writing = || Error::writing(kept.display().to_string());
        fs::create_dir_all(folder).map_err(writing())?;
        let mut draft = Draft::create(&kept, Existing::Refuse)?;
        io::copy(&mut io::stdin().lock(), &mut draft).map_err(writing())?;
        draft.finish()?;
    }
    Ok(vec![kept])
}

/// The plan, the model that is asked, and all that it and the user lend to parts.
fn prepare(config: RunConfig, open: &OpenData<'_>, patience: &Remote, dry_run: bool) -> Result<(Prepared, Asking)> {
    // Whatever is wrong with what the user wrote is found before the data is read.
    if is_remote(config.model.as_deref().unwrap_or_default()) {
        remote::options(&patience_of(&config, patience)?)?;
    }
    let aids = lend::help(&help(&config), &reading(&config))?;
    let name = config.model.clone().unwrap_or_default();
    // A model on this machine is opened first: a wrong name should not wait for the data.
    let local = if is_remote(&name) { None } else { Some(local(&name, &config, aids.clone())?) };
    let facts = DataFacts::read(open, &config)?;
    let (respondent, aids, asking) = match local {
        Some(local) => local,
        None => elsewhere(&name, &config, patience, &facts, aids, dry_run)?,
    };
    let config = RunConfig { model: Some(public(&name)), ..config };
    Ok((Prepared::new(config, facts, respondent, &aids)?, asking))
}

/// What is counted while a model is asked.
struct Asking {
    asked: Asked,
    /// How a model elsewhere is asked.
    elsewhere: Option<RemoteOptions>,
}

impl Asking {
    fn here(count: Arc<AtomicU64>) -> Self {
        Self { asked: Arc::new(move || count.load(Ordering::Relaxed)), elsewhere: None }
    }
}

/// What asking a model elsewhere took, written beside the run every few seconds and at its end.
struct Ledger<'a> {
    path: PathBuf,
    earlier: Option<AskedFile>,
    options: Option<&'a RemoteOptions>,
    remote: &'a Remote,
    next: Instant,
}

impl<'a> Ledger<'a> {
    fn open(folder: &Path, options: Option<&'a RemoteOptions>, remote: &'a Remote) -> Result<Self> {
        let earlier = if options.is_some() { read_asked(folder)? } else { None };
        Ok(Self { path: folder.join(ASKED_FILE), earlier, options, remote, next: Instant::now() })
    }

    fn write(&mut self, end: bool) -> Result<()> {
        let Some(options) = self.options.filter(|_| end || Instant::now() >= self.next) else { return Ok(()) };
        self.next = Instant::now() + LEDGER;
        let file = AskedFile::new(self.earlier.clone(), &options.meter.asked(), self.remote.price);
        let place = self.path.display().to_string();
        let text = serde_json::to_vec_pretty(&file).map_err(|why| Error::writing(place)(why.into()))?;
        Ok(draft::write(&self.path, &text, Existing::Replace)?)
    }
}

/// How the user wants to know which words carry the model's answer.
fn importance(config: &RunConfig) -> Result<Option<Importance>> {
    config.importance.as_deref().map(named::<Importance>).transpose()
}

/// A model on this machine, and the help that there is with what the model lends.
fn local(name: &str, config: &RunConfig, aids: Aids) -> Result<(Box<dyn Respondent>, Aids, Asking)> {
    let directory = examples::model_directory(name)?;
    let count = Arc::new(AtomicU64::new(0));
    if examples::classified(config.task()?).is_err() {
        let model = open_local(name, &directory, config.task()?)?;
        return Ok((Box::new(CountedRespondent::new(model, Arc::clone(&count))), aids, Asking::here(count)));
    }
    let model: Arc<dyn Model> = fissure_models::open(&directory)?.into();
    let model: Arc<dyn Model> = Arc::new(Counted::new(model, Arc::clone(&count)));
    let respondent = LocalClassifier::new(name, &directory, Arc::clone(&model))?;
    Ok((Box::new(respondent), lend::lend_importance(aids, model, importance(config)?)?, Asking::here(count)))
}

/// A model behind an address or in a program. What it is asked is written in the run, so that a resumed run asks the
/// same; how patiently is not. It says which words carry its answer only where the user wants that: it has to be asked
/// once for every word. The labels of the data are those of a model that names none.
fn elsewhere(
    name: &str,
    config: &RunConfig,
    patience: &Remote,
    facts: &DataFacts,
    mut aids: Aids,
    dry_run: bool,
) -> Result<(Box<dyn Respondent>, Aids, Asking)> {
    let data_labels = facts.survey.labels().map(str::to_owned).collect();
    let options = RemoteOptions { data_labels, ..remote::options(&patience_of(config, patience)?)? };
    let how = importance(config)?;
    let asking = Asking { asked: remote::questions(&options), elsewhere: Some(options.clone()) };
    if dry_run {
        if how.is_some() {
            aids = lend::lend_importance(aids, Arc::new(Unasked::new(name, config.task()?, &options)?), how)?;
        }
        return Ok((Box::new(Unasked::new(name, config.task()?, &options)?), aids, asking));
    }
    ui::note(&format!("waiting for {} to answer", public(name)));
    let respondent = RemoteRespondent::open(name, config.task()?, &options)?;
    if respondent.labels_of_data {
        let labels = respondent.about().labels.join(", ");
        ui::note(&format!("the model does not list its labels; using those in the data ({labels})"));
    }
    if how.is_some() {
        aids = lend::lend_importance(aids, Arc::new(respondent.classifier()), how)?;
    }
    Ok((Box::new(respondent), aids, asking))
}

/// How a model elsewhere is asked: what the run keeps, and for the rest what the command line says.
pub fn patience_of(config: &RunConfig, patience: &Remote) -> Result<Remote> {
    let endpoint = Endpoint {
        api: config.api.as_deref().map(named::<ApiName>).transpose()?,
        api_model: config.api_model.clone(),
        labels: config.labels.clone(),
        label_names: config.label_names.clone(),
        prompt: config.prompt.clone(),
        body: config.body.clone(),
        ..patience.endpoint.clone()
    };
    Ok(Remote { endpoint, ..patience.clone() })
}

/// A choice of the command line by the name that the config gives it.
fn named<T: ValueEnum>(name: &str) -> Result<T> {
    T::from_str(name, true).map_err(|_| {
        let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let known: Vec<String> = known.map(|value| value.get_name().to_owned()).collect();
        Error::NoChoice { name: name.into(), known: known.join(", ") }
    })
}

/// What the config calls a choice of the command line.
fn name_of<T: ValueEnum>(choice: Option<T>) -> Option<String> {
    Some(choice?.to_possible_value()?.get_name().to_owned())
}

/// The first directory in `fissure-runs` that is not there yet.
fn free_folder() -> PathBuf {
    let mut numbered = (1u32..).map(|number| Path::new("fissure-runs").join(number.to_string()));
    numbered.find(|folder| !folder.exists()).unwrap_or_else(|| "fissure-runs".into())
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
