//! `fissure experiment parts`: does the forecast of a part predict what the part does, and how much asking does it save?

use fissure_core::{Chain, Resources};
use fissure_geometry::{PartReport, PartsReport, parts_study};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;
use fissure_kit::outputs::Inputs;
use fissure_probes::TRANSFORMS;
use fissure_statistics::{Estimate, mean};

use super::{check, show, write_numbers};
use crate::args::PartsArgs;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

/// Texts measured unless the user says otherwise.
const USUAL_LIMIT: usize = 600;

pub fn run(args: &PartsArgs, ui: Ui) -> Result<()> {
    check(&Inputs::of(&args.data).and([&args.model]), args.out.as_deref(), &["parts.json"], args.force)?;
    let model = classes::model_reading(&args.model, args.max_length)?;
    let what = "this experiment";
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what })?;
    let Read { samples, survey, .. } = classes::read(&args.data, USUAL_LIMIT)?;
    let map = labels::matched(&*model, &survey, &args.labels)?;
    labels::announce("the data", &map);
    let gold = classes::gold(&map, &samples);
    let chains = chains(args)?;
    let busy = ui::busy("measuring what parts do");
    let found = parts_study(inside, &chains, &samples, &gold, args.copies, args.seed)?;
    drop(busy);
    write_numbers(args.out.as_deref(), "parts", &found, args.force)?;
    show(ui, &found, || shown(&found))
}

/// The parts that the user names, or else all that serve the task and need nothing but the text.
fn chains(args: &PartsArgs) -> Result<Vec<Chain>> {
    let task = fissure_kit::data::task(&args.data)?;
    let mut names = args.parts.clone();
    if names.is_empty() {
        let fits = |card: &fissure_core::Card| card.is_universal() && card.serves(&task.facts) && card.needs.is_empty();
        let cards = TRANSFORMS.entries().map(|entry| &entry.card).filter(|card| fits(card));
        names = cards.map(|card| card.name.to_owned()).collect();
    }
    let build = |name: &String| Ok(Chain::build(&TRANSFORMS, name, &[])?.with(Resources::default()));
    names.iter().map(build).collect()
}

fn shown(found: &PartsReport) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.2}"));
    let whole = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.0}"));
    let percent = |e: &Estimate| format!("{:.2} ({:.2} to {:.2})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high);
    let score = |part: &PartReport, name: &str| part.scores.iter().find(|score| score.score == name).cloned();
    let scores = ["forecast", "calibrated margin", "1 - max p", "- margin", "log lambda_max"];
    let rows: Vec<Vec<String>> = found
        .parts
        .iter()
        .map(|part| {
            let mut row = vec![part.part.clone(), part.texts.to_string()];
            row.extend(scores.iter().map(|name| number(score(part, name).and_then(|score| score.pearson))));
            row.insert(3, number(part.ceiling));
            row.push(number(score(part, "forecast").and_then(|score| score.spearman)));
            row.push(number(score(part, "1 - max p").and_then(|score| score.spearman)));
            row.push(number(part.calibration.fitted.r_squared));
            row.push(number(part.calibration.fitted.spread_correlation));
            row
        })
        .collect();
    let head = [
        "part",
        "texts",
        "forecast",
        "at most",
        "calibrated margin",
        "1 - max p",
        "- margin",
        "log lambda",
        "Spearman: forecast",
        "1 - max p",
        "R2 within",
        "spread r",
    ];
    let drops: Vec<Vec<String>> = found
        .parts
        .iter()
        .map(|part| {
            vec![
                part.part.clone(),
                percent(&part.predicted),
                format!("{:.2}", 100.0 * part.baseline),
                percent(&part.flips),
                part.predicted_drop.map_or_else(|| "-".into(), |drop| format!("{:+.2}", 100.0 * drop.value)),
                part.drop.as_ref().map_or_else(|| "-".into(), &percent),
                number(part.questions),
                number(part.questions_by_margin),
                whole(part.for_one_point),
                format!("{:.0}", part.for_one_point_plain),
                if part.margin_only { "yes".into() } else { String::new() },
            ]
        })
        .collect();
    let drop_head = [
        "part",
        "flips predicted, %",
        "by margin",
        "measured",
        "drop predicted",
        "measured",
        "questions",
        "by margin",
        "for 1 point",
        "plainly",
        "margin only",
    ];
    let means: Vec<String> = scores
        .iter()
        .map(|name| {
            let values: Vec<f64> = found.parts.iter().filter_map(|part| score(part, name)?.pearson).collect();
            format!("{name} {}", number(mean(&values).map(|mean| mean.value)))
        })
        .collect();
    let held = found.parts.iter().filter(|part| within(part)).count();
    format!(
        "{} texts that no calibration saw, {} changed forms of each by every part.\n\nPearson with the share of flips, over \
         texts (at most: what the true share would have with the one counted from these forms):\n\n{}\n\nMean Pearson: {}.\n\nFlips and drops in points; questions as a share of asking every text once, for \
         the same precision:\n\n{}\n\nThe predicted drop lies within the measured interval for {held} of {} parts.{}\n",
        found.texts,
        found.copies,
        table(&head, &rows),
        means.join(", "),
        table(&drop_head, &drops),
        found.parts.len(),
        if found.left_out.is_empty() {
            String::new()
        } else {
            format!("\nLeft out, because they change too few texts: {}.", found.left_out.join(", "))
        },
    )
}

/// Whether the predicted drop (flips, if there are no labels) lies within the measured interval.
fn within(part: &PartReport) -> bool {
    let holds = |value: f64, interval: &Estimate| interval.low <= value && value <= interval.high;
    match (part.predicted_drop, &part.drop) {
        (Some(predicted), Some(measured)) => holds(predicted.value, measured),
        _ => holds(part.predicted.value, &part.flips),
    }
}
