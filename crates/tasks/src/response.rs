//! What a model says about a sample, whatever the task.

use serde::{Deserialize, Serialize};

/// What a model says about one sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The class of the sample (classification, sa, nli, sm, re).
    Class {
        label: String,
        /// In the order of the model's labels; absent if the model gives labels only.
        #[serde(skip_serializing_if = "Option::is_none")]
        log_probs: Option<Vec<f32>>,
        /// That of the label itself, if another label has a higher one: a model may decide by a threshold of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own: Option<f32>,
    },
    /// One label for each mark that the task labels, in their order: tokens (ner, pos), characters (cws), aspects (absa).
    Tags(Vec<String>),
    /// The text of the answer (mrc); `None` if the model finds none.
    Answer(Option<String>),
    /// For each token the number of its head, counted from 1, 0 for the root, and the relation (dp).
    Tree(Vec<(usize, String)>),
    /// Clusters of mentions, each by its first and last token, counted over the document from 0 (coref).
    Clusters(Vec<Vec<(usize, usize)>>),
}

impl Response {
    /// A class, of a model that gives no probabilities.
    pub fn class(label: impl Into<String>) -> Self {
        Self::Class { label: label.into(), log_probs: None, own: None }
    }

    /// The class with number `predicted` in the order of the model's labels.
    pub fn predicted(label: impl Into<String>, predicted: usize, log_probs: Option<Vec<f32>>) -> Self {
        let own = log_probs.as_ref().and_then(|all| {
            let own = *all.get(predicted)?;
            all.iter().any(|other| *other > own).then_some(own)
        });
        Self::Class { label: label.into(), log_probs, own }
    }

    /// The answer in a word, for people; a long one is shortened.
    pub fn shown(&self) -> String {
        match self {
            Self::Class { label, .. } => label.clone(),
            Self::Tags(tags) => tags.join(" "),
            Self::Answer(Some(text)) => text.clone(),
            Self::Answer(None) => "(no answer)".into(),
            Self::Tree(heads) => {
                heads.iter().map(|(head, relation)| format!("{head}:{relation}")).collect::<Vec<_>>().join(" ")
            }
            Self::Clusters(clusters) if clusters.len() == 1 => "1 cluster".into(),
            Self::Clusters(clusters) => format!("{} clusters", clusters.len()),
        }
    }

    /// The probability of the answer given, if the model says it.
    pub fn confidence(&self) -> Option<f64> {
        let Self::Class { log_probs: Some(log_probs), own, .. } = self else { return None };
        let own = own.or_else(|| log_probs.iter().copied().max_by(f32::total_cmp))?;
        Some(f64::from(own).exp().min(1.0))
    }

    /// How undecided the model is, in nats.
    pub fn entropy(&self) -> Option<f64> {
        let Self::Class { log_probs: Some(log_probs), .. } = self else { return None };
        let term = |log: &f32| -f64::from(*log).exp() * f64::from(*log);
        Some(log_probs.iter().map(term).filter(|term| term.is_finite()).sum())
    }

    /// Whether both say the same, however sure they are of it.
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Class { label: a, .. }, Self::Class { label: b, .. }) => a == b,
            (a, b) => a == b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_with_a_threshold_of_its_own_is_as_sure_as_it_says_of_its_answer() {
        let log_probs = Some(vec![0.7f32.ln(), 0.3f32.ln()]);
        let sure = |predicted: usize| Response::predicted("pos", predicted, log_probs.clone()).confidence().unwrap();
        assert!((sure(0) - 0.7).abs() < 1e-6 && (sure(1) - 0.3).abs() < 1e-6);
        assert_eq!(Response::class("pos").confidence(), None);
        let written = serde_json::to_string(&Response::predicted("pos", 1, log_probs)).unwrap();
        let read: Response = serde_json::from_str(&written).unwrap();
        assert!((read.confidence().unwrap() - 0.3).abs() < 1e-6, "{written}");
    }
}
