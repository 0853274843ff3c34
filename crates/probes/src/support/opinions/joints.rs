//! `and` between judgements that agree, and `but` between those that do not.

use fissure_core::{Edit, Sample, Span};
use fissure_text::polarity::Polarity;

use super::Aspect;
use crate::clauses::is_any;
use crate::support::annotated::Annotated;

/// Edits of `and` and `but` between opinions of which one is turned and the other is not.
pub(super) fn set_right(annotated: &Annotated, sample: &Sample, aspects: &[Aspect], turned: &[usize]) -> Vec<Edit> {
    let mut opinions: Vec<(Span, Option<Polarity>, bool)> = Vec::new();
    for (at, aspect) in aspects.iter().enumerate() {
        let places = aspect.opinions.iter().map(|opinion| sample.marks[*opinion].span);
        opinions.extend(places.map(|span| (span, aspect.says, turned.contains(&at))));
    }
    opinions.sort_by_key(|(span, ..)| *span);
    let tokens = annotated.analysis().tokens();
    let is_joint = |at: &usize| is_any(annotated.word(*at), &["and", "but"]) && !is_bound(annotated, *at);
    (0..tokens.len())
        .filter(is_joint)
        .filter_map(|at| {
            let sentence = annotated.analysis().sentence_of(at)?;
            let here = Span::from(tokens[at].span.clone());
            let near = |between: Span| {
                // Another joint in between binds closer, unless it is part of a name (`macaroni and cheese`).
                let named = |span: Span| sample.marks.iter().any(|mark| mark.field == 0 && mark.span.covers(span));
                let inner = tokens.iter().filter(|token| between.covers(token.span.clone().into()));
                let joins = |text: &str| is_any(text, &["and", "but", ";", "(", ")"]);
                !inner
                    .filter(|token| joins(token.text(annotated.analysis().text())))
                    .any(|token| !named(token.span.clone().into()))
            };
            let bytes = Span::from(annotated.analysis().bytes(sentence));
            let left = opinions.iter().rev().find(|(span, ..)| span.end <= here.start && bytes.covers(*span));
            let left = left.filter(|(span, ..)| near(Span::new(span.end, here.start)));
            let right = opinions.iter().find(|(span, ..)| span.start >= here.end && bytes.covers(*span));
            let right = right.filter(|(span, ..)| near(Span::new(here.end, span.start)));
            let is_but = is_any(annotated.word(at), &["but"]);
            // `soup and sandwich` may be the name of an aspect.
            if sample.marks.iter().any(|mark| mark.field == 0 && mark.span.overlaps(here)) {
                return None;
            }
            let new = match (left, right) {
                (Some(left), Some(right)) if left.2 != right.2 && left.1.is_some() && right.1.is_some() => {
                    match (left.1 == right.1, is_but) {
                        (true, false) => "but",
                        (false, true) => "and",
                        _ => return None,
                    }
                }
                // What is set against a judgement agrees with its opposite.
                (Some((_, Some(_), true)), None) | (None, Some((_, Some(_), true))) if is_but => "and",
                _ => return None,
            };
            Some(Edit::replace(here, fissure_text::casing::follow(annotated.word(at), new).into_owned()))
        })
        .collect()
}

/// Whether a joint belongs to a phrase that has no other: `both ... and`, `nothing but`, `but also`.
fn is_bound(annotated: &Annotated, at: usize) -> bool {
    is_any(annotated.after(at), &["also", "not", "rather", "then"])
        || is_any(
            annotated.before(at),
            &["nothing", "anything", "all", "none", "try", "go", "come", "last", "can", "cannot", "not"],
        )
        || (at.saturating_sub(6)..at).any(|place| is_any(annotated.word(place), &["both", "between"]))
}
