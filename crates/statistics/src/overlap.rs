//! How much two distributions have in common.

/// The shared area of two histograms over common bins: 1 for equal distributions, 0 for separate ones. The bins are
/// `bins` equal parts of the range of both samples together. `None` if a sample has no finite value.
pub fn overlap(a: &[f64], b: &[f64], bins: usize) -> Option<f64> {
    let finite = |values: &[f64]| values.iter().copied().filter(|value| value.is_finite()).collect::<Vec<_>>();
    let (a, b) = (finite(a), finite(b));
    if a.is_empty() || b.is_empty() || bins == 0 {
        return None;
    }
    let (low, high) = a.iter().chain(&b).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    let histogram = |values: &[f64]| {
        let mut shares = vec![0.0; bins];
        for value in values {
            let at = if high > low { ((value - low) / (high - low) * bins as f64) as usize } else { 0 };
            shares[at.min(bins - 1)] += 1.0 / values.len() as f64;
        }
        shares
    };
    Some(histogram(&a).iter().zip(histogram(&b)).map(|(a, b)| a.min(b)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_areas_by_hand() {
        assert_eq!(overlap(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0], 4), Some(1.0));
        assert_eq!(overlap(&[0.0, 1.0], &[3.0, 4.0], 4), Some(0.0));
        // Two bins, [0, 2) and [2, 4]: shares 1/2, 1/2 and 1/4, 3/4.
        assert_eq!(overlap(&[0.0, 1.0, 2.0, 4.0], &[0.0, 2.5, 3.0, 4.0], 2), Some(0.75));
        assert_eq!(overlap(&[5.0], &[5.0], 10), Some(1.0));
        assert_eq!(overlap(&[], &[1.0], 10), None);
    }
}
