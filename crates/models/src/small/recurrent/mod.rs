//! A model that reads word by word, onward and back, seen from the words: bilstm.
//!
//! A text that differs from another in some words is answered from the states before the first of them (and, on the way
//! back, behind the last); many such texts go through a step together. [`Recurrent::least_leads`] bounds the answers to all
//! texts within a number of changes at once.

mod range;

use std::sync::OnceLock;

use super::{BiLstm, Body, Small};
use crate::kernels::{dot, scale};
use crate::layers::{Lstm, Moving};

/// A bilstm as states that words move on.
#[derive(Debug)]
pub struct Recurrent<'m> {
    model: &'m Small<BiLstm>,
    /// What the words of the vocabulary put into the gates of both directions, the most frequent ones, as they are asked for.
    known: Vec<OnceLock<Box<[f32]>>>,
}

/// Words of the vocabulary whose gates are kept: 4 kB each with the usual 128 states.
const KEPT: usize = 8_192;

/// A text with its states, so that texts like it are answered from what differs.
#[derive(Debug, Clone)]
pub struct SavedStates {
    ids: Vec<u32>,
    /// For each direction the states before every step, and behind the last.
    tracks: [Moving; 2],
}

impl<'m> Recurrent<'m> {
    pub(crate) fn of(model: &'m Small<BiLstm>) -> Self {
        let words = model.reader.vocabulary().len().min(KEPT);
        Self { model, known: (0..words).map(|_| OnceLock::new()).collect() }
    }

    /// How the model cuts texts into words.
    pub fn word_cut(&self) -> super::WordCut {
        self.model.reader.cut()
    }

    fn directions(&self) -> &'m [Lstm; 2] {
        &self.model.body.directions
    }

    /// What a feature adds to each class, and the bias of the class.
    pub fn output(&self, class: usize) -> (&'m [f32], f32) {
        let wide = self.model.body.features();
        (&self.model.head.weight[class * wide..][..wide], self.model.head.bias[class])
    }

    /// The gates of a word as it alone makes them, of both directions. Written into `room` if they are not kept.
    fn gates<'a>(&'a self, id: u32, room: &'a mut Vec<f32>) -> &'a [f32] {
        match self.known.get(id as usize) {
            Some(known) => known.get_or_init(|| self.worked_out(id).into()),
            None => {
                *room = self.worked_out(id);
                room
            }
        }
    }

    fn worked_out(&self, id: u32) -> Vec<f32> {
        let width = self.model.width;
        let row = &self.model.table[id as usize * width..][..width];
        self.directions().iter().flat_map(|lstm| lstm.input.chunks_exact(width).map(|gate| dot(gate, row))).collect()
    }

    /// The states of a text, kept.
    pub fn save(&self, ids: &[u32]) -> SavedStates {
        let mut room = Vec::new();
        let tracks = [0, 1].map(|direction| {
            let lstm = &self.directions()[direction];
            let wide = 4 * lstm.hidden();
            let mut now = Moving::zeros(1, lstm.hidden());
            let mut track = Moving::default();
            track.push(&now, 0);
            for step in 0..ids.len() {
                let word = word_at(direction, step, ids.len());
                let mut gates = self.gates(ids[word], &mut room)[direction * wide..][..wide].to_vec();
                lstm.advance(&mut gates, &mut now);
                track.push(&now, 0);
            }
            track
        });
        SavedStates { ids: ids.to_vec(), tracks }
    }

    /// The logits of texts of as many words as the saved one. What they share with it decides only how much work it is: an
    /// answer depends on its own text alone.
    ///
    /// # Panics
    /// If a text has another number of words.
    pub fn logits(&self, saved: &SavedStates, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let length = saved.ids.len();
        assert!(texts.iter().all(|text| text.len() == length), "texts of {length} words");
        let hidden = self.directions()[0].hidden();
        let mut features = vec![0.0; texts.len() * 2 * hidden];
        let mut room = Vec::new();
        for direction in [0, 1] {
            let lstm = &self.directions()[direction];
            let differs = |text: &Vec<u32>, step: &usize| {
                let word = word_at(direction, *step, length);
                text[word] != saved.ids[word]
            };
            let mut order: Vec<(usize, usize)> = texts
                .iter()
                .enumerate()
                .map(|(at, text)| ((0..length).find(|step| differs(text, step)).unwrap_or(length), at))
                .collect();
            order.sort_unstable();
            let mut now = Moving::default();
            let mut gates: Vec<f32> = Vec::new();
            let mut joined = 0;
            for step in order.first().map_or(length, |(first, _)| *first)..=length {
                // Texts join where they first differ, so those that are on their way are always the first few.
                while joined < order.len() && order[joined].0 == step {
                    now.push(&saved.tracks[direction], step);
                    joined += 1;
                }
                if step == length {
                    break;
                }
                let word = word_at(direction, step, length);
                gates.clear();
                for (_, at) in &order[..joined] {
                    let wide = 4 * hidden;
                    gates.extend_from_slice(&self.gates(texts[*at][word], &mut room)[direction * wide..][..wide]);
                }
                lstm.advance(&mut gates, &mut now);
            }
            for ((_, at), sums) in order.iter().zip(now.sums.chunks_exact(hidden)) {
                let place = &mut features[at * 2 * hidden + direction * hidden..][..hidden];
                place.copy_from_slice(sums);
                scale(1.0 / length.max(1) as f32, place);
            }
        }
        features.chunks_exact(2 * hidden).map(|features| self.model.head.forward(features)).collect()
    }
}

impl SavedStates {
    /// What the text reads as.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }
}

/// The word that a direction reads at a step.
fn word_at(direction: usize, step: usize, length: usize) -> usize {
    if direction == 0 { step } else { length - 1 - step }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::train::{Architecture, Example, TrainOptions, train};
    use crate::{Input, SmallModel};

    const WORDS: [&str; 6] = ["good", "bad", "film", "plot", "fine", "dull"];

    pub(crate) fn text(seed: usize, count: usize) -> String {
        let word = |at: usize| WORDS[(seed * 7 + at * at * 3 + at * seed) % WORDS.len()];
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn model() -> Box<dyn SmallModel> {
        let examples: Vec<Example> =
            (0..40).map(|seed| Example { text: text(seed, 9), pair: None, label: seed % 2, source: None }).collect();
        let options = TrainOptions { epochs: 2, validation: 0.0, ..TrainOptions::new(Architecture::BiLstm) };
        train(&examples, &["no", "yes"].map(str::to_owned), &options, &mut |_| {}).expect("a model").model
    }

    #[test]
    fn texts_are_answered_from_one_like_them() {
        let model = model();
        let recurrent = model.recurrent().expect("a bilstm");
        let base = text(1, 12);
        let texts: Vec<String> =
            (1..8).map(|seed| text(seed, 12)).chain([base.replacen("film", "nobody", 1)]).collect();
        let read = |text: &String| model.readings(&[Input::from(&**text)]).expect("a text").remove(0);
        let saved = recurrent.save(&read(&base));
        let ids: Vec<Vec<u32>> = texts.iter().map(read).collect();
        let together = recurrent.logits(&saved, &ids);
        for ((text, ids), found) in texts.iter().zip(&ids).zip(&together) {
            assert_eq!(found, &recurrent.logits(&recurrent.save(ids), std::slice::from_ref(ids))[0], "{text}");
            let asked = model.logits_at(&model.embed(&[Input::from(&**text)]).expect("a text")).expect("logits");
            for (found, asked) in found.iter().zip(&asked[0]) {
                assert!((found - asked).abs() < 1e-5, "{text}: {found} {asked}");
            }
        }
    }
}
