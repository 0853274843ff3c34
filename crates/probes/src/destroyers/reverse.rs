use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};

use super::units::Texts;

destroyer! {
    /// Reverses the order of the words of a text.
    ///
    /// Words keep their case; punctuation and spaces stay where they are.
    pub struct Reverse {
        /// Which text of a pair to destroy.
        texts: Texts = Texts::Second;
    }
    card: {
        expectation: Some(Destroyed),
        requires: &[Has::Class],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2"),
    }
    examples: [
        "The soup was hot." => "hot was soup The.",
        "Well, it's a by-the-numbers effort!" => "effort, by-the-numbers a it's Well!",
        { texts = "first" } "We came. // The soup was hot." => "came We. // The soup was hot.",
        "ok" => "ok",
    ]
}

impl EditSample for Reverse {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
        self.texts.rearrange(sample, |_, units| (0..units.len()).rev().collect())
    }
}
