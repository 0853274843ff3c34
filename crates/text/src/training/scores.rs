//! Measures the taggers against a treebank.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

use super::entities::Marked;
use super::tags::{gold_tag, looks};
use super::treebank::Treebank;
use crate::entities::Finder;
use crate::lemmas::Lemmas;
use crate::parse::Network;
use crate::perceptron::Weights;
use crate::tags::Tagger;
use crate::tokens::Token;

/// How many things were found rightly, of how many found, of how many there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    pub right: usize,
    pub found: usize,
    pub there: usize,
}

impl Found {
    /// The harmonic mean of precision and recall, in percent.
    pub fn f1(self) -> f64 {
        200.0 * self.right as f64 / (self.found + self.there).max(1) as f64
    }

    pub fn precision(self) -> f64 {
        100.0 * self.right as f64 / self.found.max(1) as f64
    }

    pub fn recall(self) -> f64 {
        100.0 * self.right as f64 / self.there.max(1) as f64
    }

    /// Counts one thing that was looked for and is there.
    fn count(&mut self, right: bool) {
        self.right += usize::from(right);
        self.found += 1;
        self.there += 1;
    }

    /// Compares two sets of things, each of which counts once.
    pub fn compare<T: Hash + Eq>(found: impl IntoIterator<Item = T>, there: impl IntoIterator<Item = T>) -> Self {
        let there: HashSet<T> = there.into_iter().collect();
        let found: HashSet<T> = found.into_iter().collect();
        Self { right: found.intersection(&there).count(), found: found.len(), there: there.len() }
    }
}

/// Syntactic words (`do` and `n't` are two), by their bytes in the raw text.
pub fn words(treebank: &Treebank, tokens: &[Token]) -> Found {
    let there = treebank.words().enumerate().map(|(at, word)| {
        // A word that is not written as it stands there cannot be found: it gets a place that no token has.
        if word.span.is_empty() { usize::MAX - at..usize::MAX } else { word.span.clone() }
    });
    Found::compare(tokens.iter().map(|token| token.span.clone()), there)
}

/// Sentences, by the bytes from their first word to their last.
pub fn sentences(treebank: &Treebank, tokens: &[Token], sentences: &[Range<usize>]) -> Found {
    let bytes =
        |sentence: &Range<usize>| Some(tokens.get(sentence.start)?.span.start..tokens.get(sentence.end - 1)?.span.end);
    let there = treebank.sentences.iter().filter_map(|words| Some(words.first()?.span.start..words.last()?.span.end));
    Found::compare(sentences.iter().filter_map(bytes), there)
}

/// How many words have the right universal tag, the right Penn tag, and both, given gold words and sentences.
pub fn tags(treebank: &Treebank, weights: &Weights) -> [Found; 3] {
    let mut found = [Found::default(); 3];
    let mut tagger = Tagger::new(weights);
    for sentence in &treebank.sentences {
        for (word, tag) in sentence.iter().zip(tagger.tag(&looks(sentence))) {
            let right = [tag.upos == word.upos, tag.penn == word.penn, tag == gold_tag(word)];
            found.iter_mut().zip(right).for_each(|(found, right)| found.count(right));
        }
    }
    found
}

/// How many words have the right head, and the right head and universal relation, given gold words and sentences and the
/// tagger's tags.
pub fn parse(treebank: &Treebank, tags: &Weights, network: &Network) -> [Found; 2] {
    let mut found = [Found::default(); 2];
    let mut tagger = Tagger::new(tags);
    for sentence in &treebank.sentences {
        let looks = looks(sentence);
        let tags = tagger.tag(&looks);
        for (word, dependency) in sentence.iter().zip(crate::parse::parse(&looks, &tags, network)) {
            let head = dependency.head == word.head;
            found[0].count(head);
            found[1].count(head && dependency.relation.universal() == word.relation.universal());
        }
    }
    found
}

/// How many words have the right lemma, given their gold tags.
pub fn lemmas(treebank: &Treebank, lemmas: &Lemmas) -> Found {
    let mut found = Found::default();
    for word in treebank.words() {
        found.count(*lemmas.lemma(&word.form, gold_tag(word)) == *word.lemma);
    }
    found
}

/// Entities, by their words and kind, given gold words and sentences and the tagger's tags.
pub fn entities(sentences: &[Marked], tags: &Weights, weights: &Weights) -> Found {
    let mut sum = Found::default();
    let (mut tagger, mut finder) = (Tagger::new(tags), Finder::new(weights));
    for sentence in sentences {
        let looks = sentence.looks();
        let tags = tagger.tag(&looks);
        let found = Found::compare(finder.find(&looks, |at| tags.get(at).copied()), sentence.entities());
        sum = Found { right: sum.right + found.right, found: sum.found + found.found, there: sum.there + found.there };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f1_by_hand() {
        let found = Found::compare([1, 2, 3, 4], [2, 4, 6]);
        assert_eq!(found, Found { right: 2, found: 4, there: 3 });
        assert_eq!(found.precision(), 50.0);
        assert!((found.f1() - 400.0 / 7.0).abs() < 1e-12);
        assert_eq!(Found::default().f1(), 0.0);
    }
}
