//! A Chinese text as parts see it: its words, and what they can give way to.
//!
//! A change of a word is an edit for each character that changes if both words are as long: so what belongs to a
//! character (a tag of a list of characters) stays with it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use fissure_core::{Amount, Candidate, Dice, Edit, Language, Place, Protected, Text};
use fissure_text::chinese::script::{Script, script_of, simplified_char, to_simplified};
use fissure_text::chinese::{all_han, dictionary};
use fissure_text::{Analysis, Upos, analyse};

/// Whether a text is Chinese.
pub(crate) fn is_chinese(text: &Text) -> bool {
    text.language() == Language::Chinese
}

/// A Chinese text with its words. Those of a list of characters are found as if no spaces stood between them.
pub(crate) struct Han {
    analysis: Arc<Analysis>,
    script: Script,
    /// Of a list of characters: where each byte of the text without spaces stands in the text.
    origins: Option<Vec<usize>>,
}

impl Han {
    pub fn of(text: &Text) -> Self {
        let script = script_of(text);
        if !is_list(text) {
            return Self { analysis: text.remember(analyse), script, origins: None };
        }
        let places = || text.char_indices().filter(|(_, c)| *c != ' ');
        let joined: String = places().map(|(_, c)| c).collect();
        let origins = places().flat_map(|(at, c)| at..at + c.len_utf8()).collect();
        Self { analysis: Arc::new(analyse(&joined)), script, origins: Some(origins) }
    }

    /// The text in which the words were found: a list of characters has no spaces there.
    pub fn text(&self) -> &str {
        self.analysis.text()
    }

    /// Whether the text is a list of characters.
    pub fn is_list(&self) -> bool {
        self.origins.is_some()
    }

    /// Bytes of [`Self::text`] as bytes of the text itself.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        match &self.origins {
            None => range,
            Some(origins) => {
                let at = |byte: usize| origins.get(byte).copied();
                let start = at(range.start).or_else(|| origins.last().map(|last| last + 1)).unwrap_or(0);
                start
                    ..range.end.checked_sub(1).filter(|_| !range.is_empty()).and_then(at).map_or(start, |last| last + 1)
            }
        }
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
        self.text().get(self.place(at)).unwrap_or("")
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

    /// Where the word at place `at` stands in [`Self::text`].
    pub fn place(&self, at: usize) -> Range<usize> {
        self.analysis.chinese_words().get(at).map_or(0..0, Range::clone)
    }

    /// Where the word at place `at` stands in the text itself.
    pub fn span(&self, at: usize) -> Range<usize> {
        self.origin(self.place(at))
    }

    /// The place of the word that covers exactly these bytes of [`Self::text`].
    pub fn at(&self, place: &Range<usize>) -> Option<usize> {
        let words = self.analysis.chinese_words();
        let at = words.partition_point(|word| word.start < place.start);
        (words.get(at) == Some(place)).then_some(at)
    }

    /// Whether a word begins at this byte of [`Self::text`], or ends before it.
    pub fn is_cut_at(&self, byte: usize) -> bool {
        let words = self.analysis.chinese_words();
        let next = words.partition_point(|word| word.end <= byte);
        words.get(next).is_none_or(|word| word.start >= byte)
    }

    /// Whether the word at place `at` makes a longer word with what stands beside it: `图书|馆`, `始终|如一`. A cut inside of a
    /// word is the usual fault of a segmenter, and what replaces half a word makes none.
    pub fn is_part(&self, at: usize) -> bool {
        let (before, word, after) = (self.before(at), self.word(at), self.after(at));
        let known = |parts: [&str; 2]| all_han(parts[0]) && all_han(parts[1]) && is_one_word(&parts.concat());
        let (first, last) = (before.chars().next_back(), after.chars().next());
        // Characters alone tell too little: `的话` is a word.
        let touches = |other: Option<char>| other.filter(|_| word.chars().count() > 1).map(String::from);
        // `价格便宜` is in the dictionary, and two words all the same.
        let one_is_single = before.chars().count() == 1 || word.chars().count() == 1;
        (one_is_single && known([&before, &word]))
            || known([&word, &after])
            || touches(first).is_some_and(|first| known([&first, &word]))
            || touches(last).is_some_and(|last| known([&word, &last]))
            || (word.chars().count() > 1
                && after.chars().count() == 1
                && after.starts_with(|c| MAKES_NOUNS.contains(c)))
    }

    /// Whether a cut between the words at `at - 1` and `at` goes through a word of the dictionary: `奥运|会`.
    pub fn is_torn(&self, at: usize) -> bool {
        let (before, word) = (self.before(at), self.word(at));
        !before.is_empty() && all_han(&before) && all_han(&word) && is_one_word(&format!("{before}{word}"))
    }

    /// The places of the words of Chinese characters.
    pub fn han(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|at| all_han(self.written(*at)))
    }

    /// The word at place `at` replaced with one of simplified characters, which is written in the script of the text. None
    /// if a list of characters would get another number of them.
    pub fn replace(&self, at: usize, new: &str) -> Vec<Edit> {
        self.replace_range(self.place(at), new)
    }

    /// The same for what stands at these bytes of [`Self::text`].
    pub fn replace_range(&self, place: Range<usize>, new: &str) -> Vec<Edit> {
        let Some(old) = self.text().get(place.clone()) else { return Vec::new() };
        let made = rewritten(place.start, old, &self.script.write(new));
        match &self.origins {
            None => made,
            Some(_) if old.chars().count() != new.chars().count() => Vec::new(),
            Some(_) => {
                let moved = |edit: Edit| Edit::replace(self.origin(edit.span.start..edit.span.end), edit.with.as_str());
                made.into_iter().map(moved).collect()
            }
        }
    }
}

/// Characters that make a noun of what stands before them: half of `方法论` is no word.
const MAKES_NOUNS: &str = "馆店论度性学家界化率器机厂部员者院室品业型式法费权观感力量值点";

/// Whether this is one word of the dictionary; of two characters many are two words as well (`很好`).
fn is_one_word(word: &str) -> bool {
    word.chars().count() > 2 && dictionary::has(word)
}

/// Whether a text is a list of characters: every second one is a space.
pub(crate) fn is_list(text: &str) -> bool {
    let spaces = text.bytes().filter(|byte| *byte == b' ').count();
    spaces > 0 && spaces * 2 + 1 >= text.chars().count()
}

/// The edits that make `new` of `old`, which stands at byte `start`: one for each character that differs if both have as
/// many.
pub(crate) fn replacement(start: usize, old: &str, new: &str) -> Vec<Edit> {
    edits_by_character(start, old, new, |one, other| one != other)
}

/// As [`replacement`], but what is only written in another form stays as it is: of `關係` and `官系` only the first differs.
pub(crate) fn rewritten(start: usize, old: &str, new: &str) -> Vec<Edit> {
    edits_by_character(start, old, new, |one, other| simplified_char(one) != simplified_char(other))
}

fn edits_by_character(start: usize, old: &str, new: &str, differ: impl Fn(char, char) -> bool) -> Vec<Edit> {
    if old.chars().count() != new.chars().count() {
        return vec![Edit::replace(start..start + old.len(), new)];
    }
    let pairs = old.char_indices().zip(new.chars()).filter(|((_, one), other)| differ(*one, *other));
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

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    fn word_at(han: &Han, word: &str) -> usize {
        han.han().find(|at| han.written(*at) == word).unwrap_or_else(|| panic!("{word} is no word of {}", han.text()))
    }

    #[test]
    fn what_a_slip_spares_keeps_its_form() {
        // `係` is one of several characters that are simplified to `系`.
        let text = Text::from("他們的關係很好。");
        let han = Han::of(&text);
        let at = word_at(&han, "關係");
        let edits = han.replace(at, "官系");
        assert_eq!(fissure_core::splice(&text, &edits), "他們的官係很好。");
    }

    #[test]
    fn words_of_a_list_of_characters_are_found() {
        let text = Text::from("我 们 的 服 务 很 好 。");
        let han = Han::of(&text);
        let at = word_at(&han, "服务");
        assert_eq!(&text[han.span(at)], "服 务");
        assert_eq!(fissure_core::splice(&text, &han.replace(at, "富务")), "我 们 的 富 务 很 好 。");
        // Another number of characters would need other tags.
        assert!(han.replace(at, "服务员").is_empty());
        assert_eq!(han.origin(0..han.text().len()), 0..text.len());
    }

    #[test]
    fn a_cut_within_a_word_is_seen() {
        let han = Han::of(&Text::from("图书馆很大。"));
        let cut = han.han().find(|at| han.written(*at) == "图书");
        assert!(cut.is_none_or(|at| han.is_part(at)));
        let han = Han::of(&Text::from("他突然走了。"));
        assert!(!han.is_part(word_at(&han, "突然")));
    }
}
