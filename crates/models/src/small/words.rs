//! How the small models cut a text into words.
//!
//! A word is a match of `[a-z0-9]+(?:'[a-z]+)*|[!?.,;:]` in the text with ASCII capitals made small; `<br />` separates
//! words like a space. Ranges point into the text as the user wrote it.

use std::ops::Range;

/// The byte ranges of the words of a text, found as they are asked for.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match bytes.get(at)? {
                b'<' if bytes[at..].starts_with(BREAK) => at += BREAK.len(),
                b'!' | b'?' | b'.' | b',' | b';' | b':' => {
                    at += 1;
                    return Some(start..at);
                }
                byte if byte.is_ascii_alphanumeric() => {
                    at += run(&bytes[at..], u8::is_ascii_alphanumeric);
                    while bytes.get(at) == Some(&b'\'') {
                        match run(&bytes[at + 1..], u8::is_ascii_alphabetic) {
                            0 => break,
                            letters => at += 1 + letters,
                        }
                    }
                    return Some(start..at);
                }
                // No byte of a character outside ASCII is taken for one inside it.
                _ => at += 1,
            }
        }
    })
}

const BREAK: &[u8] = b"<br />";

/// How many bytes from the start are of a kind.
fn run(bytes: &[u8], kind: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| kind(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn words_by_hand() {
        assert_eq!(
            cut("I don't -- well, rock'n'roll's 2nd!"),
            ["I", "don't", "well", ",", "rock'n'roll's", "2nd", "!"]
        );
        assert_eq!(cut("good<br /><br />bad<BR />x<br/>"), ["good", "bad", "BR", "x", "br"]);
        assert_eq!(cut("a'1 b' 'c' d'e3"), ["a", "1", "b", "c", "d'e", "3"]);
        assert_eq!(
            cut("na\u{ef}ve \u{130}stanbul \u{1f468}\u{200d}\u{1f469} \u{5d0}.\u{5d1}"),
            ["na", "ve", "stanbul", "."]
        );
        assert_eq!(cut("U.S.A...?"), ["U", ".", "S", ".", "A", ".", ".", ".", "?"]);
        assert!(cut("").is_empty() && cut(" <br /> \n").is_empty());
    }

    proptest! {
        #[test]
        fn words_lie_in_order_inside_the_text(text in ".{0,40}|[a-cA-C0-1' .<>br/]{0,60}") {
            let mut end = 0;
            for range in words(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                end = range.end;
                let word = &text[range];
                prop_assert!(word.is_ascii() && !word.starts_with('\'') && !word.ends_with('\''));
            }
        }
    }
}
