//! Guessing a masked word from its context.

use std::ops::Range;
use std::path::Path;

use super::Encoder;
use super::head::MaskedHead;
use super::layout::Reach;
use super::network::{Keep, Trace};
use crate::kernels::log_softmax;
use crate::{Error, Input, Result};

/// Pieces with the logarithms of their probabilities, the likeliest first.
pub type Pieces = Vec<(String, f32)>;

/// An encoder with a head that guesses masked words (`...ForMaskedLM`).
#[derive(Debug)]
pub struct WordGuesser {
    encoder: Encoder,
    head: MaskedHead,
    mask: u32,
    /// The ids that have a word: a table may have more rows than the vocabulary.
    named: Vec<u32>,
}

impl WordGuesser {
    pub fn open(directory: &Path) -> Result<Self> {
        let (encoder, head) = Encoder::open(directory, |reader, network| {
            reader.require("ForMaskedLM")?;
            let width = network.embeddings.width();
            reader.masked_head(network.width, width, network.embeddings.word.len() / width)
        })?;
        let mask = ["[MASK]", "<mask>"].iter().find_map(|mark| encoder.tokens.id(mark));
        let missing = || Error::Tokenizer {
            path: encoder.tokens.path().to_owned(),
            why: "it has neither `[MASK]` nor `<mask>`".to_owned(),
        };
        let mask = mask.ok_or_else(missing)?;
        let named = (0..head.bias.len() as u32).filter(|id| encoder.tokens.word(*id).is_some()).collect();
        Ok(Self { encoder, head, mask, named })
    }

    /// Reads at most `limit` pieces of a text.
    pub fn with_max_length(mut self, limit: usize) -> Result<Self> {
        self.encoder.set_max_length(limit)?;
        Ok(self)
    }

    /// For each (text, bytes): the `count` likeliest pieces in place of those bytes, with the logarithms of their
    /// probabilities, best first. Empty if the bytes lie behind what the model reads, or hold no piece.
    pub fn guess(&self, places: &[(&str, Range<usize>)], count: usize) -> Result<Vec<Pieces>> {
        // Several pieces become one mask: what is guessed is one piece.
        let found = self.guess_masked(places, count, true)?;
        Ok(found.into_iter().map(|pieces| pieces.into_iter().next().unwrap_or_default()).collect())
    }

    /// The same for each of the pieces that those bytes are, all of them masked at once.
    pub fn guess_pieces(&self, places: &[(&str, Range<usize>)], count: usize) -> Result<Vec<Vec<Pieces>>> {
        self.guess_masked(places, count, false)
    }

    fn guess_masked(&self, places: &[(&str, Range<usize>)], count: usize, join: bool) -> Result<Vec<Vec<Pieces>>> {
        let inputs: Vec<Input<'_>> = places.iter().map(|(text, _)| Input::from(*text)).collect();
        let mut points = self.encoder.embed(&inputs)?;
        let width = self.encoder.network.embeddings.width();
        let words = &self.encoder.network.embeddings.word;
        let mask = &words[self.mask as usize * width..][..width];
        let mut masked = Vec::with_capacity(points.len());
        for (point, (_, bytes)) in points.iter_mut().zip(places) {
            let touches = |source: &Option<(u8, Range<usize>)>| {
                source.as_ref().is_some_and(|(_, piece)| piece.start < bytes.end && bytes.start < piece.end)
            };
            let mut hit: Vec<usize> = (0..point.pieces.len()).filter(|at| touches(&point.pieces[*at].source)).collect();
            if let Some((&first, others)) = hit.split_first().filter(|_| join) {
                point.pieces.drain(first + 1..first + 1 + others.len());
                point.rows.values.drain((first + 1) * width..(first + 1 + others.len()) * width);
                hit.truncate(1);
            }
            hit.iter().for_each(|at| point.rows.values[at * width..][..width].copy_from_slice(mask));
            masked.push(hit);
        }
        let guess = |texts: Range<usize>, trace: &Trace| {
            let (layout, width) = (&trace.batch.layout, self.encoder.network.width);
            let one = |text: usize| {
                let row = |at: &usize| &trace.hidden[(layout.text(text).start + at) * width..][..width];
                masked[texts.start + text].iter().map(|at| self.best(row(at), count)).collect()
            };
            Ok((0..layout.texts()).map(one).collect())
        };
        self.encoder.over_batches(&points, Reach::All, Keep::Nothing, guess)
    }

    fn best(&self, row: &[f32], count: usize) -> Vec<(String, f32)> {
        let network = &self.encoder.network;
        let log_probs = log_softmax(&self.head.scores(row, &network.embeddings.word, network.epsilon));
        let mut order = self.named.clone();
        // Ties go to the lower id.
        let by_score = |a: &u32, b: &u32| log_probs[*b as usize].total_cmp(&log_probs[*a as usize]).then(a.cmp(b));
        if count < order.len() {
            order.select_nth_unstable_by(count, by_score);
            order.truncate(count);
        }
        order.sort_unstable_by(by_score);
        let word = |id: u32| self.encoder.tokens.word(id).map(|word| (word, log_probs[id as usize]));
        order.into_iter().filter_map(word).collect()
    }
}
