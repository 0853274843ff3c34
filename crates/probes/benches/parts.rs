//! How many texts each part changes in a second of processor time, on the items of the AG News test set.
//!
//! `cargo bench -p fissure-probes --bench parts [-- NAME...]` prints one JSON object per part. `--texts lcqmc` takes Chinese
//! questions instead, `--texts reviews` Chinese reviews, and only the parts that know Chinese. Counted are texts per second of
//! processor time on one thread, and for each of two threads that run side by side; and texts per second of wall clock
//! on one thread and on two. Every text is new to the part, so what has to be worked out about it (tags, names) is worked
//! out, and all 7,600 items take turns, so that no more words are remembered than in a run over a large file.
//! `seen_before` is the figure for texts that another part has looked at already; what was changed is counted on the first
//! 1,000 items, in texts and in edits: a part that leaves most texts alone is fast for nothing, so peers are compared by
//! `edits_per_cpu_second`. With `--once` the first 1,000 items pass once and nothing is printed: that is what to run under
//! callgrind, less a run with a name that no part has. `benches/README.md` says how to set peers beside it.

mod support;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use fissure_core::{Chain, Edit, Outcome, Sample, splice};
use fissure_probes::TRANSFORMS;

use support::{cpu_seconds, unseen};

/// Each figure is the best of this many rounds: what else runs on the machine can only slow a round down.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(300);

/// Most texts that take turns.
const MOST: usize = 7_600;

fn main() {
    let mut wanted: Vec<String> =
        std::env::args().skip(1).filter(|name| name != "--bench" && name != "--once").collect();
    let set = wanted.iter().position(|name| name == "--texts").map(|at| wanted.drain(at..).nth(1).unwrap_or_default());
    let (found, place) = match set.as_deref() {
        None => (ag_news(), "ag_news/test.csv"),
        Some("lcqmc") => (rows_of("zh/lcqmc/test.txt"), "zh/lcqmc/test.txt"),
        Some("reviews") => (rows_of("zh/chnsenticorp/train.tsv"), "zh/chnsenticorp/train.tsv"),
        Some(other) => panic!("there are no texts called {other:?}; take lcqmc or reviews, or leave `--texts` out"),
    };
    let Some(all) = found else {
        eprintln!("SKIPPED: {place} is not under ../shared/data beside the project");
        return;
    };
    let samples = &all[..all.len().min(1_000)];
    let once = std::env::args().any(|argument| argument == "--once");
    for entry in TRANSFORMS.entries() {
        let name = entry.card.name;
        let is_wanted = if wanted.is_empty() {
            samples.first().is_some_and(|sample| entry.card.knows(sample.fields[0].text.language()))
        } else {
            wanted.iter().any(|wanted| wanted == name)
        };
        if !is_wanted {
            continue;
        }
        let chain = Chain::build(&TRANSFORMS, name, &[]).expect("a part builds with its defaults");
        if once {
            for sample in samples {
                black_box(chain.run(black_box(&unseen(sample)), 0, 0));
            }
            continue;
        }
        let outcomes: Vec<Outcome> = samples.iter().map(|sample| chain.run(sample, 0, 0)).collect();
        let changed = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Changed(_))).count();
        let edits: usize = outcomes.iter().map(edits_of).sum();
        let damaged = samples.iter().zip(&outcomes).filter(|(sample, outcome)| is_damaged(sample, outcome)).count();
        let alone = best(|| measure(&chain, &all, 1, Sight::First));
        let both = best(|| measure(&chain, &all, 2, Sight::First));
        let again = best(|| measure(&chain, samples, 1, Sight::Again));
        println!(
            "{{\"part\": \"{name}\", \"texts_per_cpu_second\": {:.0}, \"seen_before\": {:.0}, \"each_of_2_threads\": {:.0}, \
             \"wall_1_thread\": {:.0}, \"wall_2_threads\": {:.0}, \"changed_of_1000\": {changed}, \"edits_of_1000\": {edits}, \
             \"edits_per_cpu_second\": {:.0}, \"damaged_of_1000\": {damaged}}}",
            alone.per_cpu,
            again.per_cpu,
            both.per_cpu,
            alone.per_wall,
            both.per_wall,
            alone.per_cpu * edits as f64 / samples.len() as f64,
        );
    }
}

fn edits_of(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Changed(variant) => variant.trail.edits.len(),
        _ => 0,
    }
}

/// Whether the text differs from the original anywhere but where the trail says.
fn is_damaged(sample: &Sample, outcome: &Outcome) -> bool {
    let Outcome::Changed(variant) = outcome else { return false };
    let edits: Vec<Edit> =
        variant.trail.edits.iter().map(|edit| Edit::replace(edit.start..edit.end, edit.new.as_str())).collect();
    splice(&sample.fields[0].text, &edits) != variant.sample.fields[0].text.as_str()
}

/// Texts per second of processor time and of wall clock.
#[derive(Clone, Copy)]
struct Speed {
    per_cpu: f64,
    per_wall: f64,
}

fn best(mut round: impl FnMut() -> Speed) -> Speed {
    (0..ROUNDS).map(|_| round()).fold(Speed { per_cpu: 0.0, per_wall: 0.0 }, |best, next| Speed {
        per_cpu: best.per_cpu.max(next.per_cpu),
        per_wall: best.per_wall.max(next.per_wall),
    })
}

/// Whether the part sees the texts for the first time, or finds what it worked out about them remembered.
#[derive(Clone, Copy)]
enum Sight {
    First,
    Again,
}

/// Sends the samples through the chain again and again, on each of the threads.
fn measure(chain: &Chain, samples: &[Sample], threads: usize, sight: Sight) -> Speed {
    let speeds: Vec<Speed> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(chain, samples, sight))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a part does not panic")).collect()
    });
    Speed {
        per_cpu: speeds.iter().map(|speed| speed.per_cpu).sum::<f64>() / threads as f64,
        per_wall: speeds.iter().map(|speed| speed.per_wall).sum(),
    }
}

fn work(chain: &Chain, samples: &[Sample], sight: Sight) -> Speed {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let (mut texts, mut variant) = (0_usize, 0);
    for samples in samples.chunks(100).cycle() {
        if wall.elapsed() >= ROUND {
            break;
        }
        for sample in samples {
            match sight {
                // The copy is part of the time: small beside any analysis, and nothing is hidden.
                Sight::First => black_box(chain.run(black_box(&unseen(sample)), 0, variant)),
                Sight::Again => black_box(chain.run(black_box(sample), 0, variant)),
            };
        }
        texts += samples.len();
        variant += 1;
    }
    let texts = texts as f64;
    let seconds = wall.elapsed().as_secs_f64();
    let busy = cpu.zip(cpu_seconds()).map_or(seconds, |(before, after)| after - before);
    Speed { per_cpu: texts / busy, per_wall: texts / seconds }
}

fn read(path: &str) -> Option<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::fs::read_to_string(data.join(path)).ok()
}

/// Title and description of the first items, as one text each.
fn ag_news() -> Option<Vec<Sample>> {
    let file = read("ag_news/test.csv")?;
    let rows = file.lines().take(MOST).enumerate();
    let samples = rows.map(|(at, row)| {
        // Every column is quoted, and no quote of a text stands beside a comma and another quote.
        let mut columns = row.trim_matches('"').splitn(3, "\",\"");
        let (class, title, text) = (columns.next()?, columns.next()?, columns.next()?);
        Some(sample(at, format!("{title} {text}"), class))
    });
    samples.collect()
}

/// The first column of the rows of a file, as one text each; the last column is the label.
fn rows_of(path: &str) -> Option<Vec<Sample>> {
    let file = read(path)?;
    let rows = file.lines().take(MOST).enumerate();
    let samples = rows.map(|(at, row)| {
        let mut columns = row.split('\t');
        Some(sample(at, columns.next()?.to_owned(), columns.next_back()?))
    });
    samples.collect()
}

fn sample(at: usize, text: String, class: &str) -> Sample {
    let mut sample = Sample::of_text(at.to_string(), text);
    sample.label = Some(class.into());
    sample
}
