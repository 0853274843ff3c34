//! Two numbers of each sample, in two classes distinguished by shape as well as colour. Every point carries its id and
//! values, so that a page can pick points out.

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::legend::{Entry, Shape, legend};
use super::scale::Scale;
use super::svg::Svg;
use super::{Chart, ChartTable};
use crate::numbers::{Unit, count, short};

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Scatter<'a> {
    pub title: &'a str,
    pub x_axis: &'a str,
    pub y_axis: &'a str,
    pub x_log: bool,
    pub y_log: bool,
    /// What the classes 0, 1, ... are called.
    pub classes: &'a [&'a str],
    pub points: &'a [ScatterPoint],
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPoint {
    pub id: String,
    pub x: f64,
    pub y: f64,
    pub class: usize,
}

/// Rows that the table shows; the rest is in the data itself.
const TABLE_ROWS: usize = 50;

/// Points where both numbers have a place on their axes; the others are counted in the description.
pub fn scatter(data: &Scatter<'_>, width: f64) -> Chart {
    let scale = |log: bool, values: &mut dyn Iterator<Item = f64>| {
        if log { Scale::logarithmic(values, 5) } else { Scale::straight(values, Unit::Plain, 5) }
    };
    let x = scale(data.x_log, &mut data.points.iter().map(|point| point.x));
    let y = scale(data.y_log, &mut data.points.iter().map(|point| point.y));
    let mut svg = Svg::new(width);
    let height = (width * 0.72).min(420.0);
    let (x, y) = (Axis { name: data.x_axis, scale: x }, Axis { name: data.y_axis, scale: y });
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    let shown: Vec<&ScatterPoint> =
        data.points.iter().filter(|point| frame.x.has(point.x) && frame.y.has(point.y)).collect();
    let radius = if shown.len() > 800 { 2.0 } else { 3.0 };
    // The rarer classes come last and lie on top.
    let mut classes: Vec<usize> = (0..data.classes.len().max(1)).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(shown.iter().filter(|point| point.class == *class).count()));
    for class in classes {
        for point in shown.iter().filter(|point| point.class == class) {
            let mark = Shape::of(class).mark(frame.x.at(point.x), frame.y.at(point.y), radius, Ink::Series(class));
            let mark = mark.faint(0.6).class("mark").data("data-id", &point.id).data("data-class", &class.to_string());
            let (x, y) = (short(point.x), short(point.y));
            let mark = mark.data("data-x", &point.x.to_string()).data("data-y", &point.y.to_string());
            svg.put(mark.tip(&format!("{}: {} {x}, {} {y}", point.id, data.x_axis, data.y_axis)));
        }
    }
    let entries: Vec<Entry<'_>> = (data.classes.iter().enumerate())
        .map(|(class, words)| Entry { shape: Shape::of(class), ink: Ink::Series(class), line: None, words })
        .collect();
    let below = legend(&mut svg, &entries, frame.left, height + 2.0, frame.right - frame.left);
    let svg = svg.finish(height + 4.0 + below, data.title, &description(data, &shown));
    Chart { width, svg, table: table(data) }
}

fn description(data: &Scatter<'_>, shown: &[&ScatterPoint]) -> String {
    let classes: Vec<String> = (data.classes.iter().enumerate())
        .map(|(class, name)| format!("{} {name}", count(shown.iter().filter(|point| point.class == class).count())))
        .collect();
    let left_out = data.points.len() - shown.len();
    let rest = if left_out > 0 { format!("; {} have no place on the axes", count(left_out)) } else { String::new() };
    format!("{} against {}: {}{rest}", data.y_axis, data.x_axis, classes.join(", "))
}

fn table(data: &Scatter<'_>) -> ChartTable {
    let more = data.points.len().saturating_sub(TABLE_ROWS);
    let caption = if more > 0 {
        format!("{} (the first {TABLE_ROWS}; {} more)", data.title, count(more))
    } else {
        data.title.to_owned()
    };
    let mut table = ChartTable::new(&caption, &["id", data.x_axis, data.y_axis, "class"]);
    for point in data.points.iter().take(TABLE_ROWS) {
        let class = data.classes.get(point.class).copied().unwrap_or("");
        table.rows.push(vec![point.id.clone(), short(point.x), short(point.y), class.to_owned()]);
    }
    table
}
