//! The report as PDF, by Typst as a library: its own fonts, no outside program, no network, no clock.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt as _, World};
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use crate::charts::{ChartTable, WIDE};
use crate::document::{Bit, Block, Change, Document, Figure, Piece, Section, Words};

/// Letters kept of one text; what is longer belongs in the HTML.
const LONGEST: usize = 400;
/// Rows kept of one table.
const ROWS: usize = 60;

/// Why there is no PDF: never the user's doing.
#[derive(Debug, thiserror::Error)]
#[error("Typst could not set the report: {0}; the other formats do not need it (`--format html,tex,json`)")]
pub struct PdfError(String);

/// The bytes of the PDF.
pub fn pdf(document: &Document) -> Result<Vec<u8>, PdfError> {
    let fonts: Vec<Font> = typst_assets::fonts().flat_map(|data| Font::iter(Bytes::new(data))).collect();
    let mut writer = Writer { source: include_str!("report.typ").to_owned(), pictures: BTreeMap::new() };
    writer.document(document);
    if lacks_letters(&writer.source, &fonts) {
        let note =
            "Some letters of the texts are not in the fonts of this file and show as boxes; report.html has them all.";
        let _ = writeln!(writer.source, "#text(8.5pt, fill: muted, {})", literal(note));
    }
    let desk = Desk {
        library: LazyHash::new(Library::default()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
        main: Source::new(place("main.typ")?, writer.source),
        pictures: writer
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

/// Writes the document as calls of the functions in `report.typ`.
struct Writer {
    source: String,
    pictures: BTreeMap<String, String>,
}

impl Writer {
    fn document(&mut self, document: &Document) {
        let title = literal(&format!("{}: {}", document.headline, document.subtitle.plain()));
        let _ = writeln!(self.source, "\n#set document(title: {title})");
        let (brand, headline) = (literal(&format!("Fissure · {}", document.title)), literal(&document.headline));
        let _ = writeln!(self.source, "#title-block({brand}, {headline}, {})", words(&document.subtitle));
        let facts: Vec<String> = (document.facts.iter())
            .map(|fact| format!("({}, {}, {})", literal(&fact.name), literal(&fact.value), literal(&fact.note)))
            .collect();
        let _ = writeln!(self.source, "#facts({})", facts.join(", "));
        for section in &document.sections {
            self.section(section);
        }
    }

    fn section(&mut self, section: &Section) {
        let _ = writeln!(self.source, "#heading({})", literal(&section.title));
        for block in &section.blocks {
            match block {
                Block::Words(text) => {
                    let _ = writeln!(self.source, "#par({})", words(text));
                }
                Block::Figures(figures) => self.figures(figures),
                Block::Table(table) => self.table(table),
                Block::Changes(changes) => changes.iter().for_each(|change| self.change(change)),
                Block::Pairs(pairs) => {
                    let rows: Vec<String> =
                        pairs.iter().map(|(name, value)| format!("({}, {})", literal(name), words(value))).collect();
                    let _ = writeln!(self.source, "#pairs({})", rows.join(", "));
                }
                Block::Commands(commands) => {
                    for (why, command) in commands {
                        let _ = writeln!(self.source, "#command({}, {})", words(why), literal(command));
                    }
                }
            }
        }
    }

    /// One chart as wide as the page; several beside each other.
    fn figures(&mut self, figures: &[Figure]) {
        let calls: Vec<String> = figures
            .iter()
            .map(|figure| {
                let name = format!("chart-{}.svg", self.pictures.len());
                let width = if figures.len() > 1 {
                    "100%".to_owned()
                } else {
                    format!("{:.0}%", figure.wide.width.min(WIDE) / WIDE * 100.0)
                };
                // Typst has a serif face of its own, and no sans-serif one.
                let svg = figure.wide.svg.replacen("system-ui, Helvetica, Arial, sans-serif", "Libertinus Serif", 1);
                self.pictures.insert(name.clone(), svg);
                format!("picture({}, {width}, {})", literal(&name), literal(&figure.caption.plain()))
            })
            .collect();
        let columns = calls.len().min(2);
        let _ = writeln!(self.source, "#grid(columns: (1fr,) * {columns}, gutter: 1.2em, {})", calls.join(", "));
    }

    fn table(&mut self, table: &ChartTable) {
        let numeric = table.numeric();
        let column = |(at, numeric): (usize, &bool)| if at > 0 && !*numeric { "1fr" } else { "auto" };
        let columns: Vec<&str> = numeric.iter().enumerate().map(column).collect();
        let align: Vec<&str> = numeric.iter().map(|numeric| if *numeric { "right" } else { "left" }).collect();
        let head: Vec<String> = table.head.iter().map(|name| literal(name)).collect();
        let cells: Vec<String> = table.rows.iter().take(ROWS).flatten().map(|cell| literal(cell)).collect();
        let more = table.rows.len().saturating_sub(ROWS);
        let caption = if more > 0 {
            format!("{} (the first {ROWS}; {more} more in report.html)", table.caption)
        } else {
            table.caption.clone()
        };
        let _ = writeln!(
            self.source,
            "#numbers({}, ({},), ({},), ({},), {})",
            literal(&caption),
            columns.join(", "),
            align.join(", "),
            head.join(", "),
            cells.join(", ")
        );
    }

    fn change(&mut self, change: &Change) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for bit in &change.bits {
            match bit {
                Bit::Same(text) => {
                    before.push(literal(text));
                    after.push(literal(text));
                }
                Bit::Changed { old, new } => {
                    if !old.is_empty() {
                        before.push(format!("gone({})", literal(old)));
                    }
                    if !new.is_empty() {
                        after.push(format!("added({})", literal(new)));
                    }
                }
                Bit::Cut => {
                    before.push(literal(" … "));
                    after.push(literal(" … "));
                }
            }
        }
        let (title, before_head, after_head) = (words(&change.title), words(&change.before), words(&change.after));
        let (before, after) = (join(&before), join(&after));
        let _ = writeln!(self.source, "#change({title}, {before_head}, {before}, {after_head}, {after})");
    }
}

fn words(words: &Words) -> String {
    let pieces: Vec<String> = words
        .0
        .iter()
        .map(|piece| match piece {
            Piece::Plain(text) => literal(text),
            Piece::Strong(text) => format!("strong({})", literal(text)),
            Piece::Code(text) => format!("raw({})", literal(text)),
        })
        .collect();
    join(&pieces)
}

/// Pieces one after the other, as one thing.
fn join(pieces: &[String]) -> String {
    format!("{{ []; {} }}", pieces.join("; "))
}

/// A string of Typst: on one line, shortened, nothing in it can end it.
fn literal(text: &str) -> String {
    let mut safe = String::from("\"");
    for (at, letter) in text.chars().enumerate() {
        match letter {
            _ if at >= LONGEST => {
                safe.push('…');
                break;
            }
            '\\' => safe.push_str("\\\\"),
            '"' => safe.push_str("\\\""),
            letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe.push('"');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_string() {
        assert_eq!(literal("a \"b\" \\ #x\n$y$"), r##""a \"b\" \\ #x $y$""##);
        assert_eq!(literal(&"é".repeat(500)).chars().count(), LONGEST + 3);
    }
}
