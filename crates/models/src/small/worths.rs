//! What the words of a vocabulary are worth to the filters of a cnn.

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Cnn, Small};
use crate::kernels::row_by_matrix;

/// Where the worth of a word is kept, with its id.
type Slot = Mutex<Option<(u32, Arc<[f32]>)>>;

/// Works out what words are worth, and keeps some of it: within a fixed number of bytes, however many texts there are.
#[derive(Debug)]
pub(super) struct Worths<'m> {
    model: &'m Small<Cnn>,
    /// The weights of all filters, one row a number of an embedding: filters follow one another in the order of a [`Worth`].
    weights: Vec<f32>,
    /// The most frequent words of the vocabulary, as they are asked for.
    frequent: Vec<OnceLock<Box<[f32]>>>,
    /// Others, each where its id says; a later one takes the place of an earlier one.
    others: Vec<Slot>,
}

/// What a word is worth to every filter at every place of its window.
#[derive(Debug)]
pub enum Worth<'w> {
    Kept(&'w [f32]),
    Shared(Arc<[f32]>),
}

impl Deref for Worth<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match self {
            Self::Kept(worth) => worth,
            Self::Shared(worth) => worth,
        }
    }
}

/// Bytes for the most frequent words, and for others. Usual filters take 4.8 kB a word: 3,495 words and 1,747.
const FREQUENT: usize = 16 << 20;
const OTHERS: usize = 8 << 20;

impl<'m> Worths<'m> {
    pub(super) fn of(model: &'m Small<Cnn>) -> Self {
        let width = model.width;
        let columns: usize = model.body.convolutions.iter().map(|layer| layer.span * layer.bias.len()).sum();
        let mut weights = vec![0.0; width * columns];
        let mut column = 0;
        for layer in &model.body.convolutions {
            for place in 0..layer.span {
                for filter in layer.weight.chunks_exact(layer.span * width) {
                    for (at, weight) in filter[place * width..][..width].iter().enumerate() {
                        weights[at * columns + column] = *weight;
                    }
                    column += 1;
                }
            }
        }
        let words = |bytes: usize| (bytes / (size_of::<f32>() * columns).max(1)).max(1);
        let frequent = words(FREQUENT).min(model.reader.vocabulary().len());
        Self {
            model,
            weights,
            frequent: (0..frequent).map(|_| OnceLock::new()).collect(),
            others: (0..words(OTHERS)).map(|_| Mutex::default()).collect(),
        }
    }

    pub(super) fn of_word(&self, id: u32) -> Worth<'_> {
        if let Some(known) = self.frequent.get(id as usize) {
            return Worth::Kept(known.get_or_init(|| self.worked_out(id).into()));
        }
        let mut place = self.others[id as usize % self.others.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, worth)) = &*place
            && *known == id
        {
            return Worth::Shared(Arc::clone(worth));
        }
        let worth: Arc<[f32]> = self.worked_out(id).into();
        *place = Some((id, Arc::clone(&worth)));
        Worth::Shared(worth)
    }

    #[cfg(test)]
    pub(super) fn keep(&mut self, frequent: usize, others: usize) {
        self.frequent.truncate(frequent);
        self.others.truncate(others);
    }

    fn worked_out(&self, id: u32) -> Vec<f32> {
        let width = self.model.width;
        let mut worth = vec![0.0; self.weights.len() / width.max(1)];
        row_by_matrix(&self.model.table[id as usize * width..][..width], &self.weights, &mut worth);
        worth
    }
}

#[cfg(test)]
mod tests {
    use crate::train::{Architecture, Example, TrainOptions, train};

    #[test]
    fn what_is_kept_is_bounded_and_the_same() {
        let text = "a film of note with a plot";
        let example = |label| Example { text: text.into(), pair: None, label, source: None };
        let options = TrainOptions { epochs: 1, validation: 0.0, ..TrainOptions::new(Architecture::Cnn) };
        let labels = ["no", "yes"].map(str::to_owned);
        let model = train(&[example(0), example(1)], &labels, &options, &mut |_| {}).expect("a model").model;
        let whole = model.windows().expect("a cnn");
        let mut small = model.windows().expect("a cnn");
        small.keep(2, 2);
        for round in 0..3 {
            for id in 0..model.vocabulary().len() as u32 {
                assert_eq!(*small.worth(id), *whole.worth(id), "{round} {id}");
            }
        }
    }
}
