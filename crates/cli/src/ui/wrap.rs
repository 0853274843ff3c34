//! Running text in lines that fit.

use super::columns;

/// The text in lines that any terminal shows, each behind `indent`. Styles take no room; a number and its `%` stay on one
/// line.
pub fn wrapped(text: &str, indent: &str) -> String {
    within(columns(), text, indent)
}

fn within(columns: usize, text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut room = 0;
    for word in text.replace(" %", "\u{A0}%").split_ascii_whitespace() {
        let width = width(word);
        if lines.is_empty() || width + 1 > room {
            lines.push_str(if lines.is_empty() { "" } else { "\n" });
            lines.push_str(indent);
            room = columns.saturating_sub(indent.len());
        } else {
            lines.push(' ');
            room -= 1;
        }
        lines.push_str(&word.replace('\u{A0}', " "));
        room = room.saturating_sub(width);
    }
    lines + "\n"
}

/// The letters of a word, without the codes that colour it (`\x1b[1m`).
fn width(word: &str) -> usize {
    let mut coded = false;
    let mut letters = 0;
    for letter in word.chars() {
        match letter {
            '\x1b' => coded = true,
            'm' if coded => coded = false,
            _ if coded => {}
            _ => letters += 1,
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
    }

    #[test]
    fn styles_take_no_room() {
        let plain = within(12, "one two three", "");
        let styled = within(12, &format!("one {} three", bold("two")), "");
        assert_eq!(plain, "one two\nthree\n");
        assert_eq!(styled, format!("one {}\nthree\n", bold("two")));
    }
}
