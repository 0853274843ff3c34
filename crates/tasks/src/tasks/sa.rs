//! A review and its sentiment.

use fissure_core::Sense;

use crate::Answers;

super::task! {
    /// Sentiment analysis: one text, and whether it is positive or negative.
    fields: {
        "text" (open) = ["text", "sentence", "x", "review", "content", "reviewText", "review_body", "tweet", "comment", "body", "text_a"],
    }
    labels: {
        "label" (Label) = ["label", "y", "sentiment", "polarity", "labels", "class", "target"],
    }
    texts: One,
    labelled: Class,
    senses: &[Sense::Positive, Sense::Negative, Sense::Neutral],
    aliases: &["sentiment", "sentiment_analysis", "reviews"],
    metric: "accuracy",
    metrics: crate::metrics::of_classes,
    read: crate::plain::read,
    write: crate::plain::write,
    answers: Answers::Class,
}
