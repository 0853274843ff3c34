//! A table of shares where darker means more; every cell says its number too.

use fissure_statistics::Estimate;

use super::ink::Ink;
use super::svg::{Element, Svg, fit, text_width};
use super::{Chart, ChartTable};
use crate::numbers::{DASH, Unit, percent};

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Heat<'a> {
    pub title: &'a str,
    /// What the rows are, at the head of the table.
    pub what: &'a str,
    pub columns: &'a [String],
    /// (name, a cell for each column; `None` if nothing was measured)
    pub rows: &'a [(String, Vec<Option<Estimate>>)],
    /// The share that is left white: what chance gives.
    pub from: f64,
}

/// The darkest a cell gets: dark enough to see, light enough to read the number on it.
const DARKEST: f64 = 0.55;

/// Rows and columns of shares.
pub fn heat(data: &Heat<'_>, width: f64) -> Chart {
    let mut svg = Svg::new(width);
    let names = data.rows.iter().map(|row| text_width(&fit(&row.0, 12.0, width), 12.0)).fold(40.0, f64::max);
    let left = names.min(width * 0.38) + 10.0;
    let cell = ((width - left - 2.0) / data.columns.len().max(1) as f64).min(150.0);
    let (top, row_height) = (24.0, 26.0);
    for (at, column) in data.columns.iter().enumerate() {
        let middle = left + cell * (at as f64 + 0.5);
        let words = fit(column, 11.0, cell - 4.0);
        svg.put(Element::text(middle, 16.0, &words).middle().size(11.0).fill(Ink::Muted).tip(column));
    }
    for (number, (name, cells)) in data.rows.iter().enumerate() {
        let y = top + number as f64 * row_height;
        svg.put(Element::text(left - 8.0, y + 17.0, &fit(name, 12.0, left - 10.0)).end().tip(name));
        for (at, column) in data.columns.iter().enumerate() {
            let x = left + cell * at as f64;
            let value = cells.get(at).copied().flatten();
            let share =
                value.map_or(0.0, |value| ((value.value - data.from) / (1.0 - data.from).max(1e-9)).clamp(0.0, 1.0));
            let square = Element::rect(x + 1.0, y + 1.0, cell - 2.0, row_height - 2.0).fill(Ink::Worse);
            let square = square.faint(share * DARKEST).stroke(Ink::Grid, 1.0).class("mark");
            let words = value.map_or_else(|| "not measured".to_owned(), |value| Unit::Percent.estimate(&value));
            svg.put(
                square.data("data-name", name).data("data-column", column).tip(&format!("{name}, {column}: {words}")),
            );
            let shown = value.map_or_else(|| DASH.to_owned(), |value| percent(value.value));
            svg.put(Element::text(x + cell / 2.0, y + 17.0, &shown).middle());
        }
    }
    let height = top + data.rows.len() as f64 * row_height + 4.0;
    let mut head = vec![data.what];
    head.extend(data.columns.iter().map(String::as_str));
    let mut table = ChartTable::new(data.title, &head);
    for (name, cells) in data.rows {
        let mut row = vec![name.clone()];
        row.extend((0..data.columns.len()).map(|at| match cells.get(at).copied().flatten() {
            Some(value) => Unit::Percent.estimate(&value),
            None => "not measured".to_owned(),
        }));
        table.rows.push(row);
    }
    let said: Vec<String> = table.rows.iter().take(12).map(|row| row.join(" ")).collect();
    Chart { width, svg: svg.finish(height, data.title, &said.join("; ")), table }
}
