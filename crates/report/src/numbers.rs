//! How numbers are written: a real minus sign, no more digits than the data can bear, and a dash for what is not there.

use fissure_statistics::Estimate;

/// What stands if there is not a number.
pub const DASH: &str = "–";

/// A share as a percentage: `87.4`.
pub fn percent(share: f64) -> String {
    fixed(share * 100.0, 1)
}

/// A difference of shares in percentage points, with its sign: `+3.2`, `−0.4`.
pub fn signed_points(difference: f64) -> String {
    let text = fixed(difference * 100.0, 1);
    if difference > 0.0 && text != "0.0" { format!("+{text}") } else { text }
}

/// A number with this many decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return DASH.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|letter| matches!(letter, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A number of any size in few letters: `0.013`, `12`, `3.2e−7`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        DASH.to_owned()
    } else if value == 0.0 {
        "0".to_owned()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}").replace('-', "−")
    } else {
        let decimals = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
        let text = fixed(value, decimals);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

/// A whole number with thin spaces between thousands: `25 000`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

/// A p-value as papers write it.
pub fn p_value(p: f64) -> String {
    match p {
        p if !p.is_finite() => DASH.to_owned(),
        p if p < 0.001 => "< 0.001".to_owned(),
        p => fixed(p, 3),
    }
}

/// What a number is a number of, and so how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A share or a drop of one, written as a percentage.
    Percent,
    /// A difference of shares, written in percentage points with its sign.
    Points,
    /// A number as it is.
    Plain,
}

impl Unit {
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Percent => percent(value),
            Self::Points => signed_points(value),
            Self::Plain => short(value),
        }
    }

    /// By how much a value is multiplied before it is written.
    pub const fn factor(self) -> f64 {
        if matches!(self, Self::Plain) { 1.0 } else { 100.0 }
    }

    /// `11.2 [8.4, 14.0]`
    pub fn estimate(self, estimate: &Estimate) -> String {
        format!("{} {}", self.write(estimate.value), self.interval(estimate))
    }

    /// `[8.4, 14.0]`
    pub fn interval(self, estimate: &Estimate) -> String {
        format!("[{}, {}]", self.write(estimate.low), self.write(estimate.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        assert_eq!(percent(0.8743), "87.4");
        assert_eq!(signed_points(0.0321), "+3.2");
        assert_eq!(signed_points(-0.0321), "−3.2");
        assert_eq!(signed_points(-0.0001), "0.0");
        assert_eq!(signed_points(0.0001), "0.0");
        assert_eq!(percent(f64::NAN), "–");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(0.01299), "0.013");
        assert_eq!(short(1234.5), "1234");
        assert_eq!(short(12.0), "12");
        assert_eq!(short(3.21e-7), "3.2e−7");
        assert_eq!(count(1234), "1234");
        assert_eq!(count(1_234_567), "1\u{202F}234\u{202F}567");
        assert_eq!(p_value(0.0004), "< 0.001");
        assert_eq!(p_value(0.0234), "0.023");
    }

    #[test]
    fn an_estimate_shows_its_interval() {
        let estimate = Estimate { value: 0.112, low: 0.084, high: 0.14 };
        assert_eq!(Unit::Points.estimate(&estimate), "+11.2 [+8.4, +14.0]");
        assert_eq!(Unit::Percent.estimate(&estimate), "11.2 [8.4, 14.0]");
    }
}
