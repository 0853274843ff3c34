//! `Model` and `WhiteBox` for the small models.

use rayon::prelude::*;

use super::reader::Tokenized;
use super::{Bag, Body, Recurrent, SHARE, Small, Windows, in_groups};
use crate::kernels::log_softmax;
use crate::model::check_logits;
use crate::{
    Answer, Capabilities, Embedded, Error, Gradient, Input, Matrix, Model, PullBack, Result, WeightsFn, WhiteBox,
};

impl<B: Body> Model for Small<B> {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let readings = self.read(inputs)?;
        let lengths: Vec<usize> = readings.iter().map(|reading| reading.pieces.len()).collect();
        in_groups(&lengths, B::GROUP, |group| {
            let rows: Vec<Vec<f32>> = group.iter().map(|text| self.gather(readings[*text].ids())).collect();
            let (_, logits) = self.forward(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let answers = group.iter().zip(logits).map(|(text, logits)| {
                check_logits(*text, &logits)?;
                Ok(Answer {
                    predicted: best(&logits),
                    log_probs: Some(log_softmax(&logits)),
                    truncated: readings[*text].truncated,
                })
            });
            answers.collect()
        })
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl<B: Body> WhiteBox for Small<B> {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        let point = |reading: Tokenized| {
            let rows = Matrix::new(self.width, self.gather(reading.ids()));
            Embedded { pieces: reading.pieces, rows, truncated: reading.truncated }
        };
        Ok(self.read(inputs)?.into_par_iter().with_min_len(SHARE).map(point).collect())
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        self.check(points)?;
        in_groups(&lengths(points), B::GROUP, |group| Ok(self.forward(&rows(points, group)).1))
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        self.check(points)?;
        in_groups(&lengths(points), B::GROUP, |group| self.pull_back_group(points, group, ask))
    }

    fn bag(&self) -> Option<Bag<'_>> {
        B::ADDITIVE.then(|| Bag::of(self))
    }

    fn windows(&self) -> Option<Windows<'_>> {
        B::windows(self)
    }

    fn recurrent(&self) -> Option<Recurrent<'_>> {
        B::recurrent(self)
    }

    fn readings(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<u32>>> {
        Ok(self.read(inputs)?.iter().map(|reading| reading.ids().collect()).collect())
    }

    fn words(&self) -> Vec<String> {
        // No word that the reader finds has a `<` or a space; marks and bigrams do.
        self.reader.vocabulary().iter().filter(|word| !word.contains(['<', ' '])).cloned().collect()
    }
}

impl<B: Body> Small<B> {
    pub(crate) fn read(&self, inputs: &[Input<'_>]) -> Result<Vec<Tokenized>> {
        inputs.par_iter().with_min_len(SHARE).map(|input| self.reader.read(*input)).collect()
    }

    fn pull_back_group(&self, points: &[Embedded], group: &[usize], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let (tape, logits) = self.forward(&rows(points, group));
        let asked: Vec<Vec<Vec<f32>>> = group.iter().zip(&logits).map(|(point, logits)| ask(*point, logits)).collect();
        for (point, asked) in group.iter().zip(&asked) {
            if let Some(wrong) = asked.iter().find(|weights| weights.len() != self.head.bias.len()) {
                let (expected, found) = (self.head.bias.len(), wrong.len());
                return Err(Error::WrongWeights { point: *point, expected, found });
            }
        }
        let mut results: Vec<PullBack> =
            logits.into_iter().map(|logits| PullBack { logits, gradients: Vec::new() }).collect();
        // Texts may have asked for different numbers of gradients: in each round go those that want another.
        for round in 0..asked.iter().map(Vec::len).max().unwrap_or(0) {
            let of: Vec<usize> = (0..group.len()).filter(|text| asked[*text].len() > round).collect();
            let mut features = vec![0.0; of.len() * self.body.features()];
            for (text, features) in of.iter().zip(features.chunks_exact_mut(self.body.features())) {
                self.head.backward(&asked[*text][round], features);
            }
            let lengths: Vec<usize> = of.iter().map(|text| points[group[*text]].rows.values.len()).collect();
            let inputs = self.body.backward(&tape, &of, &features, &lengths, None);
            for (text, gradient) in of.into_iter().zip(inputs) {
                let count = points[group[text]].rows.count();
                results[text].gradients.push(Gradient::new(count, Matrix::new(self.width, gradient)));
            }
        }
        Ok(results)
    }
}

/// The class with the highest logit, the first of equals.
pub(crate) fn best(logits: &[f32]) -> usize {
    (0..logits.len()).reduce(|best, c| if logits[c] > logits[best] { c } else { best }).unwrap_or(0)
}

fn lengths(points: &[Embedded]) -> Vec<usize> {
    points.iter().map(|point| point.rows.count()).collect()
}

fn rows<'a>(points: &'a [Embedded], group: &[usize]) -> Vec<&'a [f32]> {
    group.iter().map(|point| points[*point].rows.values.as_slice()).collect()
}
