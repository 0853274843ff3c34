//! A Chinese text as parts see it: its words, and what they can give way to.
//!
//! A change of a word is an edit for each character that changes if both words are as long: so what belongs to a
//! character (a tag of a list of characters) stays with it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use fissure_core::{Amount, Candidate, Dice, Edit, Language, Place, Protected, Text};
use fissure_text::chinese::all_han;
use fissure_text::chinese::script::{Script, script_of, to_simplified};
use fissure_text::{Analysis, Upos, analyse};

/// Whether a text is Chinese.
pub(crate) fn is_chinese(text: &Text) -> bool {
    text.language() == Language::Chinese
}

/// A Chinese text with its words.
pub(crate) struct Han {
    analysis: Arc<Analysis>,
    script: Script,
}

impl Han {
    pub fn of(text: &Text) -> Self {
        Self { analysis: text.remember(analyse), script: script_of(text) }
    }

    pub fn text(&self) -> &str {
        self.analysis.text()
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.analysis.chinese_words().len()
    }

    pub fn script(&self) -> Script {
        self.script
    }

    /// The word at place `at` as it is written; empty if there is none.
    pub fn written(&self, at: usize) -> &str {
        self.text().get(self.span(at)).unwrap_or("")
    }

    /// The word at place `at` in simplified characters.
    pub fn word(&self, at: usize) -> Cow<'_, str> {
        match self.script {
            Script::Simplified => self.written(at).into(),
            Script::Traditional => to_simplified(self.written(at)),
        }
    }

    /// The word before place `at`; empty at the start and behind white space.
    pub fn before(&self, at: usize) -> Cow<'_, str> {
        at.checked_sub(1).filter(|before| self.touches(*before)).map_or("".into(), |before| self.word(before))
    }

    /// The word behind place `at`; empty at the end and before white space.
    pub fn after(&self, at: usize) -> Cow<'_, str> {
        if self.touches(at) { self.word(at + 1) } else { "".into() }
    }

    /// Whether nothing stands between a word and the next.
    fn touches(&self, at: usize) -> bool {
        let words = self.analysis.chinese_words();
        words.get(at).zip(words.get(at + 1)).is_some_and(|(one, next)| one.end == next.start)
    }

    /// Tags are worked out when the first is asked for: slips need none, and they cost as much as the words.
    pub fn upos(&self, at: usize) -> Option<Upos> {
        self.analysis.chinese().get(at).map(|word| word.upos)
    }

    pub fn span(&self, at: usize) -> Range<usize> {
        self.analysis.chinese_words().get(at).map_or(0..0, Range::clone)
    }

    /// The place of the word that covers exactly these bytes.
    pub fn at(&self, span: &Range<usize>) -> Option<usize> {
        let words = self.analysis.chinese_words();
        let at = words.partition_point(|word| word.start < span.start);
        (words.get(at) == Some(span)).then_some(at)
    }

    /// Whether a word begins at this byte, or ends before it.
    pub fn is_cut_at(&self, byte: usize) -> bool {
        let words = self.analysis.chinese_words();
        let next = words.partition_point(|word| word.end <= byte);
        words.get(next).is_none_or(|word| word.start >= byte)
    }

    /// The places of the words of Chinese characters.
    pub fn han(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|at| all_han(self.written(*at)))
    }

    /// The word at place `at` replaced with one of simplified characters, which is written in the script of the text.
    pub fn replace(&self, at: usize, new: &str) -> Vec<Edit> {
        replacement(self.span(at).start, self.written(at), &self.script.write(new))
    }
}

/// The edits that make `new` of `old`, which stands at byte `start`: one for each character that differs if both have as
/// many.
pub(crate) fn replacement(start: usize, old: &str, new: &str) -> Vec<Edit> {
    if old.chars().count() != new.chars().count() {
        return vec![Edit::replace(start..start + old.len(), new)];
    }
    let pairs = old.char_indices().zip(new.chars()).filter(|((_, one), other)| one != other);
    pairs.map(|((at, one), other)| Edit::replace(start + at..start + at + one.len_utf8(), other.to_string())).collect()
}

/// Draws words without putting back until enough of them are replaced; the amount is a share of the words of Chinese
/// characters. `alternatives` lists what the word at a place can give way to, in simplified characters.
pub(crate) fn draw(
    text: &Text,
    amount: Amount,
    dice: &mut Dice,
    alternatives: impl Fn(&Han, usize) -> Vec<String>,
) -> Vec<Edit> {
    let han = Han::of(text);
    let protected = Protected::of(text);
    let mut left: Vec<usize> = han.han().collect();
    let wanted = amount.of(left.len());
    let (mut edits, mut done) = (Vec::new(), 0);
    while done < wanted && !left.is_empty() {
        let at = left.swap_remove(dice.below(left.len()));
        if protected.covers(han.span(at).into()) {
            continue;
        }
        let alternatives = alternatives(&han, at);
        let made = dice.pick(&alternatives).map_or_else(Vec::new, |new| han.replace(at, new));
        done += usize::from(!made.is_empty());
        edits.extend(made);
    }
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// Everything that [`draw`] could do.
pub(crate) fn list(text: &Text, alternatives: impl Fn(&Han, usize) -> Vec<String>) -> Vec<Place> {
    let han = Han::of(text);
    let protected = Protected::of(text);
    let mut places: Vec<Place> = Vec::new();
    for at in han.han().filter(|at| !protected.covers(han.span(*at).into())) {
        for new in alternatives(&han, at) {
            add(&mut places, han.replace(at, &new), None);
        }
    }
    places.sort_by_key(|place| place.span);
    places
}

/// Adds the edits of one word as a candidate for the place of the first of them.
pub(crate) fn add(places: &mut Vec<Place>, edits: Vec<Edit>, score: Option<f64>) {
    let mut edits = edits.into_iter();
    let Some(Edit { span, with, .. }) = edits.next() else { return };
    let candidate = Candidate { with, score, along: edits.collect() };
    // The places of one word were added last.
    match places.iter_mut().rev().take(8).find(|place| place.span == span) {
        Some(place) => place.candidates.push(candidate),
        None => places.push(Place::new(span, vec![candidate])),
    }
}

/// Makes a part of a function that lists what a word can give way to. The part has an `amount`, a share of the words of
/// Chinese characters, and a knob `labelled`, without which it spares words that carry a label.
macro_rules! edits_words {
    ($part:ty, $alternatives:path) => {
        impl fissure_core::EditText for $part {
            fn edit_text(&self, text: &fissure_core::Text, dice: &mut fissure_core::Dice) -> fissure_core::Proposal {
                Ok($crate::support::chinese::draw(text, self.amount, dice, $alternatives))
            }

            fn candidates_in(&self, text: &fissure_core::Text) -> Option<Vec<fissure_core::Place>> {
                Some($crate::support::chinese::list(text, $alternatives))
            }

            fn spares_labels(&self) -> bool {
                !self.labelled
            }
        }
    };
}

pub(crate) use edits_words;
