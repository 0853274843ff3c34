//! How often the model is right when it says how sure it is.

use fissure_evaluate::Reliability;

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::{Unit, count, percent};

const TITLE: &str = "Stated confidence against how often the answer was right";

/// Confidence against accuracy; the dashed line is a model that can be believed. The area of a mark is the share of
/// samples in its bin.
pub fn reliability(data: &Reliability, width: f64) -> Chart {
    let mut svg = Svg::new(width);
    let height = (width * 0.8).min(380.0);
    let lowest = data.bins.iter().map(|bin| bin.low).fold(1.0, f64::min);
    let (x, y) =
        (Scale::exact(lowest.clamp(0.0, 0.9), 1.0, Unit::Percent, 5), Scale::exact(0.0, 1.0, Unit::Percent, 5));
    let (x, y) = (Axis { name: "stated confidence, %", scale: x }, Axis { name: "right, %", scale: y });
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    let from = lowest.clamp(0.0, 0.9);
    let ideal = [(frame.x.at(from), frame.y.at(from)), (frame.x.at(1.0), frame.y.at(1.0))];
    svg.put(Element::path(&ideal, false).stroke(Ink::Muted, 1.5).dash("5 4"));
    let all = data.bins.iter().map(|bin| bin.samples).sum::<usize>().max(1) as f64;
    for bin in data.bins.iter().filter(|bin| bin.samples > 0) {
        let (x, y) = (frame.x.at(bin.confidence), frame.y.at(bin.accuracy.value));
        let (low, high) = (frame.y.at(bin.accuracy.low), frame.y.at(bin.accuracy.high));
        svg.put(Element::line(x, low, x, high).stroke(Ink::Series(0), 1.5));
        let radius = 2.5 + 9.0 * (bin.samples as f64 / all).sqrt();
        let mark = Element::circle(x, y, radius).fill(Ink::Series(0)).faint(0.85).class("mark");
        let words = format!(
            "said {} %, right {} %, {} samples",
            percent(bin.confidence),
            percent(bin.accuracy.value),
            count(bin.samples)
        );
        svg.put(mark.tip(&words));
    }
    let mut table =
        ChartTable::new(TITLE, &["stated confidence", "samples", "mean confidence, %", "right, %", "95 % interval"]);
    for bin in &data.bins {
        let range = format!("{} to {}", percent(bin.low), percent(bin.high));
        let (mean, right, interval) = if bin.samples == 0 {
            let none = crate::numbers::DASH.to_owned();
            (none.clone(), none.clone(), none)
        } else {
            (percent(bin.confidence), percent(bin.accuracy.value), Unit::Percent.interval(&bin.accuracy))
        };
        table.rows.push(vec![range, count(bin.samples), mean, right, interval]);
    }
    let description = format!("Expected calibration error {} percentage points", Unit::Percent.estimate(&data.ece));
    Chart { width, svg: svg.finish(height, TITLE, &description), table }
}
