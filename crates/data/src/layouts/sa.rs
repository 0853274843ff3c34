//! A review and its sentiment.

super::layout! {
    /// Sentiment analysis: one text, and whether it is positive or negative.
    aliases: &["sentiment", "sentiment_analysis", "reviews"],
    fields: {
        "text" (open) = ["text", "sentence", "x", "review", "content", "reviewText", "review_body", "tweet", "comment", "text_a"],
    }
    labels: {
        "label" (Label) = ["label", "y", "sentiment", "polarity", "labels", "class", "target"],
    }
    metric: "accuracy",
    read: super::plain::read,
    write: super::plain::write,
}
