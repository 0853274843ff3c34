//! `fissure score`: how fragile every answer is.

mod calibrations;
mod extremes;
mod synonyms;

use std::io::Write as _;

use fissure_core::Sample;
use fissure_data::Output;
use fissure_evaluate::LabelMap;
use fissure_geometry::{
    Calibration, Candidates, Decoding, Draw, EditLaw, Example, Forecaster, Reading, ScoreOptions, Scorer, Vocabulary,
};
use fissure_models::WhiteBox;
use fissure_statistics::spearman;
use serde::{Deserialize, Serialize};

use crate::args::{self, At, DecodeFrom, ForecastKind, GoOn, Law};
use crate::commands::examples::{self, Tally};
use crate::commands::outputs::Inputs;
use crate::commands::resume::Resumable;
use crate::commands::{data, labels, resume};
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};
use extremes::Extremes;

/// Texts scored at a time: gradients are held for each, so fewer than are read.
const BATCH: usize = 256;
/// Edited copies of each text for the refined forecast.
const REFINE: usize = 4;

pub fn run(args: &args::Score, ui: Ui) -> Result<()> {
    let outputs = args.out.as_deref().into_iter().chain(args.calibration.as_deref());
    Inputs::of(&args.data).refuse(outputs)?;
    Inputs::default().and([&args.model]).check_resumable(args.out.as_deref(), args.go_on)?;
    let layout = examples::classified(data::task(&args.data)?)?;
    let model = examples::model_reading(&args.model, args.max_length)?;
    let inside =
        model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what: "a fragility score" })?;
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

    let (mut samples, map) = labels::Stream::open(&args.data, layout, &*model, &args.labels)?;
    labels::tell("the data", &map, ui);
    let printed = args::Score { out: None, go_on: GoOn::default(), ..args.clone() };
    let settings = resume::settings(&format!("{printed:?}"), [&*args.model])?;
    let (mut run, mut out) = data::lines(args.out.as_deref(), args.go_on, settings)?;
    let mut progress = Progress::new("samples", args.data.limit.map(|limit| limit as u64));
    let mut seen: Seen = run.counts().unwrap_or_default();
    seen.extremes.keep(args.top);
    let mut forecaster = None;
    let mut first = true;
    while let Some(batch) = samples.next()? {
        if std::mem::take(&mut first)
            && let Some(vocabulary) = &vocabulary
        {
            forecaster = Some(calibrated(args, inside, vocabulary, law, &batch)?);
        }
        let scorer = Scorer { model: inside, options: options(args), forecaster: forecaster.clone(), decoding };
        let done = run.done_of(&batch)?;
        for batch in batch[done..].chunks(BATCH) {
            seen.score(&scorer, batch, &map, &mut out, &mut run)?;
            progress.add(batch.len() as u64);
        }
    }
    run.check_end()?;
    out.finish()?;
    progress.finish();
    seen.show(forecaster.as_ref().and_then(|forecaster| forecaster.calibration.as_ref()), ui);
    samples.report_bad_rows();
    Ok(())
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
    let reading = match args.at {
        At::Tokens => Reading::Tokens,
        At::Mean => Reading::Mean,
    };
    ScoreOptions { reading, tokens: args.tokens, ig: args.tokens, ig_logit: args.ig_logit, eta: args.eta }
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
    match Forecaster::calibrated(model, vocabulary, law, &examples::named(first), seed) {
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
}

impl Seen {
    fn score(
        &mut self,
        scorer: &Scorer<'_>,
        batch: &[Sample],
        map: &LabelMap,
        out: &mut Output,
        run: &mut Resumable,
    ) -> Result<()> {
        let offers = scorer.model.offers();
        let labels: Vec<Option<String>> =
            batch.iter().map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
        let asked: Vec<Example<'_>> = batch
            .iter()
            .zip(&labels)
            .map(|(sample, label)| Example { id: &sample.id, input: examples::input(sample), label: label.as_deref() })
            .collect();
        let rows = scorer.score(&asked)?;
        for (sample, row) in batch.iter().zip(&rows) {
            serde_json::to_writer(&mut *out, row).map_err(|error| Error::writing("the scores")(error.into()))?;
            writeln!(out).map_err(Error::writing("the scores"))?;
            let predicted = offers.labels.iter().position(|label| *label == row.predicted).unwrap_or(0);
            let gold = row.label.as_deref().and_then(|label| map.index(label));
            self.tally.add(gold, predicted, row.truncated);
            self.extremes.add(row, examples::input(sample).text);
            if self.pairs.len() < 10_000 && row.log_lambda_max.is_finite() {
                self.pairs.push((row.log_lambda_max, row.uncertainty));
            }
            run.wrote(sample, out, self)?;
        }
        Ok(())
    }

    fn show(&self, calibration: Option<&Calibration>, ui: Ui) {
        ui::note(&self.tally.show(ui));
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
                "flip forecast calibrated on {} texts x {} edited copies: R^2 within a text {}, spread correlation {}",
                c.texts,
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
