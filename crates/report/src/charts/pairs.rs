//! Before and after: a row for each thing that was measured twice, with a mark and an interval for either time.

use fissure_statistics::Estimate;

use super::frame::{name_below, thinned, ticks_below};
use super::ink::Ink;
use super::legend::{Entry, Shape, legend};
use super::rows::{Layout, TOP};
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::Unit;

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    pub title: &'a str,
    /// What the values are, below the axis.
    pub axis: &'a str,
    pub unit: Unit,
    /// What the two times are called.
    pub before: &'a str,
    pub after: &'a str,
    /// From top to bottom.
    pub pairs: &'a [Pair],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub name: String,
    pub before: Estimate,
    pub after: Estimate,
}

const BEFORE: (Shape, Ink) = (Shape::Ring, Ink::Series(0));
const AFTER: (Shape, Ink) = (Shape::Diamond, Ink::Series(1));
/// How far the two intervals are from the middle of their row, so that neither hides the other.
const ASIDE: f64 = 4.5;

/// Two marks in every row, joined by a bar.
pub fn pairs(data: &Pairs<'_>, width: f64) -> Chart {
    let mut svg = Svg::new(width);
    let shown: Vec<&Pair> =
        data.pairs.iter().filter(|pair| pair.before.value.is_finite() && pair.after.value.is_finite()).collect();
    let numbers = shown.iter().map(|pair| numbers(data, pair));
    let layout = Layout::of(shown.iter().map(|pair| pair.name.as_str()), numbers, width);
    let values =
        shown.iter().flat_map(|pair| [pair.before, pair.after]).flat_map(|side| [side.low, side.value, side.high]);
    let scale = Scale::straight(values, data.unit, if layout.stacked { 3 } else { 6 });
    let scale = thinned(scale.over(layout.left, layout.right));
    let bottom = layout.bottom(shown.len());
    let ticks = scale.ticks();
    for tick in &ticks {
        svg.put(Element::line(tick.at, TOP, tick.at, bottom).stroke(Ink::Grid, 1.0));
    }
    for (number, pair) in shown.iter().enumerate() {
        draw_row(&mut svg, data, (number, pair), &layout, &scale);
    }
    svg.put(Element::line(layout.left, bottom, layout.right, bottom).stroke(Ink::Axis, 1.0));
    ticks_below(&mut svg, &ticks, bottom);
    name_below(&mut svg, data.axis, (layout.left, layout.right), bottom + 32.0);
    let entries = [(BEFORE, data.before), (AFTER, data.after)].map(|((shape, ink), words)| Entry {
        shape,
        ink,
        line: None,
        words,
    });
    let below = legend(&mut svg, &entries, 4.0, bottom + 44.0, width - 8.0);
    let table = table(data);
    let said: Vec<String> =
        table.rows.iter().take(12).map(|row| format!("{} {} to {}", row[0], row[1], row[3])).collect();
    Chart { width, svg: svg.finish(bottom + 46.0 + below, data.title, &said.join("; ")), table }
}

fn draw_row(svg: &mut Svg, data: &Pairs<'_>, (number, pair): (usize, &Pair), layout: &Layout, scale: &Scale) {
    let said = format!("{} to {}", data.unit.estimate(&pair.before), data.unit.estimate(&pair.after));
    layout.words(svg, number, (&pair.name, &said), (&numbers(data, pair), Ink::Text));
    let middle = layout.middle(number);
    let (from, to) = (scale.at(pair.before.value), scale.at(pair.after.value));
    svg.put(Element::rect(from.min(to), middle - 2.0, (to - from).abs(), 4.0).fill(Ink::Unclear).faint(0.35));
    for (side, (_, ink), aside) in [(&pair.before, BEFORE, -ASIDE), (&pair.after, AFTER, ASIDE)] {
        let (low, high, y) = (scale.at(side.low), scale.at(side.high), middle + aside);
        svg.put(Element::line(low, y, high, y).stroke(ink, 1.2));
    }
    for (place, name, (shape, ink)) in [(from, data.before, BEFORE), (to, data.after, AFTER)] {
        let mark = shape.mark(place, middle, 4.5, ink).class("mark").data("data-name", &pair.name);
        svg.put(mark.tip(&format!("{}, {name}: {said}", pair.name)));
    }
}

fn numbers(data: &Pairs<'_>, pair: &Pair) -> String {
    format!("{} → {}", data.unit.write(pair.before.value), data.unit.write(pair.after.value))
}

fn table(data: &Pairs<'_>) -> ChartTable {
    let mut table = ChartTable::new(data.title, &["name", data.before, "95 % interval", data.after, "95 % interval"]);
    for pair in data.pairs {
        let mut row = vec![pair.name.clone()];
        for side in [pair.before, pair.after] {
            row.extend([data.unit.write(side.value), data.unit.interval(&side)]);
        }
        table.rows.push(row);
    }
    table
}
