use fissure_core::{Resources, Sample, Skip, Validator, Words, validator};

use super::worst;
use crate::word_diff;

validator! {
    /// The share of words that stayed, in their order: of the longer of the two texts.
    pub struct WordsKept {}
    card: {
        citation: Some("Wang et al. 2021 (TextFlint), section 2"),
    }
    examples: [
        "The soup was hot. => The soup was cold." => "0.750",
        "He sings. => He will never sing." => "0.250",
        "one two three => three two one" => "0.333",
    ]
}

impl Validator for WordsKept {
    fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
        worst(before, after, |before, after| Ok(kept(before, after)))
    }
}

fn kept(before: &str, after: &str) -> f64 {
    let words = |text| Words::new(text).map(|word| word.text).collect::<Vec<_>>();
    let (before, after) = (words(before), words(after));
    let longest = before.len().max(after.len());
    if longest == 0 {
        return 1.0;
    }
    let changed: usize = word_diff::between(&before, &after).iter().map(|(old, _)| old.len()).sum();
    (before.len() - changed) as f64 / longest as f64
}
