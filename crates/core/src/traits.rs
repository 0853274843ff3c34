//! The traits of the parts, as a ladder: a part stands on the lowest rung that serves it.
//!
//! [`EditWord`] sees one word, [`EditText`] one text, [`EditSample`] all texts of a sample; [`Transform`] may set labels as
//! well. Each lower rung is a [`Transform`] by blanket implementation, so that a simple part is ten lines.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::candidates::tidy;
use crate::{
    Candidate, Change, Dice, Drawing, Draws, Edit, KnobCard, Knobs, Language, Law, Place, Protected, Resources, Sample,
    Span, Text, Word, Words,
};

/// Why a part left a sample alone although it could not even try: the wrong language, nothing to work with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Skip(pub Cow<'static, str>);

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The edits a part would make to one text, in order of place and without overlap; none if there is nothing to do.
pub type Proposal = Result<Vec<Edit>, Skip>;

/// A part that changes words one at a time.
pub trait EditWord: fmt::Debug + Send + Sync {
    /// How many of the words to change.
    fn amount(&self) -> Amount;

    /// Whether this word counts among those that could be changed.
    fn accepts(&self, word: Word<'_>) -> bool;

    /// Everything the word could become, the best first; `None` if the part cannot list it.
    fn candidates_for(&self, _: Word<'_>) -> Option<Vec<Candidate>> {
        None
    }

    /// The new form of the word; `None` to leave it after all. Unless the part draws in its own way, one of the
    /// candidates, each as likely.
    fn edit_word(&self, word: Word<'_>, dice: &mut Dice) -> Option<String> {
        Candidate::draw(self.candidates_for(word)?, dice).map(|drawn| drawn.with)
    }

    /// The edits of a text in a language without spaces that the part knows: words are not what this rung sees there.
    /// `None` for every other text.
    fn edit_unspaced(&self, _: &Text, _: &mut Dice) -> Option<Vec<Edit>> {
        None
    }

    /// Everything that [`edit_unspaced`](Self::edit_unspaced) could do to a text.
    fn candidates_unspaced(&self, _: &Text) -> Option<Vec<Place>> {
        None
    }

    /// Whether it takes words in letters that are not those of the text's language as well: an English name in a Chinese
    /// text. Most parts leave such words alone.
    fn takes_foreign_words(&self) -> bool {
        false
    }

    /// Whether words that carry a label stay as they are: see [`EditText::spares_labels`].
    fn spares_labels(&self) -> bool {
        false
    }
}

/// A part that changes one text.
pub trait EditText: fmt::Debug + Send + Sync {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal;

    /// The words of a text with everything that each could become; `None` if the part cannot list it.
    fn candidates_in(&self, _: &Text) -> Option<Vec<Place>> {
        None
    }

    /// How [`edit_around`](Self::edit_around) draws its edits; `None` if that is no [`Drawing`].
    fn law_around(&self, _: &Text, _spared: &[Span], _: &mut Draws) -> Option<Drawing> {
        None
    }

    /// Whether words that carry a label stay as they are: whatever a mark holds [fast](crate::Anchor::Rigid), such as an
    /// answer, a term or a mention.
    fn spares_labels(&self) -> bool {
        false
    }

    /// Whether a text that was joined from tokens stays as it is if an edit would put two words into a token, or a word between two:
    /// it would have no label.
    fn keeps_tokens(&self) -> bool {
        false
    }

    /// As [`edit_text`](Self::edit_text), but what overlaps `spared` (in order, without overlap) stays as it is.
    fn edit_around(&self, text: &Text, spared: &[Span], dice: &mut Dice) -> Proposal {
        let mut edits = self.edit_text(text, dice)?;
        edits.retain(|edit| !edit.span.overlaps_any(spared));
        Ok(edits)
    }
}

/// A part that changes the texts of a sample and leaves its labels to [`apply`](crate::apply).
pub trait EditSample: fmt::Debug + Send + Sync {
    /// `resources` holds at least what the part's card says it needs.
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Proposal;

    /// As [`Transform::candidates`].
    fn candidates_of(&self, _: &Sample, _: &Resources) -> Option<Vec<Place>> {
        None
    }

    /// As [`Transform::law`].
    fn law_of(&self, _: &Sample, _: &Resources, _: &mut Draws) -> Option<Law> {
        None
    }
}

/// A part that changes a sample: its texts, and its labels if it knows the new ones.
pub trait Transform: fmt::Debug + Send + Sync {
    /// `resources` holds at least what the part's card says it needs.
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip>;

    /// The places that the part could change, in order, with everything that it could put there if it changed no other
    /// place; `None` if it cannot list that. How many places a drawing would change (`rate`, `min`, `max`) plays no role.
    fn candidates(&self, _: &Sample, _: &Resources) -> Option<Vec<Place>> {
        None
    }

    /// The law by which [`propose`](Self::propose) draws its edits; `None` if they depend on one another in a way that a
    /// [`Law`] cannot say.
    fn law(&self, _: &Sample, _: &Resources, _: &mut Draws) -> Option<Law> {
        None
    }
}

/// A part that picks samples out of a data set: measure each, then cut.
pub trait Slice: fmt::Debug + Send + Sync {
    /// The number by which samples are picked; skipped if there is none.
    fn measure(&self, sample: &Sample) -> Result<f64, Skip>;

    fn cut(&self) -> Cut;
}

/// Which samples a slice takes, by their measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The given share with the smallest measure.
    Lowest(f64),
    /// The given share with the largest measure.
    Highest(f64),
    /// From `least` to `most`, both included.
    Between { least: f64, most: f64 },
}

impl Cut {
    /// Which of the samples with these measures are in. Ties at the edge are settled by position, so that a share is
    /// exact; a measure that is not a number is never in.
    pub fn select(self, measures: &[Option<f64>]) -> Vec<bool> {
        let mut inside = vec![false; measures.len()];
        let mut ranked: Vec<(f64, usize)> =
            measures.iter().enumerate().filter_map(|(at, x)| x.filter(|x| !x.is_nan()).map(|x| (x, at))).collect();
        let share = match self {
            Self::Between { least, most } => {
                for (x, at) in ranked {
                    inside[at] = (least..=most).contains(&x);
                }
                return inside;
            }
            Self::Lowest(share) | Self::Highest(share) => share,
        };
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Self::Highest(_) = self {
            ranked.reverse();
        }
        let count = (share * ranked.len() as f64).round() as usize;
        for (_, at) in ranked.into_iter().take(count) {
            inside[at] = true;
        }
        inside
    }
}

crate::knobs! {
    /// How many words of a text to touch.
    #[derive(Copy, PartialEq)]
    pub struct Amount {
        /// Share of the eligible words to touch; 0 touches none.
        rate: f64 = 0.1, in 0.0..=1.0;
        /// Change at least N words, if the text has them.
        min: usize = 1;
        /// Change at most N words of a text.
        max: usize = 10;
    }
}

impl Amount {
    /// A share of the words, at least 1 and at most 10 of them.
    pub const fn share(rate: f64) -> Self {
        Self { rate, min: 1, max: 10 }
    }

    /// Every eligible word, however many.
    pub const fn all() -> Self {
        Self { rate: 1.0, min: 1, max: usize::MAX }
    }

    /// How many of `n` eligible words to touch.
    pub fn of(self, n: usize) -> usize {
        if self.rate <= 0.0 {
            return 0;
        }
        let share = (self.rate * n as f64).round() as usize;
        share.max(self.min).min(self.max).min(n)
    }

    /// The knobs' cards with these defaults.
    pub fn cards_with(&self) -> Vec<KnobCard> {
        let mut cards = Self::cards();
        for (card, (_, value)) in cards.iter_mut().zip(self.values()) {
            card.default = value;
        }
        cards
    }
}

impl<T: EditWord> EditText for T {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        self.edit_around(text, &[], dice)
    }

    fn spares_labels(&self) -> bool {
        EditWord::spares_labels(self)
    }

    fn candidates_in(&self, text: &Text) -> Option<Vec<Place>> {
        if let Some(places) = self.candidates_unspaced(text) {
            return Some(places);
        }
        let protected = Protected::of(text);
        let own = OwnWords::of(text, self.takes_foreign_words());
        let accepts = |word: &Word<'_>| own.has(*word) && self.accepts(*word) && !protected.covers(word.span);
        let words = Words::new(text).filter(accepts);
        words.map(|word| Some(Place::new(word.span, self.candidates_for(word)?))).collect()
    }

    /// As many of the words that take a change as are wanted of all that count: a word that takes none is passed over.
    fn law_around(&self, text: &Text, spared: &[Span], draws: &mut Draws) -> Option<Drawing> {
        // What a part does to a text without spaces is its own affair: it is drawn as a whole.
        if self.edit_unspaced(text, &mut draws.dice.clone()).is_some() {
            return None;
        }
        let own = OwnWords::of(text, self.takes_foreign_words());
        let takes = |word: &Word<'_>| own.has(*word) && self.accepts(*word) && !word.span.overlaps_any(spared);
        let words: Vec<Word<'_>> = Words::new(text).filter(takes).collect();
        let wanted = self.amount().of(words.len());
        if wanted == 0 {
            return Some(Drawing::default());
        }
        let protected = Protected::of(text);
        let mut place = |word: &Word<'_>| {
            draws.place(|dice| {
                let new = self.edit_word(*word, dice).filter(|new| new != word.text)?;
                Some(vec![Edit::replace(word.span, new)])
            })
        };
        let open = words.iter().filter(|word| !protected.covers(word.span));
        Some(Drawing::new(open.filter_map(&mut place).collect(), wanted))
    }

    /// Words that are spared do not count among those to draw from.
    fn edit_around(&self, text: &Text, spared: &[Span], dice: &mut Dice) -> Proposal {
        if let Some(mut edits) = self.edit_unspaced(text, dice) {
            edits.retain(|edit| !edit.span.overlaps_any(spared));
            return Ok(edits);
        }
        // English has a word in six bytes; with room for them the list does not have to grow.
        let mut words: Vec<Span> = Vec::with_capacity(text.len() / 6 + 1);
        let own = OwnWords::of(text, self.takes_foreign_words());
        words.extend(
            Words::new(text)
                .filter(|word| own.has(*word) && self.accepts(*word) && !word.span.overlaps_any(spared))
                .map(|word| word.span),
        );
        let wanted = self.amount().of(words.len());
        let draws = wanted < words.len();
        let mut edits = Vec::with_capacity(wanted);
        let protected = Protected::of(text);
        // Words are drawn one by one without putting back, until enough of them took a change.
        for drawn in 0..words.len() {
            if edits.len() == wanted {
                break;
            }
            if draws {
                let other = drawn + dice.below(words.len() - drawn);
                words.swap(drawn, other);
            }
            let word = Word { text: words[drawn].of(text), span: words[drawn] };
            // Few words are drawn, so only these are asked whether they are words at all, and not part of an address.
            if protected.covers(word.span) {
                continue;
            }
            if let Some(new) = self.edit_word(word, dice).filter(|new| new != word.text) {
                edits.push(Edit::replace(word.span, new));
            }
        }
        edits.sort_unstable_by_key(|edit| edit.span);
        Ok(edits)
    }
}

/// Which words of a text are in the letters of its language.
#[derive(Clone, Copy)]
enum OwnWords {
    All,
    Of(Language),
}

impl OwnWords {
    /// A text that is all ASCII has no other words; nor has one whose part takes them all.
    fn of(text: &Text, all: bool) -> Self {
        if all || text.is_ascii() && text.language() == Language::English {
            Self::All
        } else {
            Self::Of(text.language())
        }
    }

    #[inline]
    fn has(self, word: Word<'_>) -> bool {
        match self {
            Self::All => true,
            Self::Of(language) => language.writes(word.text),
        }
    }
}

impl<T: EditText> EditSample for T {
    fn edit_sample(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Proposal {
        let mut edits = Vec::new();
        let mut skipped = None;
        let mut tried = false;
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let spared = if self.spares_labels() { sample.labelled(index) } else { Vec::new() };
            match self.edit_around(&field.text, &spared, dice) {
                Ok(made) => {
                    tried = true;
                    let kept = |edit: &Edit| !field.from_tokens || keeps_spaces(edit, &field.text);
                    if self.keeps_tokens() && !made.iter().all(kept) {
                        continue;
                    }
                    let made = made.into_iter().map(|edit| edit.on(index));
                    // Most samples have one open text, whose list is taken over as it is.
                    if edits.is_empty() { edits = made.collect() } else { edits.extend(made) }
                }
                Err(skip) => skipped = skipped.or(Some(skip)),
            }
        }
        match skipped {
            Some(skip) if !tried => Err(skip),
            _ => Ok(edits),
        }
    }

    fn candidates_of(&self, sample: &Sample, _: &Resources) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let spared = if self.spares_labels() { sample.labelled(index) } else { Vec::new() };
            let mut listed = self.candidates_in(&field.text)?;
            listed.retain(|place| !place.span.overlaps_any(&spared));
            places.extend(listed.into_iter().map(|place| place.on(index)));
        }
        Some(places)
    }

    fn law_of(&self, sample: &Sample, _: &Resources, draws: &mut Draws) -> Option<Law> {
        let mut drawings = Vec::new();
        for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let spared = if self.spares_labels() { sample.labelled(index) } else { Vec::new() };
            drawings.push(self.law_around(&field.text, &spared, draws)?.on(index));
        }
        Some(Law { drawings })
    }
}

/// Whether an edit leaves as many spaces as there were.
fn keeps_spaces(edit: &Edit, text: &str) -> bool {
    let spaces = |text: &str| text.matches(' ').count();
    spaces(edit.span.of(text)) == spaces(&edit.with)
}

impl<T: EditSample> Transform for T {
    fn propose(&self, sample: &Sample, dice: &mut Dice, resources: &Resources) -> Result<Change, Skip> {
        self.edit_sample(sample, dice, resources).map(Change::from)
    }

    fn candidates(&self, sample: &Sample, resources: &Resources) -> Option<Vec<Place>> {
        self.candidates_of(sample, resources).map(|places| tidy(places, sample))
    }

    fn law(&self, sample: &Sample, resources: &Resources, draws: &mut Draws) -> Option<Law> {
        self.law_of(sample, resources, draws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_share_within_bounds() {
        let amount = Amount { rate: 0.1, min: 1, max: 3 };
        let counts: Vec<usize> = [0, 1, 14, 16, 100].into_iter().map(|n| amount.of(n)).collect();
        assert_eq!(counts, [0, 1, 1, 2, 3]);
        assert_eq!(Amount { rate: 0.0, ..amount }.of(50), 0);
        assert_eq!(Amount::all().of(50), 50);
    }

    #[test]
    fn a_cut_takes_an_exact_share_and_never_what_was_not_measured() {
        let measures = [Some(3.0), None, Some(1.0), Some(1.0), Some(f64::NAN), Some(9.0)];
        assert_eq!(Cut::Lowest(0.25).select(&measures), [false, false, true, false, false, false]);
        assert_eq!(Cut::Highest(0.5).select(&measures), [true, false, false, false, false, true]);
        let between = Cut::Between { least: 1.0, most: 3.0 };
        assert_eq!(between.select(&measures), [true, false, true, true, false, false]);
        assert_eq!(Cut::Lowest(0.5).select(&[]), [false; 0]);
    }
}
