//! What CoNLL-style formats share: blocks of lines, a line for each token, a blank line between, comments in front.

use serde_json::Value;

use super::{Raw, Record};
use crate::input::Lines;
use crate::{Fault, Result, Row};

/// The most tokens of one sentence: each takes a hundred times its bytes in memory.
pub(super) const MOST_TOKENS: usize = 250_000;

pub(super) fn too_many() -> Fault {
    Fault::new(format!("a sentence of more than {MOST_TOKENS} tokens; is there a blank line after each sentence?"))
}

/// The next block of lines that are not blank.
pub(super) fn next_record(lines: &mut Lines, rows: u64) -> Result<Option<Record>> {
    let mut block = Vec::new();
    let mut first = 0;
    loop {
        let done = block.len();
        let more = lines.next(&mut block, rows)?;
        if !more || block[done..].trim_ascii().is_empty() {
            block.truncate(done);
            if done > 0 || !more {
                return Ok((done > 0).then_some(Record { line: first, raw: Raw::Bytes(block) }));
            }
        } else if done == 0 {
            first = lines.line;
        }
    }
}

/// Adds the comments of a block and, as a column of its own, the sentence's name they give.
pub(super) fn push_comments(row: &mut Row, comments: &[&str]) {
    if comments.is_empty() {
        return;
    }
    let name = comments.iter().find_map(|comment| comment.strip_prefix("# sent_id = "));
    row.push("comments", comments.join("\n"));
    if let Some(name) = name {
        row.push("sent_id", name);
    }
}

/// The text that a comment gives as that of the sentence: `# text = ...`.
fn text_of(comment: &str) -> Option<&str> {
    let rest = comment.strip_prefix('#')?.trim_start().strip_prefix("text")?.trim_start();
    rest.strip_prefix('=').map(str::trim)
}

/// The comments to write in front of a block whose words now read `surface`: a text that no longer fits is replaced.
pub(super) fn comments_for(row: &Row, surface: &str) -> String {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let mut block = String::new();
    for comment in comments(row) {
        match text_of(&comment) {
            Some(text) if letters(text) != letters(surface) => block.push_str(&format!("# text = {surface}\n")),
            _ => block.push_str(&format!("{comment}\n")),
        }
    }
    block
}

/// The comments to write in front of a block: those it came with, and whatever else the row says of the whole sentence.
fn comments(row: &Row) -> Vec<String> {
    let kept = row.get("comments").and_then(Value::as_str);
    let mut comments: Vec<String> = kept.into_iter().flat_map(str::lines).map(str::to_owned).collect();
    for (name, value) in row.0.iter().filter(|(name, value)| &**name != "comments" && !value.is_array()) {
        let comment = match value {
            Value::String(text) => format!("# {name} = {}", text.replace(['\n', '\r'], " ")),
            value => format!("# {name} = {value}"),
        };
        if !comments.contains(&comment) {
            comments.push(comment);
        }
    }
    comments
}

/// A value in a cell: nothing is `_`. `None` if a cell cannot hold it.
pub(super) fn cell(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => "_".into(),
        other => other.to_string(),
    };
    (!text.is_empty() && !text.contains(['\t', '\n', '\r'])).then_some(text)
}
