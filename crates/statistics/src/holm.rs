//! Many tests at once.

/// Holm's correction of p-values: the chance that any of them is a false alarm stays below the level. In the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        largest = largest.max(p[at] * (p.len() - rank) as f64).min(1.0);
        corrected[at] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `multipletests([...], method="holm")[1]` of statsmodels 0.15.
    #[test]
    fn six_p_values_as_statsmodels_has_them() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005, 0.5, 0.03]);
        for (found, expected) in corrected.iter().zip([0.05, 0.12, 0.12, 0.03, 0.5, 0.12]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[]), [] as [f64; 0]);
    }

    proptest! {
        #[test]
        fn never_smaller_never_above_one_and_in_the_same_order(p in prop::collection::vec(0.0..=1.0f64, 0..20)) {
            let corrected = holm(&p);
            for (a, (&before, &after)) in p.iter().zip(&corrected).enumerate() {
                prop_assert!(after >= before && after <= 1.0);
                prop_assert!(p.iter().zip(&corrected).skip(a).all(|(&p, &c)| p < before || c >= after));
            }
        }
    }
}
