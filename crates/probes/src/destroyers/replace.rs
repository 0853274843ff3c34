use std::sync::OnceLock;

use fissure_core::{Aids, Dice, Proposal, Sample, Transform, destroyer};
use fissure_text::ngrams;

use super::units::{CLASSIFIED, Texts, exchanged, ranked, share, units};

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
        tasks: Tasks::Only(CLASSIFIED),
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

impl Transform for Replace {
    fn propose(&self, sample: &Sample, dice: &mut Dice, aids: &Aids) -> Proposal {
        let mut edits = Vec::new();
        for field in self.texts.of(sample) {
            let text = &sample.fields[field].text;
            let units = units(text);
            let count = share(self.rate, units.len());
            if count == 0 {
                continue;
            }
            let mut least = ranked(sample, field, &units, aids)?;
            least.truncate(count);
            least.sort_unstable();
            for unit in least {
                let drawn = dice.pick(vocabulary()).copied().unwrap_or("");
                edits.extend(exchanged(text, units[unit], drawn).into_iter().map(|edit| edit.on(field)));
            }
        }
        Ok(edits)
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
