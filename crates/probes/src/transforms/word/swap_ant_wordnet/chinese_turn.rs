//! Opposites of Chinese words, and whether the judgement of a text turns with them.

use std::ops::Range;

use fissure_core::{Amount, Dice, Edit, Place, Protected, Text};
use fissure_text::Upos;
use fissure_text::chinese::{is_han, synonyms};

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
    ("很快", "很慢"),
    ("很近", "很远"),
    ("很新", "很旧"),
    ("很棒", "很烂"),
    ("一流", "三流"),
    ("齐全", "不全"),
    ("实惠", "昂贵"),
    ("精美", "粗糙"),
    ("精致", "粗糙"),
    ("温馨", "冷清"),
    ("明亮", "昏暗"),
    ("合理", "离谱"),
    ("及时", "拖拉"),
    ("耐心", "急躁"),
    ("良好", "恶劣"),
    ("优美", "恶劣"),
    ("理想", "糟糕"),
    ("优惠", "昂贵"),
    ("丰富", "单调"),
    ("亲切", "冷漠"),
    ("贴心", "冷漠"),
    ("美味", "难吃"),
    ("给力", "差劲"),
    ("优越", "偏僻"),
    ("便利", "不便"),
    ("宽大", "狭小"),
    ("齐备", "不全"),
    ("细致", "马虎"),
    ("友好", "冷漠"),
    ("礼貌", "粗鲁"),
    ("幽雅", "嘈杂"),
    ("优雅", "嘈杂"),
];

/// Words that judge some things only, each with the word that judges them the other way, good first: a large room is good, a
/// large noise is not. Written for this project.
const OF_THINGS: &[(&str, &str, &[&str])] = &[
    (
        "大",
        "小",
        &["房间", "空间", "屏幕", "床", "大堂", "面积", "院子", "容量", "浴室", "客房", "硬盘", "内存", "字体", "大厅"],
    ),
    ("快", "慢", &["速度", "送货", "发货", "物流", "反应", "运行", "开机", "出货", "到货", "送货速度", "发货速度"]),
    ("高", "低", &["性价比", "配置", "档次", "清晰度", "分辨率"]),
    ("新", "旧", &["设施", "装修", "房间", "酒店", "设备", "家具"]),
    ("强", "弱", &["功能", "性能"]),
];

/// Other words that judge, or that deny, weigh and compare judgements: a text with one of them stays.
const HOLDING: &[&str] = &[
    "良好",
    "理想",
    "说得过去",
    "下回",
    "地道",
    "再住",
    "大气",
    "美中不足",
    "物有所值",
    "轻便",
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
    "对得起",
    "对得其",
    "合适",
    "亮丽",
    "靓丽",
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
    "到位",
    "好评",
    "够星",
    "五星",
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
    let bound = word.chars().count() == 1 && is_asked(han, at)
        || word.chars().count() == 1
            && (matches!(&*han.before(at), "最" | "多" | "多么" | "一" | "这么" | "那么" | "很")
                || &*han.after(at) == "家");
    if bound || is_denied(han, at) || han.is_part(at) {
        Vec::new()
    } else {
        known.map(|other| (*other).to_owned()).collect()
    }
}

fn counter_judgements(han: &Han, at: usize) -> Vec<String> {
    judged(han, at).map(|(_, other)| other).into_iter().collect()
}

/// Whether the word at a place praises, and the word that judges the other way.
fn judged(han: &Han, at: usize) -> Option<(bool, String)> {
    let word = han.word(at);
    let judges = matches!(han.upos(at), Some(Upos::Adj | Upos::Verb | Upos::Adv | Upos::Noun));
    let next = han.after(at);
    // `满意度`, `差了点`, `可流畅运行`
    let bound = match &*word {
        "好" | "差" | "流畅" | "卡顿" => !is_said(han, at),
        // `还不错` praises less than `还糟糕` blames.
        "不错" => matches!(&*han.before(at), "还" | "也还" | "算" | "还算" | "还是"),
        // `有麻烦` is a thing, `很快就` says when, `什么都不值` denies all.
        "麻烦" | "方便" => matches!(&*han.before(at), "有" | "惹" | "找" | "添" | "的"),
        "很快" | "很慢" => next == "就",
        "不值" | "超值" => han.before(at) == "都",
        // `喜欢上` begins a feeling, and `便宜货` is a thing.
        "喜欢" | "讨厌" => next.starts_with('上'),
        "便宜" | "昂贵" => next.starts_with('货'),
        "满意" | "失望" => next == "度" || !DEGREES.contains(&&*han.before(at)),
        _ => false,
    };
    let fits = judges && !is_denied(han, at) && !bound && !is_asked(han, at) && !han.is_part(at);
    let one = |(good, bad): &(&'static str, &'static str)| match () {
        () if word == *good => Some((true, (*bad).to_owned())),
        () if word == *bad => Some((false, (*good).to_owned())),
        () => None,
    };
    JUDGING.iter().find_map(one).or_else(|| of_thing(han, at)).filter(|_| fits)
}

/// The judgement of a word that judges the thing right before it: `房间很大`.
fn of_thing(han: &Han, at: usize) -> Option<(bool, String)> {
    let word = han.word(at);
    let (degree, plain) = match word.strip_prefix('很') {
        Some(plain) => ("很", plain),
        None => ("", &*word),
    };
    let before = han.before(at);
    let spoken = degree.is_empty() && DEGREES.contains(&&*before) && !["太", "最", "更"].contains(&&*before);
    let thing = if spoken { han.before(at.checked_sub(1)?) } else { before };
    // Without a degree `房间大` compares.
    let ends = |word: &str| word.is_empty() || word.starts_with(|c: char| !c.is_alphanumeric());
    let graded = (spoken || !degree.is_empty()) && ends(&han.after(at));
    let (good, bad, _) = OF_THINGS
        .iter()
        .find(|(good, bad, things)| (plain == *good || plain == *bad) && things.contains(&&*thing))
        .filter(|_| graded)?;
    Some(if plain == *good { (true, format!("{degree}{bad}")) } else { (false, format!("{degree}{good}")) })
}

/// Whether the clause asks which thing or way is good: `吃什么好`, `怎样清洗好`. The question stays the same if its word turns.
fn is_asked(han: &Han, at: usize) -> bool {
    const ASKING: [&str; 24] = [
        "什么",
        "甚么",
        "啥",
        "怎么",
        "怎样",
        "怎么样",
        "如何",
        "哪",
        "哪里",
        "哪儿",
        "哪个",
        "哪些",
        "哪种",
        "哪家",
        "哪款",
        "谁",
        "多少",
        "几",
        "为什么",
        "为何",
        "怎么办",
        "咋",
        "何",
        "咋样",
    ];
    // Farther away it asks something else, and a text without marks would be read again for each of its words.
    const NEAR: usize = 16;
    let is_word = |at: &usize| han.written(*at).chars().all(char::is_alphanumeric);
    let mut before = (0..at).rev().take(NEAR).take_while(is_word);
    let mut behind = (at + 1..han.len()).take(NEAR).take_while(is_word);
    let asks = |at: usize| ASKING.contains(&&*han.word(at)) || han.word(at).starts_with(['哪', '啥']);
    // `那个好` is `哪个好` with a slip, and who asks for something good does not judge.
    let that = at > 0 && han.written(at - 1).starts_with('那')
        || (2..5).any(|back| {
            at >= back
                && han.written(at - back).starts_with('那')
                && han.after(at).is_empty()
                && han.word(at).chars().count() == 1
        });
    let wants = |at: usize| han.word(at).ends_with('求') || han.word(at) == "求助";
    that || before.clone().any(wants) || before.any(asks) || behind.any(asks)
}

/// Whether `好` is what is said of a thing: at the end of a clause, or before `的` and a thing.
fn is_said(han: &Han, at: usize) -> bool {
    let next = han.after(at);
    let ends = |word: &str| word.is_empty() || word.starts_with(|c: char| !c.is_alphanumeric());
    // `好的，` agrees.
    ends(&next) || (next == "的" && !(ends(&han.before(at)) && ends(&han.after(at + 1))))
}

fn is_denied(han: &Han, at: usize) -> bool {
    matches!(&*han.before(at), "不" | "没" | "没有" | "不是" | "不太" | "不够" | "别")
}

/// Whether the judgement of a text turns if its words that judge do: it has such words of one side only, at least one in
/// each clause, enough of them that their weights (2 each) reach `clear`, and no word that judges otherwise, denies or weighs.
fn turns(text: &Text, clear: f64) -> bool {
    let han = Han::of(text);
    let protected = Protected::of(text);
    let (mut good, mut bad) = (0.0, 0.0);
    let mut turned: Vec<usize> = Vec::new();
    for at in han.han() {
        let word = han.word(at);
        let judges = |one: &str| word == one;
        if let Some((praises, _)) = judged(&han, at) {
            if protected.covers(han.span(at).into()) {
                return false;
            }
            good += f64::from(u8::from(praises));
            bad += f64::from(u8::from(!praises));
            turned.push(han.span(at).start);
        } else if holds(&word) || JUDGING.iter().any(|(one, other)| judges(one) || judges(other)) {
            return false;
        }
    }
    (good == 0.0) != (bad == 0.0)
        && 2.0 * (good + bad) >= clear
        && clauses(text).all(|clause| {
            // A short clause names a thing or calls out; a longer one that judges in other words would still judge as before.
            text[clause.clone()].chars().filter(|c| is_han(*c)).count() < 3
                || turned.iter().any(|at| clause.contains(at))
        })
}

/// Whether a word holds a judgement where it is, behind a word of degree as well: `很快`.
fn holds(word: &str) -> bool {
    let plain = DEGREES.iter().find_map(|degree| word.strip_prefix(degree)).unwrap_or(word);
    HOLDING.contains(&word) || HOLDING.contains(&plain)
}

/// Words of degree, which the words of a text may begin with.
const DEGREES: &[&str] = &["很", "挺", "非常", "十分", "比较", "相当", "特别", "太", "最", "更", "真", "超"];

/// The stretches between marks, as bytes.
fn clauses(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive(|c: char| c.is_whitespace() || "，。！？；、,.!?;~".contains(c)).map(move |clause| {
        start += clause.len();
        start - clause.len()..start
    })
}
