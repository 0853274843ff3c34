//! Whether a sentence rests on an opinion: as a reason, a condition or a part of a judgement of the whole. Beside such words
//! a turned opinion contradicts its own sentence (`I come back for the terrible food`).

use std::ops::Range;

use fissure_core::{Span, layer};
use fissure_text::Penn;
use fissure_text::inflection::Kind;
use fissure_text::polarity::{self, Polarity};

use super::turn::Turns;
use crate::clauses::is_any;

/// Words that draw a conclusion from what is judged, or make it a condition, a measure or an example.
const REASONS: &[&str] = &[
    "because",
    "due",
    "reason",
    "reasons",
    "cause",
    "hence",
    "therefore",
    "thus",
    "if",
    "than",
    "including",
    "considering",
    "unlike",
    "whether",
    "mention",
    "nothing",
    "need",
];
/// Words of guests who come again, or send others.
const LOYAL: &[&str] = &[
    "back",
    "return",
    "returning",
    "returned",
    "regular",
    "regulars",
    "recommend",
    "recommended",
    "recommending",
    "beat",
    "impress",
    "impressed",
    "disappoint",
    "disappointed",
];
/// What a visit is as a whole.
const WHOLE: &[&str] = &[
    "restaurant",
    "place",
    "spot",
    "joint",
    "time",
    "experience",
    "evening",
    "night",
    "choice",
    "find",
    "gem",
    "everything",
];
/// Words that open a clause about what may be.
const SUPPOSING: &[&str] = &["when", "whenever", "if", "once", "unless"];

impl Turns<'_> {
    /// Whether the sentence of an opinion that judges this way draws on it, or says the same once more of the whole.
    pub fn rests_on(&self, place: Span, says: Polarity) -> bool {
        let Some(tokens) = self.tokens(place) else { return true };
        let Some(sentence) = self.annotated.analysis().sentence_of(tokens.start) else { return true };
        let unmarked = |at: &usize| !self.is_marked(*at);
        let concludes = |at: usize| {
            is_any(self.annotated.word(at), REASONS)
                || is_any(self.annotated.word(at), LOYAL)
                || (is_any(self.annotated.word(at), &["so"]) && self.annotated.before(at) == ",")
                || (is_any(self.annotated.word(at), &["even"]) && is_any(self.annotated.after(at), SUPPOSING))
        };
        sentence.clone().filter(unmarked).any(|at| concludes(at) || self.judges_whole(at, says))
            || is_any(self.annotated.word(tokens.end), &["too", "also", "either", "to"])
            || is_any(self.annotated.before(tokens.start), &["such"])
            || (is_any(self.annotated.word(tokens.end), &["as"]) && is_any(self.annotated.after(tokens.end), &["well"]))
            || self.is_supposed(&sentence, &tokens)
            || self.is_purpose(&sentence, &tokens)
    }

    fn is_marked(&self, at: usize) -> bool {
        let span = Span::from(self.annotated.analysis().tokens()[at].span.clone());
        let marks = self.sample.marks.iter();
        marks.filter(|mark| mark.field == 0 && mark.layer != layer::TOKEN).any(|mark| mark.span.overlaps(span))
    }

    /// `a perfect restaurant`, `we had a good time`: words that nobody marked and that judge the whole the same way.
    fn judges_whole(&self, at: usize, says: Polarity) -> bool {
        let whole = |at: usize| is_any(self.annotated.word(at), WHOLE) && !self.is_marked(at);
        self.annotated.kind(at) == Some(Kind::Adjective)
            && (whole(at + 1) || whole(at + 2) || (at.saturating_sub(3)..at).any(whole))
            && (polarity::of(&self.annotated.lemma(at)) == Some(says) || self.own(at) == Some(says))
    }

    /// `When going out for a nice dinner`: the clause of the opinion opens with a condition.
    fn is_supposed(&self, sentence: &Range<usize>, tokens: &Range<usize>) -> bool {
        let clause =
            (sentence.start..tokens.start).rev().take_while(|at| ![",", ";"].contains(&self.annotated.word(*at)));
        clause.into_iter().any(|at| is_any(self.annotated.word(at), SUPPOSING))
    }

    /// `a place to go eat a good meal`: what is meant to be, not what was.
    fn is_purpose(&self, sentence: &Range<usize>, tokens: &Range<usize>) -> bool {
        let near = tokens.start.saturating_sub(5).max(sentence.start)..tokens.start;
        let border = |at: &usize| ![",", ";", "and", "but"].contains(&self.annotated.word(*at));
        near.rev()
            .take_while(border)
            .any(|at| self.annotated.penn(at) == Some(Penn::To) && self.annotated.penn(at + 1) == Some(Penn::Vb))
    }
}
