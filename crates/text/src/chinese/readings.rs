//! How characters and words are read, in pinyin with the tone as a digit, and characters that sound alike.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::dictionary;
use super::script::{simplified_char, to_simplified};
use super::table::{lines, text};

struct Table {
    characters: HashMap<char, Vec<&'static str>>,
    /// Words in which a character has not its first reading, or has several.
    words: HashMap<&'static str, Vec<&'static str>>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { characters: HashMap::new(), words: HashMap::new() };
        for line in lines(text!("chinese_readings.txt")) {
            let mut fields = line.split(' ');
            let Some(key) = fields.next() else { continue };
            match key.strip_prefix('=') {
                Some(word) => _ = table.words.insert(word, fields.collect()),
                None => {
                    let character = key.chars().next();
                    character.into_iter().for_each(|c| _ = table.characters.insert(c, fields.clone().collect()));
                }
            }
        }
        table
    })
}

/// The usual readings of a character, the most usual first: `xing2 hang2` for `行`. None for what is no known character.
pub fn of(c: char) -> &'static [&'static str] {
    table().characters.get(&simplified_char(c)).map_or(&[], Vec::as_slice)
}

/// The readings of the characters of a word, if there is no doubt: the word is known with its readings, or each of its
/// characters has one alone.
///
/// ```
/// use fissure_text::chinese::readings;
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(readings::of_word("银行").as_deref(), Some(["yin2", "hang2"].as_slice()));
/// assert_eq!(readings::of_word("行"), None);
/// # }
/// ```
pub fn of_word(word: &str) -> Option<Vec<&'static str>> {
    let word = to_simplified(word);
    if let Some(known) = table().words.get(&*word) {
        return Some(known.clone());
    }
    let only = |c: char| match of(c) {
        [one] => Some(*one),
        _ => None,
    };
    word.chars().map(only).collect()
}

/// A syllable without its tone.
pub fn toneless(syllable: &str) -> &str {
    syllable.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The beginning of a syllable and its end: `zh`, `ang` for `zhang1`.
pub fn parts(syllable: &str) -> (&str, &str) {
    let plain = toneless(syllable);
    let vowel = plain.find(['a', 'e', 'i', 'o', 'u', 'v']).unwrap_or(0);
    plain.split_at(vowel)
}

/// The syllable that is heard if front and back nasals are not distinguished: `peng` for `pen`, `xin` for `xing`. `None` if
/// the syllable has no such end, or if no character is read that way.
pub fn other_nasal(syllable: &str) -> Option<String> {
    let (start, end) = parts(syllable);
    let other = match end {
        "an" => "ang",
        "ang" => "an",
        "en" => "eng",
        "eng" => "en",
        "in" => "ing",
        "ing" => "in",
        _ => return None,
    };
    let made = format!("{start}{other}{}", &syllable[toneless(syllable).len()..]);
    (!characters_of(&made).is_empty()).then_some(made)
}

struct Index {
    characters: HashMap<&'static str, Vec<char>>,
    /// The same without tones.
    typed: HashMap<&'static str, Vec<char>>,
}

/// How many characters are common: rarer ones are not what a hand slips to.
const COMMON: usize = 3_500;

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut counts: HashMap<char, u32> = HashMap::new();
        let mut index = Index { characters: HashMap::new(), typed: HashMap::new() };
        // A character alone says little: broken encodings gave the list many rare ones with high counts.
        for word in dictionary::words().filter(|word| word.chars().nth(1).is_some()) {
            let count = dictionary::count(word);
            for c in word.chars() {
                let sum = counts.entry(c).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        let mut characters: Vec<(char, &'static str)> = table()
            .characters
            .iter()
            .filter_map(|(c, read)| match read[..] {
                [only] if simplified_char(*c) == *c => Some((*c, only)),
                _ => None,
            })
            .collect();
        let mut ranked: Vec<(u32, char)> = counts.iter().map(|(c, count)| (*count, *c)).collect();
        ranked.sort_unstable_by_key(|(count, c)| (std::cmp::Reverse(*count), *c));
        let rank: HashMap<char, usize> =
            ranked.into_iter().take(COMMON).enumerate().map(|(at, (_, c))| (c, at)).collect();
        characters.retain(|(c, _)| rank.contains_key(c));
        characters.sort_by_key(|(c, _)| rank.get(c).copied());
        for (c, read) in characters {
            index.characters.entry(read).or_default().push(c);
            index.typed.entry(toneless(read)).or_default().push(c);
        }
        index
    })
}

/// The common characters that are always read so (`peng2`), the most frequent first.
pub fn characters_of(syllable: &str) -> &'static [char] {
    index().characters.get(syllable).map_or(&[], Vec::as_slice)
}

/// The common characters that are typed so, whatever the tone (`peng`), the most frequent first.
pub fn characters_typed(spelling: &str) -> &'static [char] {
    index().typed.get(spelling).map_or(&[], Vec::as_slice)
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    #[test]
    fn readings_are_known_or_refused() {
        assert_eq!(of('行')[..2], ["xing2", "hang2"]);
        assert_eq!(of_word("服务").as_deref(), Some(["fu2", "wu4"].as_slice()));
        assert_eq!(of_word("服務").as_deref(), Some(["fu2", "wu4"].as_slice()));
        assert_eq!(of_word("重复").as_deref(), Some(["chong2", "fu4"].as_slice()));
        assert_eq!(of_word("a"), None);
        assert_eq!((parts("zhang1"), parts("er2"), toneless("lv4")), (("zh", "ang"), ("", "er"), "lv"));
        assert_eq!(other_nasal("peng2").as_deref(), Some("pen2"));
        assert_eq!((other_nasal("wu4"), other_nasal("tian1")), (None, None));
    }

    #[test]
    fn what_sounds_alike() {
        assert!(characters_typed("shi").contains(&'事') && characters_typed("shi").contains(&'实'));
        assert!(characters_of("zai4").contains(&'再') && characters_of("zai4").contains(&'在'));
    }
}
