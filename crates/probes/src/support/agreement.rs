//! Names and numbers that several texts of a sample share, as the parts that rename them look at them.

use fissure_core::{Edit, Field, Sample, Span, Text, apply};
use fissure_text::names::places::{self, Place};
use fissure_text::{Penn, numbers};

use super::annotated::Annotated;
use super::{chinese, chinese_numbers};

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
    let annotated = Annotated::of(text);
    let spans = annotated.analysis().tokens().iter().map(|token| Span::from(token.span.clone()));
    spans.filter(|span| is_mention(span.of(text))).collect()
}

/// The numbers, in digits or words.
pub(crate) fn numbers(text: &Text) -> Vec<Span> {
    if chinese::is_chinese(text) {
        return chinese_numbers::runs(text).into_iter().map(Span::from).collect();
    }
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

/// Whether the sample has the initials of a name (`EU` beside `European Union`), or what a name is the initials of.
pub(crate) fn says_initials(sample: &Sample, name: &str) -> bool {
    let starts = |word: &&str| word.starts_with(char::is_uppercase);
    let initials: String = name.split(' ').filter(starts).filter_map(|word| word.chars().next()).collect();
    if initials.chars().count() > 1 {
        return says(sample, &initials);
    }
    let letters: Vec<char> = name.chars().collect();
    let is_short = (2..=6).contains(&letters.len()) && letters.iter().all(|letter| letter.is_uppercase());
    is_short
        && sample.fields.iter().any(|field| {
            let firsts: Vec<char> = field.text.words().filter_map(|word| word.text.chars().next()).collect();
            // `Department of Energy` is `DOE` or `DE`.
            let capitals: Vec<char> = firsts.iter().copied().filter(|first| first.is_uppercase()).collect();
            let spelled = |firsts: &[char]| firsts.windows(letters.len()).any(|window| window == letters);
            spelled(&firsts) || spelled(&capitals)
        })
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
    let annotated = Annotated::of(text);
    let is_name = |at: &usize| matches!(annotated.penn(*at), Some(Penn::Nnp | Penn::Nnps));
    let names = (0..annotated.len()).filter(is_name).map(|at| annotated.word(at).to_lowercase());
    names.chain(numbers(text).into_iter().map(|span| span.of(text).to_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: &str, second: &str) -> Sample {
        Sample { fields: vec![Field::open("first", first), Field::open("second", second)], ..Sample::default() }
    }

    #[test]
    fn other_names_of_the_same_thing_are_seen() {
        let sample = pair("The European Union met.", "The EU met in the U.S. and in France.");
        assert!(says_initials(&sample, "European Union") && says_initials(&sample, "EU"));
        assert!(!says_initials(&sample, "World Bank") && !says_initials(&sample, "NSA"));
        assert!(says_other_name(&sample, "United States") && !says_other_name(&sample, "France"));
        let country = |name: &str| places::find(name).is_some_and(|(_, place)| says_country(&sample, place));
        assert!(country("Paris") && country("Chicago") && !country("Berlin"));
    }

    #[test]
    fn whole_words_are_said() {
        let sample = pair("Parisians", "in Romania");
        assert!(says(&sample, "Romania") && !says(&sample, "Paris") && !says(&sample, "Roman"));
    }

    #[test]
    fn a_shared_name_that_is_lost_in_one_text_is_seen() {
        let sample = pair("He met Mary in 2004.", "Then Mary left in 2004.");
        let lost = [Edit::replace(7..11, "Anna")];
        let moved = [Edit::replace(7..11, "Anna"), Edit::replace(5..9, "Anna").on(1)];
        assert!(!stays_shared(&sample, &lost) && stays_shared(&sample, &moved) && stays_shared(&sample, &[]));
    }
}
