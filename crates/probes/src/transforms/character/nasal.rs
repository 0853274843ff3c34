use fissure_core::{Amount, transform};

use crate::support::chinese::edits_words;
use crate::support::chinese_slips;

transform! {
    /// Replaces a Chinese character with one of the other nasal: `盆友` for `朋友`.
    ///
    /// Many speakers do not tell `en` and `eng`, `in` and `ing`, `an` and `ang` apart. The new word is no other word of the
    /// dictionary; a character whose reading is in doubt stays. `rate` is a share of the words of Chinese characters.
    pub struct Nasal {
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
        aliases: &["Nasal", "CnNasal"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.1.5"),
    }
    examples: [
        "我的朋友喜欢安静。" => "我的盆友喜欢安静。",
        "这里的环境和平时一样。" => "这里的环进和平时一样。",
        { rate = "0.5" } "银行今天关门，请明天再来。" => "盈行经天关朦，请民天再来。",
    ]
}

edits_words!(Nasal, chinese_slips::nasals);
