//! Any edits whatever, sound or not, on a text with marks of both kinds.
#![no_main]

use fissure_core::{Edit, Anchor, Link, Mark, Sample, Span, apply};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (String, Vec<(u8, u8, bool)>, Vec<(u8, u8, u8, String)>)| {
    let (text, marks, edits) = input;
    let mut sample = Sample::of_text("s", text.as_str());
    for (at, (start, length, fast)) in marks.into_iter().enumerate() {
        let start = text.floor_char_boundary(usize::from(start).min(text.len()));
        let end = text.ceil_char_boundary((start + usize::from(length)).min(text.len()));
        let (layer, hold) = if fast { ("fast", Anchor::Rigid) } else { ("wide", Anchor::Elastic) };
        sample.marks.push(Mark::new(layer, 0, Span::new(start, end), at.to_string(), hold));
        sample.links.push(Link { layer: "next", from: at, to: at / 2, value: String::new() });
    }
    let edit = |(start, end, field, with): (u8, u8, u8, String)| {
        Edit::replace(usize::from(start)..usize::from(end), with).on(usize::from(field) / 250)
    };
    let Ok(applied) = apply(&sample, edits.into_iter().map(edit).collect::<Vec<_>>()) else { return };
    let new = applied.sample.fields[0].text.as_str();
    for mark in &applied.sample.marks {
        assert!(new.get(mark.span.range()).is_some(), "a mark lies outside the text");
    }
    for link in &applied.sample.links {
        assert!(link.from < applied.sample.marks.len() && link.to < applied.sample.marks.len());
    }
    assert_eq!(
        applied.sample.links.len() + applied.sample.marks.len() + applied.dropped,
        sample.links.len() + sample.marks.len()
    );
});
