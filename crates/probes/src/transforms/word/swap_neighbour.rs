use fissure_core::{
    Amount, Candidate, Dice, Draws, EditSample, EditWord, Law, Place, Proposal, Resources, Sample, Word, transform,
};
use fissure_text::{casing, neighbours};

use crate::support::near_words;

transform! {
    /// Replaces a word with one that is used alike: a near neighbour in a space of word vectors.
    ///
    /// Any neighbour will do, whatever it means: `north` for `south`, `Tuesday` for `Monday`. Where the meaning has to
    /// stay, take `swap_syn_word_embedding`. The neighbours are a built-in table (GloVe, the 40,000 most frequent words,
    /// without antonyms), or those of the vectors given with `--vectors`.
    pub struct SwapNeighbour {
        ..Amount { rate: 0.1, min: 1, max: usize::MAX };
        /// Least likeness of a neighbour: the cosine of the two vectors.
        threshold: f64 = 0.6, in 0.0..=1.0;
        /// How many of the nearest to draw from.
        nearest: usize = 10, in 1..=10;
        /// How many of the most frequent words (`the`, `of`, `was`) are left alone, and never put in.
        skip: usize = 150;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        languages: &[English],
        citation: Some("Geometry Matters: Exploring Language Examples at the Decision Boundary, section 4.2.1"),
    }
    examples: [
        "The film opens on Monday in London." => "The adaptation opens on Monday in London.",
        { nearest = "1", rate = "1" } "Her father bought a bicycle." => "Her son purchased a bike.",
        { nearest = "1", rate = "1" } "Rain fell on Monday in London." => "Rains slipped on Tuesday in Sydney.",
        { threshold = "1" } "The film opens in London." => "The film opens in London.",
    ]
}

impl EditSample for SwapNeighbour {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        Lent { part: self, resources }.edit_sample(sample, dice, resources)
    }

    fn candidates_of(&self, sample: &Sample, resources: &Resources) -> Option<Vec<Place>> {
        Lent { part: self, resources }.candidates_of(sample, resources)
    }

    fn law_of(&self, sample: &Sample, resources: &Resources, draws: &mut Draws) -> Option<Law> {
        Lent { part: self, resources }.law_of(sample, resources, draws)
    }
}

/// The part with its resources.
#[derive(Debug)]
struct Lent<'a> {
    part: &'a SwapNeighbour,
    resources: &'a Resources,
}

impl EditWord for Lent<'_> {
    fn amount(&self) -> Amount {
        self.part.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        word.is_alphabetic() && !self.is_frequent(&word.text.to_lowercase())
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let mut likely: Vec<Candidate> = Vec::new();
        near_words::each(self.resources, &word.text.to_lowercase(), |near, like| {
            // `in` is a neighbour of `place`, and no noun.
            let fits = f64::from(like) >= self.part.threshold && !self.is_frequent(near);
            if fits && likely.len() < self.part.nearest {
                likely.push(Candidate::new(casing::follow(word.text, near)).scored(like));
            }
        });
        Some(likely)
    }
}

impl Lent<'_> {
    /// Whether a word in lower case is one of the most frequent ones.
    fn is_frequent(&self, word: &str) -> bool {
        let rank = || neighbours::frequency_rank(word).map_or(usize::MAX, |rank| rank as usize);
        self.part.skip > 0 && rank() < self.part.skip
    }
}
