//! Help that models lend to parts: guesses of hidden words, likeness of texts, translations by another program.

mod guesser;
mod likeness;
mod translator;

pub use guesser::LocalGuesser;
pub use likeness::LocalLikeness;
pub use translator::{CommandTranslator, TranslatorError};
