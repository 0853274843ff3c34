//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.

pub mod articles;
pub mod casing;
pub mod inflection;
pub mod keyboard;
pub mod lexicon;
pub mod lookalikes;
pub mod misspellings;
pub mod names;
pub mod neighbours;
pub mod ngrams;
pub mod numbers;
pub mod wordnet;
