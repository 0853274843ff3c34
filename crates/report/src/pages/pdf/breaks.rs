//! Text made fit for paper: on one line, not too long, and the places where a line may end.

use unicode_segmentation::UnicodeSegmentation as _;

/// Letters of a word that may be broken anywhere, lest it run into the next column.
const LONG_WORD: usize = 24;
/// Letters kept of one text; what is longer belongs in the HTML.
const LONGEST: usize = 400;

/// The text shortened, without line ends and without marks that only steer the direction of what follows.
pub fn clean(text: &str) -> String {
    let mut kept = String::new();
    for (at, letter) in text.chars().enumerate() {
        match letter {
            _ if at >= LONGEST => {
                kept.push('…');
                break;
            }
            '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => {}
            '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}' => {}
            letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => kept.push(' '),
            letter => kept.push(letter),
        }
    }
    kept
}

/// Where a line may begin, as byte offsets in order.
pub fn breaks(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut before = ['\0'; 2];
    for (at, letter) in text.char_indices() {
        let [earlier, last] = before;
        let after_space = is_space(last) && !is_space(letter);
        let after_dash = matches!(last, '-' | '–' | '—' | '/') && earlier.is_alphanumeric() && letter.is_alphabetic();
        let wide = letter.is_alphanumeric() && (is_wide(last) || (is_wide(letter) && last.is_alphanumeric()));
        if at > 0 && (after_space || after_dash || wide) {
            places.push(at);
        }
        before = [last, letter];
    }
    places.extend(in_long_words(text));
    places.sort_unstable();
    places.dedup();
    places
}

/// A space at which a line may end.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() && !matches!(letter, '\u{A0}' | '\u{202F}' | '\u{2007}')
}

/// Letters of scripts that are written without spaces.
pub fn is_wide(letter: char) -> bool {
    matches!(letter as u32, 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x2_0000..=0x3_FFFF)
}

/// Places inside very long words: after signs that part names and addresses, and now and then.
fn in_long_words(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive(is_space) {
        let letters = word.trim_end_matches(is_space);
        if letters.chars().nth(LONG_WORD).is_some() {
            let mut since = 0;
            for (at, grapheme) in letters.grapheme_indices(true) {
                since += 1;
                let end = at + grapheme.len();
                let parts = since > 2 && matches!(grapheme, "_" | "/" | "-" | "=" | "," | "." | "&");
                if end < letters.len() && (since >= LONG_WORD || parts) {
                    places.push(start + end);
                    since = 0;
                }
            }
        }
        start += word.len();
    }
    places
}

/// Whether a text is read from right to left: its first letter says so.
pub fn from_the_right(text: &str) -> bool {
    text.chars().find(|letter| letter.is_alphabetic()).is_some_and(is_right_to_left)
}

/// Hebrew, Arabic and their neighbours.
pub fn is_right_to_left(letter: char) -> bool {
    matches!(letter as u32, 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> String {
        let mut marked = text.to_owned();
        breaks(text).into_iter().rev().for_each(|at| marked.insert(at, '|'));
        marked
    }

    #[test]
    fn texts_stay_short_and_on_one_line() {
        assert_eq!(clean("a \"b\" \\\n$y$\u{202E}\u{200B}z"), "a \"b\" \\ $y$z");
        assert_eq!(clean(&"é".repeat(500)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(
            broken("a well-known  thing, 0.3–0.5 and/or −5 or -x"),
            "a |well-|known  |thing, |0.3–0.5 |and/|or |−5 |or |-x"
        );
        assert_eq!(broken("1\u{A0}000 samples"), "1\u{A0}000 |samples");
        assert_eq!(broken("日本語。"), "日|本|語。");
    }

    #[test]
    fn long_words_may_be_broken() {
        assert_eq!(broken("a reviews_of_the_last_ten_years (x)"), "a |reviews_|of_|the_|last_|ten_|years |(x)");
        assert_eq!(broken("short_words stay"), "short_words |stay");
        assert_eq!(broken(&"é".repeat(30)), format!("{}|{}", "é".repeat(24), "é".repeat(6)));
    }

    #[test]
    fn the_first_letter_says_where_a_text_begins() {
        assert!(from_the_right("1. שלום all") && from_the_right("سلام"));
        assert!(!from_the_right("so שלום") && !from_the_right("!") && !from_the_right(""));
    }
}
