use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Doubles adjectives and verbs of two characters in a segmented text: `高高兴兴` for `高兴`, `讨论讨论` for `讨论`.
    ///
    /// Only words that are doubled in common use change. An adjective changes before `地` or where a clause ends, never behind
    /// `很` or another word of degree; a verb changes where somebody wants or ought to do something. The new form is one word,
    /// unless the other samples of the file cut such forms.
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

const ADJECTIVES: [&str; 62] = [
    "高兴", "干净", "漂亮", "清楚", "明白", "热闹", "整齐", "认真", "仔细", "平安", "健康", "快乐", "舒服", "轻松",
    "简单", "普通", "老实", "大方", "安静", "平静", "冷清", "忙碌", "匆忙", "辛苦", "顺利", "稳当", "踏实", "结实",
    "严实", "明亮", "端正", "规矩", "痛快", "爽快", "和气", "客气", "亲热", "亲切", "恭敬", "小心", "大胆", "慌张",
    "糊涂", "马虎", "零碎", "完整", "圆满", "风光", "体面", "斯文", "朴素", "朴实", "诚恳", "甜蜜", "红火", "兴旺",
    "风雨", "安稳", "从容", "平淡", "真实", "实在",
];
const VERBS: [&str; 30] = [
    "讨论", "研究", "商量", "考虑", "了解", "学习", "休息", "打听", "介绍", "调查", "分析", "比较", "观察", "锻炼",
    "收拾", "打扫", "整理", "参观", "交流", "体验", "准备", "活动", "检查", "改善", "放松", "教育", "指导", "帮助",
    "关心", "照顾",
];
/// Words behind which an adjective cannot be doubled.
const DEGREES: [&str; 24] = [
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
];
const LEADING: [&str; 16] =
    ["要", "来", "去", "想", "可以", "请", "先", "再", "让", "应该", "应", "好好", "想要", "希望", "必须", "多"];

impl Transform for Reduplication {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let mut found: Vec<(usize, Vec<String>)> = Vec::new();
        for at in 0..segmented.len() {
            let (word, next) = (segmented.word(at), segmented.word(at + 1));
            let characters: Vec<char> = word.chars().collect();
            let [a, b] = characters[..] else { continue };
            let ends = next.is_empty() || "。！，；".contains(next);
            if ADJECTIVES.contains(&word) && next == "地" && !DEGREES.contains(&segmented.before(at)) {
                let cut = standard.doubled_each.is_joined() == Some(false);
                found.push((
                    at,
                    if cut { vec![format!("{a}{a}"), format!("{b}{b}")] } else { vec![format!("{a}{a}{b}{b}")] },
                ));
            } else if VERBS.contains(&word) && LEADING.contains(&segmented.before(at)) && ends {
                let cut = standard.doubled_pair.is_joined();
                found.extend(cut.map(|joined| {
                    (at, if joined { vec![word.repeat(2)] } else { vec![word.to_owned(), word.to_owned()] })
                }));
            }
        }
        let mut change = Change::default();
        for at in dice.choose(found.len(), self.amount.of(found.len())) {
            let (place, words) = &found[at];
            segmented.put(*place, &words.iter().map(String::as_str).collect::<Vec<_>>(), &mut change);
        }
        Ok(change)
    }
}
