//! `fissure explore`: a local page where a person sees why a model is fragile, and breaks it by hand.

use std::net::IpAddr;
use std::process::{Command, Stdio};

use fissure_core::Sample;
use fissure_data::demo::{self, POSITIVE, SHORTCUTS, Split};
use fissure_data::pairs::{Paired, by_column, two_files};
use fissure_data::{Layout, layouts};
use fissure_evaluate::Findings;
use fissure_explorer::{Planted, Server, Session, Setup, Stop, Subject, Token, Training};
use fissure_models::Model;
use fissure_models::train::{self, Architecture, TrainOptions, train};

use crate::args::{self, Data};
use crate::commands::{data, examples};
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};

/// How many built-in reviews the model learns from, and how many are looked at.
const LEARNT: usize = 3000;
const LOOKED_AT: usize = 1000;

pub fn run(args: &args::Explore, ui: Ui) -> Result<()> {
    let setup = match &args.data {
        _ if args.run.is_some() => of_a_run(args)?,
        Some(data) if !args.model.is_empty() => of_files(args, data)?,
        Some(_) => return Err(Error::DataWithoutModel),
        None => of_the_demo(args.seed)?,
    };
    let session = Session::new(setup)?;
    let server = Server::bind(args.host, args.port, Token::random()?)?;
    let url = server.url();
    let line = if ui.json { serde_json::json!({ "url": url }).to_string() } else { url.clone() };
    ui::print(&format!("{line}\n")).map_err(Error::writing("standard output"))?;
    if !args.host.is_loopback() {
        ui::note("other machines can reach this page; whoever has the address above can use it");
    }
    ui::note("Ctrl-C ends it");
    if !args.no_open {
        open(&url, args.host);
    }
    server.serve(&session, Stop::Interrupt)?;
    Ok(())
}

fn of_files(args: &args::Explore, data: &Data) -> Result<Setup> {
    let layout = examples::classified(data::layout(data)?)?;
    let mut title = data.data.join(", ");
    let samples = all(data, layout)?;
    let Paired { samples, pairs } = match (&args.pairs, &args.pairs_by) {
        (Some(file), _) => {
            let revised = Data { data: vec![file.clone()], ..data.clone() };
            title = format!("{title} and {file}");
            two_files(samples, all(&revised, layout)?)
        }
        (None, Some(column)) => by_column(samples, column),
        (None, None) => Paired { samples, pairs: Vec::new() },
    };
    if pairs.is_empty() && (args.pairs.is_some() || args.pairs_by.is_some()) {
        return Err(Error::NoPairs);
    }
    let mut subjects = Vec::new();
    for name in &args.model {
        let model = examples::model(name)?;
        let gold = gold(&*model, &samples);
        subjects.push(Subject { name: short(name), model, gold });
    }
    Ok(Setup { title, layout, samples, pairs, subjects, training: None, planted: Vec::new(), findings: None, seed: args.seed })
}

/// The model and the data of a run, with what it found.
fn of_a_run(args: &args::Explore) -> Result<Setup> {
    let path = args.run.clone().unwrap_or_default().join("findings.json");
    let place = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|source| Error::Read { place: place.clone(), source })?;
    let findings: Findings = serde_json::from_str(&text).map_err(|source| Error::Findings { place, source })?;
    let about = &findings.about;
    let data = Data {
        data: about.data.files.clone(),
        task: about.task.clone(),
        columns: Vec::new(),
        format: None,
        fields: Vec::new(),
        on_bad_row: args::OnBadRow::Skip,
        limit: Some(about.data.samples),
    };
    let named = args::Explore { model: vec![about.model.name.clone()], ..args.clone() };
    Ok(Setup { findings: Some(findings.clone()), ..of_files(&named, &data)? })
}

/// Everything the data hold, up to the user's limit.
fn all(data: &Data, layout: &'static Layout) -> Result<Vec<Sample>> {
    let mut samples = data::open_unlabelled(data, layout)?;
    let mut read = Vec::new();
    while let Some(batch) = data::next(&mut samples, data.limit, read.len())? {
        read.extend(batch);
    }
    data::report_bad_rows(&samples);
    Ok(read)
}

fn gold(model: &dyn Model, samples: &[Sample]) -> Vec<Option<usize>> {
    let map = examples::label_map(model.offers(), samples);
    samples.iter().map(|sample| map.index(model.offers(), &sample.label.as_ref()?.to_string())).collect()
}

/// The last part of a path: long ones fill the page.
fn short(name: &str) -> String {
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    if last.is_empty() { name.to_owned() } else { last.to_owned() }
}

/// The built-in reviews, and a small network that learns from them now.
fn of_the_demo(seed: u64) -> Result<Setup> {
    let learnt = demo::corpus(seed, Split::Train, LEARNT);
    let samples = demo::corpus(seed, Split::Test, LOOKED_AT);
    let labels = vec![demo::NEGATIVE.to_owned(), POSITIVE.to_owned()];
    let class = |sample: &Sample| usize::from(sample.label.as_ref().is_some_and(|label| label.to_string() == POSITIVE));
    let lessons: Vec<train::Example> = learnt
        .iter()
        .map(|sample| train::Example {
            text: examples::input(sample).text.to_owned(),
            pair: None,
            label: class(sample),
        })
        .collect();
    let mut options = TrainOptions::new(Architecture::Cnn);
    (options.seed, options.epochs, options.fewest_occurrences) = (seed, 6, 1);
    let mut bar: Option<Progress> = None;
    let trained = train(&lessons, &labels, &options, &mut |step| {
        let steps = (step.epochs * step.batches) as u64;
        bar.get_or_insert_with(|| Progress::new("batches learnt", Some(steps))).add(1);
    })?;
    if let Some(bar) = bar {
        bar.finish();
    }
    let gold = samples.iter().map(|sample| Some(class(sample))).collect();
    let planted = |shortcut: &demo::Shortcut| {
        let words: Vec<String> = shortcut.word.to_lowercase().split_whitespace().map(str::to_owned).collect();
        words.into_iter().map(|word| Planted { word, label: shortcut.label.to_owned() })
    };
    Ok(Setup {
        title: "built-in reviews".into(),
        layout: layouts::find("sa")?,
        samples,
        pairs: Vec::new(),
        subjects: vec![Subject { name: "a small CNN".into(), model: trained.model, gold }],
        training: Some(Training { labels: learnt.iter().map(class).collect(), samples: learnt }),
        planted: SHORTCUTS.iter().flat_map(planted).collect(),
        findings: None,
        seed,
    })
}

/// Asks the desktop to show the page. Where there is none, the address has been printed.
fn open(url: &str, host: IpAddr) {
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
