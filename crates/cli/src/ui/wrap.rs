//! Wraps running text at the width of the terminal.

use fissure_core::is_word_character;
use unicode_width::UnicodeWidthChar as _;

use super::columns;

/// The text in lines that any terminal shows, each behind `indent`. Styles take no room; a number and its `%` stay on one
/// line. Han characters take two columns, and a line may end between them.
pub fn wrapped(text: &str, indent: &str) -> String {
    within(columns(), text, indent)
}

/// The same in this many columns.
pub fn within(columns: usize, text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut room = 0;
    for word in text.replace(" %", "\u{A0}%").split_ascii_whitespace() {
        let mut space = 1;
        for part in parts(word) {
            let width = width(part);
            if lines.is_empty() || width + space > room {
                lines.push_str(if lines.is_empty() { "" } else { "\n" });
                lines.push_str(indent);
                room = columns.saturating_sub(indent.len());
            } else {
                lines.push_str(&" "[..space]);
                room -= space;
            }
            lines.push_str(&part.replace('\u{A0}', " "));
            room = room.saturating_sub(width);
            space = 0;
        }
    }
    lines + "\n"
}

/// The columns that the longest stretch of a word needs that cannot be parted.
pub fn longest_part(word: &str) -> usize {
    parts(word).map(width).max().unwrap_or(0)
}

/// What stands between spaces, cut before every Han character or kana.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = rest.char_indices().skip(1).find(|(_, letter)| is_word_character(*letter));
        let (part, left) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = left;
        Some(part).filter(|part| !part.is_empty())
    })
}

/// The columns of a word, without the codes that colour it (`\x1b[1m`).
fn width(word: &str) -> usize {
    let mut coded = false;
    let mut letters = 0;
    for letter in word.chars() {
        match letter {
            '\x1b' => coded = true,
            'm' if coded => coded = false,
            _ if coded => {}
            _ => letters += letter.width().unwrap_or(0),
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::bold;

    #[test]
    fn lines_are_full_and_none_is_too_long() {
        assert_eq!(within(10, "one two three\nfour", "  "), "  one two\n  three\n  four\n");
        assert_eq!(within(10, "ab cdefgh", "  "), "  ab\n  cdefgh\n");
        assert_eq!(within(10, "a-word-that-is-long b", ""), "a-word-that-is-long\nb\n");
        assert_eq!(within(10, "", "  "), "\n");
        assert_eq!(within(10, "at most 95 % of it", ""), "at most\n95 % of it\n");
        assert_eq!(within(10, "这部电影很好看，真的 ok", ""), "这部电影很\n好看，真的\nok\n");
    }

    #[test]
    fn styles_take_no_room() {
        let plain = within(12, "one two three", "");
        let styled = within(12, &format!("one {} three", bold("two")), "");
        assert_eq!(plain, "one two\nthree\n");
        assert_eq!(styled, format!("one {}\nthree\n", bold("two")));
    }
}
