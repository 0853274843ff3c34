//! Shares on the command line: a number outside of 0 to 1 is refused where it is written, not after an hour of work.

use std::str::FromStr;

/// A share, from 0 to 1; `NaN` is none.
pub fn share<T: FromStr + Copy + Into<f64>>(written: &str) -> Result<T, String> {
    match written.parse::<T>() {
        Ok(share) if (0.0..=1.0).contains(&share.into()) => Ok(share),
        _ => Err(format!("`{written}` is not a number from 0 to 1: write 0.5 for a half")),
    }
}

/// A share above 0, for what makes no sense with nothing.
pub fn some<T: FromStr + Copy + Into<f64>>(written: &str) -> Result<T, String> {
    match share::<T>(written)? {
        nothing if nothing.into() == 0.0 => Err(format!("`{written}` is not above 0: write 0.1 for a tenth")),
        share => Ok(share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_from_0_to_1() {
        assert_eq!(share::<f64>("0.25"), Ok(0.25));
        assert_eq!((share::<f32>("0"), share::<f32>("1")), (Ok(0.0), Ok(1.0)));
        for wrong in ["NaN", "inf", "-0.1", "1.5", "half", ""] {
            assert!(share::<f64>(wrong).is_err_and(|why| why.contains(wrong) && why.contains("0.5")), "{wrong}");
        }
    }

    #[test]
    fn some_share_is_above_0() {
        assert_eq!((some::<f64>("0.1"), some::<f64>("1")), (Ok(0.1), Ok(1.0)));
        assert!(["0", "-0", "1.5", "NaN"].iter().all(|wrong| some::<f64>(wrong).is_err()));
    }
}
