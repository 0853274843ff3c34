use fissure_core::{Amount, transform};

use crate::support::chinese::edits_words;
use crate::support::chinese_slips;

transform! {
    /// Replaces a Chinese character with one that looks like it: `己经` for `已经`.
    ///
    /// The new word is no other word of the dictionary, and characters that stand alone stay. `rate` is a share of the words of
    /// Chinese characters.
    pub struct SimilarShape {
        ..Amount::share(0.1);
        /// Whether words that carry a label (an answer, a term, a mention) may be hit too.
        labelled: bool = false;
    }
    card: {
        tags: &[Tag::Slip],
        level: Some(Character),
        family: Some(Morphology),
        expectation: Some(Kept),
        languages: &[Chinese],
        citation: Some("Liu et al. 2011, Visually and phonologically similar characters in incorrect Chinese words"),
    }
    examples: [
        "我们已经住在城市里了。" => "我们己经住在城市里了。",
        "他每天清晨练习钢琴。" => "他每天情晨练习钢琴。",
        { rate = "0.5" } "电脑的价格比较便宜。" => "电恼的价烙比较便谊。",
    ]
}

edits_words!(SimilarShape, chinese_slips::lookalikes);
