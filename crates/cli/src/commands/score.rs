//! `fissure score`: how fragile every answer is.

mod calibrations;
mod extremes;
mod outside;
mod synonyms;

use std::io::Write as _;

use fissure_ask::checksum;
use fissure_core::{Chain, Sample, counted};
use fissure_data::{Output, Task};
use fissure_evaluate::{LabelMap, ModelAbout, RUN_FILE};
use fissure_geometry::{
    CALIBRATION_POOL, Calibration, Candidates, Decoding, Draw, EditLaw, Example, Forecaster, PartForecaster,
    ScoreOptions, Scorer, Space, Vocabulary,
};
use fissure_models::remote::{is_remote, public};
use fissure_models::{Capabilities, WhiteBox};
use fissure_probes::TRANSFORMS;
use fissure_settings::Patience;
use fissure_statistics::spearman;
use serde::{Deserialize, Serialize};

use crate::args::{self, At, DecodeFrom, ForecastKind, GoOn, Law};
use crate::commands::predict::refuse_silence;
use crate::ui::{self, Ui};
use crate::{Error, Result};
use extremes::Extremes;
use fissure_kit::classes::{self, Tally};
use fissure_kit::outputs::Inputs;
use fissure_kit::remote::{Asking, RemoteSettings};
use fissure_kit::resume::Resumable;
use fissure_kit::scores_of_run::Answered;
use fissure_kit::{data, labels, resume};
use outside::Known;

/// Texts scored at a time: gradients are held for each, so fewer than are read.
const BATCH: usize = 256;
/// Edited copies of each text for the refined forecast.
const REFINE: usize = 4;

pub fn run(args: &args::Score, ui: Ui) -> Result<()> {
    let outputs = args.out.as_deref().into_iter().chain(args.calibration.as_deref());
    Inputs::of(&args.data).refuse(outputs)?;
    let others = Inputs::default().and([&args.model]).and(&args.endpoint.prompt).and_paths(args.run.as_deref());
    others.check_resumable(args.out.as_deref(), args.go_on.begin())?;
    let task = classes::classified(data::task(&args.data)?)?;
    let answered = args.run.as_deref().map(Answered::read).transpose()?;
    let known = answered.as_ref().map(Known::new);
    let asking = open(args, task, answered.as_ref())?;
    let model = &asking.model;
    let Some(inside) = model.as_white_box() else {
        return run_outside(args, task, &asking, known.as_ref(), ui);
    };
    let law = law(args)?;
    let vocabulary =
        Some(inside.words()).filter(|words| !words.is_empty()).map(|_| Vocabulary::of(inside)).transpose()?;
    let synonyms = match (&vocabulary, args.decode.map(|_| args.decode_from)) {
        (Some(vocabulary), Some(DecodeFrom::Synonyms)) => synonyms::of(vocabulary),
        _ => Vec::new(),
    };
    let decoding = match (&vocabulary, args.decode) {
        (Some(vocabulary), Some(top)) => Some(Decoding { vocabulary, candidates: candidates(args, &synonyms), top }),
        (None, Some(_)) => return Err(fissure_geometry::Error::NoWords.into()),
        (_, None) => None,
    };

    let (mut samples, map) = labels::Stream::open(&args.data, task, &**model, &args.labels)?;
    labels::announce("the data", &map);
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on.begin(), settings(args)?)?;
    let mut progress = ui::asking_progress(&asking, "samples", samples.total());
    let mut seen: Seen = run.counts().unwrap_or_default();
    seen.extremes.keep(args.top);
    let mut forecaster = None;
    let chains = args.part.iter().map(|name| Chain::build(&TRANSFORMS, name, &[]));
    let chains: Vec<Chain> = chains.collect::<fissure_core::Result<_>>()?;
    let mut parts = None;
    let mut first = true;
    let (mut read, mut strangers) = (0, 0);
    while let Some(batch) = samples.next_batch()? {
        (read, strangers) = (read + batch.len(), strangers + known.as_ref().map_or(0, |known| known.strangers(&batch)));
        if std::mem::take(&mut first) {
            if let Some(vocabulary) = &vocabulary {
                forecaster = Some(calibrated(args, inside, vocabulary, law, &batch)?);
            }
            if !chains.is_empty() {
                let pool = &batch[..batch.len().min(CALIBRATION_POOL)];
                parts = Some(PartForecaster::calibrated(inside, &chains, pool, args.seed)?);
            }
        }
        let scorer = Scorer { model: inside, options: options(args), forecaster: forecaster.clone(), decoding };
        let done = run.done_of(&batch)?;
        progress.resumed(done as u64);
        for batch in batch[done..].chunks(BATCH) {
            seen.score(&scorer, (known.as_ref(), parts.as_ref()), batch, &map, &mut out, &mut run)?;
            progress.add(batch.len() as u64);
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    outside::tell_strangers(strangers, read);
    if let Some(parts) = &parts {
        print_parts(parts);
    }
    seen.show(forecaster.as_ref().and_then(|forecaster| forecaster.calibration.as_ref()), ui);
    samples.report_rows();
    Ok(())
}

/// How far the forecasts of parts can be trusted.
fn print_parts(parts: &PartForecaster<'_>) {
    for (name, calibration) in parts.names().zip(&parts.calibrations) {
        match calibration {
            None => {
                ui::note(&format!("{name} changes none of the first texts, which calibrate it: it is not forecast"));
            }
            Some(found) if found.is_margin_only() => {
                ui::note(&format!("the forecast of {name} is a calibrated margin: the gradient says hardly more"));
            }
            Some(found) => ui::note(&format!(
                "{name} is calibrated on {} texts with {} changed copies, of which {} flip the answer",
                found.texts, found.copies, found.flips
            )),
        }
    }
}

/// The scores of a model without gradients.
fn run_outside(
    args: &args::Score,
    task: &'static Task,
    asking: &Asking,
    known: Option<&Known<'_>>,
    ui: Ui,
) -> Result<()> {
    outside::print_ranking(args, asking.model.capabilities().probabilities);
    let (mut samples, map) = labels::Stream::open(&args.data, task, &*asking.model, &args.labels)?;
    labels::announce("the data", &map);
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on.begin(), settings(args)?)?;
    let mut progress = ui::asking_progress(asking, "samples", samples.total());
    let mut seen: Seen = run.counts().unwrap_or_default();
    seen.extremes.keep(args.top);
    let (mut read, mut strangers) = (0, 0);
    while let Some(batch) = samples.next_batch()? {
        (read, strangers) = (read + batch.len(), strangers + known.map_or(0, |known| known.strangers(&batch)));
        let done = run.done_of(&batch)?;
        progress.resumed(done as u64);
        for batch in batch[done..].chunks(BATCH) {
            seen.score_outside(asking, known, args.tokens, batch, &map, (&mut out, &mut run))?;
            progress.add(batch.len() as u64);
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    ui::end_asking(asking, args.patience.price, ui)?;
    outside::tell_strangers(strangers, read);
    seen.show(None, ui);
    samples.report_rows();
    let Tally { read, unanswered, .. } = seen.tally;
    refuse_silence(&args.model, read, unanswered, seen.silence.as_deref())
}

/// The model. One that a run has asked already is opened only if it is asked more.
fn open(args: &args::Score, task: &'static Task, answered: Option<&Answered>) -> Result<Asking> {
    let asking = match answered {
        Some(run) if is_remote(&args.model) => {
            let ModelAbout { labels, probabilities, gradients, .. } = run.header.model.clone();
            let capabilities = Capabilities { labels, probabilities, gradients };
            Asking::late(&args.model, task, &remote(args), capabilities)?
        }
        _ => Asking::uncalibrated(&args.model, &args.data, &remote(args), args.max_length)?,
    };
    if let Some(run) = answered {
        let now = if is_remote(&args.model) { None } else { Some(checksum(&classes::model_directory(&args.model)?)?) };
        let (then, name) = (&run.header.model, public(&args.model));
        // A program has no checksum: a run of it fits no directory.
        if then.checksum != now || (now.is_none() && then.name != name) {
            return Err(Error::OtherModel { then: then.name.clone(), now: name });
        }
    }
    Ok(asking)
}

fn remote(args: &args::Score) -> RemoteSettings<'_> {
    RemoteSettings { endpoint: &args.endpoint, patience: &args.patience, rate: None }
}

/// What the bytes of the output depend on besides the data.
fn settings(args: &args::Score) -> Result<String> {
    let model = public(&args.model);
    let printed =
        args::Score { out: None, go_on: GoOn::default(), patience: Patience::default(), model, ..args.clone() };
    let run = args.run.as_ref().map(|folder| folder.join(RUN_FILE).display().to_string());
    let files = [Some(&*args.model), args.endpoint.prompt.as_deref(), run.as_deref()];
    Ok(resume::settings(&format!("{printed:?}"), files.into_iter().flatten())?)
}

fn law(args: &args::Score) -> Result<EditLaw> {
    let usual = match args.law {
        Law::Random => EditLaw::RANDOM,
        Law::Neighbours => EditLaw::NEIGHBOURS,
    };
    let draw = match args.law {
        Law::Random => Draw::Random,
        Law::Neighbours => Draw::Neighbours,
    };
    Ok(match args.rate {
        None => usual,
        Some(rate) => EditLaw::new(draw, rate, rate)?,
    })
}

fn options(args: &args::Score) -> ScoreOptions {
    let space = match args.at {
        At::Tokens => Space::Tokens,
        At::Mean => Space::Mean,
    };
    ScoreOptions { space, tokens: args.tokens, ig: args.tokens, ig_logit: args.ig_logit, eta: args.eta }
}

fn candidates<'a>(args: &args::Score, synonyms: &'a [Vec<u32>]) -> Candidates<'a> {
    match args.decode_from {
        DecodeFrom::Vocabulary => Candidates::Vocabulary,
        DecodeFrom::Neighbours => Candidates::Neighbours,
        DecodeFrom::Synonyms => Candidates::Listed(synonyms),
    }
}

/// The forecaster the user asked for; it takes a calibration that was kept, or calibrates on the first texts of the data.
fn calibrated<'a>(
    args: &args::Score,
    model: &'a dyn WhiteBox,
    vocabulary: &'a Vocabulary,
    law: EditLaw,
    first: &[Sample],
) -> Result<Forecaster<'a>> {
    let seed = args.seed;
    if args.forecast == ForecastKind::Uncalibrated {
        return Ok(Forecaster { model, vocabulary, law, calibration: None, refine: 0, seed });
    }
    let refine = if args.forecast == ForecastKind::Refined { REFINE } else { 0 };
    let mut kept = calibrations::Kept::open(args, model)?;
    if let Some(calibration) = kept.find(&law) {
        return Ok(Forecaster { model, vocabulary, law, calibration: Some(calibration), refine, seed });
    }
    match Forecaster::calibrated(model, vocabulary, law, &classes::named(first), seed) {
        Ok(forecaster) => {
            if let Some(calibration) = &forecaster.calibration {
                kept.keep(calibration, model)?;
            }
            Ok(Forecaster { refine, ..forecaster })
        }
        // Texts without a single known word cannot calibrate anything; their forecast is the plain one.
        Err(fissure_geometry::Error::NothingToCalibrate) => {
            Ok(Forecaster { model, vocabulary, law, calibration: None, refine: 0, seed })
        }
        Err(error) => Err(error.into()),
    }
}

/// What is kept of a run, in constant memory.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Seen {
    tally: Tally,
    extremes: Extremes,
    /// (log lambda_max, 1 - max p) of the first examples, for the word of caution.
    pairs: Vec<(f64, f64)>,
    /// Why the first text without an answer has none.
    #[serde(default)]
    silence: Option<String>,
}

impl Seen {
    fn score(
        &mut self,
        scorer: &Scorer<'_>,
        (known, parts): (Option<&Known<'_>>, Option<&PartForecaster<'_>>),
        batch: &[Sample],
        map: &LabelMap,
        out: &mut Output,
        run: &mut Resumable,
    ) -> Result<()> {
        let capabilities = scorer.model.capabilities();
        let labels: Vec<Option<String>> =
            batch.iter().map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
        let asked: Vec<Example<'_>> = batch
            .iter()
            .zip(&labels)
            .map(|(sample, label)| Example { id: &sample.id, input: classes::input(sample), label: label.as_deref() })
            .collect();
        let mut rows = scorer.score(&asked)?;
        if let Some(parts) = parts {
            rows.iter_mut().zip(parts.outlook(batch)?).for_each(|(row, text)| row.parts = Some(parts.by_name(&text)));
        }
        for (sample, row) in batch.iter().zip(&mut rows) {
            row.flips = known.and_then(|known| known.flips(sample));
            let row = &*row;
            let predicted = capabilities.labels.iter().position(|label| *label == row.predicted).unwrap_or(0);
            let gold = row.label.as_deref().and_then(|label| map.index(label));
            self.tally.add(gold, predicted, row.truncated);
            self.extremes.add(row, classes::input(sample).text);
            if self.pairs.len() < 10_000 && row.log_lambda_max.is_finite() {
                self.pairs.push((row.log_lambda_max, row.uncertainty));
            }
            self.write_line(row, sample, out, run)?;
        }
        Ok(run.batch_ends(out, self)?)
    }

    fn write_line(&self, line: &impl Serialize, sample: &Sample, out: &mut Output, run: &mut Resumable) -> Result<()> {
        serde_json::to_writer(&mut *out, line).map_err(|error| Error::writing("the scores")(error.into()))?;
        writeln!(out).map_err(Error::writing("the scores"))?;
        Ok(run.wrote(sample, out, self)?)
    }

    fn show(&self, calibration: Option<&Calibration>, ui: Ui) {
        ui::note(&ui::accuracy(&self.tally, ui));
        if ui.json {
            if let Some(calibration) = calibration {
                ui::note(&serde_json::json!({ "calibration": calibration }).to_string());
            }
            return;
        }
        self.extremes.show();
        let (lambda, uncertainty): (Vec<f64>, Vec<f64>) = self.pairs.iter().copied().unzip();
        if let Some(rank) = spearman(&lambda, &uncertainty) {
            ui::note(&format!(
                "lambda_max ranks these examples much as 1 - max p does where this is near 1: Spearman {:.2}",
                rank.r
            ));
        }
        if let Some(c) = calibration {
            let number = |x: Option<f64>| x.map_or_else(|| "not measured".into(), |x| format!("{x:.2}"));
            ui::note(&format!(
                "flip forecast calibrated on {} x {} edited copies: R^2 within a text {}, spread correlation {}",
                counted(c.texts, "text"),
                c.copies,
                number(c.r_squared),
                number(c.spread_correlation),
            ));
            if c.spread_correlation.is_some_and(|r| r < 0.3) {
                ui::note("  the spread is hardly predicted for this model: read the forecast as a calibrated margin");
            }
        }
    }
}
