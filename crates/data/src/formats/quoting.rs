//! Whether a tab-separated file quotes its cells, or has quotes as plain text.

use memchr::{memchr, memchr3};

use super::delimited::{QUOTE, State};
use crate::input::trim_end;

/// Whether cells that start with a quote are quoted cells, judged by the beginning of a file.
pub(super) fn is_quoted(head: &[u8], separator: u8) -> bool {
    let mut state = State::CellStart;
    let (mut rest, mut first, mut evidence) = (head, true, false);
    while let Some(end) = memchr(b'\n', rest) {
        // Take lines until the quotes are closed.
        let mut length = end + 1;
        state = State::CellStart.after(&rest[..length], separator);
        while state == State::Quoted {
            let Some(more) = memchr(b'\n', &rest[length..]) else { break };
            state = state.after(&rest[length..=length + more], separator);
            length += more + 1;
        }
        let record = &rest[..length];
        rest = &rest[length..];
        if state == State::Quoted {
            // Cut off by the end of what we see, or never closed: a quoted cell of more than 64 KiB is not likely.
            return evidence && record.len() < 64 * 1024;
        }
        let mut cells = Quoted::default();
        cells.count(trim_end(record), separator);
        if cells.broken {
            return false;
        }
        evidence |= cells.telling || (first && cells.quoted == cells.all);
        first = false;
    }
    evidence && state != State::Quoted
}

/// Whether all cells of the first row are quoted.
pub(super) fn is_first_row_quoted(head: &[u8], separator: u8) -> bool {
    let mut cells = Quoted::default();
    cells.count(trim_end(&head[..memchr(b'\n', head).unwrap_or(head.len())]), separator);
    cells.quoted == cells.all
}

#[derive(Default)]
struct Quoted {
    all: usize,
    quoted: usize,
    /// A cell that starts with a quote goes on after the closing one.
    broken: bool,
    /// A quoted cell holds what only a quoted cell can.
    telling: bool,
}

impl Quoted {
    fn count(&mut self, mut rest: &[u8], separator: u8) {
        loop {
            self.all += 1;
            if let Some(mut inside) = rest.strip_prefix(&[QUOTE]) {
                self.quoted += 1;
                while let Some(at) = memchr3(QUOTE, separator, b'\n', inside) {
                    let (byte, after) = (inside[at], &inside[at + 1..]);
                    if byte == QUOTE && after.first() != Some(&QUOTE) {
                        rest = after;
                        break;
                    }
                    self.telling = true;
                    inside = if byte == QUOTE { &after[1..] } else { after };
                }
                self.broken |= !rest.is_empty() && rest[0] != separator;
            }
            match memchr(separator, rest) {
                Some(at) => rest = &rest[at + 1..],
                None => return,
            }
        }
    }
}
