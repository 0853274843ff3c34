use fissure_core::{Amount, Dice, Edit, EditSample, Language, Proposal, Resources, Sample, transform};
use fissure_text::casing;

use crate::support::parallel;

transform! {
    /// Replaces a name that a text and its translation share with the same unknown name in both.
    ///
    /// The new name is made up, of as many letters, so that no model has seen it, and can be read aloud. Only words with a
    /// capital that stand as often in one text as in the other and are no common word.
    pub struct SwapParallelSameWord {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Translation],
        opens: &["target"],
        aliases: &["SwapParallelSameWord"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "source:: Merkel came. // (target):: Merkel kam." => "source:: Imateb came. // (target):: Imateb kam.",
        { seed = "1" } "source:: Then Berlin grew. // (target):: Dann wuchs Berlin." => "source:: Then Ziketa grew. // (target):: Dann wuchs Ziketa.",
        { seed = "2" } "source:: I met Paolo. // (target):: Ich traf Paolo." => "source:: I met Litif. // (target):: Ich traf Litif.",
        "source:: The cat sleeps. // (target):: Die Katze schläft." => "source:: The cat sleeps. // (target):: Die Katze schläft.",
    ]
}

impl EditSample for SwapParallelSameWord {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let [source, target] = parallel::texts(sample)?;
        let name = |word: &str| {
            word.chars().count() > 2
                && casing::Case::of(word) == casing::Case::Title
                && word.chars().all(char::is_alphabetic)
                // The new name is in Latin letters.
                && Language::English.writes(word)
                && !fissure_text::inflection::is_lemma(&word.to_lowercase(), "NN")
        };
        let shared = parallel::shared(&source.text, &target.text, name);
        let mut edits: Vec<Edit> = Vec::new();
        for at in dice.choose(shared.len(), self.amount.of(shared.len())) {
            let (word, places) = &shared[at];
            let new = made_up(word.chars().count(), dice);
            edits.extend(places.iter().map(|(field, span)| Edit::replace(*span, new.clone()).on(*field)));
        }
        edits.sort_by_key(|edit| (edit.field, edit.span));
        Ok(edits)
    }
}

/// A word of consonants and vowels in turn, with a capital.
fn made_up(letters: usize, dice: &mut Dice) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    let first = dice.below(2);
    let letter = |at: usize, dice: &mut Dice| {
        let of = if (at + first).is_multiple_of(2) { CONSONANTS } else { VOWELS };
        char::from(of[dice.below(of.len())])
    };
    let word: String = (0..letters.clamp(4, 12)).map(|at| letter(at, dice)).collect();
    casing::title(&word).into_owned()
}
