//! The knobs of fine-tuning, their defaults, and their checks.

use crate::train::Loss;
use crate::{Error, Result};

/// Everything that decides the outcome of fine-tuning, beside the examples and the encoder.
#[derive(Debug, Clone, PartialEq)]
pub struct FineTuneOptions {
    pub seed: u64,
    /// The most epochs.
    pub epochs: usize,
    pub batch: usize,
    /// The highest learning rate of AdamW.
    pub rate: f32,
    /// The share of all steps in which the rate rises from 0; it then falls to 0 at the last step.
    pub warm_up: f32,
    /// Decoupled weight decay, for matrices only.
    pub decay: f32,
    /// The largest norm of a gradient; a larger one is scaled down.
    pub largest_gradient: f32,
    pub dropout: f32,
    pub loss: Loss,
    /// Pieces of a text that are read while training.
    pub max_length: usize,
    /// Freezes the embeddings and this many of the lowest layers; `None` trains everything.
    pub frozen_layers: Option<usize>,
    /// The share of examples held out to choose the best epoch; 0 for none.
    pub validation: f32,
    /// Training stops after this many epochs without a better validation.
    pub patience: usize,
}

impl Default for FineTuneOptions {
    /// What the BERT paper recommends, with the rate that small encoders need.
    fn default() -> Self {
        Self {
            seed: 0,
            epochs: 3,
            batch: 32,
            rate: 1e-4,
            warm_up: 0.1,
            decay: 0.01,
            largest_gradient: 1.0,
            dropout: 0.1,
            loss: Loss::default(),
            max_length: 128,
            frozen_layers: None,
            validation: 0.1,
            patience: 2,
        }
    }
}

impl FineTuneOptions {
    /// Refuses values that no training could use; behind this door they are trusted.
    pub(super) fn check(&self) -> Result<()> {
        for (option, found) in [("epochs", self.epochs), ("batch", self.batch), ("max length", self.max_length)] {
            if !(1..=1 << 24).contains(&found) {
                let expected = "a number from 1 to 16777216";
                return Err(Error::BadOption { option, found: found.to_string(), expected });
            }
        }
        let above_zero = |x: f32| x > 0.0 && x.is_finite();
        let below_one = |x: f32| (0.0..1.0).contains(&x);
        let numbers = [
            ("rate", self.rate, above_zero(self.rate), "a number above 0"),
            ("largest gradient", self.largest_gradient, self.largest_gradient > 0.0, "a number above 0"),
            ("warm-up", self.warm_up, below_one(self.warm_up), "at least 0, below 1"),
            ("weight decay", self.decay, below_one(self.decay), "at least 0, below 1"),
            ("dropout", self.dropout, below_one(self.dropout), "at least 0, below 1"),
            ("validation", self.validation, below_one(self.validation), "at least 0, below 1"),
            ("label smoothing", self.loss.smoothing, below_one(self.loss.smoothing), "at least 0, below 1"),
            ("focal loss", self.loss.focus, (0.0..=10.0).contains(&self.loss.focus), "from 0 to 10"),
        ];
        for (option, found, right, expected) in numbers {
            if !right {
                return Err(Error::BadOption { option, found: found.to_string(), expected });
            }
        }
        Ok(())
    }

    /// The rate of step number `step`, counted from 1, of `steps`.
    pub(super) fn rate_at(&self, step: usize, steps: usize) -> f32 {
        let rising = (steps as f64 * f64::from(self.warm_up)).round();
        let (step, steps) = (step as f64, steps as f64);
        let share = if step <= rising { step / rising } else { (steps - step + 1.0) / (steps - rising + 1.0) };
        (f64::from(self.rate) * share) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let options = FineTuneOptions { rate: 1.0, warm_up: 0.2, ..FineTuneOptions::default() };
        let rates: Vec<f32> = (1..=10).map(|step| options.rate_at(step, 10)).collect();
        assert_eq!(rates[..2], [0.5, 1.0]);
        for (at, found) in rates[2..].iter().enumerate() {
            assert!((found - (8 - at) as f32 / 9.0).abs() < 1e-6, "{rates:?}");
        }
        let flat = FineTuneOptions { rate: 1.0, warm_up: 0.0, ..options };
        assert!((flat.rate_at(1, 4) - 0.8).abs() < 1e-6);
    }

    #[test]
    fn wrong_knobs_are_named() {
        let wrong = [
            (FineTuneOptions { epochs: 0, ..FineTuneOptions::default() }, "epochs"),
            (FineTuneOptions { rate: f32::NAN, ..FineTuneOptions::default() }, "rate"),
            (FineTuneOptions { dropout: 1.0, ..FineTuneOptions::default() }, "dropout"),
            (FineTuneOptions { warm_up: -0.1, ..FineTuneOptions::default() }, "warm-up"),
        ];
        for (options, word) in wrong {
            let error = options.check().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(FineTuneOptions::default().check().is_ok());
    }
}
