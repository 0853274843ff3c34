use fissure_core::{Dice, Edit, EditSample, Proposal, Resources, Sample, Span, destroyer};

use super::units::Texts;

destroyer! {
    /// Drops the words that matter least to the model.
    ///
    /// At least one word is left. The space before a dropped word goes with it, punctuation stays.
    pub struct Drop {
        /// The share of the words to drop.
        rate: f64 = 0.5, in 0.0..=1.0;
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
        "The kettle on it was boiling, again." => "kettle boiling, again.",
        { rate = "0.2" } "The kettle on it was boiling, again." => "The kettle it was boiling, again.",
        "We came. // The kettle was boiling." => "We came. // kettle boiling.",
        "ok" => "ok",
    ]
}

impl EditSample for Drop {
    fn edit_sample(&self, sample: &Sample, _: &mut Dice, resources: &Resources) -> Proposal {
        self.texts.change_least(sample, self.rate, resources, |text, units, least, _| {
            let mut dropped = vec![false; units.len()];
            least.iter().for_each(|unit| dropped[*unit] = true);
            without(text, units, &dropped)
        })
    }
}

/// The edits that take words out, each with the space before it; those before the first word that stays take the space
/// behind them instead, so that the text does not start with one.
fn without(text: &str, units: &[Span], dropped: &[bool]) -> Vec<Edit> {
    let first = dropped.iter().position(|dropped| !dropped).unwrap_or(0);
    let places = units.iter().enumerate().filter(|(unit, _)| dropped[*unit]);
    places
        .map(|(unit, Span { start, end })| {
            if unit < first {
                let rest = &text[*end..];
                Edit::delete(*start..end + rest.len() - rest.trim_start().len())
            } else {
                Edit::delete(text[..*start].trim_end().len()..*end)
            }
        })
        .collect()
}
