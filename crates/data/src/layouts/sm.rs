//! Two sentences: do they mean the same?

super::layout! {
    /// Semantic matching: whether two sentences mean the same.
    aliases: &["paraphrase", "paraphrases", "semantic_matching", "duplicates"],
    fields: {
        "sentence1" (open) = ["sentence1", "question1", "text_a", "#1 String", "sentence_1", "sent1", "query"],
        "sentence2" (open) = ["sentence2", "question2", "text_b", "#2 String", "sentence_2", "sent2"],
    }
    labels: {
        "label" (Label) = ["label", "y", "is_duplicate", "quality", "gold_label", "labels", "similarity"],
    }
    metric: "accuracy",
    read: super::plain::read,
    write: super::plain::write,
}
