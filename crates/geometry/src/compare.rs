//! Several models on the same examples: do they find the same ones fragile?

use serde::Serialize;

use fissure_statistics::{Correlation, kendall, ranks, spearman};

/// How far two models agree on which examples are fragile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    pub first: usize,
    pub second: usize,
    pub spearman: Option<Correlation>,
    pub kendall: Option<Correlation>,
}

/// Every pair of models; `scores[m][i]` is the fragility of example `i` for model `m`.
pub fn agreements(scores: &[Vec<f64>]) -> Vec<Agreement> {
    let pair = |first: usize, second: usize| Agreement {
        first,
        second,
        spearman: spearman(&scores[first], &scores[second]),
        kendall: kendall(&scores[first], &scores[second]),
    };
    (0..scores.len())
        .flat_map(|first| (first + 1..scores.len()).map(move |second| (first, second)))
        .map(|(a, b)| pair(a, b))
        .collect()
}

/// The universal difficult examples: fragile for every model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Universal {
    /// The examples among the most fragile `share` of each model, those that are high for all first.
    pub examples: Vec<usize>,
    pub share: f64,
    /// How many there would be if the models had nothing to do with each other.
    pub by_chance: f64,
}

pub fn universal(scores: &[Vec<f64>], share: f64) -> Universal {
    let count = scores.first().map_or(0, Vec::len);
    // 1 for the most fragile, 0 for the least.
    let places: Vec<Vec<f64>> =
        scores.iter().map(|scores| ranks(scores).into_iter().map(|rank| rank / count as f64).collect()).collect();
    let worst = |example: usize| places.iter().map(|places| places[example]).fold(f64::INFINITY, f64::min);
    let mut examples: Vec<usize> = (0..count).filter(|&example| worst(example) > 1.0 - share).collect();
    examples.sort_by(|&a, &b| worst(b).total_cmp(&worst(a)).then(a.cmp(&b)));
    // Of few examples the share takes a whole number, which may be a much larger share.
    let taken = places.iter().map(|places| places.iter().filter(|place| **place > 1.0 - share).count() as f64);
    let by_chance = taken.map(|taken| taken / count.max(1) as f64).product::<f64>() * count as f64;
    Universal { examples, share, by_chance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_order_agrees() {
        let (up, down) = (vec![0.1, 0.2, 0.3, 0.9, 1.5], vec![5.0, 4.0, 3.0, 2.0, 1.0]);
        let found = agreements(&[up.clone(), up.iter().map(|v| v * v).collect(), down]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].spearman.map(|found| found.r), Some(1.0));
        assert_eq!(found[1].kendall.map(|found| found.r), Some(-1.0));
    }

    #[test]
    fn universal_examples_are_high_for_all() {
        let first = vec![9.0, 8.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0];
        let second = vec![9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0];
        let found = universal(&[first, second], 0.3);
        // The top three are {0, 1, 8} and {0, 8, 7}.
        assert_eq!(found.examples, [0, 8]);
        assert!((found.by_chance - 0.9).abs() < 1e-12);
        // A tenth of three examples is one of them.
        let few = universal(&[vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], 0.1);
        assert!((few.by_chance - 1.0 / 3.0).abs() < 1e-12, "{few:?}");
    }
}
