//! How the two prices of a change make one shift: along the slopes, and by the absence of the old words.
//!
//! A synonym is found where the old word was, and the slopes say most of what it does; a slip is found by nobody, and the absence
//! does. Which of the two a part is depends on the part and on the model, so the copies of the calibration decide.

use serde::Serialize;

/// What a change does to a margin, in two ways of reckoning.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Price {
    /// If the rows of words move.
    pub moved: f64,
    /// If no word attends to the old ones; 0 for models without attention.
    pub absent: f64,
}

impl Price {
    pub fn add(&mut self, other: Self) {
        self.moved += other.moved;
        self.absent += other.absent;
    }
}

/// How much of each price a part pays.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Blend {
    pub moved: f64,
    pub absent: f64,
}

impl Default for Blend {
    /// The slopes alone.
    fn default() -> Self {
        Self { moved: 1.0, absent: 0.0 }
    }
}

/// The weight of the ridge toward half of each, in copies.
const RIDGE: f64 = 10.0;

impl Blend {
    pub(crate) fn shift(self, price: Price) -> f64 {
        self.moved * price.moved + self.absent * price.absent
    }

    /// From prices and the shifts that were observed: least squares with an intercept and a ridge toward half of each. The slopes
    /// alone if nothing is ever absent.
    pub(crate) fn fit(observed: &[(Price, f64)]) -> Self {
        if observed.iter().all(|(price, _)| price.absent == 0.0) {
            return Self::default();
        }
        let count = observed.len() as f64;
        let mean = |value: &dyn Fn(&(Price, f64)) -> f64| observed.iter().map(value).sum::<f64>() / count;
        let (moved, absent) = (mean(&|(price, _)| price.moved), mean(&|(price, _)| price.absent));
        let shift = mean(&|(_, shift)| *shift);
        let (mut mm, mut ma, mut aa, mut my, mut ay) = (0.0, 0.0, 0.0, 0.0, 0.0);
        // A price that is always the same differs from its mean by rounding alone, from which nothing can be learned.
        let apart = |price: f64, mean: f64| if (price - mean).abs() > 1e-9 * mean.abs() { price - mean } else { 0.0 };
        for (price, seen) in observed {
            let (m, a) = (apart(price.moved, moved), apart(price.absent, absent));
            let missing = seen - shift - 0.5 * (m + a);
            mm += m * m;
            ma += m * a;
            aa += a * a;
            my += m * missing;
            ay += a * missing;
        }
        // A price that never varies has nothing to say beyond the half.
        let grown = |squares: f64| if squares > 0.0 { squares * (1.0 + RIDGE / count) } else { 1.0 };
        let (mm, aa) = (grown(mm), grown(aa));
        let determinant = mm * aa - ma * ma;
        Self { moved: 0.5 + (my * aa - ay * ma) / determinant, absent: 0.5 + (ay * mm - my * ma) / determinant }
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::Dice;

    use super::*;

    fn observed(moved: f64, absent: f64) -> Vec<(Price, f64)> {
        let mut dice = Dice::new(3, &["blend"]);
        let mut number = || 2.0 * dice.unit() - 1.0;
        let one = |_| {
            let price = Price { moved: number(), absent: number() };
            (price, 0.3 + moved * price.moved + absent * price.absent + 0.1 * number())
        };
        (0..600).map(one).collect()
    }

    #[test]
    fn copies_decide_how_much_of_each_is_paid() {
        for (moved, absent) in [(0.9, 0.3), (0.4, 1.1), (0.0, 1.0)] {
            let found = Blend::fit(&observed(moved, absent));
            assert!((found.moved - moved).abs() < 0.04 && (found.absent - absent).abs() < 0.04, "{found:?}");
        }
    }

    #[test]
    fn without_attention_the_slopes_are_all() {
        let mut without = observed(0.5, 0.0);
        without.iter_mut().for_each(|(price, _)| price.absent = 0.0);
        assert_eq!(Blend::fit(&without), Blend::default());
        assert_eq!(Blend::fit(&[]), Blend::default());
    }

    #[test]
    fn a_few_copies_that_say_nothing_leave_half_of_each() {
        let still = [(Price { moved: 0.2, absent: 0.4 }, 0.1); 3];
        assert_eq!(Blend::fit(&still), Blend { moved: 0.5, absent: 0.5 });
    }
}
