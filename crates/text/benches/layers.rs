//! What each layer of an analysis costs a text, on AG News and on Chinese reviews (ChnSentiCorp):
//! `cargo bench -p fissure-text --bench layers`.
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
    english();
    chinese();
}

fn read(path: &str) -> Option<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let file = std::fs::read_to_string(data.join(path)).ok();
    if file.is_none() {
        eprintln!("SKIPPED: {path} is not under ../shared/data beside the project");
    }
    file
}

fn chinese() {
    let Some(file) = read("zh/chnsenticorp/train.tsv") else { return };
    let start = cpu_seconds();
    black_box(analyse("我们明天去北京。").chinese());
    println!("Chinese: loaded and the first sentence cut and tagged in {:.1} ms", (cpu_seconds() - start) * 1e3);
    let texts: Vec<&str> = file.lines().filter_map(|row| row.split('\t').next()).collect();
    let layers: [Layer<'_>; 2] = [
        ("words", &|analysis| analysis.chinese_words().len()),
        ("words and tags", &|analysis| analysis.chinese().len()),
    ];
    let mut best = [f64::INFINITY; 2];
    for texts in texts.chunks_exact(texts.len() / ROUNDS) {
        let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
        for ((_, layer), best) in layers.iter().zip(&mut best) {
            let analyses: Vec<Analysis> = texts.iter().map(|text| analyse(text)).collect();
            let start = cpu_seconds();
            black_box(analyses.iter().map(layer).sum::<usize>());
            *best = best.min((cpu_seconds() - start) / characters as f64);
        }
    }
    for ((name, _), seconds) in layers.iter().zip(best) {
        println!("{name:<14}{:>10.0} characters a second and thread", 1.0 / seconds);
    }
}

fn english() {
    let Some(file) = read("ag_news/test.csv") else { return };
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
