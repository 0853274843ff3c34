//! Words that mean the same, and words that mean the opposite.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::table::{lines, text};
use crate::Upos;

/// A word with the same meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synonym {
    pub word: &'static str,
    /// How many of a hundred senses of either word both have.
    pub shared: u8,
}

/// Synonyms of a word that is used as this part of speech, those that share most senses first.
pub fn synonyms(word: &str, upos: Upos) -> &'static [Synonym] {
    static TABLE: OnceLock<HashMap<u8, HashMap<&'static str, Vec<Synonym>>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table: HashMap<u8, HashMap<&'static str, Vec<Synonym>>> = HashMap::new();
        for line in lines(text!("chinese_synonyms.txt")) {
            let mut fields = line.split(' ');
            let (Some(word), Some(kind)) = (fields.next(), fields.next()) else { continue };
            let synonym = |field: &'static str| {
                let (word, shared) = field.split_once(':')?;
                Some(Synonym { word, shared: shared.parse().ok()? })
            };
            table.entry(kind.as_bytes()[0]).or_default().insert(word, fields.filter_map(synonym).collect());
        }
        table
    });
    letter(upos).and_then(|letter| table.get(&letter)?.get(word)).map_or(&[], Vec::as_slice)
}

/// Words of as many characters that can replace a word in nearly every text: pairs that were reviewed one by one.
///
/// ```
/// use fissure_text::chinese::synonyms;
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(synonyms::reviewed("突然"), ["忽然"]);
/// # }
/// ```
pub fn reviewed(word: &str) -> &'static [&'static str] {
    static TABLE: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let entry = |line: &'static str| line.split_once(' ').map(|(word, others)| (word, others.split(' ').collect()));
        lines(text!("chinese_swaps.txt")).filter_map(entry).collect()
    });
    table.get(word).map_or(&[], Vec::as_slice)
}

/// Words that mean the opposite of a word that is used as this part of speech.
///
/// ```
/// use fissure_text::{Upos, chinese::synonyms};
/// # if fissure_text::chinese::INCLUDED {
/// assert_eq!(synonyms::opposites("支持", Upos::Verb), ["反对"]);
/// # }
/// ```
pub fn opposites(word: &str, upos: Upos) -> &'static [&'static str] {
    static TABLE: OnceLock<HashMap<u8, HashMap<&'static str, Vec<&'static str>>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table: HashMap<u8, HashMap<&'static str, Vec<&'static str>>> = HashMap::new();
        for line in lines(text!("chinese_opposites.txt")) {
            let fields: Vec<&'static str> = line.split(' ').collect();
            let [kind, one, other] = fields[..] else { continue };
            let table = table.entry(kind.as_bytes()[0]).or_default();
            table.entry(one).or_default().push(other);
            table.entry(other).or_default().push(one);
        }
        table
    });
    letter(upos).and_then(|letter| table.get(&letter)?.get(word)).map_or(&[], Vec::as_slice)
}

fn letter(upos: Upos) -> Option<u8> {
    match upos {
        Upos::Noun => Some(b'n'),
        Upos::Verb => Some(b'v'),
        Upos::Adj => Some(b'a'),
        Upos::Adv => Some(b'r'),
        _ => None,
    }
}
