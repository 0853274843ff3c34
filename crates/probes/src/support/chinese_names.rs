//! People and places that a Chinese text names, and how one is given another name wherever it is named.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use fissure_core::{Dice, Edit, Field, Sample, Span, layer};
use fissure_text::Upos;
use fissure_text::chinese::places::{self, PlaceKind};
use fissure_text::chinese::script::{Script, script_of, simplified_char};
use fissure_text::chinese::{all_han, dictionary, names};

use super::chinese::{Han, is_chinese, rewritten};

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    Person,
    Place(PlaceKind),
}

/// Surnames and given names that are drawn for new people: the most frequent ones.
const COMMON_SURNAMES: usize = 60;
const COMMON_GIVEN: usize = 500;

/// Titles behind a surname: who is named so keeps the name.
const TITLES: &[&str] = &["先生", "女士", "小姐", "老师", "总", "某", "教授", "医生", "书记", "主席", "经理", "局长"];

/// The texts of a sample, read once for all names.
pub(crate) struct Readings<'s> {
    sample: &'s Sample,
    texts: Vec<Reading<'s>>,
}

/// A text in simplified characters, without the spaces of a list of characters.
struct Reading<'s> {
    index: usize,
    field: &'s Field,
    /// What stands there, in the order of the text.
    plain: String,
    /// Its words; `None` if it is not Chinese.
    han: Option<Han>,
    script: Script,
    /// Whether entities are marked in it: they say what is a name.
    marked: bool,
}

impl<'s> Readings<'s> {
    pub fn of(sample: &'s Sample) -> Self {
        let read = |(index, field): (usize, &'s Field)| {
            let han = is_chinese(&field.text).then(|| Han::of(&field.text));
            let plain = simplified(han.as_ref().map_or(&field.text, Han::text));
            let marked = sample.layer(layer::ENTITY).any(|(_, mark)| mark.field == index);
            Reading { index, field, plain, script: script_of(&field.text), marked, han }
        };
        Self { sample, texts: sample.fields.iter().enumerate().map(read).collect() }
    }

    /// The names in the open texts, in simplified characters, each once.
    pub fn distinct(&self) -> Vec<(Named, String)> {
        let mut found: Vec<(Named, String)> = Vec::new();
        // Whether one can change takes a look at all texts, so it is asked once.
        let mut judged: BTreeSet<(Named, String)> = BTreeSet::new();
        for reading in self.texts.iter().filter(|reading| reading.field.open) {
            for name in self.named(reading) {
                if judged.insert(name.clone()) && self.is_swappable(&name) {
                    found.push(name);
                }
            }
        }
        // Of names within each other (`王小`, `王小明`) none can change alone.
        let all = found.clone();
        found.retain(|(_, name)| !all.iter().any(|(_, other)| other != name && other.contains(&**name)));
        found
    }

    fn named(&self, reading: &Reading<'_>) -> Vec<(Named, String)> {
        let Some(han) = &reading.han else { return Vec::new() };
        if reading.marked {
            let entities = self.sample.layer(layer::ENTITY).filter(|(_, mark)| mark.field == reading.index);
            return entities.filter_map(|(_, mark)| entity(mark.span.of(&reading.field.text), &mark.value)).collect();
        }
        // The cheapest questions first: most texts need no tags.
        let person = |at: usize, word: &str| {
            let tag = dictionary::tag(word);
            word.chars().count() == 3
                && names::parts(word).is_some_and(|(_, given)| names::given_names().contains(&given))
                // `高峰` and `文明` are words as well, and `唐纳德` is a foreign name.
                && ((tag.starts_with("nr") && tag != "nrt") || !dictionary::has(word))
                && han.upos(at) == Some(Upos::Propn)
        };
        let name = |at: usize| {
            let word = han.word(at);
            match places::kind(&word) {
                // The short names of counties are often words: `商城`.
                Some(kind)
                    if word.chars().count() > 1 && kind != PlaceKind::County && !ALSO_PEOPLE.contains(&&*word) =>
                {
                    Some((Named::Place(kind), word.into_owned()))
                }
                _ if person(at, &word) => Some((Named::Person, word.into_owned())),
                _ => None,
            }
        };
        han.han().filter_map(name).collect()
    }

    /// Whether all texts name it in full, as a word of its own that is no part of a longer name.
    fn is_swappable(&self, (kind, name): &(Named, String)) -> bool {
        let whole = |reading: &Reading<'_>| {
            let mut found = reading.plain.match_indices(&**name).map(|(at, _)| at..at + name.len());
            found.all(|range| {
                self.is_whole(reading, &range) && (reading.marked || is_alone(&reading.plain, &range, *kind))
            })
        };
        let alone = || match (kind, names::parts(name)) {
            (Named::Person, Some((surname, given))) => self.texts.iter().all(|reading| {
                let titled = |(at, _): (usize, &str)| {
                    TITLES.iter().any(|title| reading.plain[at + surname.len()..].starts_with(title))
                };
                let count = |name: &str| reading.plain.matches(name).count();
                count(given) == count(name) && !reading.plain.match_indices(surname).any(titled)
            }),
            _ => true,
        };
        self.texts.iter().all(whole) && alone()
    }

    /// Whether no word of the text, or no marked entity, is cut by a name.
    fn is_whole(&self, reading: &Reading<'_>, range: &Range<usize>) -> bool {
        let Some(han) = &reading.han else { return true };
        if reading.marked {
            let span = Span::from(han.origin(range.clone()));
            let cuts = |other: Span| other.overlaps(span) && !other.covers(span) && !span.covers(other);
            let mut entities = self.sample.layer(layer::ENTITY).filter(|(_, mark)| mark.field == reading.index);
            return entities.all(|(_, mark)| !cuts(mark.span) && (mark.span == span || !mark.span.covers(span)));
        }
        han.at(range).is_some()
    }

    /// Another name of the same kind and of as many characters that no text of the sample has.
    pub fn another(&self, (kind, name): &(Named, String), dice: &mut Dice) -> Option<String> {
        match kind {
            Named::Place(kind) => self.another_place(name, *kind, |_| true, dice),
            Named::Person => self.another_person(name, dice),
        }
    }

    /// Whether a text of the sample has a name.
    fn says(&self, name: &str) -> bool {
        self.texts.iter().any(|reading| reading.plain.contains(name))
    }

    /// A place of the kind with as many characters that `may` be it and that no text of the sample has.
    pub fn another_place(
        &self,
        name: &str,
        kind: PlaceKind,
        may: impl Fn(&str) -> bool,
        dice: &mut Dice,
    ) -> Option<String> {
        let length = name.chars().count();
        let fits = |place: &&&str| {
            place.chars().count() == length
                && **place != name
                && rank(place) == rank(name)
                && !ALSO_PEOPLE.contains(place)
                && may(place)
        };
        let mut fitting: Vec<&&str> = places::list(kind).iter().filter(fits).collect();
        // A look through long texts takes longer than a throw: only what is drawn is looked for.
        while !fitting.is_empty() {
            let place = fitting.swap_remove(dice.below(fitting.len()));
            if !self.says(place) {
                return Some((**place).to_owned());
            }
        }
        None
    }

    fn another_person(&self, name: &str, dice: &mut Dice) -> Option<String> {
        let (surname, given) = names::parts(name)?;
        let as_long = |names: &'static [&'static str], most: usize, like: &str| -> Vec<&'static str> {
            let count = like.chars().count();
            names.iter().take(most).copied().filter(|new| new.chars().count() == count && *new != like).collect()
        };
        let gender = names::is_womans(given);
        let mut others = as_long(names::given_names(), COMMON_GIVEN, given);
        others.retain(|new| gender.is_none() || names::is_womans(new) == gender);
        // Surnames of two characters are too few to draw among.
        let surnames = as_long(names::surnames(), COMMON_SURNAMES, surname);
        let new = format!("{}{}", dice.pick(&surnames)?, dice.pick(&others)?);
        Some(new).filter(|new| !self.says(new))
    }

    /// The edits that give these names to what is named otherwise, in all texts.
    pub fn rename(&self, names: &BTreeMap<String, String>) -> Vec<Edit> {
        let mut edits = Vec::new();
        for reading in &self.texts {
            for (old, new) in names {
                for (at, old) in reading.plain.match_indices(&**old) {
                    let made = match &reading.han {
                        Some(han) => han.replace_range(at..at + old.len(), new),
                        None => rewritten(at, old, &reading.script.write(new)),
                    };
                    edits.extend(made.into_iter().map(|edit| edit.on(reading.index)));
                }
            }
        }
        edits.sort_by_key(|edit| (edit.field, edit.span));
        edits
    }
}

/// A text in simplified characters, each where it stands in the text: a rare form of another length stays.
fn simplified(text: &str) -> String {
    let fitting = |c: char| Some(simplified_char(c)).filter(|new| new.len_utf8() == c.len_utf8()).unwrap_or(c);
    text.chars().map(fitting).collect()
}

/// Which places can stand for each other within their kind: `北京` is called a city, `新疆` no `省`.
fn rank(place: &str) -> usize {
    const RANKS: [&[&str]; 3] =
        [&["北京", "上海", "天津", "重庆"], &["香港", "澳门", "台湾"], &["新疆", "西藏", "宁夏", "广西", "内蒙古"]];
    RANKS.iter().position(|rank| rank.contains(&place)).unwrap_or(RANKS.len())
}

/// Places that people or an empire are called like as well.
const ALSO_PEOPLE: &[&str] = &[
    "华盛顿",
    "亚历山大",
    "杰克逊",
    "林肯",
    "休斯顿",
    "奥斯汀",
    "维多利亚",
    "克利夫兰",
    "威灵顿",
    "惠灵顿",
    "夏洛特",
    "佐治亚",
    "弗吉尼亚",
    "墨尔本",
    "乔丹",
    "约旦",
    "麦迪逊",
    "悉尼",
    "温莎",
    "达尔文",
    "汉密尔顿",
    "圣何塞",
    "罗马",
    "汉堡",
    "苏丹",
    "巴新",
];

/// What makes a longer name of a place, behind it: `印度教`, `新墨西哥州`, `亚历山大大帝`, `纽约客`.
const LONGER_BEHIND: &str = "教州帝客湾山河江湖海岛洋角港桥路街站城堡寺宫门语文话面王县区旗镇乡村裔系派式报队会党";
/// What makes an institution or a team of it.
const INSTITUTIONS: &[&str] = &[
    "时报",
    "邮报",
    "日报",
    "晚报",
    "广播公司",
    "交易所",
    "证券",
    "法典",
    "老鹰",
    "湖人",
    "公牛",
    "火箭队",
    "勇士",
    "雄鹿",
    "洋基",
    "红袜",
    "热火",
    "马刺",
    "爱乐",
    "交响",
];
/// And before it.
const LONGER_BEFORE: &str = "新南北东西中古原圣·•・‧－-";

/// Whether a name is no part of a longer one, by the characters beside it.
fn is_alone(plain: &str, range: &Range<usize>, kind: Named) -> bool {
    let (before, rest) = (plain[..range.start].chars().next_back(), plain[range.end..].chars().next());
    let name = &plain[range.clone()];
    let is_joint = |c: char| "·•・‧".contains(c) || FOREIGN.contains(c);
    match kind {
        Named::Person => !before.is_some_and(is_joint) && !rest.is_some_and(is_joint),
        Named::Place(kind) => {
            let abroad = matches!(kind, PlaceKind::Country | PlaceKind::CityAbroad);
            let spelled = |c: char| abroad && is_joint(c);
            let titled = match rest {
                Some('市') => kind != PlaceKind::City && rank(name) != 0,
                Some('省') => kind != PlaceKind::Province || rank(name) != 3,
                Some(rest) => LONGER_BEHIND.contains(rest) || "·•・‧/".contains(rest) || spelled(rest),
                None => false,
            };
            let institution = INSTITUTIONS.iter().any(|word| plain[range.end..].starts_with(word));
            let compound = is_in_compound(&plain[range.end..]);
            // `日本银行(BOJ)` says the name in English as well.
            let near: String =
                plain[range.end..].chars().take(16).take_while(|c| !"，。；！？,;”".contains(*c)).collect();
            let glossed = near
                .split_once(['(', '（'])
                .is_some_and(|(_, gloss)| gloss.starts_with(|c: char| c.is_ascii_alphabetic()));
            // `走上|海滩`: cut in another way, both sides of the name are words.
            let crosses = |one: Option<char>, other: Option<char>| {
                one.zip(other).is_some_and(|(one, other)| dictionary::has(&format!("{one}{other}")))
            };
            let torn = crosses(before, name.chars().next()) && crosses(name.chars().next_back(), rest);
            !titled
                && !institution
                && !compound
                && !torn
                && !glossed
                && !before.is_some_and(|c| LONGER_BEFORE.contains(c) || spelled(c))
        }
    }
}

/// Whether a name of an animal, a plant, a dish or a group ends a few characters behind a place: `芬兰天使鱼`, `芬兰红衫军`.
fn is_in_compound(rest: &str) -> bool {
    const ENDS: &str =
        "鱼魚军軍犬猫貓鸟鳥豹虎熊龟龜蛇虫蟲蝶蜂猪豬鸡雞鸭鸭鹅牛羊花草树樹茶酒菜汤粥饼餅糕酱醬豆枣瓜果米马馬队隊帮幫";
    // Words between that make a sentence of it.
    const FREE: &str = "的是有在去到吃喝看买了和与很不也都就会要来，。！？、；：,.!?;: ";
    rest.chars().take(5).take_while(|c| !FREE.contains(*c)).skip(1).any(|c| ENDS.contains(c))
}

/// A marked entity; those of other types are not known.
fn entity(words: &str, kind: &str) -> Option<(Named, String)> {
    let name = words.replace(' ', "");
    let is = |kinds: &[&str]| kinds.contains(&&*kind.to_ascii_uppercase());
    if !all_han(&name) {
        None
    } else if is(&["PER", "PERSON", "NAME"]) {
        names::parts(&name).map(|_| (Named::Person, name.clone()))
    } else if is(&["LOC", "GPE", "LOCATION", "PLACE"]) {
        places::kind(&name).map(|kind| (Named::Place(kind), name.clone()))
    } else {
        None
    }
}

/// Characters that write foreign names down far more often than they stand in Chinese given names.
const FOREIGN: &str = "尔斯特姆蒂奇顿夫诺戈拉卡迪帕洛伊埃纳布鲁萨德克利曼尼莫科索什瑙泊黎里亚瓦马罗札玛";

/// Whether these two characters could be a Chinese given name: each stands at its place in one that many people have.
pub(crate) fn is_given(name: &str) -> bool {
    static PLACES: LazyLock<[HashSet<char>; 2]> = LazyLock::new(|| {
        let two = || names::given_names().iter().filter(|name| name.chars().count() == 2);
        [two().filter_map(|name| name.chars().next()).collect(), two().filter_map(|name| name.chars().last()).collect()]
    });
    let mut letters = name.chars();
    PLACES.iter().all(|place| letters.next().is_some_and(|letter| place.contains(&letter))) && !is_foreign(name)
}

/// Whether these characters rather write a foreign name down.
pub(crate) fn is_foreign(name: &str) -> bool {
    name.contains(|letter| FOREIGN.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_names_differ_from_foreign_ones() {
        if !fissure_text::chinese::INCLUDED {
            return;
        }
        assert!(["小明", "建国", "泽民", "晓华"].into_iter().all(is_given));
        assert!(!["斯科", "克思", "德尔", "家口", "明", ""].into_iter().any(is_given));
    }

    fn names(text: &str) -> Vec<String> {
        Readings::of(&Sample::of_text("1", text)).distinct().into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn parts_of_longer_names_stay() {
        if !fissure_text::chinese::INCLUDED {
            return;
        }
        for text in [
            "他信印度教。",
            "亚历山大大帝死了。",
            "他住在新墨西哥州。",
            "唐纳德森来了。",
            "这是纽约客的文章。",
            "华盛顿说他不来。",
            "纽约时报的文章。",
            "日本银行(BOJ)的报告。",
            "你可以走上海滩。",
            "他养了芬兰天使鱼。",
            "芬兰红衫军赢了。",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        assert_eq!(names("他从杭州去上海。"), ["杭州", "上海"]);
        assert_eq!(names("他去过北京市和法国。"), ["北京", "法国"]);
    }

    #[test]
    fn places_of_a_rank_stand_for_each_other() {
        if !fissure_text::chinese::INCLUDED {
            return;
        }
        let sample = Sample::of_text("1", "他住在北京市。");
        let readings = Readings::of(&sample);
        for seed in 0..20 {
            let mut dice = Dice::new(seed, &[]);
            let new = readings.another(&(Named::Place(PlaceKind::Province), "北京".into()), &mut dice);
            assert!(["上海", "天津", "重庆"].iter().any(|city| new.as_deref() == Some(city)), "{new:?}");
        }
    }

    #[test]
    fn a_name_in_a_list_of_characters_is_renamed_in_place() {
        if !fissure_text::chinese::INCLUDED {
            return;
        }
        let sample = Sample::of_text("1", "他 去 上 海 了 。");
        let readings = Readings::of(&sample);
        let edits = readings.rename(&BTreeMap::from([("上海".to_owned(), "天津".to_owned())]));
        assert_eq!(fissure_core::splice(&sample.fields[0].text, &edits), "他 去 天 津 了 。");
    }
}
