//! The five scalars of a calibration, from edited copies whose margins were observed.

use fissure_statistics::pearson;
use serde::{Deserialize, Serialize};

use super::surrogate::Shift;

/// The reach of the weights: texts many standard deviations from their boundary teach little about flips.
const REACH: f64 = 3.0;
/// The weight of the ridge toward "the straight line is right", in copies.
const RIDGE: f64 = 30.0;
/// How often the misses and what counts by them are worked out in turn, and the rounds of their variance.
const ROUNDS: usize = 3;
const ROUNDS_OF_VARIANCE: usize = 12;
/// The least share of the predicted variance that is taken as missed: exact prices would count without bounds otherwise.
const LEAST_MISS: f64 = 1e-3;

/// One text with edited copies.
#[derive(Debug, Clone)]
pub(crate) struct Observed {
    pub shifts: Vec<Shift>,
    /// For each copy the margins by the straight line, and by the model; one for each rival.
    pub linear: Vec<Vec<f64>>,
    pub margins: Vec<Vec<f64>>,
}

/// What the copies say. After an edit a margin is taken as normal around margin + c + kappa mean, with variance
/// (beta^2 + rho) sigma^2 + tau^2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    pub c: f64,
    pub kappa: f64,
    pub beta: f64,
    pub rho: f64,
    pub tau2: f64,
    /// The share of the residual variance that copies of one text have in common.
    pub between: f64,
    pub r_squared: Option<f64>,
    pub spread_correlation: Option<f64>,
}

/// One copy and one rival.
struct Row {
    weight: f64,
    sigma2: f64,
    /// 1, the expected shift, and the copy's own deviation from it by the straight line.
    terms: [f64; 3],
    /// The observed margin minus that of the straight line.
    miss: f64,
}

/// By what the copies of texts count, beside how near the boundary they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// By the predicted variance alone, as the reference has it: right where edits of every text scatter, so that what is missed
    /// grows with the predicted variance.
    Predicted,
    /// By how far the line was seen to miss. A part that does one thing to a text, or next to nothing, has hardly any predicted
    /// variance there, and by that alone such texts would count more than all others together.
    Missed,
}

/// Pools texts; `None` if no copy moved any margin.
pub(crate) fn fit(texts: &[Observed], trust: Trust) -> Option<Fitted> {
    let groups: Vec<Vec<Row>> = texts.iter().flat_map(rows).collect();
    let rows: Vec<&Row> = groups.iter().flatten().collect();
    if rows.is_empty() {
        return None;
    }
    let missed = |correction: [f64; 3], row: &Row| {
        row.miss - row.terms.iter().zip(correction).map(|(term, b)| term * b).sum::<f64>()
    };
    let mut correction = regress(&rows, |row| row.sigma2);
    let (mut tau2, mut rho) = residual_variance(&rows, &|row| missed(correction, row));
    if trust == Trust::Missed {
        for _ in 0..ROUNDS {
            (tau2, rho) = likely_variance(&rows, &|row| missed(correction, row));
            correction = regress(&rows, |row| (rho * row.sigma2 + tau2).max(LEAST_MISS * row.sigma2));
        }
    }
    let residual = |row: &Row| missed(correction, row);
    Some(Fitted {
        c: correction[0],
        kappa: 1.0 + correction[1],
        beta: 1.0 + correction[2],
        rho,
        tau2,
        between: shared(&groups, &|row| residual(row) / (rho * row.sigma2 + tau2).max(1e-30).sqrt()),
        r_squared: within_r_squared(texts),
        spread_correlation: spread_correlation(texts),
    })
}

/// The rows of one text, a group for each rival.
fn rows(text: &Observed) -> Vec<Vec<Row>> {
    // An edit that is always the same deviates by rounding alone, from which no slope can be learned.
    let deviation = |by: f64, shift: &Shift| if by.abs() > 1e-6 * shift.variance.sqrt() { by } else { 0.0 };
    let group = |(rival, shift): (usize, &Shift)| {
        let at = shift.margin + shift.mean;
        let distance = at.max(0.0) / shift.variance.sqrt() / REACH;
        let row = |(linear, margins): (&Vec<f64>, &Vec<f64>)| Row {
            weight: (-0.5 * distance * distance).exp() + 1e-4,
            sigma2: shift.variance,
            terms: [1.0, shift.mean, deviation(linear[rival] - at, shift)],
            miss: margins[rival] - linear[rival],
        };
        text.linear.iter().zip(&text.margins).map(row).collect()
    };
    text.shifts.iter().enumerate().filter(|(_, shift)| shift.variance > 1e-20).map(group).collect()
}

/// Weighted ridge regression of the misses, each of which has this variance, on the terms.
fn regress(rows: &[&Row], variance: impl Fn(&Row) -> f64) -> [f64; 3] {
    let (mut matrix, mut side) = ([[0.0; 3]; 3], [0.0; 3]);
    for row in rows {
        let q = row.weight / variance(row);
        for i in 0..3 {
            side[i] += q * row.terms[i] * row.miss;
            (0..3).for_each(|j| matrix[i][j] += q * row.terms[i] * row.terms[j]);
        }
    }
    let ridge = RIDGE / rows.iter().map(|row| row.weight).sum::<f64>();
    for (i, line) in matrix.iter_mut().enumerate() {
        // A term that is always 0 explains nothing: its coefficient is 0.
        line[i] = if line[i] > 0.0 { line[i] * (1.0 + ridge) } else { 1.0 };
    }
    solve(matrix, side)
}

/// Gauss elimination; the matrix is positive definite, so no pivoting is needed.
fn solve(mut matrix: [[f64; 3]; 3], mut side: [f64; 3]) -> [f64; 3] {
    for k in 0..3 {
        for i in k + 1..3 {
            let factor = matrix[i][k] / matrix[k][k];
            (k..3).for_each(|j| matrix[i][j] -= factor * matrix[k][j]);
            side[i] -= factor * side[k];
        }
    }
    for k in (0..3).rev() {
        side[k] = (side[k] - (k + 1..3).map(|j| matrix[k][j] * side[j]).sum::<f64>()) / matrix[k][k];
    }
    side
}

/// tau^2 and rho: squared residuals as tau^2 + rho sigma^2, both at least 0.
fn residual_variance(rows: &[&Row], residual: &impl Fn(&Row) -> f64) -> (f64, f64) {
    // Least squares of weight * (u tau^2 + rho - y) with u = 1/sigma^2 and y = residual^2/sigma^2.
    let (mut uu, mut u1, mut one, mut uy, mut y1) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for row in rows {
        let (w, u) = (row.weight, 1.0 / row.sigma2);
        let y = residual(row) * residual(row) * u;
        uu += w * u * u;
        u1 += w * u;
        one += w;
        uy += w * u * y;
        y1 += w * y;
    }
    nonnegative_pair([[uu, u1], [u1, one]], [uy, y1])
}

/// tau^2 and rho again, so that the squared residuals are as likely as can be if residuals are normal: a squared residual of variance
/// v scatters by v, so the least squares of tau^2 + rho sigma^2 - residual^2 go by 1 / v^2, again and again.
fn likely_variance(rows: &[&Row], residual: &impl Fn(&Row) -> f64) -> (f64, f64) {
    let squares: Vec<f64> = rows.iter().map(|row| residual(row).powi(2)).collect();
    let weights: f64 = rows.iter().map(|row| row.weight).sum();
    let mean = |of: &dyn Fn(usize) -> f64| (0..rows.len()).map(|at| rows[at].weight * of(at)).sum::<f64>() / weights;
    let (square, sigma2) = (mean(&|at| squares[at]), mean(&|at| rows[at].sigma2));
    // Half of the misses from each, to begin with.
    let (mut tau2, mut rho) = (0.5 * square, 0.5 * square / sigma2);
    for _ in 0..ROUNDS_OF_VARIANCE {
        let (mut ss, mut s1, mut one, mut sy, mut y1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (row, square) in rows.iter().zip(&squares) {
            let v = (rho * row.sigma2 + tau2).max(LEAST_MISS * row.sigma2);
            // In units of v, so that no number is too small to be squared.
            let (w, s, u, y) = (row.weight, row.sigma2 / v, 1.0 / v, square / v);
            ss += w * s * s;
            s1 += w * s * u;
            one += w * u * u;
            sy += w * s * y;
            y1 += w * u * y;
        }
        (tau2, rho) = nonnegative_pair([[one, s1], [s1, ss]], [y1, sy]);
    }
    (tau2, rho)
}

/// The minimum of v^T A v / 2 - b^T v over v >= 0 in two dimensions.
fn nonnegative_pair(a: [[f64; 2]; 2], b: [f64; 2]) -> (f64, f64) {
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    if determinant > 1e-12 * a[0][0] * a[1][1] {
        let v = ((b[0] * a[1][1] - b[1] * a[0][1]) / determinant, (b[1] * a[0][0] - b[0] * a[1][0]) / determinant);
        if v.0 >= 0.0 && v.1 >= 0.0 {
            return v;
        }
    }
    // On an edge the gain is b^2 / (2a); both b are sums of squares here, so never negative.
    let edge = |k: usize| if a[k][k] > 0.0 { (b[k] / a[k][k]).max(0.0) } else { 0.0 };
    if edge(0) * b[0] > edge(1) * b[1] { (edge(0), 0.0) } else { (0.0, edge(1)) }
}

/// The share of the variance of standardised residuals that the copies of a text share (one-way random effects).
fn shared(groups: &[Vec<Row>], residual: &impl Fn(&Row) -> f64) -> f64 {
    let (mut within, mut within_weight, mut means, mut weights) = (0.0, 0.0, 0.0, 0.0);
    for group in groups.iter().filter(|group| group.len() > 1) {
        let size = group.len() as f64;
        let (values, weight): (Vec<f64>, f64) = (group.iter().map(residual).collect(), group[0].weight);
        let mean = values.iter().sum::<f64>() / size;
        let spread: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        within += weight * spread;
        within_weight += weight * (size - 1.0);
        // The variance of a group's mean holds 1/size of the variance within.
        means += weight * (mean * mean - spread / (size - 1.0) / size);
        weights += weight;
    }
    let (within, between) = (within / within_weight, (means / weights).max(0.0));
    let share = between / (within + between);
    if share.is_finite() { share } else { 0.0 }
}

/// How much of the variance of margins within texts the straight line explains.
fn within_r_squared(texts: &[Observed]) -> Option<f64> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for text in texts {
        for rival in 0..text.shifts.len() {
            x.extend(deviations(&text.linear, rival));
            y.extend(deviations(&text.margins, rival));
        }
    }
    pearson(&x, &y).map(|found| found.r * found.r)
}

/// The correlation over texts of log sigma with the log of the observed spread, each for the nearest rival.
fn spread_correlation(texts: &[Observed]) -> Option<f64> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for text in texts {
        let nearest = |a: &Shift, b: &Shift| a.margin.total_cmp(&b.margin);
        let Some((rival, shift)) = text.shifts.iter().enumerate().min_by(|a, b| nearest(a.1, b.1)) else { continue };
        let observed: f64 = deviations(&text.margins, rival).iter().map(|value| value * value).sum();
        if shift.variance > 1e-20 && observed > 1e-20 {
            x.push(0.5 * shift.variance.ln());
            y.push(0.5 * observed.ln());
        }
    }
    pearson(&x, &y).map(|found| found.r)
}

fn deviations(copies: &[Vec<f64>], rival: usize) -> Vec<f64> {
    let mean = copies.iter().map(|copy| copy[rival]).sum::<f64>() / copies.len().max(1) as f64;
    copies.iter().map(|copy| copy[rival] - mean).collect()
}

#[cfg(test)]
mod tests {
    use fissure_core::Dice;
    use fissure_statistics::normal;

    use super::*;

    #[test]
    fn an_edit_that_is_always_the_same_teaches_no_slope() {
        let text = |at: usize| {
            let (margin, mean) = (1.0 + at as f64 * 0.1, -0.2);
            let rounding = 1e-15 * (at % 3) as f64;
            Observed {
                shifts: vec![Shift { margin, mean, variance: 1e-3 }],
                linear: vec![vec![margin + mean + rounding]; 4],
                margins: vec![vec![margin + mean + 0.05 * (at % 2) as f64]; 4],
            }
        };
        let texts: Vec<Observed> = (0..40).map(text).collect();
        for trust in [Trust::Predicted, Trust::Missed] {
            let fitted = fit(&texts, trust).unwrap();
            assert_eq!(fitted.beta, 1.0, "{fitted:?}");
        }
    }

    /// Half of the texts scatter by 1, and the line misses by as much again. The others stand at the boundary and hardly move by the
    /// line; the model moves them, and a few of them far. By the predicted variance alone they decide, and all others are thought to
    /// scatter many times as far as they do.
    #[test]
    fn texts_that_hardly_move_do_not_decide_how_far_others_do() {
        let mut dice = Dice::new(1, &["fit"]);
        let text = |at: usize| {
            let (margin, sigma, miss) = match at % 8 {
                0 => (0.02, 0.06, 1.2),
                2 | 4 | 6 => (0.02, 0.02, 0.1),
                _ => (0.5, 1.0, 1.0),
            };
            let linear: Vec<Vec<f64>> = (0..4).map(|_| vec![margin + sigma * normal(&mut dice)]).collect();
            let margins = linear.iter().map(|copy| vec![copy[0] + miss * normal(&mut dice)]).collect();
            Observed { shifts: vec![Shift { margin, mean: 0.0, variance: sigma * sigma }], linear, margins }
        };
        let texts: Vec<Observed> = (0..50).map(text).collect();
        let [predicted, missed] = [Trust::Predicted, Trust::Missed].map(|trust| fit(&texts, trust).unwrap());
        // What is missed of a text that scatters by 1 has the variance 1.
        let of_one = |fitted: &Fitted| fitted.rho + fitted.tau2;
        assert!(of_one(&predicted) > 30.0, "{predicted:?}");
        assert!((0.6..1.6).contains(&of_one(&missed)), "{missed:?}");
    }
}
