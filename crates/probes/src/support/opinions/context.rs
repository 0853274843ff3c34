//! Whether the words around an opinion let it turn: contrasts, conditions, and judgements that nobody marked.

use std::ops::Range;

use fissure_core::{Span, layer};
use fissure_text::Penn;
use fissure_text::inflection::Kind;
use fissure_text::polarity::{self, Polarity};

use super::Aspect;
use super::turn::Turns;
use crate::clauses::is_any;

/// Words that set one judgement against another in ways that `and` and `but` do not fix.
const CONTRASTING: &[&str] = &[
    "although",
    "though",
    "however",
    "despite",
    "yet",
    "nevertheless",
    "otherwise",
    "while",
    "whereas",
    "unless",
    "tho",
    "regardless",
    "nonetheless",
    "started",
];
/// Words that do so only right before an opinion.
const QUALIFYING: &[&str] = &["except", "besides", "until", "if", "only", "still", "even", "either"];

impl Turns<'_> {
    /// Whether a word sets this place of the text against something, so that a turned opinion would not go with it.
    pub fn is_set_against(&self, place: Span) -> bool {
        let Some(tokens) = self.tokens(place) else { return true };
        let Some(sentence) = self.annotated.analysis().sentence_of(tokens.start) else { return true };
        let near = tokens.start.saturating_sub(4)..tokens.start;
        let qualified = near.into_iter().any(|at| {
            is_any(self.annotated.word(at), QUALIFYING)
                && !(at + 1 == tokens.start && (self.is_only_more(&tokens) || self.is_plain_more(&tokens)))
        });
        let start = sentence.start;
        // `even more thrilled` goes on from what was said before; `looking for good food` speaks of no food that was there.
        let goes_on = |at: usize| {
            is_any(self.annotated.word(at), &["even"])
                && (is_any(self.annotated.after(at), &["more", "less"])
                    || self.annotated.penn(at + 1) == Some(Penn::Jjr))
        };
        let more = sentence.clone().any(goes_on) && !self.is_only_more(&tokens) && !self.is_plain_more(&tokens);
        let supposed = sentence.clone().any(|at| at < tokens.start && is_any(self.annotated.word(at), &["if"]))
            && !(start..tokens.start).any(|at| self.annotated.word(at) == ",");
        // `has it all`, `in addition to good soup`, `we love, love it`.
        let follows = |words: &[&str]| {
            sentence
                .clone()
                .any(|at| words.iter().enumerate().all(|(next, word)| is_any(self.annotated.word(at + next), &[*word])))
        };
        let twice = self.annotated.before(tokens.start) == ","
            && tokens.start > 1
            && is_any(self.annotated.word(tokens.start - 2), &[self.annotated.word(tokens.start)]);
        qualified
            || more
            || supposed
            || twice
            || follows(&["it", "all"])
            || follows(&["in", "addition", "to"])
            || sentence.into_iter().any(|at| {
                (is_any(self.annotated.word(at), CONTRASTING)
                    && !self.sets_against_nothing_here(at, start)
                    && !(at == start && self.is_answered_before(start, &tokens)))
                    || (is_any(self.annotated.word(at), &["not"])
                        && is_any(self.annotated.after(at), &["only", "just"]))
                    || self.annotated.word(at) == "?"
            })
    }

    /// `even better`, which can become `bad`.
    fn is_plain_more(&self, tokens: &Range<usize>) -> bool {
        is_any(self.annotated.before(tokens.start), &["even"])
            && is_any(self.annotated.word(tokens.start), &["better", "worse"])
            && !self.others.is_empty()
    }

    /// `even better` where nothing else is judged: `even worse` goes with what came before as well.
    fn is_only_more(&self, tokens: &Range<usize>) -> bool {
        is_any(self.annotated.before(tokens.start), &["even"])
            && self.annotated.penn(tokens.end - 1) == Some(Penn::Jjr)
            && self.others.is_empty()
            && self.sample.layer(layer::OPINION).count() == 1
    }

    /// `While it was noisy, the drinks were great, and the food was superb`: the drinks answer the noise already.
    fn is_answered_before(&self, start: usize, tokens: &Range<usize>) -> bool {
        let Some(comma) = (start..tokens.start).find(|at| self.annotated.word(*at) == ",") else { return false };
        let from = self.annotated.analysis().tokens()[comma].span.end;
        let to = self.annotated.analysis().tokens()[tokens.start].span.start;
        let and = (comma..tokens.start).rev().find(|at| is_any(self.annotated.word(*at), &["and"]));
        let joint = and.map_or(from, |at| self.annotated.analysis().tokens()[at].span.start).min(to);
        self.others.iter().any(|other| other.start >= from && other.end <= joint)
    }

    /// `However, the soup was cold` answers what came before; `while at a festival` says when.
    fn sets_against_nothing_here(&self, at: usize, start: usize) -> bool {
        let opens = is_any(self.annotated.word(at), &["however"]) && at == start && self.annotated.after(at) == ",";
        let timed = is_any(self.annotated.word(at), &["while"])
            && at > start
            && matches!(self.annotated.penn(at + 1), Some(Penn::In | Penn::Vbg));
        let meanwhile = is_any(self.annotated.word(at), &["while"]) && is_any(self.annotated.before(at), &["the"]);
        opens || timed || meanwhile
    }

    /// Whether the word right before an aspect judges it the same way and is not marked as doing so: `Nice ambiance`, where the
    /// file marks another `nice`.
    pub(super) fn is_judged_unmarked(&self, aspect: &Aspect, says: Polarity) -> bool {
        let name = self.sample.marks[aspect.mark].span;
        let tokens = self.annotated.analysis().tokens();
        let Some(before) =
            tokens.iter().position(|token| token.span.start == name.start).and_then(|at| at.checked_sub(1))
        else {
            return false;
        };
        let span = Span::from(tokens[before].span.clone());
        let marked = aspect.opinions.iter().any(|opinion| self.sample.marks[*opinion].span.overlaps(span));
        !marked && self.kind(before) == Some(Kind::Adjective) && self.own(before) == Some(says)
    }

    /// Whether words behind an opinion that nobody marked judge the same way: `great, a treat from beginning to end`.
    pub(super) fn is_said_again(&self, tokens: &Range<usize>, says: Polarity) -> bool {
        let Some(sentence) = self.annotated.analysis().sentence_of(tokens.start) else { return false };
        let span = |at: usize| Span::from(self.annotated.analysis().tokens()[at].span.clone());
        let marked = |at: usize| {
            self.sample
                .marks
                .iter()
                .any(|mark| mark.field == 0 && mark.layer != layer::TOKEN && mark.span.overlaps(span(at)))
        };
        // Up to what is said of something else.
        let starts = |at: usize| {
            matches!(self.annotated.penn(at), Some(Penn::Dt | Penn::Prp | Penn::PrpPoss | Penn::Ex | Penn::Nnp))
        };
        let goes_on = |at: &usize| {
            let anew = is_any(self.annotated.word(*at), &["and"]) && starts(at + 1)
                || self.annotated.penn(*at) == Some(Penn::Prp);
            !marked(*at)
                && !anew
                && !is_any(self.annotated.word(*at), &["but", ";", "-", "--", "(", "...", "that", "because"])
        };
        let judges = |at: usize| {
            self.annotated.kind(at).is_some()
                && !is_any(self.annotated.word(at), &["like", "well", "just", "really", "quality"])
                && (polarity::of(&self.annotated.lemma(at)) == Some(says) || self.own(at) == Some(says))
        };
        (tokens.end..sentence.end).take_while(goes_on).any(judges)
    }
}
