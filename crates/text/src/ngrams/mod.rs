//! An n-gram language model: interpolated modified Kneser-Ney (Chen and Goodman 1998), trained from any sequences of
//! tokens, kept in a compact trie, and a small built-in one of English.

mod model;
mod trainer;

use std::sync::OnceLock;

pub use model::Model;
pub use trainer::Trainer;

use crate::share_alike;

/// The number of the word that stands for all unknown ones.
pub const UNKNOWN: u32 = 0;
/// The number of the mark before the first token.
pub const START: u32 = 1;
/// The number of the mark behind the last token.
pub const END: u32 = 2;
/// What the three marks are called; no token is called so.
const MARKS: [&str; 3] = ["<unk>", "<s>", "</s>"];

/// The built-in model of English, order 3, unpacked when it is first asked for. It knows lower-case tokens as UD and the
/// Penn Treebank cut them (`do`, `n't`), and takes every token with a digit for the same one: [`english_token`].
pub fn english() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    share_alike::used();
    #[cfg(feature = "share-alike")]
    return MODEL.get_or_init(|| {
        Model::read(include_bytes!("../../../../lexicons/english_3gram.bin"))
            .expect("the built-in table is sound, a test reads it")
    });
    #[cfg(not(feature = "share-alike"))]
    MODEL.get_or_init(|| {
        let mut trainer = Trainer::new(3);
        trainer.add(["the"]);
        trainer.finish(1, &[1, 1])
    })
}

/// A token as the built-in model knows it.
pub fn english_token(token: &str) -> String {
    if token.contains(|character: char| character.is_ascii_digit()) { "0".to_owned() } else { token.to_lowercase() }
}

/// The perplexity of a text in the built-in model of English, from its tokens: the lower, the more fluent.
///
/// ```
/// use fissure_text::ngrams::english_perplexity;
/// let right = english_perplexity(&["he", "went", "to", "the", "house", "."]);
/// let wrong = english_perplexity(&["house", "the", "went", ".", "he", "to"]);
/// assert!(right < wrong);
/// ```
pub fn english_perplexity<T: AsRef<str>>(tokens: &[T]) -> f64 {
    let tokens: Vec<String> = tokens.iter().map(|token| english_token(token.as_ref())).collect();
    english().perplexity(&tokens)
}

#[cfg(test)]
mod tests;
