//! What each stretch of the source may become, and what the rest of it may cost at best.

use fissure_text::ngrams::UNKNOWN;

use super::{Decoder, weight};
use crate::extract::LONGEST;

/// One phrase of the source, rendered.
#[derive(Debug)]
pub struct Choice {
    pub target: Vec<u32>,
    /// The token that is copied because it has no translation.
    pub copied: Option<usize>,
    /// What does not depend on what stands before: the phrase itself, and how its own words follow each other.
    pub score: f32,
    /// The score with a guess of how its first words will follow what stands before.
    pub outlook: f32,
}

/// All choices for one sentence.
#[derive(Debug)]
pub struct Choices {
    pub all: Vec<Choice>,
    pub length: usize,
    /// For each start and length the choices there, the best outlook first.
    spans: Vec<Vec<usize>>,
    /// For each start and end the best outlook of any way to cover it.
    best: Vec<f32>,
}

impl Choices {
    pub fn of(decoder: &Decoder, tokens: &[String], most: usize) -> Self {
        let length = tokens.len();
        let numbers: Vec<u32> = tokens
            .iter()
            // No phrase has the number 0, so that a word never seen is in none.
            .map(|token| decoder.words.binary_search(token).map_or(0, |at| at as u32 + 1))
            .collect();
        let mut choices = Self { all: Vec::new(), length, spans: vec![Vec::new(); length * LONGEST], best: Vec::new() };
        for start in 0..length {
            for end in start + 1..=length.min(start + LONGEST) {
                let mut own: Vec<Choice> = decoder
                    .table
                    .of(&numbers[start..end])
                    .iter()
                    .map(|rendering| {
                        let phrase = weight::PHRASES * rendering.scores.iter().sum::<f32>();
                        decoder.choice(rendering.target.clone(), None, phrase)
                    })
                    .collect();
                if own.is_empty() && end == start + 1 {
                    own.push(decoder.choice(vec![UNKNOWN], Some(start), weight::COPIED));
                }
                // The table has them in order already where outlooks are equal.
                own.sort_by(|a, b| b.outlook.total_cmp(&a.outlook));
                own.truncate(most);
                let first = choices.all.len();
                choices.spans[start * LONGEST + end - start - 1] = (first..first + own.len()).collect();
                choices.all.extend(own);
            }
        }
        choices.look_ahead();
        choices
    }

    /// The choices for the words `start..end`.
    pub fn between(&self, start: usize, end: usize) -> &[usize] {
        if end - start > LONGEST { &[] } else { &self.spans[start * LONGEST + end - start - 1] }
    }

    /// The best outlook of every stretch: of a choice for all of it, or of two parts.
    fn look_ahead(&mut self) {
        let size = self.length + 1;
        self.best = vec![f32::NEG_INFINITY; size * size];
        for width in 1..=self.length {
            for start in 0..=self.length - width {
                let end = start + width;
                let whole = self.between(start, end).first().map_or(f32::NEG_INFINITY, |best| self.all[*best].outlook);
                let parts =
                    (start + 1..end).map(|middle| self.best[start * size + middle] + self.best[middle * size + end]);
                self.best[start * size + end] = parts.fold(whole, f32::max);
            }
        }
    }

    /// What the words that are not covered may bring at best.
    pub fn rest(&self, covered: u64) -> f32 {
        let mut sum = 0.0;
        let mut at = 0;
        while at < self.length {
            at += (covered >> at).trailing_ones() as usize;
            let free = ((covered >> at.min(63)).trailing_zeros() as usize).min(self.length.saturating_sub(at));
            if free > 0 {
                sum += self.best[at * (self.length + 1) + at + free];
            }
            at += free;
        }
        sum
    }
}

impl Decoder {
    fn choice(&self, target: Vec<u32>, copied: Option<usize>, phrase: f32) -> Choice {
        let follows =
            |at: usize| self.language.log_probability_of(&target[at.saturating_sub(2)..at], target[at]) as f32;
        let first: f32 = (0..target.len().min(2)).map(follows).sum();
        let inner: f32 = (2..target.len()).map(follows).sum();
        let score = phrase + weight::PHRASE + weight::WORD * target.len() as f32 + weight::LANGUAGE * inner;
        Choice { target, copied, score, outlook: score + weight::LANGUAGE * first }
    }
}
