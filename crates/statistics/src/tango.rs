//! How much more often paired answers go one way than the other, with an interval that is sound for few events too.

use crate::Estimate;
use crate::proportion::Z;

/// Halvings of the search for an end of the interval: 2^-60 is below the precision of a float.
const HALVINGS: usize = 60;

/// The difference `(broken - fixed) / n` of paired shares: of `n` pairs `broken` went from right to wrong and `fixed`
/// from wrong to right. The counts may be fractions, as those of an effective number of pairs are. `None` of no pair.
///
/// The interval is Tango's (1998): all differences that a score test does not refuse, with the share of pairs that went
/// the other way fitted to each. The test is corrected for skewness (the first term of Cornish and Fisher), as a few
/// events that all go one way are far from normal; without it, up to twice as many misses as promised lie on one side.
/// Where nothing happened there is no skewness to correct: the interval is then Tango's own, `z²/(n + z²)` either way.
pub fn paired_difference(n: f64, broken: f64, fixed: f64) -> Option<Estimate> {
    paired_difference_within(n, broken, fixed, Z)
}

/// The same with an interval of `z` standard errors on either side.
pub(crate) fn paired_difference_within(n: f64, broken: f64, fixed: f64, z: f64) -> Option<Estimate> {
    let sound = n > 0.0 && broken >= 0.0 && fixed >= 0.0 && broken + fixed <= n * (1.0 + 1e-9);
    if !sound {
        return None;
    }
    let value = ((broken - fixed) / n).clamp(-1.0, 1.0);
    let test = Score { n, broken, fixed, skew: skew_weight(n, broken, fixed), z };
    // Inside the interval no test refuses; the value itself is never refused.
    let end = |outside: f64| {
        let (mut inside, mut outside) = (value, outside);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if test.refuses(middle) { outside = middle } else { inside = middle }
        }
        inside
    };
    Some(Estimate { value, low: end(-1.0), high: end(1.0) })
}

/// How much of the skewness is corrected: all of it from one event on, of either kind.
fn skew_weight(n: f64, broken: f64, fixed: f64) -> f64 {
    (broken + fixed).min(n - (broken - fixed).abs()).clamp(0.0, 1.0)
}

/// The test of a difference.
struct Score {
    n: f64,
    broken: f64,
    fixed: f64,
    skew: f64,
    /// Standard errors beyond which it refuses.
    z: f64,
}

impl Score {
    /// Whether so large a distance from the difference `d` is seen less often than 2.5 times in a hundred on its side.
    fn refuses(&self, d: f64) -> bool {
        let Self { n, broken, fixed, skew, z } = *self;
        // The likeliest share of fixed pairs where that of broken ones is larger by `d`.
        let (b, c) = (-broken - fixed + (2.0 * n - broken + fixed) * d, -fixed * d * (1.0 - d));
        let fitted = ((b * b - 8.0 * n * c).max(0.0).sqrt() - b) / (4.0 * n);
        let q = fitted.max(0.0).max(-d);
        let variance = 2.0 * q + d * (1.0 - d);
        let distance = broken - fixed - n * d;
        if variance <= 1e-300 {
            return distance.abs() > 1e-12 * n;
        }
        let third = (q + d) * (1.0 - d).powi(3) - q * (1.0 + d).powi(3) - (1.0 - 2.0 * q - d) * d.powi(3);
        let skewness = third / (variance.powf(1.5) * n.sqrt());
        let shift = skew * skewness * (z * z - 1.0) / 6.0;
        let score = distance / (n * variance).sqrt();
        score > z + shift || score < -z + shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tango(n: f64, broken: f64, fixed: f64) -> (f64, f64) {
        let test = Score { n, broken, fixed, skew: 0.0, z: Z };
        let value = (broken - fixed) / n;
        let end = |mut outside: f64| {
            let mut inside = value;
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                if test.refuses(middle) { outside = middle } else { inside = middle }
            }
            inside
        };
        (end(-1.0), end(1.0))
    }

    /// Tango's intervals as Fagerland, Lydersen and Laake ("Statistical Analysis of Contingency Tables", chapter 8) have
    /// them: of Bentur et al. 2009 (21 pairs, 1 and 7 changed) and of Cavo et al. 2012 (161 pairs, 6 and 16 changed).
    #[test]
    fn tangos_own_interval_as_published() {
        let (low, high) = tango(21.0, 1.0, 7.0);
        assert!((low + 0.517).abs() < 5e-4 && (high + 0.026).abs() < 5e-4, "{low} {high}");
        let (low, high) = tango(161.0, 6.0, 16.0);
        assert!((low + 0.1240).abs() < 5e-5 && (high + 0.0054).abs() < 5e-5, "{low} {high}");
    }

    /// Without an event the ends are where n d / (1 - d) = z², which is Wilson's end of a share of none.
    #[test]
    fn nothing_in_forty_by_hand() {
        let found = paired_difference(40.0, 0.0, 0.0).unwrap();
        let end = Z * Z / (40.0 + Z * Z);
        assert!((found.high - end).abs() < 1e-12 && (found.low + end).abs() < 1e-12 && found.value == 0.0, "{found:?}");
        // Where all broke, a difference below 1 leaves room for fixed ones too: its lower end is twice as far away.
        let all = paired_difference(40.0, 40.0, 0.0).unwrap();
        assert!(all.high == 1.0 && (all.low - (1.0 - 2.0 * end)).abs() < 1e-9, "{all:?}");
    }

    /// Worked out apart from this code, by bisection in Python.
    #[test]
    fn with_the_skewness_corrected() {
        let figures = [
            (21.0, 1.0, 7.0, -0.522_891_372_888, -0.026_208_173_967),
            (40.0, 1.0, 0.0, -0.052_310_207_038, 0.114_580_880_635),
            (400.0, 4.0, 0.0, 0.000_317_966_521, 0.023_814_240_509),
        ];
        for (n, broken, fixed, low, high) in figures {
            let found = paired_difference(n, broken, fixed).unwrap();
            assert!((found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9, "{found:?}");
            let turned = paired_difference(n, fixed, broken).unwrap();
            assert!((turned.low + high).abs() < 1e-9 && (turned.high + low).abs() < 1e-9, "{turned:?}");
        }
    }

    #[test]
    fn of_nothing_or_of_nonsense() {
        assert_eq!(paired_difference(0.0, 0.0, 0.0), None);
        assert_eq!(paired_difference(3.0, 2.0, 2.0), None);
        assert_eq!(paired_difference(f64::NAN, 0.0, 0.0), None);
    }
}
