//! Random draws from the binomial distribution.

use fissure_core::Dice;
use statrs::function::gamma::ln_gamma;

/// How many of `n` throws succeed, each with probability `p`; quick for any `n`.
pub(crate) fn draw_binomial(n: u64, p: f64, dice: &mut Dice) -> u64 {
    if n == 0 || p <= 0.0 {
        return 0;
    }
    if p >= 1.0 {
        return n;
    }
    if p > 0.5 {
        return n - draw_binomial(n, 1.0 - p, dice);
    }
    if (n as f64) * p < 10.0 { by_gaps(n, p, dice) } else { by_rejection(n as f64, p, dice) }
}

/// Jumps from success to success: the gaps between them are geometric (Devroye 1986, page 525).
fn by_gaps(n: u64, p: f64, dice: &mut Dice) -> u64 {
    let log_miss = (-p).ln_1p();
    let (mut found, mut at) = (0, 0.0);
    loop {
        at += ((1.0 - dice.unit()).ln() / log_miss).floor() + 1.0;
        if at > n as f64 {
            return found;
        }
        found += 1;
    }
}

/// Transformed rejection (Hörmann 1993, algorithm BTRS): about 1.2 tries a draw, for `p <= 0.5` and `n p >= 10`.
fn by_rejection(n: f64, p: f64, dice: &mut Dice) -> u64 {
    let spread = (n * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let (center, inner) = (n * p + 0.5, 0.92 - 4.2 / b);
    let alpha = (2.83 + 5.1 / b) * spread;
    let log_odds = (p / (1.0 - p)).ln();
    let mode = ((n + 1.0) * p).floor();
    let log_weight = |k: f64| k * log_odds - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    loop {
        let (u, v) = (dice.unit() - 0.5, dice.unit());
        let edge = 0.5 - u.abs();
        let k = ((2.0 * a / edge + b) * u + center).floor();
        if edge >= 0.07 && v <= inner {
            return k as u64;
        }
        if (0.0..=n).contains(&k) && (v * alpha / (a / (edge * edge) + b)).ln() <= log_weight(k) - log_weight(mode) {
            return k as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts against `n p` and `n p (1 - p)`, and a whole small law against `scipy.stats.binom.pmf([0..3], 3, 0.3)`.
    #[test]
    fn draws_follow_the_law() {
        let mut dice = Dice::new(3, &["binomial"]);
        for (n, p) in [(40, 0.05), (1000, 0.3), (25_000, 0.97), (30, 0.5), (1_000_000, 0.002)] {
            let draws: Vec<f64> = (0..20_000).map(|_| draw_binomial(n, p, &mut dice) as f64).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            let expected = n as f64 * p * (1.0 - p);
            // Five standard errors of a mean, and of a variance, of 20,000 draws.
            assert!((mean - n as f64 * p).abs() < 5.0 * (expected / 20_000.0).sqrt(), "{n} {p}: mean {mean}");
            assert!((variance / expected - 1.0).abs() < 0.06, "{n} {p}: variance {variance} against {expected}");
        }
        let mut counts = [0; 4];
        (0..50_000).for_each(|_| counts[draw_binomial(3, 0.3, &mut dice) as usize] += 1);
        for (count, share) in counts.iter().zip([0.343, 0.441, 0.189, 0.027]) {
            assert!((f64::from(*count) / 50_000.0 - share).abs() < 0.012, "{counts:?}");
        }
    }

    /// The whole law of 40 throws at 0.3 (rejection) by a chi-square of its middle.
    #[test]
    fn rejection_has_the_right_shape() {
        let mut dice = Dice::new(4, &["binomial"]);
        let mut counts = [0.0; 41];
        (0..40_000).for_each(|_| counts[draw_binomial(40, 0.3, &mut dice) as usize] += 1.0);
        let chance = |k: f64| {
            (ln_gamma(41.0) - ln_gamma(k + 1.0) - ln_gamma(41.0 - k) + k * 0.3f64.ln() + (40.0 - k) * 0.7f64.ln()).exp()
        };
        let square: f64 = (4..=20)
            .map(|k| (k, 40_000.0 * chance(f64::from(k))))
            .fold(0.0, |sum, (k, expected)| sum + (counts[k as usize] - expected).powi(2) / expected);
        // The 99.9 % point of chi-square with 17 degrees of freedom.
        assert!(square < 40.8, "{square}");
    }

    #[test]
    fn the_edges() {
        let mut dice = Dice::new(0, &[]);
        assert_eq!(
            (draw_binomial(0, 0.5, &mut dice), draw_binomial(9, 0.0, &mut dice), draw_binomial(9, 1.0, &mut dice)),
            (0, 0, 9)
        );
    }
}
