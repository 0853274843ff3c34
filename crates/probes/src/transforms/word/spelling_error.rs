use fissure_core::{Amount, Candidate, Dice, Edit, EditWord, Place, Text, Word, transform};
use fissure_text::{casing, misspellings};

use crate::support::{chinese, chinese_slips};

transform! {
    /// Replaces a word with a common misspelling: `definately` for `definitely`.
    ///
    /// The misspelling is never another right word, and follows the case of the word. In a Chinese word a character is replaced
    /// with a common one that is typed alike on a pinyin keyboard, whatever the tone: `服勿` for `服务`.
    pub struct SpellingError {
        ..Amount::share(0.1);
        /// Whether words that carry a label (an answer, a term, a mention) may be hit too.
        labelled: bool = false;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Kept),
        languages: &[English, Chinese],
        aliases: &["SpellingError"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
        human: Some(HumanScores { plausibility: (3.67, 3.55), grammaticality: (3.70, 3.51) }),
    }
    examples: [
        { seed = "4" } "We will definitely receive a separate invoice."
            => "We will definately receive a separate invoice.",
        { rate = "0.5" } "We will definitely receive a separate invoice."
            => "We eill defenitely recieve a seperate invoice.",
        { seed = "6" } "RECEIVE the committee's recommendation tomorrow."
            => "RECIEVE the committee's recommendation tomorrow.",
        "酒店的服务很好，价格便宜。" => "酒店得服务很好，价格便宜。",
    ]
}

impl EditWord for SpellingError {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        // Looking every word up costs more than all the rest: a word without a misspelling is passed over when drawn.
        word.text.starts_with(char::is_alphabetic)
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let known = misspellings::of(word.text).iter();
        Some(known.map(|wrong| Candidate::new(casing::follow(word.text, wrong))).collect())
    }

    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        let known = misspellings::of(word.text);
        // The most frequent misspellings come first, and the lower of two throws favours them.
        let wrong = known.get(dice.below(known.len()).min(dice.below(known.len())))?;
        Some(casing::follow(word.text, wrong).into_owned())
    }

    fn edit_unspaced(&self, text: &Text, dice: &mut Dice) -> Option<Vec<Edit>> {
        chinese::is_chinese(text).then(|| chinese::draw(text, self.amount, dice, chinese_slips::typed_alike))
    }

    fn candidates_unspaced(&self, text: &Text) -> Option<Vec<Place>> {
        chinese::is_chinese(text).then(|| chinese::list(text, chinese_slips::typed_alike))
    }

    fn spares_labels(&self) -> bool {
        !self.labelled
    }
}
