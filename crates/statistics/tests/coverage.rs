//! Simulations: 95 % intervals hold the true value 93 to 97 times in a hundred, and tests raise false alarms as often as
//! they say.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "../examples/coverage/exact.rs"]
mod exact;

use fissure_core::Dice;
use fissure_statistics::{
    ClusteredPairs, ClusteredShare, Estimate, difference, ece, ece_difference, mcnemar, mean, normal, paired_bootstrap,
    proportion,
};

/// How often `trial` gives an interval that holds `truth`.
fn coverage(trials: usize, truth: f64, mut trial: impl FnMut(&mut Dice) -> Estimate) -> f64 {
    let mut dice = Dice::new(5, &["coverage"]);
    let held = (0..trials).filter(|_| {
        let found = trial(&mut dice);
        (found.low..=found.high).contains(&truth)
    });
    held.count() as f64 / trials as f64
}

fn holds(share: f64) {
    assert!((0.93..=0.97).contains(&share), "{share}");
}

/// Pairs of right and wrong answers: right before with 0.85, broken with 0.12, fixed with 0.04 of the samples.
fn paired(samples: usize, dice: &mut Dice) -> [Vec<[f64; 2]>; 2] {
    let mut columns = [Vec::new(), Vec::new()];
    for _ in 0..samples {
        let draw = dice.unit();
        let before = draw < 0.85;
        let after = draw < 0.73 || (0.85..0.89).contains(&draw);
        columns[0].push([f64::from(u8::from(before)), 1.0]);
        columns[1].push([f64::from(u8::from(after)), 1.0]);
    }
    columns
}

fn share(sum: &[f64]) -> Option<f64> {
    (sum[1] > 0.0).then(|| sum[0] / sum[1])
}

#[test]
fn the_drop_of_a_paired_bootstrap() {
    holds(coverage(1500, 0.08, |dice| {
        let [before, after] = paired(200, dice);
        paired_bootstrap(&before, &after, share, 400, dice).unwrap().drop
    }));
}

/// Drops of right and wrong answers, every outcome weighed by its probability: nothing is left to a simulation.
///
/// With few events coverage is above 97 %: that nothing happened is then the likeliest outcome, and no interval that holds
/// a small drop after it holds it less often. `examples/coverage.rs` has more of these.
#[test]
fn drops_of_right_answers_are_covered_exactly() {
    for samples in [40, 150, 400, 1000] {
        let mut known = exact::Intervals::new(samples);
        for drop in [0.0, 0.01, 0.02, 0.05, 0.2] {
            for fixed in [0.0, 0.01, 0.03] {
                let [below, above] = known.misses(drop + fixed, fixed);
                let events = samples as f64 * (drop + 2.0 * fixed);
                let share = 1.0 - below - above;
                let what =
                    format!("{samples} samples, drop {drop}, fixed {fixed}: {share:.4} ({below:.4}, {above:.4})");
                assert!(share >= 0.93 && (share <= 0.97 || events < 5.0), "{what}");
                // Neither end promises too much: a gate looks at one of them.
                assert!(below <= 0.035 && above <= 0.035, "{what}");
            }
        }
    }
}

/// Variants of a sample break together more or less often: from copies to independent answers.
#[test]
fn drops_of_several_variants_are_covered() {
    let draw = |copies: f64, dice: &mut Dice| {
        let mut pairs = ClusteredPairs::default();
        for _ in 0..150 {
            let all = dice.chance(0.05);
            let broken = (0..5).filter(|_| if dice.chance(copies) { all } else { dice.chance(0.05) });
            pairs.add(broken.count(), 0, 5);
        }
        pairs.estimate().unwrap()
    };
    for copies in [0.0, 0.5, 0.9, 1.0] {
        let share = coverage(2000, 0.05, |dice| draw(copies, dice));
        assert!((0.93..=0.98).contains(&share), "{copies}: {share}");
    }
}

/// The same of a plain share, large and small.
#[test]
fn shares_of_several_variants_are_covered() {
    for (p, copies) in [(0.9, 1.0), (0.9, 0.5), (0.3, 0.0), (0.3, 0.7), (0.02, 0.5)] {
        let share = coverage(2000, p, |dice| {
            let mut shares = ClusteredShare::default();
            for _ in 0..200 {
                let all = dice.chance(p);
                let count = (0..4).filter(|_| if dice.chance(copies) { all } else { dice.chance(p) }).count();
                shares.add(count, 4);
            }
            shares.estimate().unwrap()
        });
        assert!((0.93..=0.985).contains(&share), "{p} {copies}: {share}");
    }
}

/// F1 of counts: the tally is (2 tp, 2 tp + fp + fn), with tp, fp, fn drawn for each sample.
#[test]
fn the_drop_of_an_f1() {
    let draw = |p: f64, dice: &mut Dice| {
        let hits = (0..3).filter(|_| dice.chance(p)).count() as f64;
        [2.0 * hits, 6.0]
    };
    // Expected F1: p before and p after; both sums grow with the samples.
    holds(coverage(1000, 0.9 - 0.8, |dice| {
        let (before, after): (Vec<_>, Vec<_>) = (0..120).map(|_| (draw(0.9, dice), draw(0.8, dice))).unzip();
        paired_bootstrap(&before, &after, share, 400, dice).unwrap().drop
    }));
}

#[test]
fn shares_differences_and_means() {
    let successes = |n: usize, p: f64, dice: &mut Dice| (0..n).filter(|_| dice.chance(p)).count();
    holds(coverage(4000, 0.85, |dice| proportion(successes(150, 0.85, dice), 150).unwrap()));
    holds(coverage(4000, -0.1, |dice| {
        difference((successes(60, 0.8, dice), 60), (successes(400, 0.9, dice), 400)).unwrap()
    }));
    holds(coverage(4000, 0.0, |dice| mean(&(0..12).map(|_| normal(dice)).collect::<Vec<_>>()).unwrap()));
}

/// A rule on the interval's lower end fails by chance at most one time in forty, at its very limit.
#[test]
fn a_gate_on_the_lower_bound_seldom_raises_a_false_alarm() {
    let mut dice = Dice::new(6, &["alarm"]);
    let alarms = (0..2000).filter(|_| {
        let [before, after] = paired(300, &mut dice);
        paired_bootstrap(&before, &after, share, 400, &mut dice).unwrap().drop.low > 0.08
    });
    let rate = alarms.count() as f64 / 2000.0;
    assert!((0.012..=0.038).contains(&rate), "{rate} where 0.025 is promised");
}

#[test]
fn mcnemar_raises_no_more_false_alarms_than_it_says() {
    let mut dice = Dice::new(7, &["mcnemar"]);
    let alarms = (0..4000).filter(|_| {
        let broken = (0..60).filter(|_| dice.chance(0.5)).count();
        mcnemar(broken, 60 - broken) < 0.05
    });
    let rate = alarms.count() as f64 / 4000.0;
    assert!(rate <= 0.05, "{rate}");
}

/// Confidence c, right with probability c - gap: the true error is the gap. At gap 0 the interval must reach down to 0.
#[test]
fn calibration_error_is_held_at_least_as_often_as_it_says() {
    for gap in [0.0, 0.05, 0.15] {
        let share = coverage(250, gap, |dice| {
            let answers: Vec<(f64, bool)> = (0..500)
                .map(|_| {
                    let confidence = 0.6 + 0.4 * dice.unit();
                    (confidence, dice.chance(confidence - gap))
                })
                .collect();
            ece(&answers, 10, 100, dice).unwrap().ece
        });
        assert!(share >= 0.92, "gap {gap}: {share}");
    }
}

/// The gate's `ece <= 0` looks at the lower end alone. Of a model that is calibrated, whatever its confidences, it may leave
/// out 0 in 25 builds of a thousand, with a standard error of 5.
#[test]
fn a_calibrated_model_is_seldom_called_badly_calibrated() {
    let mut dice = Dice::new(8, &["calibrated"]);
    for (least, samples) in [(0.5, 150), (0.9, 300)] {
        let alarms = (0..1000).filter(|_| {
            let one = |_| {
                let sure = least + (1.0 - least) * dice.unit();
                (sure, dice.chance(sure))
            };
            let answers: Vec<(f64, bool)> = (0..samples).map(one).collect();
            ece(&answers, 10, 199, &mut dice).unwrap().ece.low > 0.0
        });
        let alarms = alarms.count();
        assert!(alarms <= 35, "from {least}: {alarms} in 1000 where 25 are promised");
    }
}

/// Two models that are sure of the same texts, each too sure by a gap of its own; of equals, none may be called better.
#[test]
fn differences_of_calibration_are_held_at_least_as_often_as_they_say() {
    for (then, now) in [(0.1, 0.1), (0.05, 0.15), (0.0, 0.0)] {
        let share = coverage(1000, now - then, |dice| {
            let answers: Vec<[(f64, bool); 2]> = (0..500)
                .map(|_| {
                    let (confidence, luck) = (0.6 + 0.4 * dice.unit(), dice.unit());
                    [then, now]
                        .map(|gap| (confidence, if dice.chance(0.5) { luck } else { dice.unit() } < confidence - gap))
                })
                .collect();
            ece_difference(&answers, 10).unwrap()
        });
        assert!(share >= 0.92, "gaps {then} and {now}: {share}");
    }
}
