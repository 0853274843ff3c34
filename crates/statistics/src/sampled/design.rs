//! Which texts are asked, how often, and when it is enough.

use super::recalibration::Recalibration;
use super::{DOUBT, Dispersion, LOOKS, MOST_VARIANTS, Sampled};

/// The share of the questions planned by the forecast that is asked first.
const PILOT: f64 = 0.2;
/// The fewest questions of a first look: with fewer, a variance cannot be judged.
const FIRST: f64 = 60.0;
/// The first look asks at most this many questions for each text: a bad forecast would plan many more than are needed.
const MOST_OF_PILOT: f64 = 0.15;
/// The share of what is thought to be needed that each look asks for, after the first. What one look thinks may be too much, and what
/// was asked cannot be taken back, so more than that comes last.
const SHARES: [f64; LOOKS.len()] = [PILOT, 0.6, 0.95, 1.1];
/// If the second look would ask less than this many times what was asked, the third comes at once.
const WORTH_A_LOOK: f64 = 1.2;
/// A further look asks at least this many times as much as was asked.
const LEAST_STEP: f64 = 1.04;

/// How often each text is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Design {
    /// One for each look: its scale, 0 if there was none, and how it corrects the forecasts.
    passes: [(f64, Recalibration); LOOKS.len()],
}

impl Design {
    /// A design by the forecasts as they are: the expected number of questions is `scale` times the weight of a text.
    pub fn new(scale: f64) -> Self {
        let mut passes = [(0.0, Recalibration::NONE); LOOKS.len()];
        passes[0].0 = scale;
        Self { passes }
    }

    /// The weight of a text with this forecast: how much its answer is in doubt.
    pub fn weight(forecast: f64) -> f64 {
        (forecast * (1.0 - forecast) + DOUBT).max(DOUBT).sqrt()
    }

    /// The expected number of questions about a text that has `times` the unit of weight.
    pub(super) fn asks(times: f64) -> f64 {
        times.min(MOST_VARIANTS)
    }

    /// The expected number of questions about a text: the most that any look wanted.
    pub fn expected(self, forecast: f64) -> f64 {
        let passes = self.passes.iter().filter(|(scale, _)| *scale > 0.0);
        passes.map(|(scale, by)| Self::asks(scale * Self::weight(by.of(forecast)))).fold(0.0, f64::max)
    }

    /// How many variants of a text are asked; `unit` is drawn evenly from 0 up to 1, once for each text. A later look never asks
    /// less.
    pub fn count(self, forecast: f64, unit: f64) -> usize {
        (self.expected(forecast) + unit).floor() as usize
    }

    /// The expected number of questions about all texts.
    pub fn questions(self, forecasts: &[f64]) -> f64 {
        forecasts.iter().map(|forecast| self.expected(*forecast)).sum()
    }
}

/// What a further look may ask about each text.
struct Plan {
    /// The questions that are expected so far, and the weight by the corrected forecast.
    texts: Vec<(f64, f64)>,
}

impl Plan {
    fn new(design: Design, by: Recalibration, forecasts: &[f64]) -> Self {
        let text = |forecast: &f64| (design.expected(*forecast), Design::weight(by.of(*forecast)));
        Self { texts: forecasts.iter().map(text).collect() }
    }

    fn questions(&self, scale: f64) -> f64 {
        self.texts.iter().map(|(now, weight)| Design::asks(scale * weight).max(*now)).sum()
    }

    /// The largest scale with which no more than this many questions are expected.
    fn reach(&self, questions: f64) -> f64 {
        // Beyond this every text is asked as often as can be.
        let (mut low, mut high) = (0.0, MOST_VARIANTS / DOUBT.sqrt());
        if self.questions(high) <= questions {
            return high;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.questions(middle) > questions { high = middle } else { low = middle }
        }
        low
    }
}

/// The next step of asking about the texts of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Which look this is, from 0.
    pub look: usize,
    pub design: Design,
}

impl Stage {
    /// The first: a share of what the forecast says is needed for an interval of `precision` on either side. At most `budget`
    /// questions are expected.
    pub fn first(forecasts: &[f64], precision: f64, budget: f64) -> Self {
        let mut sampled = Sampled::default();
        forecasts.iter().for_each(|forecast| sampled.add(*forecast, 1.0, 0.0, 0, 0));
        let mean = forecasts.iter().sum::<f64>() / (forecasts.len() as f64).max(1.0);
        let last = LOOKS.len() - 1;
        let needed = sampled.scale_for(precision, LOOKS[last], mean, Dispersion { factor: 1.0, trust: 0.5 });
        let plan = Plan::new(Design::new(0.0), Recalibration::NONE, forecasts);
        let most = plan.reach((MOST_OF_PILOT * forecasts.len() as f64).max(FIRST));
        let scale = (PILOT * needed).min(most).max(plan.reach(FIRST));
        // If the budget does not reach for what is planned, there is one look, and it is the last.
        if plan.questions(scale) > budget {
            return Self { look: last, design: Design::new(plan.reach(budget)) };
        }
        Self { look: 0, design: Design::new(scale) }
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
        let by = Recalibration::fit(&sampled.texts);
        let fitted = sampled.recalibrated(by);
        let value = fitted.value();
        let needed = fitted.scale_for(precision, LOOKS[last], value, fitted.dispersion(value));
        let plan = Plan::new(self.design, by, forecasts);
        let now = plan.questions(0.0);
        let soon = self.look + 1;
        let skips = soon + 2 < LOOKS.len() && plan.questions(SHARES[soon] * needed) < WORTH_A_LOOK * now;
        let look = if skips { soon + 1 } else { soon };
        let scale = (SHARES[look] * needed).max(plan.reach(LEAST_STEP * now));
        // If the budget does not reach for it, what is left is asked, and looked at as the last.
        let (look, scale) = if plan.questions(scale) > budget { (last, plan.reach(budget)) } else { (look, scale) };
        if plan.questions(scale) <= now * 1.001 {
            return None;
        }
        let mut design = self.design;
        design.passes[look] = (scale, by);
        Some(Self { look, design })
    }
}
