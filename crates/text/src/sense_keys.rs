//! Words that share a sense of the dictionary, by the keys that corpora with marked senses use: `buy%2:40:00::`.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A word and the key of the sense that it shares with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    pub word: &'static str,
    pub key: String,
}

/// The other words that have the sense with this key; none for a key that the table does not have.
///
/// ```
/// let others = fissure_text::sense_keys::sharing("purchase%2:40:00::");
/// assert_eq!((others[0].word, &*others[0].key), ("buy", "buy%2:40:00::"));
/// ```
pub fn sharing(key: &str) -> Vec<Keyed> {
    let Some((word, _)) = key.split_once('%') else { return Vec::new() };
    let Some(lines) = table().get(word) else { return Vec::new() };
    let Some(line) = lines.iter().find(|line| line.keys().any(|keyed| keyed.word == word && keyed.key == key)) else {
        return Vec::new();
    };
    line.keys().filter(|keyed| keyed.word != word).collect()
}

/// A synset: the start of its keys, and its words with their numbers.
#[derive(Debug, Clone, Copy)]
struct Line {
    start: &'static str,
    members: &'static str,
}

impl Line {
    fn keys(self) -> impl Iterator<Item = Keyed> {
        self.members.split(' ').filter_map(move |member| {
            let (word, number) = member.split_once(':')?;
            Some(Keyed { word, key: format!("{word}%{}:{number}::", self.start) })
        })
    }
}

fn table() -> &'static HashMap<&'static str, Vec<Line>> {
    static TABLE: OnceLock<HashMap<&'static str, Vec<Line>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<&'static str, Vec<Line>> = HashMap::new();
        for line in include_str!("../../../lexicons/sense_keys.txt").lines() {
            let Some((start, members)) = line.split_once(' ') else { continue };
            let line = Line { start, members };
            for keyed in line.keys() {
                table.entry(keyed.word).or_default().push(line);
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_goes_both_ways() {
        for line in table().values().flatten().take(500) {
            for keyed in line.keys() {
                for other in sharing(&keyed.key) {
                    assert!(sharing(&other.key).contains(&keyed), "{keyed:?} {other:?}");
                }
            }
        }
        assert_eq!(sharing("no such key"), []);
        assert_eq!(sharing("buy%9:99:99::"), []);
    }
}
