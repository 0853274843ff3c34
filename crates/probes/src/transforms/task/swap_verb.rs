use fissure_core::{Amount, Change, Dice, Resources, Sample, Skip, Transform, transform};
use fissure_text::chinese::dictionary;

use crate::support::segmented::Segmented;
use crate::support::standard::Standard;

transform! {
    /// Doubles verbs of a segmented text or takes them apart: `看一看` for `看`, `洗个澡` for `洗澡`.
    ///
    /// `看一看`, `看看` and `了解一下` are cut as the other samples of the file cut such forms; what they do not show is left
    /// alone. Verbs with an object of their own are taken apart into three words, whatever the standard. Denied verbs, and
    /// those with `着` or a result behind them, stay. The forms speak of brief deeds that somebody wants or ought to do, and
    /// news and reference texts seldom tell of such: about 1 in 300 paragraphs of the People's Daily change, and 3 of
    /// 5,000 sentences of UD Chinese GSD.
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
        "[他|token:S][已|token:B][经|token:E][毕|token:B][业|token:E][。|token:S]" => "[他|token:S][已|token:B][经|token:E][毕|token:S][了|token:S][业|token:S][。|token:S]",
        "[不|token:S][洗|token:B][澡|token:E]" => "[不|token:S][洗|token:B][澡|token:E]",
        "[要|token:S][握|token:B][手|token:E][话|token:B][别|token:E][。|token:S]" => "[要|token:S][握|token:B][手|token:E][话|token:B][别|token:E][。|token:S]",
    ]
}

/// Verbs of one character that can be doubled.
const DOUBLED: &str = "看听试谈问查找学尝聊读算猜摸玩洗擦练逛";
/// Verbs of two characters that are done on purpose and can be done for a while.
const FOR_A_WHILE: &str = "研究 讨论 了解 介绍 分析 检查 调查 考虑 总结 学习 交流 商量 参观 帮助 调整 处理 宣传 鼓励 提醒 教育 锻炼 整理 \
     整顿 清理 修改 补充 解释 回顾 展望 观察 比较 对比 检验 测试 尝试 体验 感受 欣赏 享受 庆祝 慰问 看望 照顾 安排 布置 协调 沟通 协商 \
     联系 查看 询问 请教 指导 监督 放松 休息 活动 收拾 打扫 修理 改造 核实 计算 统计 评价 评估 思考 探讨 利用 动员 训练 练习 \
     祝贺 安慰 表扬 批评 汇报 反映 考察 走访 采访 拜访 接待";
/// Verbs with an object of their own that can be counted.
const APART: [&str; 24] = [
    "洗澡", "睡觉", "吃饭", "见面", "聊天", "散步", "跳舞", "唱歌", "请假", "理发", "帮忙", "照相", "吵架", "打架",
    "开会", "洗手", "洗脸", "刷牙", "握手", "敬礼", "点头", "鞠躬", "拍照", "结婚",
];
/// Verbs with an object of their own that are done once and for all.
const DONE: [&str; 40] = [
    "毕业", "结婚", "离婚", "退休", "辞职", "下岗", "上岗", "开工", "投产", "破产", "获奖", "立功", "住院", "出院",
    "出国", "入党", "入学", "入伍", "参军", "开业", "开学", "报名", "投票", "签字", "签名", "搬家", "受伤", "上市",
    "上任", "让步", "道歉", "表态", "失业", "生病", "起床", "见面", "握手", "发言", "鼓掌", "成家",
];
/// Words behind which a deed is done.
const BY_NOW: [&str; 16] =
    ["已", "已经", "就", "刚", "刚刚", "才", "都", "也", "又", "陆续", "先后", "均", "当场", "纷纷", "早已", "正式"];
/// Words behind which such a verb is free to change.
const LEADING: &str = "要 去 想 可以 请 先 让 应该 想要 愿意 打算 准备 好好 一起 还要 也要 亲自 回家 值得 不妨";
/// Words behind which it is if an object follows.
const MANNERS: &str = "仔细 主动 抓紧 需要";
/// What is done with effort and not for a moment: `好好学习` asks for more than `好好学习一下`.
const WITH_EFFORT: &str = "学习 读 学 练 改造 锻炼 训练";
/// Verbs that have somebody do something: `教育干部增强意识`.
const HAVING_DONE: &str = "教育 动员 鼓励 提醒 帮助 指导";
/// Verbs whose object a deed can be.
const HAVING: &str = "进行 缺乏 加以 予以 作 做 得到 受到 给予 开展 有";
/// Words that deny what follows such a word.
const DENYING: [&str; 10] = ["不", "别", "没", "没有", "未", "不用", "不必", "无需", "何必", "所"];

impl Transform for SwapVerb {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let segmented = Segmented::of(sample)?;
        let standard = Standard::of(resources);
        let mut found: Vec<(usize, Vec<String>)> = Vec::new();
        for at in 0..segmented.len() {
            let word = segmented.word(at);
            let forms = if is_ordered(&segmented, at) { forms_of(word, &standard) } else { Vec::new() };
            // `地铁站的正式开工`: a deed that has a name.
            let is_named = at >= 2 && segmented.word(at - 2) == "的";
            let by_now = BY_NOW.contains(&segmented.before(at)) && !is_named;
            let done = by_now && DONE.contains(&word) && ends_clause(&segmented, at);
            if let Some(form) = dice.pick(&forms) {
                found.push((at, form.clone()));
            } else if done && !is_denied(&segmented, at) {
                found.push((at, apart(word, "了")));
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

/// What a verb can become where somebody wants or ought to do it.
fn forms_of(verb: &str, standard: &Standard) -> Vec<Vec<String>> {
    let cut = |joined: bool, words: &[&str]| -> Vec<String> {
        if joined { vec![words.concat()] } else { words.iter().map(|word| (*word).to_owned()).collect() }
    };
    let a_little = standard.a_little.is_joined().map(|joined| {
        let mut words = vec![verb.to_owned()];
        words.extend(cut(joined, &["一", "下"]));
        words
    });
    if APART.contains(&verb) {
        vec![apart(verb, "个")]
    } else if verb.chars().count() == 1 && DOUBLED.contains(verb) {
        let with_one = standard.with_one.is_joined().map(|joined| cut(joined, &[verb, "一", verb]));
        let doubled = standard.doubled.is_joined().map(|joined| cut(joined, &[verb, verb]));
        [with_one, doubled, a_little].into_iter().flatten().collect()
    } else if is_one_of(verb, FOR_A_WHILE) {
        a_little.into_iter().collect()
    } else {
        Vec::new()
    }
}

/// A verb and its own object with a word between them.
fn apart(verb: &str, between: &str) -> Vec<String> {
    let (verb, object) = verb.split_at(verb.chars().next().map_or(0, char::len_utf8));
    [verb, between, object].map(str::to_owned).into()
}

/// Whether the verb is wanted or ordered, and nothing that belongs to it follows: a result, an aspect, another verb.
fn is_ordered(segmented: &Segmented<'_>, at: usize) -> bool {
    let before = segmented.before(at);
    let leads = is_one_of(before, LEADING) || (is_one_of(before, MANNERS) && !ends_clause(segmented, at));
    // `进行深入分析`, `缺乏了解`: a deed that is the object of another.
    let is_object = (2..=3).filter_map(|back| at.checked_sub(back)).any(|at| is_one_of(segmented.word(at), HAVING));
    let lasts = before == "好好" && is_one_of(segmented.word(at), WITH_EFFORT);
    let apart_from_more =
        !APART.contains(&segmented.word(at)) || ends_clause(segmented, at) || segmented.word(at + 1) == "吧";
    let has_done =
        is_one_of(segmented.word(at), HAVING_DONE) && !ends_clause(segmented, at) && !ends_clause(segmented, at + 1);
    leads
        && !is_object
        && !lasts
        && !has_done
        && apart_from_more
        && !is_parallel(segmented, at)
        && !is_denied(segmented, at)
        && ends_there(segmented, at)
}

/// `一起落实，一起检查，一起考核`: of deeds in a row one would sound unlike the others.
fn is_parallel(segmented: &Segmented<'_>, at: usize) -> bool {
    let lead = segmented.before(at);
    (at.saturating_sub(7)..at + 7).any(|other| other + 1 != at && segmented.word(other) == lead)
}

fn is_denied(segmented: &Segmented<'_>, at: usize) -> bool {
    (1..=2).filter_map(|back| at.checked_sub(back)).any(|before| DENYING.contains(&segmented.word(before)))
}

fn ends_clause(segmented: &Segmented<'_>, at: usize) -> bool {
    let next = segmented.word(at + 1);
    next.is_empty() || "，。；！".contains(next)
}

fn ends_there(segmented: &Segmented<'_>, at: usize) -> bool {
    let next = segmented.word(at + 1);
    let is_noun = dictionary::tag(next).starts_with('n') && next.chars().count() > 1;
    // `需要研究问题的人`, `要加强领导作用`: what follows is part of a longer name that the verb does not end at.
    let starts_object = is_noun || ["我们", "他们", "你们", "大家", "这", "这个", "那", "自己", "各"].contains(&next);
    let third = segmented.word(at + 2);
    ends_clause(segmented, at) || next == "吧" || next == "：" || (starts_object && third != "、" && third != "的")
}

fn is_one_of(word: &str, list: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|known| known == word)
}
