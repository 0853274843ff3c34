//! Draws from the normal law.

use fissure_core::Dice;

/// A draw from the standard normal distribution, by Marsaglia's polar method.
pub fn normal(dice: &mut Dice) -> f64 {
    loop {
        let (u, v) = (2.0 * dice.unit() - 1.0, 2.0 * dice.unit() - 1.0);
        let square = u * u + v * v;
        if square > 0.0 && square < 1.0 {
            return u * (-2.0 * square.ln() / square).sqrt();
        }
    }
}
