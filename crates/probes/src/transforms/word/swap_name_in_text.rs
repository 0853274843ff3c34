use fissure_core::{Aids, Amount, Dice, Edit, EditSample, Proposal, Sample, transform};
use fissure_text::EntityKind;

use crate::support::names::{self, Name};

transform! {
    /// Puts another person of the same text in the place of a person: one actress for another of the same review.
    ///
    /// Every mention of the chosen person gets the name of the other, the surname alone as well as the full name. On
    /// data with tags of names (`B-PER`), the tags say who is a person.
    pub struct SwapNameInText {
        ..Amount::share(0.1);
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        languages: &[English],
        tasks: Tasks::Except(&["cws"]),
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
        let mut edits = Vec::new();
        for (at, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let persons: Vec<Name> =
                names::of(sample, at, &field.text).into_iter().filter(|name| name.kind == EntityKind::Person).collect();
            let made = self.exchange(&field.text, &persons, dice);
            edits.extend(made.into_iter().map(|edit| edit.on(at)));
        }
        Ok(edits)
    }
}

impl SwapNameInText {
    fn exchange(&self, text: &str, persons: &[Name], dice: &mut Dice) -> Vec<Edit> {
        let people = people(text, persons);
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
            for name in persons {
                let words: Vec<&str> = name.words.iter().map(|word| &text[word.clone()]).collect();
                let place = |word: &&str| old.iter().position(|known| known == word);
                let Some(places) = words.iter().map(place).collect::<Option<Vec<_>>>() else { continue };
                let new: Vec<String> = places.into_iter().map(|at| new[at].to_owned()).collect();
                names::put(text, name, &new, &mut edits);
            }
        }
        edits.sort_by_key(|edit| edit.span);
        // Two persons with a word in common could both have been chosen: the first keeps the mention.
        edits.dedup_by_key(|edit| edit.span);
        edits
    }
}

/// The persons by the words of their names, each once; who is named by surname alone and in full counts in full.
fn people<'t>(text: &'t str, persons: &[Name]) -> Vec<Vec<&'t str>> {
    let mut people: Vec<Vec<&str>> = Vec::new();
    for name in persons {
        let words: Vec<&str> = name.words.iter().map(|word| &text[word.clone()]).collect();
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
