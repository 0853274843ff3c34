use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Doubles verbs of a segmented text or takes them apart: `看一看` for `看`, `洗个澡` for `洗澡`.
    ///
    /// `看一看` and `看看` are cut as the other samples of the file cut such forms; what they do not show is left alone. Verbs
    /// with an object of their own are taken apart into three words, whatever the standard. Denied verbs, and those with `了`,
    /// `着` or a result behind them, stay.
    pub struct SwapVerb {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        requires: &[Has::Boundaries],
        needs: &[Donors],
        languages: &[Chinese],
        aliases: &["SwapVerb", "CnSwapVerb"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[我|token:S][去|token:S][洗|token:B][澡|token:E][。|token:S]" => "[我|token:S][去|token:S][洗|token:S][个|token:S][澡|token:S][。|token:S]",
        "[大|token:B][家|token:E][一|token:B][起|token:E][吃|token:B][饭|token:E][吧|token:S]" => "[大|token:B][家|token:E][一|token:B][起|token:E][吃|token:S][个|token:S][饭|token:S][吧|token:S]",
        "[我|token:B][们|token:E][去|token:S][散|token:B][步|token:E][，|token:S]" => "[我|token:B][们|token:E][去|token:S][散|token:S][个|token:S][步|token:S][，|token:S]",
        "[不|token:S][洗|token:B][澡|token:E]" => "[不|token:S][洗|token:B][澡|token:E]",
    ]
}

/// Verbs of one character that can be doubled.
const DOUBLED: &str = "看听试谈问查找学等尝聊读算猜摸玩洗擦练逛讲";
/// Verbs with an object of their own that can be counted.
const APART: [&str; 24] = [
    "洗澡", "睡觉", "吃饭", "见面", "聊天", "散步", "跳舞", "唱歌", "请假", "理发", "帮忙", "照相", "吵架", "打架",
    "开会", "洗手", "洗脸", "刷牙", "握手", "敬礼", "点头", "鞠躬", "拍照", "结婚",
];
/// Words behind which such a verb is free to change.
const LEADING: [&str; 20] = [
    "要", "去", "想", "可以", "请", "先", "让", "应该", "应", "好好", "多", "一起", "想要", "愿意", "希望", "打算",
    "准备", "必须", "回家", "我们",
];

impl Transform for SwapVerb {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let mut found: Vec<(usize, Vec<String>)> = Vec::new();
        for at in 0..segmented.len() {
            if !LEADING.contains(&segmented.before(at)) || !ends_there(segmented.word(at + 1)) {
                continue;
            }
            let word = segmented.word(at);
            if APART.contains(&word) {
                let (verb, object) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
                found.push((at, vec![verb.to_owned(), "个".to_owned(), object.to_owned()]));
            } else if word.chars().count() == 1 && DOUBLED.contains(word) {
                let words = |joined: bool, middle: &[&str]| {
                    let all: Vec<&str> = [word].into_iter().chain(middle.iter().copied()).chain([word]).collect();
                    if joined { vec![all.concat()] } else { all.into_iter().map(str::to_owned).collect::<Vec<_>>() }
                };
                let forms = [
                    standard.with_one.is_joined().map(|joined| words(joined, &["一"])),
                    standard.doubled.is_joined().map(|joined| words(joined, &[])),
                ];
                let forms: Vec<Vec<String>> = forms.into_iter().flatten().collect();
                found.extend(dice.pick(&forms).map(|form| (at, form.clone())));
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

/// Whether nothing that belongs to the verb follows: a result, an aspect, a denial.
fn ends_there(next: &str) -> bool {
    let is_mark = next.chars().all(|c| !c.is_alphanumeric());
    let is_noun = fissure_text::chinese::dictionary::tag(next).starts_with('n') && next.chars().count() > 1;
    is_mark || is_noun || ["吧", "我们", "他们", "你们", "大家", "这", "那", "自己"].contains(&next)
}
