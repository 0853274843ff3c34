//! From text to tokens and back. Tokens are in lower case: the data are few, and case says little.

use fissure_text::TokenKind;

/// What an n-gram model calls the unknown word, the start and the end.
const MARKS: [&str; 3] = ["<unk>", "<s>", "</s>"];

/// A text longer than this is decoded in parts, as the decoder keeps its covered words in the bits of a number.
pub const PART: usize = 40;

/// The tokens of a text, in lower case; tags of HTML are left out, and with them what the language model calls its
/// own marks.
pub fn tokens(text: &str) -> Vec<String> {
    let tokens = fissure_text::tokens(text).into_iter().filter(|token| token.kind != TokenKind::Markup);
    tokens.map(|token| token.text(text).to_lowercase()).filter(|token| !MARKS.contains(&token.as_str())).collect()
}

/// The tokens cut into parts of bounded length, where a sentence ends if one does.
pub fn parts(tokens: &[String]) -> impl Iterator<Item = &[String]> {
    let mut rest = tokens;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let most = rest.len().min(PART);
        let stop = rest[..most].iter().rposition(|token| matches!(token.as_str(), "." | "!" | "?"));
        let end = match stop {
            Some(stop) if most < rest.len() => stop + 1,
            _ => most,
        };
        let (part, left) = rest.split_at(end);
        rest = left;
        Some(part)
    })
}

/// The tokens as a text: one space between words, none before marks that end something or follow a word.
pub fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut glued = true;
    for token in tokens {
        let closes =
            token.starts_with(['.', ',', '!', '?', ';', ':', ')', ']', '\'', '\u{2019}', '%']) || token == "n't";
        if !glued && !closes {
            text.push(' ');
        }
        text.push_str(token);
        glued = matches!(token.as_str(), "(" | "[" | "$" | "#");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let tokens = tokens("He didn't (really) pay $5, did he?");
        assert_eq!(joined(&tokens), "he didn't (really) pay $5, did he?");
    }

    #[test]
    fn long_texts_come_in_parts() {
        let text = "one two . ".repeat(30);
        let tokens = tokens(&text);
        let lengths: Vec<usize> = parts(&tokens).map(<[String]>::len).collect();
        assert_eq!(lengths, [39, 39, 12]);
        let long = vec!["a".to_owned(); 90];
        assert_eq!(parts(&long).map(<[String]>::len).collect::<Vec<_>>(), [40, 40, 10]);
        assert_eq!(parts(&[]).count(), 0);
    }
}
