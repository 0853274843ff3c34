//! Shares estimated from some of the answers, drawn by a forecast with known probabilities.
//!
//! For text i the forecast says that a change flips the answer with probability F_i. The design expects
//! q_i = scale * sqrt(F_i (1 - F_i) + [`DOUBT`]) questions about it: below 1 the text is asked with that probability, above 1 as
//! many of its variants are asked, and one more with the probability of what is left over. The difference estimator
//!
//! > mean over i of G_i + (sum of (y_iv - G_i) over the variants v asked) / q_i
//!
//! corrects the forecasts by what was seen. G_i is F_i as two numbers fitted to the answers move and stretch it
//! ([`Recalibration`]): so a forecast that is biased or too sure costs less. If F_i stood there instead, the estimator would be
//! unbiased whatever the forecast is worth; two numbers fitted to many answers leave next to nothing of that to be lost, and a bad
//! forecast makes the estimate less precise, not wrong. It is the mean over these very texts of the probability that a change flips
//! the answer, that is what asking about ever more variants of every text would show. It is not about other texts.
//!
//! The interval inverts a test, as Wilson's does: for each possible share the variance is computed as if the forecast were
//! right but for a shift of all log odds that gives that share, times how much larger the observed variance is than that. So
//! rare flips, of which none may have been seen, do not shrink the interval to nothing. What was observed counts as much as there
//! were flips to observe it by: by a few alone a variance is hardly known. A few hits with large weights make the estimator lean
//! to one side, so the test compares with the quantiles of a law that is skewed as much (Cornish and Fisher 1938), as far as the
//! variance is not observed: a low estimate comes with a low observed variance, which moves the bounds already.
//!
//! With few questions ([`Sampled::has_few`]) no interval is narrower than the score interval of the answers alone: whether the forecast
//! is worth anything cannot be seen in a handful of them.
//!
//! [`Stage`] decides after each of at most four looks whether to ask more. The bounds of the first two are stricter, like those of
//! O'Brien and Fleming (1979), so that stopping early does not spoil the interval. The last two need no correction: asking ends
//! when the interval is narrow enough, wherever it lies. `tests/sampled.rs` simulates whole runs.

mod design;
mod recalibration;

pub use design::{Design, Stage};
pub use recalibration::Recalibration;

use crate::Estimate;
use crate::proportion::share_within;
use crate::tango::paired_difference_within;

/// What is added to the variance that a forecast claims: so much it may be wrong about a text of which it is sure.
const DOUBT: f64 = 1e-4;
/// Forecasts are taken as no surer than this.
const SUREST: f64 = 2e-5;
/// Standard errors on either side of the estimate at each look.
pub const LOOKS: [f64; 4] = [3.2, 2.4, 2.05, 2.05];
/// Variants of a text that are asked at most.
const MOST_VARIANTS: f64 = 16.0;

/// One text: what is forecast, the expected number of questions, and what was seen.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Text {
    probability: f64,
    sign: f64,
    expected: f64,
    asked: f64,
    hits: f64,
}

impl Text {
    fn correction(&self) -> f64 {
        self.sign * (self.hits - self.asked * self.probability) / self.expected
    }

    /// The variance of what the text adds if it is expected to be asked `expected` times: `chance` is that of one answer, `miss`
    /// the squared distance of its probability from the forecast.
    fn variance(&self, expected: f64, chance: f64, miss: f64) -> f64 {
        let fraction = expected - expected.floor();
        chance / expected + fraction * (1.0 - fraction) * miss / (expected * expected)
    }

    /// The mean squared distance of an answer from its forecast.
    fn square(&self) -> f64 {
        let share = self.hits / self.asked;
        share * (1.0 - self.probability).powi(2) + (1.0 - share) * self.probability.powi(2)
    }
}

/// The mean, the variance and the third central moment of the estimator.
struct Moments {
    mean: f64,
    variance: f64,
    third: f64,
}

/// The observed variance of the estimator beside that of the forecasts.
#[derive(Debug, Clone, Copy)]
struct Dispersion {
    /// How many times larger it is, as far as it can be trusted.
    factor: f64,
    /// From 0, where no hit was seen, towards 1, where there are many.
    trust: f64,
}

/// The third central moment of what a text adds if it is expected to be asked `expected` times, flips with probability `p`, and
/// was forecast to flip with `forecast`.
fn third_moment(expected: f64, p: f64, forecast: f64) -> f64 {
    let whole = expected.floor();
    let (chance, miss) = (expected - whole, p - forecast);
    let square = p * (1.0 - forecast).powi(2) + (1.0 - p) * forecast * forecast;
    let cube = p * (1.0 - forecast).powi(3) - (1.0 - p) * forecast.powi(3);
    // The question that may be asked, about its mean.
    let perhaps = chance * cube - 3.0 * chance * chance * miss * square + 2.0 * (chance * miss).powi(3);
    (whole * p * (1.0 - p) * (1.0 - 2.0 * p) + perhaps) / expected.powi(3)
}

/// The difference estimator over the texts of a part.
#[derive(Debug, Clone, Default)]
pub struct Sampled {
    texts: Vec<Text>,
}

impl Sampled {
    /// Adds a text whose answer is a hit with the forecast `probability`. It was expected to be asked `expected` times, and
    /// `hits` of the `asked` answers are one. `sign` is 1, or -1 for a hit that lowers what is estimated: an answer that was put
    /// right lowers a drop.
    pub fn add(&mut self, probability: f64, sign: f64, expected: f64, hits: usize, asked: usize) {
        let (asked, hits) = (asked as f64, hits as f64);
        self.texts.push(Text { probability, sign, expected: expected.max(1e-9), asked, hits });
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The estimate with an interval of `deviations` standard errors on either side; `None` without texts.
    pub fn estimate(&self, deviations: f64) -> Option<Estimate> {
        if self.texts.is_empty() {
            return None;
        }
        let fitted = self.recalibrated(Recalibration::fit(&self.texts));
        let value = fitted.value();
        let found = fitted.interval(value, fitted.dispersion(value), deviations, 0.0);
        if !self.has_few() {
            return Some(found);
        }
        let plain = self.as_a_sample(deviations);
        Some(Estimate { low: found.low.min(plain.low), high: found.high.max(plain.high), ..found })
    }

    /// Whether there are too few questions to go by more than the answers. A forecast that tells texts apart needs fewer: those of a first
    /// look are enough, but for chance.
    pub fn has_few(&self) -> bool {
        let first = self.texts.first().map_or(0.0, |text| text.probability);
        let flat = self.texts.iter().all(|text| (text.probability - first).abs() < 1e-12);
        self.asked() < if flat { FEW_BY_CHANCE } else { FEW_BY_FORECAST }
    }

    /// All questions.
    fn asked(&self) -> f64 {
        self.texts.iter().map(|text| text.asked).sum()
    }

    /// What the answers say without the forecast: the score interval of a share, or of a difference of paired shares, for as many answers
    /// as would say as much if all texts were asked alike. So few answers cannot show what a forecast is worth, neither
    /// where it expects flips nor how far they scatter, so no interval may be narrower than this one.
    fn as_a_sample(&self, deviations: f64) -> Estimate {
        let sum = |of: &dyn Fn(&Text) -> f64| self.texts.iter().map(of).sum::<f64>();
        let all = sum(&|text| text.asked / text.expected);
        let count = self.texts.len() as f64;
        let alike = (count * count / sum(&|text| 1.0 / text.expected)).min(self.asked());
        let goes_down = self.texts.iter().any(|text| text.sign < 0.0);
        let unknown = Estimate { value: 0.0, low: if goes_down { -1.0 } else { 0.0 }, high: 1.0 };
        if all <= 0.0 {
            return unknown;
        }
        let share = |sign: f64| sum(&|text| if text.sign * sign > 0.0 { text.hits / text.expected } else { 0.0 }) / all;
        let (up, down) = (share(1.0).min(1.0), share(-1.0));
        let down = down.min(1.0 - up);
        let found = match goes_down {
            true => paired_difference_within(alike, up * alike, down * alike, deviations),
            false => share_within(up, alike, deviations),
        };
        found.unwrap_or(unknown)
    }

    /// The same answers, beside corrected forecasts.
    fn recalibrated(&self, by: Recalibration) -> Self {
        let text = |text: &Text| Text { probability: by.of(text.probability), ..*text };
        Self { texts: self.texts.iter().map(text).collect() }
    }

    fn value(&self) -> f64 {
        let text = |text: &Text| text.sign * text.probability + text.correction();
        self.texts.iter().map(text).sum::<f64>() / self.texts.len() as f64
    }

    /// The interval around `value` if every text were expected to be asked as often as a design of this `scale` asks it, or as it
    /// is now.
    fn interval(&self, value: f64, seen: Dispersion, deviations: f64, scale: f64) -> Estimate {
        let apart = |tilt: f64| {
            let Moments { mean, variance, third } = self.tilted(tilt, scale);
            let skewness = (third / variance.powf(1.5).max(1e-300)).clamp(-MOST_SKEWNESS, MOST_SKEWNESS);
            (value - mean) / (seen.factor * variance).sqrt().max(1e-300) - LEAN * (1.0 - seen.trust) * skewness
        };
        let crossing = |level: f64| self.tilted(tilt_at(|tilt| apart(tilt) - level), scale).mean;
        let (low, high) = (crossing(deviations), crossing(-deviations));
        Estimate { value, low: low.min(value), high: high.max(value) }.within(-1.0, 1.0)
    }

    /// What the estimator is like if the log odds of every hit were shifted by `tilt`, those that lower the estimate the other way.
    fn tilted(&self, tilt: f64, scale: f64) -> Moments {
        let count = self.texts.len() as f64;
        let (mut mean, mut variance, mut third) = (0.0, 0.0, 0.0);
        let (raised, lowered) = ((-tilt).exp(), tilt.exp());
        for text in &self.texts {
            let sure = text.probability.clamp(SUREST, 1.0 - SUREST);
            let factor = if text.sign > 0.0 { raised } else { lowered };
            let p = sure / (sure + (1.0 - sure) * factor);
            let expected = text.expected.max(Design::asks(scale * Design::weight(text.probability)));
            mean += text.sign * p;
            variance += text.variance(expected, p * (1.0 - p), (p - sure).powi(2));
            third += text.sign * third_moment(expected, p, sure);
        }
        Moments { mean: mean / count, variance: variance / (count * count), third: third / count.powi(3) }
    }

    /// How the observed variance of the estimator compares with the one that the forecast has.
    fn dispersion(&self, value: f64) -> Dispersion {
        let miss = self.share_of_miss();
        let (mut seen, mut hits) = (0.0, 0.0f64);
        for text in self.texts.iter().filter(|text| text.asked > 0.0) {
            let square = text.square();
            seen += text.variance(text.expected, (1.0 - miss) * square, miss * square) / text.expected.min(1.0);
            hits += text.hits.min(text.asked - text.hits).max(f64::from(u8::from(text.hits > 0.0)));
        }
        // Without a hit nothing was seen of how far hits scatter.
        if hits == 0.0 {
            return Dispersion { factor: 1.0, trust: 0.0 };
        }
        let as_seen = tilt_at(|tilt| value - self.tilted(tilt, 0.0).mean);
        let predicted = self.tilted(as_seen, 0.0).variance * (self.texts.len() as f64).powi(2);
        let ratio = if predicted > 0.0 { seen / predicted } else { 1.0 };
        let trust = hits / (hits + FEW_HITS);
        Dispersion { factor: ratio.max(1e-6).powf(trust), trust }
    }

    /// The share of the squared distance of answers from their forecast that is a miss of the forecast, and no chance: seen in
    /// texts that were asked more than once. 0 if there are few.
    fn share_of_miss(&self) -> f64 {
        let (mut missed, mut all, mut number) = (0.0, 0.0, 0.0);
        for text in self.texts.iter().filter(|text| text.asked > 1.0) {
            let mean = text.hits / text.asked;
            let chance = mean * (1.0 - mean) / (text.asked - 1.0);
            missed += (mean - text.probability).powi(2) - chance;
            all += text.square();
            number += 1.0;
        }
        if all > 0.0 { (missed / all).clamp(0.0, 1.0) * number / (number + MANY_TEXTS) } else { 0.0 }
    }

    /// The scale of a design by these forecasts for which half the width of the interval is `half`; 0 if it is no wider now.
    fn scale_for(&self, half: f64, deviations: f64, value: f64, seen: Dispersion) -> f64 {
        // A few hundred texts say it as well as all.
        let every = self.texts.len().div_ceil(PLANNED).max(1);
        let some = Self { texts: self.texts.iter().step_by(every).copied().collect() };
        let fewer = some.texts.len() as f64 / (self.texts.len() as f64).max(1.0);
        let seen = Dispersion { factor: seen.factor * fewer, ..seen };
        let width = |scale: f64| {
            let found = some.interval(value, seen, deviations, scale);
            0.5 * (found.high - found.low)
        };
        if width(0.0) <= half {
            return 0.0;
        }
        let (mut low, mut high) = (LEAST_SCALE.ln(), MOST_SCALE.ln());
        let mut at = 0.0f64;
        for _ in 0..20 {
            let found = width(at.exp());
            if (found / half - 1.0).abs() < 1e-3 {
                break;
            }
            if found > half {
                low = at;
            } else {
                high = at;
            }
            // The width falls with the root of the scale.
            let next = at + 2.0 * (found / half).ln();
            at = if low < next && next < high { next } else { 0.5 * (low + high) };
        }
        at.exp()
    }
}

/// The tilt at which a function that falls with it is 0, or the end that is nearer: a few halvings, then chords between the ends, of
/// which one that stays is lowered (the Illinois method).
fn tilt_at(value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-MOST_TILT, MOST_TILT);
    for _ in 0..6 {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    let (mut above, mut below) = (value(low), value(high));
    if above <= 0.0 || below >= 0.0 {
        return if above <= 0.0 { low } else { high };
    }
    let (mut at, mut side) = (0.5 * (low + high), 0);
    for _ in 0..40 {
        at = (high * above - low * below) / (above - below);
        let found = value(at);
        if found.abs() < 1e-9 || high - low < 1e-12 {
            break;
        }
        if found > 0.0 {
            (low, above) = (at, found);
            below *= if side == 1 { 0.5 } else { 1.0 };
            side = 1;
        } else {
            (high, below) = (at, found);
            above *= if side == -1 { 0.5 } else { 1.0 };
            side = -1;
        }
    }
    at
}

/// With fewer questions the answers alone decide how wide an interval is at least: without a forecast, and with one.
/// Simulations in `tests/sampled.rs`.
const FEW_BY_CHANCE: f64 = 100.0;
const FEW_BY_FORECAST: f64 = 45.0;
/// How far the bounds move with the skewness at the last look: (1.96^2 - 1) / 6.
const LEAN: f64 = 0.474;
/// Beyond this skewness their expansion says nothing.
const MOST_SKEWNESS: f64 = 1.0;
/// Hits by which an observed variance is believed half.
const FEW_HITS: f64 = 4.0;
/// Texts asked more than once by which a share of misses is believed half.
const MANY_TEXTS: f64 = 20.0;
/// Texts that a plan looks at.
const PLANNED: usize = 500;
/// Scales of designs that are planned.
const LEAST_SCALE: f64 = 1e-4;
const MOST_SCALE: f64 = 1e4;
/// Shifts of log odds that are looked at.
const MOST_TILT: f64 = 14.0;

#[cfg(test)]
mod tests;
