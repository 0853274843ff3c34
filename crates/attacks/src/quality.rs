//! How good a changed text is as a text, beside the original.

use fissure_core::Sample;
use fissure_text::share_alike::INCLUDED;
use fissure_text::{ngrams, tokens};
use serde::{Deserialize, Serialize};

use crate::AttackResources;

/// Numbers about a changed text and its original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Of the changed fields before and after, by the built-in trigram model.
    pub perplexity_before: f64,
    pub perplexity_after: f64,
    /// The cosine that a sentence encoder gives, the least of the changed fields; absent without an encoder.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub similarity: Option<f64>,
}

impl Quality {
    /// `None` if nothing changed, or this build has no language model.
    pub(crate) fn of(before: &Sample, after: &Sample, resources: &AttackResources) -> Option<Self> {
        if !INCLUDED {
            return None;
        }
        let fields = before.fields.iter().zip(&after.fields).filter(|(old, new)| old.text != new.text);
        let pairs: Vec<(&str, &str)> = fields.map(|(old, new)| (old.text.as_str(), new.text.as_str())).collect();
        let perplexity = |texts: Vec<&str>| {
            let mut words: Vec<&str> = Vec::new();
            texts.iter().for_each(|text| words.extend(tokens(text).iter().map(|token| token.text(text))));
            ngrams::english_perplexity(&words)
        };
        let similarity = resources.for_parts.similarity.as_ref().and_then(|encoder| {
            let mut cosines = pairs.iter().map(|(old, new)| encoder.cosine(old, new).ok());
            cosines.try_fold(1.0_f64, |worst, cosine| Some(worst.min(cosine?)))
        });
        (!pairs.is_empty()).then(|| Self {
            perplexity_before: perplexity(pairs.iter().map(|(old, _)| *old).collect()),
            perplexity_after: perplexity(pairs.iter().map(|(_, new)| *new).collect()),
            similarity,
        })
    }
}
