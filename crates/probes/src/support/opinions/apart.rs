//! A judgement turned in a review that says more than what there was: mildly, and only where it is a clause of its own on which
//! nothing else hangs. `The food is great and the staff is friendly, I'll be back` bears `the staff is not that friendly`; it
//! would not bear `the food is terrible`.

use std::ops::Range;

use fissure_core::{Edit, Span, layer};
use fissure_text::inflection::Kind;
use fissure_text::polarity::{self, Polarity};
use fissure_text::{Penn, casing};

use super::stance::WHOLE;
use super::turn::Turns;
use super::{Aspect, disjoint, places};
use crate::clauses::is_any;

/// Words that hang one thing that a review says on another, or say it of several at once.
const LINKS: &[&str] = &[
    "because",
    "since",
    "if",
    "than",
    "thus",
    "hence",
    "therefore",
    "which",
    "whose",
    "all",
    "every",
    "everything",
    "everyone",
    "everybody",
    "anything",
    "nothing",
    "both",
    "overall",
    "altogether",
    "total",
    "reason",
    "reasons",
    "why",
    "also",
    "plus",
    "besides",
    "addition",
    "along",
    "together",
    "combined",
    "combination",
    "even",
    "only",
    "either",
    "neither",
    "nor",
    "make",
    "makes",
    "made",
    "making",
    "although",
    "though",
    "tho",
    "however",
    "while",
    "yet",
    "unless",
    "until",
    "except",
    "without",
    "equally",
    "same",
    "similar",
    "match",
    "matched",
    "matches",
    "complement",
    "complemented",
    "add",
    "adds",
    "added",
    "such",
    "especially",
    "particularly",
    "mention",
    "surprise",
    "complaint",
    "complaints",
    "complain",
    "still",
    "keep",
    "keeps",
    "go",
    "recommend",
    "recommended",
    "whether",
    "anyone",
    "want",
    "wants",
    "top",
    "fact",
    "another",
    "other",
    "others",
    "else",
    "more",
    "thanks",
];
/// Pronouns that may stand for what is turned.
const STANDING: &[&str] = &[
    "it", "its", "they", "them", "their", "this", "that", "these", "those", "he", "she", "him", "her", "his", "who",
    "what",
];
/// Signs and words at which a judgement may end.
const BORDERS: &[&str] = &[",", ";", ":", "(", ")", "-", "--", "...", ".", "!", "and", "but", "&"];

/// The edits that turn what is said of `group`, where that is a clause of its own; nothing where something may hang on it.
pub(crate) fn turn_apart(turns: &Turns<'_>, aspects: &[Aspect], group: &[usize]) -> Option<Vec<Edit>> {
    let members: Vec<&Aspect> = group.iter().map(|at| &aspects[*at]).collect();
    let says = members.first()?.says?;
    if says != Polarity::Positive
        || !members.iter().all(|aspect| aspect.says == Some(says) && !aspect.opinions.is_empty())
        || members.iter().any(|aspect| turns.is_judged_unmarked(aspect, says))
    {
        return None;
    }
    let all = places(turns.sample, &members);
    let mut spans: Vec<Span> = members.iter().map(|aspect| turns.sample.marks[aspect.mark].span).collect();
    spans.extend(&all);
    if !turns.bears_a_turn(&spans) {
        return None;
    }
    let own = turns.stretch_around(&spans)?;
    let mut edits = Vec::new();
    for place in &all {
        edits.extend(turns.turn_mildly(*place, &own)?);
    }
    disjoint(edits)
}

impl Turns<'_> {
    /// Whether these spans are in a stretch of their own that says no more than their judgement, and nothing hangs on it.
    pub(super) fn bears_a_turn(&self, spans: &[Span]) -> bool {
        // What follows in brackets says what is meant: `Great food (the dumplings)`.
        let lists = |own: &Range<usize>| self.annotated.word(own.end) == "(";
        self.stretch_around(spans)
            .is_some_and(|own| !lists(&own) && self.is_alone(&own, spans) && self.nothing_hangs_on(&own))
    }

    /// Whether a judgement is one word of praise that `not so` can stand before.
    pub(super) fn is_plain_praise(&self, place: Span) -> bool {
        let Some(tokens) = self.tokens(place).filter(|tokens| tokens.len() == 1) else { return false };
        let at = tokens.start;
        let graded = matches!(self.annotated.penn(at), Some(Penn::Jjr | Penn::Jjs));
        let hedged = is_any(self.annotated.before(at), &["very", "so", "really", "too", "more", "most", "such"]);
        self.kind(at) == Some(Kind::Adjective)
            && self.own(at) == Some(Polarity::Positive)
            && !graded
            && !hedged
            && !self.is_in_name(place)
            && !self.is_quoted(&tokens)
            && self.denial(&tokens).is_none()
            && !self.is_weighed(at, at)
            && !self.is_said_again(&tokens, Polarity::Positive)
    }

    /// The tokens from the border before the first of these spans to the one behind the last.
    fn stretch_around(&self, spans: &[Span]) -> Option<Range<usize>> {
        let tokens: Vec<Range<usize>> = spans.iter().map(|span| self.tokens(*span)).collect::<Option<_>>()?;
        let first = tokens.iter().map(|tokens| tokens.start).min()?;
        let last = tokens.iter().map(|tokens| tokens.end).max()?;
        let sentence = self.annotated.analysis().sentence_of(first)?;
        let ends = |at: &usize| is_any(self.annotated.word(*at), BORDERS) && !self.is_marked(*at);
        let start = (sentence.start..first).rev().find(ends).map_or(sentence.start, |border| border + 1);
        let end = (last..sentence.end).find(ends).unwrap_or(sentence.end);
        (last <= sentence.end).then_some(start..end)
    }

    /// Whether a stretch has marks of nothing else, and says no more than its judgement.
    fn is_alone(&self, own: &Range<usize>, spans: &[Span]) -> bool {
        let tokens = self.annotated.analysis().tokens();
        own.clone().all(|at| {
            let span = Span::from(tokens[at].span.clone());
            if spans.iter().any(|mine| mine.overlaps(span)) {
                return true;
            }
            !self.is_marked(at) && self.only_states(at)
        })
    }

    /// Whether nothing outside of a stretch refers to it, draws a conclusion from it, or judges without a mark.
    fn nothing_hangs_on(&self, own: &Range<usize>) -> bool {
        let outside = |at: &usize| !own.contains(at);
        let links = |at: usize| {
            let word = self.word(at);
            LINKS.contains(&&*word)
                || (word == "so" && !matches!(self.annotated.penn(at + 1), Some(Penn::Jj | Penn::Rb)))
                || (word == "well" && is_any(self.annotated.before(at), &["as"]))
                || (word == "too" && !matches!(self.annotated.penn(at + 1), Some(Penn::Jj | Penn::Rb)))
                || word == "?"
        };
        let all = 0..self.annotated.len();
        if all.clone().any(links) {
            return false;
        }
        // In what names nothing that is marked, pronouns may stand for what is turned, and words that judge may judge it.
        let mut from = 0;
        while from < all.end {
            let to = (from..all.end).find(|at| is_any(self.annotated.word(*at), BORDERS)).unwrap_or(all.end);
            let part = from..to;
            from = to + 1;
            if part.clone().any(|at| self.is_marked(at)) {
                let judged = part.clone().filter(outside).any(|at| !self.is_marked(at) && self.judges_the_whole(at));
                if judged {
                    return false;
                }
                continue;
            }
            let free = |at: usize| {
                let word = self.word(at);
                !STANDING.contains(&&*word) && !self.is_unmarked_judgement(at) && !self.judges_the_whole(at)
            };
            if !part.clone().filter(outside).all(free) {
                return false;
            }
        }
        true
    }

    /// An adjective or noun that judges and that nobody marked, unless it is said of another thing.
    fn is_unmarked_judgement(&self, at: usize) -> bool {
        let judges = polarity::of(&self.annotated.lemma(at)).is_some()
            || self.own(at).is_some()
            || polarity::is_charged(&self.word(at));
        judges
            && matches!(
                self.annotated.penn(at),
                Some(Penn::Jj | Penn::Jjr | Penn::Jjs | Penn::Nn | Penn::Nns | Penn::Vbn | Penn::Rb | Penn::Vbg)
            )
    }

    /// `great place`: a judgement of the whole visit.
    fn judges_the_whole(&self, at: usize) -> bool {
        WHOLE.contains(&&*self.annotated.lemma(at))
            && at > 0
            && (self.own(at - 1).is_some() || polarity::of(&self.annotated.lemma(at - 1)).is_some())
    }

    /// `was friendly` to `was not that friendly`, `loved` to `didn't love`, and of a judgement without a verb `good service` to
    /// `not so good service`.
    fn turn_mildly(&self, place: Span, own: &Range<usize>) -> Option<Vec<Edit>> {
        let says = Polarity::Positive;
        if self.is_in_name(place) || self.is_set_against(place) {
            return None;
        }
        let tokens = self.tokens(place)?;
        let head = tokens.end - 1;
        if self.is_said_again(&tokens, says) || self.denial(&tokens).is_some() || self.is_weighed(tokens.start, head) {
            return None;
        }
        if self.kind(head)? == Kind::Verb {
            return self.denied(&tokens, says);
        }
        if self.kind(head)? != Kind::Adjective || tokens.len() > 2 || self.own(head) != Some(says) {
            return None;
        }
        if matches!(self.annotated.penn(head), Some(Penn::Jjr | Penn::Jjs)) || self.is_quoted(&tokens) {
            return None;
        }
        let mut first = tokens.start;
        let degree = |at: usize| is_any(self.annotated.word(at), &["very", "so", "really", "all", "particularly"]);
        while first > own.start && degree(first - 1) {
            first -= 1;
        }
        if tokens.start < head && !(tokens.start..head).all(degree) {
            return None;
        }
        let graded = first < head;
        let joined = is_any(self.annotated.word(tokens.end), &["and", "or", ",", "&"])
            && matches!(self.annotated.penn(tokens.end + 1), Some(Penn::Jj | Penn::Vbn | Penn::Rb));
        let words = self.annotated.analysis().tokens();
        let at = words[first].span.start;
        if joined {
            return None;
        }
        let before = first.checked_sub(1).map_or("", |before| self.annotated.word(before));
        if is_any(before, &["is", "was", "are", "were", "'s", "\u{2019}s"]) && first > own.start {
            let not = if graded || is_extreme_praise(&self.word(head)) { "not " } else { "not that " };
            return Some(vec![Edit::insert(at, not)]);
        }
        // `Great food, good service`, `they have great food and a good bar`: before the noun, behind a joint, an article that counts or
        // a verb that only says that the thing is there.
        let opens = first == own.start && !graded;
        let counted =
            !graded && is_any(before, &["a", "an", "have", "has", "had", "with", "offer", "offers", "serves", "serve"]);
        let attributive =
            matches!(self.annotated.penn(head + 1), Some(Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj));
        if !(attributive && (opens || counted)) {
            return None;
        }
        if is_any(before, &["a", "an"]) {
            let mut edits = vec![Edit::insert(at, "not so ")];
            edits.extend(self.article(first, "not"));
            return Some(edits);
        }
        let word = self.annotated.word(head);
        let span = Span::from(words[head].span.clone());
        Some(vec![match casing::Case::of(word) {
            casing::Case::Title => Edit::replace(span, format!("Not so {}", word.to_lowercase())),
            _ => Edit::insert(at, casing::follow(word, "not so ").into_owned()),
        }])
    }

    pub(super) fn is_marked(&self, at: usize) -> bool {
        let span = Span::from(self.annotated.analysis().tokens()[at].span.clone());
        let marks = self.sample.marks.iter();
        marks.filter(|mark| mark.field == 0 && mark.layer != layer::TOKEN).any(|mark| mark.span.overlaps(span))
    }
}

/// Words that `not` alone makes faint: `not amazing`.
fn is_extreme_praise(word: &str) -> bool {
    is_any(
        word,
        &[
            "amazing",
            "excellent",
            "outstanding",
            "fantastic",
            "superb",
            "perfect",
            "awesome",
            "exceptional",
            "incredible",
        ],
    )
}
