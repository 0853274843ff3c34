//! As `templates`, in Chinese. Written for this project.

use fissure_core::Dice;

use super::templates::{Made, Overlap};
use Overlap::{Constituent, Lexical, Subsequence};

/// What the second text is to the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// It does not follow.
    No,
    Follows,
    /// Each follows from the other.
    Same,
}
use Tie::{Follows, No, Same};

/// `{a}`, `{b}` and `{c}` are people, `{see}` is what one does to another, `{sleep}` what one does.
const TEMPLATES: &[(Overlap, Tie, &str, &str)] = &[
    (Lexical, No, "{a}{see}了{b}。", "{b}{see}了{a}。"),
    (Lexical, No, "{a}被{b}{see}了。", "{a}{see}了{b}。"),
    (Lexical, No, "{a}和{b}{see}了{c}。", "{a}{see}了{b}。"),
    (Lexical, No, "{a}旁边的{b}{see}了{c}。", "{c}{see}了{a}。"),
    (Lexical, No, "{see}了{a}的{b}{sleep}了。", "{a}{see}了{b}。"),
    (Lexical, Same, "{a}被{b}{see}了。", "{b}{see}了{a}。"),
    (Lexical, Same, "{a}{see}了{b}。", "{b}被{a}{see}了。"),
    (Lexical, Same, "{a}和{b}都{sleep}了。", "{b}和{a}都{sleep}了。"),
    (Lexical, Follows, "{a}{see}了{b}和{c}。", "{a}{see}了{c}。"),
    (Lexical, Follows, "{see}了{a}的{b}{sleep}了。", "{b}{see}了{a}。"),
    (Subsequence, No, "{see}了{a}的{b}{sleep}了。", "{a}{sleep}了。"),
    (Subsequence, No, "{a}旁边的{b}{sleep}了。", "{a}{sleep}了。"),
    (Subsequence, No, "{a}身后的{b}{see}了{c}。", "{a}{see}了{c}。"),
    (Subsequence, No, "{a}{see}的{b}{sleep}了。", "{a}{sleep}了。"),
    (Subsequence, No, "{a}被{b}旁边的{c}{see}了。", "{a}被{b}{see}了。"),
    (Subsequence, Follows, "{a}旁边的{b}{sleep}了。", "{b}{sleep}了。"),
    (Subsequence, Follows, "{a}和{b}都{sleep}了。", "{b}{sleep}了。"),
    (Subsequence, Follows, "{a}昨天在花园里{see}了{b}。", "{a}{see}了{b}。"),
    (Subsequence, Follows, "{a}{sleep}了，{b}{see}了{c}。", "{b}{see}了{c}。"),
    (Subsequence, Same, "事实上，{a}{see}了{b}。", "{a}{see}了{b}。"),
    (Subsequence, Same, "的确，{a}{sleep}了。", "{a}{sleep}了。"),
    (Constituent, No, "如果{a}{sleep}了，{b}就会{see}{c}。", "{a}{sleep}了。"),
    (Constituent, No, "除非{a}{sleep}了，否则{b}不会来。", "{a}{sleep}了。"),
    (Constituent, No, "也许{a}{sleep}了。", "{a}{sleep}了。"),
    (Constituent, No, "{a}以为{b}{sleep}了。", "{b}{sleep}了。"),
    (Constituent, No, "{a}声称{b}{see}了{c}。", "{b}{see}了{c}。"),
    (Constituent, No, "要么{a}{sleep}了，要么{b}{see}了{c}。", "{b}{see}了{c}。"),
    (Constituent, Follows, "因为{a}{sleep}了，所以{b}{see}了{c}。", "{a}{sleep}了。"),
    (Constituent, Follows, "虽然{a}{sleep}了，但是{b}{see}了{c}。", "{b}{see}了{c}。"),
    (Constituent, Follows, "{a}知道{b}{sleep}了。", "{b}{sleep}了。"),
    (Constituent, Follows, "{a}记得{b}{see}了{c}。", "{b}{see}了{c}。"),
    (Constituent, Same, "毫无疑问，{a}{see}了{b}。", "{a}{see}了{b}。"),
    (Constituent, Same, "当然，{a}{sleep}了。", "{a}{sleep}了。"),
];

const PEOPLE: [&str; 20] = [
    "律师",
    "医生",
    "老师",
    "记者",
    "司机",
    "工程师",
    "护士",
    "厨师",
    "农民",
    "画家",
    "歌手",
    "警察",
    "作家",
    "教授",
    "演员",
    "经理",
    "科学家",
    "运动员",
    "秘书",
    "游客",
];
/// None of these says that the other does the same.
const ACTS: [&str; 12] =
    ["批评", "表扬", "帮助", "采访", "邀请", "拒绝", "感谢", "保护", "打断", "指责", "推荐", "拜访"];
const DEEDS: [&str; 8] = ["离开", "迟到", "辞职", "睡着", "出发", "摔倒", "哭", "生病"];

/// A pair of this overlap, following or not as likely. With `same`, what follows means the same.
pub(crate) fn make(overlap: Option<Overlap>, same: bool, dice: &mut Dice) -> Made {
    let follows = dice.chance(0.5);
    let fits = |(kind, tie, _, _): &&(Overlap, Tie, &str, &str)| {
        overlap.is_none_or(|wanted| wanted == *kind)
            && match tie {
                No => !follows,
                Follows => follows && !same,
                Same => follows,
            }
    };
    let fitting: Vec<&(Overlap, Tie, &str, &str)> = TEMPLATES.iter().filter(fits).collect();
    let (_, tie, premise, hypothesis) = dice.pick(&fitting).copied().unwrap_or(&TEMPLATES[0]);
    let mut people: Vec<&str> = dice.choose(PEOPLE.len(), 3).into_iter().map(|at| PEOPLE[at]).collect();
    dice.shuffle(&mut people);
    let (see, sleep) = (ACTS[dice.below(ACTS.len())], DEEDS[dice.below(DEEDS.len())]);
    let fill = |words: &str| {
        let slots = [("{a}", people[0]), ("{b}", people[1]), ("{c}", people[2]), ("{see}", see), ("{sleep}", sleep)];
        slots.iter().fold(words.to_owned(), |text, (slot, with)| text.replace(slot, with))
    };
    Made { premise: fill(premise), hypothesis: fill(hypothesis), follows: *tie != No }
}
