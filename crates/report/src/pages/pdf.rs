//! The report as PDF, set by ourselves: text shaped and broken into lines, tables, our charts, the outline. Typefaces are
//! inside the program; no outside program, no network, no clock.

mod blocks;
mod breaks;
mod change;
mod content;
mod faces;
mod file;
mod flow;
mod galley;
mod paragraph;
mod picture;
mod table;
mod tags;

use self::blocks::{blocks, foot, remark};
use self::faces::Faces;
use self::flow::{FOOT, paginate};
use crate::document::Document;

/// Why there is no PDF: never the user's doing.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    #[error(
        "the typeface {0} inside this program is damaged; the other formats do not need it (`--format html,tex,json`)"
    )]
    Face(&'static str),
}

/// The bytes of the PDF.
pub fn pdf(document: &Document) -> Result<Vec<u8>, PdfError> {
    let faces = Faces::open()?;
    let (mut items, head) = blocks(&faces, document);
    if faces.lack_letters() {
        let words = "Some letters of the texts are not in the fonts of this file and show as boxes; the HTML page has them all.";
        items.insert(head, remark(&faces, words));
    }
    let mut pages = paginate(items);
    let count = pages.pages.len();
    for (number, page) in pages.pages.iter_mut().enumerate() {
        let ops = foot(&faces, number, count).ops;
        page.extend(ops.into_iter().map(|op| op.moved(FOOT.0, FOOT.1)));
    }
    file::write(&faces, &pages, &format!("{}: {}", document.headline, document.subtitle.plain()))
}
