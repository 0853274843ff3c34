//! F1 of classes: of one, and the mean over all.

use fissure_core::Sample;

use super::{Metric, Tally, counts};
use crate::Response;

/// The mean of the F1 of every class that was there or was answered. Tally: for each class (hits, answered, there).
#[derive(Debug, Clone)]
pub struct MacroF1 {
    labels: Vec<String>,
}

impl MacroF1 {
    pub fn new(labels: &[String]) -> Self {
        let mut labels = labels.to_vec();
        labels.sort();
        labels.dedup();
        Self { labels }
    }
}

impl Metric for MacroF1 {
    fn name(&self) -> &'static str {
        "macro_f1"
    }

    /// An answer that is none of the labels misses its sample's class, and is no class of its own.
    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (Some(gold), Response::Class { label, .. }) = (&sample.label, response) else { return None };
        let at = |label: &String| self.labels.binary_search(label).ok();
        let (gold, answered) = (at(&gold.to_string())?, at(label));
        let mut tally = vec![0.0; 3 * self.labels.len()];
        tally[3 * gold + 2] = 1.0;
        if let Some(answered) = answered {
            tally[3 * answered + 1] = 1.0;
            tally[3 * answered] = f64::from(answered == gold);
        }
        Some(tally)
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        let classes: Vec<f64> = sum.chunks_exact(3).filter_map(counts::f1).collect();
        (!classes.is_empty()).then(|| classes.iter().sum::<f64>() / classes.len() as f64)
    }

    fn by_label(&self) -> bool {
        true
    }

    fn right(&self, tally: &[f64]) -> bool {
        tally.chunks_exact(3).all(counts::exact)
    }
}

/// F1 of one class. Tally: hits, answered, there.
#[derive(Debug, Clone)]
pub struct ClassF1 {
    pub label: String,
}

impl Metric for ClassF1 {
    fn name(&self) -> &'static str {
        "f1"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (Some(gold), Response::Class { label, .. }) = (&sample.label, response) else { return None };
        let (there, answered) = (gold.to_string() == self.label, *label == self.label);
        Some([there && answered, answered, there].map(f64::from).to_vec())
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::f1(sum)
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::exact(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_classes_by_hand() {
        let labels = ["a", "b", "c", "never"].map(str::to_owned);
        let metric = MacroF1::new(&labels);
        let answers = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "a"), ("c", "nonsense")];
        let sample = |gold: &str| Sample { label: Some(gold.into()), ..Sample::of_text("1", "x") };
        let said = |label: &str| Response::class(label);
        let tallies = answers.map(|(gold, label)| metric.tally(&sample(gold), &said(label)));
        // a: 2*1/(2+2) = 1/2; b: 2*1/(2+1) = 2/3; c: 0/(0+2) = 0; `never` is not counted.
        let value = counts::summed(&metric, &tallies).unwrap();
        assert!((value - (0.5 + 2.0 / 3.0) / 3.0).abs() < 1e-15, "{value}");
        assert_eq!(tallies.map(|tally| metric.right(&tally.unwrap())), [true, false, true, false, false]);
        assert_eq!(metric.tally(&sample("unheard"), &said("a")), None);
        let b = ClassF1 { label: "b".into() };
        let tallies = answers.map(|(gold, label)| b.tally(&sample(gold), &said(label)));
        assert_eq!(counts::summed(&b, &tallies), Some(2.0 / 3.0));
        assert_eq!(b.value(&[0.0; 3]), None);
    }
}
