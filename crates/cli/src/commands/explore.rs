//! `fissure explore`: a local page where a person sees why a model is fragile, and breaks it by hand.

use std::net::IpAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use fissure_data::Task;
use fissure_data::demo::{self, Split};
use fissure_data::pairs::{Paired, by_column, two_files};
use fissure_evaluate::{Header, RUN_FILE, findings};
use fissure_explorer::{Planted, Server, Session, Setup, Shelf, Stop, Subject, Token, Training};
use fissure_text::share_alike;

use crate::args::{self, Data};
use crate::commands::examples::{self, Read};
use crate::commands::outputs::Inputs;
use crate::commands::{builtin, data, evaluate, labels};
use crate::ui::{self, Ui};
use crate::{Error, Result};

pub fn run(args: &args::Explore, ui: Ui) -> Result<()> {
    let inputs = Inputs::default().and(&args.data).and(&args.model).and(&args.pairs);
    inputs.and_paths(args.run.as_deref()).refuse(args.basket.as_deref())?;
    let setup = match &args.run {
        Some(folder) => Some(of_a_run(args, folder, ui)?),
        None if !args.model.is_empty() => Some(of_files(args, &args.reading(), ui)?),
        None if !args.data.is_empty() => return Err(Error::DataWithoutModel),
        None => None,
    };
    if !share_alike::INCLUDED {
        ui::note(&format!("of other words to try only neighbours are shown: the rest {}", share_alike::MISSING));
    }
    // Whatever is wrong with what was named is told before anything opens.
    let session = setup.map(Session::new).transpose()?;
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
    // The demo's model learns while the browser opens.
    let session = match session {
        Some(session) => session,
        None => Session::new(of_the_demo(args)?)?,
    };
    server.serve(&session, Stop::Interrupt(warn))?;
    Ok(())
}

/// Where the basket is kept, with the columns of the data it is filled from.
fn shelf(args: &args::Explore, data: &Data, task: &'static Task) -> Result<Option<Shelf>> {
    let Some(file) = args.basket.clone() else { return Ok(None) };
    Ok(Some(Shelf { file, columns: data::options(data, task)?.columns }))
}

/// Says what would be lost.
fn warn(unsaved: usize) {
    let examples = if unsaved == 1 { "example" } else { "examples" };
    ui::note(&format!(
        "the basket holds {unsaved} {examples} that you have not taken home; Ctrl-C again ends without them"
    ));
}

fn of_files(args: &args::Explore, data: &Data, ui: Ui) -> Result<Setup> {
    let task = examples::classified(data::task(data)?)?;
    let mut title = data.data.iter().map(|name| short(name)).collect::<Vec<_>>().join(", ");
    let Read { samples, mut survey, .. } = examples::read(data, usize::MAX)?;
    let Paired { samples, pairs } = match (&args.pairs, &args.pairs_by) {
        (Some(file), _) => {
            let revised = Data { data: vec![file.clone()], ..data.clone() };
            title = format!("{title} and {}", short(file));
            let revised = examples::read(&revised, usize::MAX)?;
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
        let model = examples::model(name)?;
        let map = labels::matched(&*model, &survey, &args.labels)?;
        labels::tell(&format!("the data for {}", short(name)), &map, ui);
        let gold = examples::gold(&map, &samples);
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
        shelf: shelf(args, data, task)?,
        seed: args.seed,
    })
}

/// The model and the data of a run, with what it found.
fn of_a_run(args: &args::Explore, folder: &Path, ui: Ui) -> Result<Setup> {
    // The basket is where the user stands, the data are where the run began.
    let basket = args.basket.as_deref().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.to_owned()));
    let file = evaluate::paths::go_where_it_began(folder)?.join(RUN_FILE);
    let config = Header::read(&file)?.config;
    let model = config.model.clone().into_iter().collect();
    let mut labels = args.labels.clone();
    if labels.label_map.is_empty() {
        labels.label_map.clone_from(&config.label_map);
    }
    let named = args::Explore { model, labels, basket, seed: config.seed.unwrap_or(args.seed), ..args.clone() };
    Ok(Setup { findings: Some(findings(&file)?), ..of_files(&named, &evaluate::reading(&config), ui)? })
}

/// The last part of a path: long ones fill the page.
fn short(name: &str) -> String {
    let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    if last.is_empty() { name.to_owned() } else { last.to_owned() }
}

/// The built-in reviews, and a small network that learns from them now.
fn of_the_demo(args: &args::Explore) -> Result<Setup> {
    let (seed, task) = (args.seed, fissure_tasks::find("sa")?);
    let learnt = demo::corpus(seed, Split::Train, builtin::LEARNT);
    let samples = demo::corpus(seed, Split::Test, builtin::TRIED);
    let model = builtin::learn(&learnt, seed)?.model;
    let gold = samples.iter().map(|sample| Some(builtin::class(sample))).collect();
    let planted = builtin::planted().map(|(word, label)| Planted { word, label: label.to_owned() });
    Ok(Setup {
        title: "built-in reviews".into(),
        task,
        samples,
        pairs: Vec::new(),
        subjects: vec![Subject { name: "a small CNN".into(), model, gold }],
        training: Some(Training { labels: learnt.iter().map(builtin::class).collect(), samples: learnt }),
        planted: planted.collect(),
        findings: None,
        shelf: shelf(args, &args.reading(), task)?,
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
