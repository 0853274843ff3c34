use fissure_core::{Amount, Candidate, Choice, Dice, Edit, EditWord, Place, Span, Text, Word, choices, transform};
use fissure_text::keyboard;

use super::{is_typed, rewrite, slip, slips};
use crate::support::chinese::{self, Han};
use crate::support::chinese_slips;

transform! {
    /// Replaces a letter with one from a neighbouring key.
    ///
    /// One letter of a word changes, and never into another English word (`cone` for `done`). With shift held the
    /// neighbour has shift held too, so a capital stays a capital. A Chinese word is mistyped in pinyin: a neighbouring key is hit
    /// for a letter of one syllable, and a common character of that syllable takes the place of the right one.
    pub struct Keyboard {
        ..Amount::share(0.1);
        /// The keyboard on which the finger slips.
        layout: Layout = Layout::Qwerty;
        /// Words with fewer letters are left alone.
        min_length: usize = 4, in 1..=usize::MAX;
        /// Whether a digit or a sign may be hit as well as a letter.
        signs: bool = false;
        /// Whether words that carry a label (an answer, a term, a mention) may be hit too.
        labelled: bool = false;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        // The layouts are for Latin letters; Chinese is typed with them.
        languages: &[English, Chinese],
        aliases: &["Keyboard"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
        human: Some(HumanScores { plausibility: (3.69, 3.57), grammaticality: (3.80, 3.42) }),
    }
    examples: [
        "A wonderful story, told with patience and humour." => "A wlnderful story, told with patience and humour.",
        { layout = "azerty", seed = "6" } "A story, told with patience." => "A story, told with pétience." ,
        { rate = "0.5" } "LONDON calling: the match is cancelled." => "LLNDON callijg: the match is cancelled.",
        { signs = "true", seed = "1" } "The waiter brought us cold coffee." => "The wait3r brought us cold coffee.",
        "It is 2004, not the 1980's." => "It is 2004, not the 1980's.",
        { rate = "1" } "Mail jo@example.org &quot;now&quot;" => "Maol jo@example.org &quot;now&quot;",
        "酒店的服务很好，价格便宜。" => "纽店的服务很好，价格便宜。",
    ]
}

choices! {
    /// The layouts of the keys.
    pub enum Layout { Qwerty = "qwerty", Qwertz = "qwertz", Azerty = "azerty" }
}

impl EditWord for Keyboard {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        is_typed(word, self.min_length)
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        Some(slips(self.strikes(word)))
    }

    /// Each key as likely, then each of its neighbours.
    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        let count = self.keys(word).count();
        slip(|| {
            let (at, key, near) = self.keys(word).nth(dice.below(count))?;
            let hit = *dice.pick(near)?;
            Some(strike(word, at, key, hit))
        })
    }

    fn edit_unspaced(&self, text: &Text, dice: &mut Dice) -> Option<Vec<Edit>> {
        chinese::is_chinese(text).then(|| chinese::draw(text, self.amount, dice, |han, at| self.mistyped(han, at)))
    }

    fn candidates_unspaced(&self, text: &Text) -> Option<Vec<Place>> {
        chinese::is_chinese(text).then(|| chinese::list(text, |han, at| self.mistyped(han, at)))
    }

    fn spares_labels(&self) -> bool {
        !self.labelled
    }
}

impl Keyboard {
    /// The words that a wrong key makes in pinyin.
    fn mistyped(&self, han: &Han, at: usize) -> Vec<String> {
        let way = ("keyboard", 2 * self.layout as usize + usize::from(self.signs));
        chinese_slips::mistyped(han, at, way, |syllable| {
            let word = Word { text: syllable, span: Span::new(0, syllable.len()) };
            self.strikes(word).collect()
        })
    }

    /// The letters of a word that can be missed, with the byte at which each starts and what is hit instead.
    fn keys<'a>(&self, word: Word<'a>) -> impl Iterator<Item = (usize, char, &'static [char])> + use<'a> {
        let (keyboard, signs) = (keyboard::layout(self.layout.name()), self.signs);
        word.letters().filter_map(move |(at, letter)| {
            // A letter with a combining mark was not typed with one key.
            let key = letter.parse().ok().filter(|key: &char| key.is_alphabetic())?;
            let near = if signs { keyboard?.neighbours(key) } else { keyboard?.neighbouring_letters(key) };
            (!near.is_empty()).then_some((at, key, near))
        })
    }

    /// The word with every wrong key, in order of place.
    fn strikes<'a>(&self, word: Word<'a>) -> impl Iterator<Item = String> + use<'a> {
        self.keys(word).flat_map(move |(at, key, near)| near.iter().map(move |hit| strike(word, at, key, *hit)))
    }
}

/// The word with `hit` in place of the letter at byte `at`.
fn strike(word: Word<'_>, at: usize, key: char, hit: char) -> String {
    rewrite(word.text, at..at + key.len_utf8(), hit.encode_utf8(&mut [0; 4]))
}
