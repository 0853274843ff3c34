use fissure_core::{Amount, Dice, EditText, Proposal, Text, transform};
use fissure_text::wordnet::Sense;

use crate::support::near;
use crate::support::reading::Reading;
use crate::support::senses::{self, Form};
use crate::support::swaps::{self, Drawn};

transform! {
    /// Replaces a word with a synonym, in the same form: `likes` for `loves`.
    ///
    /// Synonyms are WordNet's, of the sense in which the word is mostly used, and only those that are mostly used in that
    /// sense themselves, that texts use alike, and that fit between the words around. `a` and `an` stay right, words of
    /// set phrases (`prime minister`) stay, and a word that is repeated becomes the same synonym.
    pub struct SwapSynWordnet {
        ..Amount::share(0.1);
        /// Least share of the uses of the word, and of its synonym, that must be in the sense they share.
        certainty: f64 = 0.5, in 0.0..=1.0;
        /// How much worse than the word a synonym may fit between the words around it, as a natural logarithm.
        tolerance: f64 = 3.0, in 0.0..=100.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        languages: &[English],
        tasks: Tasks::Except(&["cws"]),
        aliases: &["SwapSynWordNet", "SwapSyn-WordNet"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.1"),
        human: Some(HumanScores { plausibility: (3.68, 3.45), grammaticality: (3.72, 3.75) }),
    }
    examples: [
        "The lawyer purchased two automobiles." => "The attorney purchased two automobiles.",
        { rate = "1" } "An enormous film began, and the film nearly ended." => "An enormous movie began, and the movie almost ended.",
        { rate = "1" } "Doctors attempted to conceal it." => "Physicians attempted to conceal it.",
        "The prime minister made a speech." => "The prime minister made a speech.",
    ]
}

impl EditText for SwapSynWordnet {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let reading = Reading::of(text);
        let choose = |word: Drawn<'_>, dice: &mut Dice| self.synonym(&reading, &word, dice);
        let may = |word: &str| senses::has_synonym(word, self.certainty);
        Ok(swaps::draw(&reading, self.amount, dice, may, choose))
    }
}

impl SwapSynWordnet {
    fn synonym(&self, reading: &Reading, word: &Drawn<'_>, dice: &mut Dice) -> Option<String> {
        let sense = senses::main_sense(word.lemma, word.kind, self.certainty)?;
        let written = reading.word(word.at).to_ascii_lowercase();
        let takes = |synonym: &Sense| {
            let Some(form) = reading.inflect(word.at, synonym.word()) else { return false };
            senses::is_mostly(*synonym, self.certainty)
                && senses::reads_like(word.form(&written), Form { form: &form, lemma: synonym.word() })
                && near::used_alike(&written, &form)
                && reading.fit(word.at, &form) >= -self.tolerance
        };
        let fitting: Vec<Sense> = sense.synonyms().filter(takes).collect();
        dice.pick(&fitting).map(|synonym| synonym.word().to_owned())
    }
}
