//! The reviewed pairs: `lexicons/substitutes.txt`, read once.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::frame::Frame;
use crate::inflection::Kind;

/// What the review says of a pair of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It fits wherever the word stands as this kind of word.
    Always,
    /// It fits where the frame holds.
    If(&'static Frame),
    /// Not reviewed: only the score supports it.
    Unreviewed,
}

/// A reviewed pair.
#[derive(Debug)]
pub(super) struct Pair {
    pub lemma: &'static str,
    /// `None` if it fits always.
    pub frame: Option<Frame>,
    /// The share of its uses that are taken.
    pub keep: f32,
}

/// The verdicts on the substitutes of one word.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub pairs: Vec<Pair>,
    pub never: Vec<&'static str>,
}

/// What was reviewed for a lower-case lemma as that kind of word.
pub(super) fn entry(lemma: &str, kind: Kind) -> Option<&'static Entry> {
    table().get(lemma)?.iter().find(|(other, _)| *other == kind).map(|(_, entry)| entry)
}

type Table = HashMap<&'static str, Vec<(Kind, Entry)>>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::new();
        for line in include_str!("../../../../lexicons/substitutes.txt").lines() {
            if let Some((lemma, kind, entry)) = read(line) {
                table.entry(lemma).or_default().push((kind, entry));
            }
        }
        table
    })
}

/// One line: lemma, kind, frequency, sets, verdicts. `None` for a comment, and for a line with a mistake: a test finds it.
fn read(line: &'static str) -> Option<(&'static str, Kind, Entry)> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = line.split(' ');
    let lemma = fields.next()?;
    let kind = match fields.next()? {
        "n" => Kind::Noun,
        "v" => Kind::Verb,
        "a" => Kind::Adjective,
        "r" => Kind::Adverb,
        _ => return None,
    };
    let mut entry = Entry::default();
    for verdict in fields.skip(2) {
        let (sign, rest) = verdict.split_at_checked(1)?;
        let (lemma, rest) = rest.split_once(':')?;
        let (source, frame) = rest.split_once(':').map_or((rest, None), |(source, frame)| (source, Some(frame)));
        let keep = source.split_once('@').map_or(Some(100), |(_, share)| share.parse::<u8>().ok())?;
        let pair = |frame| Pair { lemma, frame, keep: f32::from(keep) / 100.0 };
        match (sign, frame) {
            ("+", None) => entry.pairs.push(pair(None)),
            ("?", Some(frame)) => entry.pairs.push(pair(Some(Frame::parse(frame)?))),
            ("-", None) => entry.never.push(lemma),
            _ => return None,
        }
    }
    Some((lemma, kind, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = include_str!("../../../../lexicons/substitutes.txt").lines();
        let mut pairs = 0;
        for line in lines.filter(|line| !line.starts_with('#')) {
            let (lemma, kind, entry) = read(line).unwrap_or_else(|| panic!("{line}"));
            assert!(entry.pairs.iter().all(|pair| pair.lemma != lemma && !entry.never.contains(&pair.lemma)), "{line}");
            assert!(entry.pairs.iter().all(|pair| pair.keep > 0.0 && pair.keep <= 1.0), "{line}");
            assert!(super::entry(lemma, kind).is_some(), "{line}");
            pairs += entry.pairs.len() + entry.never.len();
        }
        assert!(pairs > 9_000, "{pairs} pairs");
    }
}
