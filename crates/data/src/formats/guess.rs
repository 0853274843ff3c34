//! Which format a file has: its ending first, then its beginning.

use super::Format;

/// The format of a file whose name says `by_name` and whose content starts with `head`.
pub(super) fn guess(by_name: Option<Format>, head: &[u8]) -> Format {
    match by_name {
        None => by_content(head),
        Some(format) => format,
    }
}

fn by_content(_head: &[u8]) -> Format {
    Format::Jsonl
}
