//! `fissure transform NAME[+NAME...] --data FILE`

mod line;
mod out;
mod several;
mod summary;

use std::path::Path;

use fissure_core::{Chain, Need, Where};
use fissure_probes::TRANSFORMS;
use rayon::prelude::*;

use crate::args::{self, GoOn};
use crate::commands::outputs::Inputs;
use crate::commands::resume::{self, Resumable};
use crate::commands::{data, lend};
use crate::config::Config;
use crate::ui::{Progress, Ui};
use crate::{Error, Result};
use line::Plan;
use out::Out;
use summary::Counts;

pub fn run(args: &args::Transform, ui: Ui) -> Result<()> {
    if several::wanted(args) { several::run(args, ui) } else { one(args, false, ui) }
}

/// Changes the data with one chain. One that lacks help skips every sample, unless it is to be refused.
fn one(args: &args::Transform, refuses: bool, ui: Ui) -> Result<()> {
    let names = args.names.as_deref().unwrap_or_default();
    let inputs = Inputs::of(&args.data).and_help(&args.lent.help).and(&args.lent.model);
    inputs.and_paths(args.config.as_deref()).check_resumable(args.out.as_deref(), args.go_on)?;
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let mut settings = config.settings(names);
    for set in &args.set {
        let (knob, value) = set.split_once('=').ok_or_else(|| Error::SetWithoutValue(set.clone()))?;
        settings.push((knob.trim().into(), value.trim().into()));
    }
    let aids = lend::aids(&args.lent, &args.data)?;
    let keeps = lend::keeps(&args.keep, &aids)?;
    let condition = args.condition.as_deref().map(Where::parse).transpose()?;
    let chain = Chain::build(&TRANSFORMS, names, &settings)?;
    let needs: Vec<Need> = chain.cards().flat_map(|card| card.needs).copied().collect();
    let aids = lend::of_data(aids, &args.lent.help, &args.data, &needs)?;
    let chain = chain.with(aids.clone());
    if let Some((part, need)) = chain.lacks().filter(|_| refuses) {
        return Err(Error::Lacks { part, advice: need.advice() });
    }
    let task = data::task(&args.data)?;
    if let Some((card, why)) = chain.cards().find_map(|card| Some((card, card.refuses(&task.facts)?))) {
        return Err(Error::WrongTask { part: card.name, task: task.name(), why });
    }
    // A change needs no label; where there is one it is carried along.
    let mut samples = data::open_unlabelled(&args.data, task)?;
    let start = || Out::create(args.out.as_deref(), task, args.go_on.existing());
    let go_on = |path: &Path| Out::resume(path, task);
    let (mut run, mut out) = Resumable::open(args.out.as_deref(), args.go_on.resume, settled(args)?, start, go_on)?;
    out.end_lines(samples.line_end());
    let plan = Plan {
        chain: &chain,
        keeps: &keeps,
        aids: &aids,
        task,
        seed: args.seed.or(config.seed).unwrap_or(0),
        variants: args.variants as usize,
        only_changed: args.only_changed,
        as_lines: out.takes_lines(),
    };

    let mut counts: Counts = run.counts().unwrap_or_default();
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let limit = args.data.limit;
    let mut next = data::next(&mut samples, limit, 0)?;
    let mut read = 0;
    while let Some(batch) = next {
        read += batch.len();
        let batch = &batch[run.done_of(&batch)?..];
        let change = || -> Result<()> {
            let make = |sample| match condition.as_ref().map_or(Ok(true), |condition| condition.holds(sample)) {
                Ok(true) => Ok(Some(plan.make(sample))),
                Ok(false) => Ok(None),
                Err(error) => Err(error),
            };
            let made: Vec<_> = batch.par_iter().map(make).collect();
            for (sample, made) in batch.iter().zip(made) {
                match made? {
                    Some(made) => {
                        out.write(&made)?;
                        counts.add(made.counts);
                    }
                    None => counts.left_out += 1,
                }
                run.wrote(sample, &mut out, &counts)?;
            }
            Ok(())
        };
        // While these are changed and written, the next are read: what is done waits for no slow pipe and no bad row.
        let (changed, following) = rayon::join(change, || data::next(&mut samples, limit, read));
        changed?;
        progress.add(batch.len() as u64);
        next = following?;
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    summary::show(&chain, task, &counts, &samples, ui);
    Ok(())
}

/// Everything that the changed texts depend on besides the data.
fn settled(args: &args::Transform) -> Result<String> {
    let printed = args::Transform { out: None, go_on: GoOn::default(), ..args.clone() };
    let help = &args.lent.help;
    let files = [&args.lent.model, &help.language_model, &help.encoder, &help.vectors, &help.phrases];
    let files = files.into_iter().flatten().chain(&help.train).map(String::as_str);
    let config = args.config.as_deref().and_then(Path::to_str);
    resume::settings(&format!("{printed:?}"), files.chain(config))
}
