//! `cargo xtask measure-taggers [dev|test|chinese]` prints how good and how fast the taggers are (on `test` by default;
//! `chinese`: those of Chinese, on the test part of UD Chinese GSDSimp).

use std::fs;
use std::time::{Duration, Instant};

use fissure_text::training::treebank::Treebank;
use fissure_text::training::{chinese, lemmas, scores, weights};

use super::corpora;
use crate::Result;

pub fn measure(arguments: &[String]) -> Result<()> {
    let part = match arguments {
        [] => "test",
        [part] if part == "dev" || part == "test" => part,
        [chinese] if chinese == "chinese" => return measure_chinese(),
        _ => return Err("usage: cargo xtask measure-taggers [dev|test|chinese]".into()),
    };
    measure_loading();
    let treebank = corpora::treebank(part)?;
    println!("UD English EWT {part}: {} sentences, {} words", treebank.sentences.len(), treebank.words().count());
    println!("{:<34}{:>8}{:>8}{:>8}", "", "F1", "prec.", "recall");
    let row = |name: &str, found: scores::Found| {
        println!("{name:<34}{:>8.2}{:>8.2}{:>8.2}", found.f1(), found.precision(), found.recall());
    };
    let tokens = fissure_text::tokens(&treebank.text);
    row("syntactic words, raw text", scores::words(&treebank, &tokens));
    let sentences = fissure_text::sentences(&treebank.text, &tokens);
    row("sentences, raw text", scores::sentences(&treebank, &tokens, &sentences));
    if part == "test" {
        // The dev part trains the entity tagger, so only the test part can measure it.
        row(
            "entities (UNER), gold words",
            scores::entities(&corpora::entities(part)?, weights::tags(), weights::entities()),
        );
    }
    println!("{:<34}{:>8}", "", "right %");
    let row = |name: &str, found: scores::Found| println!("{name:<34}{:>8.2}", found.f1());
    let [upos, penn, both] = scores::tags(&treebank, weights::tags());
    row("UPOS, gold words", upos);
    row("XPOS, gold words", penn);
    row("UPOS and XPOS", both);
    row("lemmas, gold tags", scores::lemmas(&treebank, lemmas::shipped()));
    let [heads, labelled] = scores::parse(&treebank, weights::tags(), weights::parse());
    row("UAS, gold words, our tags", heads);
    row("LAS, gold words, our tags", labelled);
    measure_speed(&treebank);
    Ok(())
}

fn measure_chinese() -> Result<()> {
    let start = processor_time();
    std::hint::black_box(fissure_text::chinese::words("我们明天去北京开会。").len());
    println!("{:<34}{:>8.1}", "first use, CPU ms", (processor_time() - start).as_secs_f64() * 1000.0);
    let sentences = corpora::chinese("test")?;
    println!("{:<34}{:>8}{:>8}{:>8}", "", "F1", "prec.", "recall");
    let names = ["words, raw text", "UPOS, gold words", "words and UPOS, raw text"];
    for (name, found) in names.into_iter().zip(chinese::measure(&sentences)) {
        println!("{name:<34}{:>8.2}{:>8.2}{:>8.2}", found.f1(), found.precision(), found.recall());
    }
    let text: String = sentences.iter().flatten().map(|(word, _)| word.as_str()).collect();
    let characters = text.chars().count() as f64;
    println!("{:<34}{:>8}", "", "characters a CPU-second, one thread");
    println!("{:<34}{:>8.0}", "words", characters / seconds(&|| fissure_text::chinese::cut(&text).len()));
    println!("{:<34}{:>8.0}", "words and UPOS", characters / seconds(&|| fissure_text::chinese::words(&text).len()));
    Ok(())
}

/// What the first use of each layer costs.
fn measure_loading() {
    println!("{:<34}{:>8}", "first use", "CPU ms");
    let analysis = fissure_text::analyse("Mary left Paris.");
    let loads: [(&str, &dyn Fn() -> usize); 5] = [
        ("sentences (and groups of words)", &|| analysis.sentences().len()),
        ("tags", &|| analysis.tags().len()),
        ("lemmas", &|| analysis.lemmas().len()),
        ("parse", &|| analysis.dependencies().len()),
        ("entities", &|| analysis.entities().len()),
    ];
    for (name, load) in loads {
        let start = processor_time();
        std::hint::black_box(load());
        println!("{name:<34}{:>8.1}", (processor_time() - start).as_secs_f64() * 1000.0);
    }
}

fn measure_speed(treebank: &Treebank) {
    let words = treebank.words().count() as f64;
    println!("{:<34}{:>8}", "", "words a CPU-second, one thread");
    let speed = |name: &str, work: &dyn Fn() -> usize| println!("{name:<34}{:>8.0}", words / seconds(work));
    speed("tokens", &|| fissure_text::tokens(&treebank.text).len());
    speed("UPOS and XPOS, gold words", &|| scores::tags(treebank, weights::tags())[0].right);
    speed("tokens, sentences and tags", &|| fissure_text::analyse(&treebank.text).tags().len());
    speed("all the layers", &|| {
        let analysis = fissure_text::analyse(&treebank.text);
        analysis.lemmas().len() + analysis.dependencies().len() + analysis.entities().len()
    });
}

/// The time of one call, the best of several: the machine may do other work.
fn seconds(work: &dyn Fn() -> usize) -> f64 {
    let one = |_| {
        let start = processor_time();
        std::hint::black_box(work());
        (processor_time() - start).as_secs_f64()
    };
    (0..5).map(one).fold(f64::INFINITY, f64::min)
}

/// The time that this thread had a processor, if the system reports it; otherwise wall-clock time.
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let written = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = written.and_then(|written| written.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}
