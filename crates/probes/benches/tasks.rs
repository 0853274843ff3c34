//! How many samples each part for a task changes in a second of processor time, on the real files of the task.
//!
//! `cargo bench -p fissure-probes --bench tasks [-- NAME...]` prints one JSON object per part and file: samples per second of
//! processor time on one thread, how many of the first 1,000 change, and how many words a sample has. Every sample is new to
//! the part: what has to be worked out about a text (tags, a parse, names) is part of the time.

#[path = "../tests/real/files.rs"]
mod files;
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use fissure_core::{Chain, Donors, Outcome, Resources, Sample};
use fissure_probes::TRANSFORMS;

use support::{cpu_seconds, unseen};

/// Each figure is the best of this many rounds: what else runs on the machine can only slow a round down.
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_millis(300);
const FILES: [&str; 10] = ["rest", "snli", "mrpc", "squad", "ewt_pos", "ewt_dp", "uner", "semeval", "gap", "imdb"];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with("--")).collect();
    for file in FILES {
        let Some((task, rows)) = files::read(file) else { continue };
        let task = fissure_tasks::find(task).expect("a task");
        let read = |(at, row)| Some(Sample { id: format!("{file}{at}"), ..task.sample(row).ok()? });
        let samples: Vec<Sample> = rows.into_iter().enumerate().filter_map(read).take(1_000).collect();
        let labels: Vec<_> = samples.iter().filter_map(|sample| sample.label.clone()).collect();
        let resources = Resources {
            donors: Some(Donors::of(samples.iter().cloned()).into()),
            spelling: files::spelling(file).or_else(|| task.spelling(&labels)).map(Into::into),
            ..Resources::default()
        };
        let words: usize =
            samples.iter().flat_map(|sample| &sample.fields).map(|field| field.text.words().count()).sum();
        for entry in TRANSFORMS.entries() {
            let name = entry.card.name;
            let asked = wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
            if !asked || !entry.card.file.contains("/task/") || !entry.card.serves(&task.facts) {
                continue;
            }
            let chain = Chain::of(&[entry], &[]).expect("a part builds with its defaults").with(resources.clone());
            let changed =
                samples.iter().filter(|sample| matches!(chain.run(sample, 0, 0), Outcome::Changed(_))).count();
            let speed = (0..ROUNDS).map(|_| work(&chain, &samples)).fold(0.0, f64::max);
            println!(
                "{{\"file\": \"{file}\", \"part\": \"{name}\", \"samples_per_cpu_second\": {speed:.0}, \"changed\": {changed}, \
                 \"of\": {}, \"words\": {:.0}}}",
                samples.len(),
                words as f64 / samples.len().max(1) as f64,
            );
        }
    }
}

fn work(chain: &Chain, samples: &[Sample]) -> f64 {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let (mut done, mut variant) = (0_usize, 0);
    for samples in samples.chunks(50).cycle() {
        if wall.elapsed() >= ROUND {
            break;
        }
        for sample in samples {
            black_box(chain.run(black_box(&unseen(sample)), 0, variant));
        }
        done += samples.len();
        variant += 1;
    }
    let seconds = wall.elapsed().as_secs_f64();
    done as f64 / cpu.zip(cpu_seconds()).map_or(seconds, |(before, after)| after - before)
}
