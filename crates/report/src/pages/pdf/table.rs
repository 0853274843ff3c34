//! Tables: columns as wide as their words want, cells that wrap, rules above and below.

use std::rc::Rc;

use pdf_writer::types::StructRole;

use super::faces::Faces;
use super::flow::{Item, MEASURE};
use super::galley::{Galley, INK, Op, RULE};
use super::paragraph::{Align, Paragraph, Style};
use super::tags::Tag;
use crate::charts::ChartTable;

const SIZE: f32 = 7.6;
const LEADING: f32 = 10.2;
/// Space left and right, above and below the words of a cell.
const PAD: (f32, f32) = (3.6, 2.2);
/// Rows kept of one table.
const ROWS: usize = 60;
/// A table of at most this many rows is not torn apart.
const SHORT: usize = 12;

pub fn table(faces: &Faces<'_>, table: &ChartTable, tag: &Tag) -> Vec<Item> {
    let columns = table.head.len();
    let numeric = table.numeric();
    let cell = |text: &str, style: Style, at: usize| {
        let align = if numeric.get(at) == Some(&true) { Align::Right } else { Align::Left };
        Paragraph::new(LEADING).with(text, style).align(align)
    };
    let row = |texts: &[String], style: Style| -> Vec<Paragraph> {
        (0..columns).map(|at| cell(texts.get(at).map_or("", String::as_str), style, at)).collect()
    };
    let head = row(&table.head, Style::strong(SIZE));
    let rows: Vec<Vec<Paragraph>> = table.rows.iter().take(ROWS).map(|texts| row(texts, Style::plain(SIZE))).collect();
    let greedy: Vec<bool> = (0..columns).map(|at| at > 0 && !numeric[at]).collect();
    let widths = widths(faces, &head, &rows, &greedy);
    let whole: f32 = widths.iter().sum();

    let line = |cells: &[Paragraph], role: StructRole, number: usize| {
        let mut galley = Galley::new(whole, 0.0);
        let mut x = 0.0;
        for (at, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let tag = tag.then(StructRole::TR, number).then(role, at);
            galley.put(x + PAD.0, PAD.1, cell.galley(faces, width - 2.0 * PAD.0).tagged(tag));
            x += width;
        }
        galley.width = whole;
        galley.height += PAD.1;
        galley
    };
    let mut first = line(&head, StructRole::TH, 0);
    first.line((0.0, 0.0), (whole, 0.0), INK, 0.8);
    first.line((0.0, first.height), (whole, first.height), INK, 0.4);
    let again = Galley {
        ops: first.ops.iter().filter(|op| !matches!(op, Op::Begin(_) | Op::End)).cloned().collect(),
        ..first.clone()
    };
    let again = Rc::new(again);

    let more = table.rows.len().saturating_sub(ROWS);
    let mut caption = table.caption.clone();
    if more > 0 {
        caption += &format!(" (the first {ROWS}; {more} more in report.html)");
    }
    let caption = Paragraph::of(&caption, Style::strong(9.0)).galley(faces, MEASURE);
    let mut items = vec![
        Item::new(caption.tagged(tag.then(StructRole::Caption, 0)), 9.0).keep(true),
        Item::new(first, 3.0).keep(!rows.is_empty()),
    ];
    let count = rows.len();
    for (at, cells) in rows.iter().enumerate() {
        let mut galley = line(cells, StructRole::TD, at + 1);
        let last = at + 1 == count;
        let (colour, thick) = if last { (INK, 0.8) } else { (RULE, 0.3) };
        galley.line((0.0, galley.height), (whole, galley.height), colour, thick);
        // The first two rows stay with the head, the last two together.
        let keep = !last && (count <= SHORT || at == 0 || at + 2 == count);
        items.push(Item { head: Some(Rc::clone(&again)), ..Item::new(galley, 0.0).keep(keep) });
    }
    items.push(Item::new(Galley::new(0.0, 6.0), 0.0));
    items
}

/// How wide a column wants to be.
#[derive(Debug, Clone, Copy, Default)]
struct Wish {
    /// Its longest word.
    word: f32,
    /// The longest of its cells, on one line.
    body: f32,
    /// The same, or its head on one line.
    whole: f32,
}

fn widths(faces: &Faces<'_>, head: &[Paragraph], rows: &[Vec<Paragraph>], greedy: &[bool]) -> Vec<f32> {
    let mut wishes = vec![Wish::default(); head.len()];
    for cells in rows {
        for (wish, cell) in wishes.iter_mut().zip(cells) {
            let (word, body) = cell.widths(faces);
            (wish.word, wish.body) = (wish.word.max(word), wish.body.max(body));
        }
    }
    for (wish, cell) in wishes.iter_mut().zip(head) {
        let (word, whole) = cell.widths(faces);
        *wish = Wish { word: wish.word.max(word), body: wish.body.max(word), whole: wish.body.max(whole) };
    }
    // A hair more than the words need: widths are sums of many small numbers.
    let around = 2.0 * PAD.0 + 0.1;
    share(&wishes, greedy, MEASURE - around * head.len() as f32).iter().map(|width| width + around).collect()
}

/// As wide as the words want where there is room; greedy columns take what is left over. Where there is too little, heads
/// are broken first, then the cells of the widest columns, and words last.
fn share(wishes: &[Wish], greedy: &[bool], room: f32) -> Vec<f32> {
    let sum = |part: fn(&Wish) -> f32| wishes.iter().map(part).sum::<f32>();
    let (words, bodies, wholes) = (sum(|wish| wish.word), sum(|wish| wish.body), sum(|wish| wish.whole));
    if wholes <= room {
        let takers = greedy.iter().filter(|greedy| **greedy).count().max(1) as f32;
        let extra = |at: usize| if greedy[at] { (room - wholes) / takers } else { 0.0 };
        return wishes.iter().enumerate().map(|(at, wish)| wish.whole + extra(at)).collect();
    }
    if bodies <= room {
        let part = (room - bodies) / (wholes - bodies);
        return wishes.iter().map(|wish| wish.body + (wish.whole - wish.body) * part).collect();
    }
    if words >= room {
        return wishes.iter().map(|wish| wish.word * room / words).collect();
    }
    // No cell is wider than this, unless one of its words is.
    let at_most = |limit: f32| wishes.iter().map(move |wish| wish.body.min(limit).max(wish.word));
    let (mut low, mut high) = (0.0, room);
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if at_most(middle).sum::<f32>() <= room {
            low = middle;
        } else {
            high = middle;
        }
    }
    at_most(low).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(wishes: &[(f32, f32, f32)], greedy: &[bool], room: f32) -> Vec<f32> {
        let wishes: Vec<Wish> = wishes.iter().map(|&(word, body, whole)| Wish { word, body, whole }).collect();
        share(&wishes, greedy, room).into_iter().map(|width| (width * 100.0).round() / 100.0).collect()
    }

    #[test]
    fn columns_share_the_page() {
        let roomy = [(10.0, 15.0, 20.0), (5.0, 30.0, 30.0)];
        assert_eq!(shared(&roomy, &[false, true], 100.0), [20.0, 80.0]);
        assert_eq!(shared(&roomy, &[false, false], 100.0), [20.0, 30.0]);
        assert_eq!(shared(&[(10.0, 20.0, 40.0), (10.0, 60.0, 60.0)], &[false, true], 90.0), [30.0, 60.0]);
        assert_eq!(shared(&[(10.0, 20.0, 40.0), (10.0, 200.0, 200.0)], &[false, true], 90.0), [20.0, 70.0]);
        assert_eq!(shared(&[(100.0, 100.0, 100.0), (50.0, 300.0, 300.0)], &[false, true], 75.0), [50.0, 25.0]);
        assert_eq!(shared(&[], &[], 75.0), [0.0; 0]);
    }
}
