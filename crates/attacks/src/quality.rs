//! How good a changed text is as a text, beside the original.

use fissure_core::{Language, Sample};
use fissure_text::share_alike::INCLUDED;
use fissure_text::{ngrams, tokens};
use serde::{Deserialize, Serialize};

use crate::AttackResources;

/// Numbers about a changed text and its original.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Of the changed fields before and after, by the built-in trigram model of English words or of Chinese characters;
    /// absent for other languages, of which there is no model.
    pub perplexity_before: Option<f64>,
    pub perplexity_after: Option<f64>,
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
        // The language of the original, so that both are measured by one model.
        let language = Language::of(&pairs.iter().map(|(old, _)| *old).collect::<Vec<_>>().join("\n"));
        let similarity = resources.for_parts.similarity.as_ref().and_then(|encoder| {
            let mut cosines = pairs.iter().map(|(old, new)| encoder.cosine(old, new).ok());
            cosines.try_fold(1.0_f64, |worst, cosine| Some(worst.min(cosine?)))
        });
        (!pairs.is_empty()).then(|| Self {
            perplexity_before: perplexity(language, pairs.iter().map(|(old, _)| *old)),
            perplexity_after: perplexity(language, pairs.iter().map(|(_, new)| *new)),
            similarity,
        })
    }
}

fn perplexity<'t>(language: Language, texts: impl Iterator<Item = &'t str>) -> Option<f64> {
    match language {
        Language::Chinese => Some(ngrams::chinese_perplexity(&texts.collect::<Vec<_>>().join("\n"))),
        Language::English => {
            let mut words: Vec<&str> = Vec::new();
            texts.for_each(|text| words.extend(tokens(text).iter().map(|token| token.text(text))));
            Some(ngrams::english_perplexity(&words))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perplexity_is_that_of_the_language() {
        let of = |before: &str, after: &str| {
            let [before, after] = [before, after].map(|text| Sample::of_text("1", text));
            Quality::of(&before, &after, &AttackResources::default())
        };
        if !INCLUDED {
            return;
        }
        let chinese =
            of("这家酒店的服务很好，房间也很干净。", "这家酒店的服务恨好，房间也很干净。").expect("it changed");
        assert!(chinese.perplexity_before.is_some_and(|found| (1.0..2_000.0).contains(&found)), "{chinese:?}");
        assert!(chinese.perplexity_after > chinese.perplexity_before, "{chinese:?}");
        let russian = of("Это очень хороший фильм.", "Это очень плохой фильм.").expect("it changed");
        assert_eq!((russian.perplexity_before, russian.perplexity_after), (None, None));
        assert_eq!(of("the same", "the same"), None);
    }
}
