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

/// The point below which a standard normal draw lies with probability `share`.
pub fn normal_quantile(share: f64) -> f64 {
    -std::f64::consts::SQRT_2 * statrs::function::erf::erfc_inv(2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.norm.ppf([0.975, 0.5, 0.001, 0.99999])` of SciPy 1.17.
    #[test]
    fn quantiles_as_scipy_has_them() {
        let figures =
            [(0.975, 1.959963984540054), (0.5, 0.0), (0.001, -3.090232306167813), (0.99999, 4.264890793923841)];
        for (share, expected) in figures {
            assert!((normal_quantile(share) - expected).abs() < 1e-9, "{share}: {}", normal_quantile(share));
        }
    }
}
