//! `fissure predict`: a model's answers, as JSON lines.

use std::io::Write as _;

use fissure_models::Answer;
use serde_json::json;

use crate::args;
use crate::commands::{data, examples, labels, remote};
use crate::ui::{Progress, Ui};
use crate::{Error, Result, ui};

pub fn run(args: &args::Predict, ui: Ui) -> Result<()> {
    let layout = examples::classified(data::layout(&args.data)?)?;
    let model = remote::classifier(&args.model, layout.card.name, &args.remote, args.max_length)?;
    let offers = model.offers();
    let (mut samples, map) = labels::Stream::open(&args.data, layout, &*model, &args.labels)?;
    labels::tell("the data", &map, ui);
    let mut out = data::lines(args.out.as_deref())?;
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let mut tally = examples::Tally::default();
    while let Some(batch) = samples.next()? {
        let inputs: Vec<_> = batch.iter().map(examples::input).collect();
        let answers = model.answer(&inputs)?;
        for (sample, Answer { predicted, log_probs, truncated }) in batch.iter().zip(answers) {
            let label = sample.label.as_ref().map(ToString::to_string);
            let gold = label.as_deref().and_then(|label| map.index(label));
            tally.add(gold, predicted, truncated);
            let line = json!({
                "id": sample.id, "predicted": offers.labels.get(predicted), "label": label, "log_probs": log_probs,
                "truncated": truncated,
            });
            writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
        }
        progress.add(batch.len() as u64);
    }
    out.finish().map_err(Error::writing("the answers"))?;
    progress.finish();
    ui::note(&tally.show(ui));
    samples.report_bad_rows();
    Ok(())
}
