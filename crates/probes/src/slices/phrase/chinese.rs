//! Negations and questions in Chinese texts.

/// What denies. A longer one is looked for first.
const NEGATIONS: &[&str] = &[
    "没有", "不是", "并非", "绝非", "并未", "从未", "尚未", "毫无", "无法", "不", "没", "未", "勿", "沒有", "並非",
    "並未", "從未", "毫無", "無法", "沒",
];

/// Words with such a character that deny nothing: 不错 is good, and 不过 is "but".
const NO_NEGATIONS: &[&str] = &[
    "不错",
    "不過",
    "不过",
    "不仅",
    "不但",
    "不管",
    "不论",
    "不断",
    "不久",
    "不禁",
    "不妨",
    "不愧",
    "不用说",
    "不得不",
    "不好意思",
    "不一会",
    "差不多",
    "对不起",
    "了不起",
    "只不过",
    "要不然",
    "不然",
    "不同",
    "不少",
    "不僅",
    "不論",
    "不斷",
    "不錯",
    "對不起",
    "未来",
    "未來",
    "未必",
    "说不定",
    "忍不住",
    "不由得",
    "好不容易",
    "动不动",
    "没准",
    "沒準",
];

const QUESTION_WORDS: &[&str] = &[
    "什么",
    "怎么",
    "为什么",
    "为何",
    "怎样",
    "如何",
    "哪",
    "谁",
    "多少",
    "几个",
    "几点",
    "是否",
    "吗",
    "什麼",
    "怎麼",
    "為什麼",
    "為何",
    "怎樣",
    "誰",
    "幾個",
    "幾點",
    "嗎",
];

/// How many negations a text has. 是不是 and 好不好 ask, and deny nothing.
pub fn negations(text: &str) -> usize {
    let mut rest = text;
    let mut before = None;
    let mut count = 0;
    while let Some(letter) = rest.chars().next() {
        let starts = |words: &[&str]| words.iter().filter(|word| rest.starts_with(**word)).map(|word| word.len()).max();
        let step = if let Some(length) = starts(NO_NEGATIONS) {
            length
        } else if let Some(length) = starts(NEGATIONS) {
            let asks = before.is_some() && rest[letter.len_utf8()..].chars().next() == before;
            count += usize::from(!asks);
            if asks { letter.len_utf8() } else { length }
        } else {
            letter.len_utf8()
        };
        before = rest[..step].chars().next_back();
        rest = &rest[step..];
    }
    count
}

/// Question marks; in a text without one that does not end otherwise, whether it asks.
pub fn questions(text: &str) -> usize {
    let marks = text.chars().filter(|letter| matches!(letter, '?' | '\u{ff1f}')).count();
    let ended = text.trim_end().ends_with(['\u{3002}', '\u{ff01}', '\u{ff1b}', '.', '!']);
    let asks = || {
        QUESTION_WORDS.iter().any(|word| text.contains(word))
            || text.trim_end().ends_with('呢')
            || chars_repeat_around_no(text)
    };
    if marks == 0 && !ended { usize::from(asks()) } else { marks }
}

/// 好不好, 是不是, 有没有.
fn chars_repeat_around_no(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(3).any(|three| matches!(three[1], '不' | '没' | '沒') && three[0] == three[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_by_hand() {
        for (text, count) in [
            ("我不喜欢，也没有去过。", 2),
            ("这部电影不错，不过有点长。", 0),
            ("好不好？是不是？", 0),
            ("不得不说，房间不大。", 1),
            ("从未见过，無法接受", 2),
            ("没错", 1),
            ("", 0),
        ] {
            assert_eq!(negations(text), count, "{text}");
        }
    }

    #[test]
    fn questions_by_hand() {
        for (text, count) in
            [("好吗？真的？", 2), ("怎么去机场", 1), ("我知道怎么去。", 0), ("好不好", 1), ("你呢", 1), ("很好", 0)]
        {
            assert_eq!(questions(text), count, "{text}");
        }
    }
}
