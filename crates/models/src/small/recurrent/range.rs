//! What some changes of a text can do to the answer of a bilstm, at most: intervals for its states, word by word.
//!
//! For every number of changes so far there is a box that holds all states that can be reached with them; a word moves each
//! box on as it is, or with a candidate from the box of one change fewer. The boxes are loose where a change is followed by many
//! words (every number of a state is bounded by itself), so this proves little for models that were not trained for it.

use super::{Recurrent, word_at};
use crate::layers::Lstm;

/// Everything that a state can be after at most some number of changes.
#[derive(Debug, Clone)]
struct Reach {
    cell: Vec<[f64; 2]>,
    hidden: Vec<[f64; 2]>,
    /// The least that each lead is so far.
    leads: Vec<f64>,
}

/// How the features make up a lead: a weight for each, and a bias.
pub type Lead = (Vec<f32>, f64);

impl Recurrent<'_> {
    /// The least of each lead over all texts that differ from `ids` in at most `edits` of the places of `options`, where one of
    /// their words stands instead. At most one entry for each place.
    pub fn least_leads(&self, ids: &[u32], options: &[(usize, Vec<u32>)], edits: usize, leads: &[Lead]) -> Vec<f64> {
        let mut of_word: Vec<&[u32]> = vec![&[]; ids.len()];
        for (at, ids) in options {
            of_word[*at] = ids;
        }
        let mut least: Vec<f64> = leads.iter().map(|(_, bias)| *bias).collect();
        for direction in [0, 1] {
            let found = self.one_way(direction, ids, &of_word, edits, leads);
            least.iter_mut().zip(found).for_each(|(least, found)| *least += found / ids.len().max(1) as f64);
        }
        least
    }

    /// What one direction adds to each lead at least, summed over the words.
    fn one_way(&self, direction: usize, ids: &[u32], options: &[&[u32]], edits: usize, leads: &[Lead]) -> Vec<f64> {
        let lstm = &self.directions()[direction];
        let hidden = lstm.hidden();
        let weights: Vec<&[f32]> = leads.iter().map(|(weights, _)| &weights[direction * hidden..][..hidden]).collect();
        let start =
            Reach { cell: vec![[0.0; 2]; hidden], hidden: vec![[0.0; 2]; hidden], leads: vec![0.0; leads.len()] };
        // As many boxes as changes were possible so far.
        let mut reached: Vec<Reach> = vec![start];
        let mut room = Vec::new();
        for step in 0..ids.len() {
            let word = word_at(direction, step, ids.len());
            let mut next: Vec<Reach> = Vec::new();
            for (changes, reach) in reached.iter().enumerate() {
                let recurrent = reach.recurrent(lstm);
                let mut take = |place: usize, id: u32| {
                    let gates = &self.gates(id, &mut room)[direction * 4 * hidden..][..4 * hidden];
                    let moved = reach.moved(lstm, gates, &recurrent, &weights);
                    match next.get_mut(place) {
                        Some(known) => known.widen(&moved),
                        None => next.push(moved),
                    }
                };
                take(changes, ids[word]);
                if changes < edits {
                    options[word].iter().for_each(|id| take(changes + 1, *id));
                }
            }
            reached = next;
        }
        let least = |lead: usize| reached.iter().map(|reach| reach.leads[lead]).fold(f64::INFINITY, f64::min);
        (0..leads.len()).map(least).collect()
    }
}

impl Reach {
    /// What the hidden states put into each gate: the least and the most.
    fn recurrent(&self, lstm: &Lstm) -> Vec<[f64; 2]> {
        let hidden = self.hidden.len();
        let middle: Vec<f64> = self.hidden.iter().map(|[low, high]| f64::midpoint(*low, *high)).collect();
        let radius: Vec<f64> = self.hidden.iter().map(|[low, high]| (high - low) / 2.0).collect();
        let is_point = radius.iter().all(|radius| *radius == 0.0);
        let gate = |weights: &[f32]| {
            let centre: f64 = weights.iter().zip(&middle).map(|(weight, middle)| f64::from(*weight) * middle).sum();
            let reach: f64 = match is_point {
                true => 0.0,
                false => weights.iter().zip(&radius).map(|(weight, radius)| f64::from(weight.abs()) * radius).sum(),
            };
            [centre - reach, centre + reach]
        };
        lstm.recurrent.chunks_exact(hidden).map(gate).collect()
    }

    /// Where a word with these gates takes the states.
    fn moved(&self, lstm: &Lstm, gates: &[f32], recurrent: &[[f64; 2]], weights: &[&[f32]]) -> Self {
        let size = self.cell.len();
        let mut moved = Self { cell: Vec::with_capacity(size), hidden: Vec::with_capacity(size), leads: Vec::new() };
        for (at, cell) in self.cell.iter().enumerate() {
            let gate = |number: usize, squash: fn(f64) -> f64| {
                let place = number * size + at;
                recurrent[place].map(|value| squash(value + f64::from(gates[place]) + f64::from(lstm.bias[place])))
            };
            let (input, forget, new, output) =
                (gate(0, sigmoid), gate(1, sigmoid), gate(2, f64::tanh), gate(3, sigmoid));
            let (kept, added) = (scaled(forget, *cell), scaled(input, new));
            let cell = [kept[0] + added[0], kept[1] + added[1]];
            moved.cell.push(cell);
            moved.hidden.push(scaled(output, cell.map(f64::tanh)));
        }
        for (weights, lead) in weights.iter().zip(&self.leads) {
            let worst =
                |(weight, [low, high]): (&f32, &[f64; 2])| f64::from(*weight) * if *weight > 0.0 { low } else { high };
            moved.leads.push(lead + weights.iter().zip(&moved.hidden).map(worst).sum::<f64>());
        }
        moved
    }

    /// Grows to hold another one as well.
    fn widen(&mut self, other: &Self) {
        let boxes = [(&mut self.cell, &other.cell), (&mut self.hidden, &other.hidden)];
        for (own, other) in boxes.into_iter().flat_map(|(own, other)| own.iter_mut().zip(other)) {
            *own = [own[0].min(other[0]), own[1].max(other[1])];
        }
        self.leads.iter_mut().zip(&other.leads).for_each(|(own, other)| *own = own.min(*other));
    }
}

/// A number of an interval times a factor of one above 0: the least and the most.
fn scaled(factor: [f64; 2], [low, high]: [f64; 2]) -> [f64; 2] {
    [low * if low < 0.0 { factor[1] } else { factor[0] }, high * if high > 0.0 { factor[1] } else { factor[0] }]
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{model, text};
    use crate::Input;

    #[test]
    fn no_text_within_the_changes_lies_below_the_bound() {
        let model = model();
        let recurrent = model.recurrent().expect("a bilstm");
        for seed in 0..6 {
            let base = text(seed, 7);
            let ids = model.readings(&[Input::from(&*base)]).expect("a text").remove(0);
            let others: Vec<u32> = (2..6).collect();
            let options: Vec<(usize, Vec<u32>)> = [1, 3, 6].map(|at| (at, others.clone())).to_vec();
            let (one, other) = (recurrent.output(1), recurrent.output(0));
            let weights: Vec<f32> = one.0.iter().zip(other.0).map(|(one, other)| one - other).collect();
            let lead = (weights, f64::from(one.1) - f64::from(other.1));
            let saved = recurrent.save(&ids);
            let mut texts: Vec<(usize, Vec<u32>)> = vec![(0, ids.clone())];
            for (at, ids) in &options {
                let known = texts.clone();
                for (changes, text) in known {
                    for id in ids {
                        let mut new = text.clone();
                        new[*at] = *id;
                        texts.push((changes + 1, new));
                    }
                }
            }
            let logits = recurrent.logits(&saved, &texts.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>());
            for edits in 0..=3 {
                let bound = recurrent.least_leads(&ids, &options, edits, std::slice::from_ref(&lead))[0];
                let within = texts.iter().zip(&logits).filter(|((changes, _), _)| *changes <= edits);
                let least = within.map(|(_, logits)| f64::from(logits[1] - logits[0])).fold(f64::INFINITY, f64::min);
                assert!(bound <= least + 1e-5, "{base}, {edits} changes: {bound} > {least}");
                if edits == 0 {
                    assert!((bound - least).abs() < 1e-5, "nothing changes: {bound} {least}");
                }
                // It says more than that every state lies between -1 and 1.
                let nothing = lead.1 - lead.0.iter().map(|weight| f64::from(weight.abs())).sum::<f64>();
                assert!(bound > nothing, "{base}, {edits} changes: {bound} {nothing}");
            }
        }
    }
}
