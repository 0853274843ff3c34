//! What is drawn, before it has a place on a page: shapes and text with the origin at the upper left, in points.

use super::faces::{Face, Glyph};
use super::tags::Tag;

pub type Colour = [u8; 3];

pub const INK: Colour = [0x1d, 0x23, 0x30];
pub const MUTED: Colour = [0x56, 0x60, 0x72];
pub const RULE: Colour = [0xdd, 0xe1, 0xe7];
pub const WORSE: Colour = [0xc0, 0x4a, 0x00];
pub const BETTER: Colour = [0x00, 0x68, 0x9f];

/// Glyphs of one typeface, size and colour in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub x: f32,
    /// The baseline.
    pub y: f32,
    pub face: Face,
    pub size: f32,
    pub colour: Colour,
    pub glyphs: Vec<Glyph>,
    /// Turned by a quarter, to be read from below.
    pub upright: bool,
    /// A stroke of this width and colour around the letters, which keeps lines behind from running through them.
    pub halo: Option<(Colour, f32)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    Move(f32, f32),
    Line(f32, f32),
    Curve([f32; 6]),
    Close,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f32,
    pub dash: Vec<f32>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    pub steps: Vec<Step>,
    pub fill: Option<Colour>,
    /// In hundredths.
    pub opacity: u8,
    pub stroke: Option<Stroke>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Run(Run),
    Shape(Shape),
    /// What follows, up to `End`, belongs to this part of the text.
    Begin(Tag),
    End,
    /// A place to click: left, top, width, height, and the section it leads to.
    Link([f32; 4], &'static str),
}

/// Things to draw that stay together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Galley {
    pub width: f32,
    pub height: f32,
    pub ops: Vec<Op>,
}

impl Galley {
    pub fn new(width: f32, height: f32) -> Self {
        Self { width, height, ops: Vec::new() }
    }

    /// Draws another galley at a place in this one, which grows to hold it.
    pub fn put(&mut self, x: f32, y: f32, other: Self) {
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(y + other.height);
        self.ops.extend(other.ops.into_iter().map(|op| op.moved(x, y)));
    }

    /// Draws another galley below what is here already.
    pub fn below(&mut self, space: f32, other: Self) {
        self.put(0.0, self.height + space, other);
    }

    /// Galleys one below the other.
    pub fn stack(galleys: impl IntoIterator<Item = Self>) -> Self {
        galleys.into_iter().fold(Self::default(), |mut stack, galley| {
            stack.below(0.0, galley);
            stack
        })
    }

    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), colour: Colour, width: f32) {
        let steps = vec![Step::Move(from.0, from.1), Step::Line(to.0, to.1)];
        let stroke = Some(Stroke { colour, width, dash: Vec::new() });
        self.ops.push(Op::Shape(Shape { steps, fill: None, opacity: 100, stroke }));
    }

    pub fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, fill: Colour) {
        let steps = rectangle(x, y, width, height);
        self.ops.push(Op::Shape(Shape { steps, fill: Some(fill), opacity: 100, stroke: None }));
    }

    /// The same as part of the text; empty things have no tag.
    pub fn tagged(mut self, tag: Tag) -> Self {
        if !self.ops.is_empty() {
            self.ops.insert(0, Op::Begin(tag));
            self.ops.push(Op::End);
        }
        self
    }
}

pub fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Vec<Step> {
    vec![
        Step::Move(x, y),
        Step::Line(x + width, y),
        Step::Line(x + width, y + height),
        Step::Line(x, y + height),
        Step::Close,
    ]
}

impl Op {
    pub fn moved(mut self, dx: f32, dy: f32) -> Self {
        match &mut self {
            Self::Run(run) => {
                run.x += dx;
                run.y += dy;
            }
            Self::Shape(shape) => shape.steps.iter_mut().for_each(|step| step.shift(dx, dy)),
            Self::Link([x, y, ..], _) => {
                *x += dx;
                *y += dy;
            }
            Self::Begin(_) | Self::End => {}
        }
        self
    }
}

impl Step {
    fn shift(&mut self, dx: f32, dy: f32) {
        match self {
            Self::Move(x, y) | Self::Line(x, y) => {
                *x += dx;
                *y += dy;
            }
            Self::Curve(points) => {
                for pair in points.chunks_exact_mut(2) {
                    pair[0] += dx;
                    pair[1] += dy;
                }
            }
            Self::Close => {}
        }
    }
}
