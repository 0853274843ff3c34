//! The typefaces of the PDF, which are inside the program, and one of the user's: which of them has a letter, and text
//! turned into glyphs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustybuzz::ttf_parser::GlyphId;
use rustybuzz::{Direction, Script, ShapePlan, UnicodeBuffer, script};
use unicode_segmentation::UnicodeSegmentation as _;

use super::PdfError;
use super::breaks::is_wide;
use super::font::Font;

/// A typeface by its use. `Symbols` has the scripts and signs that the others lack, `Given` is the user's and has what
/// `Symbols` lacks; neither is asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    Sans,
    Strong,
    Mono,
    Symbols,
    Given,
}

/// The typefaces inside the program, with their names and bytes.
const OWN: [(&str, &[u8]); 4] = [
    ("NotoSans-Regular", include_bytes!("../../../fonts/sans.ttf")),
    ("NotoSans-SemiBold", include_bytes!("../../../fonts/strong.ttf")),
    ("NotoSansMono-Regular", include_bytes!("../../../fonts/mono.ttf")),
    ("DejaVuSans", include_bytes!("../../../fonts/symbols.ttf")),
];

impl Face {
    /// Where to look for a letter, in order.
    fn order(self) -> [Self; 4] {
        match self {
            Self::Mono => [Self::Mono, Self::Sans, Self::Symbols, Self::Given],
            asked => [asked, Self::Mono, Self::Symbols, Self::Given],
        }
    }
}

/// One glyph where it stands. Lengths are thousandths of the type size.
#[derive(Debug, Clone, PartialEq)]
pub struct Glyph {
    pub id: u16,
    pub advance: f32,
    pub dx: f32,
    pub dy: f32,
    /// The letters it stands for, for those who search or copy; empty if the glyph before has them.
    pub letters: String,
}

/// All typefaces, opened.
pub struct Faces<'f> {
    faces: Vec<Open<'f>>,
    lacking: Cell<bool>,
    /// Which rules of a typeface a script needs, from left or from right: to work that out takes longer than to shape a line by them.
    plans: RefCell<Vec<(Rules, Rc<ShapePlan>)>>,
}

/// What rules are for: a typeface, whether the text runs from the right, and its script.
type Rules = (Face, bool, Script);

/// A typeface with its file.
pub struct Open<'f> {
    /// The name in the PDF.
    pub name: &'f str,
    pub bytes: &'f [u8],
    /// Which face of the file it is.
    pub index: u32,
    face: rustybuzz::Face<'f>,
}

impl<'f> Faces<'f> {
    /// Those inside the program, and the user's own behind them.
    pub fn open(font: Option<&'f Font>) -> Result<Self, PdfError> {
        let own = OWN.into_iter().map(|(name, bytes)| (name, bytes, 0));
        let given = font.map(|font| (font.name.as_str(), font.bytes.as_slice(), font.index));
        let open = |(name, bytes, index): (&'f str, &'f [u8], u32)| {
            let face = rustybuzz::Face::from_slice(bytes, index).ok_or_else(|| PdfError::Face(name.to_owned()))?;
            Ok(Open { name, bytes, index, face })
        };
        Ok(Self {
            faces: own.chain(given).map(open).collect::<Result<_, _>>()?,
            lacking: Cell::new(false),
            plans: RefCell::default(),
        })
    }

    /// A typeface that text was shaped in. Without one of the user's, that is never asked for.
    pub fn opened(&self, face: Face) -> &Open<'f> {
        &self.faces[(face as usize).min(self.faces.len() - 1)]
    }

    pub fn face(&self, face: Face) -> &rustybuzz::Face<'f> {
        &self.opened(face).face
    }

    fn has(&self, face: Face) -> bool {
        (face as usize) < self.faces.len()
    }

    /// Whether some letter shaped so far is in no typeface.
    pub fn lack_letters(&self) -> bool {
        self.lacking.get()
    }

    fn covers(&self, face: Face, letter: char) -> bool {
        self.has(face) && self.face(face).glyph_index(letter).is_some()
    }

    /// The text in stretches of one typeface each; a letter stays together with its accents.
    pub fn split<'t>(&self, asked: Face, text: &'t str) -> Vec<(Face, &'t str)> {
        let mut parts: Vec<(Face, usize)> = Vec::new();
        let mut before = None;
        for (at, grapheme) in text.grapheme_indices(true) {
            // Quotes and dashes are as wide as a character in a Chinese text, and in no other.
            let after = text[at + grapheme.len()..].chars().next();
            let among_wide = is_shared_mark(grapheme) && (before.is_some_and(is_wide) || after.is_some_and(is_wide));
            before = grapheme.chars().next_back();
            let whole = |face: &Face| grapheme.chars().all(|letter| self.covers(*face, letter));
            let first = |face: &Face| grapheme.chars().next().is_some_and(|letter| self.covers(*face, letter));
            let order = asked.order();
            let given = Some(Face::Given).filter(|given| among_wide && whole(given));
            let found = given.or_else(|| order.into_iter().find(whole)).or_else(|| order.into_iter().find(first));
            let face = found.unwrap_or(asked);
            if parts.last().is_none_or(|(last, _)| *last != face) {
                parts.push((face, at));
            }
        }
        let ends = parts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]).collect::<Vec<_>>();
        parts.iter().zip(ends).map(|((face, from), to)| (*face, &text[*from..to])).collect()
    }

    /// The glyphs of a text in one typeface and one direction, from left to right.
    pub fn shape(&self, face: Face, text: &str, from_right: bool) -> Vec<Glyph> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.set_direction(if from_right { Direction::RightToLeft } else { Direction::LeftToRight });
        buffer.guess_segment_properties();
        let plan = self.plan((face, from_right, buffer.script()));
        let shaped = rustybuzz::shape_with_plan(self.face(face), &plan, buffer);
        let scale = 1000.0 / self.face(face).units_per_em() as f32;
        let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut said = None;
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).map(|(info, position)| {
            let id = u16::try_from(info.glyph_id).unwrap_or(0);
            if id == 0 {
                self.lacking.set(true);
            }
            let from = info.cluster as usize;
            let to = starts.get(starts.partition_point(|start| *start <= from)).copied().unwrap_or(text.len());
            let letters = if said == Some(from) { "" } else { text.get(from..to).unwrap_or_default() };
            said = Some(from);
            Glyph {
                id,
                advance: position.x_advance as f32 * scale,
                dx: position.x_offset as f32 * scale,
                dy: position.y_offset as f32 * scale,
                letters: letters.to_owned(),
            }
        });
        glyphs.collect()
    }

    fn plan(&self, rules: Rules) -> Rc<ShapePlan> {
        if let Some((_, plan)) = self.plans.borrow().iter().find(|(known, _)| *known == rules) {
            return Rc::clone(plan);
        }
        let (face, from_right, script) = rules;
        let direction = if from_right { Direction::RightToLeft } else { Direction::LeftToRight };
        // A text of signs that all scripts share has none.
        let script = (script != script::UNKNOWN).then_some(script);
        let plan = Rc::new(ShapePlan::new(self.face(face), direction, script, None, &[]));
        self.plans.borrow_mut().push((rules, Rc::clone(&plan)));
        plan
    }

    /// The width of a glyph as the file states it.
    pub fn width(&self, face: Face, glyph: u16) -> f32 {
        let face = self.face(face);
        f32::from(face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0)) * 1000.0 / face.units_per_em() as f32
    }
}

/// Marks that Latin and Chinese texts share.
fn is_shared_mark(grapheme: &str) -> bool {
    matches!(grapheme, "\u{201c}" | "\u{201d}" | "\u{2018}" | "\u{2019}" | "\u{2026}" | "\u{2014}" | "\u{b7}")
}

/// The width of glyphs, in thousandths of the type size.
pub fn width(glyphs: &[Glyph]) -> f32 {
    glyphs.iter().map(|glyph| glyph.advance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_from_the_first_face_that_has_them() {
        let faces = Faces::open(None).unwrap();
        let parts = faces.split(Face::Strong, "é 5−3 →שלום");
        assert_eq!(parts, [(Face::Strong, "é 5"), (Face::Mono, "−"), (Face::Strong, "3 "), (Face::Symbols, "→שלום")]);
        for (face, text) in parts {
            faces.shape(face, text, face == Face::Symbols);
        }
        assert!(!faces.lack_letters());
        assert_eq!(faces.split(Face::Sans, "日"), [(Face::Sans, "日")]);
        faces.shape(Face::Sans, "日", false);
        assert!(faces.lack_letters());
    }

    #[test]
    fn every_letter_can_be_copied_back() {
        let faces = Faces::open(None).unwrap();
        let read = |face, text: &str, from_right| -> String {
            faces.shape(face, text, from_right).into_iter().map(|glyph| glyph.letters).collect()
        };
        assert_eq!(read(Face::Sans, "office naïve e\u{301}", false), "office naïve e\u{301}");
        assert_eq!(read(Face::Symbols, "שלום", true), "םולש");
    }

    #[test]
    fn arabic_letters_join() {
        let faces = Faces::open(None).unwrap();
        let alone = faces.shape(Face::Symbols, "\u{628}", true)[0].id;
        let joined = faces.shape(Face::Symbols, "\u{628}\u{628}\u{628}", true);
        assert!(joined.iter().all(|glyph| glyph.id != alone));
    }
}
