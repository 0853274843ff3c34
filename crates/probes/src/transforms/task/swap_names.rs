use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Span, choices, transform};
use fissure_text::names::people;

use crate::support::candidates::{self, Candidates};
use crate::support::names;

transform! {
    /// Gives the two people that a pronoun may refer to other names, or exchanges their names, wherever they stand.
    ///
    /// New names are of the same gender. The pronoun still refers to the same place of the text. Only people with a first name
    /// that is known, alone or with a surname, change, and only if both have the gender of the pronoun.
    pub struct SwapNames {
        /// Which names the two get.
        with: With = With::New;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        requires: &[Has::Layer(layer::MENTION)],
        languages: &[English],
        aliases: &["SwapNames", "WscSwapNames"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3; Abdou et al. 2020"),
    }
    examples: [
        { with = "each_other" } "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Eve|mention:1] thanked [Ann|mention:0] because [she|mention:0] helped.",
        "[Ann|mention:1] thanked [Eve|mention:0] because [she|mention:0] helped." => "[Brenda|mention:1] thanked [Deborah|mention:0] because [she|mention:0] helped.",
        "[Tom Brown|mention:1] met [Carl Keller|mention:0]. Brown left when [he|mention:0] came." => "[Frank Walker|mention:1] met [John Garcia|mention:0]. Walker left when [he|mention:0] came.",
    ]
}

choices! {
    /// Which names two people get.
    pub enum With { New = "new", EachOther = "each_other" }
}

/// A new name must be among this many most common ones.
const COMMON: usize = 100;

impl EditSample for SwapNames {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let found = Candidates::of(sample)?;
        let text = sample.fields[0].text.as_str();
        let names = found.names.map(|mark| sample.words_of(mark).split_whitespace().collect::<Vec<&str>>());
        let gender = found.gender(sample);
        let known = |words: &Vec<&str>| {
            let plain =
                words.iter().all(|word| word.chars().all(char::is_alphabetic) && word.starts_with(char::is_uppercase));
            plain && (1..=2).contains(&words.len()) && words.first().and_then(|first| people::gender(first)) == gender
        };
        let share = names[0].iter().any(|word| names[1].contains(word));
        if gender.is_none() || share || !names.iter().all(known) || names[0].len() != names[1].len() {
            return Ok(Vec::new());
        }
        let new: Vec<Vec<String>> = match self.with {
            With::EachOther => {
                [&names[1], &names[0]].map(|name| name.iter().map(|word| (*word).to_owned()).collect()).into()
            }
            With::New => names
                .iter()
                .map(|name| new_name(name.len(), gender, text, dice))
                .collect::<Option<_>>()
                .unwrap_or_default(),
        };
        if new.len() != 2 || new[0] == new[1] {
            return Ok(Vec::new());
        }
        let pairs = names.iter().zip(&new).flat_map(|(old, new)| old.iter().zip(new));
        let given: BTreeMap<&str, &str> = pairs.map(|(old, new)| (*old, new.as_str())).collect();
        Ok(renamed(text, &given))
    }
}

/// Every whole word that is one of the names, renamed.
fn renamed(text: &str, given: &BTreeMap<&str, &str>) -> Vec<Edit> {
    let mut places: Vec<(Span, &str)> = Vec::new();
    for (old, new) in given {
        places.extend(candidates::places(text, old).into_iter().map(|span| (span, *new)));
    }
    places.sort_by_key(|(span, _)| *span);
    names::with_articles(text, places.into_iter().map(|(span, new)| Edit::replace(span, new)).collect())
}

/// A first name of the gender that the text does not have, and a surname if the old name has one.
fn new_name(
    words: usize,
    gender: Option<fissure_text::names::Gender>,
    text: &str,
    dice: &mut Dice,
) -> Option<Vec<String>> {
    let firsts = people::first_names(gender?).get(..COMMON)?;
    let lasts = people::surnames().get(..COMMON)?;
    let fresh = |names: &'static [people::Name], dice: &mut Dice| {
        (0..50)
            .find_map(|_| dice.pick(names).map(|one| one.text.to_owned()).filter(|name| !text.contains(name.as_str())))
    };
    let first = fresh(firsts, dice)?;
    Some(if words == 1 { vec![first] } else { vec![first, fresh(lasts, dice)?] })
}
