//! Groups of words that are used alike, from word vectors: what the taggers know about words that the treebank lacks.

use crate::perceptron::Hash;

/// The fine and the coarse group of a word, given the hash of its small letters.
pub fn of(_lower: Hash) -> [Hash; 2] {
    [Hash::default(); 2]
}
