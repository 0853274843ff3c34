//! What every part does to nine plain sentences, kept so that a change of behaviour is seen in review.

use std::fmt::Write as _;

use fissure_core::{Outcome, example};
use fissure_probes::TRANSFORMS;

use crate::{chain, nasty, ways};

#[test]
fn every_transformation_is_as_it_was() {
    for entry in TRANSFORMS.entries() {
        let mut page = String::new();
        for settings in ways(entry) {
            let chain = chain(entry, &settings).unwrap();
            let set: Vec<String> = settings.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
            for seed in 0..if settings.is_empty() { 2 } else { 1 } {
                let _ = writeln!(page, "# seed {seed} {}", set.join(" "));
                for sample in nasty::plain_for(entry) {
                    let _ = match chain.run(&sample, seed, 0) {
                        Outcome::Changed(variant) => writeln!(page, "{}", example::write(&variant.sample)),
                        other => writeln!(page, "({other:?})"),
                    };
                }
            }
        }
        insta::assert_snapshot!(entry.card.name, page);
    }
}
