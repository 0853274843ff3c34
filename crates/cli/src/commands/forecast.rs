//! `fissure forecast`: what each part would do to a model, before any changed text is asked.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use fissure_data::Draft;
use fissure_evaluate::{ChainConfig, PartPrediction, RunOutlook, TextPrediction};
use fissure_kit::outputs::Inputs;
use fissure_kit::{evaluation, stop};
use fissure_settings::Patience;
use fissure_statistics::Estimate;

use super::evaluate;
use crate::args;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

pub fn run(args: &args::Forecast, ui: Ui) -> Result<()> {
    let mut config = evaluate::read_config(args.config_file.as_deref(), &args.config)?;
    if !args.parts.is_empty() {
        config.selection.chains = args.parts.iter().map(|part| ChainConfig::Name(part.clone())).collect();
    }
    let inputs = Inputs::default()
        .and(&config.data.files)
        .and(&config.model)
        .and(&config.endpoint.prompt)
        .and_resources(&config.resources)
        .and_paths(args.config_file.as_deref());
    inputs.check(args.out.iter().map(PathBuf::as_path), args.force.existing())?;
    if config.data.is_input() {
        return Err(fissure_kit::Error::InputTwice.into());
    }
    let unused = [
        ("--precision", config.selection.precision.is_some()),
        ("--budget", config.selection.budget.is_some()),
        ("--variants", config.changes.variants.is_some()),
    ];
    if let Some((flag, _)) = unused.iter().find(|(_, given)| *given) {
        let why = "a forecast asks no changed text, so there is nothing for it to set: leave it out, or give it to `fissure evaluate`";
        return Err(Error::Usage(format!("{flag}: {why}")));
    }
    let open = evaluation::data_source(&config, Path::new("."), true)?;
    let (prepared, _) = evaluation::prepare(config, &open, (&Patience::default(), None), false)?;
    ui::note(&evaluate::plan::labels(&prepared));
    let place = args.out.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let mut out = args.out.as_deref().map(|path| Draft::create(path, args.force.existing())).transpose()?;
    let draft = args.out.as_deref().map(fissure_kit::resume::draft_of);
    let left = if place.is_empty() { String::new() } else { format!(" {place} is as it was, and") };
    stop::say_and_remove(format!("stopped:{left} nothing is kept; a forecast cannot be continued"), draft);
    let busy = ui::busy("forecasting");
    let mut failed = None;
    let mut see = |text: &TextPrediction<'_>| {
        if let Some(out) = out.as_mut().filter(|_| failed.is_none()) {
            let written = serde_json::to_writer(&mut *out, text).map_err(std::io::Error::from);
            failed = written.and_then(|()| writeln!(out)).err();
        }
        Ok(())
    };
    let outlook = prepared.outlook(&open, &mut see, &ui::unwind_if_stopped)?;
    drop(busy);
    if let Some(why) = failed {
        return Err(Error::writing(place)(why));
    }
    if outlook.parts.is_empty() && outlook.not_forecast.is_empty() {
        let why = "no part was chosen that can be forecast: name some with --parts, or a suite of changes such as --suite quick";
        return Err(Error::Usage(why.into()));
    }
    if let Some(out) = out {
        out.finish()?;
    }
    if ui.json {
        let text =
            serde_json::to_string_pretty(&outlook).map_err(|why| Error::writing("standard output")(why.into()))?;
        return ui::print(&format!("{text}\n")).map_err(Error::writing("standard output"));
    }
    ui::print(&shown(&outlook)).map_err(Error::writing("standard output"))
}

fn shown(outlook: &RunOutlook) -> String {
    let points = |e: &Estimate| format!("{:.2} ({:.2} to {:.2})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
    let number = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.2}"));
    let mut parts: Vec<&PartPrediction> = outlook.parts.iter().collect();
    parts.sort_by(|a, b| b.flips.value.total_cmp(&a.flips.value));
    let rows: Vec<Vec<String>> = parts
        .iter()
        .map(|part| {
            vec![
                part.name.clone(),
                part.texts.to_string(),
                points(&part.flips),
                part.drop.as_ref().map_or_else(|| "-".into(), &points),
                format!("{:.2}", 100.0 * part.baseline),
                number(part.calibration.fitted.r_squared),
                number(part.calibration.fitted.spread_correlation),
            ]
        })
        .collect();
    let head = ["part", "texts", "flips, %", "drop, points", "by margin alone, %", "R2 within", "spread r"];
    let mut shown = format!(
        "{} texts; no changed text was asked beyond the calibration ({} changed copies a part at most). Intervals are for asking \
         every text once.\n\n{}\n",
        outlook.samples,
        outlook.parts.iter().map(|part| part.calibration.copies).max().unwrap_or(0),
        table(&head, &rows)
    );
    let margin: Vec<&str> = parts.iter().filter(|part| part.margin_only).map(|part| part.name.as_str()).collect();
    if !margin.is_empty() {
        shown += &format!(
            "\nThe gradient says hardly more than the margin for {}: read these forecasts as a calibrated margin.\n",
            margin.join(", ")
        );
    }
    for missing in &outlook.not_forecast {
        shown += &format!("\nnot forecast: {}: {}", missing.name, missing.reason);
    }
    shown + "\n"
}
