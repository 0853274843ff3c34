//! Transformations, by what they look at: characters, words, or the whole text.

pub(crate) mod character;
pub(crate) mod sentence;
pub(crate) mod task;
pub(crate) mod word;
