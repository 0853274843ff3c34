//! `fissure slice NAME --data FILE`: the samples of a slice.
//!
//! Two passes over the data: the first keeps a number for each sample and nothing else, the second writes the samples
//! that are in.

use fissure_core::{Cut, Filter};
use fissure_data::{Format, Writer};
use fissure_probes::SLICES;
use rayon::prelude::*;
use serde_json::json;
use std::path::Path;

use crate::args::{self, GoOn};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};
use fissure_kit::outputs::Inputs;
use fissure_kit::resume::{self, Resumable};
use fissure_kit::{data, stop};

pub fn run(args: &args::Slice, ui: Ui) -> Result<()> {
    let mut settings = Vec::new();
    for set in &args.set {
        let (knob, value) = set.split_once('=').ok_or_else(|| Error::SetWithoutValue(set.clone()))?;
        settings.push((knob.trim().to_owned(), value.trim().to_owned()));
    }
    let entry = SLICES.find(&args.name)?;
    let (slice, _) = entry.build(&settings)?;
    let condition = args.condition.as_deref().map(Filter::parse).transpose()?;
    if args.data.is_input() {
        return Err(Error::SliceOfInput);
    }
    Inputs::of(&args.data).check_resumable(args.out.as_deref(), args.go_on.begin())?;
    let layout = data::task(&args.data)?;

    stop::say(match &args.out {
        Some(out) if args.go_on.resume => format!("stopped: what was kept of {} is as it was", out.display()),
        Some(out) => format!("stopped: nothing is kept yet; {} is as it was", out.display()),
        None => "stopped: nothing is kept".to_owned(),
    });
    let mut samples = data::open_unlabelled(&args.data, layout)?;
    let mut progress = Progress::new("samples measured", args.data.limit.map(|limit| limit as u64));
    // Nothing for a sample that cannot be measured, and for one that the condition leaves out.
    let mut measures: Vec<Option<f64>> = Vec::new();
    let (mut left_out, mut unmeasured) = (0, 0);
    while let Some(batch) = data::next(&mut samples, args.data.limit, measures.len())? {
        let measured: Vec<Result<(bool, Option<f64>)>> = batch
            .par_iter()
            .map(|sample| {
                let wanted = condition.as_ref().map_or(Ok(true), |condition| condition.holds(sample))?;
                Ok((wanted, if wanted { slice.measure(sample).ok() } else { None }))
            })
            .collect();
        for measured in measured {
            let (wanted, measure) = measured?;
            left_out += usize::from(!wanted);
            unmeasured += usize::from(wanted && measure.is_none());
            measures.push(measure);
        }
        progress.add(batch.len() as u64);
    }
    progress.finish();
    data::refuse_empty(&args.data, measures.len(), samples.skipped())?;
    let inside = slice.cut().select(&measures);

    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    let shape = samples.shape().cloned();
    let name = path.to_string_lossy();
    let format = shape.as_ref().map_or_else(|| Format::of_name(&name), |shape| shape.format_of(&name));
    let format = format.unwrap_or(Format::Jsonl);
    let printed = args::Slice { out: None, go_on: GoOn::default(), ..args.clone() };
    let (mut run, mut out) = Resumable::open(
        args.out.as_deref(),
        args.go_on.resume,
        resume::settings::<&str>(&format!("{printed:?}"), [])?,
        || Ok(Writer::create(path, Some(format), layout, args.go_on.existing())?),
        |path| Ok(Writer::resume(path, Some(format), layout)?),
    )?;
    let mut samples = data::open_unlabelled(&args.data, layout)?;
    if let Some(shape) = &shape {
        out.like(shape);
    }
    let mut progress = Progress::new("samples", Some(measures.len() as u64));
    let mut read = 0;
    while let Some(batch) = data::next(&mut samples, args.data.limit, read)? {
        let done = run.done_of(&batch)?;
        batch.first().into_iter().for_each(|first| out.columns_of(first));
        for (at, sample) in batch.iter().enumerate().skip(done) {
            if inside.get(read + at).copied().unwrap_or(false) {
                out.write(sample)?;
            }
            run.wrote(sample, &mut out, &())?;
        }
        read += batch.len();
        progress.add((batch.len() - done) as u64);
    }
    progress.finish();
    run.check_end()?;
    out.finish()?;
    let taken = inside.iter().filter(|taken| **taken).count();
    let counts = [read, taken, measures.len() - taken - left_out - unmeasured, unmeasured, left_out];
    show(entry.card.name, slice.cut(), counts, ui);
    data::report_bad_rows(samples.skipped());
    Ok(())
}

fn show(name: &str, cut: Cut, [read, inside, outside, unmeasured, left_out]: [usize; 5], ui: Ui) {
    if ui.json {
        let summary = json!({
            "slice": name, "read": read, "inside": inside, "outside": outside, "not_measured": unmeasured,
            "left_out": left_out,
        });
        return ui::note(&summary.to_string());
    }
    let which = match cut {
        Cut::Lowest(share) => format!("lowest {} %", share * 100.0),
        Cut::Highest(share) => format!("highest {} %", share * 100.0),
        Cut::Between { least, most } if least == most => format!("{least}"),
        Cut::Between { least, most } if most.is_infinite() => format!("{least} or more"),
        Cut::Between { least, most } => format!("{least} to {most}"),
    };
    let row: Vec<String> = [name.to_owned(), which]
        .into_iter()
        .chain([read, inside, outside, unmeasured, left_out].iter().map(ToString::to_string))
        .collect();
    ui::note(&table(&["slice", "takes", "samples", "inside", "outside", "not measured", "left out"], &[row]));
}
