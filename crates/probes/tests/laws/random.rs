//! The laws of edits once more, on random texts.

use fissure_core::{Outcome, Sample};
use fissure_probes::TRANSFORMS;
use proptest::prelude::*;

use crate::{chain, edit_laws, nasty, ways};

/// Words that parts know, and anything else, in any order.
fn texts() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "can't",
        "do not",
        "I",
        "am",
        "an",
        "11",
        "percent",
        "May",
        "5",
        "pm",
        "you",
        "are",
        "twenty-five",
        "2nd",
        "1,200",
        "\u{2019}",
        "'",
        "-",
        ".",
        "\u{e9}",
        "e\u{301}",
        "\r\n",
        "definitely",
        "THE",
        "\u{1F469}\u{200D}\u{1F467}",
    ])
    .prop_map(str::to_owned);
    let piece = prop_oneof![3 => known, 1 => "\\PC{0,6}", 1 => "[ \t\r\n\u{200B}\u{301}]{1,2}"];
    prop::collection::vec((piece, prop::bool::weighted(0.8)), 0..12)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, space)| if space { piece + " " } else { piece }).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_transformation_is_sound_on_any_text(text in texts(), seed in 0..1000u64) {
        let sample = Sample::of_text("random", text.as_str());
        for entry in TRANSFORMS.entries() {
            for settings in ways(entry) {
                match chain(entry, &settings).unwrap().run(&sample, seed, 0) {
                    Outcome::Changed(variant) => {
                        let verdict = edit_laws::leads_there_and_back(&sample, &variant);
                        prop_assert!(verdict.is_ok(), "{}: {verdict:?}", entry.card.name);
                        prop_assert!(variant.sample.fields != sample.fields, "{}", entry.card.name);
                    }
                    Outcome::Unchanged => {}
                    Outcome::Skipped(_) if nasty::lacks(entry, &sample) => {}
                    Outcome::Skipped(skip) => prop_assert!(false, "{}: {skip}", entry.card.name),
                    Outcome::Filtered(_) => prop_assert!(false, "a chain filters nothing"),
                }
            }
        }
    }
}
