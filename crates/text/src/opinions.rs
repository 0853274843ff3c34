//! Words with which reviews judge a thing that they name, and the words that judge it the other way.
//!
//! [`opposites`](crate::opposites) asks what a word means wherever it stands; here it is known that the word judges, and
//! which way: `cheap` praises a price and blames a case.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::inflection::Kind;
use crate::polarity::Polarity;

/// The words that judge the other way, for a lower-case lemma that judges this way; none for a word that the list
/// does not have.
///
/// ```
/// use fissure_text::{inflection::Kind, opinions, polarity::Polarity};
/// assert_eq!(*opinions::against("cheap", Kind::Adjective, Polarity::Positive)[0], *"expensive");
/// assert_eq!(*opinions::against("cheap", Kind::Adjective, Polarity::Negative)[0], *"sturdy");
/// ```
pub fn against(lemma: &str, kind: Kind, says: Polarity) -> &'static [Box<str>] {
    find(lemma, Some(kind), says)
}

/// The same for words that stand as they are: `top notch`, `worst`.
pub fn against_phrase(words: &str, says: Polarity) -> &'static [Box<str>] {
    find(words, None, says)
}

fn find(words: &str, kind: Option<Kind>, says: Polarity) -> &'static [Box<str>] {
    let lines = table().get(words).map_or(&[][..], Vec::as_slice);
    lines.iter().find(|line| (line.kind, line.says) == (kind, says)).map_or(&[], |line| &line.others)
}

/// What a word becomes as one kind of word that judges one way.
#[derive(Debug)]
struct Line {
    /// `None` for words that stand as they are.
    kind: Option<Kind>,
    says: Polarity,
    others: Vec<Box<str>>,
}

fn table() -> &'static HashMap<String, Vec<Line>> {
    static TABLE: OnceLock<HashMap<String, Vec<Line>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<String, Vec<Line>> = HashMap::new();
        for (words, line) in include_str!("../../../lexicons/opinions.txt").lines().filter_map(read) {
            table.entry(words).or_default().push(line);
        }
        table
    })
}

fn read(line: &str) -> Option<(String, Line)> {
    let mut words = line.split(' ').filter(|_| !line.starts_with('#')).map(|word| word.replace('_', " "));
    let lemma = words.next()?;
    let kind = match &*words.next()? {
        "a" => Some(Kind::Adjective),
        "v" => Some(Kind::Verb),
        "n" => Some(Kind::Noun),
        "r" => Some(Kind::Adverb),
        "p" => None,
        _ => return None,
    };
    let says = match &*words.next()? {
        "+" => Polarity::Positive,
        "-" => Polarity::Negative,
        _ => return None,
    };
    Some((lemma, Line { kind, says, others: words.map(Into::into).collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_has_another_word() {
        let lines = include_str!("../../../lexicons/opinions.txt").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let (words, Line { kind, says, others }) = read(line).unwrap_or_else(|| panic!("{line}"));
            assert!(!others.is_empty() && others.iter().all(|other| **other != *words), "{line}");
            assert_eq!(find(&words, kind, says), others, "{line}: each has one line");
        }
    }

    /// What judges the other way is not listed as judging this way only.
    #[test]
    fn opposites_do_not_praise_what_the_word_praises() {
        for (words, lines) in table() {
            for Line { kind, says, others } in lines {
                let turned = if *says == Polarity::Positive { Polarity::Negative } else { Polarity::Positive };
                for other in others {
                    let same = !find(other, *kind, *says).is_empty() && find(other, *kind, turned).is_empty();
                    assert!(!same, "`{words}` and `{other}` both are {says:?}");
                }
            }
        }
    }
}
