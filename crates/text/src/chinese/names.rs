//! Names of people: surnames, given names, and which characters women and men are named with.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::table::{lines, text};

/// The surnames, the most frequent first.
pub fn surnames() -> &'static [&'static str] {
    static LIST: OnceLock<Vec<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| lines(text!("chinese_surnames.txt")).flat_map(|line| line.split(' ')).collect())
}

/// Given names of one or two characters, the most frequent first.
pub fn given_names() -> &'static [&'static str] {
    static LIST: OnceLock<Vec<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| lines(text!("chinese_given_names.txt")).collect())
}

/// The surname and the given name of a full name; `None` if it does not look like one.
///
/// ```
/// use fissure_text::chinese::names;
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(names::parts("王小明"), Some(("王", "小明")));
/// assert_eq!(names::parts("欧阳修"), Some(("欧阳", "修")));
/// assert_eq!(names::parts("小明"), None);
/// # }
/// ```
pub fn parts(name: &str) -> Option<(&str, &str)> {
    let count = name.chars().count();
    let ends = |length: usize| name.char_indices().nth(length).map(|(at, _)| at);
    let split = |length: usize| ends(length).map(|at| name.split_at(at)).filter(|(first, _)| is_surname(first));
    match count {
        2 => split(1),
        3 => split(2).or_else(|| split(1)),
        4 => split(2),
        _ => None,
    }
}

pub fn is_surname(name: &str) -> bool {
    static SET: OnceLock<HashSet<&'static str>> = OnceLock::new();
    SET.get_or_init(|| surnames().iter().copied().collect()).contains(name)
}

/// Characters that mostly women are named with, and those that mostly men are.
const WOMEN: &str = "娜婷丽芳娟敏静艳霞燕玲娇莉媛婉婵妍妮嫣姗倩茜莹萍红雪梅兰菊莲英花琴珍珠玉环凤珊瑶琳琪璐颖蕾薇菲芸";
const MEN: &str = "伟强刚勇军峰磊鹏飞龙虎豪雄辉斌彬杰涛波海洋建国志宏毅坚武胜刚健松柏栋梁浩天宇轩昊";

/// Whether a given name is a woman's (`Some(true)`), a man's, or cannot be known.
pub fn is_womans(given: &str) -> Option<bool> {
    let count = |list: &str| given.chars().filter(|c| list.contains(*c)).count();
    match (count(WOMEN), count(MEN)) {
        (1.., 0) => Some(true),
        (0, 1..) => Some(false),
        _ => None,
    }
}
