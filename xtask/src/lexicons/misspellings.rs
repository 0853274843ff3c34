//! `misspellings.txt`: a right word, then the wrong spellings of it that people really write.

use super::sources::{Sources, TYPOS};
use super::{Table, glove, right_words::right_words};
use crate::Result;
use std::collections::{BTreeMap, HashMap};

pub const TABLE: Table = Table {
    name: "misspellings",
    ending: "txt",
    what: "common misspellings of right words, the most frequent first",
    licence: "MIT OR Apache-2.0",
    made: "typos-dict entries with one correction, turned round; the correction is among the 40,000 most frequent words of GloVe, the \
           misspelling is in no dictionary; ordered by frequency in GloVe; at most 6 per word, without those that put a stray \
           letter before a word of up to five",
    build,
};

/// More of a word's misspellings are never drawn.
const MOST: usize = 6;
/// Only words that texts contain are worth their space.
const FREQUENT: usize = 40_000;

/// Misspellings so frequent that they would be taken for words.
const FREQUENT_AND_WRONG: [&str; 3] = ["teh", "siad", "cna"];

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let mut right = right_words(sources)?;
    right.retain(|word| !FREQUENT_AND_WRONG.contains(&&**word));
    let rank: HashMap<String, usize> = glove::words(sources)?.into_iter().zip(0..).collect();
    let mut misspellings: BTreeMap<&str, Vec<(usize, usize, &str)>> = BTreeMap::new();
    let code = sources.text(&TYPOS, "src/word_codegen.rs")?;
    for entry in code.split("InsensitiveStr::Ascii(\"").skip(1) {
        let Some((wrong, rest)) = entry.split_once('"') else { continue };
        let corrections = rest.split_once("&[").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
        let [_, word, _] = corrections.split('"').collect::<Vec<_>>()[..] else { continue };
        let known = rank.get(word).is_some_and(|rank| *rank < FREQUENT) && right.contains(word);
        let slip = edits(wrong, word);
        if known
            && !right.contains(wrong)
            && slip <= 2
            && word.len() > 2
            && wrong.bytes().all(|byte| byte.is_ascii_lowercase())
        {
            // What is frequent and short is mostly an abbreviation of something else; there, a mere swap of letters is likelier.
            let frequency = match rank.get(wrong) {
                _ if wrong.len() < 5 => usize::from(!same_letters(wrong, word)),
                Some(rank) => *rank,
                None => usize::MAX,
            };
            misspellings.entry(word).or_default().push((frequency, slip, wrong));
        }
    }
    let mut text =
        String::from("# A right word, then common misspellings of it, the most frequent first. See manifest.toml.\n");
    for (word, mut wrong) in misspellings {
        wrong.sort();
        let written: Vec<&str> = wrong
            .iter()
            .take(MOST)
            .map(|(_, _, wrong)| *wrong)
            .filter(|wrong| !has_stray_letter(wrong, word))
            .collect();
        if !written.is_empty() {
            text.push_str(&format!("{word} {}\n", written.join(" ")));
        }
    }
    Ok(text.into_bytes())
}

/// Whether the misspelling only puts another letter before a short word, as few do: `dthe`.
fn has_stray_letter(wrong: &str, word: &str) -> bool {
    word.len() <= 5 && wrong.len() == word.len() + 1 && wrong.ends_with(word) && !wrong.starts_with(&word[..1])
}

fn same_letters(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters = word.as_bytes().to_vec();
        letters.sort();
        letters
    };
    sorted(one) == sorted(other)
}

/// The edit distance in bytes, with a swap of neighbours as one edit.
fn edits(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let kept = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                    let mut least = kept.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    rows[one.len()][other.len()]
}
