//! A text and its class.

use crate::Answers;

super::task! {
    /// Text classification: one text, one class.
    ///
    /// The class is kept in the type it has in the file (`1`, `"pos"`, `true`); null, -1 and `-` mean that it is not
    /// known.
    fields: {
        "text" (open) = ["text", "sentence", "x", "review", "content", "document", "body", "text_a", "description"],
    }
    labels: {
        "label" (Label) = ["label", "y", "class", "category", "labels", "target", "gold_label", "sentiment", "label_text"],
    }
    texts: One,
    labelled: Class,
    aliases: &["topic", "topics", "text_classification"],
    metric: "accuracy",
    metrics: crate::metrics::of_classes,
    read: crate::plain::read,
    write: crate::plain::write,
    answers: Answers::Class,
}
