//! The numbers of a Chinese text that count something, in digits or in characters, and others that fit in their place.

use std::ops::Range;

use fissure_core::{Dice, Protected, Text};
use fissure_text::Upos;
use fissure_text::chinese::numbers;
use fissure_text::chinese::script::Script;

use super::chinese::Han;

/// A number that counts something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Count {
    pub range: Range<usize>,
    pub value: u64,
    /// Whether it is said to be exact: not `约三十`, not `三十多`.
    pub exact: bool,
    /// Whether it is an age in years.
    age: bool,
}

impl Count {
    /// Another value that fits here; an age stays within its stage of life: a boy of 16 is not 79.
    pub fn another(&self, dice: &mut Dice) -> u64 {
        const STAGES: [Range<u64>; 8] = [2..6, 6..13, 13..18, 18..30, 30..45, 45..60, 60..80, 80..100];
        let stage = STAGES.into_iter().find(|stage| self.age && stage.contains(&self.value));
        let Some(stage) = stage else { return another(self.value, dice) };
        let others: Vec<u64> = stage.filter(|age| *age != self.value).collect();
        dice.pick(&others).map_or(self.value, |age| *age)
    }
}

/// What makes a number part of a date, a name or an order, behind it.
const NO_COUNT: &[&str] = &[
    "年",
    "月",
    "日",
    "号",
    "點",
    "点",
    "时",
    "時",
    "分之",
    "楼",
    "樓",
    "层",
    "層",
    "路",
    "室",
    "届",
    "屆",
    "级",
    "級",
    "星",
    "代",
    "寸",
    "期",
    "版",
    "季",
    "班",
    "中",
    "军",
    "街",
    "线",
    "環",
    "环",
    "维",
    "胞胎",
    "角",
    "方面",
    "手",
    "台山",
    "元一次",
    "元二次",
    "世纪",
    "世紀",
    "字",
    "流",
    "国",
    "國",
    "处",
    "處",
    "心",
    "旁",
    "边",
    "邊",
    "者",
    "下",
    "分",
    "百度",
    "月份",
    "成",
];
/// What is counted piece by piece: numbers before other words are mostly part of a name (`五台山`, `苹果6`).
const COUNTED: &[&str] = &[
    "个", "個", "位", "名", "件", "条", "條", "家", "本", "张", "張", "辆", "輛", "台", "座", "只", "隻", "间", "間",
    "篇", "户", "项", "栋", "头", "棵", "幅", "支", "枚", "人", "元", "块", "塊", "米", "公里", "斤", "公斤", "吨",
    "亩", "天", "岁", "歲", "架", "艘", "首", "句", "种", "種", "次", "分钟", "分鐘", "小时", "小時", "英里", "英尺",
    "英寸", "磅", "美元", "欧元", "英镑", "平方", "遍", "晚", "页", "頁", "类", "杯", "瓶", "碗", "盒", "包", "套",
    "双", "雙", "对", "年多", "秒", "周", "颗", "朵", "万", "口人",
];
/// What makes it one of a row, a range or a choice, before it.
const BOUND_BEFORE: &[&str] = &[
    "第",
    "初",
    "周",
    "星期",
    "礼拜",
    "禮拜",
    "至",
    "到",
    "、",
    "和",
    "与",
    "點",
    "点",
    "每",
    "前",
    "后",
    "後",
    "或",
    "各",
    "零",
    "几",
    "数",
    "百分之",
    "年",
    "月",
    "号",
    "卷",
    "版",
    "型",
    "的",
    "这",
    "那",
    "這",
    "哪",
    "上",
    "下",
    "头",
    "負",
    "负",
];
/// What makes it a range or a choice, behind it.
const BOUND_BEHIND: &[&str] = &["至", "到", "、", "或", "几", "点", "比", "加", "减", "乘", "除", "等于"];
/// What makes a number a guess or a bound.
const ABOUT_BEFORE: &[&str] = &[
    "约",
    "約",
    "近",
    "超过",
    "至少",
    "最多",
    "不到",
    "大概",
    "大约",
    "将近",
    "差不多",
    "起码",
    "以上",
    "仅",
    "才",
    "不",
];
const ABOUT_BEHIND: &[&str] = &["多", "余", "来", "左右", "以上", "以下", "以内", "之内", "以后", "不到"];

/// The numbers of a text that count something and can be another.
pub(crate) fn counts(text: &Text) -> Vec<Count> {
    let han = Han::of(text);
    let protected = Protected::of(text);
    let found = numbers::runs(han.text()).into_iter();
    let free = found.filter(|run| !protected.covers(han.origin(run.clone()).into()));
    // The spaces of a list of characters lie within the range of a number of several.
    let moved = |count: Count| Count { range: han.origin(count.range), ..count };
    free.filter_map(|run| count(&han, run)).map(moved).collect()
}

/// The runs of digits and numerals: what texts of a sample may share.
pub(crate) fn runs(text: &Text) -> Vec<Range<usize>> {
    numbers::runs(text)
}

fn count(han: &Han, range: Range<usize>) -> Option<Count> {
    let text = han.text();
    let (before, written, rest) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let digits = written.starts_with(|c: char| c.is_ascii_digit());
    let value: u64 = if digits {
        // `007` is a code, seven digits are a telephone number, and what touches letters or signs is no plain count.
        let joined = |c: char| c.is_ascii_alphanumeric() || "-_/\\:：.．,+*#@$￥¥€£=~～—－%％°&'\"×．第".contains(c);
        if written.len() > 6 || written.starts_with('0') || before.ends_with(joined) || rest.starts_with(joined) {
            return None;
        }
        written.parse().ok()?
    } else {
        // A numeral inside of a word (`三明治`, `一般`) counts nothing.
        let at = han.at(&range)?;
        if han.upos(at) != Some(Upos::Num) || before.ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        // `二次` is the second time as well.
        if written == "二" {
            return None;
        }
        numbers::read(written)?
    };
    let bound = starts(rest, NO_COUNT)
        || starts(rest, BOUND_BEHIND)
        || ends(before, BOUND_BEFORE)
        || is_counted_out(value, rest)
        || is_in_title(text, &range);
    let counted = starts(rest, COUNTED) && !is_one_with(before, rest);
    if bound || !counted || value < 2 || rest.starts_with(|c: char| numbers::is_numeral(c) || c.is_ascii_digit()) {
        return None;
    }
    let stem = before.trim_end_matches(['是', '为', '为', '了', '有']);
    let exact = !starts(rest, ABOUT_BEHIND)
        && !ends(before, ABOUT_BEFORE)
        && !ends(stem, ABOUT_BEFORE)
        && !is_bounded(before)
        && !behind_counted(rest);
    Some(Count { range, value, exact, age: starts(rest, &["岁", "歲", "周岁"]) })
}

fn starts(text: &str, with: &[&str]) -> bool {
    with.iter().any(|word| text.starts_with(word))
}

fn ends(text: &str, with: &[&str]) -> bool {
    with.iter().any(|word| text.ends_with(word))
}

/// Whether what is counted follows and can be counted: `两个字：失望！`, `三条道路，即…`, `六种温度，极热和极冷`.
fn is_counted_out(value: u64, rest: &str) -> bool {
    if value > 20 {
        return false;
    }
    // `两个字形容`: the words that are said are these.
    if ["个字", "個字", "个词", "個詞", "句话", "句話", "字"].iter().any(|word| rest.starts_with(word)) {
        return true;
    }
    let clause: String = rest.chars().take_while(|c| !"，。！？；：,.!?;:—(（\n".contains(*c)).collect();
    let Some(mark) = rest[clause.len()..].chars().next() else { return false };
    if clause.chars().count() > 12 {
        return false;
    }
    let next = rest[clause.len() + mark.len_utf8()..].trim_start_matches([' ', '—']);
    match mark {
        '：' | ':' | '—' => !next.is_empty(),
        '，' | ',' | '。' | '；' => {
            let said: String = next.chars().take_while(|c| !"，。！？；,.!?;\n".contains(*c)).collect();
            let listed = [
                "即",
                "一是",
                "一个是",
                "一個是",
                "分别",
                "分別",
                "也就是",
                "就是",
                "包括",
                "其中",
                "第一",
                "首先",
                "一种",
                "一種",
                "一条",
                "一位",
            ];
            let short = said.chars().count() <= 10;
            starts(next, &listed) || said.contains('、') || (short && said.contains(['和', '与', '與', '及']))
        }
        _ => false,
    }
}

/// Titles and sayings that are known by their number. Written for this project.
const TITLES: [&str; 30] = [
    "十万个冷笑话",
    "十万个为什么",
    "七个小矮人",
    "三个火枪手",
    "三个和尚",
    "三个臭皮匠",
    "三个代表",
    "四个全面",
    "四个现代化",
    "两个基本点",
    "五个一工程",
    "三只小猪",
    "三只松鼠",
    "两只老虎",
    "两只蝴蝶",
    "六个核桃",
    "四个婚礼",
    "二十四个比利",
    "101次求婚",
    "一百零一次求婚",
    "101只斑点狗",
    "八个样板戏",
    "八十天环游地球",
    "三十六计",
    "一千零一夜",
    "十二只猴子",
    "三块广告牌",
    "两个女人",
    "七次机会",
    "三句半",
];

/// Whether a number stands in one of [`TITLES`].
fn is_in_title(text: &str, range: &Range<usize>) -> bool {
    TITLES.iter().any(|title| text.match_indices(title).any(|(at, _)| (at..at + title.len()).contains(&range.start)))
}

/// `最多可容纳20人`, `大约停电6周`: a bound a few characters before.
fn is_bounded(before: &str) -> bool {
    let start = before.char_indices().rev().nth(7).map_or(0, |(at, _)| at);
    ["约", "最多", "至少", "最少", "超过", "不到", "所有"].iter().any(|word| before[start..].contains(word))
}

/// Whether a number is one with another: `79米(260英尺)`, `1 634`.
fn is_one_with(before: &str, rest: &str) -> bool {
    let parted = before.trim_end_matches([' ', '，', ',']);
    let near: String = rest.chars().take(6).collect();
    before.ends_with(['(', '（', '《', '“', '"', '-'])
        || (parted.len() < before.len() && parted.ends_with(|c: char| c.is_ascii_digit()))
        || near.contains(['(', '（', '》'])
        || (before.ends_with(|c: char| numbers::is_numeral(c)) || rest.starts_with("次方") || rest.starts_with("人称"))
}

/// `三个多月`, `三天左右`: a guess behind what is counted.
fn behind_counted(rest: &str) -> bool {
    let near: String = rest.chars().take(4).collect();
    ["多", "左右", "以上", "以下", "以内", "来"].iter().any(|word| near.contains(word))
}

/// Another value of as many digits and as many zeros at the end; never one or zero.
fn another(value: u64, dice: &mut Dice) -> u64 {
    let mut zeros = 1;
    while value > 0 && value.is_multiple_of(zeros * 10) {
        zeros *= 10;
    }
    let head = value / zeros;
    let (least, most) = match head {
        0..=9 => (2, 10),
        10..=99 => (11, 100),
        100..=999 => (101, 1_000),
        _ => (head / 2 + 1, head.saturating_mul(2).max(head + 10)),
    };
    let choices: Vec<u64> = (least..most).filter(|new| *new != head && !new.is_multiple_of(10)).take(5_000).collect();
    dice.pick(&choices).map_or(value, |new| new * zeros)
}

/// A value written as the number that stands at `range` is: in digits, or in characters of this script.
pub(crate) fn written_like(text: &Text, range: &Range<usize>, value: u64, script: Script) -> Option<String> {
    let old = &text[range.clone()];
    if old.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(value.to_string());
    }
    // Two of something is `两`; that a text wrote `二` says that it does otherwise.
    if value == 2 && !old.ends_with('二') {
        return Some(script.write("两").into_owned());
    }
    numbers::write(value).map(|written| script.write(&written).into_owned())
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_counted_in_the_text_stays() {
        for text in [
            "只有两个字：失望！",
            "水有六种温度，极热和极冷。",
            "有三条道路，即公路、铁路和水路。",
            "十万个冷笑话电影",
            "我有两个理由：便宜，干净。",
        ] {
            assert_eq!(counts(&Text::from(text)), [], "{text}");
        }
        assert_eq!(counts(&Text::from("我买了三个苹果，很好。")).len(), 1);
    }

    #[test]
    fn an_age_stays_in_its_stage_of_life() {
        let found = counts(&Text::from("男孩们只有16岁。"));
        let [boys] = &found[..] else { panic!("{found:?}") };
        for seed in 0..40 {
            let age = boys.another(&mut Dice::new(seed, &[]));
            assert!((13..18).contains(&age) && age != 16, "{age}");
        }
    }

    #[test]
    fn two_is_written_in_the_script_of_the_text() {
        let text = Text::from("我買了三個蘋果。");
        let range = text.find('三').map_or(0..0, |at| at..at + '三'.len_utf8());
        assert_eq!(written_like(&text, &range, 2, Script::Traditional).as_deref(), Some("兩"));
        assert_eq!(written_like(&text, &range, 2, Script::Simplified).as_deref(), Some("两"));
    }
}
