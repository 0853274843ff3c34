//! Before and after: a slope for each thing that was measured twice.

use fissure_statistics::Estimate;

use super::ink::Ink;
use super::legend::{Shape, dash};
use super::scale::Scale;
use super::svg::{Element, Svg, fit, text_width};
use super::{Chart, ChartTable};
use crate::numbers::Unit;

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    pub title: &'a str,
    pub unit: Unit,
    /// What the two sides are called.
    pub before: &'a str,
    pub after: &'a str,
    pub pairs: &'a [Pair],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    pub name: String,
    pub before: Estimate,
    pub after: Estimate,
}

const LINE: f64 = 14.0;

/// Slopes with the names at their right ends, moved apart where they would meet.
pub fn pairs(data: &Pairs<'_>, width: f64) -> Chart {
    let mut svg = Svg::new(width);
    let shown: Vec<&Pair> =
        data.pairs.iter().filter(|pair| pair.before.value.is_finite() && pair.after.value.is_finite()).collect();
    let height = (width * 0.5).min(360.0).max(shown.len() as f64 * LINE + 60.0);
    let words: Vec<String> =
        shown.iter().map(|pair| format!("{} {}", data.unit.write(pair.after.value), pair.name)).collect();
    let room = words.iter().map(|words| text_width(words, 11.0)).fold(60.0, f64::max).min(width * 0.45);
    let (left, right, top, bottom) = (52.0, width - room - 14.0, 30.0, height - 12.0);
    let values = shown.iter().flat_map(|pair| [pair.before.value, pair.after.value]);
    let scale = Scale::straight(values, data.unit, 5).over(bottom, top);
    for (x, name) in [(left, data.before), (right, data.after)] {
        svg.put(Element::line(x, top, x, bottom).stroke(Ink::Axis, 1.0));
        svg.put(Element::text(x, 16.0, &fit(name, 12.0, (right - left) * 0.9)).middle().bold());
    }
    for tick in scale.ticks() {
        svg.put(Element::text(left - 8.0, tick.at + 4.0, &tick.label).end().size(11.0).fill(Ink::Muted));
        svg.put(Element::line(left, tick.at, right, tick.at).stroke(Ink::Grid, 1.0));
    }
    let ends: Vec<f64> = shown.iter().map(|pair| scale.at(pair.after.value)).collect();
    for ((number, pair), label_y) in shown.iter().enumerate().zip(apart(&ends, top, bottom)) {
        let (from, to, ink) = (scale.at(pair.before.value), scale.at(pair.after.value), Ink::Series(number));
        svg.put(Element::line(left, from, right, to).stroke(ink, 2.0).dash(dash(number)));
        for (x, y) in [(left, from), (right, to)] {
            svg.put(Shape::of(number).mark(x, y, 3.5, ink).class("mark").data("data-name", &pair.name));
        }
        let said =
            format!("{}: {} to {}", pair.name, data.unit.estimate(&pair.before), data.unit.estimate(&pair.after));
        svg.put(Element::text(right + 10.0, label_y + 4.0, &fit(&words[number], 11.0, room)).size(11.0).tip(&said));
    }
    let mut table = ChartTable::new(data.title, &["name", data.before, "95 % interval", data.after, "95 % interval"]);
    for pair in data.pairs {
        let mut row = vec![pair.name.clone()];
        for side in [pair.before, pair.after] {
            row.extend([data.unit.write(side.value), data.unit.interval(&side)]);
        }
        table.rows.push(row);
    }
    let said: Vec<String> =
        table.rows.iter().take(12).map(|row| format!("{} {} to {}", row[0], row[1], row[3])).collect();
    Chart { width, svg: svg.finish(height, data.title, &said.join("; ")), table }
}

/// The places of labels, each as near to its wish as the others allow.
fn apart(wishes: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|&a, &b| wishes[a].total_cmp(&wishes[b]).then(a.cmp(&b)));
    let mut places = wishes.to_vec();
    let mut least = top;
    for &at in &order {
        places[at] = places[at].max(least);
        least = places[at] + LINE;
    }
    let mut most = bottom;
    for &at in order.iter().rev() {
        places[at] = places[at].min(most);
        most = places[at] - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        assert_eq!(apart(&[10.0, 50.0, 12.0], 0.0, 100.0), [10.0, 50.0, 24.0]);
        assert_eq!(apart(&[99.0, 100.0], 0.0, 100.0), [86.0, 100.0]);
    }
}
