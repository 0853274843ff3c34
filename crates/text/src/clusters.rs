//! Groups of words that are used alike, found in word vectors: what the taggers know about words that the treebank lacks.

use std::sync::OnceLock;

use crate::perceptron::{Hash, WeightsError, deflate, get_number, inflate, mix, put_number, take};

/// The fine and the coarse group of a word, given the hash of its lower-case letters; zero for words that are in none.
pub fn of(lower: Hash) -> [Hash; 2] {
    static LOADED: OnceLock<Clusters> = OnceLock::new();
    let clusters = LOADED.get_or_init(|| {
        let bytes = include_bytes!("../../../lexicons/clusters.table");
        Clusters::decode(bytes).expect("the clusters in the program are the ones that a test has read")
    });
    clusters.get(lower).map_or_else(Default::default, |(fine, coarse)| {
        [mix(1, Hash(u32::from(fine)), Hash::default()), mix(2, Hash(u32::from(coarse)), Hash::default())]
    })
}

/// A table from the hashes of words to their groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    /// Where the words start whose hash has the high bits of this place; one more than there are such places.
    starts: Vec<u32>,
    /// The hashes of the words, in rising order, and their fine groups.
    words: Vec<(Hash, u16)>,
    /// The coarse group of each fine one.
    coarse: Vec<u8>,
}

const BITS: u32 = 16;

impl Clusters {
    /// Builds the table. Where two words have the same hash, the first one given keeps it.
    pub fn new(words: impl IntoIterator<Item = (Hash, u16)>, coarse: Vec<u8>) -> Self {
        let mut words: Vec<_> = words.into_iter().filter(|(_, fine)| usize::from(*fine) < coarse.len()).collect();
        words.sort_by_key(|(hash, _)| hash.0);
        words.dedup_by_key(|(hash, _)| hash.0);
        let starts = (0..=1 << BITS).map(|place| words.partition_point(|(hash, _)| hash.bucket(BITS) < place) as u32);
        Self { starts: starts.collect(), words, coarse }
    }

    fn get(&self, word: Hash) -> Option<(u16, u8)> {
        let place = word.bucket(BITS);
        let near = &self.words[self.starts[place] as usize..self.starts[place + 1] as usize];
        let (_, fine) = near.iter().find(|(hash, _)| *hash == word)?;
        Some((*fine, *self.coarse.get(usize::from(*fine))?))
    }

    /// The bytes that [`Self::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        put_number(&mut plain, self.coarse.len() as u32);
        plain.extend(&self.coarse);
        put_number(&mut plain, self.words.len() as u32);
        let mut last = 0;
        for (hash, _) in &self.words {
            put_number(&mut plain, hash.0 - last);
            last = hash.0;
        }
        for shift in [0, 8] {
            plain.extend(self.words.iter().map(|(_, fine)| (fine >> shift) as u8));
        }
        deflate(&plain)
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, WeightsError> {
        let plain = inflate(bytes)?;
        let mut rest = plain.as_slice();
        let groups = get_number(&mut rest)? as usize;
        let coarse = take(&mut rest, groups)?.to_vec();
        let count = get_number(&mut rest)? as usize;
        let mut hashes = Vec::with_capacity(count.min(plain.len()));
        let mut last = 0_u32;
        for _ in 0..count {
            last = last.checked_add(get_number(&mut rest)?).ok_or(WeightsError::Broken)?;
            hashes.push(Hash(last));
        }
        let (low, high) = (take(&mut rest, count)?, take(&mut rest, count)?);
        let fine = low.iter().zip(high).map(|(low, high)| u16::from_le_bytes([*low, *high]));
        Ok(Self::new(hashes.into_iter().zip(fine), coarse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_find_their_groups_again() {
        let table = Clusters::new([(Hash(7), 1), (Hash(u32::MAX), 300), (Hash(9), 0)], vec![3; 301]);
        let back = Clusters::decode(&table.encode()).unwrap();
        assert_eq!(back, table);
        assert_eq!(back.get(Hash(u32::MAX)), Some((300, 3)));
        assert_eq!(back.get(Hash(8)), None);
        assert!(Clusters::decode(&deflate(&[9])).is_err());
    }

    #[test]
    fn words_used_alike_share_a_group() {
        let group = |word| of(crate::word_features::WordFeatures::of(word).lower);
        assert_ne!(group("Monday"), <[Hash; 2]>::default());
        assert_eq!(group("Monday"), group("tuesday"));
        assert_eq!(group("blargblarg"), <[Hash; 2]>::default());
    }
}
