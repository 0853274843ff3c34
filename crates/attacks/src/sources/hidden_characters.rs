use fissure_core::Word;

use crate::{Attempt, Change, Source, State};

attack_part! { Source;
    /// Characters that a reader does not see: invisible ones, look-alikes of other scripts, a letter that is deleted again, two
    /// that are shown in reverse order.
    pub struct HiddenCharacters {
        /// Whether invisible characters are inserted.
        invisible: bool = true;
        /// Whether letters become look-alikes of other scripts.
        homoglyphs: bool = true;
        /// Whether a letter is typed and deleted with a control character.
        deletions: bool = true;
        /// Whether two letters are reversed and shown in order by control characters.
        reordering: bool = true;
    }
}

const INVISIBLE: [&str; 3] = ["\u{200B}", "\u{200C}", "\u{200D}"];
/// Latin letters with one of Cyrillic or Greek that looks the same.
const HOMOGLYPHS: [(&str, &str); 14] = [
    ("a", "\u{430}"),
    ("c", "\u{441}"),
    ("e", "\u{435}"),
    ("i", "\u{456}"),
    ("j", "\u{458}"),
    ("o", "\u{43E}"),
    ("p", "\u{440}"),
    ("s", "\u{455}"),
    ("x", "\u{445}"),
    ("y", "\u{443}"),
    ("A", "\u{391}"),
    ("B", "\u{392}"),
    ("E", "\u{395}"),
    ("O", "\u{39F}"),
];

impl Source for HiddenCharacters {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&attempt.victim, word);
        let letters: Vec<(usize, &str)> = Word { text: now, span: (0..now.len()).into() }.letters().collect();
        let put = |at: usize, length: usize, with: &str| format!("{}{with}{}", &now[..at], &now[at + length..]);
        let mut found = Vec::new();
        for (number, (at, letter)) in letters.iter().enumerate() {
            if self.invisible {
                found.extend(INVISIBLE.iter().map(|character| put(*at, 0, character)));
            }
            if self.homoglyphs {
                let likes = HOMOGLYPHS.iter().filter(|(latin, _)| latin == letter);
                found.extend(likes.map(|(_, like)| put(*at, letter.len(), like)));
            }
            if self.deletions {
                found.push(put(*at, 0, "x\u{8}"));
            }
            if let Some((_, next)) = letters.get(number + 1).filter(|_| self.reordering) {
                // Right-to-left override around the two in reverse, then back.
                found.push(put(*at, letter.len() + next.len(), &format!("\u{202E}{next}{letter}\u{202C}")));
            }
        }
        found.into_iter().map(Change::new).collect()
    }
}
