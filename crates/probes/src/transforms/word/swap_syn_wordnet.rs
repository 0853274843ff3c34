use fissure_core::{Amount, Dice, EditText, Place, Proposal, Text, transform};
use fissure_text::wordnet::Sense;

use crate::support::near;
use crate::support::reading::Reading;
use crate::support::senses::{self, Form};
use crate::support::swaps::{Drawn, Lemma, Swaps};

transform! {
    /// Puts a synonym in the place of a word, in the same form: `likes` for `loves`.
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
        Ok(self.swaps(&Reading::of(text)).draw(self.amount, dice))
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        Some(self.swaps(&Reading::of(text)).list())
    }
}

impl SwapSynWordnet {
    fn swaps<'a>(
        &'a self,
        reading: &'a Reading,
    ) -> Swaps<'a, impl Fn(&str) -> bool, impl Fn(&Drawn<'_>) -> Option<Vec<Lemma>>> {
        let may = |word: &str| senses::has_synonym(word, self.certainty);
        Swaps { reading, may, lemmas: |word: &Drawn<'_>| self.synonyms(reading, word) }
    }

    fn synonyms(&self, reading: &Reading, word: &Drawn<'_>) -> Option<Vec<Lemma>> {
        let sense = senses::main_sense(word.lemma, word.kind, self.certainty)?;
        let written = reading.word(word.at).to_ascii_lowercase();
        let takes = |synonym: &Sense| {
            let Some(form) = reading.inflect(word.at, synonym.word()) else { return false };
            senses::is_mostly(*synonym, self.certainty)
                && senses::reads_like(word.form(&written), Form { form: &form, lemma: synonym.word() })
                && near::used_alike(&written, &form)
                && reading.fit(word.at, &form) >= -self.tolerance
        };
        let fitting = sense.synonyms().filter(takes);
        Some(fitting.map(|synonym| Lemma { word: synonym.word().to_owned(), score: None }).collect())
    }
}
