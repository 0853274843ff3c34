//! Intervals by resampling.

use fissure_core::Dice;
use serde::Serialize;

/// The middle 95 % of a statistic over resampled data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The percentile bootstrap: `statistic` sees the numbers of the rows drawn with replacement. Resamples if it has no
/// value are left out; `None` if fewer than half have one.
pub fn bootstrap(
    rows: usize,
    resamples: usize,
    dice: &mut Dice,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Option<Interval> {
    let mut values: Vec<f64> = (0..resamples)
        .filter_map(|_| statistic(&(0..rows).map(|_| dice.below(rows)).collect::<Vec<_>>()))
        .filter(|value| value.is_finite())
        .collect();
    if values.is_empty() || values.len() * 2 < resamples {
        return None;
    }
    values.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&values, 0.025), high: quantile(&values, 0.975) })
}

/// The quantile of sorted values, straight lines between them (NumPy's default).
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = sorted[at.floor() as usize];
    below + (sorted[at.ceil() as usize] - below) * at.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_normal_sample_by_theory() {
        let mut dice = Dice::new(1, &["bootstrap"]);
        let sample: Vec<f64> = (0..400).map(|_| crate::normal(&mut dice)).collect();
        let mean = |rows: &[usize]| Some(rows.iter().map(|&at| sample[at]).sum::<f64>() / rows.len() as f64);
        let interval = bootstrap(400, 2000, &mut dice, mean).unwrap();
        // 2 * 1.96 / sqrt(400) = 0.196, up to the noise of both samples.
        assert!((interval.high - interval.low - 0.196).abs() < 0.03, "{interval:?}");
        assert!(interval.low < 0.1 && interval.high > -0.1);
    }

    #[test]
    fn quantiles_by_hand() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.25), 1.5);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), 4.0);
    }

    #[test]
    fn no_value_no_interval() {
        assert_eq!(bootstrap(5, 10, &mut Dice::new(0, &[]), |_| None), None);
        assert_eq!(bootstrap(0, 10, &mut Dice::new(0, &[]), |rows| rows.first().map(|_| 1.0)), None);
    }
}
