//! `fissure explore`: a local page where a person sees why a model is fragile, and breaks it by hand.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use fissure_attacks::Record;
use fissure_core::{Field, Label, Language, Sample};
use fissure_data::Task;
use fissure_data::demo::{self, Split};
use fissure_data::pairs::{Paired, by_column, two_files};
use fissure_evaluate::{ModelAbout, SampleRecord};
use fissure_explorer::{Planted, Server, Session, Setup, Shelf, Stop, Subject, Token, Training};
use fissure_geometry::ExampleScore;
use fissure_models::remote::{RemoteModel, RemoteOptions, is_remote, is_shortened, public};
use fissure_models::{Capabilities, Model};
use fissure_text::share_alike;
use tokio::sync::oneshot::{Sender, channel};

use crate::args;
use crate::commands::builtin;
use crate::ui::{self, Ui};
use crate::{Error, Result};
use fissure_kit::attacks::{ATTACKS_FILE, read_records};
use fissure_kit::classes::{self, Read};
use fissure_kit::lazy_model::Late;
use fissure_kit::outputs::Inputs;
use fissure_kit::remote::{self, RemoteSettings};
use fissure_kit::scores_of_run::Answered;
use fissure_kit::{data, gate, labels, paths};
use fissure_settings::DataSource;

pub fn run(args: &args::Explore, ui: Ui) -> Result<()> {
    let (server, session) = prepared(args)?;
    let url = server.url();
    let line = if ui.json { serde_json::json!({ "url": url }).to_string() } else { url.clone() };
    ui::print(&format!("{line}\n")).map_err(Error::writing("standard output"))?;
    if !args.host.is_loopback() {
        ui::note("other machines can reach this page; anyone with the address above can use it");
    }
    ui::note("press Ctrl-C to stop");
    if !args.no_open {
        show(&url, args.host);
    }
    // The demo's model learns while the browser opens.
    let session = match session {
        Some(session) => session,
        None => Session::new(of_the_demo(args)?)?,
    };
    server.serve(&session, Stop::Interrupt(warn))?;
    Ok(())
}

/// A page that has its place, for a program that has signals of its own.
pub struct Page {
    server: Server,
    session: Arc<Session>,
}

/// Keeps a page open; without it the page closes.
#[derive(Debug)]
pub struct Closer(#[expect(dead_code, reason = "the page waits until it is gone")] Sender<()>);

/// Opens a page without showing it.
pub fn open(args: &args::Explore) -> Result<Page> {
    let (server, session) = prepared(args)?;
    let session = match session {
        Some(session) => session,
        None => Session::new(of_the_demo(args)?)?,
    };
    Ok(Page { server, session })
}

impl Page {
    /// Says where it is, and serves it until it is closed.
    pub fn serve(self, opened: impl FnOnce(String, Closer)) -> Result<()> {
        let (closer, closed) = channel();
        opened(self.server.url(), Closer(closer));
        Ok(self.server.serve(&self.session, Stop::Signal(closed))?)
    }
}

/// The server, and what it shows; `None` for the demo, whose model has to learn first.
fn prepared(args: &args::Explore) -> Result<(Server, Option<Arc<Session>>)> {
    let inputs = Inputs::default().and(&args.data.files).and(&args.model).and(&args.pairs);
    inputs.and_paths(args.run.as_deref()).refuse(args.basket.as_deref())?;
    let mut rows = Vec::new();
    let setup = match &args.run {
        Some(folder) => {
            let (setup, known) = of_a_run(args, folder)?;
            rows = known;
            Some(setup)
        }
        None if !args.model.is_empty() => Some(of_files(args, &args.data)?),
        None if !args.data.files.is_empty() => return Err(Error::DataWithoutModel),
        None => None,
    };
    if !share_alike::INCLUDED {
        ui::note(&format!("of other words to try only neighbours are shown: the rest {}", share_alike::MISSING));
    }
    // Errors in the arguments are reported before anything is opened.
    let session = setup.map(Session::new).transpose()?;
    if let Some(session) = &session {
        session.prefill(0, rows);
    }
    Ok((Server::bind(args.host, args.port, Token::random()?)?, session))
}

/// Where the basket is kept, with the columns of the data it is filled from.
fn shelf(args: &args::Explore, data: &DataSource, task: &'static Task) -> Result<Option<Shelf>> {
    let Some(file) = args.basket.clone() else { return Ok(None) };
    Ok(Some(Shelf { file, columns: data::options(data, task)?.columns }))
}

/// What a run of attacks found on the data.
fn attacks(args: &args::Explore, models: &[String]) -> Result<Option<(String, HashMap<String, Record>)>> {
    let Some(folder) = &args.attacks else { return Ok(None) };
    let run = fissure_kit::attacks::read_run(folder)?;
    let mut name = run.finding.name;
    if !models.iter().any(|model| is_same_model(model, &run.model)) {
        ui::note(&format!("the attacks in {} are on {}, which is not opened here", folder.display(), run.model));
        name = format!("{name} on {}", short(&run.model));
    }
    let records = read_records(&folder.join(ATTACKS_FILE))?;
    Ok(Some((name, records.into_iter().map(|record| (record.id.clone(), record)).collect())))
}

/// Whether a name is of the model that was attacked: the same words, or paths to one directory. A path from another place than
/// this leads nowhere here; then its last part counts.
fn is_same_model(name: &str, attacked: &str) -> bool {
    let place = |name: &str| Path::new(name).canonicalize().ok();
    name == attacked
        || match (place(name), place(attacked)) {
            (one, Some(other)) => one == Some(other),
            (_, None) => short(name) == short(attacked),
        }
}

/// Says what would be lost.
fn warn(unsaved: usize) {
    let examples = if unsaved == 1 { "example" } else { "examples" };
    ui::note(&format!(
        "the basket holds {unsaved} {examples} that are not saved; press Ctrl-C again to quit without them"
    ));
}

fn of_files(args: &args::Explore, data: &DataSource) -> Result<Setup> {
    let task = classes::classified(data::task(data)?)?;
    let mut title = data.files.iter().map(|name| short(name)).collect::<Vec<_>>().join(", ");
    let Read { samples, mut survey, .. } = classes::read(data, usize::MAX)?;
    let Paired { samples, pairs } = match (&args.pairs, &args.pairs_by) {
        (Some(file), _) => {
            let revised = DataSource { files: vec![file.clone()], ..data.clone() };
            title = format!("{title} and {}", short(file));
            let revised = classes::read(&revised, usize::MAX)?;
            survey.extend(&revised.survey);
            two_files(samples, revised.samples)
        }
        (None, Some(column)) => by_column(samples, column),
        (None, None) => Paired { samples, pairs: Vec::new() },
    };
    if pairs.is_empty() && (args.pairs.is_some() || args.pairs_by.is_some()) {
        return Err(Error::NoPairs);
    }
    let mut subjects = Vec::new();
    for name in &args.model {
        let model: Box<dyn Model> = if is_remote(name) {
            let data_labels = survey.labels().map(str::to_owned).collect();
            let options = RemoteOptions { data_labels, ..remote::options(&args.remote.settings())? };
            ui::note(&format!("waiting for {} to answer", public(name)));
            Box::new(RemoteModel::open(name, task, &options)?)
        } else {
            classes::model(name)?
        };
        let name = &public(name);
        let map = labels::matched(&*model, &survey, &args.labels)?;
        labels::announce(&format!("the data for {}", short(name)), &map);
        let gold = classes::gold(&map, &samples);
        subjects.push(Subject { name: short(name), model, gold });
    }
    Ok(Setup {
        title,
        task,
        samples,
        pairs,
        subjects,
        training: None,
        planted: Vec::new(),
        findings: None,
        attacks: attacks(args, &args.model)?,
        shelf: shelf(args, data, task)?,
        seed: args.seed,
    })
}

/// The samples of a run with their scores, and its model, which is opened when it is first asked. Nothing but the run is
/// read, so it opens at once, wherever the data are now.
fn of_a_run(args: &args::Explore, folder: &Path) -> Result<(Setup, Vec<Option<ExampleScore>>)> {
    let run = Answered::read(folder)?;
    let found = gate::read_run(folder)?;
    let config = run.header.config.clone();
    let task = classes::classified(config.task()?)?;
    // The basket is where the user stands, the model is where the run began.
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (basket, attacks_of) = (args.basket.as_deref().map(whole), args.attacks.as_deref().map(whole));
    let args = args::Explore { basket, attacks: attacks_of, ..args.clone() };
    paths::go_back(folder)?;
    let labels = &run.header.model.labels;
    let (mut samples, mut gold, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for answered in &run.samples {
        let record = &answered.sample;
        gold.push(record.gold.as_ref().and_then(|gold| labels.iter().position(|label| label == gold)));
        rows.push(run.row(answered, record.gold.as_deref()));
        samples.push(sample(record, &config.data.fields));
    }
    let model = config.model.clone().unwrap_or_default();
    let subject = Subject { name: short(&model), model: Box::new(late(&args, &run, &model)), gold };
    let data = &config.data;
    let setup = Setup {
        title: data.files.iter().map(|name| short(name)).collect::<Vec<_>>().join(", "),
        task,
        samples,
        pairs: Vec::new(),
        subjects: vec![subject],
        training: None,
        planted: Vec::new(),
        findings: Some(found),
        attacks: attacks(&args, std::slice::from_ref(&model))?,
        shelf: shelf(&args, data, task)?,
        seed: config.seed(),
    };
    Ok((setup, rows))
}

/// A sample as the run has it.
fn sample(record: &SampleRecord, open: &[String]) -> Sample {
    let field = |(name, text): &(String, String)| Field {
        name: name.as_str().into(),
        text: text.as_str().into(),
        open: open.is_empty() || open.contains(name),
        from_tokens: false,
    };
    Sample {
        fields: record.texts.iter().map(field).collect(),
        label: record.gold.as_ref().map(|gold| Label(gold.as_str().into())),
        ..Sample::of_text(record.id.as_str(), "")
    }
}

/// The model of a run. On this machine it must be the one that was asked.
fn late(args: &args::Explore, run: &Answered, name: &str) -> Late {
    let then = run.header.model.clone();
    let ModelAbout { labels, probabilities, gradients, .. } = then.clone();
    let capabilities = Capabilities { labels: labels.clone(), probabilities, gradients };
    let (address, config, remote) = (name.to_owned(), run.header.config.clone(), args.remote.clone());
    let opened = move || -> Result<Arc<dyn Model>> {
        if is_shortened(&address) {
            return Err(fissure_kit::Error::AddressNotKept { address: address.clone() }.into());
        }
        if is_remote(&address) {
            let options = remote::options(&RemoteSettings { endpoint: &config.endpoint, ..remote.settings() })?;
            let options = RemoteOptions { data_labels: labels.clone(), ..options };
            return Ok(Arc::new(RemoteModel::open(&address, config.task()?, &options)?));
        }
        let directory = classes::model_directory(&address)?;
        if then.checksum.is_some() && !then.is_in(&directory)? {
            return Err(Error::ModelChanged { model: address.clone() });
        }
        Ok(classes::model(&address)?.into())
    };
    Late::new(name, capabilities, Box::new(move || opened().map_err(|error| error.to_string())))
}

/// The last part of a path: long ones fill the page.
fn short(name: &str) -> String {
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    if last.is_empty() { name.to_owned() } else { last.to_owned() }
}

/// The built-in reviews, and a small network that learns from them now.
fn of_the_demo(args: &args::Explore) -> Result<Setup> {
    let (seed, task) = (args.seed, fissure_tasks::find("sa")?);
    let training_reviews = demo::corpus(seed, Split::Train, builtin::TRAINING_REVIEWS);
    let samples = demo::corpus(seed, Split::Test, builtin::TRIED);
    let model = builtin::learn(&training_reviews, seed)?.model;
    let gold = samples.iter().map(|sample| Some(builtin::class(sample))).collect();
    let planted = builtin::planted(Language::English).map(|(word, label)| Planted { word, label: label.to_owned() });
    Ok(Setup {
        title: "built-in reviews".into(),
        task,
        samples,
        pairs: Vec::new(),
        subjects: vec![Subject { name: "a small CNN".into(), model, gold }],
        training: Some(Training {
            labels: training_reviews.iter().map(builtin::class).collect(),
            samples: training_reviews,
        }),
        planted: planted.collect(),
        findings: None,
        attacks: None,
        shelf: shelf(args, &args.data, task)?,
        seed,
    })
}

/// Asks the desktop to show the page. If there is none, the address has been printed.
fn show(url: &str, host: IpAddr) {
    // A page that listens everywhere is opened at home.
    let url = if host.is_unspecified() { url.replacen(&host.to_string(), "127.0.0.1", 1) } else { url.to_owned() };
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let quiet = Stdio::null;
    let _ = Command::new(program).args(first).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}
