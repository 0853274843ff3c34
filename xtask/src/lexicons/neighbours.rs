//! `neighbours.bin`: the nearest words of frequent words.

use super::sources::Sources;
use super::{Table, glove};
use crate::Result;
use fissure_text::inflection;
use fissure_text::neighbours::{self, MOST, Vectors};
use fissure_text::wordnet::{self, Sense};
use rayon::prelude::*;
use std::collections::HashSet;

pub const TABLE: Table = Table {
    name: "neighbours",
    ending: "bin",
    what: "the ten nearest words, by cosine, of the 40,000 most frequent words",
    licence: "PDDL-1.0",
    made: "GloVe 6B 50d, the 40,000 most frequent words of letters, apostrophes and hyphens; antonyms by WordNet (of the lemmas, in any \
           sense, with their synonyms and hyponyms) left out; similarities rounded to a byte",
    build,
};

const FREQUENT: usize = 40_000;
/// Candidates looked at for each word: enough that ten are left when the word itself and its antonyms are gone.
const CANDIDATES: usize = 4 * MOST + 1;

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
    let meanings: Vec<Meaning> = words.iter().map(|word| Meaning::of(word)).collect();
    let kept = near.iter().enumerate().map(|(at, near)| {
        let others =
            near.iter().map(|(other, likeness)| (*other as usize, *likeness)).filter(|(other, _)| *other != at);
        others
            .filter(|(other, likeness)| *likeness > 0.0 && !meanings[at].opposes(&meanings[*other]))
            .take(MOST)
            .collect()
    });
    Ok(neighbours::pack(&words, &kept.collect::<Vec<_>>()))
}

fn is_word(token: &str) -> bool {
    token.starts_with(char::is_alphabetic)
        && token.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '-'))
}

/// What a word means, in all its senses: its synsets with those one step more general, and the synsets of its opposites.
struct Meaning {
    synsets: HashSet<u32>,
    opposites: HashSet<u32>,
}

impl Meaning {
    fn of(word: &str) -> Meaning {
        let tags = ["NNS", "VBD", "VBN", "VBG", "VBZ", "JJR", "JJS", "RBR", "RBS"];
        let lemmas = tags.iter().flat_map(|tag| inflection::lemmas(word, tag)).chain([word]);
        let senses: Vec<Sense> = lemmas.flat_map(wordnet::all_senses).collect();
        let general = senses.iter().flat_map(|sense| sense.hypernyms());
        let opposites = senses.iter().flat_map(|sense| sense.antonyms().chain(sense.indirect_antonyms()));
        Meaning {
            opposites: opposites.map(Sense::synset).collect(),
            synsets: senses.iter().copied().chain(general).map(Sense::synset).collect(),
        }
    }

    /// Whether one is an antonym of the other, or a synonym or a kind of one: `increase` and `reduction`, by `decrease`.
    fn opposes(&self, other: &Meaning) -> bool {
        !self.opposites.is_disjoint(&other.synsets) || !other.opposites.is_disjoint(&self.synsets)
    }
}
