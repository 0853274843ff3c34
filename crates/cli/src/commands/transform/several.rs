//! Several transformations at once, each into a file of its own.

use std::fs;
use std::path::Path;

use fissure_data::Format;
use fissure_evaluate::{ChainConfig, suite};
use fissure_probes::TRANSFORMS;
use fissure_settings::ChangeOptions;
use fissure_tasks::Task;

use crate::args::{self, GoOn};
use crate::ui::{self, Ui};
use crate::{Error, Result};
use fissure_kit::data;

/// A transformation or a chain, and the file it is written to.
struct Part {
    /// The file's name without its ending.
    name: String,
    chain: String,
    settings: Vec<String>,
}

/// Whether the user asked for several.
pub fn wanted(args: &args::Transform) -> bool {
    args.suite.is_some() || args.names.as_deref().unwrap_or_default().contains(',')
}

/// Writes `DIR/NAME.jsonl` for every transformation that serves the task.
pub fn run(args: &args::Transform, ui: Ui) -> Result<()> {
    let folder = args.out.as_deref().ok_or(Error::SeveralNeedFolder)?;
    // A folder called like a file of data is hardly what was meant.
    let looks_like_file = !folder.exists() && Format::of_name(&folder.to_string_lossy()).is_some();
    if folder.is_file() || looks_like_file {
        return Err(Error::SeveralNeedFolder);
    }
    if args.data.is_input() {
        return Err(Error::SeveralOfInput);
    }
    let parts = each(args)?;
    fs::create_dir_all(folder).map_err(Error::writing(folder.display().to_string()))?;
    for own in parts {
        let out = folder.join(format!("{}.{}", own.name, args.ending.trim_start_matches('.')));
        let Some(go_on) = goes_on(&out, args.go_on) else {
            ui::note(&format!("  {} exists; whether these settings made it was not checked", out.display()));
            continue;
        };
        let (name, own) = (own.name, args::Transform { out: Some(out), go_on, ..own.args });
        match super::one(&own, true, ui) {
            // A suite takes what can be run.
            Err(Error::Kit(why)) if args.suite.is_some() && why.leaves_out().is_some() => {
                ui::note(&format!("  `{name}` is left out: {}", why.leaves_out().unwrap_or_default()));
            }
            done => done?,
        }
    }
    ui::print(&format!("{}\n", folder.display())).map_err(Error::writing("standard output"))
}

/// One transformation of several: the name of its file, and its own arguments.
pub struct Own {
    pub name: String,
    pub args: args::Transform,
}

/// The arguments for each transformation that the user named and that serves the task.
pub fn each(args: &args::Transform) -> Result<Vec<Own>> {
    let task = data::task(&args.data)?;
    let mut parts = Vec::new();
    for part in named(args, task)? {
        let cards = part.chain.split('+').map(|name| TRANSFORMS.find(name.trim()).map(|entry| &entry.card));
        let cards = cards.collect::<fissure_core::Result<Vec<_>>>()?;
        match cards.into_iter().find_map(|card| Some((card.name, card.refuses(&task.facts)?))) {
            None => parts.push(part),
            Some((part, why)) if args.suite.is_none() => {
                return Err(fissure_kit::Error::WrongTask { part, task: task.name(), why }.into());
            }
            Some((part, why)) => ui::note(&format!("  `{part}` is left out: it {why}")),
        }
    }
    if let Some(suite) = args.suite.as_ref().filter(|_| parts.is_empty()) {
        return Err(Error::EmptySuite { suite: suite.clone(), task: task.name().into() });
    }
    let sets = sets_of(&args.changes.set, &parts)?;
    let own = |(part, set): (Part, Vec<String>)| {
        let changes = ChangeOptions { set: [part.settings, set].concat(), ..args.changes.clone() };
        let args = args::Transform { names: Some(part.chain), suite: None, changes, ..args.clone() };
        Own { name: part.name, args }
    };
    Ok(parts.into_iter().zip(sets).map(own).collect())
}

/// The transformations that the user named, or those of a suite.
fn named(args: &args::Transform, task: &Task) -> Result<Vec<Part>> {
    let plain = |chain: &str| Part { name: chain.to_owned(), chain: chain.to_owned(), settings: Vec::new() };
    let Some(suite) = &args.suite else {
        let names = args.names.as_deref().unwrap_or_default();
        return Ok(names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(plain).collect());
    };
    let mut parts: Vec<Part> = Vec::new();
    for chain in suite::named(suite)?.into_iter().flat_map(|suite| suite.chains(&task.facts)) {
        let part = match chain {
            ChainConfig::Name(name) => plain(&name),
            ChainConfig::Full { parts, knobs, .. } => {
                let values: Vec<String> = knobs.values().map(ToString::to_string).collect();
                Part {
                    name: [vec![parts.clone()], values].concat().join("-"),
                    settings: knobs.iter().map(|(knob, value)| format!("{knob}={value}")).collect(),
                    chain: parts,
                }
            }
        };
        // Two suites may share a part.
        if !parts.iter().any(|known| known.name == part.name) {
            parts.push(part);
        }
    }
    Ok(parts)
}

/// For each part the settings that it takes; each setting must be taken by one of them.
fn sets_of(sets: &[String], parts: &[Part]) -> Result<Vec<Vec<String>>> {
    let takes = |part: &Part, set: &String| {
        let knob = set.split('=').next().unwrap_or_default().trim();
        let mut entries = part.chain.split('+').filter_map(|name| TRANSFORMS.find(name.trim()).ok());
        match knob.split_once('.') {
            Some((name, _)) => entries.any(|entry| entry.card.is_called(name)),
            None => entries.any(|entry| entry.knobs().iter().any(|card| card.name == knob)),
        }
    };
    if let Some(set) = sets.iter().find(|set| !parts.iter().any(|part| takes(part, set))) {
        let knob = set.split('=').next().unwrap_or_default().to_owned();
        return Err(fissure_evaluate::Error::NoKnob { knob }.into());
    }
    Ok(parts.iter().map(|part| sets.iter().filter(|set| takes(part, set)).cloned().collect()).collect())
}

/// How to go on with one of the files; `None` if it is complete.
fn goes_on(out: &Path, go_on: GoOn) -> Option<GoOn> {
    (!go_on.resume || !out.exists()).then_some(go_on)
}
