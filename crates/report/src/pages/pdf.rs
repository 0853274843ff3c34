//! The report as PDF, set by ourselves: text shaped and broken into lines, tables, our charts, the outline. Typefaces are
//! inside the program; no outside program, no network, no clock.

mod blocks;
mod breaks;
mod change;
mod content;
mod faces;
mod file;
mod flow;
mod font;
mod galley;
mod paragraph;
mod picture;
mod table;
mod tags;

use self::blocks::{blocks, foot, remark};
use self::faces::Faces;
use self::flow::{FOOT, Pages, paginate};
pub use self::font::Font;
use crate::document::Document;

/// Why there is no PDF: never the user's doing.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    #[error(
        "the typeface {0} inside this program is damaged; the other formats do not need it (`--format html,tex,json`)"
    )]
    Face(String),
}

/// The bytes of the PDF, with a font for the letters that those inside the program lack.
pub fn pdf(document: &Document, font: Option<&Font>) -> Result<Vec<u8>, PdfError> {
    let faces = Faces::open(font)?;
    let pages = set(&faces, document);
    file::write(&faces, &pages, &format!("{}: {}", document.headline, document.subtitle.plain()))
}

/// The document on its pages.
fn set(faces: &Faces<'_>, document: &Document) -> Pages {
    let (mut items, head) = blocks(faces, document);
    if faces.lack_letters() {
        let words = "Some letters of the texts are not in the fonts of this file and show as boxes; --font FILE gives one \
                     that has them, and the HTML page has them all.";
        items.insert(head, remark(faces, words));
    }
    let mut pages = paginate(&items);
    let count = pages.pages.len();
    for (number, page) in pages.pages.iter_mut().enumerate() {
        let ops = foot(faces, number, count).ops;
        page.extend(ops.into_iter().map(|op| op.moved(FOOT.0, FOOT.1)));
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::galley::Op;
    use super::*;
    use crate::document::{Section, Words};

    fn report(words: &str) -> Document {
        Document {
            title: "Report".into(),
            subtitle: Words::new(),
            headline: "Cracks".into(),
            facts: Vec::new(),
            sections: vec![
                Section::new("first", "First words").words(words.into()),
                Section::new("second", "Second words").words("more".into()),
            ],
        }
    }

    /// The letters of a page in the order in which they are drawn.
    fn letters(page: &[Op]) -> String {
        let runs = page.iter().filter_map(|op| if let Op::Run(run) = op { Some(run) } else { None });
        runs.flat_map(|run| run.glyphs.iter().map(|glyph| glyph.letters.as_str())).collect()
    }

    #[test]
    fn a_remark_on_missing_letters_stands_before_the_first_section() {
        let pages = set(&Faces::open(None).unwrap(), &report("日本語"));
        let text = letters(&pages.pages[0]);
        let remark = text.find("Some letters of the texts").unwrap();
        assert!(text.find("Cracks").unwrap() < remark && remark < text.rfind("First words").unwrap(), "{text}");
        let pages = set(&Faces::open(None).unwrap(), &report("naïve Ж ש → −5"));
        assert!(!letters(&pages.pages[0]).contains("Some letters"));
    }

    #[test]
    fn every_section_can_be_reached() {
        let faces = Faces::open(None).unwrap();
        let pages = set(&faces, &report(&"word ".repeat(70)));
        let links = pages.pages[0].iter().filter_map(|op| if let Op::Link(_, to) = op { Some(*to) } else { None });
        assert_eq!(links.collect::<Vec<_>>(), ["first", "second"]);
        assert_eq!(pages.places.iter().map(|place| place.id).collect::<Vec<_>>(), ["first", "second"]);
        let bytes = pdf(&report("words"), None).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        for expected in ["/Outlines", "/Subtype/Link", "/StructTreeRoot", "/Lang", "(Second words)"] {
            assert!(holds(expected) || holds(&expected.replace("/Subtype/", "/Subtype /")), "{expected}");
        }
    }

    #[test]
    fn pages_are_numbered() {
        let long = report(&"word ".repeat(70));
        let many = Document { sections: long.sections.iter().cycle().take(40).cloned().collect(), ..long };
        let pages = set(&Faces::open(None).unwrap(), &many).pages;
        assert!(pages.len() > 2);
        for (at, page) in pages.iter().enumerate() {
            assert!(letters(page).ends_with(&format!("{} / {}", at + 1, pages.len())));
        }
    }
}
