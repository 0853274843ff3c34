//! The document as galleys: the look of the PDF.

use pdf_writer::types::StructRole;

use super::change::change;
use super::faces::{Face, Faces};
use super::flow::{Item, MEASURE};
use super::galley::{BETTER, Galley, INK, MUTED, Op, RULE, Shape, Stroke, rectangle};
use super::paragraph::{Align, Paragraph, Style};
use super::picture::picture;
use super::table::table;
use super::tags::Tag;
use crate::charts::WIDE;
use crate::document::{Block, Document, Fact, Figure, Piece, Section, Words};

const BODY: f32 = 9.4;
const LEADING: f32 = 13.2;
/// Lines of a paragraph that are not parted.
const SHORT: usize = 9;

/// The report's items in order, and how many of them are its head.
pub fn blocks(faces: &Faces<'_>, document: &Document) -> (Vec<Item>, usize) {
    let mut writer = Writer { faces, items: Vec::new(), number: 0 };
    writer.head(document);
    let head = writer.items.len();
    for section in &document.sections {
        writer.section(section);
    }
    (writer.items, head)
}

/// A remark of one paragraph.
pub fn remark(faces: &Faces<'_>, text: &str) -> Item {
    let galley = Paragraph::of(text, Style::new(Face::Sans, 8.5, MUTED)).galley(faces, MEASURE);
    Item::new(galley.tagged(Tag::new(StructRole::P, usize::MAX)), 8.0)
}

struct Writer<'f> {
    faces: &'f Faces<'f>,
    items: Vec<Item>,
    /// The number of the last tag.
    number: usize,
}

impl Writer<'_> {
    fn tag(&mut self, role: StructRole) -> Tag {
        self.number += 1;
        Tag::new(role, self.number)
    }

    fn put(&mut self, paragraph: &Paragraph, role: StructRole, above: f32) {
        let tag = self.tag(role);
        let galley = paragraph.galley(self.faces, MEASURE).tagged(tag);
        self.items.push(Item::new(galley, above).keep(true));
    }

    fn head(&mut self, document: &Document) {
        let brand = format!("Fissure · {}", document.title).to_uppercase();
        self.put(&Paragraph::of(&brand, Style::new(Face::Sans, 7.6, MUTED)), StructRole::P, 0.0);
        let headline = Paragraph::new(24.0).with(&document.headline, Style::strong(17.6));
        self.put(&headline, StructRole::H1, 2.0);
        let subtitle = styled(&document.subtitle, Style::new(Face::Sans, 8.8, MUTED), 12.6);
        self.put(&subtitle, StructRole::P, 3.0);
        if !document.facts.is_empty() {
            let facts = self.facts(&document.facts);
            self.items.push(Item::new(facts, 11.0));
        }
        if document.sections.len() > 1 {
            let contents = self.contents(&document.sections);
            self.items.push(Item::new(contents, 9.0));
        }
    }

    /// The numbers to see first, each in a card.
    fn facts(&mut self, facts: &[Fact]) -> Galley {
        let gap = 6.0;
        let columns = facts.len().clamp(1, 5);
        let wide = (MEASURE + gap) / columns as f32 - gap;
        let mut grid = Galley::new(MEASURE, 0.0);
        for row in facts.chunks(columns) {
            let cards: Vec<Galley> = row.iter().map(|fact| self.card(fact, wide - 14.0)).collect();
            let high = cards.iter().map(|card| card.height).fold(0.0, f32::max) + 12.0;
            let top = if grid.height > 0.0 { grid.height + gap } else { 0.0 };
            for (at, card) in cards.into_iter().enumerate() {
                let x = at as f32 * (wide + gap);
                let stroke = Some(Stroke { colour: RULE, width: 0.8, dash: Vec::new() });
                let steps = rectangle(x, top, wide, high);
                grid.ops.push(Op::Shape(Shape { steps, fill: None, opacity: 100, stroke }));
                grid.put(x + 7.0, top + 6.0, card);
            }
            grid.height = top + high;
        }
        grid
    }

    fn card(&mut self, fact: &Fact, wide: f32) -> Galley {
        let tag = self.tag(StructRole::Div);
        let value = Paragraph::new(21.0).with(&fact.value, Style::strong(15.5));
        let note = |text: &str, size| Paragraph::new(size * 1.32).with(text, Style::new(Face::Sans, size, MUTED));
        let lines = [note(&fact.name, 7.6), value, note(&fact.note, 7.2)];
        let lines = lines.iter().enumerate();
        Galley::stack(lines.map(|(at, line)| line.galley(self.faces, wide).tagged(tag.then(StructRole::P, at))))
    }

    /// The sections in a row, to click on.
    fn contents(&mut self, sections: &[Section]) -> Galley {
        let mut row = Paragraph::new(12.4);
        for (at, section) in sections.iter().enumerate() {
            if at > 0 {
                row = row.with("  ·  ", Style::new(Face::Sans, 8.2, MUTED));
            }
            let link = Style { link: Some(section.id), ..Style::new(Face::Sans, 8.2, BETTER) };
            row = row.with(&section.title.replace(' ', "\u{A0}"), link);
        }
        let tag = self.tag(StructRole::P);
        row.galley(self.faces, MEASURE).tagged(tag)
    }

    fn section(&mut self, section: &Section) {
        self.put(&Paragraph::new(17.0).with(&section.title, Style::strong(12.8)), StructRole::H2, 17.0);
        if let Some(item) = self.items.last_mut() {
            item.section = Some((section.id, section.title.clone()));
        }
        for block in &section.blocks {
            match block {
                Block::Words(words) => self.words(words),
                Block::Figures(figures) => self.figures(figures),
                Block::Table(numbers) => {
                    let tag = self.tag(StructRole::Table);
                    self.items.extend(table(self.faces, numbers, &tag));
                }
                Block::Changes(changes) => {
                    for one in changes {
                        let tag = self.tag(StructRole::Sect);
                        self.items.push(Item::new(change(self.faces, one, &tag), 9.0));
                    }
                }
                Block::Pairs(pairs) => self.pairs(pairs),
                Block::Commands(commands) => commands.iter().for_each(|(why, command)| self.command(why, command)),
            }
        }
        // Nothing of this section has to wait for the next.
        if let Some(item) = self.items.last_mut() {
            item.keep = false;
        }
    }

    /// Words stay on the page of what they introduce.
    fn words(&mut self, words: &Words) {
        let tag = self.tag(StructRole::P);
        let lines = styled(words, Style::plain(BODY), LEADING).lines(self.faces, MEASURE);
        let count = lines.len();
        for (at, line) in lines.into_iter().enumerate() {
            let keep = count <= SHORT || at == 0 || at + 2 >= count;
            self.items.push(Item::new(line.tagged(tag.clone()), if at == 0 { 5.0 } else { 0.0 }).keep(keep));
        }
    }

    /// One chart as wide as the page; several beside each other.
    fn figures(&mut self, figures: &[Figure]) {
        let gap = 14.0;
        let columns = figures.len().clamp(1, 2);
        let column = (MEASURE + gap) / columns as f32 - gap;
        for row in figures.chunks(columns) {
            let mut galley = Galley::new(MEASURE, 0.0);
            for (at, figure) in row.iter().enumerate() {
                let part = if figures.len() > 1 { 1.0 } else { (figure.wide.width.min(WIDE) / WIDE) as f32 };
                let tag = self.tag(StructRole::Div);
                let caption = styled(&figure.caption, Style::new(Face::Sans, 8.2, MUTED), 11.4);
                let drawn = picture(self.faces, &figure.wide.svg, column * part);
                let mut whole = drawn.tagged(tag.then(StructRole::Figure, 0).alt(figure.caption.plain()));
                whole.below(2.0, caption.galley(self.faces, column).tagged(tag.then(StructRole::Caption, 1)));
                galley.put(at as f32 * (column + gap), 0.0, whole);
            }
            self.items.push(Item::new(galley, 8.0));
        }
    }

    /// Names and what belongs to them, in two columns.
    fn pairs(&mut self, pairs: &[(String, Words)]) {
        let table = self.tag(StructRole::Table);
        let name = |name: &str| Paragraph::new(12.4).with(name, Style::new(Face::Sans, 8.8, MUTED));
        let widest = pairs.iter().map(|(text, _)| name(text).widths(self.faces).1).fold(0.0, f32::max);
        let first = widest.min(MEASURE / 3.0) + 1.0;
        let count = pairs.len();
        for (at, (text, value)) in pairs.iter().enumerate() {
            let row = table.then(StructRole::TR, at);
            let mut galley = name(text).galley(self.faces, first).tagged(row.then(StructRole::TD, 0));
            let value = styled(value, Style::plain(8.8), 12.4).galley(self.faces, MEASURE - first - 12.0);
            galley.put(first + 12.0, 0.0, value.tagged(row.then(StructRole::TD, 1)));
            let above = if at == 0 { 6.0 } else { 2.4 };
            self.items.push(Item::new(galley, above).keep(at + 1 < count));
        }
    }

    fn command(&mut self, why: &Words, command: &str) {
        let tag = self.tag(StructRole::Div);
        let mut galley =
            styled(why, Style::plain(BODY), LEADING).galley(self.faces, MEASURE).tagged(tag.then(StructRole::P, 0));
        let code = Paragraph::new(11.6).with(command, Style::new(Face::Mono, 7.8, INK));
        let code = code.galley(self.faces, MEASURE - 14.0).tagged(tag.then(StructRole::Code, 1));
        let mut ground = Galley::new(MEASURE, code.height + 9.0);
        ground.fill(0.0, 0.0, MEASURE, code.height + 9.0, [0xee, 0xf1, 0xf5]);
        ground.put(7.0, 4.5, code);
        galley.below(2.5, ground);
        self.items.push(Item::new(galley, 7.0));
    }
}

/// Words with some of them set off.
pub fn styled(words: &Words, style: Style, leading: f32) -> Paragraph {
    // A number and its sign stay on one line.
    let joined = |text: &str| text.replace(" %", "\u{A0}%");
    words.0.iter().fold(Paragraph::new(leading), |paragraph, piece| match piece {
        Piece::Plain(text) => paragraph.with(&joined(text), style),
        Piece::Strong(text) => paragraph.with(&joined(text), Style { face: Face::Strong, ..style }),
        Piece::Code(text) => paragraph.with(text, Style { face: Face::Mono, size: style.size * 0.92, ..style }),
    })
}

/// The number at the foot of a page.
pub fn foot(faces: &Faces<'_>, page: usize, pages: usize) -> Galley {
    let text = format!("{} / {pages}", page + 1);
    Paragraph::of(&text, Style::new(Face::Sans, 7.6, MUTED)).align(Align::Centre).galley(faces, MEASURE)
}
