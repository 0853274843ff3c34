use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};

use super::units::Texts;

destroyer! {
    /// Sorts the words of a text alphabetically.
    ///
    /// Words keep their case, which does not count in the order; punctuation and spaces stay where they are, so that a
    /// final full stop stays last.
    pub struct Sort {
        /// Which text of a pair to destroy.
        texts: Texts = Texts::Second;
    }
    card: {
        expectation: Some(Destroyed),
        requires: &[Has::Class],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 2"),
    }
    examples: [
        "Making certain distinctions is imperative in looking back on the past."
            => "back certain distinctions imperative in is looking Making on past the.",
        "The soup was hot." => "hot soup The was.",
        "We came. // The soup was hot." => "We came. // hot soup The was.",
        { texts = "both" } "We came. // The soup was hot." => "came We. // hot soup The was.",
        "ok" => "ok",
    ]
}

impl EditSample for Sort {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Proposal {
        self.texts.rearrange(sample, sorted)
    }
}

/// The numbers of the words in alphabetical order.
pub fn sorted(text: &str, units: &[fissure_core::Span]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    // Words that differ in case alone have an order too, so that it does not depend on where they stood.
    order.sort_by_cached_key(|unit| (units[*unit].of(text).to_lowercase(), units[*unit].of(text)));
    order
}
