//! The loss of the worst text that a cnn could be given, bounded by intervals, with its gradient.

use super::{Cnn, Small};
use crate::kernels::{Accumulate, View, ViewMut, axpy, log_softmax, matmul};
use crate::layers::Convolution;
use crate::train::certified::{Others, Pull};

/// The rows of a text as boxes: centre and half width, row after row.
struct Boxes<'a> {
    width: usize,
    share: f32,
    ids: &'a [u32],
    others: &'a Others,
    centre: Vec<f32>,
    radius: Vec<f32>,
    /// For each row with others the ids that reach lowest and highest, number by number.
    ends: Vec<Vec<[u32; 2]>>,
}

/// What the filters of one span find at least and at most, and where.
struct Peaks {
    /// The most and the least of each feature, with the window; none if the relu is closed.
    high: Vec<Option<usize>>,
    low: Vec<Option<usize>>,
    high_value: Vec<f32>,
    low_value: Vec<f32>,
}

/// Adds the gradient of the loss of the worst text within boxes of which `share` is taken, and returns that loss.
pub(super) fn worst(
    model: &Small<Cnn>,
    ids: &[u32],
    others: &Others,
    label: usize,
    share: f32,
    pull: &mut Pull<'_>,
) -> f64 {
    let boxes = Boxes::of(model, ids, others, share);
    let peaks: Vec<Peaks> = model.body.convolutions.iter().map(|layer| boxes.peaks(layer)).collect();
    let high: Vec<f32> = peaks.iter().flat_map(|peaks| peaks.high_value.iter().copied()).collect();
    let low: Vec<f32> = peaks.iter().flat_map(|peaks| peaks.low_value.iter().copied()).collect();
    let wide = high.len();
    let weights = |class: usize| &model.head.weight[class * wide..][..wide];
    // How far each class is ahead of the right one, at most.
    let classes = model.head.bias.len();
    let mut leads = vec![0.0_f32; classes];
    for (class, lead) in leads.iter_mut().enumerate().filter(|(class, _)| *class != label) {
        *lead = model.head.bias[class] - model.head.bias[label];
        for (feature, (other, right)) in weights(class).iter().zip(weights(label)).enumerate() {
            let weight = other - right;
            *lead += weight * if weight > 0.0 { high[feature] } else { low[feature] };
        }
    }
    let log_probs = log_softmax(&leads);
    let (mut high_pull, mut low_pull) = (vec![0.0; wide], vec![0.0; wide]);
    for class in (0..classes).filter(|class| *class != label) {
        let slope = pull.weight * log_probs[class].exp();
        pull.head_bias[class] += slope;
        pull.head_bias[label] -= slope;
        for feature in 0..wide {
            let weight = weights(class)[feature] - weights(label)[feature];
            let (value, pulled) = match weight > 0.0 {
                true => (high[feature], &mut high_pull[feature]),
                false => (low[feature], &mut low_pull[feature]),
            };
            *pulled += slope * weight;
            pull.head_weight[class * wide + feature] += slope * value;
            pull.head_weight[label * wide + feature] -= slope * value;
        }
    }
    boxes.backward(model, &peaks, (&high_pull, &low_pull), pull);
    -f64::from(log_probs[label])
}

impl<'a> Boxes<'a> {
    fn of(model: &Small<Cnn>, ids: &'a [u32], others: &'a Others, share: f32) -> Self {
        let width = model.width;
        let mut centre = model.gather(ids.iter().copied());
        let mut radius = vec![0.0; centre.len()];
        let mut ends = Vec::with_capacity(others.rows.len());
        for (at, options) in &others.rows {
            let own = &model.table[ids[*at] as usize * width..][..width];
            let mut reach: Vec<[(f32, u32); 2]> = own.iter().map(|value| [(*value, ids[*at]); 2]).collect();
            for id in options {
                for (reach, value) in reach.iter_mut().zip(&model.table[*id as usize * width..][..width]) {
                    if *value < reach[0].0 {
                        reach[0] = (*value, *id);
                    }
                    if *value > reach[1].0 {
                        reach[1] = (*value, *id);
                    }
                }
            }
            for (number, [(low, _), (high, _)]) in reach.iter().enumerate() {
                let place = at * width + number;
                centre[place] += share * (f32::midpoint(*low, *high) - own[number]);
                radius[place] = share * (high - low) / 2.0;
            }
            ends.push(reach.iter().map(|reach| reach.map(|(_, id)| id)).collect());
        }
        Self { width, share, ids, others, centre, radius, ends }
    }

    fn peaks(&self, layer: &Convolution) -> Peaks {
        let (filters, reach) = (layer.filters(), layer.span * self.width);
        let count = self.ids.len() + 1 - layer.span;
        let product = |rows: &[f32], weight: &[f32]| {
            let mut out = vec![0.0; count * filters];
            let seen = View::strided(rows, count, reach, self.width);
            let weight = View::new(weight, filters, reach).transposed();
            matmul(ViewMut::new(&mut out, count, filters), Accumulate::Overwrite, seen, weight, 1.0);
            out
        };
        let middle = product(&self.centre, &layer.weight);
        let spread = product(&self.radius, &layer.weight.iter().map(|weight| weight.abs()).collect::<Vec<_>>());
        let highest = |sign: f32| {
            let (mut at, mut value) = (vec![0; filters], vec![f32::NEG_INFINITY; filters]);
            for (window, (middle, spread)) in middle.chunks_exact(filters).zip(spread.chunks_exact(filters)).enumerate()
            {
                for filter in 0..filters {
                    let found = middle[filter] + sign * spread[filter];
                    if found > value[filter] {
                        (at[filter], value[filter]) = (window, found);
                    }
                }
            }
            let open = |filter: usize| value[filter] + layer.bias[filter] > 0.0;
            let at: Vec<Option<usize>> = (0..filters).map(|filter| open(filter).then_some(at[filter])).collect();
            let value = value.iter().zip(&layer.bias).map(|(value, bias)| (value + bias).max(0.0)).collect::<Vec<_>>();
            (at, value)
        };
        let ((high, high_value), (low, low_value)) = (highest(1.0), highest(-1.0));
        Peaks { high, low, high_value, low_value }
    }

    fn backward(&self, model: &Small<Cnn>, peaks: &[Peaks], (high, low): (&[f32], &[f32]), pull: &mut Pull<'_>) {
        let width = self.width;
        let (mut centre, mut radius) = (vec![0.0; self.centre.len()], vec![0.0; self.radius.len()]);
        let mut first = 0;
        for (place, (layer, peaks)) in model.body.convolutions.iter().zip(peaks).enumerate() {
            let reach = layer.span * width;
            for filter in 0..layer.filters() {
                let weights = &layer.weight[filter * reach..][..reach];
                for (at, slope, sign) in
                    [(peaks.high[filter], high[first + filter], 1.0), (peaks.low[filter], low[first + filter], -1.0)]
                {
                    let Some(window) = at.filter(|_| slope != 0.0) else { continue };
                    let seen = window * width..window * width + reach;
                    axpy(slope, weights, &mut centre[seen.clone()]);
                    axpy(slope, &self.centre[seen.clone()], &mut pull.body[2 * place][filter * reach..][..reach]);
                    pull.body[2 * place + 1][filter] += slope;
                    let own = &mut pull.body[2 * place][filter * reach..][..reach];
                    let spread = radius[seen.clone()].iter_mut().zip(&self.radius[seen]);
                    for ((weight, own), (pulled, radius)) in weights.iter().zip(own).zip(spread) {
                        *pulled += slope * sign * weight.abs();
                        *own += slope * sign * weight.signum() * radius;
                    }
                }
            }
            first += layer.filters();
        }
        self.to_rows(&centre, &radius, pull);
    }

    /// Hands the gradient of the boxes to the rows that they are made of.
    fn to_rows(&self, centre: &[f32], radius: &[f32], pull: &mut Pull<'_>) {
        let width = self.width;
        let mut places = self.others.rows.iter().zip(&self.ends).peekable();
        for (at, id) in self.ids.iter().enumerate() {
            let (centre, radius) = (&centre[at * width..][..width], &radius[at * width..][..width]);
            let Some(((_, options), ends)) = places.next_if(|((row, _), _)| *row == at) else {
                if centre.iter().any(|slope| *slope != 0.0) {
                    pull.rows.push((*id, centre.to_vec()));
                }
                continue;
            };
            let known: Vec<u32> = std::iter::once(*id).chain(options.iter().copied()).collect();
            let mut rows = vec![vec![0.0; width]; known.len()];
            for number in 0..width {
                rows[0][number] += (1.0 - self.share) * centre[number];
                for (end, sign) in ends[number].iter().zip([-1.0, 1.0]) {
                    let slope = self.share * (centre[number] + sign * radius[number]) / 2.0;
                    if let Some(row) = known.iter().position(|id| id == end) {
                        rows[row][number] += slope;
                    }
                }
            }
            let pulled = known.into_iter().zip(rows).filter(|(_, row)| row.iter().any(|slope| *slope != 0.0));
            pull.rows.extend(pulled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::{Body as _, Reader};
    use crate::train::random::Random;
    use crate::{Capabilities, layers::Linear};

    const WIDTH: usize = 3;

    fn numbers(random: &mut Random, count: usize) -> Vec<f32> {
        (0..count).map(|_| random.uniform() * 2.0 - 1.0).collect()
    }

    fn model(seed: u64) -> Small<Cnn> {
        let mut random = Random::of(&[seed]);
        let vocabulary: Vec<String> = ["<pad>", "<unk>", "a", "b", "c", "d"].map(str::to_owned).to_vec();
        let layer = |random: &mut Random, span: usize| Convolution {
            span,
            width: WIDTH,
            weight: numbers(random, 4 * span * WIDTH),
            bias: numbers(random, 4),
        };
        let convolutions = vec![layer(&mut random, 2), layer(&mut random, 3)];
        Small {
            reader: Reader::new(vocabulary, 20, 3, false).expect("words"),
            width: WIDTH,
            table: numbers(&mut random, 6 * WIDTH),
            body: Cnn { convolutions },
            head: Linear { weight: numbers(&mut random, 3 * 8), bias: numbers(&mut random, 3) },
            capabilities: Capabilities { labels: Vec::new(), probabilities: true, gradients: true },
            notes: serde_json::Map::new(),
        }
    }

    fn others() -> Others {
        Others { words: 6, rows: vec![(1, vec![3, 4]), (2, vec![5]), (4, vec![2, 3, 5])], bigrams: Vec::new() }
    }

    const IDS: [u32; 6] = [2, 5, 3, 4, 4, 2];

    #[allow(clippy::type_complexity, reason = "the loss and its gradients, taken apart where they are compared")]
    fn loss(model: &Small<Cnn>, share: f32) -> (f64, Vec<Vec<f32>>, Vec<f32>, Vec<f32>, Vec<f32>) {
        let mut body: Vec<Vec<f32>> = model.body.weight_lengths().into_iter().map(|count| vec![0.0; count]).collect();
        let (mut head_weight, mut head_bias) = (vec![0.0; 24], vec![0.0; 3]);
        let mut pull = Pull {
            weight: 1.0,
            body: &mut body,
            head_weight: &mut head_weight,
            head_bias: &mut head_bias,
            rows: Vec::new(),
        };
        let loss = worst(model, &IDS, &others(), 1, share, &mut pull);
        let mut table = vec![0.0; 6 * WIDTH];
        for (id, row) in std::mem::take(&mut pull.rows) {
            axpy(1.0, &row, &mut table[id as usize * WIDTH..][..WIDTH]);
        }
        (loss, body, head_weight, head_bias, table)
    }

    #[test]
    fn no_text_is_worse_than_the_worst() {
        for seed in 0..20 {
            let model = model(seed);
            let bound = loss(&model, 1.0).0;
            let mut texts = vec![IDS.to_vec()];
            for (at, options) in others().rows {
                for text in texts.clone() {
                    texts.extend(options.iter().map(|id| {
                        let mut text = text.clone();
                        text[at] = *id;
                        text
                    }));
                }
            }
            let own = |text: &Vec<u32>| {
                let (_, logits) = model.forward(&[&model.gather(text.iter().copied())]);
                -f64::from(log_softmax(&logits[0])[1])
            };
            let worst = texts.iter().map(own).fold(0.0, f64::max);
            assert!(bound >= worst - 1e-5, "{seed}: {bound} {worst}");
            assert!((loss(&model, 0.0).0 - own(&IDS.to_vec())).abs() < 1e-5, "without boxes it is the text itself");
        }
    }

    #[test]
    fn gradients_agree_with_differences() {
        const STEP: f32 = 1.0 / 1024.0;
        let (mut checked, mut off) = (0, 0);
        for seed in 0..10 {
            for share in [0.4, 1.0] {
                let model = model(seed);
                let (_, body, head_weight, head_bias, table) = loss(&model, share);
                let mut check = |found: f32, change: &dyn Fn(&mut Small<Cnn>, f32)| {
                    let moved = |by: f32| {
                        let mut model = model.clone();
                        change(&mut model, by);
                        loss(&model, share).0
                    };
                    let difference = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
                    checked += 1;
                    off += usize::from((difference - f64::from(found)).abs() > 0.02 * (1.0 + difference.abs()));
                };
                for (at, found) in head_weight.iter().enumerate() {
                    check(*found, &|model, by| model.head.weight[at] += by);
                }
                for (at, found) in head_bias.iter().enumerate() {
                    check(*found, &|model, by| model.head.bias[at] += by);
                }
                for (at, found) in table.iter().enumerate() {
                    check(*found, &|model, by| model.table[at] += by);
                }
                for (list, gradient) in body.iter().enumerate() {
                    for (at, found) in gradient.iter().enumerate() {
                        check(*found, &|model, by| model.body.weights_mut()[list][at] += by);
                    }
                }
            }
        }
        // A step may cross a kink: where another window, or another word, becomes the highest.
        assert!(checked > 2000 && off * 50 < checked, "{off} of {checked} are off");
    }
}
