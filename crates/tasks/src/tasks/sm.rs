//! Two sentences: do they mean the same?

use fissure_core::Sense;

use crate::Answers;

super::task! {
    /// Semantic matching: whether two sentences mean the same.
    fields: {
        "sentence1" (open) = ["sentence1", "question1", "text_a", "#1 String", "sentence_1", "sent1", "query"],
        "sentence2" (open) = ["sentence2", "question2", "text_b", "#2 String", "sentence_2", "sent2"],
    }
    labels: {
        "label" (Label) = ["label", "y", "is_duplicate", "quality", "gold_label", "labels", "similarity"],
    }
    texts: Pair,
    labelled: Class,
    senses: &[Sense::Same, Sense::Different],
    aliases: &["paraphrase", "paraphrases", "semantic_matching", "duplicates"],
    metric: "accuracy",
    metrics: crate::metrics::of_classes,
    read: crate::plain::read,
    write: crate::plain::write,
    answers: Answers::Class,
}
