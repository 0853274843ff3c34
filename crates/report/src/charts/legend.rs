//! Marks of different shapes, and the lines that say what they mean.

use super::ink::Ink;
use super::svg::{Element, Svg, fit, text_width};

/// The shape of a mark: distinguishes classes without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Disc,
    Ring,
    Diamond,
    Square,
    Triangle,
    Cross,
}

impl Shape {
    /// The shape of the so-many-th line or class.
    pub fn of(number: usize) -> Self {
        [Self::Disc, Self::Triangle, Self::Square, Self::Diamond, Self::Cross][number % 5]
    }

    /// The mark, at a place.
    pub fn mark(self, x: f64, y: f64, radius: f64, ink: Ink) -> Element {
        let r = radius;
        match self {
            Self::Disc => Element::circle(x, y, r).fill(ink),
            Self::Ring => Element::circle(x, y, r).fill(Ink::Paper).stroke(ink, 1.6),
            Self::Diamond => {
                let r = r * 1.3;
                Element::path(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], true).fill(ink)
            }
            Self::Square => Element::rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8).fill(ink),
            Self::Triangle => {
                let r = r * 1.2;
                Element::path(&[(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)], true).fill(ink)
            }
            Self::Cross => {
                let (a, b) = (r * 1.1, r * 0.35);
                let corners = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b), (b, a), (-b, a), (-b, b), (-a, b)];
                let mut points: Vec<(f64, f64)> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
                points.extend([(x - a, y - b), (x - b, y - b)]);
                Element::path(&points, true).fill(ink)
            }
        }
    }
}

/// How a line is drawn: distinguishes lines without colour.
pub fn dash(number: usize) -> &'static str {
    ["", "6 3", "2 3", "8 3 2 3", "12 4"][number % 5]
}

/// One entry of a legend.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    pub shape: Shape,
    pub ink: Ink,
    /// The dash of the line through the mark, where there is a line.
    pub line: Option<&'static str>,
    pub words: &'a str,
}

const SIZE: f64 = 11.0;
const LINE: f64 = 17.0;

/// Writes entries from left to right, on as many lines as they need, and says how high they are together.
pub fn legend(svg: &mut Svg, entries: &[Entry<'_>], left: f64, top: f64, width: f64) -> f64 {
    let (mut x, mut y) = (left, top + 11.0);
    for entry in entries {
        let mark = if entry.line.is_some() { 26.0 } else { 12.0 };
        let words = fit(entry.words, SIZE, width - mark - 6.0);
        let wide = mark + 6.0 + text_width(&words, SIZE);
        if x > left && x + wide > left + width {
            (x, y) = (left, y + LINE);
        }
        if let Some(dash) = entry.line {
            svg.put(Element::line(x, y - 4.0, x + mark, y - 4.0).stroke(entry.ink, 2.0).dash(dash));
        }
        svg.put(entry.shape.mark(x + mark / 2.0, y - 4.0, 4.0, entry.ink));
        svg.put(Element::text(x + mark + 6.0, y, &words).size(SIZE).fill(Ink::Muted));
        x += wide + 16.0;
    }
    if entries.is_empty() { 0.0 } else { y + 6.0 - top }
}
