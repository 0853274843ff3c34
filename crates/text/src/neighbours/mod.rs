//! Neighbours: the words nearest to a word in a space of word vectors.
//!
//! For the 40,000 most frequent words of GloVe 6B (50 dimensions) the ten nearest are built in, antonyms left out as far
//! as WordNet knows them; [`Vectors`] reads any other file of vectors.

mod vectors;

use crate::lexicon::{LexiconError, Reader, Words, Writer};
use std::sync::OnceLock;

pub use vectors::{Vectors, VectorsError};

/// How many neighbours the built-in table has for a word, at most.
pub const MOST: usize = 10;

/// The built-in neighbours of a lower-case word, the nearest first, each with its cosine similarity (to 1/255).
///
/// ```
/// use fissure_text::neighbours;
/// let (word, similarity) = neighbours::of("film").next().unwrap();
/// assert!(word == "movie" && similarity > 0.9);
/// ```
pub fn of(word: &str) -> impl Iterator<Item = (&'static str, f32)> {
    let table = Table::get();
    let range = table.words.find(word).map_or(0..0, |id| id as usize * MOST..(id as usize + 1) * MOST);
    table.near[range]
        .iter()
        .filter(|(_, likeness)| *likeness > 0)
        .map(|(id, likeness)| (table.words.get(u32::from(*id)), f32::from(*likeness) / 255.0))
}

/// How frequent a lower-case word is, 0 for the most frequent, among the words that have neighbours.
pub fn frequency_rank(word: &str) -> Option<u32> {
    let table = Table::get();
    table.words.find(word).map(|id| u32::from(table.ranks[id as usize]))
}

/// The word of that frequency rank, 0 for the most frequent; nothing beyond the 40,000 that have neighbours.
pub fn word_of_rank(rank: usize) -> Option<&'static str> {
    let table = Table::get();
    table.by_rank.get(rank).map(|id| table.words.get(u32::from(*id)))
}

/// The table, packed: for each word, in order of frequency, its neighbours (by their places) and similarities.
pub fn pack(words: &[String], near: &[Vec<(usize, f32)>]) -> Vec<u8> {
    assert!(words.len() <= usize::from(u16::MAX) && words.len() == near.len(), "the table counts words with 16 bits");
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|at| &words[*at]);
    let mut places = vec![0; words.len()];
    order.iter().enumerate().for_each(|(place, at)| places[*at] = place);
    let mut writer = Writer::default();
    writer.words(&order.iter().map(|at| &words[*at]).collect::<Vec<_>>());
    order.iter().for_each(|rank| writer.number(*rank as u64));
    let byte = |likeness: f32| (likeness.clamp(0.0, 1.0) * 255.0).round() as u8;
    let padded = |at: usize| {
        near[at]
            .iter()
            .map(|(other, likeness)| (places[*other], byte(*likeness)))
            .chain(std::iter::repeat((0, 0)))
            .take(MOST)
    };
    writer.bytes(
        &order
            .iter()
            .flat_map(|at| padded(*at))
            .flat_map(|(place, _)| (place as u16).to_le_bytes())
            .collect::<Vec<_>>(),
    );
    // Similarities fall, so the steps between them are small.
    let mut steps = Vec::new();
    for at in &order {
        let mut last = 255;
        for (_, likeness) in padded(*at) {
            steps.push(last - likeness);
            last = likeness;
        }
    }
    writer.bytes(&steps);
    writer.finish()
}

struct Table {
    words: Words,
    ranks: Vec<u16>,
    /// The number of the word of each rank.
    by_rank: Vec<u16>,
    /// `MOST` for each word; a similarity of 0 is no neighbour.
    near: Vec<(u16, u8)>,
}

impl Table {
    fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            Table::read(include_bytes!("../../../../lexicons/neighbours.bin"))
                .expect("the built-in table is sound, a test reads it")
        })
    }

    fn read(table: &[u8]) -> Result<Table, LexiconError> {
        let mut reader = Reader::new(table)?;
        let words = reader.words()?;
        let ranks: Vec<u16> =
            (0..words.len()).map(|_| reader.index(words.len()).map(|rank| rank as u16)).collect::<Result<_, _>>()?;
        let mut by_rank = vec![0; ranks.len()];
        ranks.iter().zip(0..).for_each(|(rank, id)| by_rank[usize::from(*rank)] = id);
        let places: Vec<u16> =
            reader.bytes()?.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let steps = reader.bytes()?.to_vec();
        if places.len() != words.len() * MOST || steps.len() != places.len() {
            return Err(reader.damaged("not every word has its neighbours"));
        }
        reader.finish()?;
        let mut near = Vec::with_capacity(places.len());
        for (places, steps) in places.chunks_exact(MOST).zip(steps.chunks_exact(MOST)) {
            let mut likeness: u8 = 255;
            for (place, step) in places.iter().zip(steps) {
                likeness = likeness.wrapping_sub(*step);
                near.push((*place, likeness));
            }
        }
        Ok(Table { words, ranks, by_rank, near })
    }
}

#[cfg(test)]
mod tests;
