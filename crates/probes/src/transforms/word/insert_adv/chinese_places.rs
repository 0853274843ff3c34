//! Where a Chinese clause takes an adverb that stresses: between its subject and what is said of it.

use fissure_text::Upos;

use crate::support::chinese::Han;

/// Where there is room, in bytes, and for which adverbs.
pub(super) type Room = (usize, &'static [&'static str]);

/// Adverbs that stress and add no claim, before anything.
const ANYWHERE: &[&str] = &["确实", "的确", "真的"];
/// The same before a plain word of degree.
const OF_DEGREE: &[&str] = &["确实", "的确", "真的", "实在", "着实", "其实"];
/// The same before a verb of feeling.
const OF_FEELING: &[&str] = &["确实", "的确", "真的", "真心", "其实"];
/// The same before other verbs and denials.
const OF_VERBS: &[&str] = &["确实", "的确", "真的", "其实"];

/// The adverbs for the word at a place.
fn adverbs(word: &str) -> &'static [&'static str] {
    match word {
        "很" | "太" | "非常" | "十分" | "相当" => OF_DEGREE,
        "喜欢" | "希望" | "佩服" | "期待" | "觉得" => OF_FEELING,
        "最" | "更" | "超级" | "挺" | "蛮" | "不错" => ANYWHERE,
        _ => OF_VERBS,
    }
}

/// Words of degree that open what is said of a thing.
const DEGREES: [&str; 14] =
    ["很", "非常", "太", "比较", "十分", "特别", "挺", "相当", "蛮", "有点", "有些", "最", "更", "超级"];

/// Denials that do so.
const DENIALS: [&str; 6] = ["不", "没有", "没", "不会", "不能", "不是"];

/// Verbs of thinking, being and being able: what they say can be stressed whoever says it.
const VERBS: [&str; 30] = [
    "觉得", "认为", "喜欢", "希望", "相信", "感觉", "感到", "知道", "明白", "理解", "需要", "可以", "能够", "能", "会",
    "是", "有", "具有", "存在", "值得", "适合", "属于", "像", "怀疑", "担心", "后悔", "佩服", "同意", "期待", "不错",
];

/// Words that ask, suppose or stress already; a clause with one of them stays.
const HOLDING: [&str; 62] = [
    "吗",
    "呢",
    "什么",
    "怎么",
    "谁",
    "哪",
    "哪里",
    "哪儿",
    "哪个",
    "多少",
    "几",
    "为什么",
    "为何",
    "如何",
    "是否",
    "是不是",
    "有没有",
    "能不能",
    "会不会",
    "可不可以",
    "如果",
    "要是",
    "假如",
    "若",
    "即使",
    "不管",
    "无论",
    "只要",
    "除非",
    "确实",
    "的确",
    "真的",
    "真",
    "实在",
    "果然",
    "其实",
    "当然",
    "也许",
    "可能",
    "大概",
    "难道",
    "究竟",
    "到底",
    "请",
    "请问",
    "吧",
    "怎样",
    "怎么样",
    "啥",
    "干嘛",
    "所",
    "只有",
    "总",
    "总会",
    "总是",
    "应该",
    "应",
    "真心",
    "着实",
    "倒是",
    "好像",
    "好象",
];

/// Where an adverb can be put, in bytes: at most one place in each clause.
pub(super) fn places(han: &Han) -> Vec<Room> {
    let count = han.len();
    let mut found = Vec::new();
    let mut start = 0;
    while start < count {
        let end = (start..count).find(|at| ends_clause(han, *at)).unwrap_or(count);
        let asks = han.written(end).starts_with(['？', '?']);
        if !asks && (start..end).all(|at| !HOLDING.contains(&&*han.word(at))) {
            let place = (start + 1..end).find(|at| takes(han, start, end, *at));
            found.extend(place.map(|at| (han.span(at).start, adverbs(&han.word(at)))));
        }
        start = end + 1;
    }
    found
}

/// Whether a mark ends the clause there; a colon or a bracket does as well.
fn ends_clause(han: &Han, at: usize) -> bool {
    han.written(at).chars().all(|c| !c.is_alphanumeric())
}

/// Whether an adverb fits before the word at place `at` of a clause.
fn takes(han: &Han, start: usize, end: usize, at: usize) -> bool {
    // `奥运|会` is cut within a word.
    let touches = !han.before(at).is_empty() && !han.is_torn(at);
    let word = han.word(at);
    let (next, next_upos) = (if at + 1 < end { han.word(at + 1) } else { "".into() }, han.upos(at + 1));
    let is_said = |upos| matches!(upos, Some(Upos::Adj | Upos::Verb | Upos::Aux));
    let says = if DEGREES.contains(&&*word) || word == "不" {
        // `很多人` and `最后` say nothing of a thing; `最好的酒店` is the thing itself.
        at + 1 < end && is_said(next_upos) && !is_any(&next, &["多", "少", "好", "是"]) && !modifies(han, at + 2, end)
            || at + 2 == end && is_said(next_upos)
    } else if DENIALS.contains(&&*word) {
        at + 1 < end && !modifies(han, at + 1, end)
    } else if word == "不错" {
        at + 1 == end
    } else if VERBS.contains(&&*word) {
        at + 1 < end && !is_any(&next, &["的", "不", "没有", "没", "着", "时", "关", "点"])
    } else {
        false
    };
    touches && says && has_subject(han, start, at)
}

/// Whether a word that says what a thing is like stands before the thing: `很好的酒店`.
fn modifies(han: &Han, from: usize, end: usize) -> bool {
    let near = (from..end.min(from + 2)).find(|at| is_any(&han.word(*at), &["的", "地"]));
    near.is_some_and(|at| at + 1 < end)
}

/// Whether what stands between the start of the clause and place `at` is a short subject: a pronoun, or a thing with what
/// belongs to it.
fn has_subject(han: &Han, start: usize, at: usize) -> bool {
    let subject = start..at;
    let pronoun = ["我", "我们", "他", "她", "他们", "她们", "大家", "这", "那", "它", "本人", "这里", "这个"];
    let first = han.word(start);
    let skips =
        usize::from(is_any(&first, &["但", "但是", "不过", "而且", "所以", "因为", "可是", "可", "而", "另外"]));
    let subject = subject.start + skips..subject.end;
    if subject.is_empty() || subject.len() > 4 {
        return false;
    }
    let last = subject.end - 1;
    if pronoun.contains(&&*han.word(last)) {
        // `大家可以去看` invites.
        return subject.len() == 1 && !(han.word(last) == "大家" && is_any(&han.word(at), &["可以", "能", "应该"]));
    }
    let is_name = |at: usize| matches!(han.upos(at), Some(Upos::Noun | Upos::Propn));
    let belongs = |at: usize| {
        is_name(at)
            || matches!(han.upos(at), Some(Upos::Pron | Upos::Det | Upos::Num))
            || is_any(&han.word(at), &["的", "这", "那", "本", "个", "家", "款", "部"])
    };
    let time = [
        "时", "时候", "后", "前", "之后", "之前", "以后", "以前", "今天", "昨天", "明天", "晚上", "早上", "基本",
        "小时", "沿途", "后来", "下次", "上次", "根本", "一般", "关键", "总体", "好像", "好象",
    ];
    is_name(last)
        && !time.contains(&&*han.word(last))
        && han.word(last).chars().count() > 1
        && subject.into_iter().all(belongs)
}

fn is_any(word: &str, words: &[&str]) -> bool {
    words.contains(&word)
}
