//! For models with gradients: which score predicts the answers that this run changed?

use fissure_core::Expectation;
use fissure_statistics::{Estimate, RESAMPLES, bootstrap, proportion, ranks};

use super::Measured;
use super::reservoir::Reservoir;
use crate::Fragility;
use crate::run::Block;

/// Points that a picture can show.
const POINTS: usize = 3000;
/// How many of the most fragile samples are named.
const NAMED: usize = 10;
/// Resampling looks at every sample: with many samples there are fewer resamples.
const MANY: usize = 20_000;
/// A text is shown up to this many bytes.
const SHOWN: usize = 600;

/// A few numbers of every sample.
#[derive(Debug, Default)]
pub struct Seen {
    seen: usize,
    samples: Reservoir<Point>,
    most: Vec<(f64, Point, String, String)>,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    log_lambda: f64,
    forecast: Option<f64>,
    t: Option<f64>,
    uncertainty: f64,
    right: Option<bool>,
    /// The share of answers that changes which keep the label flipped; `None` if there was no such change.
    turned: Option<f64>,
}

impl Seen {
    pub fn add(&mut self, run: &Measured, block: &Block) {
        let sample = &block.sample;
        let (Some(scores), Some(original)) = (sample.fragility, &sample.said) else { return };
        let (Some(log_lambda), Some(confidence)) = (scores.log_lambda, original.confidence()) else { return };
        // Cases that were drawn by a forecast would make it look better than it is.
        let kept =
            || block.answered().filter(|case| case.design.is_none() && run.expectation(case) == Expectation::Kept);
        let turned = kept().filter(|case| case.said.as_ref().is_some_and(|said| !said.agrees(original))).count();
        let point = Point {
            log_lambda,
            forecast: scores.forecast,
            t: scores.t,
            uncertainty: 1.0 - confidence,
            right: block.before().map(|tally| run.metric().right(tally)),
            turned: Some(kept().count()).filter(|all| *all > 0).map(|all| turned as f64 / all as f64),
        };
        self.name(point, sample);
        self.seen += 1;
        self.samples.add(&mut run.dice_of(block), point);
    }

    /// Keeps the text of a sample that is among the most fragile so far.
    fn name(&mut self, point: Point, sample: &crate::run::SampleRecord) {
        let rank = point.rank();
        if self.most.len() == NAMED && self.most.last().is_some_and(|least| rank <= least.0) {
            return;
        }
        let text = sample.texts.first().map_or("", |(_, text)| text);
        let end = (0..=text.len().min(SHOWN)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let shown = if end < text.len() { format!("{} …", &text[..end]) } else { text.to_owned() };
        let at = self.most.partition_point(|known| known.0 >= rank);
        self.most.insert(at, (rank, point, sample.id.clone(), shown));
        self.most.truncate(NAMED);
    }

    pub fn finish(self, run: &Measured) -> Option<Fragility> {
        let samples = &self.samples.items();
        if samples.is_empty() {
            return None;
        }
        let every = samples.len().div_ceil(POINTS);
        let point = |p: &Point| (p.log_lambda / std::f64::consts::LN_10, p.forecast, p.uncertainty, p.right);
        Some(Fragility {
            samples: self.seen,
            points: samples.iter().step_by(every).map(point).collect(),
            deciles: deciles(samples),
            predictors: predictors(run, samples),
            most_fragile: self
                .most
                .into_iter()
                .map(|(_, point, id, text)| (id, text, point.forecast, point.log_lambda.exp()))
                .collect(),
        })
    }
}

impl Point {
    /// What samples are ranked by: the forecast if there is one, else lambda_max. Those without a forecast (no word
    /// that could be edited) come after those with one.
    fn rank(self) -> f64 {
        self.t.unwrap_or(self.log_lambda - 1e6)
    }
}

/// Accuracy by tenth, least fragile first.
fn deciles(samples: &[Point]) -> Vec<Estimate> {
    let mut known: Vec<(f64, bool)> = samples.iter().filter_map(|point| Some((point.rank(), point.right?))).collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tenth = |at: usize| {
        let part = &known[at * known.len() / 10..(at + 1) * known.len() / 10];
        proportion(part.iter().filter(|(_, right)| *right).count(), part.len())
    };
    (0..10).filter_map(tenth).collect()
}

/// Spearman's r of each score with the share of answers turned, and its interval.
fn predictors(run: &Measured, samples: &[Point]) -> Vec<(String, Estimate)> {
    type Score = fn(&Point) -> Option<f64>;
    let scores: [(&str, Score); 3] = [
        ("flip forecast", |point| point.t),
        ("lambda_max", |point| Some(point.log_lambda)),
        ("1 - max p", |point| Some(point.uncertainty)),
    ];
    // All scores are compared on the same samples.
    let forecast = samples.iter().any(|point| point.t.is_some());
    let both: Vec<&Point> =
        samples.iter().filter(|point| point.turned.is_some() && (point.t.is_some() || !forecast)).collect();
    let turned: Vec<f64> = both.iter().filter_map(|point| point.turned).collect();
    let turned = ranks(&turned);
    let resamples = if both.len() > MANY { RESAMPLES / 5 } else { RESAMPLES };
    let one = |(name, score): (&str, fn(&Point) -> Option<f64>)| {
        let values: Option<Vec<f64>> = both.iter().map(|point| score(point)).collect();
        let values = ranks(&values?);
        let all: Vec<usize> = (0..values.len()).collect();
        let value = correlation(&values, &turned, &all)?;
        let mut dice = run.dice(&format!("foretells {name}"));
        let interval = bootstrap(values.len(), resamples, &mut dice, |rows| correlation(&values, &turned, rows))?;
        let (low, high) = (interval.low.min(value), interval.high.max(value));
        Some((name.to_owned(), Estimate { value, low, high }))
    };
    scores.into_iter().filter_map(one).collect()
}

/// Pearson's r over some rows; of ranks, it is Spearman's.
fn correlation(x: &[f64], y: &[f64], rows: &[usize]) -> Option<f64> {
    let n = rows.len() as f64;
    let (mut sx, mut sy) = (0.0, 0.0);
    for &row in rows {
        sx += x[row];
        sy += y[row];
    }
    let (mx, my) = (sx / n, sy / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for &row in rows {
        let (a, b) = (x[row] - mx, y[row] - my);
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let r = xy / (xx * yy).sqrt();
    (rows.len() > 2 && r.is_finite()).then(|| r.clamp(-1.0, 1.0))
}
