//! One thing taken out of a judgement of several: `The food and service were great` becomes `The food, but not the service, was
//! great`. What is judged stays as it was said, so that nothing else in the review can contradict it.

use fissure_core::{Change, Edit, Piece, Span};
use fissure_text::inflection::Kind;
use fissure_text::polarity::Polarity;
use fissure_text::{Penn, casing};

use super::lists::{judging, with_values};
use super::turn::Turns;
use super::{Aspect, places, sharing};
use crate::clauses::is_any;

/// What stands between the things of a list.
const GAPS: &[&str] =
    &[" and ", ", ", ", and ", " & ", " and the ", ", the ", ", and the ", " and their ", ", and their ", " and its "];
const DETERMINERS: &[&str] = &["the", "their", "its", "our", "my", "his", "her"];
/// Words between a judgement and the things that it judges.
const LEADS: &[&str] = &["", "with", "by", "with both", "about"];
/// Words that say something of several things at once.
const JOINING: &[&str] = &[
    "both",
    "all",
    "each",
    "either",
    "neither",
    "equally",
    "together",
    "combination",
    "combined",
    "everything",
    "everyone",
    "alike",
    "well",
    "too",
    "also",
    "or",
    "not",
    "n't",
    "one",
    "complement",
    "same",
];

/// The change that takes all but the target out of the judgement that it shares with others.
pub(crate) fn except(turns: &Turns<'_>, aspects: &[Aspect], target: usize) -> Option<Change> {
    let sample = turns.sample;
    let text = sample.fields[0].text.as_str();
    let span = |at: usize| sample.marks[aspects[at].mark].span;
    let mut members = sharing(sample, aspects, target);
    members.sort_by_key(|at| span(*at));
    let judged = places(sample, &[&aspects[target]]);
    let alike = |at: &usize| {
        aspects[*at].says == Some(Polarity::Positive)
            && places(sample, &[&aspects[*at]]) == judged
            && !judged.is_empty()
    };
    let apart = judged.windows(2).all(|pair| pair[0].end <= pair[1].start);
    if members.len() < 2 || !members.iter().all(alike) || !apart {
        return None;
    }
    let list = Span::new(span(members[0]).start, span(*members.last()?).end);
    let gaps: Vec<&str> =
        members.windows(2).map(|pair| text.get(span(pair[0]).end..span(pair[1]).start)).collect::<Option<_>>()?;
    let words = turns.tokens(list)?;
    let sentence = turns.annotated.analysis().sentence_of(words.start)?;
    let joined = sentence.clone().any(|at| is_any(turns.annotated.word(at), JOINING) && !turns.is_marked(at));
    if !gaps.iter().all(|gap| GAPS.contains(gap)) || joined || judged.iter().any(|place| turns.is_set_against(*place)) {
        return None;
    }
    if judged.iter().any(|place| turns.tokens(*place).is_none_or(|tokens| turns.denial(&tokens).is_some())) {
        return None;
    }
    // A judgement that is part of a name, or of which the name is a part, stays.
    if judged.iter().any(|place| turns.is_in_name(*place)) {
        return None;
    }
    let before = words.start.checked_sub(1).filter(|at| sentence.contains(at));
    let article = before.filter(|at| is_any(turns.annotated.word(*at), DETERMINERS));
    let inner = gaps.iter().filter_map(|gap| gap.trim_end().rsplit(' ').next()).find(|word| DETERMINERS.contains(word));
    if inner.is_some() && article.is_none() {
        return None;
    }
    let article = article.map(|at| turns.word(at));
    // `an attentive staff and food`: what stands before the first thing may belong to it alone.
    let bare = |at: usize| {
        matches!(turns.annotated.penn(at), Some(Penn::Dt | Penn::Jj | Penn::Cd | Penn::Nn | Penn::Nnp | Penn::Pos))
    };
    if article.is_none() && before.is_some_and(|at| bare(at) && !judged.iter().any(|place| turns.covers(*place, at))) {
        return None;
    }
    let start = words.start - usize::from(article.is_some());
    // `are my favorites`: one thing is no favorites.
    let several = |place: &Span| {
        turns
            .tokens(*place)
            .is_some_and(|tokens| tokens.into_iter().any(|at| turns.annotated.penn(at) == Some(Penn::Nns)))
    };
    if judged[0].start >= list.end && judged.iter().any(several) {
        return None;
    }
    let edit = if judged[0].start >= list.end {
        let verb = words.end;
        let opens = start == sentence.start
            || start.checked_sub(1).is_some_and(|at| {
                is_any(turns.annotated.word(at), &[",", ";", ":", "but", "-", "--", "that"])
                    && (sentence.start..at)
                        .any(|at| turns.annotated.penn(at).is_some_and(|penn| penn.as_str().starts_with("VB")))
            });
        if !opens || !sentence.contains(&turns.tokens(*judged.last()?)?.start) {
            return None;
        }
        let form = turns.verb_for(verb, span(target))?;
        let verb = Span::from(turns.annotated.analysis().tokens()[verb].span.clone());
        if judged[0].start < verb.end {
            return None;
        }
        let mut piece =
            listed(turns, aspects, &members, target, article.as_deref(), start == sentence.start)? + ", " + form;
        let mut at = verb.end;
        for place in &judged {
            piece = piece + Piece::cut(sample, 0, at..place.start) + kept(turns, aspects, target, *place);
            at = place.end;
        }
        Edit::put(list.start..at, piece)
    } else {
        let [place] = judged[..] else { return None };
        let lead = text.get(place.end..list.start)?.trim();
        let lead = article.as_deref().and_then(|article| lead.strip_suffix(article)).unwrap_or(lead).trim();
        let tokens = turns.tokens(place)?;
        let felt = turns.annotated.kind(tokens.end - 1) == Some(Kind::Verb)
            || (!lead.is_empty() && turns.kind(tokens.end - 1) == Some(Kind::Adjective));
        if !LEADS.contains(&lead) || !felt || place.end > list.start {
            return None;
        }
        let behind = turns.annotated.word(words.end);
        if is_any(behind, &["and", "that", "which", "who", "is", "was", "are", "were"]) || behind == "," {
            return None;
        }
        let comma =
            if behind.is_empty() || behind.starts_with(|sign: char| sign.is_ascii_punctuation()) { "" } else { "," };
        let piece = kept(turns, aspects, target, place)
            + Piece::cut(sample, 0, place.end..list.start)
            + listed(turns, aspects, &members, target, article.as_deref(), false)?
            + comma;
        Edit::put(place.start..list.end, piece)
    };
    let others: Vec<usize> = members.into_iter().filter(|at| *at != target).collect();
    with_values(sample, aspects, &others, Change::from(edit))
}

/// The words of a judgement with the mark of the target alone.
fn kept(turns: &Turns<'_>, aspects: &[Aspect], target: usize, place: Span) -> Piece {
    let sample = turns.sample;
    let here = aspects[target].opinions.iter().copied().filter(|opinion| sample.marks[*opinion].span == place);
    judging(sample, place.of(&sample.fields[0].text), &here.collect::<Vec<_>>())
}

/// `food, but not the service or the wine`; the others are judged by `not`.
fn listed(
    turns: &Turns<'_>,
    aspects: &[Aspect],
    members: &[usize],
    target: usize,
    article: Option<&str>,
    opens: bool,
) -> Option<Piece> {
    let sample = turns.sample;
    let thing = |at: usize| Piece::cut(sample, 0, sample.marks[aspects[at].mark].span);
    let mut first = thing(target);
    let opening = opens && article.is_none();
    if opening {
        first.text = casing::title(&first.text).into_owned();
    }
    let others: Vec<usize> = members.iter().copied().filter(|at| *at != target).collect();
    let opinions: Vec<usize> = others.iter().filter_map(|at| aspects[*at].opinions.first().copied()).collect();
    let mut piece = first + ", but " + judging(sample, "not", &opinions);
    for (number, at) in others.iter().enumerate() {
        let mut other = thing(*at);
        // The first word of the sentence has a capital because it was the first.
        if opening && *at == members[0] {
            let word = turns.tokens(sample.marks[aspects[*at].mark].span)?.start;
            let name = matches!(turns.annotated.penn(word), Some(Penn::Nnp | Penn::Nnps));
            let titled = casing::Case::of(turns.annotated.word(word)) == casing::Case::Title;
            if titled && !name {
                let mut letters = other.text.chars();
                let lowered: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
                // Marks count bytes; a letter that gets longer stays.
                if lowered.len() == other.text.len() {
                    other.text = lowered;
                }
            }
        }
        piece = piece + if number == 0 { " " } else { " or " };
        if let Some(article) = article {
            piece = piece + format!("{article} ");
        }
        piece = piece + other;
    }
    Some(piece)
}

impl Turns<'_> {
    /// Whether a span covers a token.
    fn covers(&self, place: Span, at: usize) -> bool {
        place.covers(self.annotated.analysis().tokens()[at].span.clone().into())
    }

    /// The verb behind a list in the form that goes with one thing of it; nothing for verbs whose form is not sure.
    fn verb_for(&self, at: usize, thing: Span) -> Option<String> {
        let head = self.tokens(thing)?.end - 1;
        let plural = matches!(self.annotated.penn(head), Some(Penn::Nns | Penn::Nnps));
        let word = self.annotated.word(at);
        let form = match (&*self.word(at), plural) {
            ("is" | "are", true) => "are",
            ("is" | "are", false) => "is",
            ("was" | "were", true) => "were",
            ("was" | "were", false) => "was",
            ("has" | "have", true) => "have",
            ("has" | "have", false) => "has",
            _ if matches!(self.annotated.penn(at), Some(Penn::Vbd | Penn::Md)) => word,
            _ => return None,
        };
        Some(casing::follow(word, form).into_owned())
    }
}
