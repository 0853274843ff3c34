//! Several lines over one axis, each with the band of its intervals.

use fissure_statistics::Estimate;

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::legend::{Entry, Shape, dash, legend};
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::{Unit, short};

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Curves<'a> {
    pub title: &'a str,
    pub x_axis: &'a str,
    pub y_axis: &'a str,
    pub x_log: bool,
    pub unit: Unit,
    pub curves: &'a [Curve],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    pub name: String,
    /// In the order of x.
    pub points: Vec<(f64, Estimate)>,
}

/// Lines distinguished by dash and mark as well as colour.
pub fn curves(data: &Curves<'_>, width: f64) -> Chart {
    let points = || data.curves.iter().flat_map(|curve| &curve.points);
    let xs = points().map(|(x, _)| *x);
    let x = if data.x_log { Scale::logarithmic(xs, 6) } else { Scale::straight(xs, Unit::Plain, 6) };
    let y = Scale::straight(points().flat_map(|(_, y)| [y.low, y.value, y.high]), data.unit, 5);
    let mut svg = Svg::new(width);
    let height = (width * 0.62).min(360.0);
    let (x, y) = (Axis { name: data.x_axis, scale: x }, Axis { name: data.y_axis, scale: y });
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    let placed: Vec<Vec<&(f64, Estimate)>> = (data.curves.iter())
        .map(|curve| curve.points.iter().filter(|(x, y)| frame.x.has(*x) && frame.y.has(y.value)).collect())
        .collect();
    for (number, points) in placed.iter().enumerate() {
        let upper = points.iter().map(|(x, y)| (frame.x.at(*x), frame.y.at(y.high)));
        let lower = points.iter().rev().map(|(x, y)| (frame.x.at(*x), frame.y.at(y.low)));
        let band: Vec<(f64, f64)> = upper.chain(lower).collect();
        svg.put(Element::path(&band, true).fill(Ink::Series(number)).faint(0.14));
    }
    for (number, points) in placed.iter().enumerate() {
        let ink = Ink::Series(number);
        let way: Vec<(f64, f64)> = points.iter().map(|(x, y)| (frame.x.at(*x), frame.y.at(y.value))).collect();
        svg.put(Element::path(&way, false).stroke(ink, 2.0).dash(dash(number)));
        for ((x, y), (left, top)) in points.iter().zip(&way) {
            let mark = Shape::of(number).mark(*left, *top, 3.2, ink).class("mark");
            let name = &data.curves[number].name;
            svg.put(mark.data("data-name", name).tip(&format!("{name}: {} at {}", data.unit.estimate(y), short(*x))));
        }
    }
    let entries: Vec<Entry<'_>> = (data.curves.iter().enumerate())
        .map(|(number, curve)| Entry {
            shape: Shape::of(number),
            ink: Ink::Series(number),
            line: Some(dash(number)),
            words: &curve.name,
        })
        .collect();
    let below = legend(&mut svg, &entries, frame.left, height + 2.0, frame.right - frame.left);
    let mut table = ChartTable::new(data.title, &["line", data.x_axis, data.y_axis, "95 % interval"]);
    for curve in data.curves {
        for (x, y) in &curve.points {
            table.rows.push(vec![curve.name.clone(), short(*x), data.unit.write(y.value), data.unit.interval(y)]);
        }
    }
    let names: Vec<&str> = data.curves.iter().map(|curve| curve.name.as_str()).collect();
    let description = format!("{} over {}, lines: {}", data.y_axis, data.x_axis, names.join(", "));
    Chart { width, svg: svg.finish(height + 4.0 + below, data.title, &description), table }
}
