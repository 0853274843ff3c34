//! Look-alikes: what a scanner reads in place of a character or a pair of characters (`l` for `1`, `m` for `rn`).

use std::sync::OnceLock;

const FILE: &str = include_str!("../../../lexicons/lookalikes.txt");

/// What a scanner may read for exactly this piece of text, in the order of the file; empty when it reads it right.
pub fn of(piece: &str) -> &'static [&'static str] {
    let Some(first) = piece.bytes().next() else { return &[] };
    // A handful of pieces share a first byte: looking at these is quicker than searching all.
    let known = &table()[usize::from(first)];
    known.iter().find(|(from, _)| *from == piece).map_or(&[], |(_, read)| read)
}

/// What may be misread at the very start of `text`: the piece (the longer first), and what is read for it.
pub fn at_start(text: &str) -> impl Iterator<Item = (&str, &'static [&'static str])> {
    let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
    let mut pieces = ends.take(2).map(|end| &text[..end]);
    let (one, two) = (pieces.next(), pieces.next());
    two.into_iter().chain(one).map(|piece| (piece, of(piece))).filter(|(_, read)| !read.is_empty())
}

/// The pieces with what is read for each, by their first byte.
type Table = [Vec<(&'static str, Vec<&'static str>)>; 256];

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: Table = std::array::from_fn(|_| Vec::new());
        let mut add = |from: &'static str, to| {
            let Some(first) = from.bytes().next() else { return };
            let pieces = &mut table[usize::from(first)];
            match pieces.iter_mut().find(|(known, _)| *known == from) {
                Some((_, read)) => read.push(to),
                None => pieces.push((from, vec![to])),
            }
        };
        for line in FILE.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split(' ');
            if let (Some(from), Some(sign), Some(to)) = (parts.next(), parts.next(), parts.next()) {
                add(from, to);
                if sign == "=" {
                    add(to, from);
                }
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_confusions() {
        assert_eq!(of("1"), ["l", "I", "i", "t"]);
        assert_eq!(of("rn"), ["m"]);
        assert_eq!(of("m"), ["rn"]);
        assert!(of("").is_empty() && of("é").is_empty() && of("rnm").is_empty());
    }

    #[test]
    fn at_the_start_the_longer_piece_comes_first() {
        let found: Vec<_> = at_start("clear").collect();
        assert_eq!(found, [("cl", &["d"][..]), ("c", &["e", "o"][..])]);
        assert_eq!(at_start("").count(), 0);
        assert_eq!(at_start("é").count(), 0);
        assert_eq!(at_start("👩‍👩‍👧").count(), 0);
    }

    #[test]
    fn every_line_is_understood_and_changes_something() {
        for line in FILE.lines().filter(|line| !line.starts_with('#')) {
            let parts: Vec<_> = line.split(' ').collect();
            assert!(matches!(parts[..], [_, "=" | ">", _]), "{line}");
            assert!(of(parts[0]).contains(&parts[2]), "{line}");
            assert_eq!(of(parts[2]).contains(&parts[0]), parts[1] == "=", "{line}");
        }
        for (from, read) in table().iter().flatten() {
            assert!(from.chars().count() <= 2, "{from}: `at_start` looks at two characters");
            let mut once = read.clone();
            once.sort();
            once.dedup();
            assert!(once.len() == read.len() && !read.contains(from), "{from}: {read:?}");
        }
    }
}
