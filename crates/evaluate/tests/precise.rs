//! Runs with `--precision`: fewer questions, the same bytes after a stop, and the truth within the interval.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod support;

use std::fs;
use std::sync::atomic::Ordering;

use fissure_core::{Dice, Resources, Sample};
use fissure_evaluate::{
    ChainConfig, DataFacts, Error, ForecastBy, PreciseProgress, Prepared, RUN_FILE, RunConfig, Shard, findings,
};
use support::{LooksForGood, open};

/// Reviews of many words; a typo in `good`, which some have, flips the answer.
fn many(count: usize) -> Vec<Sample> {
    let mut dice = Dice::new(1, &["reviews"]);
    let words = ["story", "actors", "waiter", "kitchen", "music", "ending", "morning", "evening"];
    (0..count)
        .map(|at| {
            let mut text: Vec<&str> = (0..12).map(|_| words[dice.below(words.len())]).collect();
            let good = at % 3 == 0;
            if good {
                text[dice.below(12)] = "goodly";
            }
            let label = if good { "positive" } else { "negative" };
            Sample {
                label: Some(label.into()),
                ..Sample::of_text(format!("r{at}"), format!("{} {at}", text.join(" ")))
            }
        })
        .collect()
}

fn config(precision: f64, budget: Option<usize>) -> RunConfig {
    let mut config = RunConfig { model: Some("looks for good".into()), ..RunConfig::default() };
    config.data.task = Some("sa".into());
    config.selection.chains = ["typos", "keyboard"].map(|part| ChainConfig::Name(part.into())).to_vec();
    config.selection.slices = Some(Vec::new());
    config.selection.precision = Some(precision);
    config.selection.budget = budget;
    config
}

fn prepared(model: LooksForGood, config: RunConfig, samples: &[Sample]) -> Result<Prepared, Error> {
    let open = open(samples.to_vec());
    let facts = DataFacts::read(&*open, &config)?;
    Prepared::new(config, facts, Box::new(model), &Resources::default())
}

fn truth(samples: &[Sample]) -> f64 {
    // A full run of many variants of every text.
    let mut all = config(0.5, None);
    (all.selection.precision, all.changes.variants) = (None, Some(30));
    let folder = tempfile::tempdir().unwrap();
    let run = prepared(LooksForGood::new(), all, samples).unwrap();
    let open = open(samples.to_vec());
    let mut run = run.start(folder.path(), &*open).unwrap();
    while run.advance(100).unwrap() > 0 {}
    run.finish().unwrap();
    findings(&folder.path().join(RUN_FILE)).unwrap().parts[0].evidence.as_ref().unwrap().changed_answers.value
}

#[test]
fn fewer_questions_and_the_truth_within() {
    let samples = many(1500);
    let open = open(samples.clone());
    let model = LooksForGood::new();
    let asked = model.asked.clone();
    let run = prepared(model, config(0.015, None), &samples).unwrap();
    assert_eq!(run.header.plan.precision.as_ref().unwrap().forecast, ForecastBy::Probabilities);
    let folder = tempfile::tempdir().unwrap();
    let mut looks = Vec::new();
    run.run_precisely(folder.path(), &*open, false, &mut |told| {
        looks.extend(Some(told).filter(|told| matches!(told, PreciseProgress::Look { .. })));
        Ok(())
    })
    .unwrap();
    assert!(looks.len() >= 2, "{looks:?}");
    let found = findings(&folder.path().join(RUN_FILE)).unwrap();
    let truth = truth(&samples);
    for part in &found.parts {
        let (evidence, forecast) = (part.evidence.as_ref().unwrap(), part.forecast.as_ref().unwrap());
        let flips = evidence.changed_answers;
        assert!(forecast.asked < evidence.samples, "{forecast:?}");
        assert!(forecast.half_width < 0.02, "{forecast:?}");
        // All answers are right before, so what flips breaks.
        assert!((evidence.drop.unwrap().value - flips.value).abs() < 1e-9);
        if part.name == "typos" {
            assert!(flips.low <= truth && truth <= flips.high, "{flips:?} {truth}");
        }
    }
    assert!(found.weighted.is_none() && found.not_run.iter().any(|missed| missed.name.contains("mean drop")));
    // Originals, and less than asking both parts about every text.
    let asked = asked.load(Ordering::Relaxed);
    assert!((1500..3500).contains(&asked), "{asked}");
}

#[test]
fn a_run_that_was_stopped_ends_in_the_same_bytes() {
    let samples = many(600);
    let open = open(samples.clone());
    let whole = tempfile::tempdir().unwrap();
    let run = prepared(LooksForGood::new(), config(0.03, None), &samples).unwrap();
    run.run_precisely(whole.path(), &*open, false, &mut |_| Ok(())).unwrap();
    let wanted = fs::read(whole.path().join(RUN_FILE)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut stops, mut patience) = (0, 300);
    loop {
        let model = LooksForGood { patience, ..LooksForGood::new() };
        let run = prepared(model, config(0.03, None), &samples).unwrap();
        match run.run_precisely(folder.path(), &*open, stops > 0, &mut |_| Ok(())) {
            Ok(_) => break,
            Err(_) => (stops, patience) = (stops + 1, patience + 150),
        }
        assert!(stops < 20);
    }
    assert!(stops >= 1, "the model had patience enough");
    assert_eq!(fs::read(folder.path().join(RUN_FILE)).unwrap(), wanted);
}

#[test]
fn a_budget_is_kept_and_what_cannot_be_is_refused() {
    let samples = many(600);
    let open = open(samples.clone());
    let model = LooksForGood::new();
    let asked = model.asked.clone();
    let folder = tempfile::tempdir().unwrap();
    let run = prepared(model, config(0.001, Some(900)), &samples).unwrap();
    run.run_precisely(folder.path(), &*open, false, &mut |_| Ok(())).unwrap();
    // The expected number of questions is the budget; what is drawn scatters around it.
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked <= 960, "{asked}");
    let found = findings(&folder.path().join(RUN_FILE)).unwrap();
    assert!(found.parts.iter().all(|part| part.forecast.as_ref().unwrap().half_width > 0.001));

    let refused = |config: RunConfig, shard: Option<Shard>| {
        let mut run = prepared(LooksForGood::new(), config, &samples)?;
        run.header.shard = shard;
        let folder = tempfile::tempdir().unwrap();
        run.run_precisely(folder.path(), &*open, false, &mut |_| Ok(())).map(|_| ())
    };
    assert!(refused(config(0.01, Some(500)), None).unwrap_err().to_string().contains("a budget of 500"));
    let shard: Shard = "1/2".parse().unwrap();
    assert!(refused(config(0.01, None), Some(shard)).unwrap_err().to_string().contains("--shard"));
    let mut variants = config(0.01, None);
    variants.changes.variants = Some(3);
    assert!(refused(variants, None).unwrap_err().to_string().contains("--variants"));
}
