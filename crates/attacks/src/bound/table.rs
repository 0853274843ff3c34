//! What changes of a text can do to the lead of the right class, at most.

use fissure_models::Windows;

use super::problem::{Problem, Row};

/// A text with some of its rows changed, in numbers.
pub(super) struct Node<'p, 'm> {
    problem: &'p Problem,
    layers: Vec<Layer<'m>>,
    /// For each rival what a feature adds to the lead of the right class, and the bias of that lead.
    pub leads: Vec<(Vec<f32>, f64)>,
}

/// The filters of one span.
struct Layer<'m> {
    span: usize,
    bias: &'m [f32],
    /// Where its numbers begin in what a word is worth, and its features among all.
    start: usize,
    first: usize,
    count: usize,
    /// What each filter finds in each window.
    found: Vec<f32>,
    /// The highest window of each filter, and which one it is.
    peak: Vec<f32>,
    at: Vec<usize>,
}

/// The least that one option adds to each lead, with others beside it.
pub(super) type Shifts = Vec<f64>;

impl<'p, 'm> Node<'p, 'm> {
    /// The text with these options taken, as (row, option).
    pub fn of(
        windows: &'m Windows<'m>,
        problem: &'p Problem,
        taken: &[(usize, usize)],
        gold: usize,
        rivals: &[usize],
    ) -> Self {
        let ids = problem.ids_with(taken);
        let mut layers = Vec::new();
        let (mut start, mut first) = (0, 0);
        for (filters, found) in windows.filters().zip(windows.found(&ids)) {
            let wide = filters.bias.len();
            let (mut peak, mut at) = (vec![f32::NEG_INFINITY; wide], vec![0; wide]);
            for (window, found) in found.chunks_exact(wide).enumerate() {
                for (filter, value) in found.iter().enumerate() {
                    if *value > peak[filter] {
                        (peak[filter], at[filter]) = (*value, window);
                    }
                }
            }
            let count = found.len() / wide.max(1);
            layers.push(Layer { span: filters.span, bias: filters.bias, start, first, count, found, peak, at });
            start += filters.span * wide;
            first += wide;
        }
        let (right, right_bias) = windows.output(gold);
        let lead = |rival: &usize| {
            let (other, bias) = windows.output(*rival);
            let weights = right.iter().zip(other).map(|(right, other)| right - other).collect();
            (weights, f64::from(right_bias) - f64::from(bias))
        };
        Self { problem, layers, leads: rivals.iter().map(lead).collect() }
    }

    /// The lead of the right class over each rival.
    pub fn now(&self) -> Vec<f64> {
        let features: Vec<f32> = self
            .layers
            .iter()
            .flat_map(|layer| layer.peak.iter().zip(layer.bias).map(|(peak, bias)| (peak + bias).max(0.0)))
            .collect();
        self.leads.iter().map(|(weights, bias)| bias + dot(weights, &features)).collect()
    }

    /// For each option of a row the least it adds to each lead, if at most `edits` rows change, it among them. The least of
    /// several options is at least the sum.
    ///
    /// A feature that speaks for the right class is at least what its present highest window is left with. One that speaks
    /// against it rises by what the changes of one window exceed the distance of that window to the highest, and of that
    /// distance each of them has to make up an equal share at least.
    pub fn shifts(&self, row: &Row, edits: usize) -> Vec<Shifts> {
        let one = |option: &super::problem::RowOption| {
            let mut least = vec![0.0; self.leads.len()];
            let (mut up, mut down) = (Vec::new(), Vec::new());
            for layer in &self.layers {
                layer.reach(row.at, &option.shift, edits, &mut up, &mut down);
                for (least, (weights, _)) in least.iter_mut().zip(&self.leads) {
                    let weights = &weights[layer.first..][..layer.bias.len()];
                    let add = |((weight, up), down): ((&f32, &f32), &f32)| {
                        f64::from(*weight) * f64::from(if *weight > 0.0 { *down } else { *up })
                    };
                    *least += weights.iter().zip(&up).zip(&down).map(add).sum::<f64>();
                }
            }
            least
        };
        row.options.iter().map(one).collect()
    }

    /// The least of each lead if at most `edits` of the `free` rows change, filter by filter.
    pub fn filter_by_filter(&self, free: &[usize], edits: usize) -> Vec<f64> {
        let mut leads: Vec<f64> = self.leads.iter().map(|(_, bias)| *bias).collect();
        let rows = self.problem.ids.len();
        let mut of_row: Vec<Option<&Row>> = vec![None; rows];
        for row in free.iter().map(|row| &self.problem.rows[*row]) {
            of_row[row.at] = Some(row);
        }
        for layer in &self.layers {
            let (low, high) = layer.range(&of_row, edits);
            for (lead, (weights, _)) in leads.iter_mut().zip(&self.leads) {
                for (filter, bias) in layer.bias.iter().enumerate() {
                    let weight = weights[layer.first + filter];
                    let worst = if weight > 0.0 { low[filter] } else { high[filter] };
                    *lead += f64::from(weight) * f64::from((worst + bias).max(0.0));
                }
            }
        }
        leads
    }
}

impl Layer<'_> {
    /// How far one shift of a row lifts each feature at most, and what it takes from it at most (a number below 0).
    fn reach(&self, at: usize, shift: &[f32], edits: usize, up: &mut Vec<f32>, down: &mut Vec<f32>) {
        let wide = self.bias.len();
        up.clear();
        up.resize(wide, 0.0);
        down.clear();
        down.resize(wide, 0.0);
        let share = 1.0 / edits.min(self.span).max(1) as f32;
        for place in 0..self.span {
            let Some(window) = at.checked_sub(place).filter(|window| *window < self.count) else { continue };
            let shift = &shift[self.start + place * wide..][..wide];
            let found = &self.found[window * wide..][..wide];
            for filter in 0..wide {
                // Below -bias the relu sees nothing.
                let top = self.peak[filter].max(-self.bias[filter]);
                up[filter] = up[filter].max(shift[filter] - (top - found[filter]) * share);
                if self.at[filter] == window {
                    let fires = (self.peak[filter] + self.bias[filter]).max(0.0);
                    down[filter] = shift[filter].min(0.0).max(-fires);
                }
            }
        }
    }

    /// The least and the most of the highest window of each filter, if at most `edits` rows change.
    fn range(&self, of_row: &[Option<&Row>], edits: usize) -> (Vec<f32>, Vec<f32>) {
        let wide = self.bias.len();
        let (mut low, mut high) = (vec![f32::NEG_INFINITY; wide], vec![f32::NEG_INFINITY; wide]);
        let (mut gains, mut losses) = (Vec::new(), Vec::new());
        for window in 0..self.count {
            for filter in 0..wide {
                gains.clear();
                losses.clear();
                for place in 0..self.span {
                    let Some(row) = of_row[window + place] else { continue };
                    let number = self.start + place * wide + filter;
                    gains.push(row.high[number]);
                    losses.push(row.low[number]);
                }
                if gains.len() > edits {
                    gains.sort_by(|a, b| b.total_cmp(a));
                    losses.sort_by(f32::total_cmp);
                }
                let found = self.found[window * wide + filter];
                high[filter] = high[filter].max(found + gains.iter().take(edits).sum::<f32>());
                low[filter] = low[filter].max(found + losses.iter().take(edits).sum::<f32>());
            }
        }
        (low, high)
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
