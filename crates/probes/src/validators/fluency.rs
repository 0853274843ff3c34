use fissure_core::{Language, Resources, Sample, Skip, Validator, validator};

use super::worst;
use crate::slices::perplexity_of;

validator! {
    /// How fluent the changed text still is: the perplexity of the original divided by that of the changed text, at most 1.
    ///
    /// By the built-in n-gram model of English. A change that makes a text read more smoothly scores 1.
    pub struct Fluency {}
    card: {
        languages: &[English, Chinese],
        citation: Some("Wang et al. 2021 (TextFlint), section 2"),
    }
    examples: [
        "He went to the house. => House the to went he." => "0.029",
        "He went to the house. => He went to the house." => "1.000",
        "I like teh soup. => I like the soup." => "1.000",
    ]
}

impl Validator for Fluency {
    fn score(&self, before: &Sample, after: &Sample, _: &Resources) -> Result<f64, Skip> {
        worst(before, after, |before, after| {
            let language = Language::of(before);
            Ok((perplexity_of(before, language) / perplexity_of(after, language)).min(1.0))
        })
    }
}
