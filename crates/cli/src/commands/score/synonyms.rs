//! Synonyms of a model's words, from WordNet.

use std::collections::BTreeSet;

use fissure_geometry::Vocabulary;
use fissure_text::wordnet;

/// The number of most frequent senses, per kind of word, that synonyms come from: rarer senses are seldom meant.
const SENSES: usize = 3;

/// For each entry of the vocabulary the entries of its synonyms. WordNet lists words in their basic form, so only a word in
/// that form has any.
pub fn of(vocabulary: &Vocabulary) -> Vec<Vec<u32>> {
    let synonyms = |entry: u32| -> Vec<u32> {
        let word = vocabulary.text(entry).to_lowercase();
        let found: BTreeSet<u32> = wordnet::all_senses(&word)
            .filter(|sense| sense.rank() < SENSES)
            .flat_map(|sense| sense.synonyms())
            .filter_map(|synonym| vocabulary.find(&synonym.word().to_lowercase()))
            .filter(|&synonym| synonym != entry)
            .collect();
        found.into_iter().collect()
    };
    (0..vocabulary.len() as u32).map(synonyms).collect()
}
