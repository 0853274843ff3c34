//! How a chart of rows shares out its width: the name, the measured stretch, the numbers in words.

use super::ink::Ink;
use super::svg::{Element, Svg, fit, text_width};

/// The size of names and numbers.
const SIZE: f64 = 12.0;
/// Above the first row there is room for a word.
pub const TOP: f64 = 18.0;

/// The places in every row.
#[derive(Debug)]
pub struct Layout {
    /// Name and numbers above the line, if there is no room beside it.
    pub stacked: bool,
    /// The height of a row.
    pub row: f64,
    /// The measured stretch.
    pub left: f64,
    pub right: f64,
    pub name_room: f64,
}

impl Layout {
    pub fn of<'a>(names: impl Iterator<Item = &'a str>, numbers: impl Iterator<Item = String>, width: f64) -> Self {
        let wide = |text: &str| text_width(&fit(text, SIZE, width), SIZE);
        let numbers = numbers.map(|text| wide(&text)).fold(0.0, f64::max);
        let stacked = width < 560.0;
        if stacked {
            let room = width - numbers - 20.0;
            return Self { stacked, row: 40.0, left: 10.0, right: width - 12.0, name_room: room };
        }
        let names = names.map(wide).fold(0.0, f64::max).min(width * 0.36);
        Self { stacked, row: 25.0, left: names + 22.0, right: width - numbers - 24.0, name_room: names + 2.0 }
    }

    /// The middle of the so-many-th row's line.
    pub fn middle(&self, number: usize) -> f64 {
        TOP + number as f64 * self.row + if self.stacked { 28.0 } else { self.row / 2.0 }
    }

    /// Where the rows end.
    pub fn bottom(&self, rows: usize) -> f64 {
        TOP + rows as f64 * self.row
    }

    /// Writes the name and the numbers of a row; a pointer that rests on the name shows more.
    pub fn words(&self, svg: &mut Svg, number: usize, (name, more): (&str, &str), (numbers, ink): (&str, Ink)) {
        let y = if self.stacked { TOP + number as f64 * self.row + 15.0 } else { self.middle(number) + 4.0 };
        let shown = fit(name, SIZE, self.name_room);
        let shown =
            if self.stacked { Element::text(4.0, y, &shown) } else { Element::text(self.left - 12.0, y, &shown).end() };
        svg.put(shown.halo().tip(&format!("{name}: {more}")));
        let room = if self.stacked { self.right + 8.0 } else { self.right + 14.0 };
        let numbers = Element::text(room, y, numbers).fill(ink);
        svg.put(if self.stacked { numbers.end().halo() } else { numbers });
    }
}
