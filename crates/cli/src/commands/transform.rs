//! `fissure transform NAME[+NAME...] --data FILE`

mod line;
mod out;
mod summary;

use fissure_core::{Chain, Where};
use fissure_probes::TRANSFORMS;
use rayon::prelude::*;

use crate::args;
use crate::commands::{data, lend};
use crate::config::Config;
use crate::ui::{Progress, Ui};
use crate::{Error, Result};
use line::{Made, Plan};
use out::Out;
use summary::Counts;

pub fn run(args: &args::Transform, ui: Ui) -> Result<()> {
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let mut settings = config.settings(&args.names);
    for set in &args.set {
        let (knob, value) = set.split_once('=').ok_or_else(|| Error::SetWithoutValue(set.clone()))?;
        settings.push((knob.trim().into(), value.trim().into()));
    }
    let aids = lend::aids(&args.lent, &args.data)?;
    let keeps = lend::keeps(&args.keep, &aids)?;
    let condition = args.condition.as_deref().map(Where::parse).transpose()?;
    let chain = Chain::build(&TRANSFORMS, &args.names, &settings)?.with(aids.clone());
    let layout = data::layout(&args.data)?;
    if let Some(card) = chain.cards().find(|card| !card.tasks.serve(layout.card.name)) {
        return Err(Error::WrongTask { part: card.name, task: layout.card.name });
    }
    let mut out = Out::create(args.out.as_deref(), layout)?;
    let plan = Plan {
        chain: &chain,
        keeps: &keeps,
        aids: &aids,
        layout,
        seed: args.seed.or(config.seed).unwrap_or(0),
        variants: args.variants as usize,
        only_changed: args.only_changed,
        as_lines: out.takes_lines(),
    };

    // A change needs no label; where there is one it is carried along.
    let mut samples = data::open_unlabelled(&args.data, layout)?;
    let mut counts = Counts::default();
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let limit = args.data.limit;
    let mut next = data::next(&mut samples, limit, 0)?;
    let mut read = 0;
    while let Some(mut batch) = next {
        let taken = batch.len();
        read += taken;
        if let Some(condition) = &condition {
            batch = data::only(batch, condition)?;
            counts.left_out += taken - batch.len();
        }
        let change = || -> Result<()> {
            for made in batch.par_iter().map(|sample| plan.make(sample)).collect::<Vec<Made>>() {
                out.write(&made)?;
                counts.add(made.counts);
            }
            Ok(())
        };
        // While these are changed and written, the next are read: what is done waits for no slow pipe and no bad row.
        let (changed, following) = rayon::join(change, || data::next(&mut samples, limit, read));
        changed?;
        progress.add(taken as u64);
        next = following?;
    }
    out.finish()?;
    progress.finish();
    summary::show(&chain, layout.card.name, &counts, &samples, ui);
    Ok(())
}
