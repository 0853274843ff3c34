//! Drops by linguistic family: every part a small ring, their mean a diamond; a family that was not measured says so.

use fissure_statistics::Estimate;

use super::frame::{name_below, thinned, ticks_below};
use super::ink::Ink;
use super::legend::{Entry, Shape, legend};
use super::scale::Scale;
use super::svg::{Element, Svg, fit, text_width};
use super::{Chart, ChartTable};
use crate::numbers::{DASH, Unit};

/// One family.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyRow {
    pub name: String,
    /// The parts that were measured: (name, drop).
    pub parts: Vec<(String, Estimate)>,
    /// The mean of their drops.
    pub mean: Option<Estimate>,
    /// What stands if there is no mean: `not measured`.
    pub absent: String,
}

/// Bold letters are wider; they are measured as if they were larger.
const BOLD: f64 = 13.2;

/// The families in the order given.
pub fn families(rows: &[FamilyRow], metric: &str, width: f64) -> Chart {
    let title = format!("Drop of {metric} by linguistic family");
    let axis = format!("drop of {metric}, percentage points");
    let mut svg = Svg::new(width);
    let stacked = width < 560.0;
    let row_height = if stacked { 46.0 } else { 34.0 };
    let names = rows.iter().map(|row| text_width(&fit(&row.name, BOLD, 220.0), BOLD)).fold(0.0, f64::max);
    let left = if stacked { 10.0 } else { names + 22.0 };
    let right = if stacked { width - 12.0 } else { width - 190.0 };
    let values = rows.iter().flat_map(|row| {
        let parts = row.parts.iter().map(|(_, drop)| drop.value);
        parts.chain(row.mean.iter().flat_map(|mean| [mean.low, mean.high])).collect::<Vec<_>>()
    });
    let scale = thinned(Scale::straight(values.chain([0.0]), Unit::Percent, 5).over(left, right));
    let (top, bottom) = (6.0, 6.0 + rows.len() as f64 * row_height);
    let ticks = scale.ticks();
    for tick in &ticks {
        svg.put(Element::line(tick.at, top, tick.at, bottom).stroke(Ink::Grid, 1.0));
    }
    svg.put(Element::line(scale.at(0.0), top, scale.at(0.0), bottom).stroke(Ink::Text, 1.0));
    for (number, row) in rows.iter().enumerate() {
        let y = top + number as f64 * row_height;
        let middle = y + if stacked { 31.0 } else { row_height / 2.0 };
        let words_y = if stacked { y + 15.0 } else { middle + 4.0 };
        let name = fit(&row.name, BOLD, 220.0);
        let text =
            if stacked { Element::text(4.0, words_y, &name) } else { Element::text(left - 12.0, words_y, &name).end() };
        svg.put(text.bold().halo());
        let words = row.mean.map_or_else(|| row.absent.clone(), |mean| Unit::Percent.estimate(&mean));
        let ink = if row.mean.is_some() { Ink::Text } else { Ink::Muted };
        let text = if stacked {
            Element::text(width - 4.0, words_y, &words).end()
        } else {
            Element::text(right + 14.0, words_y, &words)
        };
        svg.put(text.fill(ink).halo());
        draw_family(&mut svg, row, &scale, middle, (left, right));
    }
    svg.put(Element::line(left, bottom, right, bottom).stroke(Ink::Axis, 1.0));
    ticks_below(&mut svg, &ticks, bottom);
    name_below(&mut svg, &axis, (left, right), bottom + 32.0);
    let entries = [
        Entry { shape: Shape::Ring, ink: Ink::Unclear, line: None, words: "one change" },
        Entry { shape: Shape::Diamond, ink: Ink::Series(0), line: None, words: "mean of the family, 95 % interval" },
    ];
    let below = legend(&mut svg, &entries, 4.0, bottom + 44.0, width - 8.0);
    let table = table(rows, &title, &axis);
    let said: Vec<String> = table.rows.iter().map(|row| format!("{} {} {}", row[0], row[1], row[2])).collect();
    Chart { width, svg: svg.finish(bottom + 46.0 + below, &title, &said.join("; ")), table }
}

fn draw_family(svg: &mut Svg, row: &FamilyRow, scale: &Scale, middle: f64, (left, right): (f64, f64)) {
    let Some(mean) = row.mean else {
        return svg.put(Element::line(left, middle, right, middle).stroke(Ink::Axis, 1.0).dash("1 5"));
    };
    for (name, drop) in &row.parts {
        let ring = Shape::Ring.mark(scale.at(drop.value), middle + 6.0, 3.0, Ink::Unclear);
        svg.put(ring.class("mark").data("data-name", name).tip(&format!("{name}: {}", Unit::Percent.estimate(drop))));
    }
    let (low, high) = (scale.at(mean.low), scale.at(mean.high));
    svg.put(Element::line(low, middle - 4.0, high, middle - 4.0).stroke(Ink::Series(0), 2.0));
    let diamond = Shape::Diamond.mark(scale.at(mean.value), middle - 4.0, 4.5, Ink::Series(0));
    svg.put(diamond.tip(&format!("{}: {}", row.name, Unit::Percent.estimate(&mean))));
}

fn table(rows: &[FamilyRow], title: &str, axis: &str) -> ChartTable {
    let mut table = ChartTable::new(title, &["family", axis, "95 % interval", "changes measured"]);
    for row in rows {
        let (value, interval) = row.mean.map_or_else(
            || (row.absent.clone(), DASH.to_owned()),
            |mean| (Unit::Percent.write(mean.value), Unit::Percent.interval(&mean)),
        );
        let parts: Vec<&str> = row.parts.iter().map(|(name, _)| name.as_str()).collect();
        let parts = if parts.is_empty() { DASH.to_owned() } else { parts.join(", ") };
        table.rows.push(vec![row.name.clone(), value, interval, parts]);
    }
    table
}
