use fissure_core::{Amount, Dice, EditText, Place, Proposal, Text, transform};

use crate::support::reading::Reading;
use crate::support::substitution;
use crate::support::swaps::{self, Drawn};

transform! {
    /// Replaces a word with a synonym in the same form: `likes` for `loves`.
    ///
    /// Synonyms come from a lexicon of pairs that were reviewed one by one with texts in which the word stands: some fit
    /// always, some only between certain words (`attempt` for `try` only before `to`). A higher `risk` adds pairs from
    /// WordNet that nobody reviewed. `a` and `an` stay right, words of set phrases (`prime minister`) stay, and a word that
    /// is repeated becomes the same synonym wherever it fits. `rate` is a share of all words of a text.
    pub struct SwapSynWordnet {
        ..Amount::share(0.1);
        /// The greatest chance that a swap reads badly. From 0.02 pairs that fit always are taken, from 0.05 those that fit
        /// between certain words, above some 0.25 the likeliest of those that nobody reviewed, at 1 all that WordNet has.
        risk: f64 = 0.1, in 0.0..=1.0;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Kept),
        languages: &[English],
        aliases: &["SwapSynWordNet", "SwapSyn-WordNet"],
        retired: &[
            ("certainty", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
            ("tolerance", "set `risk` instead, the greatest chance that a swap reads badly (default 0.1)"),
        ],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.1"),
        human: Some(HumanScores { plausibility: (3.68, 3.45), grammaticality: (3.72, 3.75) }),
    }
    examples: [
        "The lawyer purchased two automobiles." => "The attorney purchased two automobiles.",
        { rate = "1" } "An enormous film began, and the film nearly ended." => "An enormous flick started, and the flick almost ended.",
        { rate = "1" } "Doctors attempted to conceal it." => "Physicians tried to conceal it.",
        "The prime minister made a speech." => "The prime minister made a speech.",
    ]
}

impl EditText for SwapSynWordnet {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let reading = Reading::of(text);
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let choose = |word: Drawn<'_>, dice: &mut Dice| {
            let fitting = substitution::fitting(&reading, &word, self.risk, |_| true);
            substitution::draw(&fitting, dice)
        };
        let fits = |at: usize, lemma: &str| substitution::fits(&reading, at, lemma, self.risk);
        Ok(swaps::draw(&reading, self.amount, dice, may, choose, fits))
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        let reading = Reading::of(text);
        let may = |word: &str| substitution::is_possible(word, self.risk);
        let lemmas = |word: &Drawn<'_>| substitution::list(substitution::fitting(&reading, word, self.risk, |_| true));
        let fits = |at: usize, lemma: &str| substitution::fits(&reading, at, lemma, self.risk);
        Some(swaps::list(&reading, may, lemmas, fits))
    }
}
