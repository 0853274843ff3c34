//! Trains the network of `fissure_text::sentiment`: Adam on filters and weights, Adagrad on the vectors of words, dropout of words
//! and filters, and the mean of the weights over the passes behind the first.

use std::collections::HashMap;

use fissure_text::sentiment::{DIMENSIONS, FILTERS, SPACE, UNKNOWN, WIDTHS, Weights, pack};

use super::examples::{Draw, Example};

const PASSES: usize = 5;
const BATCH: usize = 32;
const RATE: f32 = 0.001;
const VECTOR_RATE: f32 = 0.15;
/// The most frequent words are known.
const MOST_WORDS: usize = 15_500;
/// A word that GloVe knows must be met this often, another one that often.
const LEAST_MET: [usize; 2] = [5, 12];
const LONGEST: usize = 80;
/// GloVe is scaled to the size of the filters.
const SCALE: f32 = 0.5;
const WORD_DROPOUT: f32 = 0.08;
/// Batches between two weights of the mean.
const APART: usize = 400;

#[derive(Clone)]
struct Net {
    vectors: Vec<f32>,
    filters: [Vec<f32>; 3],
    biases: Vec<f32>,
    weights: Vec<f32>,
}

/// What a text did in the network.
struct Pass {
    ids: Vec<u16>,
    text: Vec<f32>,
    best: Vec<f32>,
    /// Where each filter found its best, if it found anything.
    places: Vec<Option<usize>>,
}

impl Net {
    fn of(&self, ids: &[u16]) -> Pass {
        let ids: Vec<u16> = [SPACE].iter().chain(ids).chain(&[SPACE]).copied().collect();
        let row = |id: &u16| &self.vectors[usize::from(*id) * DIMENSIONS..(usize::from(*id) + 1) * DIMENSIONS];
        let text: Vec<f32> = ids.iter().flat_map(row).copied().collect();
        let (mut best, mut places) = (vec![0.0; FILTERS], vec![None; FILTERS]);
        for (first, width, filters) in self.groups() {
            for (place, window) in text.windows(width * DIMENSIONS).step_by(DIMENSIONS).enumerate() {
                for (at, filter) in filters.chunks_exact(width * DIMENSIONS).enumerate() {
                    let value = product(window, filter) + self.biases[first + at];
                    if value > best[first + at] {
                        best[first + at] = value;
                        places[first + at] = Some(place);
                    }
                }
            }
        }
        Pass { ids, text, best, places }
    }

    /// The groups of filters: the first filter, how many words each looks at, and the filters.
    fn groups(&self) -> impl Iterator<Item = (usize, usize, &[f32])> {
        let firsts = WIDTHS.iter().scan(0, |first, (_, count)| {
            *first += count;
            Some(*first - count)
        });
        firsts.zip(WIDTHS).zip(&self.filters).map(|((first, (width, _)), filters)| (first, width, &filters[..]))
    }

    fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        let filters = self.filters.iter_mut().flatten();
        self.vectors.iter_mut().chain(filters).chain(&mut self.biases).chain(&mut self.weights)
    }
}

fn product(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for at in 0..8 {
            sums[at] += one[at] * other[at];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Steps of a list of numbers, each by the size of its slopes so far.
struct Adam {
    slopes: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    fn new(count: usize) -> Self {
        Self { slopes: vec![0.0; count], means: vec![0.0; count], squares: vec![0.0; count] }
    }

    fn step(&mut self, values: &mut [f32], rate: f32, decay: f32) {
        for (at, value) in values.iter_mut().enumerate() {
            let slope = self.slopes[at] / BATCH as f32 + decay * *value;
            self.slopes[at] = 0.0;
            self.means[at] = 0.9 * self.means[at] + 0.1 * slope;
            self.squares[at] = 0.999 * self.squares[at] + 0.001 * slope * slope;
            *value -= rate * self.means[at] / (self.squares[at].sqrt() + 1e-6);
        }
    }
}

/// The trained network, packed. `vector` is where the vector of a word starts; `listed` words are known in any case.
pub fn train<'v>(examples: &[Example], vector: impl Fn(&str) -> Option<&'v [f32]>, listed: &[String]) -> Vec<u8> {
    let words = vocabulary(examples, |word| vector(word).is_some(), listed);
    let places: HashMap<&str, u16> = words.iter().map(String::as_str).zip(SPACE + 1..).collect();
    let mut draw = Draw::new();
    let mut vectors = vec![0.0; 2 * DIMENSIONS];
    for word in &words {
        match vector(word) {
            Some(vector) => vectors.extend(vector.iter().map(|value| value * SCALE)),
            None => vectors.extend((0..DIMENSIONS).map(|_| (draw.share() - 0.5) * 0.5)),
        }
    }
    let filters = WIDTHS.map(|(width, count)| {
        let size = 2.0 * (3.0 / (width * DIMENSIONS) as f32).sqrt();
        (0..width * count * DIMENSIONS).map(|_| (draw.share() - 0.5) * size).collect()
    });
    let mut weights: Vec<f32> = (0..FILTERS).map(|_| (draw.share() - 0.5) * 0.3).collect();
    weights.push(0.0);
    let mut net = Net { vectors, filters, biases: vec![0.0; FILTERS], weights };
    let id = |word: &String| places.get(word.as_str()).copied().unwrap_or(UNKNOWN);
    let rows: Vec<(Vec<u16>, f32, f32)> = examples
        .iter()
        .map(|example| (example.words.iter().take(LONGEST).map(id).collect(), example.approves, example.weight))
        .filter(|row: &(Vec<u16>, f32, f32)| !row.0.is_empty())
        .collect();
    let mean = learn(&mut net, &rows, &mut draw);
    let filters = [&mean.filters[0][..], &mean.filters[1], &mean.filters[2]];
    pack(&Weights { words: &words, vectors: &mean.vectors, filters, biases: &mean.biases, weights: &mean.weights })
}

/// The words that are known, the most frequent first.
fn vocabulary(examples: &[Example], has_vector: impl Fn(&str) -> bool, listed: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in examples.iter().flat_map(|example| &example.words) {
        *counts.entry(word).or_default() += 1;
    }
    let known = |(word, count): &(&str, usize)| word.is_ascii() && *count >= LEAST_MET[usize::from(!has_vector(word))];
    let mut words: Vec<(&str, usize)> = counts.into_iter().filter(known).collect();
    words.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    words.truncate(MOST_WORDS);
    let mut words: Vec<String> = words.into_iter().map(|(word, _)| word.to_owned()).collect();
    for word in listed {
        if !words.contains(word) {
            words.push(word.clone());
        }
    }
    words
}

/// Trains it, and gives the mean of the weights.
fn learn(net: &mut Net, rows: &[(Vec<u16>, f32, f32)], draw: &mut Draw) -> Net {
    let mut filters = WIDTHS.map(|(width, count)| Adam::new(width * count * DIMENSIONS));
    let (mut biases, mut weights) = (Adam::new(FILTERS), Adam::new(FILTERS + 1));
    let mut slopes: HashMap<u16, Vec<f32>> = HashMap::new();
    let mut moved = vec![0.0_f32; net.vectors.len() / DIMENSIONS];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let (mut mean, mut taken, mut steps) = (net.clone(), 0.0, 0_usize);
    let total = (PASSES * rows.len()) as f32;
    for pass in 0..PASSES {
        for at in (1..order.len()).rev() {
            order.swap(at, draw.below(at + 1));
        }
        let mut loss = 0.0;
        for (place, row) in order.iter().enumerate() {
            loss += f64::from(slope(net, &rows[*row], draw, &mut filters, &mut biases, &mut weights, &mut slopes));
            if (place + 1) % BATCH != 0 {
                continue;
            }
            let left = 1.0 - 0.7 * (pass * rows.len() + place) as f32 / total;
            for (adam, values) in filters.iter_mut().zip(&mut net.filters) {
                adam.step(values, RATE * left, 1e-5);
            }
            biases.step(&mut net.biases, RATE * left, 0.0);
            weights.step(&mut net.weights, RATE * left, 1e-5);
            for (id, slope) in slopes.drain() {
                let id = usize::from(id);
                moved[id] += slope.iter().map(|value| value * value).sum::<f32>() / DIMENSIONS as f32;
                let rate = VECTOR_RATE * left / (moved[id].sqrt() + 1e-4);
                let values = &mut net.vectors[id * DIMENSIONS..(id + 1) * DIMENSIONS];
                values.iter_mut().zip(slope).for_each(|(value, slope)| *value -= rate * slope);
            }
            steps += 1;
            if pass > 0 && steps.is_multiple_of(APART) {
                taken += 1.0;
                mean.all().zip(net.all()).for_each(|(mean, value)| *mean += (*value - *mean) / taken);
            }
        }
        println!("pass {}: loss {:.4}", pass + 1, loss / rows.len() as f64);
    }
    if taken > 0.0 { mean } else { net.clone() }
}

/// Adds the slopes of one example, and gives its loss.
fn slope(
    net: &Net,
    (ids, approves, weight): &(Vec<u16>, f32, f32),
    draw: &mut Draw,
    filters: &mut [Adam; 3],
    biases: &mut Adam,
    weights: &mut Adam,
    vectors: &mut HashMap<u16, Vec<f32>>,
) -> f32 {
    let ids: Vec<u16> = ids.iter().map(|id| if draw.share() < WORD_DROPOUT { UNKNOWN } else { *id }).collect();
    let pass = net.of(&ids);
    // Half of the filters are left out, and the others count twice.
    let kept: Vec<f32> = (0..FILTERS).map(|_| if draw.share() < 0.5 { 0.0 } else { 2.0 }).collect();
    let heard: Vec<f32> = pass.best.iter().zip(&kept).map(|(best, kept)| best * kept).collect();
    let sum = net.weights[FILTERS] + product(&heard, &net.weights[..FILTERS]);
    let guess = (1.0 / (1.0 + (-sum).exp())).clamp(1e-7, 1.0 - 1e-7);
    let loss = -weight * (approves * guess.ln() + (1.0 - approves) * (1.0 - guess).ln());
    let error = (guess - approves) * weight;
    weights.slopes[FILTERS] += error;
    let mut back = vec![0.0; pass.text.len()];
    for (group, (first, width, all)) in net.groups().enumerate() {
        let size = width * DIMENSIONS;
        for (at, filter) in all.chunks_exact(size).enumerate() {
            let number = first + at;
            weights.slopes[number] += error * heard[number];
            let Some(place) = pass.places[number].filter(|_| kept[number] > 0.0) else { continue };
            let error = error * net.weights[number] * kept[number];
            biases.slopes[number] += error;
            let here = place * DIMENSIONS..place * DIMENSIONS + size;
            let slopes = &mut filters[group].slopes[at * size..(at + 1) * size];
            slopes.iter_mut().zip(&pass.text[here.clone()]).for_each(|(slope, value)| *slope += error * value);
            back[here].iter_mut().zip(filter).for_each(|(back, value)| *back += error * value);
        }
    }
    for (id, back) in pass.ids.iter().zip(back.chunks_exact(DIMENSIONS)).filter(|(id, _)| **id != SPACE) {
        let slopes = vectors.entry(*id).or_insert_with(|| vec![0.0; DIMENSIONS]);
        slopes.iter_mut().zip(back).for_each(|(slope, back)| *slope += back);
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_which_words_approve() {
        let example = |text: &str, approves: f32| Example {
            words: text.split(' ').map(str::to_owned).collect(),
            approves,
            weight: 1.0,
        };
        let texts = [("a good film", 1.0), ("a bad film", 0.0), ("good fun", 1.0), ("bad taste", 0.0)];
        let examples: Vec<Example> = (0..2000).map(|at| example(texts[at % 4].0, texts[at % 4].1)).collect();
        let rows: Vec<(Vec<u16>, f32, f32)> = {
            let words = vocabulary(&examples, |_| false, &[]);
            let id = |word: &String| words.iter().position(|known| known == word).unwrap() as u16 + SPACE + 1;
            examples.iter().map(|one| (one.words.iter().map(id).collect(), one.approves, one.weight)).collect()
        };
        let mut draw = Draw::new();
        let mut random = |count: usize| (0..count).map(|_| draw.share() - 0.5).collect::<Vec<f32>>();
        let vectors = random(9 * DIMENSIONS);
        let filters = WIDTHS.map(|(width, count)| random(width * count * DIMENSIONS));
        let (biases, weights) = (vec![0.0; FILTERS], random(FILTERS + 1));
        let mut net = Net { vectors, filters, biases, weights };
        learn(&mut net, &rows, &mut Draw::new());
        for (ids, approves, _) in &rows[..4] {
            let sum = net.weights[FILTERS] + product(&net.of(ids).best, &net.weights[..FILTERS]);
            assert_eq!(sum > 0.0, *approves > 0.5, "{ids:?} {sum}");
        }
    }
}
