//! `fissure predict`: a model's answers, as JSON lines.

use std::io::Write as _;

use fissure_models::Answer;
use fissure_models::remote::public;
use serde_json::json;

use crate::args;
use crate::commands::outputs::Inputs;
use crate::commands::remote::Asking;
use crate::commands::{data, examples, labels, resume};
use crate::ui::Ui;
use crate::{Error, Result, ui};

/// Texts asked about at a time: enough to keep the model busy, few enough that little is lost when it is stopped.
const BATCH: usize = 256;

pub fn run(args: &args::Predict, ui: Ui) -> Result<()> {
    Inputs::of(&args.data).and([&args.model]).check_resumable(args.out.as_deref(), args.go_on)?;
    let task = examples::classified(data::task(&args.data)?)?;
    let asking = Asking::open(&args.model, &args.data, &args.remote, args.max_length)?;
    let model = &asking.model;
    let offers = model.offers();
    let (mut samples, map) = labels::Stream::open(&args.data, task, &**model, &args.labels)?;
    labels::tell("the data", &map, ui);
    let remote = &args.remote;
    let asked =
        (public(&args.model), remote.api, &remote.api_model, &remote.labels, &args.data, args.max_length, &args.labels);
    let put = (&remote.label_names, &remote.prompt, &remote.body);
    let files = [&*args.model].into_iter().chain(remote.prompt.as_deref());
    let settings = resume::settings(&format!("predict {asked:?} {put:?}"), files)?;
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on, settings)?;
    let mut progress = asking.progress("samples", samples.total());
    let mut tally: examples::Tally = run.counts().unwrap_or_default();
    while let Some(batch) = samples.next()? {
        let done = run.done_of(&batch)?;
        progress.resumed(done as u64);
        for batch in batch[done..].chunks(BATCH) {
            let inputs: Vec<_> = batch.iter().map(examples::input).collect();
            let answers = model.try_answer(&inputs)?;
            for (sample, answer) in batch.iter().zip(answers) {
                let label = sample.label.as_ref().map(ToString::to_string);
                let Answer { predicted, log_probs, truncated } = match answer {
                    Ok(answer) => answer,
                    Err(why) => {
                        tally.unanswered();
                        let line = json!({ "id": sample.id, "predicted": null, "label": label, "failed": why });
                        writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
                        run.wrote(sample, &mut out, &tally)?;
                        continue;
                    }
                };
                let gold = label.as_deref().and_then(|label| map.index(label));
                tally.add(gold, predicted, truncated);
                let line = json!({
                    "id": sample.id, "predicted": offers.labels.get(predicted), "label": label, "log_probs": log_probs,
                    "truncated": truncated,
                });
                writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
                run.wrote(sample, &mut out, &tally)?;
            }
            progress.add(batch.len() as u64);
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    asking.tell(&args.remote, ui);
    ui::note(&tally.show(ui));
    samples.report_bad_rows();
    Ok(())
}
