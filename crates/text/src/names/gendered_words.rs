//! Words that come in gendered pairs: pronouns, kin, titles, trades.

use crate::{casing, inflection};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// What a gendered word speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gender {
    /// `she`, `Mary`, `actress`
    Female,
    /// `he`, `John`, `actor`
    Male,
}

/// The gender that a word speaks of, in the singular or plural, in any case; nothing for words that speak of none.
/// Names of people are in [`people`](super::people::gender).
pub fn of(word: &str) -> Option<Gender> {
    let lower = word.to_lowercase();
    match lower.as_str() {
        "his" => return Some(Gender::Male),
        "her" | "hers" => return Some(Gender::Female),
        _ => {}
    }
    let lemma = inflection::lemma(&lower, "NNS").unwrap_or(Cow::Borrowed(&lower));
    let found = pairs().get(lower.as_str()).or_else(|| pairs().get(&*lemma));
    found.map(|(gender, _)| *gender)
}

/// The same word of the other gender, cased like it: `his` becomes `her` as `PRP$` and `hers` as `PRP`, `actresses`
/// becomes `actors`. Nothing for words that speak of neither. The tag is Penn's; an unknown one is read as the usual one.
///
/// ```
/// use fissure_text::names::gendered_words::swap;
/// assert_eq!(swap("Her", "PRP$").as_deref(), Some("His"));
/// assert_eq!(swap("her", "PRP").as_deref(), Some("him"));
/// assert_eq!(swap("brothers", "NNS").as_deref(), Some("sisters"));
/// ```
pub fn swap(word: &str, tag: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let other: Cow<'_, str> = match (lower.as_str(), tag) {
        ("his", "PRP") => "hers".into(),
        ("his", _) => "her".into(),
        ("her", "PRP") => "him".into(),
        ("her", _) | ("hers", _) => "his".into(),
        _ => match pairs().get(lower.as_str()) {
            Some((_, other)) => (*other).into(),
            None => {
                let singular =
                    inflection::lemma(&lower, "NNS").filter(|_| lower.ends_with('s') || lower.ends_with("men"))?;
                let (_, other) = pairs().get(&*singular)?;
                inflection::inflect(other, "NNS")?.into_owned().into()
            }
        },
    };
    Some(casing::follow(word, &other).into_owned())
}

/// By lower-case word: its gender, and the word of the other. The first line that has a word decides.
fn pairs() -> &'static HashMap<&'static str, (Gender, &'static str)> {
    static PAIRS: OnceLock<HashMap<&'static str, (Gender, &'static str)>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let mut pairs = HashMap::new();
        let file = include_str!("../../../../lexicons/gendered_pairs.txt");
        for (male, female) in file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '))
        {
            pairs.entry(male).or_insert((Gender::Male, female));
            pairs.entry(female).or_insert((Gender::Female, male));
        }
        pairs
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pronouns_by_their_tag_and_words_in_any_case() {
        for (word, tag, other) in [
            ("he", "PRP", "she"),
            ("She", "PRP", "He"),
            ("him", "PRP", "her"),
            ("her", "PRP", "him"),
            ("her", "PRP$", "his"),
            ("his", "PRP$", "her"),
            ("his", "PRP", "hers"),
            ("hers", "PRP", "his"),
            ("herself", "PRP", "himself"),
            ("Mr.", "NNP", "Mrs."),
            ("ACTRESS", "NN", "ACTOR"),
            ("women", "NNS", "men"),
            ("Wives", "NNS", "Husbands"),
            ("ladies", "NNS", "gentlemen"),
            ("policemen", "NNS", "policewomen"),
            ("Frenchman", "NNP", "Frenchwoman"),
        ] {
            assert_eq!(swap(word, tag).as_deref(), Some(other), "{word} {tag}");
        }
        for word in ["", "table", "they", "person", "his own", "s", "men's"] {
            assert_eq!(swap(word, "NN"), None, "{word}");
        }
    }

    #[test]
    fn genders() {
        for (word, gender) in
            [("He", Gender::Male), ("hers", Gender::Female), ("queens", Gender::Female), ("uncle", Gender::Male)]
        {
            assert_eq!(of(word), Some(gender), "{word}");
        }
        assert_eq!((of("doctor"), of("it"), of("")), (None, None, None));
    }

    #[test]
    fn every_pair_goes_to_the_other_gender() {
        for (word, (gender, other)) in pairs() {
            assert_ne!(pairs().get(other).map(|(other, _)| other), Some(gender), "{word} {other}");
        }
    }

    proptest! {
        #[test]
        fn any_word_gets_an_answer(word in "\\PC*", tag in "[A-Z$]*") {
            let _ = swap(&word, &tag);
            let _ = of(&word);
        }
    }
}
