//! Whether the judgement of a whole text turns with its words.

use std::collections::HashMap;

use fissure_core::Edit;
use fissure_text::{TokenKind, sentiment};

use super::{claims, turning};
use crate::support::annotated::Annotated;

/// A judgement that was drawn, and the edits that turn it.
pub(super) struct Drawing {
    pub at: usize,
    pub tokens: Vec<usize>,
    pub edits: Vec<Edit>,
}

/// Whether the judgement turns: the scorer was sure of it before, the other way after, and nothing that stays keeps the old one.
/// What stays is a word that judges, a denial or condition that no turned word explains, and a clause that the scorer hears judge.
pub(super) fn turns(annotated: &Annotated, drawn: &[Drawing], clear: f64) -> bool {
    let swapped = |at: usize| drawn.iter().any(|drawing| drawing.tokens.contains(&at));
    if drawn.iter().all(|drawing| turning::is_comment(annotated, drawing.at))
        || (0..annotated.len()).any(|at| !swapped(at) && turning::judges_here(annotated, at))
        || claims::is_undecided(annotated, swapped)
    {
        return false;
    }
    let analysis = annotated.analysis();
    let news = changed(annotated, drawn);
    let new = |at: usize| news.get(&at).map(String::as_str);
    let before = sentiment::score(analysis, |_| None);
    let after = sentiment::score(analysis, new);
    let least = BEFORE.max(clear);
    if before.abs() < least || after.abs() < clear || (before > 0.0) == (after > 0.0) {
        return false;
    }
    // Long texts argue, and who disapproves gives reasons, which no list of words knows.
    let is_word = |token: &&fissure_text::Token| token.kind == TokenKind::Word;
    let against = before < 0.0;
    let longest = if against { MOST_WORDS_AGAINST } else { MOST_WORDS };
    if analysis.tokens().iter().filter(is_word).count() > longest {
        return false;
    }
    let side = before.signum();
    if (0..annotated.len()).any(|at| !swapped(at) && claims::side_of(annotated.word(at)) == Some(side)) {
        return false;
    }
    let rest = sentiment::score(analysis, |at| swapped(at).then_some("")) * side;
    let most = if against { MOST_LEFT_AGAINST } else { MOST_LEFT };
    let turned = |clause: std::ops::Range<usize>| {
        if clause.clone().any(swapped) {
            sentiment::score_of(analysis, clause, new) * side <= MOST_TURNED
        } else {
            sentiment::score_of(analysis, clause, |_| None) * side <= most
        }
    };
    rest <= MOST_REST && sentiment::clauses(analysis).into_iter().all(turned)
}

/// How sure the scorer must be of the text as it was; of less it is often wrong.
const BEFORE: f64 = 1.0;
/// How much a clause may speak for the old judgement: one without a turned word, of a text that approves or disapproves, and
/// one with a turned word, as it is then.
const MOST_LEFT: f64 = 1.7;
const MOST_LEFT_AGAINST: f64 = 1.0;
const MOST_TURNED: f64 = 0.7;
/// The same of the text without the words that turned.
const MOST_REST: f64 = 2.0;
/// How many words a text may have that approves, and one that disapproves.
const MOST_WORDS: usize = 24;
const MOST_WORDS_AGAINST: usize = 12;

/// The words that the edits put where tokens stand, by token.
fn changed(annotated: &Annotated, drawn: &[Drawing]) -> HashMap<usize, String> {
    let tokens = annotated.analysis().tokens();
    let mut news = HashMap::new();
    for edit in drawn.iter().flat_map(|drawing| &drawing.edits) {
        let (start, end) = (edit.span.start, edit.span.end);
        if start == end {
            // An insertion stands before the token there.
            if let Some(at) = tokens.iter().position(|token| token.span.start >= start) {
                news.insert(at, format!("{} {}", edit.with, annotated.word(at)));
            }
        } else if let Some(at) = tokens.iter().position(|token| token.span.end == end) {
            news.insert(at, edit.with.to_string());
        }
    }
    news
}
