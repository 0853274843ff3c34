//! How many words an edit replaces: the moments of k.

use crate::EditLaw;

/// Moments of k = max(1, ceil(f n)) for a share f drawn evenly between the ends of a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ReplacedWords {
    /// E[k].
    pub mean: f64,
    /// E[k (n - k)].
    pub cross: f64,
    /// Var[k].
    pub variance: f64,
}

impl ReplacedWords {
    pub fn new(law: &EditLaw, n: usize) -> Self {
        let (first, last) = (EditLaw::count(law.least, n), EditLaw::count(law.most, n));
        let (mut mean, mut square) = (0.0, 0.0);
        for k in first..=last {
            // The shares that give k are those in ((k - 1)/n, k/n], and below it for the first.
            let low = if k == first { law.least } else { (k - 1) as f64 / n as f64 };
            let high = if k == last { law.most } else { k as f64 / n as f64 };
            let probability = if first == last { 1.0 } else { (high - low) / (law.most - law.least) };
            mean += probability * k as f64;
            square += probability * (k * k) as f64;
        }
        Self { mean, cross: n as f64 * mean - square, variance: (square - mean * mean).max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draw;

    #[test]
    fn a_fixed_share_has_no_spread() {
        let counts = ReplacedWords::new(&EditLaw::RANDOM, 30);
        assert_eq!(counts, ReplacedWords { mean: 3.0, cross: 81.0, variance: 0.0 });
    }

    #[test]
    fn a_drawn_share_by_hand() {
        // n = 7, f in [0.1, 0.2]: k = 1 up to f = 1/7, so with probability 3/7, else 2.
        let counts = ReplacedWords::new(&EditLaw::NEIGHBOURS, 7);
        assert!((counts.mean - 11.0 / 7.0).abs() < 1e-12);
        assert!((counts.variance - 12.0 / 49.0).abs() < 1e-12);
        // E[k(n-k)] = 3/7 * 6 + 4/7 * 10.
        assert!((counts.cross - 58.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn at_least_one_word_and_at_most_all() {
        assert_eq!(ReplacedWords::new(&EditLaw::NEIGHBOURS, 1).mean, 1.0);
        let all = EditLaw::new(Draw::Random, 1.0, 1.0).unwrap();
        assert_eq!(ReplacedWords::new(&all, 4), ReplacedWords { mean: 4.0, cross: 0.0, variance: 0.0 });
    }
}
