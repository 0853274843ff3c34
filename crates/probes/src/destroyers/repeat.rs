use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};

use super::units::{Texts, exchanged};

destroyer! {
    /// Writes the words that matter most to the model over those that matter least.
    pub struct Repeat {
        /// The share of the words to overwrite.
        rate: f64 = 0.5, in 0.0..=1.0;
        /// How many of the most important words to draw from.
        top: usize = 3, in 1..=1000;
        /// Which text of a pair to destroy.
        texts: Texts = Texts::Second;
    }
    card: {
        expectation: Some(Destroyed),
        requires: &[Has::Class],
        needs: &[TokenImportance],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3"),
    }
    examples: [
        { top = "1" } "The kettle on it was boiling, again." => "boiling kettle boiling boiling boiling boiling, again.",
        "The kettle on it was boiling, again." => "again kettle again kettle kettle boiling, again.",
        "We came. // The kettle was boiling." => "We came. // kettle kettle kettle boiling.",
        "ok" => "ok",
    ]
}

impl EditSample for Repeat {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        self.texts.change_least(sample, self.rate, resources, |text, units, least, rest| {
            let most = &rest[rest.len().saturating_sub(self.top)..];
            let repeated = |unit: &usize| {
                let other = dice.pick(most).map_or("", |most| units[*most].of(text));
                exchanged(text, units[*unit], other)
            };
            least.iter().flat_map(repeated).collect()
        })
    }
}
