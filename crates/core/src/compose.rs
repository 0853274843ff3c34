//! Two lists of edits, one after the other, as one list against the original text.

use crate::{Edit, Span};

/// The edits that lead from the original text straight to where `first` and then `second` lead: `first` edits
/// `original`, `second` edits what came of that. Both are of one field, sound and in order; so is the result. Edits
/// that touch are joined.
pub fn compose(original: &str, first: &[Edit], second: &[Edit]) -> Vec<Edit> {
    let mut joined: Vec<Edit> = Vec::with_capacity(first.len() + second.len());
    let mut first = Placed::all(first).into_iter().peekable();
    let mut second = second.iter().peekable();
    // How far the original lies behind the middle text, after all edits of `first` that are done with.
    let mut shift = 0isize;

    while first.peek().is_some() || second.peek().is_some() {
        // The next stretch of the middle text that either list touches, widened until nothing touches it any more.
        let start = match (first.peek(), second.peek()) {
            (Some(a), Some(b)) => a.middle.start.min(b.span.start),
            (Some(a), None) => a.middle.start,
            (None, Some(b)) => b.span.start,
            (None, None) => break,
        };
        let mut stretch = Span::new(start, start);
        let mut old = Vec::new();
        let mut new = Vec::new();
        loop {
            if let Some(a) = first.next_if(|a| a.middle.start <= stretch.end) {
                stretch.end = stretch.end.max(a.middle.end);
                old.push(a);
            } else if let Some(b) = second.next_if(|b| b.span.start <= stretch.end) {
                stretch.end = stretch.end.max(b.span.end);
                new.push(b);
            } else {
                break;
            }
        }
        let from = stretch.start.wrapping_add_signed(-shift);
        for a in &old {
            shift += a.middle.len() as isize - a.edit.span.len() as isize;
        }
        let to = stretch.end.wrapping_add_signed(-shift);
        joined.push(Edit::replace(from..to, rewritten(original, Span::new(from, to), &old, &new, stretch)));
    }
    joined
}

/// The edits that lead back: carried out on the new text, they give the original.
pub fn invert(original: &str, edits: &[Edit]) -> Vec<Edit> {
    Placed::all(edits)
        .into_iter()
        .map(|Placed { edit, middle }| Edit::replace(middle, edit.span.of(original)).on(edit.field))
        .collect()
}

/// An edit, and where its new words lie in the new text.
struct Placed<'a> {
    edit: &'a Edit,
    middle: Span,
}

impl<'a> Placed<'a> {
    fn all(edits: &'a [Edit]) -> Vec<Self> {
        let mut shift = 0isize;
        edits
            .iter()
            .map(|edit| {
                let start = edit.span.start.wrapping_add_signed(shift);
                shift += edit.with.len() as isize - edit.span.len() as isize;
                Self { edit, middle: Span::new(start, start + edit.with.len()) }
            })
            .collect()
    }
}

/// The stretch of the original after the edits of both lists that fall into it.
fn rewritten(original: &str, from: Span, old: &[Placed<'_>], new: &[&Edit], stretch: Span) -> String {
    let local = |edits: &mut dyn Iterator<Item = (Span, &str)>, by: usize| -> Vec<Edit> {
        edits.map(|(span, with)| Edit::replace(span.start - by..span.end - by, with)).collect()
    };
    let first = local(&mut old.iter().map(|a| (a.edit.span, &*a.edit.with)), from.start);
    let middle = crate::splice(from.of(original), &first);
    let second = local(&mut new.iter().map(|b| (b.span, &*b.with)), stretch.start);
    crate::splice(&middle, &second)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::apply::tests::scripts;
    use crate::{check, splice};

    #[test]
    fn far_edits_stay_apart_and_touching_ones_join() {
        let first = [Edit::replace(0..3, "one")];
        let second = [Edit::replace(4..7, "TWO")];
        assert_eq!(compose("uno dos", &first, &second), [Edit::replace(0..3, "one"), Edit::replace(4..7, "TWO")]);
        let again = [Edit::replace(1..2, "X")];
        assert_eq!(compose("uno dos", &first, &again), [Edit::replace(0..3, "oXe")]);
    }

    proptest! {
        #[test]
        fn composed_edits_lead_to_the_same_text((text, first) in scripts(), (_, second) in scripts()) {
            let middle = splice(&text, &first);
            // The second script was made for another text: keep the edits that are sound here.
            let mut done = 0;
            let second: Vec<Edit> = second.into_iter().filter(|edit| {
                let sound = edit.span.start >= done && check(&middle, std::slice::from_ref(edit)).is_ok();
                if sound { done = edit.span.end; }
                sound
            }).collect();
            let joined = compose(&text, &first, &second);
            prop_assert!(check(&text, &joined).is_ok());
            prop_assert_eq!(splice(&text, &joined), splice(&middle, &second));
        }

        #[test]
        fn inverted_edits_lead_back((text, edits) in scripts()) {
            let new = splice(&text, &edits);
            let back = invert(&text, &edits);
            prop_assert!(check(&new, &back).is_ok());
            prop_assert_eq!(splice(&new, &back), text);
        }
    }
}
