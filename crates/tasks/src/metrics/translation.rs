//! How near a translation is to the one that is known: BLEU over words, chrF over characters.
//!
//! Both are sums: a corpus has the counts of its sentences added up, as sacreBLEU has it.

use std::collections::HashMap;
use std::hash::Hash;

use fissure_core::Sample;

use super::{Metric, Tally};
use crate::Response;

/// The length of the longest stretch of words that counts.
const WORDS: usize = 4;
/// The length of the longest stretch of characters that counts.
const CHARACTERS: usize = 6;
/// How much more a missing character counts than one too many.
const BETA: f64 = 2.0;

/// BLEU: the geometric mean of the precisions of stretches of one to four words, and a penalty for short translations.
/// Words are stretches of letters or digits, and single other signs. Tally: for each length shared and said; then the
/// words said and the words known.
#[derive(Debug, Clone, Copy)]
pub struct Bleu;

/// chrF2: the F-score, weighted towards recall, of stretches of one to six characters without white space, averaged over
/// the lengths. Tally: for each length shared, said and known.
#[derive(Debug, Clone, Copy)]
pub struct ChrF;

impl Metric for ChrF {
    fn name(&self) -> &'static str {
        "chrf"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (known, said) = texts(sample, response)?;
        let letters = |text: &str| text.chars().filter(|sign| !sign.is_whitespace()).collect::<Vec<char>>();
        let (known, said) = (letters(known), letters(said));
        let tally = (1..=CHARACTERS).flat_map(|length| {
            let shared = shared(&known, &said, length);
            [shared, stretches(&said, length), stretches(&known, length)]
        });
        Some(tally.map(|count| count as f64).collect())
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        let lengths = sum.chunks_exact(3).filter(|counts| counts[1] > 0.0 && counts[2] > 0.0);
        let (mut precision, mut recall, mut count) = (0.0, 0.0, 0.0);
        for counts in lengths {
            precision += counts[0] / counts[1];
            recall += counts[0] / counts[2];
            count += 1.0;
        }
        if sum.iter().all(|count| *count == 0.0) {
            return None;
        }
        if count == 0.0 || precision + recall == 0.0 {
            return Some(0.0);
        }
        let (precision, recall) = (precision / count, recall / count);
        Some((1.0 + BETA * BETA) * precision * recall / (BETA * BETA * precision + recall))
    }

    /// Letter for letter the known translation.
    fn right(&self, tally: &[f64]) -> bool {
        tally.chunks_exact(3).all(|counts| counts[0] == counts[1] && counts[0] == counts[2])
    }
}

impl Metric for Bleu {
    fn name(&self) -> &'static str {
        "bleu"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (known, said) = texts(sample, response)?;
        let (known, said) = (words(known), words(said));
        let counts = (1..=WORDS).flat_map(|length| [shared(&known, &said, length), stretches(&said, length)]);
        Some(counts.chain([said.len(), known.len()]).map(|count| count as f64).collect())
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        let [counts @ .., said, known] = sum else { return None };
        if *known == 0.0 {
            return None;
        }
        let precisions: Vec<f64> =
            counts.chunks_exact(2).map(|counts| if counts[1] > 0.0 { counts[0] / counts[1] } else { 0.0 }).collect();
        if precisions.contains(&0.0) {
            return Some(0.0);
        }
        let mean = precisions.iter().map(|precision| precision.ln()).sum::<f64>() / WORDS as f64;
        let short = if said < known { 1.0 - known / said } else { 0.0 };
        Some((mean + short).exp())
    }

    fn right(&self, tally: &[f64]) -> bool {
        let [counts @ .., said, known] = tally else { return false };
        said == known && counts.chunks_exact(2).all(|counts| counts[0] == counts[1])
    }
}

/// The known translation and the one that a model wrote.
fn texts<'a>(sample: &'a Sample, response: &'a Response) -> Option<(&'a str, &'a str)> {
    let Response::Answer(said) = response else { return None };
    let known = sample.text("target").filter(|text| !text.trim().is_empty())?;
    Some((known, said.as_deref().unwrap_or("")))
}

fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let mut start = 0;
        for (at, sign) in piece.char_indices().filter(|(_, sign)| !sign.is_alphanumeric()) {
            words.extend((start < at).then(|| &piece[start..at]));
            words.push(&piece[at..at + sign.len_utf8()]);
            start = at + sign.len_utf8();
        }
        words.extend((start < piece.len()).then(|| &piece[start..]));
    }
    words
}

fn stretches<T>(items: &[T], length: usize) -> usize {
    (items.len() + 1).saturating_sub(length)
}

/// How many stretches of a length both have, each as often as both have it.
fn shared<T: Hash + Eq>(known: &[T], said: &[T], length: usize) -> usize {
    let mut left: HashMap<&[T], usize> = HashMap::new();
    for stretch in known.windows(length) {
        *left.entry(stretch).or_default() += 1;
    }
    let mut found = 0;
    for stretch in said.windows(length) {
        if let Some(count) = left.get_mut(stretch).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use fissure_core::Field;

    use super::*;

    fn sample(target: &str) -> Sample {
        Sample { fields: vec![Field::open("source", "x"), Field::open("target", target)], ..Sample::default() }
    }

    fn score(metric: &dyn Metric, target: &str, said: &str) -> f64 {
        let tally = metric.tally(&sample(target), &Response::Answer(Some(said.into()))).unwrap();
        metric.value(&tally).unwrap()
    }

    #[test]
    fn bleu_by_hand() {
        assert!((score(&Bleu, "the cat sat on the mat", "the cat sat on the mat") - 1.0).abs() < 1e-12);
        // One word of five is another: 4/5, 3/4, 2/3, 1/2; as long, so no penalty.
        let wanted = (4.0f64 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0 * 1.0 / 2.0).powf(0.25);
        assert!((score(&Bleu, "a b c d e", "a b c d x") - wanted).abs() < 1e-12);
        // Four words of five, all right: 1 times exp(1 - 5/4).
        assert!((score(&Bleu, "a b c d e", "a b c d") - (1.0f64 - 1.25).exp()).abs() < 1e-12);
        assert_eq!(score(&Bleu, "a b c d", "x y z w"), 0.0);
    }

    #[test]
    fn chrf_by_hand() {
        assert!((score(&ChrF, "abcdef", "abc def") - 1.0).abs() < 1e-12, "white space does not count");
        // `ab` for `abc`: lengths 1 and 2 are shared wholly by what is said; length 3 was not said.
        let (precision, recall) = (1.0, (2.0 / 3.0 + 1.0 / 2.0) / 2.0);
        let wanted = 5.0 * precision * recall / (4.0 * precision + recall);
        assert!((score(&ChrF, "abc", "ab") - wanted).abs() < 1e-12);
        assert_eq!(score(&ChrF, "abc", ""), 0.0);
    }

    #[test]
    fn tallies_add_up() {
        let tallies: Vec<Tally> = [("a b c d e", "a b c d x"), ("f g h i", "f g h i")]
            .map(|(target, said)| Bleu.tally(&sample(target), &Response::Answer(Some(said.into()))).unwrap())
            .into();
        let sum: Tally = tallies[0].iter().zip(&tallies[1]).map(|(one, other)| one + other).collect();
        let wanted = (8.0f64 / 9.0 * 6.0 / 7.0 * 4.0 / 5.0 * 2.0 / 3.0).powf(0.25);
        assert!((Bleu.value(&sum).unwrap() - wanted).abs() < 1e-12);
        assert!(Bleu.right(&tallies[1]) && !Bleu.right(&tallies[0]));
        assert_eq!(Bleu.value(&[0.0; 10]), None);
    }
}
