use std::ops::Range;

use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::Upos;
use fissure_text::chinese::{dictionary, names};

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Doubles words of a segmented text: `高高兴兴` for `高兴`, `讨论讨论` for `讨论`, `一座座` for `一座`, `刚刚` for `刚`.
    ///
    /// Only words that are doubled in common use change. An adjective changes before `地`, `的` or behind `得`, never behind `很` or another word of
    /// degree; a verb changes where somebody wants or ought to do something; an adverb, a classifier behind `一` or `每年` only
    /// if the other samples of the file have such forms, which are cut as they cut them. Few words can be doubled and still make
    /// sense: about 3 in 100 paragraphs of the People's Daily change, and 1 of 500 sentences of UD Chinese GSD.
    pub struct Reduplication {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Morphology),
        expectation: Some(Relabelled),
        requires: &[Has::Boundaries],
        needs: &[Donors],
        languages: &[Chinese],
        aliases: &["Reduplication", "CnReduplication"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[他|token:S][高|token:B][兴|token:E][地|token:S][走|token:S][了|token:S]" => "[他|token:S][高|token:B][高|token:M][兴|token:M][兴|token:E][地|token:S][走|token:S][了|token:S]",
        "[她|token:S][认|token:B][真|token:E][地|token:S][写|token:S]" => "[她|token:S][认|token:B][认|token:M][真|token:M][真|token:E][地|token:S][写|token:S]",
        "[孩|token:B][子|token:E][们|token:S][整|token:B][齐|token:E][地|token:S][坐|token:S][着|token:S]" => "[孩|token:B][子|token:E][们|token:S][整|token:B][整|token:M][齐|token:M][齐|token:E][地|token:S][坐|token:S][着|token:S]",
        "[他|token:S][很|token:S][高|token:B][兴|token:E]" => "[他|token:S][很|token:S][高|token:B][兴|token:E]",
    ]
}

const ADJECTIVES: &[&str] = &[
    "高兴", "干净", "漂亮", "清楚", "明白", "热闹", "整齐", "认真", "仔细", "平安", "健康", "快乐", "舒服", "轻松",
    "简单", "普通", "老实", "大方", "安静", "平静", "冷清", "忙碌", "匆忙", "辛苦", "顺利", "稳当", "踏实", "结实",
    "严实", "端正", "规矩", "痛快", "爽快", "和气", "客气", "亲热", "恭敬", "慌张", "糊涂", "马虎", "零碎", "圆满",
    "斯文", "朴素", "朴实", "甜蜜", "红火", "兴旺", "安稳", "从容", "平淡", "实在",
];
/// Adjectives that are doubled before a thing as well.
const OF_THINGS: &[&str] = &[
    "干净", "整齐", "热闹", "漂亮", "结实", "普通", "简单", "清楚", "实在", "老实", "平安", "轻松", "安静", "平静",
    "平淡", "朴实",
];
const VERBS: [&str; 30] = [
    "讨论", "研究", "商量", "考虑", "了解", "学习", "休息", "打听", "介绍", "调查", "分析", "比较", "观察", "锻炼",
    "收拾", "打扫", "整理", "参观", "交流", "体验", "准备", "活动", "检查", "改善", "放松", "教育", "指导", "帮助",
    "关心", "照顾",
];
/// Words behind which an adjective cannot be doubled.
const DEGREES: &[&str] = &[
    "很",
    "非常",
    "最",
    "太",
    "更",
    "比较",
    "不",
    "没",
    "没有",
    "十分",
    "特别",
    "极",
    "挺",
    "较",
    "更加",
    "格外",
    "越",
    "越来越",
    "这么",
    "那么",
    "多么",
    "不够",
    "有点",
    "相当",
    "极其",
    "极为",
    "较为",
    "颇为",
    "异常",
    "最为",
    "一个",
    "个",
];
const LEADING: [&str; 16] =
    ["要", "来", "去", "想", "可以", "请", "先", "再", "让", "应该", "应", "好好", "想要", "希望", "必须", "多"];

impl Transform for Reduplication {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let tags = segmented.tags();
        let mut found: Vec<(Range<usize>, Vec<String>)> = Vec::new();
        for at in 0..segmented.len() {
            let (word, next) = (segmented.word(at), segmented.word(at + 1));
            let characters: Vec<char> = word.chars().collect();
            if let Some(doubled) = doubled_adverb(&segmented, at, &tags).filter(|new| standard.count(new) > 0) {
                found.push((at..at + 1, vec![doubled]));
            } else if let Some(places) = one_of_many(&segmented, at, &tags) {
                let written: String = places.clone().map(|at| segmented.word(at)).collect();
                let Some(classifier) = written.chars().nth(1) else { continue };
                let joined = standard.one_by_one.is_joined() == Some(true);
                found.extend(joined.then(|| (places, vec![format!("一{classifier}{classifier}")])));
            }
            let [a, b] = characters[..] else { continue };
            let ends = next.is_empty() || "。！，；".contains(next);
            let before = segmented.before(at);
            let described =
                next == "的" && OF_THINGS.contains(&word) && !["，", "。"].contains(&segmented.word(at + 2));
            let result = before == "得" && (OF_THINGS.contains(&word) || ADJECTIVES.contains(&word)) && ends;
            let manner = ADJECTIVES.contains(&word) && next == "地";
            // `宽敞明亮的教室`, `喜庆热闹的气氛`: two that belong together, whatever the first is tagged as.
            let paired = described
                && before.chars().count() == 2
                && at > 0
                && (matches!(tags[at - 1], Upos::Adj | Upos::Noun) || dictionary::tag(before).starts_with('a'));
            let joined = (at > 0 && tags[at - 1] == Upos::Adj && !result) || paired;
            if (manner || described || result) && !joined && !DEGREES.contains(&before) {
                let cut = standard.doubled_each.is_joined() == Some(false);
                let doubled = [format!("{a}{a}"), format!("{b}{b}")];
                found.push((at..at + 1, if cut { doubled.into() } else { vec![doubled.concat()] }));
            } else if VERBS.contains(&word) && LEADING.contains(&segmented.before(at)) && ends {
                let joined = standard.doubled_pair.is_joined();
                let doubled = |joined| if joined { vec![word.repeat(2)] } else { vec![word.to_owned(); 2] };
                found.extend(joined.map(|joined| (at..at + 1, doubled(joined))));
            }
        }
        let mut change = Change::default();
        for at in dice.choose(found.len(), self.amount.of(found.len())) {
            let (places, words) = &found[at];
            segmented.put_all(places.clone(), &words.iter().map(String::as_str).collect::<Vec<_>>(), &mut change);
        }
        Ok(change)
    }
}

/// Adverbs of one character, and how they are doubled.
const ADVERBS: [(&str, &str); 12] = [
    ("刚", "刚刚"),
    ("仅", "仅仅"),
    ("常", "常常"),
    ("渐", "渐渐"),
    ("稍", "稍稍"),
    ("略", "略略"),
    ("轻", "轻轻"),
    ("缓", "缓缓"),
    ("紧", "紧紧"),
    ("每年", "年年"),
    ("每天", "天天"),
    ("远", "远远"),
];
/// Verbs that tell how far one thing is beyond another.
const BEYOND: [&str; 12] =
    ["超过", "高于", "低于", "大于", "小于", "落后", "超出", "多于", "少于", "不如", "不能", "没有"];

/// An adverb before its verb, doubled.
fn doubled_adverb(segmented: &Segmented<'_>, at: usize, tags: &[Upos]) -> Option<String> {
    let (word, next) = (segmented.word(at), segmented.word(at + 1));
    let (_, doubled) = ADVERBS.iter().find(|(adverb, _)| *adverb == word)?;
    let verb = tags.get(at + 1) == Some(&Upos::Verb);
    let before = segmented.before(at);
    // `刘 刚 摄`, `年 仅 ２０`, `仅 有 的`
    let bound = names::is_surname(before) || before == "年" || (next == "有" && segmented.word(at + 2) == "的");
    let denied = bound || DEGREES.contains(&before) || next == "一";
    let fits = match word {
        "远" => BEYOND.contains(&next),
        "每年" | "每天" => next == "都" || next == "都要" || next == "都有",
        // `仅三天`, `刚三岁`
        "仅" | "刚" if segmented.word(at + 2) == "的" => false,
        "仅" | "刚" => (verb || tags.get(at + 1) == Some(&Upos::Num)) && before != "不",
        _ => verb && next.chars().count() > 1 && tags.get(at) == Some(&Upos::Adv),
    };
    (fits && !denied && !["不", "的", "地"].contains(&next)).then(|| (*doubled).to_owned())
}

/// Classifiers of which there can be many, one after the other. Of cars, ships and planes mostly one is meant.
const CLASSIFIERS: &str = "座条片批道张件位幅阵块排首群篇颗封笔圈株场束声根串双幢栋棵朵桩滴句幕堆";
/// Of these, those of which many are mostly seen or heard together.
const SEEN_TOGETHER: &str = "座条片批道张幅阵块排首群篇颗封束声串双幢栋棵朵句幕堆";
/// Verbs and other words behind which there can be many of a thing.
const MANY_BEHIND: &str = "出现 涌现 建起 建成 推出 写下 留下 看到 看见 听到 见到 面对 响起 传来 送来 送上 带来 \
     献上 奉献 攻克 克服 解决 培养 培育 造就 谱写 书写 树立 掀起 打开 打破 走进 走过 穿过 越过 翻过 拿出 发出 写出 演出 \
     把 随着 经过 通过 办 办起 修 修建 开出 种下 演绎 讲述 回忆 描绘 展现 展示 组织 举办 收到 接到 寄来 捧出 捧着 \
     飘来 升起 挂起 挂着 摆着 堆着 立着 排着 迎来 送走 迎接 签订 签署 兴建 兴起 崛起 筑起 架起 换来 赢得 夺得 取得 创下 刷新";

/// Where `一` and a classifier stand before a thing of which there can be many, in one word or in two.
fn one_of_many(segmented: &Segmented<'_>, at: usize, tags: &[Upos]) -> Option<Range<usize>> {
    let (word, next) = (segmented.word(at), segmented.word(at + 1));
    let is_classifier = |text: &str| text.chars().count() == 1 && CLASSIFIERS.contains(text);
    let end = match word.strip_prefix('一') {
        Some("") if is_classifier(next) => at + 2,
        Some(rest) if is_classifier(rest) => at + 1,
        _ => return None,
    };
    let before = segmented.before(at);
    let opens = before.is_empty() || matches!(before, "，" | "。" | "；" | "——" | "———");
    let classifier = segmented.word(end - 1);
    let seen = classifier.ends_with(|c: char| SEEN_TOGETHER.contains(c));
    let many = (opens && seen) || MANY_BEHIND.split(' ').any(|known| known == before);
    let thing = segmented.word(end);
    let is_thing = matches!(tags.get(end), Some(Upos::Noun | Upos::Adj)) && thing.chars().count() > 1;
    // `一个中国`, `一个月`, `一次会议上`: one alone, or a stretch of time.
    const ONE: [&str; 12] =
        ["小时", "时期", "月", "星期", "季度", "中国", "方面", "时代", "阶段", "世纪", "重要", "共同"];
    (many && is_thing && !ONE.iter().any(|one| thing.starts_with(one))).then_some(at..end)
}
