use fissure_core::{Amount, Candidate, Dice, EditWord, Word, transform};
use fissure_text::lookalikes;

use super::{rewrite, slip, slips};

transform! {
    /// Replaces a character or a pair of them with what a scanner would read: `1` for `l`, `m` for `rn`.
    ///
    /// What is read is never another English word (`lock` for `look`) or another number (`186` for `136`).
    pub struct Ocr {
        ..Amount::share(0.1);
        /// Words with fewer letters are left alone.
        min_length: usize = 3, in 1..=usize::MAX;
        /// Whether words that carry a label (an answer, a term, a mention) may be hit too.
        labelled: bool = false;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        // The table of look-alikes is of Latin letters and digits.
        languages: &[English],
        aliases: &["Ocr"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
        human: Some(HumanScores { plausibility: (3.70, 3.60), grammaticality: (3.83, 3.32) }),
    }
    examples: [
        { seed = "7" } "A modern kitchen, clean and well lit." => "A rnodern kitchen, clean and well lit.",
        { seed = "1" } "The bill came to 1250 dollars in all." => "The bill came to 125o dollars in all.",
        { rate = "0.5", seed = "5" } "A modern kitchen, clean and well lit." => "A moderu kitcnen, clean aud well lit.",
    ]
}

impl EditWord for Ocr {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        word.letter_count() >= self.min_length
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let reads = misread(word).flat_map(|(at, piece, read)| read.iter().map(move |read| (at, piece, read)));
        Some(slips(reads.map(|(at, piece, read)| rewrite(word.text, at..at + piece.len(), read))))
    }

    /// Each piece as likely, then each way to read it.
    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        slip(|| {
            let (at, piece, read) = misread(word).nth(dice.below(misread(word).count()))?;
            Some(rewrite(word.text, at..at + piece.len(), dice.pick(read)?))
        })
    }

    fn spares_labels(&self) -> bool {
        !self.labelled
    }
}

/// The pieces of a word that can be misread: where each starts, and what is read for it.
fn misread<'a>(word: Word<'a>) -> impl Iterator<Item = (usize, &'a str, &'static [&'static str])> {
    let starts = word.text.char_indices().map(move |(at, _)| (at, &word.text[at..]));
    starts.flat_map(|(at, rest)| lookalikes::at_start(rest).map(move |(piece, read)| (at, piece, read)))
}
