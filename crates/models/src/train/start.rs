//! Where training starts: which examples are held out, and a model with random weights.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use serde_json::Map;

use super::random::Random;
use super::{Example, HeldOut, TrainOptions, vectors, vocabulary};
use crate::layers::{Convolution, Linear};
use crate::small::{BiLstm, Body, Cnn, FastText, Reader, Small, WordCut};
use crate::{Capabilities, Error, Result};

/// The indices of the examples to learn from and of those held out.
#[derive(Debug)]
pub(crate) struct Split {
    pub(crate) training: Vec<usize>,
    pub(crate) validation: Vec<usize>,
}

/// What a stream of chance is for.
pub(crate) mod purpose {
    pub(crate) const SPLIT: u64 = 0;
    pub(crate) const WEIGHTS: u64 = 1;
    pub(crate) const ORDER: u64 = 2;
    pub(crate) const DROPOUT: u64 = 3;
}

/// Holds out a share of the examples, by the seed; where a share is asked for, at least one. Copies of one source stay
/// together, and so do equal texts, since a model remembers those: a little more than the share may be held out.
pub(crate) fn split(examples: &[Example], share: f32, seed: u64) -> Result<Split> {
    split_sources(linked(examples).into_iter().map(Some), share, seed)
}

/// For each example the first one that equal texts or sources link it to.
fn linked(examples: &[Example]) -> Vec<usize> {
    let mut firsts: Vec<usize> = (0..examples.len()).collect();
    // Spaces make no other text.
    let mut texts: HashMap<(Cow<'_, str>, Option<Cow<'_, str>>), usize> = HashMap::new();
    let mut named: HashMap<&str, usize> = HashMap::new();
    for (at, example) in examples.iter().enumerate() {
        let equal = *texts.entry((squeezed(&example.text), example.pair.as_deref().map(squeezed))).or_insert(at);
        let same = example.source.as_deref().map_or(at, |source| *named.entry(source).or_insert(at));
        for other in [equal, same] {
            let (one, other) = (first(&mut firsts, at), first(&mut firsts, other));
            firsts[one.max(other)] = one.min(other);
        }
    }
    (0..examples.len()).map(|at| first(&mut firsts, at)).collect()
}

/// A text with one space for every stretch of white space, and none at its ends.
fn squeezed(text: &str) -> Cow<'_, str> {
    let is_squeezed =
        !text.contains("  ") && !text.contains(|c: char| c != ' ' && c.is_whitespace()) && text.trim() == text;
    if is_squeezed { text.into() } else { text.split_whitespace().collect::<Vec<_>>().join(" ").into() }
}

/// The first example of a group, found through the links between its members.
fn first(firsts: &mut [usize], mut at: usize) -> usize {
    while firsts[at] != at {
        // Every step shortens the way for the next search, so that long chains of copies are not walked again and again.
        firsts[at] = firsts[firsts[at]];
        at = firsts[at];
    }
    at
}

/// The same, from the sources of the examples alone.
pub(crate) fn split_sources<S: Hash + Eq>(
    sources: impl ExactSizeIterator<Item = Option<S>>,
    share: f32,
    seed: u64,
) -> Result<Split> {
    let count = sources.len();
    let held_out = match share {
        0.0 => 0,
        share => ((count as f64 * f64::from(share)) as usize).max(1),
    };
    let mut groups = groups(sources);
    if count <= held_out || (held_out > 0 && groups.len() < 2) {
        return Err(Error::TooFewExamples { found: groups.len(), held_out });
    }
    Random::of(&[seed, purpose::SPLIT]).shuffle(&mut groups);
    let mut validation = Vec::new();
    while validation.len() < held_out && groups.len() > 1 {
        validation.extend(groups.pop().unwrap_or_default());
    }
    let mut training: Vec<usize> = groups.into_iter().flatten().collect();
    training.sort_unstable();
    validation.sort_unstable();
    Ok(Split { training, validation })
}

/// The examples of each source, by their indices, in the order in which sources come.
fn groups<S: Hash + Eq>(sources: impl Iterator<Item = Option<S>>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<S, usize> = HashMap::new();
    for (at, source) in sources.enumerate() {
        let group = source.map(|source| *known.entry(source).or_insert(groups.len()));
        match group.and_then(|group| groups.get_mut(group)) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

impl Split {
    /// What always answering the most frequent label of the training examples gets right of those held out.
    pub(crate) fn held_out(&self, examples: &[Example]) -> Option<HeldOut> {
        self.held_out_labels(|at| std::slice::from_ref(&examples[at].label))
    }

    /// The same, where an example has many labels.
    pub(crate) fn held_out_labels<'a>(&self, labels: impl Fn(usize) -> &'a [usize]) -> Option<HeldOut> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.training.iter().flat_map(|at| labels(*at)).for_each(|label| *counts.entry(*label).or_default() += 1);
        // Of equals the first.
        let (most_frequent, _) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        let of_held_out = || self.validation.iter().flat_map(|at| labels(*at));
        let right = of_held_out().filter(|label| **label == most_frequent).count();
        let held_out = of_held_out().count();
        (held_out > 0).then(|| HeldOut { examples: held_out, most_frequent, accuracy: right as f64 / held_out as f64 })
    }
}

pub(super) fn fasttext(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<FastText>> {
    // The range of torchtext's classifier, which the papers took.
    start(examples, split, labels, options, 0.5, |width, _| FastText { width })
}

pub(super) fn cnn(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<Cnn>> {
    start(examples, split, labels, options, 0.25, |width, random| {
        let convolution = |span: &usize| {
            let reach = span * width;
            let weight = random.fan_in(options.filters * reach, reach);
            Convolution { span: *span, width, weight, bias: random.fan_in(options.filters, reach) }
        };
        Cnn { convolutions: options.spans.iter().map(convolution).collect() }
    })
}

pub(super) fn bilstm(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<BiLstm>> {
    start(examples, split, labels, options, 0.25, |width, random| BiLstm::random(width, options.hidden, random))
}

/// A model with the vocabulary of the training part and random weights: embeddings from `-range` to `range` (Kim 2014:
/// 0.25) unless a file of vectors has them, everything else from -1/sqrt(inputs) to 1/sqrt(inputs), as PyTorch does.
fn start<B: Body>(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
    range: f32,
    body: impl FnOnce(usize, &mut Random) -> B,
) -> Result<Small<B>> {
    let width = options.embedding_width;
    let training = split.training.iter().map(|at| &examples[*at]);
    let cut = options.cut.unwrap_or_else(|| WordCut::for_texts(vocabulary::texts(training.clone())));
    let words = vocabulary::build(training, B::BIGRAMS, cut, options);
    let mut random = Random::of(&[options.seed, purpose::WEIGHTS]);
    let mut table = random.between(words.len() * width, range);
    if let Some(path) = &options.vectors {
        vectors::read_into(path, &words, width, &mut table)?;
    }
    table[..width].fill(0.0);
    let body = body(width, &mut random);
    let features = body.features();
    let head = Linear { weight: random.fan_in(labels.len() * features, features), bias: vec![0.0; labels.len()] };
    let reader = Reader::new(words, options.max_words, body.fewest_rows(), B::BIGRAMS)
        .expect("words are counted by themselves, bigrams have a space and marks have brackets: none comes twice")
        .cutting(cut);
    let capabilities = Capabilities { labels: labels.to_vec(), probabilities: true, gradients: true };
    Ok(Small { reader, width, table, body, head, capabilities, notes: Map::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(text: &str, source: Option<&str>, label: usize) -> Example {
        Example { text: text.to_owned(), pair: None, label, source: source.map(str::to_owned) }
    }

    #[test]
    fn copies_of_one_source_stay_together() {
        let names: Vec<String> = (0..20).map(|name| name.to_string()).collect();
        let copies = names.iter().chain(&names).chain(&names);
        let examples: Vec<Example> =
            copies.enumerate().map(|(at, name)| example(&at.to_string(), Some(name), 0)).collect();
        for seed in 0..20 {
            let Split { training, validation } = split(&examples, 0.1, seed).unwrap();
            assert_eq!((training.len(), validation.len()), (54, 6));
            let sources = |side: &[usize]| side.iter().map(|at| at % 20).collect::<std::collections::BTreeSet<_>>();
            assert!(sources(&training).is_disjoint(&sources(&validation)), "seed {seed}");
        }
        assert!(
            split(&[example("a", Some("1"), 0), example("b", Some("1"), 1)], 0.5, 0).is_err(),
            "one source cannot be split"
        );
    }

    #[test]
    fn equal_texts_stay_together() {
        let examples: Vec<Example> =
            (0..60).map(|at: usize| example(&(at % 20).to_string(), Some(&at.to_string()), at % 2)).collect();
        for seed in 0..20 {
            let Split { training, validation } = split(&examples, 0.1, seed).unwrap();
            assert_eq!((training.len(), validation.len()), (54, 6));
            assert!(validation.iter().all(|held| training.iter().all(|at| at % 20 != held % 20)), "seed {seed}");
        }
        // 0 and 1 by their text, 1 and 3 by their source, 2 and 3 by their text; another second text is another question.
        let mut linked_up = [
            example("a", Some("1"), 0),
            example("a", Some("2"), 0),
            example("b", Some("3"), 0),
            example("b", Some("2"), 0),
            example("a", Some("4"), 0),
        ];
        linked_up[4].pair = Some("c".into());
        assert_eq!(linked(&linked_up), [0, 0, 0, 0, 4]);
        let spaced = ["a b", " a  b\n", "ab"].map(|text| example(text, None, 0));
        assert_eq!(linked(&spaced), [0, 0, 2]);
    }

    #[test]
    fn sources_that_come_once_change_nothing() {
        let named: Vec<Example> = (0..50).map(|at| at.to_string()).map(|at| example(&at, Some(&at), 0)).collect();
        let nameless: Vec<Example> = (0..50).map(|at| example(&at.to_string(), None, 0)).collect();
        let [one, other] = [named, nameless].map(|examples| split(&examples, 0.1, 3).unwrap());
        assert_eq!((one.training, one.validation), (other.training, other.validation));
    }

    #[test]
    fn the_most_frequent_label_by_hand() {
        let examples: Vec<Example> = [0, 1, 1, 2, 1, 0].map(|label| example("a", None, label)).into();
        let split = Split { training: vec![0, 1, 2, 3], validation: vec![4, 5] };
        assert_eq!(split.held_out(&examples), Some(HeldOut { examples: 2, most_frequent: 1, accuracy: 0.5 }));
        assert_eq!(Split { training: vec![0], validation: vec![] }.held_out(&examples), None);
    }
}
