//! One opinion made stronger: `good` to `very good`, `the best` to `the very best`, `not good` to `not good at all`.

use std::ops::Range;

use fissure_core::{Dice, Edit, Span};
use fissure_text::inflection::Kind;
use fissure_text::polarity::{self, Polarity};
use fissure_text::{Penn, casing, opinions};

use super::turn::{DEGREES, Turns};
use crate::clauses::is_any;

impl Turns<'_> {
    /// The edits that make an opinion stronger; nothing for words that take no stress.
    pub fn strengthen(&self, place: Span, says: Polarity, dice: &mut Dice) -> Option<Vec<Edit>> {
        let tokens = self.tokens(place)?;
        if self.is_in_name(place) {
            return None;
        }
        if let Some(not) = self.denial(&tokens) {
            return self.denied_wholly(&tokens, not);
        }
        // `very good` as one opinion: `very, very good`.
        if tokens.len() == 2
            && is_any(self.annotated.word(tokens.start), &["very", "really"])
            && self.annotated.penn(tokens.start + 1) == Some(Penn::Jj)
            && !is_any(self.annotated.before(tokens.start), &["very", "really", "not", "n't", "so"])
        {
            let very = self.annotated.word(tokens.start);
            let span = self.annotated.analysis().tokens()[tokens.start].span.clone();
            return Some(vec![Edit::replace(span, format!("{very}, {}", very.to_lowercase()))]);
        }
        if tokens.len() != 1 || is_any(self.annotated.after(tokens.start), &["enough", "than"]) {
            return None;
        }
        let at = tokens.start;
        let before = self.annotated.before(at);
        let penn = self.annotated.penn(at)?;
        if is_any(before, &["the"]) && is_any(self.annotated.word(at), &["best", "worst"]) {
            return Some(self.stressed(at, "very"));
        }
        // `too slow` to `far too slow`.
        if is_any(before, &["too"]) && penn == Penn::Jj && says == Polarity::Negative && !self.is_hedged(at - 1) {
            return Some(self.stressed(at - 1, "far"));
        }
        // `very fast` to `very, very fast`.
        if is_any(before, &["very", "really"]) && penn == Penn::Jj && self.judges(at, says) {
            let start = self.annotated.analysis().tokens()[at - 1].span.start;
            let very = self.annotated.word(at - 1);
            let again =
                if casing::Case::of(very) == casing::Case::Title { very.to_lowercase() } else { very.to_owned() };
            return Some(vec![Edit::replace(start..start + very.len(), format!("{very}, {again}"))]);
        }
        // `definitely good` says how far already, `a bit slow` how little.
        let taken = is_any(before, DEGREES)
            || is_any(before, &["too", "as", "how", "more", "less", "such", "bit", "little"])
            || before.ends_with("ly")
            || at.checked_sub(1).is_some_and(|before| matches!(self.annotated.penn(before), Some(Penn::Rb)));
        // `A WAY bigger screen`, `my favorite part`.
        let fixed = is_any(before, &["way"]) || is_any(self.annotated.word(at), &["favorite", "favourite"]);
        if taken || fixed {
            return None;
        }
        if !self.judges(at, says) {
            // The file says that it judges; no list knows how far, so that `really` is said of it, where an adjective of degree stands.
            return self.may_be_graded(at, says).then(|| self.stressed(at, "really"));
        }
        match self.kind(at)? {
            Kind::Adjective if penn == Penn::Jjr => Some(self.stressed(at, "much")),
            Kind::Adjective if matches!(penn, Penn::Jj | Penn::Nn | Penn::Nnp) => {
                let word = self.annotated.word(at).to_lowercase();
                let stress = if is_extreme(&word) { "really" } else { dice.pick(&["very", "really"])? };
                Some(self.stressed(at, stress))
            }
            Kind::Verb if self.is_felt(at) && matches!(penn, Penn::Vbd | Penn::Vbp | Penn::Vbz) => {
                Some(self.stressed(at, "really"))
            }
            _ => None,
        }
    }

    /// Whether the words before say little or how far already: `a bit too slow`, `way too slow`.
    fn is_hedged(&self, at: usize) -> bool {
        let before = self.annotated.before(at);
        is_any(before, &["bit", "little", "tad", "way", "far", "much", "not", "n't", "never", "somewhat", "slightly"])
            || before.ends_with("ly")
    }

    /// Whether the lists know that a word can judge this way: the file says that here it does.
    fn judges(&self, at: usize, says: Polarity) -> bool {
        let lemma = self.annotated.lemma(at);
        let word = self.annotated.word(at).to_lowercase();
        let listed = |kind| [&*lemma, &*word].iter().any(|one| !opinions::against(one, kind, says).is_empty());
        self.kind(at).is_some_and(listed) || self.own(at) == Some(says)
    }

    /// Whether an adjective that no list has stands behind a verb that links, or before a noun and behind no other adjective.
    fn may_be_graded(&self, at: usize, says: Polarity) -> bool {
        let linked = is_any(
            self.annotated.before(at),
            &[
                "is", "was", "are", "were", "'s", "been", "tastes", "tasted", "seems", "seemed", "felt", "looks",
                "looked",
            ],
        );
        let before_noun = matches!(self.annotated.penn(at + 1), Some(Penn::Nn | Penn::Nns))
            && !matches!(
                at.checked_sub(1).and_then(|before| self.annotated.penn(before)),
                Some(Penn::Jj | Penn::Nn | Penn::Nns)
            )
            && !is_any(self.annotated.before(at), &["-", "the", "no", "and", ","]);
        self.annotated.penn(at) == Some(Penn::Jj)
            && (linked || before_noun)
            && self.own(at).is_none_or(|own| own == says)
            && polarity::is_charged(&self.annotated.word(at).to_lowercase())
            && self.annotated.stands_free(at)
    }

    /// Whether a verb says what somebody thinks of a thing, with the one who thinks it right before.
    fn is_felt(&self, at: usize) -> bool {
        is_any(&self.annotated.lemma(at), &["love", "enjoy", "like", "hate", "dislike", "appreciate"])
            && is_any(self.annotated.before(at), &["i", "we", "he", "she", "they", "everyone", "who"])
    }

    /// `not good` to `not good at all`, at the end of a clause.
    fn denied_wholly(&self, tokens: &Range<usize>, not: usize) -> Option<Vec<Edit>> {
        let head = tokens.end - 1;
        let plain = is_any(self.annotated.word(not), &["not", "n't", "n\u{2019}t"])
            && (not + 1..head).all(|at| is_any(self.annotated.word(at), &["very", "that", "particularly", "really"]));
        let ends = [".", ",", ";", "!", ""].contains(&self.annotated.after(head))
            || is_any(self.annotated.after(head), &["but", "and"]);
        let praises = self.kind(head) == Some(Kind::Adjective) && self.own(head) == Some(Polarity::Positive);
        let end = self.annotated.analysis().tokens()[head].span.end;
        (plain && ends && praises).then(|| vec![Edit::insert(end, " at all")])
    }

    /// `stress` before the token at `at`, with the article before it and the capital of a first word set right.
    fn stressed(&self, at: usize, stress: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        edits.extend(self.article(at, stress));
        let word = self.annotated.word(at);
        let span = Span::from(self.annotated.analysis().tokens()[at].span.clone());
        edits.push(if casing::Case::of(word) == casing::Case::Title {
            Edit::replace(span, format!("{} {}", casing::title(stress), word.to_lowercase()))
        } else {
            Edit::insert(span.start, casing::follow(word, &format!("{stress} ")).into_owned())
        });
        edits
    }
}

/// Words that say `very` themselves: `very excellent` reads badly.
fn is_extreme(word: &str) -> bool {
    const EXTREME: &[&str] = &[
        "excellent",
        "amazing",
        "awesome",
        "wonderful",
        "fantastic",
        "outstanding",
        "superb",
        "terrific",
        "perfect",
        "incredible",
        "fabulous",
        "delicious",
        "gorgeous",
        "terrible",
        "awful",
        "horrible",
        "dreadful",
        "great",
        "exceptional",
        "phenomenal",
        "spectacular",
        "disgusting",
        "atrocious",
        "abysmal",
        "overpriced",
        "burnt",
        "overcooked",
        "undercooked",
        "unbelievable",
        "heavenly",
        "delectable",
        "scrumptious",
        "impeccable",
        "huge",
        "tiny",
        "inedible",
        "stunning",
        "flawless",
        "exorbitant",
        "fresh",
        "fun",
    ];
    EXTREME.contains(&word)
}
