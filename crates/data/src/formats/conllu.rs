//! CoNLL-U, the format of Universal Dependencies.

use std::io::Write;

use serde_json::{Map, Value, json};

use super::{LineEnd, Parser, Reader, Record, RowWriter, Shape, WriteFault, blocks, utf8};
use crate::input::{Input, Lines, trim_end};
use crate::output::Output;
use crate::{Fault, Result, Row};

super::reader! {
    /// CoNLL-U, the format of Universal Dependencies: ten columns with tabs between, a blank line after each sentence.
    ///
    /// Columns: `index`, `tokens` (FORM), `lemma`, `upos`, `xpos`, `feats`, `head`, `deprel`, `deps`, `misc`, each a list;
    /// `comments`; and `sent_id`. Ranges of words (`3-4 didn't`) and empty nodes (`8.1`) stand beside the word they start
    /// at or follow, and are written back; a range whose words were changed is not. The text is the words with single
    /// spaces between. If words were changed, `# text` is rebuilt from the words and `SpaceAfter=No`.
    endings: ".conllu .conll-u", aliases: &["ud"]
}

/// The columns after the first.
const NAMES: [&str; 9] = ["tokens", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"];

/// What else stands at a word: ranges and empty nodes.
const BESIDE: &str = "beside";

pub(crate) struct Blocks {
    lines: Lines,
}

impl Blocks {
    pub fn new(input: Input) -> Self {
        Self { lines: input.lines() }
    }
}

impl Reader for Blocks {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        blocks::next_record(&mut self.lines, rows)
    }

    fn parser(&self) -> Parser {
        Box::new(|block| sentence(&block))
    }
}

fn sentence(block: &[u8]) -> Result<Row, Fault> {
    let block = utf8(trim_end(block).to_vec())?;
    let mut columns: [Vec<Value>; 9] = Default::default();
    let mut beside: Vec<Map<String, Value>> = Vec::new();
    // What comes before the first word belongs to it.
    let mut early = Map::new();
    let mut ranges = Vec::new();
    let mut comments = Vec::new();
    for line in block.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
        if line.starts_with('#') && beside.is_empty() {
            comments.push(line);
            continue;
        }
        let (id, rest) = line.split_once('\t').unwrap_or((line, ""));
        let cells: Vec<&str> = rest.split('\t').collect();
        if cells.len() != 9 {
            let why = format!("{} columns where CoNLL-U has ten, with tabs between", cells.len() + 1);
            return Err(Fault::new(why).showing(line));
        }
        if let Some((_, part)) = id.split_once('.') {
            let at = beside.last_mut().unwrap_or(&mut early);
            let place = if columns[0].is_empty() { "before" } else { "after" };
            let nodes = at.entry(place).or_insert_with(|| json!([]));
            nodes.as_array_mut().into_iter().for_each(|nodes| nodes.push(json!([part, rest])));
        } else if let Some((from, to)) = id.split_once('-') {
            let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) else {
                return Err(Fault::at("index", "not a range of words", id));
            };
            ranges.push((from, to, rest.to_owned()));
        } else {
            if columns[0].len() == blocks::MOST_TOKENS {
                return Err(blocks::too_many());
            }
            if id.parse() != Ok(columns[0].len() + 1) {
                return Err(Fault::at("index", format!("word number {} is needed", columns[0].len() + 1), id));
            }
            for (column, cell) in columns.iter_mut().zip(cells) {
                column.push(cell.into());
            }
            beside.push(std::mem::take(&mut early));
        }
    }
    let count = columns[0].len();
    if count == 0 {
        return Err(Fault::new("comments without a sentence").showing(&block));
    }
    fissure_tasks::heads::check(&columns[5].iter().map(|head| head.as_str().unwrap_or_default()).collect::<Vec<_>>())?;
    for (from, to, rest) in ranges {
        if from == 0 || from > to || to > count {
            return Err(Fault::at("index", format!("not a range of {count} words"), format!("{from}-{to}")));
        }
        let words = &columns[0][from - 1..to];
        beside[from - 1].insert("range".into(), json!({"words": words, "cells": rest}));
    }
    let mut row = Row::default();
    row.push("index", (1..=count).map(Value::from).collect::<Vec<_>>());
    for (name, column) in NAMES.into_iter().zip(columns) {
        row.push(name, column);
    }
    if beside.iter().any(|beside| !beside.is_empty()) {
        let value = |beside: Map<String, Value>| if beside.is_empty() { Value::Null } else { Value::Object(beside) };
        row.push(BESIDE, beside.into_iter().map(value).collect::<Vec<_>>());
    }
    blocks::push_comments(&mut row, &comments);
    Ok(row)
}

pub(crate) struct Sentences {
    output: Output,
    line_end: LineEnd,
}

impl Sentences {
    pub fn new(output: Output) -> Self {
        Self { output, line_end: LineEnd::Lf }
    }
}

impl RowWriter for Sentences {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let Some(count) = row.get("tokens").and_then(Value::as_array).map(Vec::len).filter(|count| *count > 0) else {
            return Err(WriteFault::Unfit("it needs a list `tokens`, with one token at least".into()));
        };
        let known = |name: &str| NAMES.contains(&name) || matches!(name, "index" | BESIDE);
        if let Some((name, _)) = row.0.iter().find(|(name, value)| value.is_array() && !known(name)) {
            return Err(WriteFault::Unfit(format!("CoNLL-U has no column for `{name}`; try conll or jsonl")));
        }
        let mut cells: Vec<Vec<String>> = Vec::with_capacity(NAMES.len());
        for name in NAMES {
            let values = row.get(name).and_then(Value::as_array);
            let column: Option<Vec<String>> = match values {
                None => Some(vec!["_".into(); count]),
                Some(values) if values.len() != count => None,
                Some(values) => values.iter().map(blocks::cell).collect(),
            };
            let why = || {
                WriteFault::Unfit(format!(
                    "column `{name}` does not have one value for each token that a cell can hold"
                ))
            };
            cells.push(column.ok_or_else(why)?);
        }
        let beside = |at: usize| row.get(BESIDE).and_then(|beside| beside.get(at));
        let surface = surface(&cells, beside);
        let mut block = blocks::comments_for(row, &surface);
        for at in 0..count {
            push_nodes(&mut block, 0, beside(at).and_then(|beside| beside.get("before")));
            if let Some((length, rest)) = range(&cells[0], at, beside(at)) {
                block.push_str(&format!("{}-{}\t{rest}\n", at + 1, at + length));
            }
            block.push_str(&(at + 1).to_string());
            for column in &cells {
                block.push('\t');
                block.push_str(&column[at]);
            }
            block.push('\n');
            push_nodes(&mut block, at + 1, beside(at).and_then(|beside| beside.get("after")));
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
    }
}

fn push_nodes(block: &mut String, at: usize, nodes: Option<&Value>) {
    for node in nodes.and_then(Value::as_array).into_iter().flatten() {
        if let (Some(part), Some(rest)) = (node.get(0).and_then(Value::as_str), node.get(1).and_then(Value::as_str)) {
            block.push_str(&format!("{at}.{part}\t{rest}\n"));
        }
    }
}

/// The range that starts at word `at`, where its words are still there: their number, and the cells of its line.
fn range<'a>(words: &[String], at: usize, beside: Option<&'a Value>) -> Option<(usize, &'a str)> {
    let range = beside?.get("range")?;
    let old = range.get("words")?.as_array()?;
    let now = words.get(at..at + old.len())?;
    old.iter().zip(now).all(|(old, now)| old == now).then_some((old.len(), range.get("cells")?.as_str()?))
}

/// The sentence as it reads: words and ranges, with spaces unless `SpaceAfter=No`.
fn surface<'a>(cells: &[Vec<String>], beside: impl Fn(usize) -> Option<&'a Value>) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < cells[0].len() {
        let (length, form, misc) = match range(&cells[0], at, beside(at)) {
            Some((length, rest)) => {
                let mut rest = rest.split('\t');
                (length.max(1), rest.next().unwrap_or_default(), rest.next_back().unwrap_or_default())
            }
            None => (1, &*cells[0][at], &*cells[8][at]),
        };
        text.push_str(form);
        at += length;
        if at < cells[0].len() && !misc.split('|').any(|feature| feature == "SpaceAfter=No") {
            text.push(' ');
        }
    }
    text
}
