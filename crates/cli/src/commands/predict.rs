//! `fissure predict`: a model's answers, as JSON lines.

mod other_tasks;

use std::io::Write as _;
use std::time::{Duration, Instant};

use fissure_models::Answer;
use fissure_models::remote::{is_remote, public};
use serde_json::json;

use crate::args;
use crate::ui::Ui;
use crate::{Error, Result, ui};
use fissure_kit::outputs::Inputs;
use fissure_kit::remote::Asking;
use fissure_kit::{classes, data, labels, resume};

/// Texts asked about at a time: enough to keep the model busy, few enough that little is lost when it is stopped.
const BATCH: usize = 256;
/// Texts that a model behind an address is asked about first: its answers may take long, and cost money.
const REMOTE_BATCH: usize = 8;
/// More texts are asked about at a time as long as a batch takes less than this; what a stop loses is at most one batch.
const SHORT: Duration = Duration::from_secs(1);

/// Questions without one answer that end a command before the rest is asked.
const ENOUGH_QUESTIONS: usize = 50;

/// An error if no question was answered at all.
pub fn refuse_silence(model: &str, questions: usize, unanswered: usize, why: Option<&str>) -> Result<()> {
    if questions == 0 || unanswered < questions {
        return Ok(());
    }
    let why = why.unwrap_or("the run that was stopped has the reasons, as `failed`").to_owned();
    Err(Error::NothingAnswered { model: public(model), questions, why })
}

pub fn run(args: &args::Predict, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and([&args.model]).and(&args.remote.prompt);
    inputs.check_resumable(args.out.as_deref(), args.go_on.begin())?;
    let task = data::task(&args.data)?;
    if classes::classified(task).is_err() {
        return other_tasks::run(args, task, ui);
    }
    let asking = Asking::open(&args.model, &args.data, &args.remote.settings(), args.max_length)?;
    let model = &asking.model;
    let capabilities = model.capabilities();
    let (mut samples, map) = labels::Stream::open(&args.data, task, &**model, &args.labels)?;
    labels::announce("the data", &map);
    let remote = &args.remote;
    let asked =
        (public(&args.model), remote.api, &remote.api_model, &remote.labels, &args.data, args.max_length, &args.labels);
    let put = (&remote.label_names, &remote.prompt, &remote.body);
    let files = [&*args.model].into_iter().chain(remote.prompt.as_deref());
    let settings = resume::settings(&format!("predict {asked:?} {put:?}"), files)?;
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on.begin(), settings)?;
    let mut size = if is_remote(&args.model) { REMOTE_BATCH } else { BATCH };
    let mut progress = ui::asking_progress(&asking, "samples", samples.total());
    let mut tally: classes::Tally = run.counts().unwrap_or_default();
    let mut first_failure: Option<String> = None;
    while let Some(batch) = samples.next_batch()? {
        let done = run.done_of(&batch)?;
        progress.resumed(done as u64);
        let mut rest = &batch[done..];
        while !rest.is_empty() {
            let batch = rest.split_off(..size.min(rest.len())).unwrap_or_default();
            let began = Instant::now();
            let inputs: Vec<_> = batch.iter().map(classes::input).collect();
            let answers = model.try_answer(&inputs)?;
            for (sample, answer) in batch.iter().zip(answers) {
                let label = sample.label.as_ref().map(ToString::to_string);
                let Answer { predicted, log_probs, truncated } = match answer {
                    Ok(answer) => answer,
                    Err(why) => {
                        tally.add_unanswered();
                        first_failure.get_or_insert_with(|| why.clone());
                        let line = json!({ "id": sample.id, "predicted": null, "label": label, "failed": why });
                        writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
                        run.wrote(sample, &mut out, &tally)?;
                        continue;
                    }
                };
                let gold = label.as_deref().and_then(|label| map.index(label));
                tally.add(gold, predicted, truncated);
                let line = json!({
                    "id": sample.id, "predicted": capabilities.labels.get(predicted), "label": label, "log_probs": log_probs,
                    "truncated": truncated,
                });
                writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
                run.wrote(sample, &mut out, &tally)?;
            }
            if began.elapsed() < SHORT {
                size = (2 * size).min(BATCH);
            }
            run.batch_ends(&mut out, &tally)?;
            progress.add(batch.len() as u64);
            if tally.read >= ENOUGH_QUESTIONS {
                refuse_silence(&args.model, tally.read, tally.unanswered, first_failure.as_deref())?;
            }
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    refuse_silence(&args.model, tally.read, tally.unanswered, first_failure.as_deref())?;
    if let Some(why) = first_failure {
        ui::note(&format!("without an answer, the first of them: {why}"));
    }
    ui::end_asking(&asking, args.remote.patience.price, ui)?;
    samples.report_rows();
    ui::note(&ui::accuracy(&tally, ui));
    Ok(())
}
