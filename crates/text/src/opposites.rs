//! Words that judge and the words that judge the other way: `delicious` and `disgusting`. One way only, so that `lame`
//! becomes `brilliant` and `brilliant` does not become `lame`.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::inflection::Kind;

/// The words that judge the other way, for a lower-case lemma; none for a word that the list does not have.
///
/// ```
/// use fissure_text::{inflection::Kind, opposites};
/// assert_eq!(opposites::of("delicious", Kind::Adjective), ["disgusting", "tasteless"]);
/// ```
pub fn of(lemma: &str, kind: Kind) -> &'static [&'static str] {
    type Table = HashMap<&'static str, Vec<(Kind, Vec<&'static str>)>>;
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Table::new();
        for ((lemma, kind), others) in include_str!("../../../lexicons/opposites.txt").lines().filter_map(read) {
            table.entry(lemma).or_default().push((kind, others));
        }
        table
    });
    let found = table.get(lemma).and_then(|kinds| kinds.iter().find(|(other, _)| *other == kind));
    found.map_or(&[], |(_, others)| others.as_slice())
}

fn read(line: &'static str) -> Option<((&'static str, Kind), Vec<&'static str>)> {
    let mut words = line.split(' ').filter(|_| !line.starts_with('#'));
    let lemma = words.next()?;
    let kind = match words.next()? {
        "a" => Kind::Adjective,
        "v" => Kind::Verb,
        "n" => Kind::Noun,
        "r" => Kind::Adverb,
        _ => return None,
    };
    Some(((lemma, kind), words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        for line in include_str!("../../../lexicons/opposites.txt").lines().filter(|line| !line.starts_with('#')) {
            let ((lemma, kind), others) = read(line).unwrap_or_else(|| panic!("{line}"));
            assert!(!others.is_empty() && !others.contains(&lemma), "{line}");
            assert_eq!(of(lemma, kind), others, "{line}: each word has one line");
        }
    }
}
