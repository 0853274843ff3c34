//! The drawings of one page in the language of PDF, where the origin is at the lower left.

use std::collections::{BTreeMap, BTreeSet};

use pdf_writer::types::TextRenderingMode;
use pdf_writer::{Content, Name, Str};
use subsetter::GlyphRemapper;

use super::faces::{Face, Faces};
use super::file::{font_name, opacity_name};
use super::flow::PAPER;
use super::galley::{Colour, Op, Run, Shape, Step};
use super::tags::Tree;

/// What the pages need beside their drawings.
#[derive(Default)]
pub struct Used {
    pub faces: BTreeMap<Face, UsedFace>,
    /// In hundredths.
    pub opacities: BTreeSet<u8>,
}

/// The glyphs of a typeface that were used, numbered again as they come, and the letters they stand for.
#[derive(Default)]
pub struct UsedFace {
    pub numbers: GlyphRemapper,
    pub letters: BTreeMap<u16, String>,
}

pub fn content(ops: &[Op], faces: &Faces<'_>, used: &mut Used, parts: &mut Tree) -> Vec<u8> {
    let mut writer = Writer { content: Content::new(), faces, used, inside: false, decoration: false };
    for op in ops {
        match op {
            Op::Begin(tag) => {
                writer.decorate(false);
                let number = parts.mark(tag);
                let mut mark = writer.content.begin_marked_content_with_properties(tag.role().to_name());
                mark.properties().identify(number);
            }
            Op::End => {
                writer.content.end_marked_content();
            }
            Op::Link(..) => {}
            Op::Run(run) => writer.run(run),
            Op::Shape(shape) => writer.shape(shape),
        }
        // What stands outside the text is decoration, and says so.
        match op {
            Op::Begin(_) => writer.inside = true,
            Op::End => writer.inside = false,
            _ => {}
        }
    }
    writer.decorate(false);
    writer.content.finish().to_vec()
}

struct Writer<'u> {
    content: Content,
    faces: &'u Faces<'u>,
    used: &'u mut Used,
    /// Whether what is drawn belongs to the text.
    inside: bool,
    /// Whether what is drawn is marked as decoration.
    decoration: bool,
}

impl Writer<'_> {
    fn decorate(&mut self, on: bool) {
        if on && !self.decoration {
            self.content.begin_marked_content(Name(b"Artifact"));
        } else if !on && self.decoration {
            self.content.end_marked_content();
        }
        self.decoration = on;
    }

    fn shape(&mut self, shape: &Shape) {
        self.decorate(!self.inside);
        let content = &mut self.content;
        content.save_state();
        if let Some(fill) = shape.fill {
            let [red, green, blue] = parts_of(fill);
            content.set_fill_rgb(red, green, blue);
        }
        if shape.opacity < 100 {
            self.used.opacities.insert(shape.opacity);
            content.set_parameters(Name(opacity_name(shape.opacity).as_bytes()));
        }
        if let Some(stroke) = &shape.stroke {
            let [red, green, blue] = parts_of(stroke.colour);
            content.set_stroke_rgb(red, green, blue).set_line_width(short(stroke.width));
            if !stroke.dash.is_empty() {
                content.set_dash_pattern(stroke.dash.iter().map(|part| short(*part)), 0.0);
            }
        }
        for step in &shape.steps {
            match *step {
                Step::Move(x, y) => content.move_to(short(x), upward(y)),
                Step::Line(x, y) => content.line_to(short(x), upward(y)),
                Step::Curve([a, b, c, d, x, y]) => {
                    content.cubic_to(short(a), upward(b), short(c), upward(d), short(x), upward(y))
                }
                Step::Close => content.close_path(),
            };
        }
        match (shape.fill, &shape.stroke) {
            (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
            (Some(_), None) => content.fill_nonzero(),
            (None, Some(_)) => content.stroke(),
            (None, None) => content.end_path(),
        };
        content.restore_state();
    }

    fn run(&mut self, run: &Run) {
        self.decorate(!self.inside);
        if let Some((colour, width)) = run.halo {
            let [red, green, blue] = parts_of(colour);
            self.content.save_state().set_stroke_rgb(red, green, blue).set_line_width(short(width));
            self.content.set_line_join(pdf_writer::types::LineJoinStyle::RoundJoin);
            self.letters(run, TextRenderingMode::Stroke);
            self.content.restore_state();
        }
        let [red, green, blue] = parts_of(run.colour);
        self.content.set_fill_rgb(red, green, blue);
        self.letters(run, TextRenderingMode::Fill);
    }

    fn letters(&mut self, run: &Run, mode: TextRenderingMode) {
        let used = self.used.faces.entry(run.face).or_default();
        let content = &mut self.content;
        content.begin_text().set_font(Name(font_name(run.face).as_bytes()), run.size);
        if mode == TextRenderingMode::Stroke {
            content.set_text_rendering_mode(mode);
        }
        let (x, y) = (short(run.x), upward(run.y));
        content.set_text_matrix(if run.upright { [0.0, 1.0, -1.0, 0.0, x, y] } else { [1.0, 0.0, 0.0, 1.0, x, y] });
        // Stretches on one height; accents that were raised or lowered get one of their own.
        for stretch in run.glyphs.chunk_by(|one, next| one.dy == next.dy) {
            let rise = stretch[0].dy * run.size / 1000.0;
            if rise != 0.0 {
                content.set_rise(short(rise));
            }
            let mut shown = content.show_positioned();
            let mut items = shown.items();
            let mut bytes = Vec::new();
            // How far the pen is behind where the next glyph belongs.
            let mut behind = 0.0f32;
            for glyph in stretch {
                behind += glyph.dx;
                if behind.abs() > 0.5 {
                    if !bytes.is_empty() {
                        items.show(Str(&bytes));
                        bytes.clear();
                    }
                    items.adjust(-behind.round());
                    behind -= behind.round();
                }
                let number = used.numbers.remap(glyph.id);
                let letters = used.letters.entry(number).or_default();
                if letters.is_empty() {
                    letters.clone_from(&glyph.letters);
                }
                bytes.extend(number.to_be_bytes());
                behind += glyph.advance - self.faces.width(run.face, glyph.id) - glyph.dx;
            }
            if !bytes.is_empty() {
                items.show(Str(&bytes));
            }
            if behind.abs() > 0.5 {
                items.adjust(-behind.round());
            }
            drop(items);
            drop(shown);
            if rise != 0.0 {
                content.set_rise(0.0);
            }
        }
        if mode == TextRenderingMode::Stroke {
            content.set_text_rendering_mode(TextRenderingMode::Fill);
        }
        content.end_text();
    }
}

fn parts_of(colour: Colour) -> [f32; 3] {
    colour.map(|part| (f32::from(part) / 255.0 * 1000.0).round() / 1000.0)
}

/// A hundredth of a point is finer than any printer, and keeps files small.
fn short(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

fn upward(y: f32) -> f32 {
    short(PAPER.1 - y)
}
