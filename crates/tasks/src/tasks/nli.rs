//! Two sentences: does the first entail the second?

use fissure_core::Sense;

use crate::Answers;

super::task! {
    /// Natural language inference: whether the premise entails the hypothesis, contradicts it, or neither.
    fields: {
        "premise" (open) = ["premise", "sentence1", "sentence_1", "text_a", "sent1"],
        "hypothesis" (open) = ["hypothesis", "sentence2", "sentence_2", "text_b", "sent2"],
    }
    labels: {
        "label" (Label) = ["label", "y", "gold_label", "labels", "class", "target"],
    }
    texts: Pair,
    labelled: Class,
    senses: &[Sense::Entails, Sense::Neutral, Sense::Contradicts, Sense::NotEntails],
    aliases: &["entailment", "natural_language_inference"],
    metric: "accuracy",
    metrics: crate::metrics::of_classes,
    read: crate::plain::read,
    write: crate::plain::write,
    answers: Answers::Class,
}
