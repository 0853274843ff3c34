//! `neighbours.bin`: the nearest words of frequent words.

use super::sources::Sources;
use super::{Table, glove};
use crate::Result;
use fissure_text::inflection::{self, Kind};
use fissure_text::neighbours::{self, MOST, Vectors};
use fissure_text::wordnet;
use rayon::prelude::*;

pub const TABLE: Table = Table {
    name: "neighbours",
    ending: "bin",
    what: "the ten nearest words, by cosine, of the 40,000 most frequent words",
    licence: "PDDL-1.0",
    made: "GloVe 6B 50d, the 40,000 most frequent words of letters, apostrophes and hyphens; antonyms by WordNet (of the lemmas, in any \
           sense) left out; similarities rounded to a byte",
    build,
};

const FREQUENT: usize = 40_000;
/// Candidates looked at for each word: enough that ten are left when the word itself and its antonyms are gone.
const CANDIDATES: usize = 2 * MOST + 1;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let words = glove::words(sources)?;
    let all = glove::vectors(sources, words.len())?;
    let chosen: Vec<usize> = (0..words.len()).filter(|at| is_word(&words[*at])).take(FREQUENT).collect();
    let words: Vec<String> = chosen.iter().map(|at| words[*at].clone()).collect();
    let rows =
        chosen.iter().flat_map(|at| &all[at * glove::DIMENSIONS..(at + 1) * glove::DIMENSIONS]).copied().collect();
    let vectors = Vectors::new(&words, glove::DIMENSIONS, rows).ok_or("the vectors are not finite")?;
    let places: Vec<u32> = (0..words.len() as u32).collect();
    let near: Vec<Vec<(u32, f32)>> =
        places.par_chunks(500).flat_map_iter(|places| vectors.nearest_of(places, CANDIDATES)).collect();
    let kept = near.iter().enumerate().map(|(at, near)| {
        let others =
            near.iter().map(|(other, likeness)| (*other as usize, *likeness)).filter(|(other, _)| *other != at);
        others.filter(|(other, likeness)| *likeness > 0.0 && !opposed(&words[at], &words[*other])).take(MOST).collect()
    });
    Ok(neighbours::pack(&words, &kept.collect::<Vec<_>>()))
}

fn is_word(token: &str) -> bool {
    token.starts_with(char::is_alphabetic)
        && token.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '-'))
}

/// Whether the lemmas of two words are antonyms as any kind of word.
fn opposed(one: &str, other: &str) -> bool {
    let tags = [
        (Kind::Noun, &["NN", "NNS"][..]),
        (Kind::Verb, &["VB", "VBD", "VBN", "VBG", "VBZ"]),
        (Kind::Adjective, &["JJ", "JJR", "JJS"]),
        (Kind::Adverb, &["RB", "RBR", "RBS"]),
    ];
    tags.iter().any(|(kind, tags)| {
        let lemmas = |word: &str| -> Vec<String> {
            let known = tags.iter().flat_map(|tag| inflection::lemmas(word, tag)).map(str::to_owned);
            known.chain([word.to_owned()]).collect()
        };
        let others = lemmas(other);
        lemmas(one).iter().any(|one| others.iter().any(|other| wordnet::are_antonyms(one, other, *kind)))
    })
}
