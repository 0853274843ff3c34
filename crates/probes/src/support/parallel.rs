//! A text and its translation: what both say in the same letters.

use std::collections::BTreeMap;

use fissure_core::{Field, Sample, Skip, Span, Text, Words};

/// The text and its translation.
pub(crate) fn texts(sample: &Sample) -> Result<[&Field; 2], Skip> {
    match &sample.fields[..] {
        [source, target] if &*target.name == "target" => match source.open {
            true => Ok([source, target]),
            false => Err(Skip("the text may not be edited".into())),
        },
        _ => Err(Skip("there is no translation".into())),
    }
}

/// A word with the places where it stands, by field.
pub(crate) type Shared = (String, Vec<(usize, Span)>);

/// The words that `takes` takes and that stand as often in one text as in the other, in order.
pub(crate) fn shared(source: &Text, target: &Text, takes: impl Fn(&str) -> bool) -> Vec<Shared> {
    let mut found: BTreeMap<String, Vec<(usize, Span)>> = BTreeMap::new();
    for (field, text) in [source, target].into_iter().enumerate() {
        for word in Words::new(text).filter(|word| takes(word.text) && stands_alone(text, word.span)) {
            found.entry(word.text.to_owned()).or_default().push((field, word.span));
        }
    }
    let even = |places: &Vec<(usize, Span)>| {
        let first = places.iter().filter(|(field, _)| *field == 0).count();
        first > 0 && 2 * first == places.len()
    };
    found.into_iter().filter(|(_, places)| even(places)).collect()
}

/// Whether a word is not part of something longer: `3.5`, `10:30`, `Anna-Maria`, an address.
fn stands_alone(text: &str, span: Span) -> bool {
    let before = text[..span.start].chars().next_back();
    let mut after = text[span.end..].chars();
    let next = after.next();
    let joins = |sign: char| matches!(sign, '.' | ',' | ':' | '-' | '/' | '@' | '#' | '\'' | '\u{2019}' | '_' | '%');
    let goes_on = next.is_some_and(joins) && after.next().is_some_and(char::is_alphanumeric);
    !before.is_some_and(joins) && !goes_on
}
