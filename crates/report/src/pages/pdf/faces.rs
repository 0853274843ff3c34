//! The typefaces of the PDF, which are inside the program: which of them has a letter, and text turned into glyphs.

use std::cell::Cell;

use rustybuzz::ttf_parser::GlyphId;
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_segmentation::UnicodeSegmentation as _;

use super::PdfError;

/// A typeface by its use. `Symbols` has the scripts and signs that the others lack, and is never asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    Sans,
    Strong,
    Mono,
    Symbols,
}

impl Face {
    pub const ALL: [Self; 4] = [Self::Sans, Self::Strong, Self::Mono, Self::Symbols];

    /// The name in the file.
    pub fn name(self) -> &'static str {
        ["NotoSans-Regular", "NotoSans-SemiBold", "NotoSansMono-Regular", "DejaVuSans"][self as usize]
    }

    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Sans => include_bytes!("../../../fonts/sans.ttf"),
            Self::Strong => include_bytes!("../../../fonts/strong.ttf"),
            Self::Mono => include_bytes!("../../../fonts/mono.ttf"),
            Self::Symbols => include_bytes!("../../../fonts/symbols.ttf"),
        }
    }

    /// Where to look for a letter, in order.
    fn order(self) -> [Self; 3] {
        match self {
            Self::Mono => [Self::Mono, Self::Sans, Self::Symbols],
            asked => [asked, Self::Mono, Self::Symbols],
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
    /// The letters it stands for, for those who search or copy; empty where the glyph before has them.
    pub letters: String,
}

/// All typefaces, opened.
pub struct Faces {
    faces: Vec<rustybuzz::Face<'static>>,
    lacking: Cell<bool>,
}

impl Faces {
    pub fn open() -> Result<Self, PdfError> {
        let open = |face: Face| rustybuzz::Face::from_slice(face.bytes(), 0).ok_or(PdfError::Face(face.name()));
        Ok(Self { faces: Face::ALL.into_iter().map(open).collect::<Result<_, _>>()?, lacking: Cell::new(false) })
    }

    pub fn face(&self, face: Face) -> &rustybuzz::Face<'static> {
        &self.faces[face as usize]
    }

    /// Whether some letter shaped so far is in no typeface.
    pub fn lack_letters(&self) -> bool {
        self.lacking.get()
    }

    fn covers(&self, face: Face, letter: char) -> bool {
        self.face(face).glyph_index(letter).is_some()
    }

    /// The text in stretches of one typeface each; a letter stays together with its accents.
    pub fn split<'t>(&self, asked: Face, text: &'t str) -> Vec<(Face, &'t str)> {
        let mut parts: Vec<(Face, usize)> = Vec::new();
        for (at, grapheme) in text.grapheme_indices(true) {
            let whole = |face: &Face| grapheme.chars().all(|letter| self.covers(*face, letter));
            let first = |face: &Face| grapheme.chars().next().is_some_and(|letter| self.covers(*face, letter));
            let order = asked.order();
            let face = order.into_iter().find(whole).or_else(|| order.into_iter().find(first)).unwrap_or(asked);
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
        let shaped = rustybuzz::shape(self.face(face), &[], buffer);
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

    /// The width of a glyph as the file states it.
    pub fn width(&self, face: Face, glyph: u16) -> f32 {
        let face = self.face(face);
        f32::from(face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0)) * 1000.0 / face.units_per_em() as f32
    }
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
        let faces = Faces::open().unwrap();
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
        let faces = Faces::open().unwrap();
        let read = |face, text: &str, from_right| -> String {
            faces.shape(face, text, from_right).into_iter().map(|glyph| glyph.letters).collect()
        };
        assert_eq!(read(Face::Sans, "office naïve e\u{301}", false), "office naïve e\u{301}");
        assert_eq!(read(Face::Symbols, "שלום", true), "םולש");
    }

    #[test]
    fn arabic_letters_join() {
        let faces = Faces::open().unwrap();
        let alone = faces.shape(Face::Symbols, "\u{628}", true)[0].id;
        let joined = faces.shape(Face::Symbols, "\u{628}\u{628}\u{628}", true);
        assert!(joined.iter().all(|glyph| glyph.id != alone));
    }
}
