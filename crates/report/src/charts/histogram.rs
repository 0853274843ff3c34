//! How values are spread.

use super::frame::{Axis, Frame};
use super::ink::Ink;
use super::scale::Scale;
use super::svg::{Element, Svg};
use super::{Chart, ChartTable};
use crate::numbers::{Unit, count, short};

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    pub title: &'a str,
    /// What the values are.
    pub axis: &'a str,
    pub values: &'a [f64],
    pub bins: usize,
    /// Bins of equal ratio instead of equal width; values that are not above 0 are left out, and counted.
    pub log: bool,
}

/// Counts in bins.
pub fn histogram(data: &Histogram<'_>, width: f64) -> Chart {
    let mut values: Vec<f64> =
        data.values.iter().copied().filter(|value| value.is_finite() && (!data.log || *value > 0.0)).collect();
    values.sort_by(f64::total_cmp);
    let left_out = data.values.len() - values.len();
    let bins = bins(&values, data.bins.clamp(1, 200), data.log);
    let highest = bins.iter().map(|bin| bin.2).max().unwrap_or(0);
    let edges = bins.iter().flat_map(|bin| [bin.0, bin.1]);
    let x = if data.log { Scale::logarithmic(edges, 6) } else { Scale::straight(edges, Unit::Plain, 6) };
    let y = Scale::straight([0.0, highest.max(1) as f64], Unit::Plain, 4);
    let mut svg = Svg::new(width);
    let height = (width * 0.55).min(280.0);
    let (x, y) = (Axis { name: data.axis, scale: x }, Axis { name: "how many", scale: y });
    let frame = Frame::draw(&mut svg, x, y, width, 0.0, height);
    for (low, high, number) in bins.iter().copied().filter(|bin| bin.2 > 0) {
        let (left, right, top) = (frame.x.at(low), frame.x.at(high), frame.y.at(number as f64));
        let bar =
            Element::rect(left + 0.5, top, (right - left - 1.0).max(0.8), frame.bottom - top).fill(Ink::Series(0));
        let bar = bar.class("mark").data("data-low", &low.to_string()).data("data-high", &high.to_string());
        svg.put(bar.tip(&format!("{} to {}: {}", short(low), short(high), count(number))));
    }
    let mut table = ChartTable::new(data.title, &["from", "to", "how many"]);
    table.rows = bins.iter().map(|(low, high, number)| vec![short(*low), short(*high), count(*number)]).collect();
    Chart { width, svg: svg.finish(height, data.title, &description(data, &values, left_out)), table }
}

/// (low, high, how many); the last bin holds its upper end too.
fn bins(sorted: &[f64], wanted: usize, log: bool) -> Vec<(f64, f64, usize)> {
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    type Map = fn(f64) -> f64;
    let (to, from): (Map, Map) =
        if log { (f64::log10, |value| 10f64.powf(value)) } else { (|value| value, |value| value) };
    let (low, high) = (to(first), to(last));
    if high <= low {
        return vec![(first, last, sorted.len())];
    }
    let step = (high - low) / wanted as f64;
    let mut counts = vec![0; wanted];
    for value in sorted {
        let bin = ((to(*value) - low) / step) as usize;
        counts[bin.min(wanted - 1)] += 1;
    }
    let edge = |at: usize| from(low + step * at as f64);
    counts.into_iter().enumerate().map(|(at, number)| (edge(at), edge(at + 1), number)).collect()
}

fn description(data: &Histogram<'_>, sorted: &[f64], left_out: usize) -> String {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return format!("{}: no values", data.axis);
    };
    let middle = sorted[sorted.len() / 2];
    let rest = if left_out > 0 { format!("; {} values have no place here", count(left_out)) } else { String::new() };
    let sizes = format!("{} to {}, median {}", short(*first), short(*last), short(middle));
    format!("{} values of {}, {sizes}{rest}", count(sorted.len()), data.axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_by_hand() {
        assert_eq!(bins(&[0.0, 1.0, 2.0, 4.0], 2, false), [(0.0, 2.0, 2), (2.0, 4.0, 2)]);
        let log = bins(&[1.0, 5.0, 20.0, 100.0], 2, true);
        assert_eq!(log.iter().map(|bin| bin.2).collect::<Vec<_>>(), [2, 2]);
        assert!((log[0].1 - 10.0).abs() < 1e-9);
        assert_eq!(bins(&[], 3, false), []);
        assert_eq!(bins(&[2.0, 2.0], 3, true), [(2.0, 2.0, 2)]);
    }
}
