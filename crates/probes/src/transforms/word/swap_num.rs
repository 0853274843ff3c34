use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fissure_core::{
    Amount, Dice, Edit, EditSample, Proposal, Protected, Resources, Sample, Text, disagreement, transform,
};
use fissure_text::casing;
use fissure_text::chinese::script::script_of;
use fissure_text::numbers::{self, Number, Style};

use crate::support::chinese_numbers::{self, Count};
use crate::support::{agreement, chinese};

transform! {
    /// Replaces a number with another of the same kind: `3.5`, `1,200`, `five`, `2nd`.
    ///
    /// The new number has as many digits, as many of them zeros at the end, and is written in as many words. Years
    /// stay years, days stay days of a month, hours stay hours, shares stay within 100 percent, a year keeps its four
    /// quarters; `a` and `an` stay right; `from 2 to 5` still rises; a number that is repeated is replaced by the same
    /// one. `one` and `zero` are left alone, and so are `first` and `second`: they are seldom only numbers. So is the
    /// number of a name (`Boeing 747`, `Chapter 11`, `the Big Three`) and of a phrase (`a day or two`, `out of ten`).
    /// A number that several texts of a sample share is changed alike in all of them, or stays. In Chinese only numbers that count
    /// something change, in digits or in characters (`三个` to `七个`); dates, orders and ranges stay, and so do
    /// counts of what the text then names (`两个字：失望`); an age stays within its stage of life.
    pub struct SwapNum {
        ..Amount::all();
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Unsure),
        renames: true,
        languages: &[English, Chinese],
        aliases: &["SwapNum"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.2.3"),
        human: Some(HumanScores { plausibility: (3.80, 3.73), grammaticality: (3.77, 3.67) }),
    }
    examples: [
        "She paid $3.50 for 1,200 sheets." => "She paid $8.60 for 8,800 sheets.",
        "On May 31, 2004, five men came 2nd." => "On May 13, 1989, two men came 8th.",
        "Twenty-five people and two hundred dogs waited at 5 pm."
            => "Eighty-eight people and six hundred dogs waited at 2 pm.",
        "An 18 percent fall and a 5 percent gain." => "An 86 percent fall and a 6 percent gain.",
        "One of them was first." => "One of them was first.",
        "只有两个字：失望！" => "只有两个字：失望！",
        "我买了3本书，两个人看了第二本。" => "我买了8本书，九个人看了第二本。",
        "Sales rose from $2 to $5 in the third quarter, by Sept. 28."
            => "Sales rose from $6 to $8 in the fourth quarter, by Sept. 15.",
        "A Boeing 747 left Gate 4 in a day or two, after Season Five, and agent 007 gave it 9 out of 10 there."
            => "A Boeing 747 left Gate 4 in a day or two, after Season Five, and agent 007 gave it 4 out of 10 there.",
    ]
}

impl EditSample for SwapNum {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        // Numbers that cannot be changed alike in all texts of the sample, and so stay as they are.
        let mut held: Vec<String> = Vec::new();
        loop {
            let edits = self.edits(sample, &held, &mut dice.clone());
            let Some(apart) = disagreement(sample, &edits, agreement::numbers) else { return Ok(edits) };
            let number = apart.mention.to_lowercase();
            if held.contains(&number) {
                return Err(apart.into());
            }
            held.push(number);
        }
    }
}

impl SwapNum {
    fn edits(&self, sample: &Sample, held: &[String], dice: &mut Dice) -> Vec<Edit> {
        let mut swapped: BTreeMap<String, String> = BTreeMap::new();
        let mut values: BTreeMap<(i64, u8), i64> = BTreeMap::new();
        let mut counted: BTreeMap<u64, u64> = BTreeMap::new();
        let mut edits = Vec::new();
        // The open texts come first: a closed one only follows them.
        for open in [true, false] {
            for (index, field) in agreement::texts(sample).filter(|(_, field)| field.open == open) {
                if chinese::is_chinese(&field.text) {
                    let chosen = self.chosen_counts(&field.text, held, open, dice);
                    let made = edit_chinese(&field.text, &chosen, &mut counted, dice);
                    edits.extend(made.into_iter().map(|edit| edit.on(index)));
                    continue;
                }
                let mut found = found(&field.text);
                found.retain(|(range, _)| !held.contains(&field.text[range.clone()].to_lowercase()));
                let chosen = if open { dice.choose(found.len(), self.amount.of(found.len())) } else { Vec::new() };
                let follows = |(range, number): &(Range<usize>, Number)| {
                    swapped.contains_key(&field.text[range.clone()])
                        || values.contains_key(&(number.units, number.scale))
                };
                // What was changed in one text is changed in the next, whatever the share.
                let places: Vec<usize> =
                    (0..found.len()).filter(|at| chosen.binary_search(at).is_ok() || follows(&found[*at])).collect();
                let found: Vec<(Range<usize>, Number)> = places.into_iter().map(|at| found[at].clone()).collect();
                let made = edit_text(&field.text, found, &mut swapped, &mut values, dice);
                edits.extend(made.into_iter().map(|edit| edit.on(index)));
            }
        }
        edits
    }
}

impl SwapNum {
    /// The numbers of a Chinese text that are drawn, each with whether it was; the others only follow.
    fn chosen_counts(&self, text: &Text, held: &[String], open: bool, dice: &mut Dice) -> Vec<(Count, bool)> {
        let mut found = chinese_numbers::counts(text);
        found.retain(|count| !held.contains(&text[count.range.clone()].to_lowercase()));
        let chosen = if open { dice.choose(found.len(), self.amount.of(found.len())) } else { Vec::new() };
        found.into_iter().enumerate().map(|(at, count)| (count, chosen.binary_search(&at).is_ok())).collect()
    }
}

/// The edits of a Chinese text. `counted` has what each value became, here and in the texts before.
fn edit_chinese(text: &Text, found: &[(Count, bool)], counted: &mut BTreeMap<u64, u64>, dice: &mut Dice) -> Vec<Edit> {
    let script = script_of(text);
    let mut taken: BTreeSet<u64> =
        counted.values().copied().chain(found.iter().map(|(count, _)| count.value)).collect();
    for (count, _) in found.iter().filter(|(_, chosen)| *chosen) {
        if !counted.contains_key(&count.value) {
            let new = (0..8).map(|_| count.another(dice)).find(|new| !taken.contains(new));
            taken.extend(new);
            counted.extend(new.map(|new| (count.value, new)));
        }
    }
    let edits = |(count, _): &(Count, bool)| {
        let new = *counted.get(&count.value)?;
        let new = chinese_numbers::written_like(text, &count.range, new, script)?;
        let old = &text[count.range.clone()];
        if !old.contains(' ') {
            return Some(vec![Edit::replace(count.range.clone(), new)]);
        }
        // In a list of characters each keeps its place, and there must be as many.
        let places = old.char_indices().filter(|(_, c)| *c != ' ');
        let same = places.clone().count() == new.chars().count();
        let one = |((at, old), new): ((usize, char), char)| {
            let start = count.range.start + at;
            (old != new).then(|| Edit::replace(start..start + old.len_utf8(), new.to_string()))
        };
        same.then(|| places.zip(new.chars()).filter_map(one).collect())
    };
    found.iter().filter_map(edits).flatten().collect()
}

/// The numbers of a text that can be another.
fn found(text: &Text) -> Vec<(Range<usize>, Number)> {
    let mut found = numbers::find(text);
    let protected = Protected::of(text);
    found.retain(|(range, number)| {
        is_quantity(number)
            && !protected.covers(range.clone().into())
            && !names_one(text, range, number)
            && !in_phrase(text, range)
    });
    found
}

/// Where the numbers of a text are that count something and can be another; ordinals, dates and times are left out.
pub(crate) fn counts(text: &Text) -> Vec<Range<usize>> {
    let counts = |(range, number): &(Range<usize>, Number)| {
        let after = first_word(&text[range.end..]);
        let dated = is_month(last_word(text[..range.start].trim_end().trim_end_matches('.'))) || is_month(after);
        !number.is_ordinal() && !number.looks_like_year() && !dated && !is_hour(text, range.end, after)
    };
    found(text).into_iter().filter(counts).map(|(range, _)| range).collect()
}

/// Another number that fits where the number in `range` stands.
pub(crate) fn another(text: &Text, range: Range<usize>, dice: &mut Dice) -> Option<String> {
    let number = numbers::parse(&text[range.clone()])?;
    Context::of(text, range.clone(), &number, None).draw(&text[range], &number, dice)
}

/// The edits of one text. `swapped` has what happened to each number as it is written, and `values` what happened to its
/// value in the texts before: `3` and `three`.
fn edit_text(
    text: &Text,
    chosen: Vec<(Range<usize>, Number)>,
    swapped: &mut BTreeMap<String, String>,
    values: &mut BTreeMap<(i64, u8), i64>,
    dice: &mut Dice,
) -> Vec<Edit> {
    let before = values.clone();
    let mut edits = Vec::new();
    let mut last: Option<Swapped> = None;
    for (range, number) in chosen {
        let old = &text[range.clone()];
        let value = (number.units, number.scale);
        let by_value = || before.get(&value).map(|units| number.write(*units));
        let known = swapped.get(old).cloned().or_else(by_value);
        let pair = last.take().filter(|last| is_range(&text[last.end..range.start], &last.old, &number));
        let context = Context::of(text, range.clone(), &number, pair.as_ref());
        let Some(new) = known.filter(|new| context.takes(old, new)).or_else(|| context.draw(old, &number, dice)) else {
            // No number is above the new lower end: the range stays as it was.
            edits.truncate(pair.map_or(edits.len(), |pair| pair.edits_before));
            continue;
        };
        let edits_before = edits.len();
        edits.extend(word_by_word(range.start, old, &new));
        last = numbers::parse(&new).map(|new| Swapped { end: range.end, old: number, new, edits_before });
        values.extend(last.as_ref().map(|last| (value, last.new.units)));
        swapped.insert(old.to_owned(), new);
    }
    edits
}

/// A number that was given way to another.
struct Swapped {
    /// Where it ends in the text.
    end: usize,
    old: Number,
    new: Number,
    edits_before: usize,
}

/// Whether two numbers and what stands between them are a range: `from 2 to 5`, `between May 2001 and June 2002`.
fn is_range(between: &str, first: &Number, second: &Number) -> bool {
    let is_link = |word: &str| ["to", "and", "or", "through", "until"].contains(&word);
    let mut words = between.split(|c: char| c.is_whitespace() || is_currency(c)).filter(|word| !word.is_empty());
    first.scale == second.scale && words.next().is_some_and(is_link) && words.all(is_month)
}

/// Whether the number counts or orders something, as far as it can be known.
fn is_quantity(number: &Number) -> bool {
    match number.style {
        // `007` is a code.
        Style::Digits { width: 2.., .. } => false,
        Style::Digits { ordinal, .. } => number.units != 0 && (ordinal || number.scale > 0 || number.units.abs() != 1),
        Style::Words { ordinal: true, .. } => number.units > 2,
        Style::Words { ordinal: false, .. } => number.units.abs() > 1,
    }
}

/// Whether the number is part of a name: `Boeing 747`, `Season Five`, `the 82nd Airborne`.
fn names_one(text: &str, range: &Range<usize>, number: &Number) -> bool {
    let before = &text[..range.start];
    match number.style {
        Style::Words { case, .. } => case == casing::Case::Title && !starts_sentence(before),
        Style::Digits { ordinal: true, .. } => {
            let next = text[range.end..].strip_prefix(' ').unwrap_or("");
            next.starts_with(char::is_uppercase) && !is_month(first_word(next))
        }
        Style::Digits { .. } => {
            let Some(before) = before.strip_suffix(' ') else { return false };
            let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
            let name = word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphanumeric() || c == '-');
            // The first word of a sentence has its capital from there: `After 10 years`.
            name && !is_month(word)
                && !is_percent(&text[range.end..])
                && !starts_sentence(&before[..before.len() - word.len()])
        }
    }
}

/// Whether what follows `before` is the start of a sentence or of something like it: a quotation, a dash, a dateline.
fn starts_sentence(before: &str) -> bool {
    before
        .trim_end()
        .chars()
        .next_back()
        .is_none_or(|mark| !mark.is_alphanumeric() && !matches!(mark, ',' | ')' | '\''))
}

/// Phrases that take no other number: `a day or two`, `nine out of ten`, `it deserves a 10`, `Friday the 13th`,
/// `Cooking 101`.
fn in_phrase(text: &str, range: &Range<usize>) -> bool {
    let (before, old, rest) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let ends = |phrase: &str| {
        let tail = before.len().checked_sub(phrase.len()).map(|at| &before.as_bytes()[at..]);
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(phrase.as_bytes()))
    };
    let counts_nothing = !rest.trim_start().starts_with(|next: char| next.is_alphanumeric() || next == '%');
    ends(" out of ")
        || ends(" perfect ")
        || ends("friday the ")
        || (ends(" or ") && old.eq_ignore_ascii_case("two"))
        || (ends(" a ") && counts_nothing && old.len() < 3)
        || ["101", "911"].contains(&old)
}

/// What the text around a number asks of another one in its place.
struct Context {
    /// The units that make sense here.
    allowed: Range<i64>,
    /// Whether `a` or `an` stands before it.
    article: bool,
    /// The other end of the range that it closes, and how it compares with it.
    order: Option<(i64, Ordering)>,
}

impl Context {
    fn of(text: &str, range: Range<usize>, number: &Number, pair: Option<&Swapped>) -> Self {
        let before = last_word(&text[..range.start]);
        // `Sept. 28`
        let dated = is_month(last_word(text[..range.start].trim_end().trim_end_matches('.')));
        let after = first_word(&text[range.end..]);
        let whole = number.scale == 0;
        let hundred = 10i64.checked_pow(u32::from(number.scale) + 2).unwrap_or(0);
        let allowed = if number.looks_like_year() {
            (number.units - 15).max(1500)..(number.units + 16).min(2100)
        } else if whole && (1..=31).contains(&number.units) && (dated || is_month(after)) {
            1..29
        } else if whole && (1..=12).contains(&number.units) && is_hour(text, range.end, after) {
            1..13
        } else if (1..=hundred).contains(&number.units) && is_percent(&text[range.end..]) {
            1..hundred + 1
        } else if let Some(limit) = limit_before(after).filter(|limit| number.is_ordinal() && number.units <= *limit) {
            1..limit + 1
        } else {
            i64::MIN..i64::MAX
        };
        let article = before.eq_ignore_ascii_case("a") || before.eq_ignore_ascii_case("an");
        Self { allowed, article, order: pair.map(|pair| (pair.new.units, number.units.cmp(&pair.old.units))) }
    }

    /// Another number like `number`; `None` if there is none.
    fn draw(&self, old: &str, number: &Number, dice: &mut Dice) -> Option<String> {
        // Most draws fit at once; where none of these does, there is as good as nothing to choose from.
        (0..64).find_map(|_| {
            let units = if number.looks_like_year() {
                self.allowed.start + dice.below((self.allowed.end - self.allowed.start) as usize) as i64
            } else {
                like(number.units, dice)?
            };
            let new = number.write(units);
            // `1 days` would be wrong: what is not a quantity to begin with does not become one, nor the other way.
            let fits = is_quantity(&Number { units, ..number.clone() }) && self.allowed.contains(&units);
            (fits && self.takes(old, &new)).then_some(new)
        })
    }

    /// Whether `new` fits where `old` stands.
    fn takes(&self, old: &str, new: &str) -> bool {
        let words = |text: &str| text.split([' ', '-']).count();
        let ordered = |(other, order): (i64, Ordering)| {
            numbers::parse(new).is_some_and(|number| number.units.cmp(&other) == order)
        };
        new != old
            && words(new) == words(old)
            && (!self.article || sounds_like_vowel(old) == sounds_like_vowel(new))
            && self.order.is_none_or(ordered)
    }
}

/// A number with as many digits and as many zeros at its end.
fn like(units: i64, dice: &mut Dice) -> Option<i64> {
    let mut tail = 1;
    let mut head = units.unsigned_abs();
    while head > 0 && head.is_multiple_of(10) {
        head /= 10;
        tail *= 10;
    }
    let least = 10u64.pow(head.checked_ilog10()?);
    let drawn = least + dice.below((least * 9) as usize) as u64;
    let units_drawn = i64::try_from(drawn.checked_mul(tail)?).ok()?;
    (!drawn.is_multiple_of(10)).then_some(if units < 0 { -units_drawn } else { units_drawn })
}

/// An edit for each word that changes, so that what belongs to one word stays with it.
fn word_by_word(start: usize, old: &str, new: &str) -> Vec<Edit> {
    let mut at = start;
    let pieces = old.split_inclusive([' ', '-']).zip(new.split_inclusive([' ', '-']));
    let mut edits = Vec::new();
    for (old, new) in pieces {
        let joint = |piece: &str| piece.ends_with([' ', '-']) as usize;
        let (old_word, new_word) = (&old[..old.len() - joint(old)], &new[..new.len() - joint(new)]);
        if old_word != new_word {
            edits.push(Edit::replace(at..at + old_word.len(), new_word));
        }
        at += old.len();
    }
    edits
}

/// `8`, `80`, `11`, `18,000` and `eleven` follow `an`.
fn sounds_like_vowel(number: &str) -> bool {
    let digits = number.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    if digits.starts_with(|first: char| first.is_ascii_digit()) {
        let whole = digits.split('.').next().unwrap_or(digits);
        let count = whole.bytes().filter(u8::is_ascii_digit).count();
        return whole.starts_with('8') || (count % 3 == 2 && (whole.starts_with("11") || whole.starts_with("18")));
    }
    digits.starts_with(['e', 'E'])
}

fn last_word(text: &str) -> &str {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || is_currency(c));
    text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("")
}

fn is_currency(sign: char) -> bool {
    matches!(sign, '$' | '\u{a3}' | '\u{20ac}')
}

fn first_word(text: &str) -> &str {
    text.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or("")
}

fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 24] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Jan",
        "Feb",
        "Mar",
        "Apr",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Sept",
        "Oct",
        "Nov",
        "Dec",
    ];
    // `OCTOBER 27` heads a report; in lower case some are other words.
    let shouts = || casing::Case::of(word) == casing::Case::Upper;
    MONTHS.iter().any(|month| *month == word || (month.eq_ignore_ascii_case(word) && shouts()))
}

/// How many of these there are at most: `the third quarter`, `the 19th century`.
fn limit_before(word: &str) -> Option<i64> {
    match word {
        "quarter" => Some(4),
        "period" | "base" => Some(3),
        "century" => Some(21),
        _ => None,
    }
}

/// `5 pm`, `5pm`, `5 p.m.`, `five o'clock`
fn is_hour(text: &str, end: usize, after: &str) -> bool {
    let rest = text[end..].trim_start();
    let begins = |mark: &str| rest.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    ["am", "pm"].iter().any(|half| after.eq_ignore_ascii_case(half))
        || ["a.m", "p.m", "o'clock"].into_iter().any(begins)
}

fn is_percent(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with('%') || rest.starts_with("percent") || rest.starts_with("per cent")
}
