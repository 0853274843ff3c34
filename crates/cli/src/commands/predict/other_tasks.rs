//! Answers to tasks whose labels are not on texts as a whole: tags, aspects, relations, answers, trees, clusters.

use std::io::Write as _;

use fissure_core::{Copies, Sample, counted};
use fissure_data::Task;
use fissure_evaluate::{tag_match, tags_of};
use fissure_kit::{data, remote, resume};
use fissure_models::remote::public;
use fissure_tasks::Response;
use fissure_tasks::metrics::Metric;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{BATCH, ENOUGH_QUESTIONS, refuse_silence};
use crate::args;
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};

/// Sums over a whole run.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Sums {
    read: usize,
    unanswered: usize,
    /// What the answers add to each metric.
    tallies: Vec<Vec<f64>>,
}

pub(super) fn run(args: &args::Predict, task: &'static Task, ui: Ui) -> Result<()> {
    let model = remote::respondent(&args.model, task, &args.remote.settings())?;
    let asked = (public(&args.model), &args.remote.labels, &args.data);
    let files = [&*args.model].into_iter().chain(args.remote.prompt.as_deref());
    let settings = resume::settings(&format!("predict {} {asked:?}", task.name()), files)?;
    let metrics = task.metrics(&model.about().labels);
    let mut samples = data::open_unlabelled(&args.data, task)?;
    let mut next = data::next(&mut samples, args.data.limit, 0)?;
    data::refuse_empty(&args.data, next.as_ref().map_or(0, Vec::len), samples.skipped())?;
    // Before anything is asked: a tagger for other labels would be wrong throughout.
    let tags = tags_of(next.as_deref().unwrap_or_default());
    if let Some(matched) = tag_match(task.facts.labels, tags, &model.about().labels)? {
        ui::note(&ui::wrapped(&format!("labels of the data: {matched}"), ""));
    }
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on.begin(), settings)?;
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let mut sums: Sums = run.counts().unwrap_or_default();
    let (mut read, mut copies) = (0, Copies::default());
    let mut first_failure: Option<String> = None;
    while let Some(batch) = next {
        read += batch.len();
        for sample in &batch {
            copies.add(sample);
        }
        let done = run.done_of(&batch)?;
        progress.resumed(done as u64);
        for batch in batch[done..].chunks(BATCH) {
            let asked: Vec<&Sample> = batch.iter().collect();
            let answers =
                model.respond(&asked).map_err(|gone| Error::Gone { model: public(&args.model), why: gone.0 })?;
            for (sample, answer) in batch.iter().zip(answers) {
                let line = match &answer {
                    Ok(response) => json!({ "id": sample.id, "predicted": predicted(response) }),
                    Err(why) => json!({ "id": sample.id, "predicted": null, "failed": why }),
                };
                if let Err(why) = &answer {
                    first_failure.get_or_insert_with(|| why.clone());
                }
                sums.add(&metrics, sample, answer.ok().as_ref());
                writeln!(out, "{line}").map_err(Error::writing("the answers"))?;
                run.wrote(sample, &mut out, &sums)?;
            }
            run.batch_ends(&mut out, &sums)?;
            progress.add(batch.len() as u64);
            if sums.read >= ENOUGH_QUESTIONS {
                refuse_silence(&args.model, sums.read, sums.unanswered, first_failure.as_deref())?;
            }
        }
        next = data::next(&mut samples, args.data.limit, read)?;
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    refuse_silence(&args.model, sums.read, sums.unanswered, first_failure.as_deref())?;
    ui::note(&sums.shown(&metrics, ui));
    data::report_copies(&copies, read);
    data::report_bad_rows(samples.skipped());
    Ok(())
}

/// The answer itself, without the name of its kind.
fn predicted(response: &Response) -> Value {
    match response {
        Response::Class { label, .. } => json!(label),
        Response::Tags(tags) => json!(tags),
        Response::Answer(answer) => json!(answer),
        Response::Tree(heads) => json!(heads),
        Response::Clusters(clusters) => json!(clusters),
    }
}

impl Sums {
    fn add(&mut self, metrics: &[Box<dyn Metric>], sample: &Sample, response: Option<&Response>) {
        self.read += 1;
        self.tallies.resize_with(metrics.len(), Vec::new);
        let Some(response) = response else {
            self.unanswered += 1;
            return;
        };
        for (metric, sum) in metrics.iter().zip(&mut self.tallies) {
            for (at, added) in metric.tally(sample, response).unwrap_or_default().into_iter().enumerate() {
                sum.resize(sum.len().max(at + 1), 0.0);
                sum[at] += added;
            }
        }
    }

    fn shown(&self, metrics: &[Box<dyn Metric>], ui: Ui) -> String {
        let value = |(metric, sum): (&dyn Metric, &Vec<f64>)| {
            Some((metric.name(), metric.value(sum).filter(|_| !sum.is_empty())?))
        };
        let metrics = metrics.iter().map(|metric| &**metric);
        let values: Vec<(&str, f64)> = metrics.zip(&self.tallies).filter_map(value).collect();
        if ui.json {
            let values: serde_json::Map<String, Value> =
                values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            return json!({ "samples": self.read, "unanswered": self.unanswered, "scores": values }).to_string();
        }
        let unanswered =
            if self.unanswered > 0 { format!(", {} without an answer", self.unanswered) } else { String::new() };
        let scores: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value:.4}")).collect();
        let scores = if scores.is_empty() { "no score: no sample has a label".to_owned() } else { scores.join(", ") };
        format!("{}{unanswered}; {scores} (`fissure evaluate` gives intervals)", counted(self.read, "sample"))
    }
}
