//! A text and its class.

super::layout! {
    /// Text classification: one text, one class.
    ///
    /// The class is kept in the type it has in the file (`1`, `"pos"`, `true`); null, -1 and `-` mean that it is not
    /// known.
    aliases: &["topic", "topics", "text_classification"],
    fields: {
        "text" (open) = ["text", "sentence", "x", "review", "content", "document", "body", "text_a", "description"],
    }
    labels: {
        "label" (Label) = ["label", "y", "class", "category", "labels", "target", "gold_label", "sentiment", "label_text"],
    }
    metric: "accuracy",
    read: super::plain::read,
    write: super::plain::write,
}
