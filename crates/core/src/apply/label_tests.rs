//! Changes that bring, move, copy and set labels, by hand.

use proptest::prelude::*;

use super::*;
use crate::{End, Label, Piece, example, layer};

fn read(notation: &str) -> Sample {
    example::read(notation).unwrap()
}

fn changed(before: &str, change: impl FnOnce(&Sample) -> Change) -> String {
    let sample = read(before);
    let applied = apply(&sample, change(&sample)).unwrap();
    assert_eq!((applied.refused, applied.dropped), (0, 0));
    example::write(&applied.sample)
}

fn mark(layer: &str, span: std::ops::Range<usize>, value: &str) -> Mark {
    let (layer, hold) = layer::find(layer).unwrap();
    Mark::new(layer, 0, span.into(), value, hold)
}

#[test]
fn an_insertion_brings_an_aspect_with_its_opinion() {
    let after = changed("Great [salad|aspect:positive].", |_| {
        let piece = Piece::words(", but the service was slow")
            .mark(mark("aspect", 10..17, "negative"))
            .mark(mark("opinion", 22..26, ""))
            .link(layer::OPINION, End::Brought(0), End::Brought(1), "");
        Edit::put(11..11, piece).into()
    });
    assert_eq!(
        after,
        "Great [salad|aspect:positive], but the [service|aspect:negative >opinion=1] was [slow|opinion #1]."
    );
}

#[test]
fn a_subtree_hangs_on_an_old_token() {
    let before = "[for|token:ADP >head=1:case] [London|token:PROPN #1 >root=1:root] [.|token:PUNCT >head=1:punct]";
    let after = changed(before, |_| {
        let piece = Piece::words(" , a city").mark(mark("token", 1..2, "PUNCT")).mark(mark("token", 3..4, "DET"));
        let piece = piece.mark(mark("token", 5..9, "NOUN"));
        let piece = piece.link(layer::HEAD, End::Brought(0), End::Brought(2), "punct");
        let piece = piece.link(layer::HEAD, End::Brought(1), End::Brought(2), "det");
        Edit::put(10..10, piece.link(layer::HEAD, End::Brought(2), End::Kept(1), "appos")).into()
    });
    assert_eq!(
        after,
        "[for|token:ADP >head=1:case] [London|token:PROPN #1 >root=1:root] [,|token:PUNCT >head=2:punct] \
         [a|token:DET >head=2:det] [city|token:NOUN #2 >head=1:appos] [.|token:PUNCT >head=1:punct]"
    );
}

#[test]
fn a_sentence_moves_with_its_answers() {
    let after = changed("(question):: Where? // context:: One. In [Graz|answers]. Two.", |sample| {
        let piece = Piece::cut(sample, 1, 5..14);
        assert_eq!(piece.text, "In Graz. ");
        vec![Edit::put(0..0, piece).on(1), Edit::delete(5..14).on(1)].into()
    });
    assert_eq!(after, "(question):: Where? // context:: In [Graz|answers]. One. Two.");
}

/// Tokens swap their places, and their heads go with them.
#[test]
fn two_tokens_swap_in_one_edit() {
    let before = "[a|token:DET >head=1:det] [b|token:NOUN #1]";
    let after = changed(before, |sample| {
        let swapped = Piece::cut(sample, 0, 2..3) + " " + Piece::cut(sample, 0, 0..1);
        Edit::put(0..3, swapped).into()
    });
    assert_eq!(after, "[b|token:NOUN #1] [a|token:DET >head=1:det]");
}

#[test]
fn words_repeat_with_copies_of_their_labels() {
    let after = changed("[Tasty|opinion #1] [pies|aspect:positive >opinion=1]", |sample| {
        Edit::put(10..10, Piece::words(" ") + Piece::copy(sample, 0, 0..10)).into()
    });
    let pie = |n: usize| format!("[Tasty|opinion #{n}] [pies|aspect:positive >opinion={n}]");
    assert_eq!(after, format!("{} {}", pie(1), pie(2)));
}

#[test]
fn a_donor_is_named() {
    let donor = Sample { id: "d7".into(), ..read("[Graz|token:B-LOC] [grows|token:O]") };
    let edit = Edit::put(4..4, Piece::words(" ") + Piece::of_donor(&donor, 0, 0..10));
    assert_eq!(edit.labels.as_ref().unwrap().donors, ["d7".into()]);
    assert_eq!(changed("[Rain|token:O]", |_| edit.into()), "[Rain|token:O] [Graz|token:B-LOC] [grows|token:O]");
}

#[test]
fn classes_and_values_are_set_and_marks_taken_off() {
    let before = "premise:: A man. // hypothesis:: A [man|aspect:positive] [sits|opinion]. // label:: entailment";
    let after = changed(before, |_| {
        let change: Change = Edit::replace(6..10, "stands").on(1).into();
        change.with_label(Label::from("contradiction")).with_value(0, "negative").without_mark(1)
    });
    assert_eq!(after, "premise:: A man. // hypothesis:: A [man|aspect:negative] stands. // label:: contradiction");
}

/// One token becomes two with tags of their own: the old token does not lie over them.
#[test]
fn brought_tokens_replace_the_old_one() {
    let after = changed("in [NYC|token:S-LOC] now", |_| {
        let piece = Piece::words("New York").mark(mark("token", 0..3, "B-LOC")).mark(mark("token", 4..8, "E-LOC"));
        // The old token is gone, and counted; here it is replaced on purpose.
        Change::from(Edit::put(3..6, piece)).without_mark(0)
    });
    assert_eq!(after, "in [New|token:B-LOC] [York|token:E-LOC] now");
}

/// Answers come in the order of the file, not of place: a new one is the last.
#[test]
fn a_layer_keeps_its_own_order() {
    let mut sample = read("[one|answers] [two|answers] three");
    sample.marks.swap(0, 1);
    let applied = apply(&sample, Edit::put(0..0, Piece::words("nil ").mark(mark("answers", 0..3, "")))).unwrap();
    let words: Vec<&str> = applied.sample.marks.iter().map(|mark| applied.sample.words_of(mark)).collect();
    assert_eq!(words, ["two", "one", "nil"]);
    assert_eq!(applied.index, [Some(0), Some(1)]);
}

#[test]
fn a_change_that_sets_labels_is_whole_or_nothing() {
    let sample = read("the [hot soup|aspect:positive] is good // label:: 1");
    let cuts = vec![Edit::replace(9..14, "x"), Edit::replace(16..20, "bad")];
    let change = Change::from(cuts).with_label(Label(0.into())).with_value(0, "negative");
    let applied = apply(&sample, change).unwrap();
    assert_eq!((applied.refused, applied.edits.len()), (2, 0));
    assert_eq!(applied.sample, sample);
}

#[test]
fn unsound_labels_are_named() {
    let sample = read("[a|token] [b|token]");
    let refused = |change: Change| apply(&sample, change).unwrap_err();
    let with = |mark: Mark| Edit::put(0..0, Piece::words("né").mark(mark)).into();
    assert_eq!(refused(with(mark("token", 0..4, ""))), BadEdit::LabelOutside { start: 0, end: 4, length: 3 });
    assert_eq!(refused(with(mark("token", 0..2, ""))), BadEdit::NotAChar { at: 2 });
    let cut = || Piece::cut(&sample, 0, 0..1);
    assert_eq!(refused(Edit::put(3..3, cut()).into()), BadEdit::NotTakenOut { mark: 0 });
    let twice = vec![Edit::delete(0..1), Edit::put(3..3, cut() + cut())];
    assert_eq!(refused(twice.into()), BadEdit::MovedTwice { mark: 0 });
    assert_eq!(refused(Change::default().with_value(2, "x")), BadEdit::NoSuchMark { mark: 2, marks: 2 });
    let dangling = Piece::words("x").link(layer::HEAD, End::Brought(0), End::Kept(0), "");
    assert_eq!(refused(Edit::put(0..0, dangling).into()), BadEdit::NoSuchMark { mark: 0, marks: 0 });
}

proptest! {
    /// Whatever the order in which the words of a text are put, each token keeps its word, its value and its head.
    #[test]
    fn moved_marks_keep_words_values_and_links(order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle()) {
        let before: Vec<String> =
            (0..6).map(|n| format!("[w{n}|token:T{n} #{} >head={}:r{n}]", n + 1, (n + 1) % 6 + 1)).collect();
        let sample = read(&before.join(" "));
        let pieces = order.iter().map(|n| Piece::cut(&sample, 0, sample.marks[*n].span));
        let joined = pieces.reduce(|all, next| all + " " + next).unwrap();
        let applied = apply(&sample, Edit::put(0..sample.fields[0].text.len(), joined)).unwrap();
        let new = &applied.sample;
        prop_assert_eq!((new.marks.len(), new.links.len(), applied.dropped), (6, 6, 0));
        for (at, mark) in new.marks.iter().enumerate() {
            prop_assert_eq!(new.words_of(mark), format!("w{}", order[at]));
            prop_assert_eq!(&mark.value, &format!("T{}", order[at]));
        }
        for link in &new.links {
            prop_assert_eq!(&link.value, &format!("r{}", order[link.from]));
            prop_assert_eq!(order[link.to], (order[link.from] + 1) % 6);
        }
    }
}
