//! Rows of measured values with their 95 % intervals around a value that means "nothing happened".

use fissure_statistics::Estimate;

use super::frame::{name_below, thinned, ticks_below};
use super::ink::Ink;
use super::legend::{Entry, Shape, legend};
use super::rows::{Layout, TOP};
use super::scale::Scale;
use super::svg::{Element, Svg, text_width};
use super::{Chart, ChartTable};
use crate::numbers::{DASH, Unit};

/// What is drawn.
#[derive(Debug, Clone)]
pub struct Intervals<'a> {
    pub title: &'a str,
    /// What the values are, below the axis.
    pub axis: &'a str,
    /// What the rows are, at the head of the table.
    pub what: &'a str,
    pub unit: Unit,
    /// The value that means "nothing happened", and what it is called where a line alone does not say.
    pub reference: f64,
    pub reference_name: &'a str,
    pub higher_is_worse: bool,
    /// From top to bottom.
    pub rows: &'a [IntervalRow],
}

#[derive(Debug, Clone, PartialEq)]
pub struct IntervalRow {
    pub name: String,
    /// `None` if nothing was measured.
    pub value: Option<Estimate>,
    /// Whether it differs from the reference by more than noise.
    pub sure: bool,
    /// More about the row: how many samples, a reason.
    pub note: String,
}

/// Draws the rows, worst first if that is their order.
pub fn intervals(data: &Intervals<'_>, width: f64) -> Chart {
    let mut svg = Svg::new(width);
    let numbers = data.rows.iter().map(|row| value_words(data, row));
    let layout = Layout::of(data.rows.iter().map(|row| row.name.as_str()), numbers, width);
    let values = data.rows.iter().filter_map(|row| row.value).flat_map(|value| [value.low, value.high, value.value]);
    let scale = Scale::straight(values.chain([data.reference]), data.unit, if layout.stacked { 3 } else { 6 });
    let scale = thinned(scale.over(layout.left, layout.right));
    let (top, bottom) = (TOP, layout.bottom(data.rows.len()));
    let ticks = scale.ticks();
    for tick in &ticks {
        svg.put(Element::line(tick.at, top, tick.at, bottom).stroke(Ink::Grid, 1.0));
    }
    let zero = scale.at(data.reference);
    svg.put(Element::line(zero, top, zero, bottom).stroke(Ink::Text, 1.0));
    for (number, row) in data.rows.iter().enumerate() {
        draw_row(&mut svg, data, (number, row), &layout, &scale);
    }
    let half = text_width(data.reference_name, 11.0) / 2.0;
    let name_at = zero.clamp((layout.left + half - 8.0).max(half), (width - half).max(half));
    svg.put(Element::text(name_at, top - 6.0, data.reference_name).middle().size(11.0).fill(Ink::Muted));
    svg.put(Element::line(layout.left, bottom, layout.right, bottom).stroke(Ink::Axis, 1.0));
    ticks_below(&mut svg, &ticks, bottom);
    name_below(&mut svg, data.axis, (layout.left, layout.right), bottom + 32.0);
    let keys = [(true, true), (true, false), (false, true)].map(|(sure, worse)| look(sure, worse));
    let words = ["worse, beyond noise", "better, beyond noise", "within noise"];
    let entries: Vec<Entry<'_>> =
        keys.iter().zip(words).map(|(&(shape, ink), words)| Entry { shape, ink, line: None, words }).collect();
    let below = legend(&mut svg, &entries, 4.0, bottom + 44.0, width - 8.0);
    Chart { width, svg: svg.finish(bottom + 46.0 + below, data.title, &description(data)), table: table(data) }
}

fn draw_row(svg: &mut Svg, data: &Intervals<'_>, (number, row): (usize, &IntervalRow), layout: &Layout, scale: &Scale) {
    let value = value_words(data, row);
    let middle = layout.middle(number);
    let measured = row.value.filter(|value| value.value.is_finite());
    let ink = if measured.is_some() { Ink::Text } else { Ink::Muted };
    layout.words(svg, number, (&row.name, &row.note), (&value, ink));
    let Some(estimate) = measured else {
        return svg.put(Element::line(layout.left, middle, layout.right, middle).stroke(Ink::Axis, 1.0).dash("1 5"));
    };
    let (zero, place) = (scale.at(data.reference), scale.at(estimate.value));
    let (shape, ink) = look(row.sure, (estimate.value > data.reference) == data.higher_is_worse);
    svg.put(Element::rect(zero.min(place), middle - 6.0, (place - zero).abs(), 12.0).fill(ink).faint(0.16));
    let (low, high) = (scale.at(estimate.low), scale.at(estimate.high));
    svg.put(Element::line(low, middle, high, middle).stroke(ink, 2.0));
    for end in [low, high] {
        svg.put(Element::line(end, middle - 4.0, end, middle + 4.0).stroke(ink, 1.5));
    }
    let mark = shape.mark(place, middle, 4.5, ink).class("mark").data("data-name", &row.name);
    svg.put(mark.tip(&format!("{}: {value}; {}", row.name, row.note)));
}

/// Shape and colour by what is known.
fn look(sure: bool, worse: bool) -> (Shape, Ink) {
    match (sure, worse) {
        (false, _) => (Shape::Ring, Ink::Unclear),
        (true, true) => (Shape::Disc, Ink::Worse),
        (true, false) => (Shape::Diamond, Ink::Better),
    }
}

fn value_words(data: &Intervals<'_>, row: &IntervalRow) -> String {
    row.value.map_or_else(|| "not measured".to_owned(), |value| data.unit.estimate(&value))
}

fn description(data: &Intervals<'_>) -> String {
    let rows: Vec<String> =
        data.rows.iter().take(12).map(|row| format!("{} {}", row.name, value_words(data, row))).collect();
    let more = data.rows.len().saturating_sub(12);
    let rest = if more > 0 { format!("; and {more} more in the table") } else { String::new() };
    format!("{}, with 95 % intervals: {}{rest}", data.axis, rows.join("; "))
}

fn table(data: &Intervals<'_>) -> ChartTable {
    let mut table = ChartTable::new(data.title, &[data.what, data.axis, "95 % interval", "beyond noise", "note"]);
    for row in data.rows {
        let (value, interval) = row.value.map_or_else(
            || ("not measured".to_owned(), DASH.to_owned()),
            |value| (data.unit.write(value.value), data.unit.interval(&value)),
        );
        let sure = if row.value.is_none() {
            DASH
        } else if row.sure {
            "yes"
        } else {
            "no"
        };
        table.rows.push(vec![row.name.clone(), value, interval, sure.to_owned(), row.note.clone()]);
    }
    table
}
