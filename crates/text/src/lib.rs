//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.

pub mod casing;
pub mod keyboard;
pub mod lookalikes;
pub mod misspellings;
pub mod numbers;
