//! Heads that can be trained, and what a text teaches each of them.

use crate::encoder::dropout::{Dropout, Place};
use crate::encoder::head::{ClassHead, SpanHead, TagHead};
use crate::encoder::layout::Reach;
use crate::encoder::linear::Linear;
use crate::small::best;
use crate::train::{Loss, Tally, Target};

/// A head, as training sees it.
pub(crate) trait TrainedHead: Clone + Send + Sync {
    /// What a text is to teach.
    type Target: Send + Sync;

    /// The hidden rows of a text that the head looks at.
    fn reach(&self) -> Reach;

    /// How many labels a text has, which weigh alike.
    fn labels(target: &Self::Target) -> usize;

    /// The loss of one text from its hidden rows. In training, with a gradient of the head to add to and the gradient
    /// of the rows to write (which is zero before).
    fn teach(
        &self,
        rows: &[f32],
        target: &Self::Target,
        loss: Loss,
        dropout: Option<&Dropout>,
        training: Option<(&mut Self, &mut [f32])>,
    ) -> Tally;

    /// A head of zeros to add gradients up in.
    fn gradient(&self) -> Self;

    /// Its affine maps, always in the same order.
    fn linears_mut(&mut self) -> Vec<&mut Linear>;
}

impl TrainedHead for ClassHead {
    type Target = Target;

    fn reach(&self) -> Reach {
        self.pooling.reach()
    }

    fn labels(_: &Target) -> usize {
        1
    }

    fn teach(
        &self,
        rows: &[f32],
        target: &Target,
        loss: Loss,
        dropout: Option<&Dropout>,
        training: Option<(&mut Self, &mut [f32])>,
    ) -> Tally {
        let row = self.pooled(rows);
        let kept = self.forward(&row, dropout);
        let (loss, pull) = loss.toward(&kept.logits, *target);
        if let Some((gradient, d_rows)) = training {
            self.backward_rows(&pull, &kept, dropout, Some((&row, gradient)), d_rows);
        }
        Tally::of(loss, &kept.logits, *target)
    }

    fn gradient(&self) -> Self {
        Self::gradient(self)
    }

    fn linears_mut(&mut self) -> Vec<&mut Linear> {
        vec![&mut self.dense, &mut self.classifier]
    }
}

impl TrainedHead for TagHead {
    /// The label of each row; rows without one (marks, later pieces of a word) teach nothing.
    type Target = Vec<Option<usize>>;

    fn reach(&self) -> Reach {
        Reach::All
    }

    fn labels(target: &Self::Target) -> usize {
        target.iter().flatten().count()
    }

    fn teach(
        &self,
        rows: &[f32],
        target: &Self::Target,
        loss: Loss,
        dropout: Option<&Dropout>,
        mut training: Option<(&mut Self, &mut [f32])>,
    ) -> Tally {
        let width = self.0.inputs();
        let rows = dropped(rows, dropout);
        let mut tally = Tally::default();
        for (at, (row, label)) in rows.chunks_exact(width).zip(target).enumerate() {
            let Some(label) = *label else { continue };
            let mut logits = vec![0.0; self.0.outputs()];
            self.0.forward_row(row, &mut logits);
            let (loss, pull) = loss.of(&logits, label);
            tally.add(Tally { loss, right: usize::from(best(&logits) == label), labelled: 1 });
            if let Some((gradient, d_rows)) = &mut training {
                gradient.0.accumulate(&pull, row);
                self.0.backward_row(&pull, &mut d_rows[at * width..][..width]);
            }
        }
        if let (Some((_, d_rows)), Some(dropout)) = (training, dropout) {
            dropout.apply(Place::Pooled, d_rows);
        }
        tally
    }

    fn gradient(&self) -> Self {
        Self(Linear::zeros(self.0.outputs(), self.0.inputs()))
    }

    fn linears_mut(&mut self) -> Vec<&mut Linear> {
        vec![&mut self.0]
    }
}

impl TrainedHead for SpanHead {
    /// The rows where the answer starts and ends; the first row, both times, if there is no answer.
    type Target = [usize; 2];

    fn reach(&self) -> Reach {
        Reach::All
    }

    fn labels(_: &Self::Target) -> usize {
        1
    }

    fn teach(
        &self,
        rows: &[f32],
        target: &Self::Target,
        loss: Loss,
        dropout: Option<&Dropout>,
        training: Option<(&mut Self, &mut [f32])>,
    ) -> Tally {
        let width = self.0.inputs();
        let rows = dropped(rows, dropout);
        let logits = self.logits(&rows);
        let [(start_loss, start_pull), (end_loss, end_pull)] = [0, 1].map(|side| loss.of(&logits[side], target[side]));
        if let Some((gradient, d_rows)) = training {
            let rows = rows.chunks_exact(width).zip(d_rows.chunks_exact_mut(width));
            for ((start, end), (row, d_row)) in start_pull.iter().zip(&end_pull).zip(rows) {
                // The loss is the mean of both sides.
                let pull = [start / 2.0, end / 2.0];
                gradient.0.accumulate(&pull, row);
                self.0.backward_row(&pull, d_row);
            }
            if let Some(dropout) = dropout {
                dropout.apply(Place::Pooled, d_rows);
            }
        }
        let right = [0, 1].into_iter().all(|side| best(&logits[side]) == target[side]);
        Tally { loss: f64::midpoint(start_loss, end_loss), right: usize::from(right), labelled: 1 }
    }

    fn gradient(&self) -> Self {
        Self(Linear::zeros(self.0.outputs(), self.0.inputs()))
    }

    fn linears_mut(&mut self) -> Vec<&mut Linear> {
        vec![&mut self.0]
    }
}

/// The rows with some of their numbers dropped.
fn dropped<'a>(rows: &'a [f32], dropout: Option<&Dropout>) -> std::borrow::Cow<'a, [f32]> {
    let Some(dropout) = dropout else { return rows.into() };
    let mut rows = rows.to_vec();
    dropout.apply(Place::Pooled, &mut rows);
    rows.into()
}
