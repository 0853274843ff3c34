#![allow(clippy::approx_constant, reason = "people judged its texts 3.14 of 5")]

use fissure_core::{Change, Dice, Edit, Label, Resources, Sample, Skip, Text, Transform, choices, transform};

use fissure_text::chinese::script::script_of;

use crate::support::{chinese, chinese_numbers, pairs};
use crate::transforms::word::swap_num;

transform! {
    /// Changes a number in the second text of a pair, so that the two contradict each other.
    ///
    /// If the second text follows from the first, or means the same, and both name a number, it changes in the second.
    /// Of other pairs the second text becomes the first with one number changed. Only exact counts change: not dates,
    /// names with numbers, or what follows `at least` or `about`. The new label is spelled as the file spells it.
    pub struct NumWord {
        /// Which pairs to make: with a number that both texts share, with a copy of the first text, or either.
        pair: Pairs = Pairs::Either;
    }
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        requires: &[Has::Class, Has::Pair],
        needs: &[LabelSenses],
        languages: &[English, Chinese],
        aliases: &["NumWord", "NliNumWord", "SmNumWord"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
        human: Some(HumanScores { plausibility: (3.14, 3.21), grammaticality: (3.87, 3.86) }),
    }
    examples: [
        { pair = "copy", seed = "1" } "first:: Five men ran. // second:: The men ran. // label:: same"
            => "Five men ran. // Nine men ran. // label:: different",
        "premise:: She has 10 dogs. // hypothesis:: She has 10 pets. // label:: entailment"
            => "premise:: She has 10 dogs. // hypothesis:: She has 60 pets. // label:: contradiction",
        "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral"
            => "premise:: She has 10 dogs. // hypothesis:: She has 60 dogs. // label:: contradiction",
        "premise:: 桌上有两本书。 // hypothesis:: 有两本书。 // label:: entailment"
            => "premise:: 桌上有两本书。 // hypothesis:: 有七本书。 // label:: contradiction",
        "premise:: 有三条道路，即水路、公路和铁路。 // hypothesis:: 有三条道路，即水路、公路和铁路。 // label:: entailment"
            => "premise:: 有三条道路，即水路、公路和铁路。 // hypothesis:: 有三条道路，即水路、公路和铁路。 // label:: entailment",
        { pair = "shared" } "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral"
            => "premise:: She has 10 dogs. // hypothesis:: She is old. // label:: neutral",
        "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment"
            => "premise:: She has at least 10 dogs. // hypothesis:: She has dogs. // label:: entailment",
    ]
}

choices! {
    /// Which pairs a changed number is made for.
    pub enum Pairs { Either = "either", Shared = "shared", Copy = "copy" }
}

/// Words before a number that make it a bound or a guess.
const BOUNDS: &[&str] = &[
    "about",
    "almost",
    "approximately",
    "around",
    "circa",
    "exceeding",
    "just",
    "least",
    "most",
    "nearly",
    "only",
    "over",
    "roughly",
    "some",
    "than",
    "under",
    "to",
    "up",
    "between",
    "from",
    "within",
    "till",
    "until",
    "another",
    "every",
];

/// Words before a number that name one thing by it.
const NAMING: &[&str] = &[
    "year", "chapter", "page", "section", "article", "part", "number", "no", "channel", "room", "route", "highway",
    "flight", "version", "level", "act", "bill", "title", "lrb", "a", "an",
];

/// Words behind a number that make it no exact count.
const FOLLOWING: &[&str] =
    &["and", "but", "for", "the", "plus", "minus", "times", "ish", "something", "odd", "more", "less"];

/// Words that say that something need not be so.
const SUPPOSING: &[&str] = &[
    "could",
    "would",
    "may",
    "might",
    "should",
    "can",
    "if",
    "perhaps",
    "maybe",
    "probably",
    "possibly",
    "likely",
    "not",
    "or",
    "estimated",
    "expected",
    "excessive",
];

impl Transform for NumWord {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        let (sense, differs) = pairs::contradicting(sample, resources)?;
        let [first, second, ..] = &sample.fields[..] else { return Ok(Change::default()) };
        let numbers = counts(&first.text);
        let agrees = pairs::agree(sense);
        if agrees && self.pair != Pairs::Copy {
            let shared: Vec<_> =
                counts(&second.text).into_iter().filter(|there| numbers.iter().any(|here| here.1 == there.1)).collect();
            if let Some((range, old)) = dice.pick(&shared).cloned()
                && let Some(new) = another(&second.text, range, dice)
            {
                let alike = shared.iter().filter(|(_, other)| *other == old);
                let edits = alike.map(|(range, _)| Edit::replace(range.clone(), new.clone()).on(1)).collect::<Vec<_>>();
                return Ok(relabelled(edits, differs));
            }
        }
        if self.pair == Pairs::Shared {
            return Ok(Change::default());
        }
        let Some((range, _)) = dice.pick(&numbers).cloned() else { return Ok(Change::default()) };
        let Some(new) = another(&first.text, range.clone(), dice) else { return Ok(Change::default()) };
        let text = first.text.as_str();
        let copy = format!("{}{new}{}", &text[..range.start], &text[range.end..]);
        Ok(relabelled(vec![Edit::replace(0..second.text.len(), copy).on(1)], differs))
    }
}

/// Another number for the one that stands there.
fn another(text: &Text, range: std::ops::Range<usize>, dice: &mut Dice) -> Option<String> {
    if !chinese::is_chinese(text) {
        return swap_num::another(text, range, dice);
    }
    let found = chinese_numbers::counts(text).into_iter().find(|count| count.range == range)?;
    chinese_numbers::written_like(text, &range, found.another(dice), script_of(text))
}

fn relabelled(edits: Vec<Edit>, label: &Label) -> Change {
    Change::from(edits).with_label(label.clone())
}

/// A lower-case word, without signs around it.
fn bare(word: &str) -> String {
    word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

/// Whether a text only supposes something: what may be 90 may be 50 as well.
fn is_supposed(text: &str) -> bool {
    text.split_whitespace().map(bare).any(|word| SUPPOSING.contains(&&*word))
}

/// The exact counts of a text, with their words.
fn counts(text: &Text) -> Vec<(std::ops::Range<usize>, String)> {
    if chinese::is_chinese(text) {
        return chinese_counts(text);
    }
    let found = swap_num::counts(text);
    let exact = |range: &std::ops::Range<usize>| {
        // `about $ 90` is about 90.
        let mut before = text[..range.start].split_whitespace().rev().map(bare).filter(|word| !word.is_empty());
        let (last, second) = (before.next().unwrap_or_default(), before.next().unwrap_or_default());
        let after = &text[range.end..];
        let next = bare(after.split_whitespace().next().unwrap_or(""));
        // Only what is counted, and nothing else, follows: `10 dogs`, not `3 rd`, `322 b.c.`, `5 1/2`.
        let counts = after.starts_with(' ')
            && next.len() > 2
            && next.chars().all(char::is_alphabetic)
            && !FOLLOWING.contains(&&*next);
        let bound = |word: &str| BOUNDS.contains(&word);
        counts && !bound(&last) && !bound(&second) && !NAMING.contains(&&*last) && !is_supposed(text)
    };
    // Two numbers beside each other are a range, a fraction or a choice: `six or seven`.
    let alone = |range: &std::ops::Range<usize>| {
        let gap = |other: &std::ops::Range<usize>| match other.start >= range.end {
            true => text.get(range.end..other.start),
            false => text.get(other.end..range.start),
        };
        let others = found.iter().filter(|other| *other != range);
        others.filter_map(gap).all(|gap| gap.split_whitespace().count() > 2)
    };
    let found = found.iter().filter(|range| exact(range) && alone(range)).cloned();
    found.map(|range| (range.clone(), text[range].to_lowercase())).collect()
}

/// Words that make a Chinese text suppose, guess or leave open.
const SUPPOSING_IN_CHINESE: &[&str] =
    &["可能", "也许", "如果", "大概", "或", "要是", "多少", "几", "不", "没", "还是", "估计"];

/// The exact counts of a Chinese text: what is counted once.
fn chinese_counts(text: &Text) -> Vec<(std::ops::Range<usize>, String)> {
    let found = chinese_numbers::counts(text);
    let once = |value: u64| found.iter().filter(|count| count.value == value).count() == 1;
    let fits = |count: &&chinese_numbers::Count| count.exact && once(count.value);
    if SUPPOSING_IN_CHINESE.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    // The value is what texts share: `3` and `三`.
    found.iter().filter(fits).map(|count| (count.range.clone(), count.value.to_string())).collect()
}
