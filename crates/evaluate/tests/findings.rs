//! Findings by hand: a model and data small enough to count on fingers.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use fissure_core::Sample;
use fissure_evaluate::{ChainConfig, Findings, RUN_FILE, RunConfig, findings};
use fissure_statistics::{Estimate, mcnemar, proportion};
use support::{LooksForGood, config, prepared, reviews, run};
use tempfile::TempDir;

fn found(config: RunConfig, samples: &[Sample]) -> Findings {
    let folder = TempDir::new().unwrap();
    run(&prepared(config, samples, LooksForGood::new()), samples, folder.path(), 2);
    findings(&folder.path().join(RUN_FILE)).unwrap()
}

#[test]
fn capitals_blind_the_model_that_looks_for_small_letters() {
    let found = found(config(), &reviews());
    // Right: so good, so bad, THE END. Wrong: good grief, the empty one. `not good` has no label.
    let [accuracy, (other, macro_f1)] = found.clean.as_slice() else { panic!("{:?}", found.clean) };
    assert_eq!(*accuracy, ("accuracy".to_owned(), proportion(3, 5).unwrap()));
    // F1 of `negative` is 4 / 6 (2 right, 1 missed, 1 too many), of `positive` 2 / 4.
    assert_eq!(other, "macro_f1");
    assert!((macro_f1.value - (4.0 / 6.0 + 2.0 / 4.0) / 2.0).abs() < 1e-12, "{macro_f1:?}");
    let classes: Vec<(&str, usize, f64)> =
        found.classes.iter().map(|(name, all, score)| (name.as_str(), *all, score.value)).collect();
    assert_eq!(classes, [("negative", 3, 2.0 / 3.0), ("positive", 2, 0.5)]);
    // All five are 0.9 sure, and three are right.
    let reliability = found.reliability.unwrap();
    assert!((reliability.ece.value - 0.3).abs() < 1e-6, "{reliability:?}");
    assert_eq!((reliability.bins.len(), reliability.bins[0].samples), (1, 5));

    let upper = &found.parts[0];
    assert_eq!(upper.name, "word_case (mode=upper)");
    assert_eq!((upper.counts.changed, upper.counts.unchanged, upper.counts.skipped), (4, 2, 0));
    let evidence = upper.evidence.as_ref().unwrap();
    // SO GOOD is broken, SO BAD stays right, GOOD GRIEF is fixed, NOT GOOD is turned and not scored.
    assert_eq!((evidence.samples, evidence.broken, evidence.fixed), (3, 1, 1));
    assert_eq!(evidence.before, proportion(2, 3));
    assert_eq!(evidence.after, proportion(2, 3));
    let drop = evidence.drop.unwrap();
    assert!(drop.value == 0.0 && drop.low < 0.0 && drop.high > 0.0, "{drop:?}");
    assert_eq!(evidence.p, Some(mcnemar(1, 1)));
    assert_eq!(evidence.changed_answers, proportion(3, 4).unwrap());
    let (before, after) = evidence.confidence.unwrap();
    assert!((before.value - 0.9).abs() < 1e-6 && (after.value - 0.9).abs() < 1e-6);

    // An irrelevant sentence turns nothing: there is no `good` in it.
    let irrelevant = found.parts[1].evidence.as_ref().unwrap();
    assert_eq!((irrelevant.broken, irrelevant.fixed, irrelevant.changed_answers.value), (0, 0, 0.0));
    assert!(irrelevant.drop.unwrap().high > 0.0, "no event is not proof of none");
    // Holm over two tests: the smaller p twice, the larger once, and neither above 1.
    assert_eq!(evidence.p_holm, Some(1.0));
    // No number to swap.
    assert!(found.parts[2].evidence.is_none());

    let [slice] = found.slices.as_slice() else { panic!("{:?}", found.slices) };
    // The longest fifth of six is one: among equals the last, which has no label.
    assert_eq!((slice.inside, slice.outside, slice.score_inside), (1, 5, None));
    assert_eq!(slice.score_outside, proportion(3, 5));

    // The one that was right and is wrong; and the one without a label, whose answer should have stayed.
    let [told, unlabelled] = found.telling.as_slice() else { panic!("{:?}", found.telling) };
    assert_eq!((unlabelled.before.as_str(), &unlabelled.gold), ("not good", &None));
    assert_eq!((told.before.as_str(), told.after.as_str()), ("so good", "SO GOOD"));
    assert_eq!((told.answer_before.as_str(), told.answer_after.as_str()), ("positive", "negative"));
    assert_eq!(told.edits.iter().map(|edit| edit.old.as_str()).collect::<Vec<_>>(), ["so", "good"]);
}

#[test]
fn parts_together_and_each_by_itself() {
    let texts = ["so good", "rather good", "good", "good fun"];
    let samples: Vec<Sample> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| Sample { label: Some("positive".into()), ..Sample::of_text(at.to_string(), *text) })
        .collect();
    let chains = ["word_case", "append_irr", "word_case+append_irr"].map(|name| ChainConfig::Name(name.into()));
    let set = vec!["word_case.mode=upper".to_owned()];
    let found = found(
        support::with(config(), |config| {
            config.selection.chains = chains.to_vec();
            config.changes.set = set;
        }),
        &samples,
    );
    let [together] = found.interactions.as_slice() else { panic!("{:?}", found.interactions) };
    // Capitals break all four; the sentence breaks none; both break all four: nothing more than the sum.
    assert_eq!((together.name.as_str(), together.samples), ("word_case+append_irr", 4));
    assert_eq!((together.joint.value, together.sum.value, together.excess.value), (1.0, 1.0, 0.0));
    let upper = found.parts[0].evidence.as_ref().unwrap();
    assert_eq!((upper.drop.unwrap().value, upper.p), (1.0, Some(mcnemar(4, 0))));
    assert_eq!(upper.p_holm, Some((mcnemar(4, 0) * 3.0).min(1.0)));
}

#[test]
fn several_variants_of_a_sample_are_one_row() {
    let samples = reviews();
    let one = found(config(), &samples);
    let three = found(
        support::with(config(), |config| {
            config.changes.variants = Some(3);
        }),
        &samples,
    );
    let (one, three) = (one.parts[0].evidence.clone().unwrap(), three.parts[0].evidence.clone().unwrap());
    // Capitals leave nothing to chance: three times the same.
    assert_eq!((three.samples, three.before, three.after), (one.samples, one.before, one.after));
    assert_eq!((three.broken, three.p), (3 * one.broken, one.p));
    assert_eq!((three.drop, three.changed_answers), (one.drop, one.changed_answers));
    close(three.confidence.unwrap().1, one.confidence.unwrap().1);
}

/// Up to rounding.
fn close(a: Estimate, b: Estimate) {
    for (a, b) in [(a.value, b.value), (a.low, b.low), (a.high, b.high)] {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

/// There is one order of the alphabet, so ten sorted variants are ten copies: they say what one says.
#[test]
fn ten_copies_of_a_destroyed_text_are_one() {
    let rows = ["so good", "good fun", "quite bad", "not so good", "the film is bad", "a good film", "very very bad"];
    let samples: Vec<Sample> = (0..35).map(|at| Sample::of_text(at.to_string(), rows[at % rows.len()])).collect();
    let salad = |variants| {
        let chains = vec![ChainConfig::Name("sort".into()), ChainConfig::Name("drop".into())];
        let found = found(
            support::with(config(), |config| {
                config.selection.chains = chains;
                config.changes.variants = Some(variants);
            }),
            &samples,
        );
        found.salad.into_iter().find(|row| row.name == "sort").unwrap()
    };
    let (one, ten) = (salad(1), salad(10));
    assert_eq!(ten.counts.changed, 10 * one.counts.changed);
    assert_eq!(ten.agreement, one.agreement);
    assert_eq!(ten.by_class, one.by_class);
    close(ten.confidence.unwrap(), one.confidence.unwrap());
    close(ten.entropy.unwrap(), one.entropy.unwrap());
}
