//! The names in a text: by the gold tags of the sample if it has them, otherwise by the entity tagger.

use std::ops::Range;

use fissure_core::{Edit, Sample, Text};
use fissure_text::inflection::Kind;
use fissure_text::names::{people, places};
use fissure_text::{Entity, EntityKind, Penn, articles, inflection, wordnet};

use super::annotated::Annotated;

/// A name where it stands: the bytes of each of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub kind: EntityKind,
    pub words: Vec<Range<usize>>,
}

impl Name {
    /// The name as it is written, with single spaces.
    pub fn text(&self, text: &str) -> String {
        self.words.iter().map(|word| &text[word.clone()]).collect::<Vec<_>>().join(" ")
    }
}

/// The names of one field, in order.
pub(crate) fn of(sample: &Sample, field: usize, text: &Text) -> Vec<Name> {
    gold(sample, field).unwrap_or_else(|| found(text))
}

/// The names that the tags on the tokens mark (`B-PER`, `I-PER`); `None` if no token has such a tag.
fn gold(sample: &Sample, field: usize) -> Option<Vec<Name>> {
    let mut names: Vec<Name> = Vec::new();
    let mut tagged = false;
    let mut last: Option<&str> = None;
    for mark in sample.marks.iter().filter(|mark| mark.layer == "token" && mark.field == field) {
        let Some((place, class)) = mark.value.split_once('-').filter(|(place, _)| place.len() == 1) else {
            tagged |= mark.value == "O";
            last = None;
            continue;
        };
        tagged = true;
        let word = mark.span.start..mark.span.end;
        let goes_on = matches!(place, "I" | "E" | "M" | "L") && last == Some(class);
        last = Some(class);
        let Some(kind) = kind_of(class) else { continue };
        match names.last_mut().filter(|_| goes_on) {
            Some(name) => name.words.push(word),
            None => names.push(Name { kind, words: vec![word] }),
        }
    }
    tagged.then_some(names)
}

/// The kinds by the names that common tag sets give them.
fn kind_of(class: &str) -> Option<EntityKind> {
    match class.to_ascii_uppercase().as_str() {
        "PER" | "PERSON" | "NAME" => Some(EntityKind::Person),
        "LOC" | "GPE" | "LOCATION" | "PLACE" => Some(EntityKind::Place),
        "ORG" | "ORGANIZATION" | "ORGANISATION" | "CORPORATION" | "COMPANY" => Some(EntityKind::Organisation),
        _ => None,
    }
}

fn found(text: &Text) -> Vec<Name> {
    let annotated = Annotated::of(text);
    let tokens = annotated.analysis().tokens();
    let words = |at: Range<usize>| tokens[at].iter().map(|token| token.span.clone()).collect();
    // `The Jesus poses`: what an article stands before is no person.
    let is_person = |entity: &&Entity| {
        entity.kind != EntityKind::Person
            || entity.tokens.start.checked_sub(1).is_none_or(|before| annotated.penn(before) != Some(Penn::Dt))
    };
    let entities = annotated.analysis().entities().iter().filter(is_person);
    entities.map(|entity| Name { kind: entity.kind, words: words(entity.tokens.clone()) }).collect()
}

/// Replaces one name with another of as many words: an edit for each word that changes, and `a` or `an` before it
/// made to agree.
pub(crate) fn put(text: &str, name: &Name, new: &[String], edits: &mut Vec<Edit>) {
    if let (Some(first), Some(word)) = (name.words.first(), new.first()) {
        edits.extend(agreeing_article(text, first.start, word));
    }
    for (word, new) in name.words.iter().zip(new) {
        if text[word.clone()] != **new {
            edits.push(Edit::replace(word.clone(), new.as_str()));
        }
    }
}

/// The edits in order, with those of `a` or `an` that has to agree with what they put.
pub(crate) fn with_articles(text: &str, mut edits: Vec<Edit>) -> Vec<Edit> {
    let articles: Vec<Edit> =
        edits.iter().filter_map(|edit| agreeing_article(text, edit.span.start, &edit.with)).collect();
    edits.extend(articles);
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// The edit that turns `a` to `an` or back before a word that comes to stand at byte `at`, where one is wanted.
fn agreeing_article(text: &str, at: usize, word: &str) -> Option<Edit> {
    let before = text[..at].strip_suffix(' ')?;
    let start = before
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |place| place + before[place..].chars().next().map_or(1, char::len_utf8));
    let article = &before[start..];
    let right = articles::article_before(word, article);
    let is_article = ["a", "an"].iter().any(|known| known.eq_ignore_ascii_case(article));
    (is_article && right != article).then(|| Edit::replace(start..before.len(), right))
}

/// Whether a name of a person can be taken apart: a first name and a surname, or one of them alone, as the lists of
/// names know them.
pub(crate) fn is_plain_person(words: &[&str]) -> bool {
    let capital = |word: &&str| {
        word.len() > 1
            && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'\'')
            && word.starts_with(|first: char| first.is_ascii_uppercase())
            && word[1..].contains(|c: char| c.is_ascii_lowercase())
    };
    // `Robin Van Persie`: which of the words are the surname is not known.
    const PARTICLES: [&str; 14] =
        ["Van", "Von", "De", "Der", "Den", "La", "Le", "Di", "Da", "Del", "Bin", "Al", "El", "Mac"];
    words.iter().all(capital)
        && !words.iter().any(|word| PARTICLES.contains(word))
        && match words {
            [] => false,
            // `Art`, `Will` and `May` alone are as likely words.
            ["Oscar" | "Emmy"] => false,
            // `French` and `Norman` are peoples.
            [only] if places::country_of(only).is_some() || wordnet::senses(only, Kind::Adjective).next().is_some() => {
                false
            }
            [only] if ["NN", "VB", "JJ"].iter().any(|tag| inflection::is_lemma(&only.to_lowercase(), tag)) => false,
            [only] => is_usual(only) || people::surname_rank(only).is_some_and(|rank| rank < 5_000),
            [given @ .., last] => words.len() <= 3 && given.iter().all(|name| is_usual(name)) && is_family(last),
        }
}

/// Whether it is a first name that is not among the rarest, which are often words or places too.
fn is_usual(first_name: &str) -> bool {
    people::first_name_rank(first_name).is_some_and(|(_, rank)| rank < 800)
}

/// Whether it can be a surname: a known one, or at least no common noun (`Murray State`).
fn is_family(word: &str) -> bool {
    people::is_surname(word) || !inflection::is_lemma(&word.to_lowercase(), "NN")
}

/// Shops and restaurants that are called by a first name or a surname with `'s`. Written for this project.
const CHAINS: &str = "Denny Wendy Arby Chili Jerry Carl Friday McDonald Applebee Macy Kohl Lowe Dillard Sotheby Christie Moody \
    Lloyd Levi Ruth Domino Hardee Culver Popeye Cabela Bloomingdale Tiffany Claire Sardi Zaxby Nathan Reese Kellogg Hershey \
    Barney Sainsbury Harrod Morrison Wegman Raley Albertson Smith Zabar Katz Pat Geno Jim Tony Mel Norm Bob Dave Buster Perkins \
    Fuddrucker Friendly Church Braum Sonny Swenson Fatburger Papa Sam Dick Trader Victoria Chuck";

/// Whether a name with `'s` is that of a chain of shops or restaurants.
pub(crate) fn is_chain(name: &str) -> bool {
    CHAINS.split_whitespace().any(|chain| chain == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_agree_with_new_names() {
        let text = "It is a Helen Reddy album.";
        let edits = with_articles(text, vec![Edit::replace(8..13, "Aaron")]);
        let made: Vec<(usize, &str)> = edits.iter().map(|edit| (edit.span.start, &*edit.with)).collect();
        assert_eq!(made, [(6, "an"), (8, "Aaron")]);
    }
}
