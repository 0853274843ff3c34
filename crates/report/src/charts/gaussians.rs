//! Points of the plane coloured and sized by a value, with the direction in which they are most easily turned.

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::{Unit, count, short};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianPoint {
    pub x: f64,
    pub y: f64,
    /// What colour and size show.
    pub value: f64,
    /// The direction, of any length; drawn as a short line both ways, for an eigenvector has no sign.
    pub direction: (f64, f64),
}

/// From dark to bright in even steps of lightness, for all kinds of colour sight (after cividis).
const COLOURS: &[(u8, u8, u8)] =
    &[(0, 34, 78), (53, 69, 108), (102, 105, 112), (148, 142, 119), (200, 184, 102), (254, 232, 56)];

/// The points; `what` says what the value is.
pub fn gaussians(points: &[GaussianPoint], title: &str, what: &str, width: f64) -> Chart {
    let shown: Vec<&GaussianPoint> =
        points.iter().filter(|point| point.x.is_finite() && point.y.is_finite() && point.value.is_finite()).collect();
    let mut svg = Svg::new(width);
    let height = (width * 0.8).min(480.0);
    let x = Scale::straight(shown.iter().map(|point| point.x), Unit::Plain, 6);
    let y = Scale::straight(shown.iter().map(|point| point.y), Unit::Plain, 6);
    let (x, y) = (Axis { name: "x", scale: x }, Axis { name: "y", scale: y });
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    let low = shown.iter().map(|point| point.value).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|point| point.value).fold(f64::NEG_INFINITY, f64::max);
    let share = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
    for point in &shown {
        let (x, y, share) = (frame.x.at(point.x), frame.y.at(point.y), share(point.value));
        let length = point.direction.0.hypot(point.direction.1);
        if length > 0.0 && length.is_finite() {
            let (dx, dy) = (point.direction.0 / length * 9.0, -point.direction.1 / length * 9.0);
            svg.put(Element::line(x - dx, y - dy, x + dx, y + dy).stroke(Ink::Muted, 1.0));
        }
        let mark = Element::circle(x, y, 2.0 + 3.0 * share).colour(&colour(share)).stroke(Ink::Axis, 0.5).class("mark");
        let mark = mark.data("data-value", &point.value.to_string());
        svg.put(mark.tip(&format!("({}, {}): {what} {}", short(point.x), short(point.y), short(point.value))));
    }
    let below =
        if shown.is_empty() { 0.0 } else { key(&mut svg, what, (low, high), frame.left, height + 4.0, frame.right) };
    let mut table = ChartTable::new(title, &["x", "y", what, "direction x", "direction y"]);
    for point in points {
        let cells = [point.x, point.y, point.value, point.direction.0, point.direction.1];
        table.rows.push(cells.iter().map(|value| short(*value)).collect());
    }
    let description = format!("{} points, {what} from {} to {}", count(shown.len()), short(low), short(high));
    Chart { width, svg: svg.finish(height + 6.0 + below, title, &description), table }
}

/// The colours and what they stand for.
fn key(svg: &mut Svg, what: &str, (low, high): (f64, f64), left: f64, top: f64, right: f64) -> f64 {
    let wide = (right - left).min(260.0) / 24.0;
    for step in 0..24 {
        let share = f64::from(step) / 23.0;
        svg.put(Element::rect(left + f64::from(step) * wide, top, wide + 0.3, 9.0).colour(&colour(share)));
    }
    svg.put(Element::text(left, top + 22.0, &short(low)).size(11.0).fill(Ink::Muted));
    svg.put(Element::text(left + wide * 24.0, top + 22.0, &short(high)).end().size(11.0).fill(Ink::Muted));
    svg.put(Element::text(left + wide * 12.0, top + 22.0, what).middle().size(11.0).fill(Ink::Muted));
    28.0
}

fn colour(share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let (from, to) = (COLOURS[place.floor() as usize], COLOURS[place.ceil() as usize]);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * place.fract()).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}
