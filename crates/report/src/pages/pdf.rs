//! The report as PDF, by Typst as a library: its own fonts, no outside program, no network, no clock.

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World};
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use super::manuscript::manuscript;
use crate::document::Document;

/// Why there is no PDF: never the user's doing.
#[derive(Debug, thiserror::Error)]
#[error("Typst could not set the report: {0}; the other formats do not need it (`--format html,tex,json`)")]
pub struct PdfError(String);

/// The bytes of the PDF.
pub fn pdf(document: &Document) -> Result<Vec<u8>, PdfError> {
    let fonts: Vec<Font> = typst_assets::fonts().flat_map(|data| Font::iter(Bytes::new(data))).collect();
    let mut manuscript = manuscript(document);
    if lacks_letters(&manuscript.source, &fonts) {
        manuscript.note(
            "Some letters of the texts are not in the fonts of this file and show as boxes; the HTML page has them all.",
        );
    }
    let desk = Desk {
        library: LazyHash::new(Library::default()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
        main: Source::new(place("main.typ")?, manuscript.source),
        pictures: manuscript
            .pictures
            .into_iter()
            .map(|(name, svg)| Ok((place(&name)?, Bytes::from_string(svg))))
            .collect::<Result<_, PdfError>>()?,
    };
    let set: PagedDocument = typst::compile(&desk).output.map_err(|faults| fault(&faults))?;
    let options = PdfOptions { creator: Smart::Custom(Some("Fissure".into())), ..PdfOptions::default() };
    typst_pdf::pdf(&set, &options).map_err(|faults| fault(&faults))
}

fn fault(faults: &[SourceDiagnostic]) -> PdfError {
    PdfError(faults.iter().map(|fault| fault.message.to_string()).collect::<Vec<_>>().join("; "))
}

fn place(name: &str) -> Result<FileId, PdfError> {
    let path = VirtualPath::new(name).map_err(|_| PdfError(format!("no such place as {name}")))?;
    Ok(FileId::new(RootedPath::new(VirtualRoot::Project, path)))
}

/// Whether some letter of the texts is in none of the fonts.
fn lacks_letters(source: &str, fonts: &[Font]) -> bool {
    let mut letters: Vec<char> =
        source.chars().filter(|letter| !letter.is_ascii() && !letter.is_whitespace()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.iter().any(|&letter| !fonts.iter().any(|font| font.info().coverage.contains(letter as u32)))
}

/// All that Typst may see.
struct Desk {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    main: Source,
    pictures: Vec<(FileId, Bytes)>,
}

impl World for Desk {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.main.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.main.id() { Ok(self.main.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let picture = self.pictures.iter().find(|(place, _)| *place == id);
        picture.map(|(_, svg)| svg.clone()).ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
