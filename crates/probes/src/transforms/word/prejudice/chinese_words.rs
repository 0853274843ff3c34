//! Men, women and places in Chinese texts.

use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, Proposal, Sample, Skip};
use fissure_text::Upos;
use fissure_text::chinese::places::{self, PlaceKind};
use fissure_text::chinese::{dictionary, names};

use super::region::region;
use super::{Region, To};
use crate::support::chinese::{Han, is_chinese};
use crate::support::chinese_names::{Named, Readings};

/// Words for men and for women. Written for this project.
const PAIRS: &[(&str, &str)] = &[
    ("他", "她"),
    ("他们", "她们"),
    ("先生", "女士"),
    ("男士", "女士"),
    ("男", "女"),
    ("男的", "女的"),
    ("男人", "女人"),
    ("男子", "女子"),
    ("男孩", "女孩"),
    ("男孩子", "女孩子"),
    ("男生", "女生"),
    ("男性", "女性"),
    ("男友", "女友"),
    ("男朋友", "女朋友"),
    ("爸爸", "妈妈"),
    ("老爸", "老妈"),
    ("父亲", "母亲"),
    ("哥哥", "姐姐"),
    ("弟弟", "妹妹"),
    ("儿子", "女儿"),
    ("孙子", "孙女"),
    ("丈夫", "妻子"),
    ("老公", "老婆"),
    ("爷爷", "奶奶"),
    ("外公", "外婆"),
    ("姥爷", "姥姥"),
    ("叔叔", "阿姨"),
    ("舅舅", "姨妈"),
    ("伯父", "伯母"),
    ("帅哥", "美女"),
    ("小伙子", "小姑娘"),
    ("王子", "公主"),
    ("新郎", "新娘"),
    ("男演员", "女演员"),
    ("男同学", "女同学"),
    ("男主角", "女主角"),
    ("男神", "女神"),
];

/// What only a man or only a woman is or has, or has no other side here: a text with one of these stays.
const HOLDING: &[&str] = &[
    "怀孕",
    "孕妇",
    "妇人",
    "老太",
    "产妇",
    "胡子",
    "太太",
    "夫人",
    "小姐",
    "尼姑",
    "和尚",
    "皇帝",
    "皇后",
    "姑娘",
    "小伙",
    "月经",
    "妇女",
    "妇科",
    "分娩",
    "哺乳",
    "老头",
    "大爷",
    "大妈",
    "大哥",
    "大姐",
    "父子",
    "母子",
    "母女",
    "兄弟",
    "姐妹",
    "裙子",
    "例假",
    "准妈妈",
    "宝妈",
    "胸",
    "子宫",
    "卵巢",
    "前列腺",
    "婆婆",
    "嫂子",
];

/// The other side of a word, and whether the word is a woman's.
fn other(word: &str) -> Option<(&'static str, bool)> {
    let man = PAIRS.iter().find(|(man, _)| *man == word).map(|(_, woman)| (*woman, false));
    man.or_else(|| PAIRS.iter().find(|(_, woman)| *woman == word).map(|(man, _)| (*man, true)))
}

/// Words in which the pronoun is none: `其他`, `吉他`, `他人`.
const NO_PRONOUN: &[&str] =
    &["他人", "他乡", "他杀", "他国", "他日", "他律", "他妈", "他妈的", "他年", "他方", "他山之石", "他们", "她们"];

/// The edits of pronouns in a word that the cut made too long.
fn inside(han: &Han, at: usize, word: &str, leaves: impl Fn(bool) -> bool) -> Vec<Edit> {
    let is_none = |word: &str| ["其他", "吉他", "维他", "排他", "利他"].iter().any(|none| word.contains(none));
    if !word.contains(['他', '她']) || NO_PRONOUN.contains(&word) || is_none(word) {
        return Vec::new();
    }
    let new: String = word
        .chars()
        .map(|c| match c {
            '他' if leaves(false) => '她',
            '她' if leaves(true) => '他',
            c => c,
        })
        .collect();
    han.replace(at, &new)
}

/// Men to women and women to men.
pub(super) fn genders(sample: &Sample, to: To, dice: &mut Dice) -> Proposal {
    let texts: Vec<Han> = sample.fields.iter().map(|field| Han::of(&field.text)).collect();
    let holds = |word: &&str| texts.iter().any(|han| han.text().contains(*word));
    if HOLDING.iter().any(holds) {
        return Err(Skip("a word that is said of men or of women alone has no counterpart".into()));
    }
    let leaves = |woman: bool| match to {
        To::Swap => true,
        To::Men => woman,
        To::Women => !woman,
    };
    let mut edits: Vec<Edit> = Vec::new();
    for (index, han) in texts.iter().enumerate() {
        for at in han.han() {
            let word = han.word(at);
            let made = match other(&word) {
                Some((new, woman)) if leaves(woman) => han.replace(at, new),
                Some(_) => Vec::new(),
                // `他用` is no word: the cut missed the pronoun.
                None if dictionary::has(&word) && !word.starts_with(['他', '她']) => Vec::new(),
                None => inside(han, at, &word, leaves),
            };
            edits.extend(made.into_iter().map(|edit| edit.on(index)));
        }
    }
    let readings = Readings::of(sample);
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for (_, name) in readings.distinct().into_iter().filter(|(kind, _)| *kind == Named::Person) {
        let Some((surname, given)) = names::parts(&name) else { continue };
        let Some(woman) = names::is_womans(given).filter(|woman| leaves(*woman)) else { continue };
        let fits = |new: &&&str| new.chars().count() == given.chars().count() && names::is_womans(new) == Some(!woman);
        let others: Vec<&&str> = names::given_names().iter().filter(fits).collect();
        let new = dice.pick(&others).map(|new| format!("{surname}{new}"));
        renamed.extend(new.map(|new| (name.clone(), new)));
    }
    edits.extend(readings.rename(&renamed));
    // A person whom the pronouns speak of, and whose name is not known for a man's or a woman's, would not go with them.
    let turns = edits.iter().any(|edit| matches!(&*edit.with, "他" | "她"));
    let unknown = |at: usize, han: &Han| han.upos(at) == Some(Upos::Propn) && names::parts(&han.word(at)).is_some();
    let stays = texts.iter().any(|han| han.han().any(|at| unknown(at, han) && !renamed.contains_key(&*han.word(at))));
    if (turns && stays) || !edits.iter().any(|edit| sample.fields[edit.field].open) {
        return Ok(Vec::new());
    }
    Ok(edits)
}

/// Places to others of the same kind: those abroad to another part of the world, those of China to others of China unless
/// a part of the world is asked for.
pub(super) fn regions(sample: &Sample, to: Region, dice: &mut Dice) -> Proposal {
    let readings = Readings::of(sample);
    let mut found: Vec<(PlaceKind, String)> = Vec::new();
    for (named, name) in readings.distinct() {
        if let Named::Place(kind) = named {
            found.push((kind, name));
        }
    }
    // A city would leave its country.
    if sample.compares_mentions() && found.windows(2).any(|pair| pair[0].0 != pair[1].0) {
        return Err(Skip("a place would leave its country or province".into()));
    }
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for (kind, name) in found {
        let (from, wanted) = (places::region(&name), region(to));
        let abroad = matches!(kind, PlaceKind::Country | PlaceKind::CityAbroad);
        let kind = match kind {
            _ if wanted.is_none() => kind,
            _ if from == wanted => continue,
            PlaceKind::City => PlaceKind::CityAbroad,
            // There is nothing like a province or a county abroad.
            PlaceKind::Province | PlaceKind::County => continue,
            PlaceKind::Country | PlaceKind::CityAbroad => kind,
        };
        let fits = |new: &str| match wanted {
            Some(wanted) => places::region(new) == Some(wanted),
            None => !abroad || places::region(new) != from,
        };
        let free = |new: &str| fits(new) && !renamed.values().any(|other| other == new);
        let new = readings.another_place(&name, kind, free, dice);
        renamed.extend(new.map(|new| (name, new)));
    }
    Ok(readings.rename(&renamed))
}

/// Whether the open texts of a sample are Chinese.
pub(super) fn is_of_chinese(sample: &Sample) -> bool {
    sample.fields.iter().any(|field| field.open && is_chinese(&field.text))
}
