//! The figures of `docs/statistics.md`: how often 95 % intervals of drops hold the true drop.
//!
//! `cargo run --release -p fissure-statistics --example coverage`

mod exact;

use fissure_core::Dice;
use fissure_statistics::ClusteredPairs;

fn main() {
    println!("| samples | drop | fixed 0 | fixed 0.01 | fixed 0.02 | fixed 0.05 |");
    println!("|---|---|---|---|---|---|");
    for samples in [40, 150, 400, 1000] {
        let mut known = exact::Intervals::new(samples);
        for drop in [0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2] {
            let cell = |fixed: f64, known: &mut exact::Intervals| {
                let [below, above] = known.misses(drop + fixed, fixed);
                format!("{:.3} ({below:.3}, {above:.3})", 1.0 - below - above)
            };
            let cells = [0.0, 0.01, 0.02, 0.05].map(|fixed| cell(fixed, &mut known));
            println!("| {samples} | {drop} | {} |", cells.join(" | "));
        }
    }
    println!();
    println!("| samples | drop | copies 0 | copies 0.5 | copies 0.9 | copies 1 |");
    println!("|---|---|---|---|---|---|");
    for samples in [40, 150, 400] {
        for drop in [0.01, 0.05, 0.2] {
            let cells = [0.0, 0.5, 0.9, 1.0].map(|copies| clustered(samples, drop, copies));
            println!("| {samples} | {drop} | {} |", cells.join(" | "));
        }
    }
}

/// Five variants of each sample, which break with their sample or by themselves: 5,000 simulated runs.
fn clustered(samples: usize, drop: f64, copies: f64) -> String {
    const RUNS: usize = 5_000;
    let mut dice = Dice::new(1, &["coverage", "clustered"]);
    let (mut below, mut above) = (0, 0);
    for _ in 0..RUNS {
        let mut pairs = ClusteredPairs::default();
        for _ in 0..samples {
            let all = dice.chance(drop);
            let broken = (0..5).filter(|_| if dice.chance(copies) { all } else { dice.chance(drop) });
            pairs.add(broken.count(), 0, 5);
        }
        if let Some(found) = pairs.estimate() {
            below += usize::from(found.high < drop);
            above += usize::from(found.low > drop);
        }
    }
    let share = |count: usize| count as f64 / RUNS as f64;
    format!("{:.3} ({:.3}, {:.3})", 1.0 - share(below + above), share(below), share(above))
}
