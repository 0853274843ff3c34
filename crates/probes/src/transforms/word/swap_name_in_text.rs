use fissure_core::{Aids, Amount, Dice, Edit, EditSample, Field, Proposal, Sample, Why, disagreement, transform};
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
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Aids) -> Proposal {
        let texts: Vec<Named<'_>> = agreement::texts(sample)
            .map(|(at, field)| {
                let mut persons = names::of(sample, at, &field.text);
                persons.retain(|name| name.kind == EntityKind::Person);
                Named { at, field, persons }
            })
            .collect();
        let edits = self.exchange(&texts, dice);
        match disagreement(sample, &edits, agreement::capitals).filter(|found| found.why == Why::Apart) {
            Some(apart) => Err(apart.into()),
            None => Ok(edits),
        }
    }
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
        let others = |one: &[&str]| -> Vec<usize> {
            // A person without a word in common: `Smith` is not another than `John Smith`.
            (0..people.len())
                .filter(|at| people[*at].len() == one.len() && people[*at].iter().all(|word| !one.contains(word)))
                .collect()
        };
        let able: Vec<usize> = (0..people.len()).filter(|at| !others(&people[*at]).is_empty()).collect();
        let mut edits = Vec::new();
        for chosen in dice.choose(able.len(), self.amount.of(able.len())) {
            let old = &people[able[chosen]];
            let Some(new) = dice.pick(&others(old)).map(|at| &people[*at]) else { continue };
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
        }
        edits.sort_by_key(|edit| (edit.field, edit.span));
        // Two persons with a word in common could both have been chosen: the first keeps the mention.
        edits.dedup_by_key(|edit| (edit.field, edit.span));
        edits
    }
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
