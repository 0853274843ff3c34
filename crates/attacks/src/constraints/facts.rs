use fissure_core::Span;
use fissure_text::names::{people, places};
use fissure_text::{Upos, articles, inflection, numbers, wordnet};

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// Names and numbers stay and none comes in, and `a` or `an` before a new word stays right.
    ///
    /// Names are what the tagger and the finder of names say, places, adjectives of countries (`British`), words in capitals (`AP`), and
    /// words with a capital that are in no dictionary (`Qantas`, `iTunes`); numbers may be spelled (`four`, `third`, `million`). Of the words
    /// that come in, first names and surnames that are no words besides, and words that no
    /// dictionary has where the old one is in one, count as names as well, in whatever letters (`woodson`).
    pub struct Facts {}
}

/// Parts of numbers that are none alone.
const MAGNITUDES: [&str; 8] =
    ["dozen", "hundred", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion"];

/// A number, a place, a country's adjective or a name that no dictionary has, whatever stands around it.
fn states_a_fact(word: &str) -> bool {
    let small = word.to_lowercase();
    let is_magnitude = || MAGNITUDES.contains(&small.strip_suffix('s').unwrap_or(&small));
    let is_place =
        || word.starts_with(char::is_uppercase) && (places::country_of(word).is_some() || places::find(word).is_some());
    word.contains(|letter: char| letter.is_ascii_digit())
        || numbers::parse(&small).is_some()
        || is_magnitude()
        || is_place()
        || is_unknown_name(word, &small)
}

/// A word with capital and lower case letters that is no word without the capitals. The dictionary is one of English, so words with other letters
/// are left to the tagger.
fn is_unknown_name(word: &str, small: &str) -> bool {
    let mixed = word.contains(char::is_uppercase) && word.contains(char::is_lowercase);
    mixed && word.is_ascii() && (word.chars().skip(1).any(char::is_uppercase) || !is_known(small))
}

/// Whether dictionaries have a lower-case word, or all its parts: `CDs`, `Mother-in-law`.
fn is_known(small: &str) -> bool {
    small.split([' ', '-', '\'', '\u{2019}']).all(is_in_dictionary)
}

fn is_in_dictionary(small: &str) -> bool {
    inflection::readings(small).next().is_some()
        || wordnet::all_senses(small).next().is_some()
        || fissure_text::function_words::contains(small)
}

/// A word that may be a name although it has no capital, which it takes from the word that it replaces: a first name or a surname that is no word
/// besides (`woodson`), or a word that no dictionary has in place of one that they have (`dreifort`).
fn may_name(new: &str, old: &str) -> bool {
    let small = new.to_lowercase();
    if !small.is_ascii() || !small.contains(|letter: char| letter.is_ascii_alphabetic()) || is_known(&small) {
        return false;
    }
    let mut letters = small.chars();
    let named: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    people::is_surname(&named) || people::is_first_name(&named) || is_known(&old.to_lowercase())
}

/// Several letters, all capitals, in a text that is not.
fn is_shouted(word: &str, text: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase) && text.contains(char::is_lowercase)
}

impl Constraint for Facts {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        let at = attempt.victim.words[word];
        let analysis = attempt.analysis(at.field);
        let token = analysis.tokens().partition_point(|token| token.span.start < at.span.start);
        let is_name = analysis.tag(token).is_some_and(|tag| tag.upos == Upos::Propn)
            || analysis.entities().iter().any(|entity| entity.tokens.contains(&token));
        let text = &attempt.victim.sample.fields[at.field].text;
        let in_number = || numbers::find(text).iter().any(|(range, _)| Span::from(range.clone()).overlaps(at.span));
        let word = at.span.of(text);
        !is_name && !states_a_fact(word) && !is_shouted(word, text) && !in_number()
    }

    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let agrees = |word: usize| {
            let at = attempt.victim.words[word];
            let Some(before) = word.checked_sub(1).filter(|before| attempt.victim.words[*before].field == at.field)
            else {
                return true;
            };
            let text = &attempt.victim.sample.fields[at.field].text;
            let apart = &text[attempt.victim.words[before].span.end..at.span.start];
            let article = state.word(&attempt.victim, before);
            let is_article = ["a", "an"].iter().any(|known| known.eq_ignore_ascii_case(article));
            let new = state.word(&attempt.victim, word);
            apart != " " || !is_article || new.is_empty() || articles::article_before(new, article) == article
        };
        let comes_in = |new: &str, old: &str| states_a_fact(new) || may_name(new, old);
        let holds =
            |word: usize| agrees(word) && !comes_in(state.word(&attempt.victim, word), attempt.victim.word(word));
        match changed {
            Some(word) => holds(word),
            None => state.words().all(holds),
        }
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Tables]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_numbers_countries_and_capitals_are_facts() {
        for word in
            ["four", "Third", "2004", "British", "Paris", "1st", "million", "Billions", "Qantas", "iTunes", "Telstra"]
        {
            assert!(states_a_fact(word), "{word}");
        }
        for word in
            ["film", "may", "retailers", "reading", "Retailers", "Shares", "Won't", "Broad-based", "Études", "CEO", "A"]
        {
            assert!(!states_a_fact(word), "{word}");
        }
        for (new, old) in [("woodson", "cornerback"), ("Kowalski", "zibbed"), ("dreifort", "thrower")] {
            assert!(may_name(new, old), "{new}");
        }
        assert!(!may_name("baker", "cook") && !may_name("well-known", "famous") && !may_name("zibbed", "zobbed"));
        assert!(is_shouted("AP", "says the AP") && !is_shouted("AP", "SAYS THE AP") && !is_shouted("A", "A film"));
    }
}
