//! Paragraphs: styled text broken into lines of a given width, in the order in which it is read.

use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation as _;

use super::breaks::{breaks, clean, from_the_right, is_right_to_left, is_space};
use super::faces::{Face, Faces, Glyph, width};
use super::galley::{BETTER, Colour, Galley, INK, Op, Run, WORSE};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    pub face: Face,
    pub size: f32,
    pub colour: Colour,
    pub mark: Mark,
    /// The section that a click leads to.
    pub link: Option<&'static str>,
}

/// What happened to a stretch of a changed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    None,
    Unavailable,
    Added,
}

impl Style {
    pub fn new(face: Face, size: f32, colour: Colour) -> Self {
        Self { face, size, colour, mark: Mark::None, link: None }
    }

    pub fn plain(size: f32) -> Self {
        Self::new(Face::Sans, size, INK)
    }

    pub fn strong(size: f32) -> Self {
        Self::new(Face::Strong, size, INK)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
    Centre,
    /// To the side on which the text begins.
    Start,
}

/// Styled text and how it is set.
#[derive(Debug, Clone)]
pub struct Paragraph {
    pub spans: Vec<(String, Style)>,
    /// The distance from one line to the next.
    pub leading: f32,
    pub align: Align,
}

/// The smallest stretch: glyphs of one typeface, style and direction without a place to break.
#[derive(Debug, Clone)]
struct Atom {
    from: usize,
    to: usize,
    face: Face,
    style: Style,
    level: Level,
    glyphs: Vec<Glyph>,
    width: f32,
    space: bool,
    /// Whether a line may begin with it.
    opens: bool,
}

impl Paragraph {
    pub fn new(leading: f32) -> Self {
        Self { spans: Vec::new(), leading, align: Align::Left }
    }

    /// One text in one style, with the leading that suits it.
    pub fn of(text: &str, style: Style) -> Self {
        Self::new(style.size * 1.4).with(text, style)
    }

    pub fn with(mut self, text: &str, style: Style) -> Self {
        self.spans.push((clean(text), style));
        self
    }

    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    /// The width of its longest stretch without a place to break, and of the whole on one line.
    pub fn widths(&self, faces: &Faces<'_>) -> (f32, f32) {
        let atoms = self.atoms(faces, f32::INFINITY);
        let (mut longest, mut word, mut whole) = (0.0f32, 0.0f32, 0.0f32);
        for atom in &atoms {
            word = if atom.opens || atom.space { 0.0 } else { word };
            word += if atom.space { 0.0 } else { atom.width };
            longest = longest.max(word);
            whole += atom.width;
        }
        (longest, whole)
    }

    /// The lines, each as high as the leading.
    pub fn lines(&self, faces: &Faces<'_>, width: f32) -> Vec<Galley> {
        let mut lines: Vec<Vec<Atom>> = vec![Vec::new()];
        let mut used = 0.0;
        let atoms = self.atoms(faces, width);
        for word in atoms.chunk_by(|_, next| !next.opens) {
            let letters: f32 = word.iter().filter(|atom| !atom.space).map(|atom| atom.width).sum();
            // Widths are sums of many small numbers.
            if used > 0.0 && used + letters > width + 0.01 {
                lines.push(Vec::new());
                used = 0.0;
            }
            used += word.iter().map(|atom| atom.width).sum::<f32>();
            lines.last_mut().expect("there is a line from the beginning on").extend(word.iter().cloned());
        }
        let size = self.spans.iter().map(|(_, style)| style.size).fold(0.0, f32::max);
        let right = self.align == Align::Right || (self.align == Align::Start && from_the_right(&self.text()));
        lines.iter().map(|atoms| self.line(atoms, width, size, right)).collect()
    }

    /// The lines one below the other.
    pub fn galley(&self, faces: &Faces<'_>, width: f32) -> Galley {
        Galley { width, ..Galley::stack(self.lines(faces, width)) }
    }

    fn text(&self) -> String {
        self.spans.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// The text cut at every place where something changes; words wider than the line are cut into letters.
    fn atoms(&self, faces: &Faces<'_>, line: f32) -> Vec<Atom> {
        let text = self.text();
        let places = breaks(&text);
        let levels = levels(&text, self.align == Align::Start && from_the_right(&text));
        let mut atoms = Vec::new();
        let mut at = 0;
        for (span, style) in &self.spans {
            let mut start = at;
            for (offset, letter) in span.char_indices() {
                let (here, next) = (at + offset, at + offset + letter.len_utf8());
                let ends = next == at + span.len()
                    || places.binary_search(&next).is_ok()
                    || levels[here] != levels[next]
                    || text[next..].chars().next().is_some_and(|after| is_space(after) != is_space(letter));
                if ends {
                    let opens = places.binary_search(&start).is_ok();
                    cut(faces, &text, start..next, *style, levels[start], opens, &mut atoms);
                    start = next;
                }
            }
            at += span.len();
        }
        let mut fitting = Vec::new();
        for word in atoms.chunk_by(|_, next| !next.opens) {
            if word.iter().filter(|atom| !atom.space).map(|atom| atom.width).sum::<f32>() <= line {
                fitting.extend(word.iter().cloned());
                continue;
            }
            for atom in word {
                for (offset, grapheme) in text[atom.from..atom.to].grapheme_indices(true) {
                    let from = atom.from + offset;
                    cut(faces, &text, from..from + grapheme.len(), atom.style, atom.level, !atom.space, &mut fitting);
                }
            }
        }
        fitting
    }

    fn line(&self, atoms: &[Atom], room: f32, size: f32, right: bool) -> Galley {
        let mut line = Galley::new(room, self.leading);
        let ends = atoms.iter().rposition(|atom| !atom.space).map_or(0, |at| at + 1);
        let atoms = reordered(&atoms[..ends]);
        let used: f32 = atoms.iter().map(|atom| atom.width).sum();
        let mut x = match self.align {
            Align::Centre => (room - used) / 2.0,
            _ if right => room - used,
            _ => 0.0,
        };
        let y = self.leading / 2.0 + size * 0.36;
        let same =
            |one: &&Atom, next: &&Atom| one.face == next.face && one.style == next.style && one.level == next.level;
        let mut runs = Vec::new();
        let mut over = Vec::new();
        for atoms in atoms.chunk_by(same) {
            let Some(Atom { face, style, .. }) = atoms.first().copied() else { continue };
            let width: f32 = atoms.iter().map(|atom| atom.width).sum();
            match style.mark {
                Mark::None => {}
                Mark::Unavailable => {
                    line.fill(x, y - style.size * 0.9, width, style.size * 1.18, [0xfb, 0xe3, 0xd6]);
                    over.push((x, y - style.size * 0.26, width, WORSE));
                }
                Mark::Added => {
                    line.fill(x, y - style.size * 0.9, width, style.size * 1.18, [0xd8, 0xeb, 0xf8]);
                    over.push((x, y + style.size * 0.16, width, BETTER));
                }
            }
            if let Some(section) = style.link {
                line.ops.push(Op::Link([x, y - style.size, width, style.size * 1.3], section));
            }
            let glyphs = atoms.iter().flat_map(|atom| atom.glyphs.iter().cloned()).collect();
            let Style { size, colour, .. } = *style;
            runs.push(Op::Run(Run { x, y, face: *face, size, colour, glyphs, upright: false, halo: None }));
            x += width;
        }
        line.ops.extend(runs);
        for (x, y, width, colour) in over {
            line.line((x, y), (x + width, y), colour, 0.8);
        }
        line
    }
}

fn cut(
    faces: &Faces<'_>,
    text: &str,
    range: std::ops::Range<usize>,
    style: Style,
    level: Level,
    opens: bool,
    atoms: &mut Vec<Atom>,
) {
    let start = range.start;
    let mut from = start;
    for (face, part) in faces.split(style.face, &text[range]) {
        let glyphs = faces.shape(face, part, level.is_rtl());
        let width = width(&glyphs) / 1000.0 * style.size;
        let space = part.chars().all(is_space);
        let to = from + part.len();
        atoms.push(Atom { from, to, face, style, level, glyphs, width, space, opens: opens && from == start });
        from = to;
    }
}

/// The direction of every byte, and of the end.
fn levels(text: &str, from_right: bool) -> Vec<Level> {
    let base = if from_right { Level::rtl() } else { Level::ltr() };
    if !from_right && !text.chars().any(is_right_to_left) {
        return vec![base; text.len() + 1];
    }
    let mut levels = BidiInfo::new(text, Some(base)).levels;
    levels.push(base);
    levels
}

/// The atoms of a line from left to right.
fn reordered(atoms: &[Atom]) -> Vec<&Atom> {
    let mut order: Vec<&Atom> = atoms.iter().collect();
    let highest = atoms.iter().map(|atom| atom.level.number()).max().unwrap_or(0);
    for level in (1..=highest).rev() {
        let mut at = 0;
        while at < order.len() {
            let end = order[at..].iter().position(|atom| atom.level.number() < level).map_or(order.len(), |to| at + to);
            order[at..end].reverse();
            at = end + 1;
        }
    }
    order
}
