//! What may replace a word: synonyms and antonyms of its part of speech, and other names of the same text.

use std::cell::RefCell;
use std::ops::Range;

use fissure_geometry::{Replaceable, Replacement};
use fissure_text::{Analysis, EntityKind, Kinship, analyse, substitutes};

/// Of each kind this many are tried.
const MOST: usize = 3;

/// What may replace the word at these bytes. A word that is part of a person's name stands for the whole name.
pub fn replacements(text: &str, range: Range<usize>) -> Option<Replaceable> {
    thread_local! {
        /// The words of one text are asked about one after the other.
        static LAST: RefCell<Option<(String, Analysis)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| {
        let analysis = match last {
            Some((known, analysis)) if known == text => &*analysis,
            _ => &last.insert((text.to_owned(), analyse(text))).1,
        };
        of(analysis, range)
    })
}

fn of(analysis: &Analysis, range: Range<usize>) -> Option<Replaceable> {
    let at = analysis.tokens().iter().position(|token| token.span.end > range.start)?;
    // Without tables there are no tags.
    let tag = analysis.tags().get(at).map_or("", |tag| tag.penn.as_str()).to_owned();
    let people: Vec<Range<usize>> = (analysis.entities().iter())
        .filter(|entity| entity.kind == EntityKind::Person)
        .filter_map(|entity| {
            let tokens = analysis.tokens().get(entity.tokens.clone())?;
            Some(tokens.first()?.span.start..tokens.last()?.span.end)
        })
        .collect();
    if let Some(own) = people.iter().find(|name| name.start < range.end && range.start < name.end) {
        let replacements = others(analysis.text(), own, &people);
        return Some(Replaceable { range: own.clone(), tag, replacements });
    }
    // `didn't` is two words to a dictionary, and forms of `be` have synonyms in name only.
    let is_whole = analysis.tokens()[at].span.start == range.start && analysis.tokens()[at].span.end == range.end;
    let is_auxiliary = analysis.lemmas().get(at).is_some_and(|lemma| matches!(&**lemma, "be" | "have" | "do"));
    if !is_whole || is_auxiliary {
        return None;
    }
    let mut replacements: Vec<Replacement> = Vec::new();
    for (kinship, with) in substitutes(analysis, range.clone()) {
        let kind = match kinship {
            Kinship::Synonym => "synonym",
            Kinship::Antonym => "antonym",
            _ => continue,
        };
        if replacements.iter().filter(|known| known.kind == kind).count() < MOST {
            replacements.push(Replacement { kind, with });
        }
    }
    Some(Replaceable { range, tag, replacements })
}

/// The other people of the text: `Dunst` is not another than `Kirsten Dunst`.
fn others(text: &str, own: &Range<usize>, people: &[Range<usize>]) -> Vec<Replacement> {
    let shares_word = |one: &str, other: &str| one.split(' ').any(|word| other.split(' ').any(|known| known == word));
    let own = &text[own.clone()];
    let mut found: Vec<Replacement> = Vec::new();
    for name in people.iter().map(|name| &text[name.clone()]) {
        let known = found.iter().any(|other| shares_word(&other.with, name));
        if found.len() < MOST && !known && !shares_word(own, name) {
            found.push(Replacement { kind: "name in the text", with: name.to_owned() });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use fissure_text::share_alike;

    use super::*;

    fn offered(text: &str, word: &str) -> Replaceable {
        let start = text.find(word).unwrap();
        replacements(text, start..start + word.len()).unwrap()
    }

    #[test]
    fn words_get_their_part_of_speech_and_names_the_names_of_the_text() {
        if !share_alike::INCLUDED {
            return;
        }
        let found = offered("The film was good.", "good");
        assert_eq!(found.tag, "JJ");
        assert!(found.replacements.iter().any(|by| (by.kind, by.with.as_str()) == ("antonym", "bad")), "{found:?}");
        let text = "Kirsten Dunst shines, and Megan Fox is fine. Dunst also sings.";
        let found = offered(text, "Dunst");
        assert_eq!(&text[found.range.clone()], "Kirsten Dunst", "a part of a name stands for all of it");
        let names: Vec<&str> = found.replacements.iter().map(|by| by.with.as_str()).collect();
        assert_eq!(names, ["Megan Fox"], "no part of the same name");
        assert!(offered("It is of the house.", "of").replacements.is_empty());
        for (text, word) in [("It is a house.", "is"), ("I didn't see it.", "didn't")] {
            let start = text.find(word).unwrap();
            assert_eq!(replacements(text, start..start + word.len()), None, "{word}");
        }
    }
}
