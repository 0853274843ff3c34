//! Columns with a token on each line, as the shared tasks of CoNLL have them.

use std::io::Write;

use serde_json::Value;

use super::{LineEnd, Parser, Raw, Reader, Record, RowWriter, Shape, WriteFault, blocks, utf8};
use crate::input::{Input, Lines, trim_end};
use crate::output::Output;
use crate::{Fault, Result, Row};

super::reader! {
    /// CoNLL-style columns: a token on each line, its columns separated by tabs or spaces, a blank line after each
    /// sentence.
    ///
    /// If the first column counts 1, 2, 3, ... it is called `index`, and the next is `tokens`. The first column that
    /// looks like entity tags throughout the beginning of the file (`O`, `B-PER`, `S-LOC`, ...) is `ner_tags`, or else the
    /// last; the others are called by their number, so `--columns tags=2` takes the second. Lines that start with `#`
    /// before the first token are comments and are kept; `# sent_id = ...` names the sample; where words were changed,
    /// `# text` is rebuilt from the words. The line `-DOCSTART-` of
    /// CoNLL-2003, which starts a document, is kept as a comment of the sentence behind it. Read sentence by sentence, in
    /// constant memory. Written with tabs, or with spaces if the data has them.
    endings: ".conll .iob2 .iob .bio .conll2003 .ner", aliases: &["iob2"]
}

/// What starts a document in the files of CoNLL-2003. It stands alone, like a sentence, but is none.
const DOCUMENT: &str = "-DOCSTART-";

/// Whether the columns of a file are separated by spaces.
pub(super) fn has_spaces(head: &[u8]) -> bool {
    !Dialect::of(head).tabs
}

pub(crate) struct Blocks {
    lines: Lines,
    habits: Dialect,
}

/// What the beginning of a file shows about its columns.
#[derive(Debug, Clone)]
struct Dialect {
    tabs: bool,
    names: Vec<String>,
}

impl Blocks {
    pub fn new(input: Input) -> Self {
        Self { habits: Dialect::of(&input.head), lines: input.lines() }
    }
}

impl Dialect {
    fn of(head: &[u8]) -> Self {
        // The last line may be cut off.
        let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
        let text = String::from_utf8_lossy(whole);
        let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
        let filled = || lines.iter().filter(|line| !line.trim().is_empty());
        let tabs = filled().filter(|line| line.contains('\t')).count() * 2
            > filled().filter(|line| !line.starts_with('#')).count();
        let mut habits = Self { tabs, names: Vec::new() };

        let sentences: Vec<Vec<Vec<&str>>> = lines
            .split(|line| line.trim().is_empty())
            .map(|block| block.iter().filter(|line| !habits.is_comment(line)).map(|line| habits.cells(line)).collect())
            .filter(|sentence: &Vec<_>| !sentence.is_empty())
            .collect();
        let rows = || sentences.iter().flatten();
        let width = rows().next().map_or(0, Vec::len);
        let column = |at: usize| rows().filter_map(move |cells| cells.get(at).copied());
        let counts =
            |sentence: &Vec<Vec<&str>>| sentence.iter().enumerate().all(|(at, cells)| cells[0].parse() == Ok(at + 1));
        // `1 O` alone is a token with its tag.
        let only_tags = width == 2 && column(1).all(is_entity_tag);
        let token = usize::from(width > 1 && !only_tags && sentences.iter().all(counts));
        let tags = (token + 1..width).find(|at| column(*at).all(is_entity_tag)).unwrap_or(width.max(1) - 1);
        let name = |at: usize| match at {
            _ if at == token => "tokens".to_owned(),
            _ if at < token => "index".to_owned(),
            _ if at == tags => "ner_tags".to_owned(),
            _ => (at + 1).to_string(),
        };
        habits.names = (0..width).map(name).collect();
        habits
    }

    fn cells<'a>(&self, line: &'a str) -> Vec<&'a str> {
        if self.tabs {
            line.split('\t').collect()
        } else {
            line.split([' ', '\t']).filter(|cell| !cell.is_empty()).collect()
        }
    }

    /// Whether a line with `#` in front is a comment: a token `#` has as many cells as the others.
    fn is_comment(&self, line: &str) -> bool {
        line.starts_with(DOCUMENT)
            || line.starts_with('#')
                && match self.names.len() {
                    0 => !self.tabs || !line.contains('\t'),
                    width => {
                        self.cells(line).len() != width || line.starts_with("# ") && !self.tabs && line.contains(" = ")
                    }
                }
    }

    fn row(&self, block: &[u8]) -> Result<Row, Fault> {
        let block = utf8(trim_end(block).to_vec())?;
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); self.names.len()];
        let mut comments = Vec::new();
        for (at, line) in block.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate() {
            if columns.first().is_none_or(Vec::is_empty) && self.is_comment(line) {
                comments.push(line);
                continue;
            }
            let cells = self.cells(line);
            if cells.len() != columns.len() {
                let why = format!(
                    "{} columns in line {} of the sentence, but {} at the start of the file",
                    cells.len(),
                    at + 1,
                    columns.len()
                );
                return Err(Fault::new(why).showing(line));
            }
            if columns.first().is_some_and(|column| column.len() == blocks::MOST_TOKENS) {
                return Err(blocks::too_many());
            }
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(cell.into());
            }
        }
        if columns.first().is_none_or(Vec::is_empty) {
            return Err(Fault::new("comments without a sentence").showing(&block));
        }
        let mut row = Row::default();
        for (name, column) in self.names.iter().zip(columns) {
            row.push(name.as_str(), column);
        }
        blocks::push_comments(&mut row, &comments);
        Ok(row)
    }
}

fn is_entity_tag(tag: &str) -> bool {
    let named =
        |tag: &str| tag.starts_with(['B', 'I', 'E', 'S', 'M', 'L', 'U']) && tag[1..].starts_with('-') && tag.len() > 2;
    tag == "O" || named(tag)
}

impl Reader for Blocks {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        let Some(mut record) = blocks::next_record(&mut self.lines, rows)? else { return Ok(None) };
        // The start of a document goes with its first sentence.
        while let Raw::Bytes(start) = &record.raw
            && start.starts_with(DOCUMENT.as_bytes())
            && !trim_end(start).contains(&b'\n')
            && let Some(Record { raw: Raw::Bytes(sentence), .. }) = blocks::next_record(&mut self.lines, rows)?
        {
            record.raw = Raw::Bytes([start.as_slice(), &sentence].concat());
        }
        Ok(Some(record))
    }

    fn parser(&self) -> Parser {
        let habits = self.habits.clone();
        Box::new(move |block| habits.row(&block))
    }
}

pub(crate) struct Columns {
    output: Output,
    line_end: LineEnd,
    /// Between the cells of a line.
    separator: char,
}

impl Columns {
    pub fn new(output: Output) -> Self {
        Self { output, line_end: LineEnd::Lf, separator: '\t' }
    }
}

impl RowWriter for Columns {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let columns: Vec<(&str, &Vec<Value>)> =
            row.0.iter().filter_map(|(name, value)| Some((&**name, value.as_array()?))).collect();
        let count = columns.first().map_or(0, |(_, values)| values.len());
        if count == 0 {
            return Err(WriteFault::Unfit("it needs a list of tokens, with one token at least".into()));
        }
        let words = row.get("tokens").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let surface = words.collect::<Vec<_>>().join(" ");
        // The start of a document stands alone.
        let mut block = String::new();
        for comment in blocks::comments_for(row, &surface).split_inclusive('\n') {
            block.push_str(comment);
            block.push_str(if comment.starts_with(DOCUMENT) { "\n" } else { "" });
        }
        for at in 0..count {
            for (column, (name, values)) in columns.iter().enumerate() {
                let fits = |cell: &String| values.len() == count && !cell.contains(self.separator);
                let Some(cell) = values.get(at).and_then(blocks::cell).filter(fits) else {
                    let why = format!("column `{name}` has no value for token {at} that a cell can hold");
                    return Err(WriteFault::Unfit(why));
                };
                if column > 0 {
                    block.push(self.separator);
                }
                block.push_str(&cell);
            }
            block.push('\n');
        }
        Ok(self.output.write_all(self.line_end.end(block + "\n").as_bytes())?)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn like(&mut self, shape: &Shape) {
        self.line_end = shape.line_end;
        self.separator = if shape.spaces { ' ' } else { '\t' };
    }
}
