//! How a model answers nonsense: agreement with its own answers, and how sure it is (Tables 5 to 9 of the paper).

use fissure_models::{Answer, Model};
use fissure_statistics::{Estimate, mean, proportion};
use serde::Serialize;

use crate::set::{answers, confidence};
use crate::{Destroyers, Result, Set};

/// One destroyer's row.
#[derive(Debug, Clone, Serialize)]
pub struct Salad {
    pub destroyer: String,
    /// Samples that it changed.
    pub samples: usize,
    /// The share of answers that stay, or, for copying destroyers, that are the default label.
    pub agreement: Estimate,
    /// Set for copying destroyers: agreement with the old answer says nothing about them.
    pub default_label: Option<String>,
    pub confidence: Option<Estimate>,
    /// In nats.
    pub entropy: Option<Estimate>,
}

/// A row for every destroyer that changed anything. `default` is the label that copied words suggest.
pub fn salad(
    model: &dyn Model,
    destroyers: &Destroyers,
    test: &Set,
    labels: &[String],
    default: Option<usize>,
) -> Result<Vec<Salad>> {
    let before = test.answers(model)?;
    let mut rows = Vec::new();
    for (at, name) in destroyers.names().enumerate() {
        let made = destroyers.all(at, &test.samples, labels, &test.labels);
        let (samples, old): (Vec<_>, Vec<&Answer>) =
            made.into_iter().zip(&before).filter_map(|(sample, old)| Some((sample?, old))).unzip();
        let after = answers(model, &samples)?;
        let copied = name.split('+').any(|part| matches!(part, "copy_sort" | "copy_one"));
        let expected = |old: &Answer| if copied { default } else { Some(old.predicted) };
        let pairs = after.iter().zip(old).filter_map(|(new, old)| Some(new.predicted == expected(old)?));
        let same: Vec<bool> = pairs.collect();
        let Some(agreement) = proportion(same.iter().filter(|same| **same).count(), same.len()) else { continue };
        let entropy = |answer: &Answer| {
            let log_probs = answer.log_probs.as_ref()?;
            Some(-log_probs.iter().map(|z| f64::from(*z)).filter(|z| z.is_finite()).map(|z| z.exp() * z).sum::<f64>())
        };
        rows.push(Salad {
            destroyer: name.to_owned(),
            samples: samples.len(),
            agreement,
            default_label: if copied { default.and_then(|at| labels.get(at)).cloned() } else { None },
            confidence: mean(&after.iter().filter_map(confidence).collect::<Vec<_>>()),
            entropy: mean(&after.iter().filter_map(entropy).collect::<Vec<_>>()),
        });
    }
    Ok(rows)
}

/// The label that says that the second text follows from the first, or says the same: by its name, or by the custom of
/// the data sets (entailment comes first of three; of two, `1` says that a pair is a paraphrase).
pub fn default_label(labels: &[String]) -> Option<usize> {
    let named = ["entailment", "entail", "paraphrase", "duplicate", "equivalent", "yes", "true"];
    let by_name = labels.iter().position(|label| named.contains(&label.to_lowercase().as_str()));
    by_name.or_else(|| match labels {
        [zero, one] if zero == "0" && one == "1" => Some(1),
        [zero, _, _] if zero == "0" => Some(0),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_labels_by_name_and_by_custom() {
        let find = |labels: &[&str]| default_label(&labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>());
        assert_eq!(find(&["contradiction", "entailment", "neutral"]), Some(1));
        assert_eq!(find(&["entailment", "not_entailment"]), Some(0));
        assert_eq!(find(&["0", "1"]), Some(1));
        assert_eq!(find(&["0", "1", "2"]), Some(0));
        assert_eq!(find(&["World", "Sports"]), None);
    }
}
