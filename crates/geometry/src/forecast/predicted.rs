//! What a part is predicted to do to a whole data set, text by text and without keeping any.

use fissure_statistics::{Estimate, normal_quantile};

use super::part::PartOutlook;

/// Sums over the texts that a part would change.
#[derive(Debug, Clone, Default)]
pub struct Predicted {
    texts: usize,
    flips: f64,
    baseline: f64,
    /// Each answer is a throw of the dice.
    variance: f64,
    /// The sum by each of the calibrations on drawn texts.
    replicates: Vec<f64>,
    labelled: usize,
    drop: f64,
    /// What the calibration saw, where its line says no more than the margin.
    seen: Option<Estimate>,
}

impl Predicted {
    /// Adds a text. `right` says which class is right, and whether the original is answered so.
    pub fn add(&mut self, outlook: &PartOutlook, right: Option<(usize, bool)>) {
        let p = outlook.forecast.probability;
        self.texts += 1;
        self.seen = outlook.seen;
        self.flips += p;
        self.baseline += outlook.baseline;
        self.variance += p * (1.0 - p);
        self.replicates.resize(outlook.replicates.len().max(self.replicates.len()), 0.0);
        self.replicates.iter_mut().zip(&outlook.replicates).for_each(|(sum, value)| *sum += value);
        if let Some((gold, was)) = right {
            self.labelled += 1;
            self.drop += f64::from(u8::from(was)) - outlook.becomes.get(gold).copied().unwrap_or(0.0);
        }
    }

    /// How many texts would be changed.
    pub fn texts(&self) -> usize {
        self.texts
    }

    /// The share of answers that flip; `None` of no text. The interval holds what asking about every text once would show in
    /// 19 of 20 cases, as far as the calibration and the dice decide that: it does not know how wrong the straight line is. Where that line
    /// says no more than the margin, the interval holds what the copies of the calibration alone allow.
    pub fn flips(&self) -> Option<Estimate> {
        let value = self.flips / self.texts as f64;
        let (below, above) = self.reach(value)?;
        Some(Estimate { value, low: value - below, high: value + above }.within(0.0, 1.0))
    }

    /// The same by the calibrated margin alone.
    pub fn baseline(&self) -> Option<f64> {
        (self.texts > 0).then(|| self.baseline / self.texts as f64)
    }

    /// The drop in accuracy; `None` if no text has a label. What moves a drop moves at least as many answers, so its interval is
    /// as wide as that of the flips.
    pub fn drop(&self) -> Option<Estimate> {
        let value = self.drop / self.labelled as f64;
        let (below, above) = self.reach(self.flips / self.texts as f64)?;
        (self.labelled > 0).then(|| Estimate { value, low: value - below, high: value + above }.within(-1.0, 1.0))
    }

    /// How far the interval of the flips reaches below its value and above.
    fn reach(&self, flips: f64) -> Option<(f64, f64)> {
        let half = self.half_width()?;
        let further = |by: f64| half.max(by);
        Some(self.seen.map_or((half, half), |seen| (further(flips - seen.low), further(seen.high - flips))))
    }

    fn half_width(&self) -> Option<f64> {
        let number = self.replicates.len() as f64;
        let middle = self.replicates.iter().sum::<f64>() / number.max(1.0);
        let spread = self.replicates.iter().map(|sum| (sum - middle).powi(2)).sum::<f64>() / (number - 1.0).max(1.0);
        let texts = self.texts as f64;
        (self.texts > 0).then(|| normal_quantile(0.975) * (spread + self.variance).sqrt() / texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Forecast;

    fn outlook(probability: f64, replicates: [f64; 2]) -> PartOutlook {
        PartOutlook {
            forecast: Forecast { probability, t: 0.0, mean: 0.0, spread: 1.0 },
            becomes: vec![1.0 - probability, probability],
            baseline: 0.1,
            threats: Vec::new(),
            replicates: replicates.to_vec(),
            seen: None,
        }
    }

    #[test]
    fn flips_and_drops_by_hand() {
        let mut predicted = Predicted::default();
        assert_eq!(predicted.flips(), None);
        predicted.add(&outlook(0.2, [0.1, 0.3]), Some((0, true)));
        predicted.add(&outlook(0.4, [0.3, 0.5]), Some((1, false)));
        let flips = predicted.flips().unwrap();
        assert!((flips.value - 0.3).abs() < 1e-12);
        // The sums by the two calibrations are 0.4 and 0.8: variance 0.08; the dice add 0.16 + 0.24.
        assert!((flips.high - (0.3 + 1.959_964 * 0.48f64.sqrt() / 2.0)).abs() < 1e-6, "{flips:?}");
        // One loses 0.2, the other gains 0.4.
        assert!((predicted.drop().unwrap().value + 0.1).abs() < 1e-12);
        assert_eq!(predicted.baseline(), Some(0.1));
    }

    #[test]
    fn a_calibrated_margin_knows_no_more_than_its_copies() {
        let mut predicted = Predicted::default();
        let seen = Some(Estimate { value: 0.0, low: 0.0, high: 0.03 });
        (0..500).for_each(|_| predicted.add(&PartOutlook { seen, ..outlook(0.02, [0.02, 0.02]) }, Some((0, true))));
        let (flips, drop) = (predicted.flips().unwrap(), predicted.drop().unwrap());
        // By the dice alone 0.8 to 3.2 %: but no copy flipped.
        assert!(flips.low == 0.0 && flips.high > 0.03 && flips.high < 0.035, "{flips:?}");
        assert!(drop.low <= 0.0 && drop.high > 0.03, "{drop:?}");
    }
}
