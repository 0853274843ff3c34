//! Simplified and traditional characters. A text keeps its script: what is put into a traditional text is traditional.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::chars::is_han;
use super::table::{lines, text};

/// Which characters a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Simplified,
    Traditional,
}

/// Both ways between the scripts.
struct Table {
    /// For the characters of the basic block, in order: the simplified one.
    simplified: Vec<char>,
    /// For the same characters, the most usual traditional one.
    traditional: Vec<char>,
    /// The same for simplified characters outside the basic block.
    rare: HashMap<char, char>,
    /// Words whose traditional form is not that of their characters one by one.
    phrases: HashMap<&'static str, &'static str>,
}

const FIRST: u32 = 0x4e00;
const LAST: u32 = 0x9fff;
/// The longest phrase of the table, in characters.
const LONGEST: usize = 6;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table {
            simplified: (FIRST..=LAST).filter_map(char::from_u32).collect(),
            traditional: (FIRST..=LAST).filter_map(char::from_u32).collect(),
            rare: HashMap::new(),
            phrases: HashMap::new(),
        };
        for line in lines(text!("chinese_script.txt")) {
            let mut fields = line.split(' ');
            let (Some(way), Some(from), Some(to)) = (fields.next(), fields.next(), fields.next()) else { continue };
            let (first, other) = (from.chars().next().unwrap_or('\0'), to.chars().next().unwrap_or('\0'));
            match way {
                "t" => table.simplified.get_mut(place(first)).into_iter().for_each(|place| *place = other),
                "s" => match table.traditional.get_mut(place(first)) {
                    Some(place) => *place = other,
                    None => _ = table.rare.insert(first, other),
                },
                _ => _ = table.phrases.insert(from, to),
            }
        }
        table
    })
}

/// The place of a character in the basic block; beyond its end for others.
fn place(c: char) -> usize {
    (c as usize).wrapping_sub(FIRST as usize)
}

impl Table {
    /// The traditional form of a simplified character; others stay as they are.
    fn traditional_char(&self, c: char) -> char {
        self.traditional.get(place(c)).copied().unwrap_or_else(|| self.rare.get(&c).copied().unwrap_or(c))
    }
}

/// The simplified form of a character; others stay as they are.
#[inline]
pub fn simplified_char(c: char) -> char {
    if c.is_ascii() { c } else { table().simplified.get(place(c)).copied().unwrap_or(c) }
}

/// A text in simplified characters.
pub fn to_simplified(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| simplified_char(c) == c) {
        return text.into();
    }
    text.chars().map(simplified_char).collect::<String>().into()
}

/// A word or a text in traditional characters. Words decide between several: `头发` is `頭髮`, `发现` is `發現`.
pub fn to_traditional(text: &str) -> Cow<'_, str> {
    let table = table();
    let known = |c: &char| table.traditional_char(*c) != *c;
    let characters: Vec<char> = text.chars().collect();
    if !characters.iter().any(known) {
        return text.into();
    }
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let longest = (2..=LONGEST.min(characters.len() - at)).rev().find_map(|length| {
            let word: String = characters[at..at + length].iter().collect();
            Some((length, *table.phrases.get(word.as_str())?))
        });
        match longest {
            Some((length, phrase)) => {
                made.push_str(phrase);
                at += length;
            }
            None => {
                made.push(table.traditional_char(characters[at]));
                at += 1;
            }
        }
    }
    made.into()
}

/// The script of a text: the one of most of the characters that differ between the two; simplified if none does.
pub fn script_of(text: &str) -> Script {
    let table = table();
    let (mut simplified, mut traditional) = (0, 0);
    for c in text.chars().filter(|c| is_han(*c)) {
        let is_traditional = simplified_char(c) != c;
        traditional += usize::from(is_traditional);
        simplified += usize::from(!is_traditional && table.traditional_char(c) != c);
    }
    if traditional > simplified { Script::Traditional } else { Script::Simplified }
}

impl Script {
    /// A word or text of simplified characters in this script.
    pub fn write(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Simplified => text.into(),
            Self::Traditional => to_traditional(text),
        }
    }
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        assert_eq!(to_traditional("他发现头发长了，后来皇后也来了。"), "他發現頭髮長了，後來皇后也來了。");
        assert_eq!(to_simplified("這間酒店環境和服務態度亦算不錯"), "这间酒店环境和服务态度亦算不错");
        assert_eq!(to_traditional("人山"), "人山");
        assert_eq!(script_of("這間酒店"), Script::Traditional);
        assert_eq!(script_of("这间酒店"), Script::Simplified);
        assert_eq!(script_of("abc"), Script::Simplified);
    }
}
