//! Correlations of two lists of numbers, with two-sided p-values.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

use crate::ranks;

/// A correlation over `n` pairs, and the probability of one at least as strong if there were none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Correlation {
    pub r: f64,
    pub p: f64,
    pub n: usize,
}

/// Pearson's r; `None` with fewer than three pairs, or where one side does not vary.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let r = coefficient(x, y)?;
    Some(Correlation { r, p: two_sided(r, x.len() as f64 - 2.0)?, n: x.len() })
}

/// Spearman's rho: Pearson's r of the ranks. The p-value of few pairs is exact.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let (x, y) = (ranks(x), ranks(y));
    exact_if_few(pearson(&x, &y)?, &y, |y| coefficient(&x, y))
}

/// The correlation of `x` and `y` that `given` does not explain, by straight lines.
pub fn partial(x: &[f64], y: &[f64], given: &[f64]) -> Option<Correlation> {
    let (xy, xz, yz) = (coefficient(x, y)?, coefficient(x, given)?, coefficient(y, given)?);
    let rest = (1.0 - xz * xz) * (1.0 - yz * yz);
    // What is left of a side that the control explains is rounding noise.
    if x.len() < 4 || rest < 1e-14 {
        return None;
    }
    let r = ((xy - xz * yz) / rest.sqrt()).clamp(-1.0, 1.0);
    Some(Correlation { r, p: two_sided(r, x.len() as f64 - 3.0)?, n: x.len() })
}

/// Kendall's tau-b, its p-value by the normal approximation with ties, and exact for few pairs.
pub fn kendall(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let found = asymptotic_kendall(x, y)?;
    exact_if_few(found, y, |y| asymptotic_kendall(x, y).map(|found| found.r))
}

/// Most pairs for which every order is tried: 7! = 5,040 of them.
const FEW: usize = 7;

/// With few pairs the usual approximations are wrong (p = 0 for three that agree), so every order of `y` is tried, each as
/// likely if the two had nothing to do with each other.
fn exact_if_few(found: Correlation, y: &[f64], r_of: impl Fn(&[f64]) -> Option<f64>) -> Option<Correlation> {
    if found.n > FEW {
        // No order is rarer than the two perfect ones among all.
        let orders: f64 = (1..=found.n).map(|n| n as f64).product();
        return Some(Correlation { p: found.p.max(2.0 / orders), ..found });
    }
    let mut orders = vec![y.to_vec()];
    for last in 1..y.len() {
        let swapped = |order: Vec<f64>| {
            (0..=last).map(move |at| {
                let mut order = order.clone();
                order.swap(at, last);
                order
            })
        };
        orders = orders.into_iter().flat_map(swapped).collect();
    }
    // Rounding must not make an equal order look weaker.
    let is_as_strong = |order: &&Vec<f64>| r_of(order).is_some_and(|r| r.abs() >= found.r.abs() - 1e-12);
    let strong = orders.iter().filter(is_as_strong).count();
    Some(Correlation { p: strong as f64 / orders.len() as f64, ..found })
}

fn asymptotic_kendall(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let n = x.len();
    if n < 3 || n != y.len() || x.iter().chain(y).any(|value| !value.is_finite()) {
        return None;
    }
    let (tx, ty) = (Ties::of(x), Ties::of(y));
    let pairs = (n * (n - 1) / 2) as f64;
    let below = ((pairs - tx.pairs) * (pairs - ty.pairs)).sqrt();
    if below == 0.0 {
        return None;
    }
    let size = n as f64;
    let variance = (size * (size - 1.0) * (2.0 * size + 5.0) - tx.cubes - ty.cubes) / 18.0
        + 2.0 * tx.pairs * ty.pairs / (size * (size - 1.0))
        + tx.triples * ty.triples / (9.0 * size * (size - 1.0) * (size - 2.0));
    let both = tied_in_both(x, y);
    let agreement = pairs - tx.pairs - ty.pairs + both - 2.0 * swaps(x, y);
    let score = agreement / variance.sqrt();
    Some(Correlation { r: agreement / below, p: erfc(score.abs() / std::f64::consts::SQRT_2), n })
}

/// The pairs equal on both sides.
fn tied_in_both(x: &[f64], y: &[f64]) -> f64 {
    let mut sorted: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.chunk_by(|a, b| a == b).map(|group| (group.len() * (group.len() - 1) / 2) as f64).sum()
}

/// The pairs that stand one way in `x` and the other way in `y`: the exchanges of a merge sort (Knight 1966).
fn swaps(x: &[f64], y: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]).then(y[a].total_cmp(&y[b])));
    let mut values: Vec<f64> = order.iter().map(|&at| y[at]).collect();
    let mut merged = values.clone();
    let (mut count, mut run) = (0u64, 1);
    while run < values.len() {
        for start in (0..values.len()).step_by(2 * run) {
            let (middle, end) = ((start + run).min(values.len()), (start + 2 * run).min(values.len()));
            let (mut left, mut right) = (start, middle);
            for slot in &mut merged[start..end] {
                if right == end || (left < middle && values[left] <= values[right]) {
                    *slot = values[left];
                    left += 1;
                } else {
                    *slot = values[right];
                    right += 1;
                    count += (middle - left) as u64;
                }
            }
        }
        std::mem::swap(&mut values, &mut merged);
        run *= 2;
    }
    count as f64
}

/// Sums over the groups of equal values: t(t-1)/2, t(t-1)(t-2) and t(t-1)(2t+5).
struct Ties {
    pairs: f64,
    triples: f64,
    cubes: f64,
}

impl Ties {
    fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut ties = Self { pairs: 0.0, triples: 0.0, cubes: 0.0 };
        for group in sorted.chunk_by(|a, b| a == b) {
            let t = group.len() as f64;
            ties.pairs += t * (t - 1.0) / 2.0;
            ties.triples += t * (t - 1.0) * (t - 2.0);
            ties.cubes += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        ties
    }
}

fn coefficient(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 3 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        let (a, b) = (a - mean_x, b - mean_y);
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let r = xy / (xx * yy).sqrt();
    (xx > 0.0 && yy > 0.0 && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
}

/// The two-sided p-value of a correlation by Student's t.
fn two_sided(r: f64, freedom: f64) -> Option<f64> {
    if r.abs() >= 1.0 {
        return Some(0.0);
    }
    let t = r.abs() * (freedom / ((1.0 - r) * (1.0 + r))).sqrt();
    Some(2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 12] = [0.3, 1.7, -2.2, 4.1, 0.3, 3.3, -0.7, 2.5, 2.5, -1.1, 0.9, 5.2];
    const Y: [f64; 12] = [1.1, 0.4, -1.9, 2.2, 0.2, 3.9, 0.4, 0.4, 2.8, -3.0, 1.5, 2.1];
    const Z: [f64; 12] = [0.5, 1.0, -1.0, 1.5, 0.0, 2.5, 0.7, 1.2, 0.4, -2.0, 0.6, 0.1];

    fn close(found: Option<Correlation>, r: f64, p: f64) {
        let found = found.unwrap();
        assert!((found.r - r).abs() < 1e-12, "{found:?} against {r}");
        assert!((found.p / p - 1.0).abs() < 1e-7, "{found:?} against {p}");
    }

    /// Figures of SciPy 1.17: pearsonr, spearmanr, kendalltau(method="asymptotic"), and residuals of lstsq.
    #[test]
    fn twelve_pairs_with_ties_as_scipy_has_them() {
        close(pearson(&X, &Y), 0.7760601728563625, 0.0030029259112885694);
        close(spearman(&X, &Y), 0.8056587400345548, 0.001559439102549141);
        close(kendall(&X, &Y), 0.6141922686399942, 0.00672644773777689);
        close(partial(&X, &Y, &Z), 0.5961352591521942, 0.052914284822826396);
    }

    #[test]
    fn strong_correlations_keep_their_tiny_p_values() {
        let x: Vec<f64> = (0..200).map(|at| f64::from(at) / 10.0).collect();
        let y: Vec<f64> = x.iter().enumerate().map(|(at, x)| x + (at as f64 * 1.3).sin() * 2.0).collect();
        let down: Vec<f64> = y.iter().map(|y| -y).collect();
        close(pearson(&x, &y), 0.9712480085686553, 2.2548060943780843e-125);
        close(spearman(&x, &down), -0.9745968649216232, 1.2598818335856465e-130);
        close(kendall(&x, &y), 0.859396984924623, 5.2644410153548435e-73);
    }

    /// By hand: of the n! orders two are perfect, up and down. Of five, four more exchange one neighbouring pair each way.
    #[test]
    fn few_pairs_have_exact_p_values() {
        let up: Vec<f64> = (0..7).map(f64::from).collect();
        for (n, orders) in [(3, 6.0), (4, 24.0), (5, 120.0), (7, 5040.0)] {
            close(spearman(&up[..n], &up[..n]), 1.0, 2.0 / orders);
            close(kendall(&up[..n], &up[..n]), 1.0, 2.0 / orders);
        }
        close(kendall(&up[..5], &[1.0, 0.0, 2.0, 3.0, 4.0]), 0.8, 10.0 / 120.0);
        let eight: Vec<f64> = (0..8).map(f64::from).collect();
        close(spearman(&eight, &eight), 1.0, 2.0 / 40_320.0);
        // With a tie: two orders of the tied pair, up and down.
        let tied = spearman(&up[..4], &[0.0, 1.0, 1.0, 3.0]).unwrap();
        assert!((tied.p - 4.0 / 24.0).abs() < 1e-12, "{tied:?}");
    }

    #[test]
    fn what_does_not_vary_does_not_correlate() {
        assert_eq!(pearson(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(pearson(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(pearson(&[1.0, f64::NAN, 3.0], &[1.0, 2.0, 4.0]), None);
        assert_eq!(kendall(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(partial(&X, &Y, &X), None);
        assert_eq!(pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]).map(|found| (found.r, found.p)), Some((1.0, 0.0)));
    }
}
