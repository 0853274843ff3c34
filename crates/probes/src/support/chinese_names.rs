//! People and places that a Chinese text names, and how one is given another name wherever it is named.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use fissure_core::{Dice, Edit, Field, Sample, Span, Text, layer};
use fissure_text::Upos;
use fissure_text::chinese::places::{self, PlaceKind};
use fissure_text::chinese::script::script_of;
use fissure_text::chinese::{all_han, dictionary, names};

use super::chinese::{Han, is_chinese, replacement};

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

/// The names in the open texts of a sample, in simplified characters, each once. Where entities are marked, they say what is
/// a name.
pub(crate) fn distinct(sample: &Sample) -> Vec<(Named, String)> {
    let mut found: Vec<(Named, String)> = Vec::new();
    // Whether one can change takes a look at all texts, so it is asked once.
    let mut judged: BTreeSet<(Named, String)> = BTreeSet::new();
    for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open && is_chinese(&field.text)) {
        for name in named(sample, index, field) {
            if judged.insert(name.clone()) && is_swappable(sample, &name) {
                found.push(name);
            }
        }
    }
    // Of names within each other (`王小`, `王小明`) none can change alone.
    let all = found.clone();
    found.retain(|(_, name)| !all.iter().any(|(_, other)| other != name && (other.contains(&**name))));
    found
}

fn named(sample: &Sample, index: usize, field: &Field) -> Vec<(Named, String)> {
    let text = &field.text;
    if sample.layer(layer::ENTITY).any(|(_, mark)| mark.field == index) {
        let entities = sample.layer(layer::ENTITY).filter(|(_, mark)| mark.field == index);
        return entities.filter_map(|(_, mark)| entity(mark.span.of(text), &mark.value)).collect();
    }
    let han = Han::of(text);
    // The cheapest questions first: most texts need no tags.
    let person = |at: usize, word: &str| {
        word.chars().count() == 3
            && names::parts(word).is_some_and(|(_, given)| names::given_names().contains(&given))
            // `高峰` and `文明` are words as well.
            && (dictionary::tag(word).starts_with("nr") || !dictionary::has(word))
            && han.upos(at) == Some(Upos::Propn)
    };
    let name = |at: usize| {
        let word = han.word(at);
        match places::kind(&word) {
            // The short names of counties are often words: `商城`.
            Some(kind) if word.chars().count() > 1 && kind != PlaceKind::County => {
                Some((Named::Place(kind), word.into_owned()))
            }
            _ if person(at, &word) => Some((Named::Person, word.into_owned())),
            _ => None,
        }
    };
    han.han().filter_map(name).collect()
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

/// Whether all texts name it in full, and as a word of its own.
fn is_swappable(sample: &Sample, (kind, name): &(Named, String)) -> bool {
    let whole = |field: &Field| occurrences(&field.text, name).iter().all(|span| is_whole(sample, field, *span));
    let alone = || match (kind, names::parts(name)) {
        (Named::Person, Some((surname, given))) => sample.fields.iter().all(|field| {
            let text = plain(&field.text);
            let titled = |title: &&str| text.contains(&format!("{surname}{title}"));
            text.matches(given).count() == text.matches(&**name).count() && !TITLES.iter().any(titled)
        }),
        _ => true,
    };
    sample.fields.iter().all(whole) && alone()
}

/// A text in simplified characters, without the spaces of a list of characters.
pub(crate) fn plain(text: &Text) -> String {
    fissure_text::chinese::script::to_simplified(text).replace(' ', "")
}

/// Where a name of simplified characters stands in a text; the spaces of a list of characters do not count.
fn occurrences(text: &Text, name: &str) -> Vec<Span> {
    let spaced = is_list(text);
    if let (false, Cow::Borrowed(simplified)) = (spaced, fissure_text::chinese::script::to_simplified(text)) {
        return simplified.match_indices(name).map(|(at, name)| Span::new(at, at + name.len())).collect();
    }
    let characters: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !(spaced && *c == ' ')).collect();
    let wanted: Vec<char> = name.chars().collect();
    let same = |c: char, wanted: char| {
        let mut buffer = [0; 4];
        fissure_text::chinese::script::to_simplified(c.encode_utf8(&mut buffer)).starts_with(wanted)
    };
    let mut found: Vec<Span> = Vec::new();
    for window in characters.windows(wanted.len().max(1)) {
        let (Some(first), Some(last)) = (window.first(), window.last()) else { continue };
        let free = found.last().is_none_or(|before| before.end <= first.0);
        if free && window.iter().zip(&wanted).all(|((_, c), wanted)| same(*c, *wanted)) {
            found.push(Span::new(first.0, last.0 + last.1.len_utf8()));
        }
    }
    found
}

/// Whether a text is a list of characters: every second one is a space.
pub(crate) fn is_list(text: &str) -> bool {
    let spaces = text.matches(' ').count();
    spaces > 0 && spaces * 2 + 1 >= text.chars().count()
}

/// Whether no word of the text, or no marked entity, is cut by a name.
fn is_whole(sample: &Sample, field: &Field, span: Span) -> bool {
    let index = sample.fields.iter().position(|other| std::ptr::eq(other, field));
    let cuts = |other: Span| other.overlaps(span) && !other.covers(span) && !span.covers(other);
    let mut entities = sample.layer(layer::ENTITY).filter(|(_, mark)| Some(mark.field) == index).peekable();
    if entities.peek().is_some() {
        return entities.all(|(_, mark)| !cuts(mark.span) && (mark.span == span || !mark.span.covers(span)));
    }
    is_list(&field.text) || Han::of(&field.text).at(&(span.start..span.end)).is_some()
}

/// Another name of the same kind and of as many characters that no text of the sample has.
pub(crate) fn another(sample: &Sample, (kind, name): &(Named, String), dice: &mut Dice) -> Option<String> {
    match kind {
        Named::Place(kind) => another_place(sample, name, *kind, |_| true, dice),
        Named::Person => another_person(sample, name, dice),
    }
}

/// Whether a text of the sample has a name.
fn is_said(sample: &Sample) -> impl Fn(&str) -> bool {
    let texts: Vec<String> = sample.fields.iter().map(|field| plain(&field.text)).collect();
    move |name| texts.iter().any(|text| text.contains(name))
}

/// A place of the kind with as many characters that `may` be it and that no text of the sample has.
pub(crate) fn another_place(
    sample: &Sample,
    name: &str,
    kind: PlaceKind,
    may: impl Fn(&str) -> bool,
    dice: &mut Dice,
) -> Option<String> {
    let (said, length) = (is_said(sample), name.chars().count());
    let fits = |place: &&&str| place.chars().count() == length && **place != name && may(place) && !said(place);
    let fitting: Vec<&&str> = places::list(kind).iter().filter(fits).collect();
    dice.pick(&fitting).map(|place| (**place).to_owned())
}

fn another_person(sample: &Sample, name: &str, dice: &mut Dice) -> Option<String> {
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
    Some(new).filter(|new| !is_said(sample)(new))
}

/// The edits that give these names to what is named otherwise, in all texts.
pub(crate) fn rename(sample: &Sample, names: &BTreeMap<String, String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, field) in sample.fields.iter().enumerate() {
        let script = script_of(&field.text);
        for (old, new) in names {
            let new = script.write(new);
            for span in occurrences(&field.text, old) {
                edits.extend(characters(&field.text, span, &new).into_iter().map(|edit| edit.on(index)));
            }
        }
    }
    edits.sort_by_key(|edit| (edit.field, edit.span));
    edits
}

/// The edits that write `new` over a span of as many characters, whatever spaces are between them.
fn characters(text: &Text, span: Span, new: &str) -> Vec<Edit> {
    let written = span.of(text);
    if !written.contains(' ') {
        return replacement(span.start, written, new);
    }
    let places = written.char_indices().filter(|(_, c)| *c != ' ');
    let pairs = places.zip(new.chars()).filter(|((_, old), new)| old != new);
    pairs
        .map(|((at, old), new)| Edit::replace(span.start + at..span.start + at + old.len_utf8(), new.to_string()))
        .collect()
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
}
