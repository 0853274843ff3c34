//! A report before it has a form: sections of words, figures, tables, pairs of texts. Every page writes the same
//! document in its own way, so that HTML, PDF and LaTeX cannot say different things.

use crate::charts::{Chart, ChartTable};

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub title: String,
    /// What it is about, in one line: model, data, task.
    pub subtitle: Words,
    /// The verdict in very few words.
    pub headline: String,
    /// The numbers to see first.
    pub facts: Vec<Fact>,
    pub sections: Vec<Section>,
}

/// A number to see first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub name: String,
    pub value: String,
    pub note: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The anchor, of lower-case letters and dashes.
    pub id: &'static str,
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Words(Words),
    /// Charts beside each other where there is room.
    Figures(Vec<Figure>),
    Table(ChartTable),
    Changes(Vec<Change>),
    /// A heading of its own and what belongs to it in the same row: `(name, value)`.
    Pairs(Vec<(String, Words)>),
    /// (why, command)
    Commands(Vec<(Words, String)>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub wide: Chart,
    /// The same for a small screen, where the wide one would not do.
    pub narrow: Option<Chart>,
    pub caption: Words,
}

/// A text before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub title: Words,
    /// (name, text) of the texts beside it, which the answer is about too.
    pub beside: Vec<(String, String)>,
    pub bits: Vec<Bit>,
    pub before: Words,
    pub after: Words,
}

/// A stretch of a text and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bit {
    Same(String),
    Changed {
        old: String,
        new: String,
    },
    /// Left out to keep it short.
    Cut,
}

/// Words with some of them set off.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words(pub Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Plain(String),
    Strong(String),
    /// Names, commands and whatever else comes from the user.
    Code(String),
}

impl Change {
    /// The text before the change, as far as it is shown.
    pub fn text_before(&self) -> String {
        let bits = self.bits.iter().map(|bit| match bit {
            Bit::Same(text) | Bit::Changed { old: text, .. } => text.as_str(),
            Bit::Cut => "",
        });
        bits.collect()
    }
}

impl Section {
    pub fn new(id: &'static str, title: &str) -> Self {
        Self { id, title: title.to_owned(), blocks: Vec::new() }
    }

    pub fn words(mut self, words: Words) -> Self {
        self.blocks.push(Block::Words(words));
        self
    }

    pub fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

impl Words {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn say(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Plain(text.into()));
        self
    }

    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Strong(text.into()));
        self
    }

    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Code(text.into()));
        self
    }

    /// Names set off, with commas between them and `and` before the last.
    pub fn list<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        for (at, name) in names.iter().enumerate() {
            let between = if at == 0 {
                ""
            } else if at + 1 == names.len() {
                " and "
            } else {
                ", "
            };
            self = self.say(between).code(*name);
        }
        self
    }

    /// The words alone.
    pub fn plain(&self) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Plain(text) | Piece::Strong(text) | Piece::Code(text) => text.as_str(),
            })
            .collect()
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::new().say(text)
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::new().say(text)
    }
}
