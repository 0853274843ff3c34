//! A score by tenths of the data, from the least to the most of something.

use fissure_statistics::Estimate;

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::Unit;

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Deciles<'a> {
    pub title: &'a str,
    /// What the tenths are of, least first: `tenth of the flip forecast, least fragile first`.
    pub axis: &'a str,
    /// What the score is.
    pub score: &'a str,
    pub values: &'a [Estimate],
    /// The score of all together, drawn as a line.
    pub overall: Option<f64>,
}

/// Bars with intervals.
pub fn deciles(data: &Deciles<'_>, width: f64) -> Chart {
    let number = data.values.len();
    let mut svg = Svg::new(width);
    let height = (width * 0.6).min(300.0);
    let highs = data.values.iter().map(|value| value.high.min(1.0)).chain(data.overall);
    let y = Axis { name: data.score, scale: Scale::straight(highs.chain([0.0]), Unit::Percent, 5) };
    // The places of bars are 1, 2, ...; half a place of room on either side.
    let x = Axis { name: data.axis, scale: Scale::exact(0.5, number.max(1) as f64 + 0.5, Unit::Plain, number.max(1)) };
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    let wide = (frame.right - frame.left) / number.max(1) as f64;
    for (at, value) in data.values.iter().enumerate() {
        let (middle, top) = (frame.x.at(at as f64 + 1.0), frame.y.at(value.value));
        let bar =
            Element::rect(middle - wide * 0.36, top, wide * 0.72, frame.bottom - top).fill(Ink::Series(0)).faint(0.75);
        svg.put(bar.class("mark").data("data-name", &(at + 1).to_string()).tip(&Unit::Percent.estimate(value)));
        let (low, high) = (frame.y.at(value.low), frame.y.at(value.high));
        svg.put(Element::line(middle, low, middle, high).stroke(Ink::Text, 1.5));
    }
    if let Some(overall) = data.overall {
        let y = frame.y.at(overall);
        svg.put(Element::line(frame.left, y, frame.right, y).stroke(Ink::Worse, 1.5).dash("5 4"));
        svg.put(Element::text(frame.right, y - 5.0, "all together").end().size(11.0).fill(Ink::Worse).halo());
    }
    let mut table = ChartTable::new(data.title, &[data.axis, data.score, "95 % interval"]);
    for (at, value) in data.values.iter().enumerate() {
        table.rows.push(vec![(at + 1).to_string(), Unit::Percent.write(value.value), Unit::Percent.interval(value)]);
    }
    let said: Vec<String> = table.rows.iter().map(|row| format!("{}: {} {}", row[0], row[1], row[2])).collect();
    let description = format!("{} by {}: {}", data.score, data.axis, said.join("; "));
    Chart { width, svg: svg.finish(height, data.title, &description), table }
}
