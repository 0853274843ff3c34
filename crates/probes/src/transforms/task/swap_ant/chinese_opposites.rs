//! Chinese words that exclude each other, and where they do.

use fissure_core::Text;
use fissure_text::Upos;

use super::Turned;
use crate::support::chinese::Han;

/// What makes a text deny, compare, offer or suppose.
const HEDGES: &[&str] = &[
    "不", "没", "无", "非", "未", "别", "比", "越", "还是", "或", "如果", "也许", "可能", "要是", "既", "一样", "各",
    "都", "另", "有的", "除", "之间", "区别", "像", "变", "其他", "更", "最", "两", "双", "又", "而", "但", "却",
    "因为", "还",
];

/// What speaks of a title or of words, which have no opposite.
const TITLES: &[&str] = &[
    "《",
    "“",
    "\"",
    "「",
    "txt",
    "TXT",
    "全集",
    "小说",
    "歌",
    "曲",
    "电影",
    "剧",
    "阅读",
    "成语",
    "词",
    "句",
    "作文",
    "手抄报",
    "游戏",
    "动漫",
    "下载",
    "第几",
    "字",
    "英文",
    "英语",
    "日语",
    "韩语",
    "网名",
    "生肖",
    "星座",
];

/// Nouns that exclude each other whatever stands around them.
const NOUNS: &[(&str, &str)] = &[
    ("上午", "下午"),
    ("北部", "南部"),
    ("东部", "西部"),
    ("北方", "南方"),
    ("左边", "右边"),
    ("左侧", "右侧"),
    ("前面", "后面"),
    ("哥哥", "弟弟"),
    ("姐姐", "妹妹"),
];

/// Nouns that do unless the text says what only one of them can be.
const BOUND_NOUNS: &[(&str, &str, Bound)] = &[
    ("男人", "女人", Bound::Gender),
    ("男孩", "女孩", Bound::Gender),
    ("男生", "女生", Bound::Gender),
    ("男性", "女性", Bound::Gender),
    ("父亲", "母亲", Bound::Gender),
    ("爸爸", "妈妈", Bound::Gender),
    ("儿子", "女儿", Bound::Gender),
    ("夏天", "冬天", Bound::Season),
    ("春天", "秋天", Bound::Season),
    ("早上", "晚上", Bound::Hour),
    ("优点", "缺点", Bound::Asked),
    ("好处", "坏处", Bound::Asked),
    ("优势", "劣势", Bound::Asked),
];

/// Verbs that exclude each other as what is done or felt.
const VERBS: &[(&str, &str)] =
    &[("喜欢", "讨厌"), ("喜爱", "厌恶"), ("允许", "禁止"), ("购买", "出售"), ("赞成", "反对")];

/// Verbs that do behind somebody who thinks so.
const OF_PEOPLE: &[(&str, &str)] = &[("支持", "反对"), ("同意", "反对"), ("相信", "怀疑"), ("承认", "否认")];

/// Verbs that do where a change has come about or can.
const OF_CHANGE: &[(&str, &str)] = &[
    ("增加", "减少"),
    ("提高", "降低"),
    ("上升", "下降"),
    ("上涨", "下跌"),
    ("成功", "失败"),
    ("扩大", "缩小"),
    ("开始", "结束"),
];

/// Adjectives that exclude each other as what is said of a thing.
const ADJECTIVES: &[(&str, &str)] = &[
    ("高", "低"),
    ("大", "小"),
    ("快", "慢"),
    ("多", "少"),
    ("远", "近"),
    ("长", "短"),
    ("贵", "便宜"),
    ("冷", "热"),
    ("早", "晚"),
    ("难", "容易"),
    ("重", "轻"),
    ("新", "旧"),
    ("胖", "瘦"),
    ("干净", "肮脏"),
    ("安静", "吵闹"),
    ("安全", "危险"),
    ("简单", "复杂"),
    ("困难", "容易"),
    ("熟悉", "陌生"),
    ("舒服", "难受"),
    ("满意", "失望"),
    ("高兴", "难过"),
    ("开心", "难过"),
    ("热闹", "冷清"),
    ("宽敞", "狭窄"),
    ("漂亮", "难看"),
    ("好看", "难看"),
    ("好听", "难听"),
    ("好吃", "难吃"),
    ("聪明", "愚蠢"),
    ("勇敢", "胆小"),
    ("幸运", "倒霉"),
    ("有趣", "无聊"),
    ("有用", "无用"),
    ("有名", "无名"),
    ("有效", "无效"),
    ("热情", "冷淡"),
    ("友好", "冷淡"),
    ("大方", "小气"),
    ("年轻", "年老"),
    ("富有", "贫穷"),
    ("强壮", "虚弱"),
    ("强大", "弱小"),
    ("昂贵", "便宜"),
    ("温暖", "寒冷"),
    ("炎热", "寒冷"),
    ("明亮", "昏暗"),
    ("丰富", "贫乏"),
    ("积极", "消极"),
    ("美丽", "丑陋"),
    ("重要", "次要"),
];

/// Adjectives that exclude each other before a thing as well: `年轻的国王`.
const OF_THINGS: &[(&str, &str)] = &[
    ("年轻", "年老"),
    ("便宜", "昂贵"),
    ("昂贵", "廉价"),
    ("富有", "贫穷"),
    ("胖", "瘦"),
    ("有趣", "无聊"),
    ("强壮", "虚弱"),
    ("合法", "非法"),
    ("免费", "收费"),
];

/// Words of degree behind which an adjective says how a thing is.
const DEGREES: &[&str] =
    &["很", "非常", "十分", "特别", "挺", "相当", "真", "极其", "极为", "有点", "比较", "太", "格外"];

/// People who think or feel.
const PEOPLE: &[&str] = &[
    "我",
    "我们",
    "他",
    "她",
    "他们",
    "她们",
    "你",
    "你们",
    "人们",
    "大家",
    "公众",
    "政府",
    "议员",
    "总统",
    "委员会",
    "美国",
    "学生",
    "专家",
    "也",
    "仍然",
    "一直",
    "完全",
];

/// Words behind which a change comes about.
const CHANGING: &[&str] =
    &["会", "将", "可以", "能", "能够", "已", "已经", "正在", "有所", "大幅", "逐渐", "怎样", "怎么", "如何"];

/// What only one of two nouns can be or have.
#[derive(Clone, Copy)]
enum Bound {
    Gender,
    Season,
    Hour,
    /// Only what a thing has is asked for or said; why it is so would stay.
    Asked,
}

impl Bound {
    /// Whether one of the texts says so.
    fn holds(self, word: &str, texts: &[&Text]) -> bool {
        let says = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
        match self {
            Self::Gender => {
                let other = |text: &&Text| {
                    text.replace(word, "").contains(['男', '女', '爸', '妈', '父', '母', '夫', '妻', '他', '她'])
                };
                texts.iter().any(other) || says(OF_ONE_GENDER)
            }
            Self::Season => says(&["热", "冷", "暖", "凉", "雪", "湿", "雨", "花", "叶", "月", "空调", "阳光", "冰"]),
            Self::Hour => {
                let hour = |text: &&Text| HOURS.iter().any(|hour| text.replace(word, "").contains(hour));
                texts.iter().any(hour)
            }
            Self::Asked => !texts.iter().any(|text| text.contains('有') && text.contains(['么', '哪', '吗'])),
        }
    }
}

/// What is done or seen at an hour.
const HOURS: &[&str] = &["睡", "夜", "餐", "饭", "灯", "星", "早", "晨", "点", "起床", "觉", "日", "晚"];

/// What is true of men or of women only, and who belongs to one.
const OF_ONE_GENDER: &[&str] = &[
    "精子",
    "精液",
    "遗精",
    "阳痿",
    "睾",
    "阴",
    "前列腺",
    "月经",
    "经期",
    "怀孕",
    "生孩子",
    "生小孩",
    "孕",
    "产",
    "胎",
    "卵",
    "宫",
    "乳",
    "奶",
    "胸",
    "罩",
    "裙",
    "胡子",
    "包皮",
    "处女",
    "伟哥",
    "老婆",
    "老公",
    "先生",
    "女士",
    "太太",
    "去哪",
    "成人礼",
    "化妆",
    "美女",
    "帅",
    "汉子",
    "姑娘",
    "小伙",
    "皇",
    "王",
    "和尚",
    "尼姑",
];

/// The words of a text that can be turned, each with its edits.
pub(super) fn turnable(text: &Text, texts: &[&Text]) -> Vec<Turned> {
    let says = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
    if says(HEDGES) || says(TITLES) {
        return Vec::new();
    }
    let han = Han::of(text);
    let mut found: Vec<Turned> = Vec::new();
    for at in han.han() {
        let Some(other) = opposite(&han, at, texts) else { continue };
        let said = |other: &str| texts.iter().any(|text| text.contains(other));
        let once = texts.iter().all(|text| text.matches(han.written(at)).count() <= 1);
        if once && !said(other) {
            found.push(Turned { lemma: han.word(at).into(), edits: han.replace(at, other) });
        }
    }
    found
}

/// The word that excludes the one at place `at` there.
fn opposite(han: &Han, at: usize, texts: &[&Text]) -> Option<&'static str> {
    let word = han.word(at);
    if let Some(other) = listed(NOUNS, &word) {
        // `下午茶`
        return Some(other).filter(|_| !matches!(&*han.after(at), "茶" | "场" | "版"));
    }
    let bound = |(one, other, bound): &(&'static str, &'static str, Bound)| {
        listed(&[(*one, *other)], &word).map(|other| (other, *bound))
    };
    if let Some((other, bound)) = BOUND_NOUNS.iter().find_map(bound) {
        return Some(other).filter(|_| !bound.holds(&word, texts));
    }
    let (before, next) = (han.before(at), han.after(at));
    let is = |upos: Upos| han.upos(at) == Some(upos);
    let ends = next.is_empty() || next.starts_with(|c: char| !c.is_alphanumeric());
    if let Some(other) = listed(VERBS, &word) {
        return Some(other).filter(|_| is(Upos::Verb) && !matches!(&*before, "的" | "被" | "所" | "很" | "最"));
    }
    if let Some(other) = listed(OF_PEOPLE, &word) {
        return Some(other).filter(|_| is(Upos::Verb) && PEOPLE.contains(&&*before) && !ends);
    }
    if let Some(other) = listed(OF_CHANGE, &word) {
        let changed = next == "了" || (CHANGING.contains(&&*before) && word != "开始" && word != "结束");
        return Some(other).filter(|_| is(Upos::Verb) && changed);
    }
    let said = DEGREES.contains(&&*before) && (ends || next == "了" || next == "吗");
    if let Some(other) = listed(ADJECTIVES, &word).filter(|_| said) {
        // `太好了`: the degree of a feeling.
        return Some(other).filter(|_| before != "太" || word.chars().count() == 1);
    }
    let thing = han.upos(at + 2) == Some(Upos::Noun) && next == "的";
    listed(OF_THINGS, &word).filter(|_| thing && !DEGREES.contains(&&*before))
}

/// The other word of a pair. Of several, the first.
fn listed(pairs: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    pairs.iter().find_map(|(one, other)| match word {
        _ if word == *one => Some(*other),
        _ if word == *other => Some(*one),
        _ => None,
    })
}
