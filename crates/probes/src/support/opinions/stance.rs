//! Whether a review does no more than report. What else it says could argue for one of its judgements, and would contradict it
//! once it is turned: `I come back for the terrible food`.

use fissure_text::Penn;
use fissure_text::polarity;

use super::turn::{DEGREES, Turns};

/// Verbs that only say that a thing is so, or that it was there to be had.
const STATING: &[&str] = &[
    "be", "have", "taste", "seem", "look", "feel", "smell", "sound", "come", "arrive", "offer", "serve", "provide",
    "get", "order", "find", "eat", "feature",
];
/// Verbs that only tell of a visit, if it is past: in the present they are advice or a habit.
const TELLING: &[&str] = &["visit", "try", "share", "bring", "sit", "pay", "drink", "go", "start", "ask", "deliver"];
/// Prepositions that say where, with what and of what.
const PLACING: &[&str] = &["of", "at", "with", "in", "on", "from", "by", "for", "inside", "outside", "around"];
/// What a visit is as a whole: who judges it judges all that is named.
pub(super) const WHOLE: &[&str] = &[
    "restaurant",
    "place",
    "spot",
    "joint",
    "time",
    "experience",
    "evening",
    "night",
    "visit",
    "choice",
    "find",
    "gem",
    "deal",
    "value",
    "meal",
    "food",
    "dinner",
    "lunch",
    "everything",
    "review",
    "way",
    "thing",
];
/// Determiners that deny, or count several things together.
const LINKING: &[&str] = &["no", "both", "either", "neither", "such", "any", "another"];
/// Nouns and adjectives that draw a conclusion without judging.
const CONCLUDING: &[&str] = &["reason", "reasons", "cause", "need", "regular", "regulars", "return", "due"];

impl Turns<'_> {
    /// Whether all that the review says besides its marked words only states what there was: no judgement of the whole, no
    /// reason, condition or purpose, no comparison, no advice and no plan.
    pub fn is_plain_report(&self) -> bool {
        (0..self.annotated.len()).filter(|at| !self.is_marked(*at)).all(|at| self.only_states(at))
    }

    /// Whether a word is one of a plain report.
    pub(super) fn only_states(&self, at: usize) -> bool {
        let Some(penn) = self.annotated.penn(at) else { return true };
        let word = self.word(at);
        let is_one_of = |of: &[&str]| of.contains(&&*word);
        let lemma = self.annotated.lemma(at);
        let judges = || polarity::of(&lemma).is_some() || self.own(at).is_some() || polarity::is_charged(&word);
        match penn {
            Penn::Cd | Penn::Comma | Penn::Ex | Penn::Pos | Penn::Prp | Penn::PrpPoss => true,
            Penn::LeftBracket | Penn::RightBracket => true,
            Penn::FullStop => word != "?",
            Penn::Dt | Penn::Pdt => !is_one_of(LINKING),
            Penn::Cc => is_one_of(&["and", "but", "or", "&"]),
            Penn::In => is_one_of(PLACING),
            Penn::Rb => self.says_how_far(at),
            Penn::Vb | Penn::Vbg | Penn::Vbp | Penn::Vbz => {
                STATING.contains(&&*lemma) || is_one_of(&["'s", "\u{2019}s", "'re", "\u{2019}re"])
            }
            Penn::Vbd | Penn::Vbn => STATING.contains(&&*lemma) || TELLING.contains(&&*lemma),
            Penn::Jj if judges() => self.is_of_another_thing(at),
            Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj => !judges() && !is_one_of(CONCLUDING),
            _ => false,
        }
    }

    /// `interesting selection`: an adjective that judges, right before a thing that nobody marked and that is not the whole.
    fn is_of_another_thing(&self, at: usize) -> bool {
        let next = at + 1;
        matches!(self.annotated.penn(next), Some(Penn::Nn | Penn::Nns))
            && !self.is_marked(next)
            && !WHOLE.contains(&&*self.annotated.lemma(next))
    }

    /// `very` and `here`, but not `also` and `, so`; `even` only where it goes with its comparison (`even better`).
    fn says_how_far(&self, at: usize) -> bool {
        match &*self.word(at) {
            "also" | "just" => false,
            "so" => self.annotated.before(at) != ",",
            "even" => ["better", "worse"].contains(&&*self.word(at + 1)),
            "here" | "there" | "often" | "now" | "once" | "twice" => true,
            word => DEGREES.contains(&word) || (word.ends_with("ly") && !polarity::is_charged(word)),
        }
    }
}
