//! Opposites of Chinese words, and whether the judgement of a text turns with them.

use fissure_core::{Amount, Dice, Edit, Place, Protected, Text};
use fissure_text::Upos;
use fissure_text::chinese::synonyms;

use super::Which;
use crate::support::chinese::{self, Han};
use crate::support::chinese_judging::is_loose;

/// Words that judge, each with the word that judges the other way: good first. Written for this project.
const JUDGING: &[(&str, &str)] = &[
    ("好", "差"),
    ("很好", "很差"),
    ("不错", "糟糕"),
    ("便宜", "昂贵"),
    ("干净", "肮脏"),
    ("舒服", "难受"),
    ("舒适", "难受"),
    ("方便", "麻烦"),
    ("漂亮", "难看"),
    ("好看", "难看"),
    ("好吃", "难吃"),
    ("安静", "吵闹"),
    ("宽敞", "狭小"),
    ("热情", "冷淡"),
    ("满意", "失望"),
    ("喜欢", "讨厌"),
    ("精彩", "乏味"),
    ("有趣", "无聊"),
    ("优秀", "差劲"),
    ("清晰", "模糊"),
    ("完美", "糟糕"),
    ("实用", "无用"),
    ("周到", "怠慢"),
    ("豪华", "简陋"),
    ("崭新", "破旧"),
    ("整洁", "脏乱"),
    ("超值", "不值"),
    ("流畅", "卡顿"),
];

/// Other words that judge, or that deny, weigh and compare judgements: a text with one of them stays.
const HOLDING: &[&str] = &[
    "一流",
    "良好",
    "理想",
    "说得过去",
    "下回",
    "地道",
    "明亮",
    "及时",
    "再住",
    "大气",
    "美中不足",
    "物有所值",
    "轻便",
    "实惠",
    "温馨",
    "细致",
    "高档",
    "机会",
    "值",
    "满足",
    "不",
    "没",
    "没有",
    "无",
    "别",
    "未",
    "但",
    "但是",
    "不过",
    "可是",
    "可惜",
    "虽然",
    "然而",
    "却",
    "只是",
    "除了",
    "如果",
    "要是",
    "就是",
    "比",
    "推荐",
    "值得",
    "问题",
    "垃圾",
    "后悔",
    "遗憾",
    "一般",
    "还可以",
    "可以",
    "希望",
    "缺点",
    "优点",
    "太",
    "不要",
    "不能",
    "不会",
    "不是",
    "不够",
    "不好",
    "坏",
    "烂",
    "惨",
    "上当",
    "投诉",
    "骗",
    "吗",
    "爱",
    "棒",
    "赞",
    "恶心",
    "郁闷",
    "不满",
    "最好",
    "好像",
    "好多",
    "最差",
    "幸好",
    "小",
    "旧",
    "吵",
    "贵",
    "脏",
    "慢",
    "快",
    "大",
    "新",
    "近",
    "远",
    "热",
    "冷",
    "噪音",
    "高",
    "低",
    "重",
    "轻",
    "不足",
    "强",
    "丰富",
    "亮",
    "耐心",
    "对得起",
    "对得其",
    "合适",
    "亮丽",
    "靓丽",
    "合理",
    "下次",
    "省心",
    "爽",
    "足够",
    "够用",
    "适合",
    "支持",
    "惊喜",
    "完全",
    "还会",
    "总之",
    "再次",
    "以后",
    "最",
    "不少",
    "服务员",
    "改进",
    "加强",
    "提高",
    "感谢",
    "谢谢",
];

/// The edits of a text.
pub(super) fn edits(text: &Text, amount: Amount, which: Which, clear: f64, dice: &mut Dice) -> Vec<Edit> {
    match which {
        Which::Any => chinese::draw(text, amount, dice, opposites),
        Which::Judging => {
            let made = chinese::draw(text, amount, dice, counter_judgements);
            if turns(text, clear) { made } else { Vec::new() }
        }
    }
}

/// Everything that could be drawn.
pub(super) fn places(text: &Text, which: Which) -> Vec<Place> {
    match which {
        Which::Any => chinese::list(text, opposites),
        Which::Judging => chinese::list(text, counter_judgements),
    }
}

fn opposites(han: &Han, at: usize) -> Vec<String> {
    let Some(upos) = han.upos(at) else { return Vec::new() };
    let word = han.word(at);
    let known = synonyms::opposites(&word, upos).iter().filter(|other| !is_loose(other) && !is_loose(&word));
    // `很多`, `最好`, `多大`: a set phrase, or a question.
    let bound = word.chars().count() == 1
        && (matches!(&*han.before(at), "最" | "多" | "多么" | "一" | "这么" | "那么" | "很")
            || &*han.after(at) == "家");
    if bound || is_denied(han, at) { Vec::new() } else { known.map(|other| (*other).to_owned()).collect() }
}

fn counter_judgements(han: &Han, at: usize) -> Vec<String> {
    let word = han.word(at);
    let judges = matches!(han.upos(at), Some(Upos::Adj | Upos::Verb | Upos::Adv | Upos::Noun));
    let fits = judges && !is_denied(han, at) && (word != "好" || is_said(han, at));
    let one = |(good, bad): &(&'static str, &'static str)| match () {
        () if word == *good => Some(*bad),
        () if word == *bad => Some(*good),
        () => None,
    };
    JUDGING.iter().find_map(one).filter(|_| fits).map(str::to_owned).into_iter().collect()
}

/// Whether `好` is what is said of a thing: at the end of a clause, or before `的` and a thing.
fn is_said(han: &Han, at: usize) -> bool {
    let next = han.after(at);
    next.is_empty() || next.starts_with(|c: char| !c.is_alphanumeric()) || next == "的"
}

fn is_denied(han: &Han, at: usize) -> bool {
    matches!(&*han.before(at), "不" | "没" | "没有" | "不是" | "不太" | "不够" | "别")
}

/// Whether the judgement of a text turns if its words that judge do: it has such words of one side only, enough of them
/// that their weights (2 each) reach `clear`, and no word that judges otherwise, denies or weighs.
fn turns(text: &Text, clear: f64) -> bool {
    let han = Han::of(text);
    let protected = Protected::of(text);
    let (mut good, mut bad) = (0.0, 0.0);
    for at in han.han() {
        let word = han.word(at);
        let turned = !counter_judgements(&han, at).is_empty();
        if turned && protected.covers(han.span(at).into()) {
            return false;
        }
        good += f64::from(u8::from(turned && JUDGING.iter().any(|(good, _)| *good == word)));
        bad += f64::from(u8::from(turned && JUDGING.iter().any(|(_, bad)| *bad == word)));
        if !turned && (HOLDING.contains(&&*word) || JUDGING.iter().any(|(one, other)| word == *one || word == *other)) {
            return false;
        }
    }
    // Clauses that judge in other words would still judge as before.
    let clauses =
        text.split(|c: char| "，。！？；,.!?;~ ".contains(c)).filter(|clause| !clause.trim().is_empty()).count();
    let most = (good + bad) * 3.0 >= 2.0 * clauses as f64;
    most && (good == 0.0) != (bad == 0.0) && 2.0 * (good + bad) >= clear
}
