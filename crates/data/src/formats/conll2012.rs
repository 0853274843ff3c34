//! Whole documents with their coreference chains, as the shared task of CoNLL-2012 (OntoNotes) has them.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::{Value, json};

use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault, blocks, utf8};
use crate::input::{Input, Lines};
use crate::output::Output;
use crate::{Fault, Result, Row};

super::reader! {
    /// CoNLL-2012 documents: from `#begin document (name); part 000` to `#end document`, a token on each line, a blank
    /// line after each sentence, the coreference chains in the last column.
    ///
    /// A document becomes `sentences`, `clusters`, `doc_key` and `part`; the other columns (part of speech, parse,
    /// lemma, frames, speakers, entities, arguments) go with their tokens and are written back. Read document by
    /// document.
    endings: ".v4_gold_conll .v4_auto_conll .gold_conll .auto_conll", aliases: &["ontonotes"]
}

const BEGIN: &str = "#begin document";
const END: &str = "#end document";

/// The columns between the token and the chains; the last takes in all that are left, for their number varies.
const COLUMNS: [&str; 8] = ["pos", "parse", "lemma", "frame", "sense", "speakers", "named_entities", "arguments"];
/// Name, part and number of the token stand before the token itself.
const TOKEN: usize = 3;

/// Whether a file begins like one of these.
pub(super) fn begins(head: &[u8]) -> bool {
    head.trim_ascii_start().starts_with(BEGIN.as_bytes())
}

pub(crate) struct Documents {
    lines: Lines,
}

impl Documents {
    pub fn new(input: Input) -> Self {
        Self { lines: input.lines() }
    }
}

impl Reader for Documents {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        let mut document = Vec::new();
        let mut first = 0;
        loop {
            let done = document.len();
            let more = self.lines.next(&mut document, rows)?;
            let line = document[done..].trim_ascii();
            if done == 0 {
                if !more {
                    return Ok(None);
                }
                if line.is_empty() {
                    document.clear();
                    continue;
                }
                first = self.lines.line;
            }
            if !more || line.starts_with(END.as_bytes()) {
                return Ok(Some(Record { line: first, raw: Raw::Bytes(document) }));
            }
        }
    }

    fn parser(&self) -> Parser {
        Box::new(|document| row(&utf8(document)?))
    }
}

fn row(document: &str) -> Result<Row, Fault> {
    let mut lines = document.lines().map(str::trim_end);
    let head = lines.next().unwrap_or_default();
    let name = head.strip_prefix(BEGIN).and_then(|rest| rest.trim().strip_prefix('('));
    let Some((name, part)) = name.and_then(|rest| rest.split_once(')')) else {
        return Err(Fault::new(format!("a document starts with `{BEGIN} (name); part 000`")).showing(head));
    };
    let mut sentences: Vec<Vec<Value>> = vec![Vec::new()];
    let mut columns: [Vec<Vec<Value>>; COLUMNS.len()] = std::array::from_fn(|_| vec![Vec::new()]);
    let mut chains = Chains::default();
    let mut count = 0;
    let mut ended = false;
    for line in lines {
        if line.starts_with(END) {
            ended = true;
            break;
        }
        if line.is_empty() {
            if sentences.last().is_some_and(|sentence| !sentence.is_empty()) {
                sentences.push(Vec::new());
                columns.iter_mut().for_each(|column| column.push(Vec::new()));
            }
            continue;
        }
        let cells: Vec<&str> = line.split([' ', '\t']).filter(|cell| !cell.is_empty()).collect();
        if cells.len() < TOKEN + COLUMNS.len() + 1 {
            let why = format!("{} columns, but a token has {} at least", cells.len(), TOKEN + COLUMNS.len() + 1);
            return Err(Fault::new(why).showing(line));
        }
        let last = cells.len() - 1;
        push(&mut sentences, cells[TOKEN].into());
        for (at, column) in columns.iter_mut().enumerate() {
            let from = TOKEN + 1 + at;
            let until = if at + 1 == COLUMNS.len() { last } else { from + 1 };
            push(column, cells.get(from..until).unwrap_or_default().join(" ").into());
        }
        chains.read(cells[last], count).map_err(|why| Fault::new(why).showing(line))?;
        count += 1;
    }
    if !ended {
        return Err(Fault::new(format!("the document stops without `{END}`: is the file cut off?")).showing(head));
    }
    let clusters = chains.close()?;
    if sentences.last().is_some_and(Vec::is_empty) && sentences.len() > 1 {
        sentences.pop();
        columns.iter_mut().for_each(|column| {
            column.pop();
        });
    }
    let mut row = Row::default();
    row.push("doc_key", name);
    row.push("part", part.trim_start_matches([';', ' ']).trim_start_matches("part").trim());
    row.push("sentences", json!(sentences));
    row.push("clusters", clusters);
    for (name, column) in COLUMNS.into_iter().zip(columns) {
        row.push(name, json!(column));
    }
    Ok(row)
}

fn push(sentences: &mut [Vec<Value>], value: Value) {
    if let Some(sentence) = sentences.last_mut() {
        sentence.push(value);
    }
}

/// Chains while they are read: `(3` opens a mention of chain 3, `3)` closes the last one opened, `(3)` is a mention of
/// one token.
#[derive(Default)]
struct Chains {
    /// (chain, its mentions)
    found: Vec<(String, Vec<[usize; 2]>)>,
    open: Vec<(String, usize)>,
}

impl Chains {
    fn read(&mut self, cell: &str, token: usize) -> Result<(), String> {
        for piece in cell.split('|').filter(|piece| !matches!(*piece, "-" | "_" | "*" | "")) {
            let name = piece.trim_matches(['(', ')']);
            if name.is_empty() {
                return Err(format!("`{piece}` names no chain"));
            }
            if piece.starts_with('(') {
                self.open.push((name.to_owned(), token));
                if !self.found.iter().any(|(known, _)| known == name) {
                    self.found.push((name.to_owned(), Vec::new()));
                }
            }
            if piece.ends_with(')') {
                let at = self.open.iter().rposition(|(open, _)| open == name);
                let Some(at) = at else { return Err(format!("`{piece}` closes a mention that nothing opened")) };
                let (_, first) = self.open.remove(at);
                if let Some((_, mentions)) = self.found.iter_mut().find(|(known, _)| known == name) {
                    mentions.push([first, token]);
                }
            }
        }
        Ok(())
    }

    fn close(mut self) -> Result<Value, Fault> {
        if let Some((name, first)) = self.open.first() {
            return Err(Fault::new(format!("the mention of chain {name} that opens at token {first} never closes")));
        }
        self.found.iter_mut().for_each(|(_, mentions)| mentions.sort_unstable());
        // Which chain comes first must not hang on its number, which writing gives again.
        self.found.sort_by(|(_, one), (_, other)| one.cmp(other));
        Ok(self.found.into_iter().map(|(_, mentions)| json!(mentions)).collect())
    }
}

pub(crate) struct Chained {
    output: Output,
}

impl Chained {
    pub fn new(output: Output) -> Self {
        Self { output }
    }
}

impl RowWriter for Chained {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let sentences = row.get("sentences").and_then(Value::as_array);
        let Some(sentences) = sentences.filter(|all| all.iter().all(Value::is_array)) else {
            return Err(WriteFault::Unfit("it needs `sentences`, a list of tokens for each".into()));
        };
        let text = |name: &str| row.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (name, part) = (text("doc_key").unwrap_or("document"), text("part").unwrap_or("000"));
        let number: u32 = part.parse().unwrap_or(0);
        // What stands in the first cell of every token.
        let cell_name = name.replace([' ', '\t'], "_");
        let marks = marks(row.get("clusters"))?;
        let mut document = format!("{BEGIN} ({name}); part {part}\n");
        let mut count = 0;
        for (at, sentence) in sentences.iter().enumerate() {
            for (place, token) in sentence.as_array().into_iter().flatten().enumerate() {
                let Some(token) = blocks::cell(token).filter(|token| !token.contains(' ')) else {
                    return Err(WriteFault::Unfit(format!("token {token} does not fit in a cell")));
                };
                let _ = write!(document, "{cell_name} {number} {place} {token}");
                for column in COLUMNS {
                    let many = column == "arguments";
                    let value = row.get(column).and_then(|values| values.get(at)?.get(place)).and_then(blocks::cell);
                    // A document without arguments has no such column at all.
                    match value.filter(|value| many || !value.contains(' ')) {
                        Some(value) => drop(write!(document, " {value}")),
                        None if many => {}
                        None => document.push_str(" -"),
                    }
                }
                let mark = marks.iter().filter(|(token, _)| *token == count).map(|(_, mark)| mark.as_str());
                let mark = mark.collect::<Vec<_>>().join("|");
                let _ = writeln!(document, " {}", if mark.is_empty() { "-" } else { &mark });
                count += 1;
            }
            document.push('\n');
        }
        document.push_str(END);
        Ok(writeln!(self.output, "{document}")?)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }
}

/// What stands in the last column of which token: longer mentions open first and close last.
fn marks(clusters: Option<&Value>) -> Result<Vec<(usize, String)>, WriteFault> {
    let unfit = || WriteFault::Unfit("`clusters` is not lists of [first, last]".into());
    let mut mentions: Vec<(usize, usize, usize)> = Vec::new();
    for (chain, cluster) in clusters.and_then(Value::as_array).into_iter().flatten().enumerate() {
        for mention in cluster.as_array().ok_or_else(unfit)? {
            let place = |at: usize| usize::try_from(mention.get(at)?.as_u64()?).ok();
            let (Some(first), Some(last)) = (place(0), place(1)) else { return Err(unfit()) };
            mentions.push((first, last, chain));
        }
    }
    // At one token: those that close come first, the shortest of them first; then those that open, the longest first.
    let mut marks: Vec<((usize, u8, usize), String)> = Vec::new();
    for (first, last, chain) in mentions {
        if first == last {
            marks.push(((first, 2, 0), format!("({chain})")));
        } else {
            marks.push(((first, 1, usize::MAX - last), format!("({chain}")));
            marks.push(((last, 0, usize::MAX - first), format!("{chain})")));
        }
    }
    marks.sort();
    Ok(marks.into_iter().map(|((token, _, _), mark)| (token, mark)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
#begin document (bc/x_0001); part 000
bc/x_0001 0 0 Ann NNP (TOP(S(NP*) - - - Speaker#1 (PERSON) (ARG0*) (0
bc/x_0001 0 1 Lee NNP * - - - Speaker#1 * * 0)
bc/x_0001 0 2 left VBD (VP*)) leave 01 1 Speaker#1 * (V*) -

bc/x_0001 0 0 Her PRP$ (NP* - - - - * (2|(0)
bc/x_0001 0 1 dog NN *) - - - - * 2)

#end document
";

    #[test]
    fn a_document_by_hand() {
        let row = row(DOCUMENT).unwrap();
        assert_eq!(row.get("doc_key"), Some(&json!("bc/x_0001")));
        assert_eq!(row.get("part"), Some(&json!("000")));
        assert_eq!(row.get("sentences"), Some(&json!([["Ann", "Lee", "left"], ["Her", "dog"]])));
        assert_eq!(row.get("clusters"), Some(&json!([[[0, 1], [3, 3]], [[3, 4]]])));
        assert_eq!(row.get("arguments"), Some(&json!([["(ARG0*)", "*", "(V*)"], ["", ""]])));
    }

    #[test]
    fn broken_chains_and_cut_documents_are_told() {
        let fault = |text: &str| format!("{:?}", row(text).unwrap_err());
        assert!(fault(&DOCUMENT.replace(" 0)\n", " -\n")).contains("never closes"));
        assert!(fault(&DOCUMENT.replace("(2|(0)", "(0)")).contains("nothing opened"));
        assert!(fault(&DOCUMENT.replace("#end document\n", "")).contains("cut off"));
        assert!(fault("Ann Lee\n").contains("#begin document"));
        assert!(fault(&DOCUMENT.replace(" (PERSON) (ARG0*)", "")).contains("columns"));
    }
}
