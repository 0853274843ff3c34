//! Chinese words that can stand for a word: as long, and used alike.

use fissure_text::Upos;
use fissure_text::chinese::{dictionary, synonyms};

use super::chinese::Han;

/// From here on pairs of the wordnet are taken that were not reviewed, if both words have the same senses and share a
/// character; about one in four of them reads badly.
const UNREVIEWED: f64 = 0.3;

/// Synonyms of the word at a place, none if it is part of a longer word: `图书` of `图书馆` is no word of its own.
pub(crate) fn synonyms_at(han: &Han, at: usize, upos: Option<Upos>, risk: f64) -> Vec<&'static str> {
    let found = synonyms_of(&han.word(at), upos, risk);
    // `他的突然决定`: here only `突然` says what a thing is like.
    let bound = han.word(at) == "突然" && (han.before(at) == "的" || han.after(at) == "的");
    if found.is_empty() || bound || is_term(han, at) || han.is_part(at) { Vec::new() } else { found }
}

/// Whether a word is a term where it stands: the mass of a body is no quality, a builder has a title, and what cannot feel does
/// not dislike.
fn is_term(han: &Han, at: usize) -> bool {
    const OF_BODIES: [&str; 22] = [
        "夸克", "粒子", "原子", "分子", "电子", "质子", "中子", "物体", "物质", "密度", "体积", "速度", "地球", "太阳",
        "恒星", "行星", "黑洞", "克", "千克", "公斤", "能量", "溶液",
    ];
    match &*han.word(at) {
        "质量" => (at.saturating_sub(12)..han.len().min(at + 12)).any(|near| OF_BODIES.contains(&&*han.word(near))),
        "建造" | "修建" => han.after(at).starts_with(['师', '员', '商', '者']) || han.before(at) == "注册",
        // Of a person only: `指纹讨厌` is a slip for something else.
        "讨厌" | "喜欢" => {
            !han.before(at).is_empty() && han.upos(at - 1) == Some(Upos::Noun) && !is_of_people(&han.before(at))
        }
        _ => false,
    }
}

fn is_of_people(word: &str) -> bool {
    word.ends_with(['人', '们', '子', '友', '家', '生', '师', '妈', '爸', '员', '民', '众', '者', '女', '娃', '童'])
}

/// Synonyms of a word of simplified characters; `risk` is the greatest chance that one reads badly.
pub(crate) fn synonyms_of(word: &str, upos: Option<Upos>, risk: f64) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    if risk >= 0.02 {
        found.extend(synonyms::reviewed(word));
    }
    if let Some(upos) = upos.filter(|_| risk >= UNREVIEWED) {
        let length = word.chars().count();
        let fits = |synonym: &&synonyms::Synonym| {
            let close = synonym.shared == 100 && synonym.word.chars().any(|c| word.contains(c));
            (close || risk >= 1.0)
                && synonym.word.chars().count() == length
                && dictionary::tag(synonym.word) == dictionary::tag(word)
                && !found.contains(&synonym.word)
        };
        let more: Vec<&str> = synonyms::synonyms(word, upos).iter().filter(fits).map(|synonym| synonym.word).collect();
        found.extend(more);
    }
    found
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use fissure_core::Text;

    use super::*;

    /// What the words of a text can give way to.
    fn found(text: &str) -> Vec<&'static str> {
        let han = Han::of(&Text::from(text));
        (0..han.len()).flat_map(|at| synonyms_at(&han, at, None, 0.1)).collect()
    }

    #[test]
    fn parts_of_words_stay() {
        for text in ["图书馆很大。", "这是一种方法论。", "他的知名度很高。", "他始终如一。", "街上有一家食品店。"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("这是他的突然决定。"), [""; 0]);
        for text in ["夸克的质量是多少？", "注册建造师考试", "指纹讨厌"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("他突然走了。"), ["忽然"]);
        assert_eq!(found("这个方法很好。"), ["办法"]);
    }
}
