//! How long the built-in tables take to unpack, and a look-up in each: `cargo bench -p fissure-text --bench lexicons`.

use fissure_text::inflection::{Kind, inflect, lemma};
use fissure_text::{articles, misspellings, names, neighbours, ngrams, wordnet};
use std::hint::black_box;
use std::time::Instant;

const WORDS: [&str; 12] = [
    "love",
    "leave",
    "house",
    "quickly",
    "government",
    "beautiful",
    "run",
    "movie",
    "person",
    "sluggish",
    "zebra",
    "qqqq",
];

fn main() {
    measure("inflect", |word| black_box(inflect(word, "VBD")).map_or(0, |form| form.len()));
    measure("lemma", |word| black_box(lemma(word, "VB")).map_or(0, |form| form.len()));
    measure("wordnet first synonyms", |word| {
        wordnet::all_senses(word).next().map_or(0, |sense| sense.synonyms().map(|synonym| synonym.word().len()).sum())
    });
    measure("wordnet antonyms of all senses", |word| {
        wordnet::senses(word, Kind::Adjective)
            .flat_map(wordnet::Sense::antonyms)
            .map(|antonym| antonym.word().len())
            .sum()
    });
    measure("neighbours, all ten", |word| neighbours::of(word).map(|(near, _)| near.len()).sum());
    measure("misspellings", |word| misspellings::of(word).len());
    measure("first name's gender", |word| names::people::gender(word).map_or(0, |gender| gender as usize));
    measure("place", |word| names::places::find(word).map_or(0, |(rank, _)| rank));
    measure("a or an", |word| usize::from(articles::takes_an(word)));
    measure("perplexity of a word", |word| ngrams::english().log_probability(&[word]).abs() as usize);
}

/// The first call unpacks the table; then the quickest of many short rounds, so that a busy machine does not count.
fn measure(name: &str, look_up: impl Fn(&str) -> usize) {
    let start = Instant::now();
    black_box(look_up("love"));
    let first = start.elapsed();
    let round = || {
        let start = Instant::now();
        for _ in 0..20 {
            WORDS.iter().for_each(|word| {
                black_box(look_up(black_box(word)));
            });
        }
        start.elapsed().as_secs_f64() * 1e9 / (20 * WORDS.len()) as f64
    };
    let quickest = (0..2_000).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("{name}: first {:.1} ms, then {quickest:.0} ns", first.as_secs_f64() * 1e3);
}
