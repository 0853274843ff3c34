//! Shares estimated from some of the answers, drawn by a forecast with known probabilities.
//!
//! For text i the forecast says that a change flips the answer with probability F_i. The design expects
//! q_i = scale * sqrt(F_i (1 - F_i) + [`DOUBT`]) questions about it: below 1 the text is asked with that probability, above 1 as
//! many of its variants are asked, and one more with the probability of what is left over. The difference estimator
//!
//! > mean over i of F_i + (sum of (y_iv - F_i) over the variants v asked) / q_i
//!
//! is unbiased whatever the forecast is worth: a bad forecast makes it less precise, never wrong. It estimates the mean over
//! these very texts of the probability that a change flips the answer, that is what asking about ever more variants of
//! every text would show. It is not about other texts.
//!
//! The interval inverts a test, as Wilson's does: for each possible share the variance is computed as if the forecast were
//! right but for a shift of all log odds that gives that share, times how much larger the observed variance is than that. So
//! rare flips, of which none may have been seen, do not shrink the interval to nothing. What was observed counts as much as there
//! were flips to observe it by: by a few alone a variance is hardly known. A few hits with large weights make the estimator lean
//! to one side, so the test compares with the quantiles of a law that is skewed as much (Cornish and Fisher 1938), as far as the
//! variance is not observed: a low estimate comes with a low observed variance, which moves the bounds already.
//!
//! [`Stage`] decides after each of three looks whether to ask more. The bounds of the first two looks are stricter, like those of
//! O'Brien and Fleming (1979), so that stopping early does not spoil the interval. The last one needs no correction: asking ends
//! when the interval is narrow enough, wherever it lies. `tests/sampled.rs` simulates whole runs.

use crate::Estimate;

/// What is added to the variance that a forecast claims: so much it may be wrong about a text of which it is sure.
const DOUBT: f64 = 1e-4;
/// Forecasts are taken as no surer than this.
const SUREST: f64 = 2e-5;
/// Standard errors on either side of the estimate at each look.
pub const LOOKS: [f64; 3] = [3.2, 2.3, 1.96];
/// Variants of a text that are asked at most.
const MOST_VARIANTS: f64 = 16.0;
/// A scale that asks little of any text, from which plans grow.
const FIRST_SCALE: f64 = 0.05;
/// The fewest questions of a first look: with fewer, a variance cannot be judged.
const FIRST: f64 = 60.0;
/// The share of the questions planned by the forecast that is asked first, and of those that a look asks for before the last.
const PILOT: f64 = 0.3;
/// The first look asks at most this many questions for each text: a bad forecast would plan many more than are needed.
const MOST_OF_PILOT: f64 = 0.25;
const BEFORE_LAST: f64 = 0.85;
/// The last look asks a little more than the one before thinks is needed, which may have been lucky.
const RESERVE: f64 = 1.1;
/// How often each text is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Design {
    /// The expected number of questions is this times the weight of a text.
    pub scale: f64,
}

impl Design {
    /// The weight of a text with this forecast: how much its answer is in doubt.
    pub fn weight(forecast: f64) -> f64 {
        (forecast * (1.0 - forecast) + DOUBT).max(DOUBT).sqrt()
    }

    /// The expected number of questions about a text.
    pub fn expected(self, forecast: f64) -> f64 {
        (self.scale * Self::weight(forecast)).min(MOST_VARIANTS)
    }

    /// How many variants of a text are asked; `unit` is drawn evenly from 0 up to 1, once for each text. A larger scale never
    /// asks less.
    pub fn count(self, forecast: f64, unit: f64) -> usize {
        (self.expected(forecast) + unit).floor() as usize
    }

    /// The expected number of questions about all texts.
    pub fn questions(self, forecasts: &[f64]) -> f64 {
        forecasts.iter().map(|forecast| self.expected(*forecast)).sum()
    }
}

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
        let count = self.texts.len() as f64;
        let sum: f64 = self.texts.iter().map(|text| text.sign * text.probability + text.correction()).sum();
        let value = sum / count;
        let found = self.interval(value, self.dispersion(value), deviations, 1.0);
        (!self.texts.is_empty()).then_some(found)
    }

    /// The interval around `value` if every text were expected to be asked `scale` times as often.
    fn interval(&self, value: f64, seen: Dispersion, deviations: f64, scale: f64) -> Estimate {
        let apart = |tilt: f64| {
            let Moments { mean, variance, third } = self.tilted(tilt, scale);
            let skewness = (third / variance.powf(1.5).max(1e-300)).clamp(-MOST_SKEWNESS, MOST_SKEWNESS);
            (value - mean) / (seen.factor * variance).sqrt().max(1e-300) - LEAN * (1.0 - seen.trust) * skewness
        };
        // `apart` falls with the tilt.
        let crossing = |level: f64| {
            let (mut low, mut high) = (-MOST_TILT, MOST_TILT);
            for _ in 0..45 {
                let middle = 0.5 * (low + high);
                if apart(middle) > level { low = middle } else { high = middle }
            }
            self.tilted(0.5 * (low + high), scale).mean
        };
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
            let expected = (scale * text.expected).min(MOST_VARIANTS);
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
        let (mut low, mut high) = (-MOST_TILT, MOST_TILT);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.tilted(middle, 1.0).mean < value { low = middle } else { high = middle }
        }
        let predicted = self.tilted(0.5 * (low + high), 1.0).variance * (self.texts.len() as f64).powi(2);
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

    /// By what factor every text must be asked more often for half the width of the interval to be `half`; 1 or more.
    fn growth(&self, half: f64, deviations: f64, value: f64, seen: Dispersion) -> f64 {
        // A few hundred texts say it as well as all.
        let every = self.texts.len().div_ceil(PLANNED).max(1);
        let some = Self { texts: self.texts.iter().step_by(every).copied().collect() };
        let fewer = some.texts.len() as f64 / (self.texts.len() as f64).max(1.0);
        let seen = Dispersion { factor: seen.factor * fewer, ..seen };
        let width = |scale: f64| {
            let found = some.interval(value, seen, deviations, scale);
            0.5 * (found.high - found.low)
        };
        let (mut low, mut high) = (0.0f64, MOST_GROWTH.ln());
        if width(1.0) <= half {
            return 1.0;
        }
        for _ in 0..14 {
            let middle = 0.5 * (low + high);
            if width(middle.exp()) > half { low = middle } else { high = middle }
        }
        high.exp()
    }
}

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
/// The largest factor between two looks.
const MOST_GROWTH: f64 = 1000.0;
/// Shifts of log odds that are looked at.
const MOST_TILT: f64 = 14.0;

/// The next step of asking about the texts of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Which look this is, from 0.
    pub look: usize,
    pub design: Design,
}

impl Stage {
    /// The first: a third of what the forecast says is needed for an interval of `precision` on either side. At most `budget`
    /// questions are expected.
    pub fn first(forecasts: &[f64], precision: f64, budget: f64) -> Self {
        let unit = Design { scale: FIRST_SCALE };
        let mut plan = Sampled::default();
        forecasts.iter().for_each(|forecast| plan.add(*forecast, 1.0, unit.expected(*forecast), 0, 0));
        let mean = forecasts.iter().sum::<f64>() / (forecasts.len() as f64).max(1.0);
        let wanted =
            PILOT * FIRST_SCALE * plan.growth(precision, LOOKS[2], mean, Dispersion { factor: 1.0, trust: 0.5 });
        let least = FIRST * FIRST_SCALE / unit.questions(forecasts).max(1e-9);
        let most = (MOST_OF_PILOT * forecasts.len() as f64).max(FIRST);
        let pilot = Self { look: 0, design: Design { scale: wanted } }.within(forecasts, most).design.scale;
        let planned = Self { look: 0, design: Design { scale: pilot.max(least) } };
        let kept = planned.within(forecasts, budget);
        // If the budget does not reach for what is planned, there is one look, and it is the last.
        let look = if kept.design.scale < planned.design.scale { LOOKS.len() - 1 } else { 0 };
        Self { look, ..kept }
    }

    /// Half the width of the interval at this look.
    pub fn half_width(&self, sampled: &Sampled) -> Option<f64> {
        sampled.estimate(LOOKS[self.look]).map(|found| 0.5 * (found.high - found.low))
    }

    /// What comes after this look; `None` if the interval is narrow enough, or no more may be asked.
    pub fn next(&self, sampled: &Sampled, forecasts: &[f64], precision: f64, budget: f64) -> Option<Self> {
        let last = LOOKS.len() - 1;
        if self.look == last || self.half_width(sampled)? <= precision {
            return None;
        }
        let value = sampled.estimate(LOOKS[last])?.value;
        let needed = sampled.growth(precision, LOOKS[last], value, sampled.dispersion(value));
        let (look, factor) =
            if self.look + 1 < last { (self.look + 1, BEFORE_LAST * needed) } else { (last, RESERVE * needed) };
        // If little is left to ask, it is asked at once and looked at as the last.
        let (look, factor) = if factor < 1.2 { (last, (RESERVE * needed).max(1.05)) } else { (look, factor) };
        let grown = Self { look, design: Design { scale: self.design.scale * factor } };
        let kept = grown.within(forecasts, budget);
        if kept.design.scale <= self.design.scale * 1.001 {
            // The budget is spent: the interval of this look is the last.
            return None;
        }
        Some(if kept.design.scale < grown.design.scale { Self { look: last, ..kept } } else { kept })
    }

    /// The same with a scale so small that no more than `budget` questions are expected.
    fn within(self, forecasts: &[f64], budget: f64) -> Self {
        let mut design = self.design;
        // The cap on variants bends the line a little, so a few steps are needed.
        for _ in 0..8 {
            let questions = design.questions(forecasts);
            if questions > budget * (1.0 + 1e-9) {
                design.scale *= budget / questions;
            }
        }
        Self { design, ..self }
    }
}

#[cfg(test)]
mod tests;
