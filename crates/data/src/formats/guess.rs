//! Which format a file has: its ending first, then its beginning.

use super::{Format, conll2012, lines, semeval};
use crate::input::trim_end;

/// The format of a file whose name says `by_name` and whose content starts with `head`.
pub(super) fn guess(by_name: Option<Format>, head: &[u8]) -> Format {
    match by_name {
        // `.json` is used for several things, `.txt` for everything.
        Some(Format::Json) => of_json(head),
        Some(Format::Lines) | None => by_content(head),
        Some(Format::Conll) if conll2012::begins(head) => Format::Conll2012,
        Some(format) => format,
    }
}

fn by_content(head: &[u8]) -> Format {
    if head.starts_with(b"PAR1") {
        return Format::Parquet;
    }
    if conll2012::begins(head) {
        return Format::Conll2012;
    }
    if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) {
        // A plain text may start with a bracket as well; JSON goes on with a value or a name.
        let next = head.trim_ascii_start().get(1..).unwrap_or_default().trim_ascii_start().first();
        if matches!(next, Some(b'"' | b'{' | b'[' | b']' | b'}')) {
            return of_json(head);
        }
    }
    let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
    let all: Vec<&[u8]> = whole.split(|byte| *byte == b'\n').map(trim_end).collect();
    let lines: Vec<&[u8]> = all.iter().copied().filter(|line| !line.starts_with(b"#") && !line.is_empty()).collect();
    let Some(first) = lines.first() else { return Format::Lines };
    let cells = |line: &[u8], by: u8| line.split(move |byte| *byte == by).filter(|cell| !cell.is_empty()).count();
    // Blank lines between blocks; one at the very end is only the end.
    let blocks = all.iter().rposition(|line| !line.is_empty()).is_some_and(|last| all[..last].contains(&&[][..]));
    let even = |by: u8| cells(first, by) > 1 && lines.iter().take(20).all(|line| cells(line, by) == cells(first, by));
    if semeval::starts(first) && memchr::memmem::find(first, b"<e1>").is_some() {
        Format::Semeval
    } else if cells(first, b'\t') == 10 && first[0].is_ascii_digit() && (blocks || first.len() < whole.len()) {
        Format::Conllu
    } else if blocks && (even(b'\t') || even(b' ')) {
        Format::Conll
    } else if first.contains(&b'\t') {
        Format::Tsv
    } else if !lines::is_labelled(head) && is_csv(first) {
        Format::Csv
    } else {
        Format::Lines
    }
}

/// Whether a line is a header of CSV with a column that some task knows, or a row with all cells quoted.
fn is_csv(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let known = |cell: &str| {
        let names = fissure_tasks::ALL.iter().flat_map(|task| task.roles).flat_map(|role| role.names);
        names.into_iter().any(|name| name.len() > 1 && name.eq_ignore_ascii_case(cell.trim_matches('"')))
    };
    (line.starts_with('"') && line.contains("\",\"")) || (line.contains(',') && line.split(',').any(known))
}

fn of_json(head: &[u8]) -> Format {
    let head = head.trim_ascii_start();
    if !head.starts_with(b"{") {
        return Format::Json;
    }
    let has = |what: &[u8]| memchr::memmem::find(head, what).is_some();
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len());
    if let Ok(serde_json::Value::Object(object)) = serde_json::from_slice(&head[..end]) {
        let articles = object.get("data").and_then(|data| data.get(0));
        return match articles.map(|article| article.get("paragraphs").is_some()) {
            Some(true) => Format::Squad,
            Some(false) => Format::Json,
            None if object.values().next().is_some_and(serde_json::Value::is_object)
                && head[end..].trim_ascii().is_empty() =>
            {
                Format::JsonObject
            }
            None => Format::Jsonl,
        };
    }
    // The first line is not whole: one value over many lines, or a very long line. The value of its first name decides.
    let value = first_value(head);
    if has(b"\"paragraphs\"") && has(b"\"data\"") {
        Format::Squad
    } else if has(b"\"data\"") && value != Some(b'{') {
        Format::Json
    } else if value == Some(b'{') || head[..end].trim_ascii() == b"{" {
        Format::JsonObject
    } else {
        Format::Jsonl
    }
}

/// The first byte of the first value of an object.
fn first_value(object: &[u8]) -> Option<u8> {
    let mut names = serde_json::Deserializer::from_slice(object.get(1..)?).into_iter::<String>();
    names.next()?.ok()?;
    let rest = object.get(1 + names.byte_offset()..)?.trim_ascii_start();
    rest.strip_prefix(b":")?.trim_ascii_start().first().copied()
}
