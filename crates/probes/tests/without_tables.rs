//! A build without the tables under CC BY-SA 4.0: `cargo test -p fissure-probes --no-default-features --test
//! without_tables`. What needs them says so; what is left never asks for one.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]
#![cfg(not(feature = "share-alike"))]

use fissure_core::{Chain, Resources, Sample};
use fissure_probes::{SLICES, TRANSFORMS, VALIDATORS};
use fissure_text::share_alike;

#[test]
fn what_needs_the_tables_says_so() {
    let said = TRANSFORMS.find("tense").map(|_| ()).unwrap_err().to_string();
    assert_eq!(said, format!("transform `tense` {}", share_alike::MISSING));
    assert!(SLICES.find("perplexity").map(|_| ()).unwrap_err().to_string().contains("`share-alike`"));
    assert!(VALIDATORS.find("fluency").map(|_| ()).unwrap_err().to_string().contains("CC BY-SA 4.0"));
    assert!(TRANSFORMS.entries().all(|entry| !TRANSFORMS.absent().contains(&entry.card.name)));
}

#[test]
fn what_is_left_asks_for_none() {
    let texts = [
        "Mary didn't go to Paris, and she was not happy about it. The 3 films were good!",
        "I have never seen a better actor than John Smith of IBM. It's a very old story.",
    ];
    share_alike::was_missed();
    let mut missing = Vec::new();
    for entry in TRANSFORMS.entries() {
        let name = entry.card.name;
        let examples = entry.card.examples.iter().map(|example| example.before);
        for text in texts.into_iter().chain(examples) {
            let chain = Chain::build(&TRANSFORMS, name, &[]).unwrap().with(Resources::toy());
            let _ = chain.run(&Sample::of_text("1", text), 0, 0);
        }
        if share_alike::was_missed() {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "need tables that are left out: {missing:?}");
}
