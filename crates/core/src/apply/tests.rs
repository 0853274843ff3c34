//! The rules of the table above, one by one, by hand.

use proptest::prelude::*;

use super::*;
use crate::Link;

/// `[` and `]` show where the mark stands.
fn marked(shown: &str, anchor: Anchor) -> Sample {
    let (before, rest) = shown.split_once('[').unwrap();
    let (words, after) = rest.split_once(']').unwrap();
    let mut sample = Sample::of_text("s", format!("{before}{words}{after}"));
    sample.marks.push(Mark::new("it", 0, Span::new(before.len(), before.len() + words.len()), "", anchor));
    sample
}

fn shown(applied: &Applied) -> String {
    let text = applied.sample.fields[0].text.as_str();
    match applied.sample.marks.first() {
        Some(mark) => {
            format!("{}[{}]{}", &text[..mark.span.start], mark.span.of(text), &text[mark.span.end..])
        }
        None => format!("{text} (dropped {})", applied.dropped),
    }
}

fn edited(before: &str, anchor: Anchor, edits: &[Edit]) -> String {
    shown(&apply(&marked(before, anchor), edits.to_vec()).unwrap())
}

#[test]
fn a_mark_moves_with_its_words() {
    use Edit as E;
    for anchor in [Anchor::Rigid, Anchor::Elastic] {
        let case = |edits: &[Edit]| edited("the [hot soup] is good", anchor, edits);
        assert_eq!(case(&[E::replace(0..3, "a")]), "a [hot soup] is good");
        assert_eq!(case(&[E::replace(13..15, "was")]), "the [hot soup] was good");
        assert_eq!(case(&[E::insert(4, "very ")]), "the very [hot soup] is good");
        assert_eq!(case(&[E::insert(12, "s")]), "the [hot soup]s is good");
        assert_eq!(case(&[E::insert(7, "test")]), "the [hottest soup] is good");
        assert_eq!(case(&[E::replace(4..7, "cold")]), "the [cold soup] is good");
        assert_eq!(case(&[E::replace(8..12, "tea")]), "the [hot tea] is good");
        assert_eq!(case(&[E::replace(4..12, "bread")]), "the [bread] is good");
        assert_eq!(case(&[E::delete(4..8)]), "the [soup] is good");
        assert_eq!(case(&[E::delete(4..12)]), "the  is good (dropped 1)");
        assert_eq!(case(&[E::delete(0..20)]), " (dropped 1)");
        assert_eq!(
            case(&[E::replace(0..3, "no"), E::insert(4, "so "), E::replace(4..7, "wet"), E::delete(12..15)]),
            "no so [wet soup] good"
        );
    }
}

#[test]
fn a_mark_that_holds_fast_refuses_what_would_cut_it() {
    let sample = marked("the [hot soup] is good", Anchor::Rigid);
    for edit in [Edit::replace(0..5, "x"), Edit::replace(9..14, "x"), Edit::replace(0..14, "x"), Edit::delete(9..14)] {
        let applied = apply(&sample, vec![edit, Edit::replace(16..20, "bad")]).unwrap();
        assert_eq!((applied.refused, applied.edits.len()), (1, 1));
        assert_eq!(shown(&applied), "the [hot soup] is bad");
    }
}

#[test]
fn a_mark_that_widens_takes_the_new_words_in() {
    let case = |edit| edited("the [hot soup] is good", Anchor::Elastic, &[edit]);
    assert_eq!(case(Edit::replace(0..5, "X")), "[Xot soup] is good");
    assert_eq!(case(Edit::replace(9..15, "X")), "the [hot sX] good");
    assert_eq!(case(Edit::replace(0..14, "X")), "[X]s good");
    assert_eq!(case(Edit::delete(9..14)), "the [hot s]s good");
}

#[test]
fn new_words_belong_to_the_first_mark_they_touch() {
    let mut sample = Sample::of_text("s", "do not go");
    for (span, tag) in [(0..2, "AUX"), (3..6, "PART"), (7..9, "VERB")] {
        sample.marks.push(Mark::new("token", 0, span.into(), tag, Anchor::Elastic));
    }
    sample.links = vec![
        Link { layer: "head", from: 0, to: 2, value: "aux".into() },
        Link { layer: "head", from: 1, to: 2, value: "advmod".into() },
    ];
    let applied = apply(&sample, vec![Edit::replace(0..6, "don't")]).unwrap();
    let tokens: Vec<_> = applied.sample.marks.iter().map(|m| (applied.sample.words_of(m), &*m.value)).collect();
    assert_eq!(tokens, [("don't", "AUX"), ("go", "VERB")]);
    assert_eq!(applied.sample.links, [Link { layer: "head", from: 0, to: 1, value: "aux".into() }]);
    assert_eq!(applied.dropped, 2);

    let applied = apply(&sample, vec![Edit::replace(1..5, "__")]).unwrap();
    let tokens: Vec<_> = applied.sample.marks.iter().map(|m| applied.sample.words_of(m)).collect();
    assert_eq!((applied.sample.fields[0].text.as_str(), tokens), ("d__t go", vec!["d__", "t", "go"]));
}

#[test]
fn unsound_edits_are_named() {
    let sample = Sample::of_text("s", "naïve");
    let refused = |edits: Vec<Edit>| apply(&sample, edits).unwrap_err();
    assert_eq!(refused(vec![Edit::replace(0..9, "")]), BadEdit::Outside { start: 0, end: 9, length: 6 });
    assert_eq!(refused(vec![Edit::insert(3, "")]), BadEdit::NotAChar { at: 3 });
    assert_eq!(refused(vec![Edit::delete(1..2).on(1)]), BadEdit::NoSuchField { field: 1, fields: 1 });
    assert_eq!(refused(vec![Edit::delete(0..2), Edit::delete(1..2)]), BadEdit::Overlap { start: 1, end: 2 });
    assert_eq!(refused(vec![Edit::delete(Span::new(2, 1))]), BadEdit::Outside { start: 2, end: 1, length: 6 });
}

proptest! {
    /// Every byte outside the edits stays, in order, and a mark that no edit touches covers the same words.
    #[test]
    fn what_no_edit_touches_stays((text, cuts) in scripts()) {
        let mut sample = Sample::of_text("s", text.as_str());
        for word in text.as_str().split_word_spans() {
            sample.marks.push(Mark::new("token", 0, word, word.of(&text), Anchor::Elastic));
        }
        let applied = apply(&sample, cuts.clone()).unwrap();
        let mut rest = applied.sample.fields[0].text.as_str();
        let mut done = 0;
        for edit in &cuts {
            for part in [&text[done..edit.span.start], &edit.with] {
                rest = rest.strip_prefix(part).unwrap();
            }
            done = edit.span.end;
        }
        prop_assert_eq!(rest, &text[done..]);
        for mark in &applied.sample.marks {
            let original = sample.marks.iter().find(|other| other.value == mark.value).unwrap();
            if cuts.iter().all(|edit| Overlap::of(edit.span, original.span) == Overlap::Outside) {
                prop_assert_eq!(applied.sample.words_of(mark), &mark.value);
            }
        }
    }
}

trait SplitWordSpans {
    fn split_word_spans(&self) -> Vec<Span>;
}

impl SplitWordSpans for str {
    fn split_word_spans(&self) -> Vec<Span> {
        crate::Words::new(self).map(|word| word.span).collect()
    }
}

/// A text of numbered words, and a sound list of edits of it.
pub(crate) fn scripts() -> impl Strategy<Value = (String, Vec<Edit>)> {
    (1..12usize, proptest::collection::vec((0..60usize, 0..8usize, "[xyé ]{0,4}"), 0..6)).prop_map(|(words, cuts)| {
        let text = (0..words).map(|n| format!("wörd{n}")).collect::<Vec<_>>().join(" ");
        let mut edits = Vec::new();
        let mut done = 0;
        for (gap, length, with) in cuts {
            let start = text.ceil_char_boundary((done + gap).min(text.len()));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            edits.push(Edit::replace(start..end, with));
            done = end;
        }
        (text, edits)
    })
}
