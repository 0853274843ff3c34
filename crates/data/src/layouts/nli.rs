//! Two sentences: does the first entail the second?

super::layout! {
    /// Natural language inference: whether the premise entails the hypothesis, contradicts it, or neither.
    aliases: &["entailment", "natural_language_inference"],
    fields: {
        "premise" (open) = ["premise", "sentence1", "sentence_1", "text_a", "sent1"],
        "hypothesis" (open) = ["hypothesis", "sentence2", "sentence_2", "text_b", "sent2"],
    }
    labels: {
        "label" (Label) = ["label", "y", "gold_label", "labels", "class", "target"],
    }
    metric: "accuracy",
    read: super::plain::read,
    write: super::plain::write,
}
