//! Common misspellings of right words: `definitely` is written `definately`. A misspelling is never another right word.

use std::sync::OnceLock;

const FILE: &str = include_str!("../../../lexicons/misspellings.txt");

/// The common misspellings of `word`, the most frequent first, in lower case; none for a word that the table does not
/// know. `word` may be in any case.
///
/// ```
/// use fissure_text::misspellings;
/// assert!(misspellings::of("Definitely").any(|wrong| wrong == "definately"));
/// ```
pub fn of(word: &str) -> impl Iterator<Item = &'static str> {
    let lower = || word.bytes().map(|byte| byte.to_ascii_lowercase());
    let entries = entries();
    let at = entries.binary_search_by(|(right, _)| right.bytes().cmp(lower()));
    at.ok().into_iter().flat_map(move |at| entries[at].1.split(' '))
}

/// Every right word that has a misspelling, in alphabetical order.
pub fn words() -> impl Iterator<Item = &'static str> {
    entries().iter().map(|(right, _)| *right)
}

/// Right words, sorted, with their misspellings, separated by spaces.
fn entries() -> &'static [(&'static str, &'static str)] {
    static ENTRIES: OnceLock<Vec<(&'static str, &'static str)>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        FILE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' ')).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{inflection, wordnet};
    use std::collections::HashSet;

    #[test]
    fn known_misspellings() {
        for (word, wrong) in [
            ("the", "teh"),
            ("receive", "recieve"),
            ("DEFINITELY", "definately"),
            ("separate", "seperate"),
            ("Accommodate", "accomodate"),
        ] {
            assert!(of(word).any(|misspelling| misspelling == wrong), "{word}: {:?}", of(word).collect::<Vec<_>>());
        }
        for word in ["", " ", "é", "qqq", "definately"] {
            assert_eq!(of(word).count(), 0, "{word}");
        }
    }

    #[test]
    fn every_entry_is_found_and_no_misspelling_is_a_right_word() {
        let right: HashSet<&str> = words().collect();
        assert!(right.len() > 10_000);
        assert!(entries().is_sorted_by_key(|(right, _)| *right));
        for word in words() {
            let wrong: Vec<_> = of(word).collect();
            assert!(!wrong.is_empty() && wrong.iter().all(|wrong| !right.contains(wrong)), "{word}: {wrong:?}");
            for wrong in &wrong {
                assert!(wordnet::all_senses(wrong).next().is_none(), "{word}: WordNet has {wrong}");
                let form = ["NNS", "VBD", "VBN", "VBG", "VBZ", "JJR", "JJS"]
                    .iter()
                    .find(|tag| inflection::lemmas(wrong, tag).next().is_some());
                assert_eq!(form, None, "{word}: {wrong} is a form of another word");
            }
            assert_eq!(wrong.iter().collect::<HashSet<_>>().len(), wrong.len(), "{word}: {wrong:?}");
        }
    }
}
