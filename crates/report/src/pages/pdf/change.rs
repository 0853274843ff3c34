//! A text before and after a change, side by side, with what went and what came marked.

use pdf_writer::types::StructRole;

use super::blocks::styled;
use super::faces::{Face, Faces};
use super::flow::MEASURE;
use super::galley::{Galley, INK, MUTED, RULE};
use super::paragraph::{Align, Mark, Paragraph, Style};
use super::tags::Tag;
use crate::document::{Bit, Change, Words};

const GAP: f32 = 16.0;
const SIZE: f32 = 8.8;
const LEADING: f32 = 12.6;

pub fn change(faces: &Faces<'_>, change: &Change, tag: &Tag) -> Galley {
    let muted = Style::new(Face::Sans, 8.2, MUTED);
    let mut galley = Galley::new(MEASURE, 5.0);
    galley.line((0.0, 0.0), (MEASURE, 0.0), RULE, 0.5);
    galley.below(0.0, styled(&change.title, muted, 11.8).galley(faces, MEASURE).tagged(tag.then(StructRole::P, 0)));
    for (at, (name, text)) in change.beside.iter().enumerate() {
        let words = Paragraph::new(11.8).with(name, Style::new(Face::Mono, 7.6, MUTED)).with(" ", muted);
        let words = words.with(text, Style::new(Face::Sans, 8.4, INK));
        galley.below(1.5, words.galley(faces, MEASURE).tagged(tag.then(StructRole::P, at + 3)));
    }
    let wide = (MEASURE - GAP) / 2.0;
    let side = |name: &str, head: &Words, text: &Paragraph, at: usize| {
        let head = styled(&Words(head.0.clone()), muted, 11.4);
        let mut named = Paragraph::new(head.leading).with(name, muted);
        named.spans.extend(head.spans);
        let mut side = named.galley(faces, wide);
        side.below(1.0, text.galley(faces, wide));
        side.tagged(tag.then(StructRole::P, at))
    };
    let (before, after) = sides(&change.bits);
    let top = galley.height + 3.0;
    galley.put(0.0, top, side("before: ", &change.before, &before, 1));
    galley.put(wide + GAP, top, side("after: ", &change.after, &after, 2));
    galley
}

/// The text before and the text after.
fn sides(bits: &[Bit]) -> (Paragraph, Paragraph) {
    let plain = Style::plain(SIZE);
    let mut before = Paragraph::new(LEADING).align(Align::Start);
    let mut after = before.clone();
    for bit in bits {
        match bit {
            Bit::Same(text) => {
                before = before.with(text, plain);
                after = after.with(text, plain);
            }
            Bit::Changed { old, new } => {
                before = before.with(old, Style { mark: Mark::Unavailable, ..plain });
                after = after.with(new, Style { mark: Mark::Added, face: Face::Strong, ..plain });
            }
            Bit::Cut => {
                before = before.with(" … ", plain);
                after = after.with(" … ", plain);
            }
        }
    }
    (before, after)
}
