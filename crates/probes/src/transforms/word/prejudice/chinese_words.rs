//! Men, women and places in Chinese texts.

use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, Proposal, Sample, Skip, Text};
use fissure_text::Upos;
use fissure_text::chinese::names;
use fissure_text::chinese::places::{self, PlaceKind};

use super::region::region;
use super::{Region, To};
use crate::support::chinese::{Han, is_chinese};
use crate::support::chinese_names::{self, Named};

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

/// Men to women and women to men.
pub(super) fn genders(sample: &Sample, to: To, dice: &mut Dice) -> Proposal {
    let holds = |word: &&str| sample.fields.iter().any(|field| field.text.contains(*word));
    if HOLDING.iter().any(holds) {
        return Err(Skip("a word that is said of men or of women alone has no counterpart".into()));
    }
    // `先 生`: of a list of characters the words are not known, and such a one would stay beside a new name.
    let in_list = |text: &Text| {
        let plain = chinese_names::plain(text);
        let has = |word: &str| word.chars().count() > 1 && plain.contains(word);
        chinese_names::is_list(text) && PAIRS.iter().any(|(man, woman)| has(man) || has(woman))
    };
    if sample.fields.iter().any(|field| in_list(&field.text)) {
        return Err(Skip("words for men and women cannot be changed in a list of characters".into()));
    }
    let leaves = |woman: bool| match to {
        To::Swap => true,
        To::Men => woman,
        To::Women => !woman,
    };
    let mut edits: Vec<Edit> = Vec::new();
    for (index, field) in sample.fields.iter().enumerate() {
        let han = Han::of(&field.text);
        for at in han.han() {
            let word = han.word(at);
            let Some((new, _)) = other(&word).filter(|(_, woman)| leaves(*woman)) else { continue };
            edits.extend(han.replace(at, new).into_iter().map(|edit| edit.on(index)));
        }
    }
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for (_, name) in chinese_names::distinct(sample).into_iter().filter(|(kind, _)| *kind == Named::Person) {
        let Some((surname, given)) = names::parts(&name) else { continue };
        let Some(woman) = names::is_womans(given).filter(|woman| leaves(*woman)) else { continue };
        let fits = |new: &&&str| new.chars().count() == given.chars().count() && names::is_womans(new) == Some(!woman);
        let others: Vec<&&str> = names::given_names().iter().filter(fits).collect();
        let new = dice.pick(&others).map(|new| format!("{surname}{new}"));
        renamed.extend(new.map(|new| (name.clone(), new)));
    }
    edits.extend(chinese_names::rename(sample, &renamed));
    // A person whom the pronouns speak of, and whose name is not known for a man's or a woman's, would not go with them.
    let turns = edits.iter().any(|edit| matches!(&*edit.with, "他" | "她"));
    let unknown = |at: usize, han: &Han| han.upos(at) == Some(Upos::Propn) && names::parts(&han.word(at)).is_some();
    let stays = sample.fields.iter().any(|field| {
        let han = Han::of(&field.text);
        han.han().any(|at| unknown(at, &han) && !renamed.contains_key(&*han.word(at)))
    });
    if (turns && stays) || !edits.iter().any(|edit| sample.fields[edit.field].open) {
        return Ok(Vec::new());
    }
    Ok(edits)
}

/// Places to others of the same kind: those abroad to another part of the world, those of China to others of China unless
/// a part of the world is asked for.
pub(super) fn regions(sample: &Sample, to: Region, dice: &mut Dice) -> Proposal {
    let mut found: Vec<(PlaceKind, String)> = Vec::new();
    for (named, name) in chinese_names::distinct(sample) {
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
        let new = chinese_names::another_place(sample, &name, kind, free, dice);
        renamed.extend(new.map(|new| (name, new)));
    }
    Ok(chinese_names::rename(sample, &renamed))
}

/// Whether the open texts of a sample are Chinese.
pub(super) fn is_of_chinese(sample: &Sample) -> bool {
    sample.fields.iter().any(|field| field.open && is_chinese(&field.text))
}
