//! An n-gram language model: interpolated modified Kneser-Ney (Chen and Goodman 1998), trained from any sequences of
//! tokens, kept in a compact trie, and two small built-in ones: of English words and of Chinese characters.

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

/// The built-in model of Chinese, order 3, unpacked when it is first asked for. It knows simplified characters, one token
/// each, and takes half-width marks for full-width ones: [`chinese_token`].
pub fn chinese() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    share_alike::used();
    #[cfg(feature = "share-alike")]
    return MODEL.get_or_init(|| {
        Model::read(include_bytes!("../../../../lexicons/chinese_3gram.bin"))
            .expect("the built-in table is sound, a test reads it")
    });
    #[cfg(not(feature = "share-alike"))]
    MODEL.get_or_init(|| {
        let mut trainer = Trainer::new(3);
        trainer.add(["的"]);
        trainer.finish(1, &[1, 1])
    })
}

/// A character as the built-in model of Chinese knows it; `None` for a space. Digits are one token, and so are letters.
pub fn chinese_token(letter: char) -> Option<char> {
    match letter {
        '0'..='9' | '\u{ff10}'..='\u{ff19}' => Some('0'),
        ',' => Some('，'),
        '.' => Some('。'),
        // The full-width form of a mark, which is where the half-width one would be a block further on.
        '!' | '?' | ';' | ':' | '(' | ')' => char::from_u32(letter as u32 + 0xfee0),
        _ if letter.is_whitespace() => None,
        _ if letter.is_ascii_alphabetic() || ('\u{ff21}'..='\u{ff5a}').contains(&letter) => Some('a'),
        _ => Some(letter),
    }
}

/// The tokens of a Chinese text: a run of digits or of letters is one.
pub fn chinese_tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<char> = text.chars().filter_map(chinese_token).collect();
    tokens.dedup_by(|next, last| next == last && matches!(last, '0' | 'a'));
    tokens.into_iter().map(String::from).collect()
}

/// The perplexity of a Chinese text in the built-in model, by its characters: the lower, the more fluent.
///
/// ```
/// use fissure_text::ngrams::chinese_perplexity;
/// assert!(chinese_perplexity("这是一个非常重要的问题。") < chinese_perplexity("问要这是题重常一的非个。"));
/// ```
pub fn chinese_perplexity(text: &str) -> f64 {
    chinese().perplexity(&chinese_tokens(text))
}

#[cfg(test)]
mod tests;
