//! How a file cuts words: seen in the file itself, because standards differ (`江 泽民` or `江泽民`, `看 一 看` or `看一看`).

use std::collections::HashMap;
use std::sync::Arc;

use fissure_core::{Resources, Sample};
use fissure_text::chinese::{all_han, dictionary, names};

use super::chinese_names::is_foreign;
use super::segmented::Segmented;

/// What the other samples of a file show.
#[derive(Debug, Default)]
pub(crate) struct Standard {
    words: HashMap<Box<str>, u32>,
    /// `看一看`.
    pub with_one: Habit,
    /// `看看`.
    pub doubled: Habit,
    /// `讨论讨论`.
    pub doubled_pair: Habit,
    /// `高高兴兴`.
    pub doubled_each: Habit,
    /// `一下` behind a verb.
    pub a_little: Habit,
    /// `一个个`.
    pub one_by_one: Habit,
    /// A surname and a given name.
    pub names: Habit,
}

/// How often a form is one word, and how often several.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Habit {
    pub joined: u32,
    pub cut: u32,
}

impl Habit {
    /// Whether the form is one word; `None` if the file does not show it clearly: one way in five cases of six.
    pub fn is_joined(self) -> Option<bool> {
        let all = self.joined + self.cut;
        if all > 0 && self.joined * 6 >= all * 5 {
            Some(true)
        } else if all > 0 && self.cut * 6 >= all * 5 {
            Some(false)
        } else {
            None
        }
    }
}

impl Standard {
    /// The standard of the donors; nothing is known without any.
    pub fn of(resources: &Resources) -> Arc<Self> {
        match &resources.donors {
            Some(donors) => donors.remember(|donors| {
                let mut standard = Self::default();
                donors.iter().for_each(|donor| standard.read(donor));
                standard
            }),
            None => Arc::default(),
        }
    }

    /// How often this is one word.
    pub fn count(&self, word: &str) -> u32 {
        self.words.get(word).copied().unwrap_or(0)
    }

    fn read(&mut self, donor: &Sample) {
        let Ok(segmented) = Segmented::of(donor) else { return };
        for at in 0..segmented.len() {
            let (word, next, third) = (segmented.word(at), segmented.word(at + 1), segmented.word(at + 2));
            if !all_han(word) {
                continue;
            }
            *self.words.entry(word.into()).or_default() += 1;
            let characters: Vec<char> = word.chars().collect();
            match characters[..] {
                [a, '一', b] if a == b && is_verb(&a.to_string()) => self.with_one.joined += 1,
                ['一', a, b] if a == b => self.one_by_one.joined += 1,
                [a, b] if a == b && is_verb(&a.to_string()) => self.doubled.joined += 1,
                [a, b, c, d] if a == b && c == d && a != c => self.doubled_each.joined += 1,
                [a, b, c, d] if a == c && b == d && a != b && is_verb(&word[..word.len() / 2]) => {
                    self.doubled_pair.joined += 1;
                }
                ['一'] if next.chars().count() == 1 && third == next => self.one_by_one.cut += 1,
                ['一'] if next.chars().count() == 2 && next.chars().all(|c| next.starts_with(c)) => {
                    self.one_by_one.cut += 1;
                }
                ['一'] if next == "下" && is_verb(segmented.before(at)) => self.a_little.cut += 1,
                ['一', '下'] => self.a_little.joined += 1,
                [_] if next == "一" && third == word && is_verb(word) => self.with_one.cut += 1,
                [_] if next == word && is_verb(word) => self.doubled.cut += 1,
                [a, b] if a != b && next == word && is_verb(word) => self.doubled_pair.cut += 1,
                _ => {}
            }
            let mut pair = next.chars();
            if let (&[a, b], Some(c), Some(d), None) = (&characters[..], pair.next(), pair.next(), pair.next())
                && a == b
                && c == d
                && a != c
            {
                self.doubled_each.cut += 1;
            }
            // `马歇尔` is one word in every standard.
            let is_given =
                |name: &str| name.chars().count() == 2 && names::given_names().contains(&name) && !is_foreign(name);
            if characters.len() == 3 && names::parts(word).is_some_and(|(_, given)| is_given(given)) {
                self.names.joined += 1;
            }
            self.names.cut += u32::from(characters.len() == 1 && names::is_surname(word) && is_given(next));
        }
    }
}

/// Whether a word is mostly a verb: classifiers and names are doubled as well, and cut in their own way.
fn is_verb(word: &str) -> bool {
    dictionary::tag(word).starts_with('v')
}
