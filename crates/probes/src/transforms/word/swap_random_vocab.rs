use fissure_core::{Amount, Candidate, Dice, EditWord, Word, transform};
use fissure_text::{casing, neighbours};

transform! {
    /// Replaces a word with a random one: chance as the measure of every other change.
    ///
    /// The new word is any of the most frequent ones of English, each as likely, and follows the case of the old.
    pub struct SwapRandomVocab {
        ..Amount { rate: 0.1, min: 1, max: usize::MAX };
        /// How many of the most frequent words to draw from.
        vocabulary: usize = 10_000, in 2..=40_000;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        languages: &[English],
        citation: Some("Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.3.1"),
    }
    examples: [
        "The plot is thin, and the jokes are old." => "Bashir plot is thin, and the jokes are old.",
        { rate = "0.3" } "The plot is thin, and the jokes are old." => "Bashir plot is thin, six the speedway are old.",
        { vocabulary = "100", rate = "0.3" } "The plot is thin, and the jokes are old." => "So plot is thin, to the most are old.",
    ]
}

impl EditWord for SwapRandomVocab {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        word.is_alphabetic()
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let vocabulary = (0..self.vocabulary).filter_map(neighbours::word_of_rank);
        let others = vocabulary.map(|other| casing::follow(word.text, other));
        Some(others.filter(|new| !new.eq_ignore_ascii_case(word.text)).map(Candidate::new).collect())
    }

    /// One throw, without a list of thousands.
    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        let drawn = neighbours::word_of_rank(dice.below(self.vocabulary))?;
        Some(casing::follow(word.text, drawn).into_owned()).filter(|new| !new.eq_ignore_ascii_case(word.text))
    }
}
