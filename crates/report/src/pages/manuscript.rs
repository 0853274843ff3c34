//! The report in the language of Typst: calls of the functions in `report.typ` with strings, so that no text from outside
//! is ever read as Typst.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::charts::{ChartTable, HALO, WIDE};
use crate::document::{Bit, Block, Change, Document, Figure, Piece, Section, Words};

/// Letters of a word that may be broken anywhere, lest it run into the next column.
const LONG_WORD: usize = 24;
/// Letters kept of one text; what is longer belongs in the HTML.
const LONGEST: usize = 400;
/// Rows kept of one table.
const ROWS: usize = 60;

/// A document for Typst, and the pictures it names.
pub struct Manuscript {
    pub source: String,
    pub pictures: BTreeMap<String, String>,
    /// Where the head of the report ends in the source.
    head: usize,
}

/// Writes a report for Typst.
pub fn manuscript(document: &Document) -> Manuscript {
    let mut writer = Manuscript { source: include_str!("report.typ").to_owned(), pictures: BTreeMap::new(), head: 0 };
    writer.document(document);
    writer
}

impl Manuscript {
    /// A remark before the first section, where it is read before it is needed.
    pub fn note(&mut self, text: &str) {
        self.source.insert_str(self.head, &format!("#text(8.5pt, fill: muted, {})\n", literal(text)));
    }

    fn document(&mut self, document: &Document) {
        let title = literal(&format!("{}: {}", document.headline, document.subtitle.plain()));
        let _ = writeln!(self.source, "\n#set document(title: {title})");
        let (brand, headline) = (literal(&format!("Fissure · {}", document.title)), literal(&document.headline));
        let _ = writeln!(self.source, "#title-block({brand}, {headline}, {})", words(&document.subtitle));
        let facts: Vec<String> = (document.facts.iter())
            .map(|fact| format!("({}, {}, {})", literal(&fact.name), literal(&fact.value), literal(&fact.note)))
            .collect();
        let _ = writeln!(self.source, "#facts({})", facts.join(", "));
        self.head = self.source.len();
        for section in &document.sections {
            self.section(section);
        }
    }

    fn section(&mut self, section: &Section) {
        let _ = writeln!(self.source, "#heading({})", literal(&section.title));
        for block in &section.blocks {
            match block {
                Block::Words(text) => {
                    let _ = writeln!(self.source, "#lead({})", words(text));
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
                let svg = svg.replace(HALO, "");
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
        let cells: Vec<String> = table.rows.iter().take(ROWS).flatten().map(|cell| literal(&soft(cell))).collect();
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
                    before.push(literal(&soft(text)));
                    after.push(literal(&soft(text)));
                }
                Bit::Changed { old, new } => {
                    if !old.is_empty() {
                        before.push(format!("gone({})", literal(&soft(old))));
                    }
                    if !new.is_empty() {
                        after.push(format!("added({})", literal(&soft(new))));
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
        let text = |(name, text): &(String, String)| format!("({}, {}),", literal(name), literal(&soft(text)));
        let beside: String = change.beside.iter().map(text).collect();
        let way = if from_the_right(&change.bits) { "rtl" } else { "ltr" };
        let _ = writeln!(
            self.source,
            "#change({title}, ({beside}), {before_head}, {before}, {after_head}, {after}, {way})"
        );
    }
}

/// Whether a text is read from right to left: its first letter says so.
fn from_the_right(bits: &[Bit]) -> bool {
    let texts = bits.iter().flat_map(|bit| match bit {
        Bit::Same(text) => [text.as_str(), ""],
        Bit::Changed { old, new } => [old.as_str(), new.as_str()],
        Bit::Cut => ["", ""],
    });
    let letter = texts.flat_map(str::chars).find(|letter| letter.is_alphabetic());
    // Hebrew, Arabic and their neighbours.
    letter.is_some_and(|letter| matches!(letter as u32, 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF))
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

/// The text with places to break inside very long words: after signs that part names and addresses, and now and then.
fn soft(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        if word.chars().nth(LONG_WORD).is_none() {
            return word.to_owned();
        }
        let mut parts = String::new();
        let mut since = 0;
        for grapheme in word.graphemes(true) {
            parts.push_str(grapheme);
            since += 1;
            if since >= LONG_WORD || (since > 2 && matches!(grapheme, "_" | "/" | "-" | "=" | "," | "." | "&")) {
                parts.push('\u{200B}');
                since = 0;
            }
        }
        parts
    });
    words.collect::<Vec<_>>().join(" ")
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
    fn a_remark_stands_before_the_first_section() {
        let document = Document {
            title: "Report".into(),
            subtitle: Words::new(),
            headline: "Cracks".into(),
            facts: Vec::new(),
            sections: vec![Section::new("first", "First")],
        };
        let mut manuscript = manuscript(&document);
        manuscript.note("boxes");
        let place = |text: &str| manuscript.source.find(text).unwrap();
        assert!(place("#facts(") < place("\"boxes\"") && place("\"boxes\"") < place("#heading(\"First\")"));
    }

    #[test]
    fn no_text_ends_its_string() {
        assert_eq!(literal("a \"b\" \\ #x\n$y$"), r##""a \"b\" \\ #x $y$""##);
        assert_eq!(literal(&"é".repeat(500)).chars().count(), LONGEST + 3);
    }

    #[test]
    fn long_words_may_be_broken() {
        let marked = "a reviews_\u{200B}of_\u{200B}the_\u{200B}last_\u{200B}ten_\u{200B}years (x)";
        assert_eq!(soft("a reviews_of_the_last_ten_years (x)"), marked);
        assert_eq!(soft("short_words stay"), "short_words stay");
        assert_eq!(soft(&"é".repeat(30)), format!("{}\u{200B}{}", "é".repeat(24), "é".repeat(6)));
    }

    #[test]
    fn the_first_letter_says_where_a_text_begins() {
        let same = |text: &str| Bit::Same(text.to_owned());
        let changed = Bit::Changed { old: String::new(), new: "سلام".to_owned() };
        assert!(from_the_right(&[same("1. שלום all")]) && from_the_right(&[Bit::Cut, changed]));
        assert!(!from_the_right(&[same("so שלום")]) && !from_the_right(&[same("!")]) && !from_the_right(&[]));
    }
}
