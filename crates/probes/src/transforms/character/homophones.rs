use fissure_core::{Amount, transform};

use crate::support::chinese::edits_words;
use crate::support::chinese_slips;

transform! {
    /// Replaces a Chinese character with another that is read alike, the tone included: `服物` for `服务`.
    ///
    /// The new word is no other word of the dictionary, the new character is a common one. A character whose reading is in
    /// doubt stays; words decide (`银行`, `行走`). A character that stands alone changes only into what people confuse it
    /// with (`的`, `地` and `得`). `rate` is a share of the words of Chinese characters; a traditional text stays traditional.
    pub struct Homophones {
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
        aliases: &["Homophones", "CnHomophones"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
    }
    examples: [
        "酒店的服务很好。" => "九店的服务很好。",
        "我们明天再来北京。" => "我们明天在来北京。",
        { rate = "0.5" } "这里的环境安静，价格便宜。" => "浙里的环敬安径，价格便宜。",
    ]
}

edits_words!(Homophones, chinese_slips::homophones);
