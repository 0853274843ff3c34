//! Words that judge: which of them approve and which disapprove, and words that people hear any feeling in.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// What a judging word says of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// `good`, `enjoy`, `masterpiece`
    Positive,
    /// `bad`, `bore`, `failure`
    Negative,
}

/// The judgement in a lower-case dictionary form; nothing for words that do not judge, or that this short list of
/// common words does not know.
///
/// ```
/// use fissure_text::polarity::{self, Polarity};
/// assert_eq!(polarity::of("boring"), Some(Polarity::Negative));
/// assert_eq!(polarity::of("table"), None);
/// ```
pub fn of(lemma: &str) -> Option<Polarity> {
    static WORDS: OnceLock<HashMap<&'static str, Polarity>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let lines = include_str!("../../../lexicons/polarity.txt").lines();
        let read = |line: &'static str| {
            let (sign, words) = line.split_once(' ')?;
            let polarity = match sign {
                "+" => Polarity::Positive,
                "-" => Polarity::Negative,
                _ => return None,
            };
            Some(words.split(' ').map(move |word| (word, polarity)))
        };
        lines.filter_map(read).flatten().collect()
    });
    words.get(lemma).copied()
}

/// Whether people hear a feeling or a judgement in a lower-case word, in whatever form it has: `awful`, `abhors`.
pub fn is_charged(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| include_str!("../../../lexicons/charged.txt").lines().skip(1).collect()).contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_judges_both_ways() {
        let mut known = HashMap::new();
        for line in include_str!("../../../lexicons/polarity.txt").lines().filter(|line| !line.starts_with('#')) {
            for word in line[2..].split(' ') {
                assert_eq!(*known.entry(word).or_insert(&line[..1]), &line[..1], "{word}");
                assert!(of(word).is_some() && word.bytes().all(|byte| byte.is_ascii_lowercase()), "{word}");
            }
        }
        assert!(known.len() > 300, "{}", known.len());
        assert_eq!((of("good"), of("bad")), (Some(Polarity::Positive), Some(Polarity::Negative)));
        assert_eq!((of(""), of("#"), of("Good")), (None, None, None));
        assert!(is_charged("awful") && is_charged("abhors") && !is_charged("table") && !is_charged(""));
    }
}
