//! `fissure transform NAME[+NAME...] --data FILE`

mod line;
mod out;
mod summary;

use fissure_core::{Chain, Sample};
use fissure_data::Samples;
use fissure_probes::TRANSFORMS;
use rayon::prelude::*;

use crate::args;
use crate::commands::data;
use crate::config::Config;
use crate::ui::{Progress, Ui};
use crate::{Error, Result};
use line::{Made, Plan};
use out::Out;
use summary::Counts;

/// Samples in flight at a time: enough to keep the threads busy, few enough to hold little memory.
const BATCH: usize = 4096;

pub fn run(args: &args::Transform, ui: Ui) -> Result<()> {
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let mut settings = config.settings(&args.names);
    for set in &args.set {
        let (knob, value) = set.split_once('=').ok_or_else(|| Error::SetWithoutValue(set.clone()))?;
        settings.push((knob.trim().into(), value.trim().into()));
    }
    let chain = Chain::build(&TRANSFORMS, &args.names, &settings)?;
    let layout = data::layout(&args.data)?;
    if let Some(card) = chain.cards().find(|card| !card.tasks.serve(layout.card.name)) {
        return Err(Error::WrongTask { part: card.name, task: layout.card.name });
    }
    let mut out = Out::create(args.out.as_deref(), layout)?;
    let plan = Plan {
        chain: &chain,
        layout,
        seed: args.seed.or(config.seed).unwrap_or(0),
        variants: args.variants as usize,
        only_changed: args.only_changed,
        as_lines: out.takes_lines(),
    };

    let mut samples = data::open(&args.data, layout)?;
    let mut counts = Counts::default();
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    while let Some(batch) = next(&mut samples, args.data.limit, counts.read)? {
        let made: Vec<Made> = batch.par_iter().map(|sample| plan.make(sample)).collect();
        for made in made {
            out.write(&made)?;
            counts.add(made.counts);
        }
        progress.add(batch.len() as u64);
    }
    out.finish()?;
    progress.finish();
    summary::show(&chain, &counts, &samples, ui);
    Ok(())
}

fn next(samples: &mut Samples, limit: Option<usize>, read: usize) -> Result<Option<Vec<Sample>>> {
    let wanted = limit.map_or(BATCH, |limit| BATCH.min(limit - read));
    let batch = if wanted == 0 { Vec::new() } else { samples.batch(wanted)? };
    Ok(Some(batch).filter(|batch| !batch.is_empty()))
}
