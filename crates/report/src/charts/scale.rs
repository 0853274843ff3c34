//! From values to places: straight or logarithmic, with round ticks.

use crate::numbers::{Unit, fixed};

/// A stretch of values laid over a stretch of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    log: bool,
    unit: Unit,
    /// About how many ticks are wished for.
    wish: usize,
}

/// A place on an axis with the words beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub at: f64,
    pub label: String,
}

impl Scale {
    /// A straight scale that holds all the values, widened to round numbers.
    pub fn straight(values: impl IntoIterator<Item = f64>, unit: Unit, wish: usize) -> Self {
        let (mut low, mut high) = ends(values).unwrap_or((0.0, 1.0));
        if high - low < 1e-9 * high.abs().max(1e-3) {
            let room = if low == 0.0 { 0.05 } else { low.abs() * 0.1 };
            (low, high) = (low - room, high + room);
        }
        let step = round_step((high - low) / wish.max(1) as f64);
        let (from, to) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        Self { from, to, start: 0.0, end: 1.0, log: false, unit, wish }
    }

    /// A straight scale from one end to the other, exactly.
    pub const fn exact(from: f64, to: f64, unit: Unit, wish: usize) -> Self {
        Self { from, to, start: 0.0, end: 1.0, log: false, unit, wish }
    }

    /// A logarithmic scale over the values above 0, widened to powers of ten where there is more than one.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>, wish: usize) -> Self {
        let (low, high) = ends(values.into_iter().filter(|value| *value > 0.0)).unwrap_or((1.0, 10.0));
        let (mut from, mut to) = ((low.log10() + 1e-9).floor(), (high.log10() - 1e-9).ceil());
        if to <= from {
            to = from + 1.0;
        }
        // Half a decade of empty paper on either side says nothing.
        let (bottom, top) = (low.log10() - 0.15, high.log10() + 0.15);
        if to - from > 1.0 {
            (from, to) = (from.max(bottom), to.min(top));
        }
        Self { from, to, start: 0.0, end: 1.0, log: true, unit: Unit::Plain, wish }
    }

    /// The same values over this stretch of the picture.
    pub const fn over(mut self, start: f64, end: f64) -> Self {
        self.start = start;
        self.end = end;
        self
    }

    pub const fn wishing(mut self, ticks: usize) -> Self {
        self.wish = ticks;
        self
    }

    /// Where a value lies; beyond the ends, the end.
    pub fn at(&self, value: f64) -> f64 {
        let value = if self.log { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// Whether a value has a place here.
    pub fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    pub fn ticks(&self) -> Vec<Tick> {
        if self.log { self.log_ticks() } else { self.straight_ticks() }
    }

    fn straight_ticks(&self) -> Vec<Tick> {
        let factor = self.unit.factor();
        let step = round_step((self.to - self.from) / self.wish.max(1) as f64);
        let decimals = (-(step * factor).log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
        let first = (self.from / step - 1e-6).ceil();
        let count = ((self.to / step + 1e-6).floor() - first).clamp(0.0, 50.0) as usize;
        (0..=count)
            .map(|number| (first + number as f64) * step)
            .map(|value| Tick { at: self.at(value), label: fixed(value * factor, decimals) })
            .collect()
    }

    fn log_ticks(&self) -> Vec<Tick> {
        let (first, last) = ((self.from - 1e-9).ceil() as i32, (self.to + 1e-9).floor() as i32);
        let every = ((last - first) as usize / self.wish.max(1) + 1) as i32;
        let mut ticks = Vec::new();
        for power in first - 1..=last {
            for part in if last - first <= 1 { [1.0, 2.0, 5.0].as_slice() } else { &[1.0] } {
                let place = f64::from(power) + f64::log10(*part);
                let inside = place >= self.from - 1e-9 && place <= self.to + 1e-9;
                if inside && (power - first).rem_euclid(every) == 0 {
                    let at = self.start + (place - self.from) / (self.to - self.from) * (self.end - self.start);
                    ticks.push(Tick { at, label: log_label(*part, power) });
                }
            }
        }
        ticks
    }
}

/// The smallest and the largest finite value.
fn ends(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|value| value.is_finite()).fold(None, |ends, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

/// The next of 1, 2, 5, 10, ... that is not smaller.
fn round_step(step: f64) -> f64 {
    if !(step.is_finite() && step > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|part| part * power)
        .find(|round| *round >= step * (1.0 - 1e-9))
        .unwrap_or(power)
}

/// `0.01`, `200`, `10⁻⁶`
fn log_label(part: f64, power: i32) -> String {
    if (-3..=4).contains(&power) {
        return fixed(part * 10f64.powi(power), (-power).max(0) as usize);
    }
    let raised: String = power
        .to_string()
        .chars()
        .map(|letter| match letter {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => digit.to_digit(10).and_then(|digit| char::from_u32(0x2070 + digit)).unwrap_or(digit),
        })
        .collect();
    if part == 1.0 { format!("10{raised}") } else { format!("{part}·10{raised}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(Scale::straight([-0.013, 0.142], Unit::Points, 4)), ["−5", "0", "5", "10", "15"]);
        assert_eq!(labels(Scale::straight([0.0, 1.0], Unit::Plain, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(Scale::logarithmic([2e-6, 3.0], 4)), ["10⁻⁵", "0.001", "0.1"]);
        assert_eq!(labels(Scale::logarithmic([0.2, 0.7], 5)), ["0.1", "0.2", "0.5", "1"]);
    }

    #[test]
    fn odd_values_have_a_place() {
        let scale = Scale::straight([0.0, 10.0], Unit::Plain, 5).over(0.0, 100.0);
        assert_eq!([scale.at(5.0), scale.at(-3.0), scale.at(99.0)], [50.0, 0.0, 100.0]);
        for values in [vec![], vec![f64::NAN], vec![3.0], vec![0.0], vec![1e300, -1e300]] {
            let scale = Scale::straight(values.clone(), Unit::Plain, 5);
            assert!(scale.ticks().len() > 1 && scale.at(1.0).is_finite(), "{values:?}");
            assert!(Scale::logarithmic(values.clone(), 5).ticks().iter().all(|tick| tick.at.is_finite()), "{values:?}");
        }
    }
}
