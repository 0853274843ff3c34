//! Parts of the data where the model is weaker or stronger.

use fissure_evaluate::Findings;

use crate::charts::{ChartTable, IntervalRow, Intervals, NARROW, Unit, WIDE, intervals};
use crate::document::{Block, Figure, Section};
use crate::interpret::ALPHA;
use crate::numbers::{DASH, count, p_value, percent};

pub fn section(findings: &Findings) -> Option<Section> {
    if findings.slices.is_empty() {
        return None;
    }
    let mut sorted: Vec<_> = findings.slices.iter().collect();
    let key = |gap: Option<fissure_statistics::Estimate>| gap.map_or(f64::INFINITY, |gap| gap.value);
    sorted.sort_by(|a, b| key(a.difference).total_cmp(&key(b.difference)).then_with(|| a.name.cmp(&b.name)));
    let rows: Vec<IntervalRow> = sorted
        .iter()
        .map(|slice| IntervalRow {
            name: slice.name.clone(),
            value: slice.difference,
            sure: slice.p_holm.is_some_and(|p| p < ALPHA),
            note: format!("{} inside, {} outside", count(slice.inside), count(slice.outside)),
        })
        .collect();
    let title = format!("{} inside a slice, less outside", findings.about.metric);
    let data = Intervals {
        title: &title,
        axis: &format!("{} inside less outside, points", findings.about.metric),
        what: "slice",
        unit: Unit::Points,
        reference: 0.0,
        reference_name: "no difference",
        higher_is_worse: false,
        rows: &rows,
    };
    let figure = Figure {
        wide: intervals(&data, WIDE),
        narrow: Some(intervals(&data, NARROW)),
        caption: "The weakest slices first. Lines are the 95 % intervals of each slice alone; a slice is marked if it differs beyond noise after correction for the number of slices (Holm).".into(),
    };
    let head = [
        "slice",
        "inside",
        "outside",
        "score inside, %",
        "score outside, %",
        "difference, points",
        "p (Holm)",
        "inside are",
    ];
    let mut table = ChartTable::new("The slices in numbers", &head);
    for slice in sorted {
        let score =
            |score: Option<fissure_statistics::Estimate>| score.map_or(DASH.to_owned(), |score| percent(score.value));
        let said = slice.knobs.iter().filter(|(_, value)| !value.is_empty());
        let knobs: Vec<String> = said.map(|(knob, value)| format!("{knob}={value}")).collect();
        table.rows.push(vec![
            slice.name.clone(),
            count(slice.inside),
            count(slice.outside),
            score(slice.score_inside),
            score(slice.score_outside),
            slice.difference.map_or("not measured".to_owned(), |gap| Unit::Points.estimate(&gap)),
            slice.p_holm.map_or(DASH.to_owned(), p_value),
            if knobs.is_empty() { DASH.to_owned() } else { knobs.join(", ") },
        ]);
    }
    let section = Section::new("slices", "Slices of the data").block(Block::Figures(vec![figure]));
    Some(section.block(Block::Table(table.without_empty_columns())))
}
