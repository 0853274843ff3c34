//! What each layer of an analysis costs a text, on AG News: `cargo bench -p fissure-text --bench layers`.
//!
//! Every text is new: the words of earlier texts may be remembered, as in a run over a file, the texts themselves are
//! not. Times are of the processor; each figure is the best of five rounds over texts that no round has met before.

use std::hint::black_box;
use std::path::Path;

use fissure_text::{Analysis, analyse};

const ROUNDS: usize = 5;

/// A layer by its name, and how to have it worked out.
type Layer<'a> = (&'a str, &'a dyn Fn(&Analysis) -> usize);

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ag_news/test.csv");
    let Ok(file) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: the AG News test set is not at ../shared/data/ag_news beside the project");
        return;
    };
    let texts: Vec<&str> = file.lines().filter_map(|row| row.trim_matches('"').splitn(3, "\",\"").nth(2)).collect();
    let words: usize = texts.iter().map(|text| fissure_text::tokens(text).len()).sum();
    println!("{} descriptions, {:.1} tokens each", texts.len(), words as f64 / texts.len() as f64);
    let layers: [Layer<'_>; 6] = [
        ("tokens", &|analysis| analysis.tokens().len()),
        ("sentences", &|analysis| analysis.sentences().len()),
        ("tags", &|analysis| analysis.tags().len()),
        ("lemmas", &|analysis| analysis.lemmas().len()),
        ("entities", &|analysis| analysis.entities().len()),
        ("dependencies", &|analysis| analysis.dependencies().len()),
    ];
    // The tables are unpacked before the clock starts.
    layers.iter().for_each(|(_, layer)| _ = black_box(layer(&analyse("Mary left Paris."))));
    let mut best = [f64::INFINITY; 6];
    let share = texts.len() / ROUNDS;
    for texts in texts.chunks_exact(share) {
        let analyses: Vec<Analysis> = texts.iter().map(|text| analyse(text)).collect();
        for ((_, layer), best) in layers.iter().zip(&mut best) {
            let start = cpu_seconds();
            let found: usize = analyses.iter().map(layer).sum();
            black_box(found);
            *best = best.min((cpu_seconds() - start) / texts.len() as f64);
        }
    }
    for ((name, _), seconds) in layers.iter().zip(best) {
        println!("{name:<14}{:>8.1} microseconds a text", seconds * 1e6);
    }
    let tagging = best[..3].iter().sum::<f64>();
    let each = words as f64 / texts.len() as f64;
    println!("tokens, sentences and tags: {:.0} words a second and thread", each / tagging);
    println!("tags alone: {:.0} words a second and thread", each / best[2]);
}

/// The processor time of this thread, if the system reports it (Linux); otherwise wall-clock time.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64(), |told| told / 1e9)
}
