mod order;

use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};

use super::units::Texts;

destroyer! {
    /// Shuffles the words of a text so that no two of them follow each other as before, if that is possible.
    ///
    /// A random order is repaired word by word, and searched for if that is not enough; a text such as `no no no` has
    /// no such order, and gets the one with the fewest old neighbours that was found. Words keep their case; punctuation
    /// and spaces stay where they are.
    pub struct Shuffle {
        /// Which text of a pair to destroy.
        texts: Texts = Texts::Second;
    }
    card: {
        expectation: Some(Destroyed),
        requires: &[Has::Class],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2"),
    }
    examples: [
        "The soup was hot." => "The hot was soup.",
        { seed = "1" } "There is no clear beginning and end, it's a continuous cycle."
            => "a it's end is cycle continuous and, no beginning There clear.",
        "We came. // The soup was hot." => "We came. // The hot was soup.",
        "no no no" => "no no no",
    ]
}

impl EditSample for Shuffle {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        self.texts.rearrange(sample, |text, units| {
            let words: Vec<String> = units.iter().map(|unit| unit.of(text).to_lowercase()).collect();
            order::apart(&words, dice)
        })
    }
}
