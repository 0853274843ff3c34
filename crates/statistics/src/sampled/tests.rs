//! Designs, estimates and stages by hand.

use super::*;

#[test]
fn expected_questions_and_counts() {
    let design = Design::new(2.0);
    // sqrt(0.5 * 0.5 + 0.0001) = 0.5001, so 1.0002 questions.
    assert!((design.expected(0.5) - 1.000_2).abs() < 1e-4);
    assert_eq!((design.count(0.5, 0.0), design.count(0.5, 0.999_9)), (1, 2));
    // sqrt(0.0001) = 0.01.
    assert_eq!((design.count(0.0, 0.97), design.count(0.0, 0.99)), (0, 1));
}

#[test]
fn the_estimate_by_hand() {
    // Two texts: one asked once for sure, one with probability 1/4 and not asked. Without a correction of the forecasts:
    let mut two = Sampled::default();
    two.add(0.2, 1.0, 1.0, 1, 1);
    two.add(0.4, 1.0, 0.25, 0, 0);
    // (0.2 + 0.8 + 0.4) / 2.
    assert!((two.value() - 0.7).abs() < 1e-12);
    // Asked after all and no hit: (1 + 0.4 - 0.4 / 0.25) / 2.
    let mut two = Sampled::default();
    two.add(0.2, 1.0, 1.0, 1, 1);
    two.add(0.4, 1.0, 0.25, 0, 1);
    assert!((two.value() + 0.1).abs() < 1e-12);
    // What is put right counts against what is broken, whatever the correction is.
    let mut both = Sampled::default();
    both.add(0.1, 1.0, 1.0, 1, 1);
    both.add(0.1, -1.0, 1.0, 1, 1);
    assert!(both.estimate(1.96).unwrap().value.abs() < 1e-12);
    assert_eq!(Sampled::default().estimate(1.96), None);
}

/// The derivatives of what is made as large as can be are 0: the hits that are expected, and where, are those that were seen, but
/// for the pull towards no correction.
#[test]
fn a_correction_moves_forecasts_towards_what_was_seen() {
    let texts = |hits: &dyn Fn(usize) -> usize| {
        let mut all = Sampled::default();
        for at in 0..900 {
            let forecast = [0.02, 0.1, 0.4][at % 3];
            all.add(forecast, 1.0, 1.0, hits(at), 1);
        }
        all
    };
    // As forecast: 6, 30 and 120 of 300 each.
    let right = texts(&|at| usize::from(at / 3 < [6, 30, 120][at % 3]));
    let by = Recalibration::fit(&right.texts);
    for forecast in [0.02, 0.1, 0.4] {
        assert!((by.of(forecast) - forecast).abs() < 1e-6, "{by:?}");
    }
    // Half as many: nearly halved, and the estimate is what was seen.
    let high = texts(&|at| usize::from(at / 3 < [3, 15, 60][at % 3]));
    let by = Recalibration::fit(&high.texts);
    for forecast in [0.02, 0.1, 0.4] {
        let found = by.of(forecast) / forecast;
        assert!((0.4..0.65).contains(&found), "{forecast}: {found}");
    }
    assert!((high.estimate(1.96).unwrap().value - 78.0 / 900.0).abs() < 1e-9);
    // One answer alone changes little, and none nothing.
    let mut one = Sampled::default();
    one.add(0.1, 1.0, 1.0, 1, 1);
    let by = Recalibration::fit(&one.texts);
    assert!((0.1..0.13).contains(&by.of(0.1)), "{by:?}");
    let mut none = Sampled::default();
    none.add(0.1, 1.0, 1.0, 0, 0);
    assert_eq!(Recalibration::fit(&none.texts), Recalibration::NONE);
}

#[test]
fn a_flat_forecast_gives_the_interval_of_wilson() {
    // 400 texts that are all asked once, 20 flips: the score interval of 20 / 400.
    let mut all = Sampled::default();
    (0..400).for_each(|at| all.add(0.05, 1.0, 1.0, usize::from(at < 20), 1));
    let (found, wilson) = (all.estimate(1.959_964).unwrap(), crate::proportion(20, 400).unwrap());
    assert!((found.value - 0.05).abs() < 1e-12);
    // The observed variance is taken below the estimate, where it is the larger one.
    assert!((found.high - wilson.high).abs() < 1e-3, "{found:?} {wilson:?}");
    assert!(found.low <= wilson.low + 1e-3 && found.low > 0.02, "{found:?} {wilson:?}");
}

/// Against every outcome of two questions, the second of which may not be asked.
#[test]
fn the_third_moment_by_hand() {
    let (p, forecast) = (0.3f64, 0.1f64);
    for expected in [0.4f64, 1.0, 1.4] {
        let (whole, chance) = (expected.floor(), expected - expected.floor());
        let mut outcomes: Vec<(f64, f64)> = vec![(1.0, 0.0)];
        for asked in std::iter::repeat_n(1.0, whole as usize).chain([chance]) {
            let answer = |(weight, sum): &(f64, f64)| {
                let [hit, none] = [(p, 1.0 - forecast), (1.0 - p, -forecast)]
                    .map(|(chance, adds)| (weight * asked * chance, sum + adds / expected));
                [hit, none, (weight * (1.0 - asked), *sum)]
            };
            outcomes = outcomes.iter().flat_map(answer).collect();
        }
        let mean: f64 = outcomes.iter().map(|(weight, sum)| weight * sum).sum();
        let wanted: f64 = outcomes.iter().map(|(weight, sum)| weight * (sum - mean).powi(3)).sum();
        let found = third_moment(expected, p, forecast);
        assert!((found - wanted).abs() < 1e-12, "{expected}: {found} and {wanted}");
    }
}

#[test]
fn no_flip_leaves_room_for_some() {
    let mut none = Sampled::default();
    (0..200).for_each(|_| none.add(0.001, 1.0, 1.0, 0, 1));
    let found = none.estimate(1.959_964).unwrap();
    assert!(found.value.abs() < 1e-12 && found.high > 0.01 && found.high < 0.03, "{found:?}");
}

#[test]
fn stages_ask_more_until_it_is_enough_or_spent() {
    let forecasts: Vec<f64> = (0..1000).map(|at| if at % 20 == 0 { 0.4 } else { 0.01 }).collect();
    let first = Stage::first(&forecasts, 0.01, 1e9);
    let questions = first.design.questions(&forecasts);
    assert!((60.0..1000.0).contains(&questions), "{questions}");
    let seen = |stage: &Stage| {
        let mut sampled = Sampled::default();
        for forecast in &forecasts {
            let asked = stage.design.count(*forecast, 0.5);
            let hits = (*forecast * asked as f64).round() as usize;
            sampled.add(*forecast, 1.0, stage.design.expected(*forecast), hits, asked);
        }
        sampled
    };
    let second = first.next(&seen(&first), &forecasts, 0.01, 1e9).unwrap();
    assert!(second.look > first.look && second.design.questions(&forecasts) > questions);
    assert_eq!(first.next(&seen(&first), &forecasts, 0.5, 1e9), None);
    let spent = first.next(&seen(&first), &forecasts, 0.01, questions * 1.1).unwrap();
    assert_eq!(spent.look, LOOKS.len() - 1);
    let allowed = spent.design.questions(&forecasts);
    assert!(allowed > questions && allowed <= questions * 1.1 + 1e-6, "{allowed} of {questions}");
    assert_eq!(first.next(&seen(&first), &forecasts, 0.01, questions), None);
    // One look that spends everything is not corrected for looks that never come.
    assert_eq!(Stage::first(&forecasts, 0.01, questions * 0.9).look, LOOKS.len() - 1);
    // A later look asks no text less, whatever it has learned.
    assert!(forecasts.iter().all(|forecast| second.design.expected(*forecast) >= first.design.expected(*forecast)));
}
