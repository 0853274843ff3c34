use std::sync::OnceLock;

use fissure_core::{Dice, EditSample, Proposal, Resources, Sample, destroyer};
use fissure_text::ngrams;

use super::units::{Texts, exchanged};

destroyer! {
    /// Writes random words over those that matter least to the model.
    ///
    /// The words are drawn evenly from the vocabulary of the built-in model of English.
    pub struct Replace {
        /// The share of the words to overwrite.
        rate: f64 = 0.5, in 0.0..=1.0;
        /// Which text of a pair to destroy.
        texts: Texts = Texts::Second;
    }
    card: {
        expectation: Some(Destroyed),
        languages: &[English],
        requires: &[Has::Class],
        needs: &[TokenImportance],
        citation: Some("Gupta, Kvernadze and Srikumar 2021 (Word Salad), Table 3"),
    }
    examples: [
        "The kettle on it was boiling, again." => "maces kettle portrayed braised educated boiling, again.",
        { rate = "0.2" } "The kettle on it was boiling, again." => "The kettle maces it was boiling, again.",
        "We came. // The kettle was boiling." => "We came. // maces kettle portrayed boiling.",
        "ok" => "ok",
    ]
}

impl EditSample for Replace {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal {
        self.texts.change_least(sample, self.rate, resources, |text, units, least, _| {
            let drawn = |unit: &usize| exchanged(text, units[*unit], dice.pick(vocabulary()).copied().unwrap_or(""));
            least.iter().flat_map(drawn).collect()
        })
    }
}

/// The words of English that are made of letters alone.
fn vocabulary() -> &'static [&'static str] {
    static WORDS: OnceLock<Vec<&str>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let words = ngrams::english().words();
        words.filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)).collect()
    })
}
