use fissure_core::{
    Amount, Dice, Edit, EditSample, Field, Place, Proposal, Resources, Sample, Why, disagreement, transform,
};
use fissure_text::EntityKind;

use crate::support::agreement;
use crate::support::names::{self, Name};

transform! {
    /// Replaces a person with another of the same text: one actress for another of the same review.
    ///
    /// Every mention of the chosen person gets the name of the other, the surname alone as well as the full name. On
    /// data with tags of names (`B-PER`), the tags say who is a person. The texts of a sample change alike.
    pub struct SwapNameInText {
        ..Amount::share(0.1);
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        renames: true,
        languages: &[English],
        citation: Some("Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.2.1"),
    }
    examples: [
        "Kirsten Dunst shines, and Megan Fox is fine. Dunst also sings." => "Kirsten Dunst shines, and Kirsten Dunst is fine. Dunst also sings.",
        { seed = "1" } "Kirsten Dunst shines, and Megan Fox is fine. Dunst also sings." => "Megan Fox shines, and Megan Fox is fine. Fox also sings.",
        { seed = "2" } "Anna told Peter that Mary had left." => "Anna told Peter that Peter had left.",
        "Anna told nobody." => "Anna told nobody.",
    ]
}

impl EditSample for SwapNameInText {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let edits = self.exchange(&named(sample), dice);
        match disagreement(sample, &edits, agreement::capitals).filter(|found| found.why == Why::Apart) {
            Some(apart) => Err(apart.into()),
            None => Ok(edits),
        }
    }

    /// A person stands at the first of the edits that rename them; the other mentions go along.
    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<Place>> {
        let texts = named(sample);
        let people = people(texts.iter().filter(|text| text.field.open));
        let is_apart = |edits: &[Edit]| {
            disagreement(sample, edits, agreement::capitals).is_some_and(|found| found.why == Why::Apart)
        };
        let mut places = Vec::new();
        for old in &people {
            let renamed = others(&people, old).into_iter().map(|at| rename(&texts, old, &people[at]));
            let lists: Vec<Vec<Edit>> = renamed.filter(|edits| !is_apart(edits)).collect();
            if let Some(first) = lists.iter().find_map(|edits| edits.first()) {
                places.push(Place::of_edits(sample, first.field, first.span, lists.iter().cloned()));
            }
        }
        Some(places)
    }
}

/// The texts of a sample with the persons they name.
fn named(sample: &Sample) -> Vec<Named<'_>> {
    let texts = agreement::texts(sample).map(|(at, field)| {
        let mut persons = names::of(sample, at, &field.text);
        // Whether a word of another script is a name, nobody here knows.
        let is_written =
            |name: &Name| name.words.iter().all(|word| field.text.language().writes(&field.text[word.clone()]));
        persons.retain(|name| name.kind == EntityKind::Person && is_written(name));
        Named { at, field, persons }
    });
    texts.collect()
}

/// A text with the persons it names.
struct Named<'s> {
    at: usize,
    field: &'s Field,
    persons: Vec<Name>,
}

impl SwapNameInText {
    fn exchange(&self, texts: &[Named<'_>], dice: &mut Dice) -> Vec<Edit> {
        let people = people(texts.iter().filter(|text| text.field.open));
        let able: Vec<usize> = (0..people.len()).filter(|at| !others(&people, &people[*at]).is_empty()).collect();
        let mut edits = Vec::new();
        for chosen in dice.choose(able.len(), self.amount.of(able.len())) {
            let old = &people[able[chosen]];
            let Some(new) = dice.pick(&others(&people, old)).map(|at| &people[*at]) else { continue };
            edits.extend(rename(texts, old, new));
        }
        in_order(edits)
    }
}

/// The persons, by index, who can stand for one: with as many names, and without a word in common, for `Smith` is not
/// another than `John Smith`.
fn others(people: &[Vec<&str>], one: &[&str]) -> Vec<usize> {
    let is_other = |at: &usize| people[*at].len() == one.len() && people[*at].iter().all(|word| !one.contains(word));
    (0..people.len()).filter(is_other).collect()
}

/// The edits that put one person in place of another in all texts.
fn rename(texts: &[Named<'_>], old: &[&str], new: &[&str]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for Named { at, field, persons } in texts {
        let mut made = Vec::new();
        for name in persons {
            let words = name.words.iter().map(|word| &field.text[word.clone()]);
            let place = |word: &str| old.iter().position(|known| *known == word);
            let Some(places) = words.map(place).collect::<Option<Vec<_>>>() else { continue };
            let new: Vec<String> = places.into_iter().map(|at| new[at].to_owned()).collect();
            names::put(&field.text, name, &new, &mut made);
        }
        edits.extend(made.into_iter().map(|edit| edit.on(*at)));
    }
    in_order(edits)
}

/// The edits in order. Two persons with a word in common could both have been chosen: the first keeps the mention.
fn in_order(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.field, edit.span));
    edits.dedup_by_key(|edit| (edit.field, edit.span));
    edits
}

/// The persons by the words of their names, each once; who is named by surname alone and in full counts in full.
fn people<'t>(texts: impl Iterator<Item = &'t Named<'t>>) -> Vec<Vec<&'t str>> {
    let mut people: Vec<Vec<&str>> = Vec::new();
    for (field, name) in texts.flat_map(|text| text.persons.iter().map(|name| (text.field, name))) {
        let words: Vec<&str> = name.words.iter().map(|word| &field.text[word.clone()]).collect();
        if words.iter().all(|word| is_capital(word)) && !people.contains(&words) {
            people.push(words);
        }
    }
    let full = people.clone();
    people
        .retain(|one| !full.iter().any(|other| other.len() > one.len() && one.iter().all(|word| other.contains(word))));
    people
}

fn is_capital(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(char::is_uppercase)
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '.'))
}
