//! Names and numbers that several texts of a sample share, as the parts that rename them look at them.

use fissure_core::{Edit, Field, Sample, Span, Text, apply};
use fissure_text::names::places::{self, Place};
use fissure_text::{Penn, numbers};

use super::reading::Reading;

/// The texts that a plan covers: the open ones, and beside them those that are closed, which follow.
pub(crate) fn texts(sample: &Sample) -> impl Iterator<Item = (usize, &Field)> {
    sample.fields.iter().enumerate().filter(|_| sample.fields.iter().any(|field| field.open))
}

/// The words that a name may have: those with a capital.
pub(crate) fn capitals(text: &Text) -> Vec<Span> {
    tokens(text, |word| word.starts_with(char::is_uppercase))
}

/// The tokens that `is_mention` takes.
pub(crate) fn tokens(text: &Text, is_mention: impl Fn(&str) -> bool) -> Vec<Span> {
    let reading = Reading::of(text);
    let spans = reading.analysis().tokens().iter().map(|token| Span::from(token.span.clone()));
    spans.filter(|span| is_mention(span.of(text))).collect()
}

/// The numbers, in digits or words.
pub(crate) fn numbers(text: &Text) -> Vec<Span> {
    numbers::find(text).into_iter().map(|(range, _)| range.into()).collect()
}

/// Whether `phrase` stands in a text of the sample, as whole words.
pub(crate) fn says(sample: &Sample, phrase: &str) -> bool {
    let ends = |text: &str| !text.starts_with(char::is_alphanumeric);
    let starts = |text: &str| !text.ends_with(char::is_alphanumeric);
    sample.fields.iter().any(|field| {
        let mut places = field.text.match_indices(phrase);
        places.any(|(at, _)| starts(&field.text[..at]) && ends(&field.text[at + phrase.len()..]))
    })
}

/// Whether the sample speaks of a country by a name that the list of places does not have: `U.S.`.
pub(crate) fn says_other_name(sample: &Sample, country: &str) -> bool {
    const OTHERS: [(&str, &[&str]); 2] = [
        ("United States", &["U.S.", "U.S", "US", "USA", "U.S.A.", "America", "Americas"]),
        ("United Kingdom", &["U.K.", "U.K", "UK", "Britain", "England", "Scotland", "Wales"]),
    ];
    let others = OTHERS.iter().find(|(name, _)| *name == country);
    others.is_some_and(|(_, others)| others.iter().any(|other| says(sample, other)))
}

/// Whether the sample speaks of the country that a place is in.
pub(crate) fn says_country(sample: &Sample, place: &Place) -> bool {
    let adjective = places::find(place.country).map_or("", |(_, country)| country.adjective);
    says(sample, place.country)
        || (!adjective.is_empty() && says(sample, adjective))
        || says_other_name(sample, place.country)
}

/// Whether a text claims something that another one has to support: then what is added to it may be too much.
pub(crate) fn is_claim(field: &Field) -> bool {
    ["hypothesis", "question"].contains(&&*field.name)
}

/// Whether every name and number that several texts share is in all of them after the edits, or in none.
pub(crate) fn stays_shared(sample: &Sample, edits: &[Edit]) -> bool {
    if sample.fields.len() < 2 {
        return true;
    }
    let Ok(made) = apply(sample, edits.to_vec()) else { return false };
    let said = |sample: &Sample| sample.fields.iter().map(|field| names_and_numbers(&field.text)).collect::<Vec<_>>();
    let before = said(sample);
    let after: Vec<Vec<String>> = said(&made.sample);
    let mentions = before.iter().flatten();
    let stays = |mention: &String| {
        let texts = before.iter().zip(&after).filter(|(old, _)| old.contains(mention));
        let (all, still) =
            texts.fold((0, 0), |(all, still), (_, new)| (all + 1, still + usize::from(new.contains(mention))));
        all < 2 || still == 0 || still == all
    };
    mentions.into_iter().all(stays)
}

fn names_and_numbers(text: &Text) -> Vec<String> {
    let reading = Reading::of(text);
    let is_name = |at: &usize| matches!(reading.penn(*at), Some(Penn::Nnp | Penn::Nnps));
    let names = (0..reading.len()).filter(is_name).map(|at| reading.word(at).to_lowercase());
    names.chain(numbers(text).into_iter().map(|span| span.of(text).to_lowercase())).collect()
}
