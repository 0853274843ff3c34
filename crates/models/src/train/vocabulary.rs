//! Which words and bigrams a model knows: the most frequent of its training texts.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::{Example, TrainOptions};
use crate::small::WordCut;
use crate::small::reader::{MARKS, SEPARATOR};

/// The entries of the embedding table: the marks, then words and then bigrams, each by falling frequency, and
/// alphabetically among equals.
pub(super) fn build<'a>(
    examples: impl Iterator<Item = &'a Example> + Clone,
    bigrams: bool,
    cut: WordCut,
    options: &TrainOptions,
) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut lower = String::new();
    for text in texts(examples.clone()) {
        for range in cut.words(text).take(options.max_words) {
            lower_into(&mut lower, &text[range]);
            *counts.entry_ref(lower.as_str()).or_insert(0) += 1;
        }
    }
    let known = most_frequent(counts, options.words, options.fewest_occurrences);
    let mut vocabulary: Vec<String> = MARKS.map(str::to_owned).to_vec();
    if examples.clone().any(|example| example.pair.is_some()) {
        vocabulary.push(SEPARATOR.to_owned());
    }
    let pairs = if bigrams { frequent_bigrams(examples, &known, cut, options) } else { Vec::new() };
    vocabulary.extend(known);
    vocabulary.extend(pairs);
    vocabulary
}

/// The most frequent pairs of neighbouring words that are both known.
fn frequent_bigrams<'a>(
    examples: impl Iterator<Item = &'a Example> + Clone,
    known: &[String],
    cut: WordCut,
    options: &TrainOptions,
) -> Vec<String> {
    let ids: HashMap<&str, u32> = known.iter().enumerate().map(|(id, word)| (word.as_str(), id as u32)).collect();
    let mut counts: HashMap<(u32, u32), usize> = HashMap::new();
    let mut lower = String::new();
    for text in texts(examples) {
        let mut before = None;
        for range in cut.words(text).take(options.max_words) {
            lower_into(&mut lower, &text[range]);
            let word = ids.get(lower.as_str()).copied();
            if let (Some(before), Some(word)) = (before, word) {
                *counts.entry((before, word)).or_insert(0) += 1;
            }
            before = word;
        }
    }
    let name = |(first, second): (u32, u32)| format!("{} {}", known[first as usize], known[second as usize]);
    most_frequent(counts, options.bigrams, options.fewest_occurrences).into_iter().map(name).collect()
}

pub(super) fn texts<'a>(examples: impl Iterator<Item = &'a Example>) -> impl Iterator<Item = &'a str> {
    examples.flat_map(|example| [Some(example.text.as_str()), example.pair.as_deref()].into_iter().flatten())
}

fn lower_into(buffer: &mut String, word: &str) {
    buffer.clear();
    buffer.push_str(word);
    buffer.make_ascii_lowercase();
}

/// The keys with the highest counts, which are at least `fewest`; equals in the order of the keys.
fn most_frequent<K: Ord>(counts: HashMap<K, usize>, most: usize, fewest: usize) -> Vec<K> {
    let mut sorted: Vec<(Reverse<usize>, K)> =
        counts.into_iter().filter(|(_, count)| *count >= fewest).map(|(key, count)| (Reverse(count), key)).collect();
    sorted.sort_unstable();
    sorted.truncate(most);
    sorted.into_iter().map(|(_, key)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Architecture;

    #[test]
    fn the_most_frequent_words_and_bigrams() {
        let example = |text: &str, pair: Option<&str>| Example {
            text: text.to_owned(),
            pair: pair.map(str::to_owned),
            label: 0,
            source: None,
        };
        let examples = [example("a good, good film", None), example("A GOOD film", Some("a bad film"))];
        let options = TrainOptions { bigrams: 2, ..TrainOptions::new(Architecture::FastText) };
        let words = build(examples.iter(), true, WordCut::Latin, &options);
        assert_eq!(words, ["<pad>", "<unk>", "<sep>", "a", "film", "good", "a good", "good film"]);
        let han = [example("好看，好看", None), example("不好看", None)];
        let all = TrainOptions { fewest_occurrences: 1, ..options.clone() };
        let words = build(han.iter(), true, WordCut::Han, &all);
        assert_eq!(words, ["<pad>", "<unk>", "好", "看", "不", "，", "好 看", "看 ，"]);
        let options = TrainOptions { words: 1, fewest_occurrences: 1, ..options };
        assert_eq!(build(examples[..1].iter(), false, WordCut::Latin, &options), ["<pad>", "<unk>", "good"]);
    }
}
