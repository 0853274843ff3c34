//! Chance belongs to seed, part and sample: nothing else may change an outcome.

use fissure_core::{Chain, Outcome, Sample};

use crate::{Part, Verdict, chain, holds, nasty, ways};

pub fn the_same_seed_gives_the_same_bytes(entry: &'static Part) -> Verdict {
    let samples = samples();
    for settings in ways(entry) {
        let first = run(&chain(entry, &settings)?, &samples);
        let again = run(&chain(entry, &settings)?, &samples);
        holds(first == again, || format!("two runs differ with {settings:?}"))?;
    }
    Ok(())
}

pub fn order_and_threads_do_not_matter(entry: &'static Part) -> Verdict {
    let samples = samples();
    let chain = chain(entry, &[])?;
    let straight = run(&chain, &samples);
    for batch in [1, 3, 7] {
        let in_threads: Vec<Outcome> = std::thread::scope(|scope| {
            let workers: Vec<_> = samples.chunks(batch).map(|batch| scope.spawn(|| run(&chain, batch))).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a part must not panic")).collect()
        });
        holds(in_threads == straight, || format!("threads with batches of {batch} give other outcomes"))?;
    }
    let backwards: Vec<Sample> = samples.iter().rev().cloned().collect();
    let mut reversed = run(&chain, &backwards);
    reversed.reverse();
    holds(reversed == straight, || "the reverse order gives other outcomes".into())
}

fn samples() -> Vec<Sample> {
    let mut samples = nasty::all();
    samples.retain(|sample| sample.fields[0].text.len() < 10_000);
    samples
}

fn run(chain: &Chain, samples: &[Sample]) -> Vec<Outcome> {
    samples.iter().map(|sample| chain.run(sample, 7, 0)).collect()
}
