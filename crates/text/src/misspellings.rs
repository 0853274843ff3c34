//! Common misspellings of right words: `definitely` is written `definately`. A misspelling is never another right word.

use std::sync::OnceLock;

use crate::lexicon::{Lists, Words};

const FILE: &str = include_str!("../../../lexicons/misspellings.txt");

/// The common misspellings of `word`, the most frequent first, in lower case; none for a word that the table does not
/// know. `word` may be in any case.
///
/// ```
/// use fissure_text::misspellings;
/// assert!(misspellings::of("Definitely").contains(&"definately"));
/// ```
pub fn of(word: &str) -> &'static [&'static str] {
    let table = table();
    let capitals = word.bytes().any(|byte| byte.is_ascii_uppercase());
    let found = if capitals { table.right.find(&word.to_ascii_lowercase()) } else { table.right.find(word) };
    found.map_or(&[], |id| table.wrong.get(id))
}

/// Every right word that has a misspelling, in alphabetical order.
pub fn words() -> impl Iterator<Item = &'static str> {
    table().right.iter()
}

struct Table {
    right: Words,
    /// The misspellings of each right word.
    wrong: Lists<&'static str>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (mut text, mut ends, mut wrong) = (String::new(), Vec::new(), Lists::default());
        let mut rest = FILE;
        while let Some((_, after)) = rest.split_once('\n').filter(|(line, _)| line.starts_with('#')) {
            rest = after;
        }
        // One search for both marks, since every run that needs the table waits for it.
        let (mut start, mut is_right) = (0, true);
        for at in memchr::memchr2_iter(b' ', b'\n', rest.as_bytes()) {
            let word = &rest[start..at];
            start = at + 1;
            if is_right {
                text.push_str(word);
                ends.push(text.len() as u32);
            } else {
                wrong.push(word);
            }
            is_right = rest.as_bytes()[at] == b'\n';
            if is_right {
                wrong.close();
            }
        }
        Table { right: Words::new(text, ends).expect("words one behind the other are sound"), wrong }
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
            assert!(of(word).contains(&wrong), "{word}: {:?}", of(word));
        }
        for word in ["", " ", "é", "qqq", "definately"] {
            assert_eq!(of(word), [""; 0], "{word}");
        }
    }

    #[test]
    fn every_entry_is_found_and_no_misspelling_is_a_right_word() {
        let right: HashSet<&str> = words().collect();
        assert!(right.len() > 10_000);
        assert!(words().is_sorted());
        for word in words() {
            let wrong = of(word);
            assert!(!wrong.is_empty() && wrong.iter().all(|wrong| !right.contains(wrong)), "{word}: {wrong:?}");
            for wrong in wrong {
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
