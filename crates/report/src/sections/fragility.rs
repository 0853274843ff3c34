//! The geometry of the model's answers, for models with gradients.

use fissure_evaluate::{Findings, Fragility};

use crate::charts::{ChartTable, Deciles, NARROW, Scatter, ScatterPoint, deciles, scatter};
use crate::document::{Block, Figure, Section, Words};
use crate::numbers::{DASH, count, fixed, short};

/// Points that a page draws; more would make it slow to open and show nothing new.
const POINTS: usize = 1500;

/// Chances below this are drawn here: they cannot be distinguished, and they would flatten all others.
const LEAST: f64 = 1e-6;

pub fn section(findings: &Findings) -> Option<Section> {
    let found = findings.fragility.as_ref()?;
    let mut section = Section::new("fragility", "Fragile samples").words(Words::from(format!(
        "From gradients, for {} samples: lambda_max is the largest eigenvalue of the Fisher information of the answer with respect to the input (how fast the answer can be turned), the flip forecast the chance that random edits turn it. Plain uncertainty, 1 − max p, stands beside them as the baseline.",
        count(found.samples)
    )));
    let mut figures = Vec::new();
    if !found.points.is_empty() {
        figures.push(against(found));
    }
    if !found.deciles.is_empty() {
        figures.push(tenths(findings, found));
    }
    if !figures.is_empty() {
        section = section.block(Block::Figures(figures));
    }
    if !found.predictors.is_empty() {
        let mut table = ChartTable::new(
            "How well each score predicts which answers this run changed",
            &["score", "Spearman's r", "95 % interval"],
        );
        for (score, r) in &found.predictors {
            let interval = format!("[{}, {}]", fixed(r.low, 2), fixed(r.high, 2));
            table.rows.push(vec![score.clone(), fixed(r.value, 2), interval]);
        }
        section = section.block(Block::Table(table));
    }
    if !found.most_fragile.is_empty() {
        let mut table = ChartTable::new("The most fragile samples", &["sample", "text", "flip forecast", "lambda_max"]);
        for (id, text, forecast, lambda) in &found.most_fragile {
            let forecast = forecast.map_or(DASH.to_owned(), |share| fixed(share, 3));
            table.rows.push(vec![id.clone(), super::telling::start_of(text, 160), forecast, short(*lambda)]);
        }
        section = section.block(Block::Table(table));
    }
    Some(section)
}

fn against(found: &Fragility) -> Figure {
    // Evenly through all of them, so that what is left looks like the whole.
    let every = found.points.len().div_ceil(POINTS).max(1);
    let points: Vec<ScatterPoint> = (found.points.iter().enumerate().step_by(every))
        .map(|(at, (lambda, forecast, doubt, right))| ScatterPoint {
            id: at.to_string(),
            x: 10f64.powf(*lambda),
            y: forecast.unwrap_or(*doubt).max(LEAST),
            class: if *right == Some(false) { 1 } else { 0 },
        })
        .collect();
    let forecast = found.points.iter().any(|point| point.1.is_some());
    let y_axis = if forecast { "flip forecast" } else { "1 − max p" };
    let known = found.points.iter().any(|point| point.3.is_some());
    let data = Scatter {
        title: &format!("lambda_max and {y_axis}"),
        x_axis: "lambda_max",
        y_axis,
        x_log: true,
        y_log: true,
        classes: if known { &["right", "wrong"] } else { &["samples"] },
        points: &points,
    };
    let caption = format!(
        "Each mark is a sample: lambda_max and {y_axis}, both on logarithmic axes; below one in a million is drawn there."
    );
    Figure { wide: scatter(&data, NARROW), narrow: None, caption: caption.into() }
}

fn tenths(findings: &Findings, found: &Fragility) -> Figure {
    let forecast = found.points.iter().any(|point| point.1.is_some());
    let what = if forecast { "flip forecast" } else { "lambda_max" };
    let score = format!("{}, %", findings.about.metric);
    let data = Deciles {
        title: &format!("{} by tenth of {what}", findings.about.metric),
        axis: &format!("tenth by {what}, least fragile first"),
        score: &score,
        values: &found.deciles,
        overall: findings.clean.first().map(|(_, score)| score.value),
    };
    Figure {
        wide: deciles(&data, NARROW),
        narrow: None,
        caption: format!("Score by tenth of the {what}, with 95 % intervals.").into(),
    }
}
