//! The table of phrases: for each source phrase what it may become, with scores.

use hashbrown::HashMap;

use crate::extract::{LONGEST, phrases};
use crate::ibm::{NOTHING, Pair};
use crate::phrase_file::STEPS;
use crate::symmetry::Alignment;

/// The most translations that are kept of a source phrase.
const MOST: usize = 20;

/// Smaller logarithms count as this one.
const LEAST: f64 = 100.0;

/// A source phrase and a target phrase.
type Both = (Vec<u32>, Vec<u32>);

/// What a source phrase may become.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendering {
    pub target: Vec<u32>,
    /// Natural logarithms of p(source | target), of its lexical weight, of p(target | source), and of its lexical weight.
    pub scores: [f32; 4],
}

/// All source phrases, sorted, and their renderings, the best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    sources: Vec<Vec<u32>>,
    renderings: Vec<Vec<Rendering>>,
}

impl Table {
    /// Extracts and scores the phrases of aligned pairs.
    pub fn learn(pairs: &[Pair], alignments: &[Alignment]) -> Self {
        let lexical = Weights::of(pairs, alignments);
        // How often a pair of phrases was met, and the better of its lexical weights where it was aligned in two ways.
        let mut met: HashMap<Both, (u32, f64, f64)> = HashMap::new();
        let mut by_source: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut by_target: HashMap<Vec<u32>, u32> = HashMap::new();
        for (pair, alignment) in pairs.iter().zip(alignments) {
            for (source, target) in phrases(alignment, LONGEST) {
                let weights = lexical.of_phrase(pair, alignment, &source, &target);
                let (source, target) = (&pair.source[source], &pair.target[target]);
                *by_source.entry_ref(source).or_insert(0) += 1;
                *by_target.entry_ref(target).or_insert(0) += 1;
                let entry = met.entry((source.to_vec(), target.to_vec())).or_insert((0, 0.0, 0.0));
                *entry = (entry.0 + 1, entry.1.max(weights.0), entry.2.max(weights.1));
            }
        }
        let mut rows: Vec<(Vec<u32>, Rendering)> = met
            .into_iter()
            .map(|((source, target), (count, backward, forward))| {
                let share = |total: &u32| f64::from(count) / f64::from(*total);
                let scores = [share(&by_target[&target]), backward, share(&by_source[&source]), forward];
                // Rounded as they will be stored: what was just learned is the same as what was loaded.
                let scores = scores.map(|score| (score.ln().max(-LEAST) as f32 * STEPS).round() / STEPS);
                (source, Rendering { target, scores })
            })
            .collect();
        let sum = |rendering: &Rendering| rendering.scores.iter().sum::<f32>();
        rows.sort_unstable_by(|(one, a), (other, b)| {
            one.cmp(other).then(sum(b).total_cmp(&sum(a))).then_with(|| a.target.cmp(&b.target))
        });
        let mut table = Self::default();
        for (source, rendering) in rows {
            table.push(source, rendering);
        }
        table.renderings.iter_mut().for_each(|renderings| renderings.truncate(MOST));
        table
    }

    /// Adds a rendering; sources come in order.
    pub fn push(&mut self, source: Vec<u32>, rendering: Rendering) {
        if self.sources.last() != Some(&source) {
            self.sources.push(source);
            self.renderings.push(Vec::new());
        }
        if let Some(renderings) = self.renderings.last_mut() {
            renderings.push(rendering);
        }
    }

    /// What the source phrase may become, the best first.
    pub fn of(&self, source: &[u32]) -> &[Rendering] {
        match self.sources.binary_search_by(|known| known.as_slice().cmp(source)) {
            Ok(place) => &self.renderings[place],
            Err(_) => &[],
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[Rendering])> {
        self.sources.iter().map(Vec::as_slice).zip(self.renderings.iter().map(Vec::as_slice))
    }

    /// The number of pairs of phrases.
    pub fn len(&self) -> usize {
        self.renderings.iter().map(Vec::len).sum()
    }
}

/// How often words belong to each other, in both directions; nothing has the number of no word.
struct Weights {
    together: HashMap<(u32, u32), u32>,
    sources: HashMap<u32, u32>,
    targets: HashMap<u32, u32>,
}

impl Weights {
    fn of(pairs: &[Pair], alignments: &[Alignment]) -> Self {
        let mut weights = Self { together: HashMap::new(), sources: HashMap::new(), targets: HashMap::new() };
        for (Pair { source, target }, alignment) in pairs.iter().zip(alignments) {
            for (i, word) in source.iter().enumerate() {
                let mut alone = true;
                for j in alignment.of_source(i) {
                    alone = false;
                    weights.count(*word, target[j]);
                }
                if alone {
                    weights.count(*word, NOTHING);
                }
            }
            for (j, word) in target.iter().enumerate() {
                if alignment.of_target(j).next().is_none() {
                    weights.count(NOTHING, *word);
                }
            }
        }
        weights
    }

    fn count(&mut self, source: u32, target: u32) {
        *self.together.entry((source, target)).or_insert(0) += 1;
        *self.sources.entry(source).or_insert(0) += 1;
        *self.targets.entry(target).or_insert(0) += 1;
    }

    fn forward(&self, source: u32, target: u32) -> f64 {
        share(self.together.get(&(source, target)), self.sources.get(&source))
    }

    fn backward(&self, source: u32, target: u32) -> f64 {
        share(self.together.get(&(source, target)), self.targets.get(&target))
    }

    /// The lexical weights of a pair of phrases: of the source given the target, and of the target given the source. Each
    /// word has the mean over the words it belongs to.
    fn of_phrase(
        &self,
        pair: &Pair,
        alignment: &Alignment,
        source: &std::ops::Range<usize>,
        target: &std::ops::Range<usize>,
    ) -> (f64, f64) {
        let backward = source.clone().map(|i| {
            let own = pair.source[i];
            mean(alignment.of_source(i).map(|j| self.backward(own, pair.target[j])), || self.backward(own, NOTHING))
        });
        let forward = target.clone().map(|j| {
            let own = pair.target[j];
            mean(alignment.of_target(j).map(|i| self.forward(pair.source[i], own)), || self.forward(NOTHING, own))
        });
        (backward.product(), forward.product())
    }
}

fn share(part: Option<&u32>, whole: Option<&u32>) -> f64 {
    match (part, whole) {
        (Some(part), Some(whole)) => f64::from(*part) / f64::from(*whole),
        _ => 0.0,
    }
}

fn mean(values: impl Iterator<Item = f64>, of_none: impl Fn() -> f64) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { of_none() } else { sum / f64::from(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(source: &[u32], target: &[u32], points: &[(usize, usize)]) -> (Pair, Alignment) {
        let mut alignment = Alignment::new(source.len(), target.len());
        points.iter().for_each(|(source, target)| alignment.add(*source, *target));
        (Pair { source: source.to_vec(), target: target.to_vec() }, alignment)
    }

    /// `1 2` is twice `5 6` and once `5 7`, word by word.
    #[test]
    fn scores_by_hand() {
        let straight = [(0, 0), (1, 1)];
        let (pairs, alignments): (Vec<Pair>, Vec<Alignment>) =
            [pair(&[1, 2], &[5, 6], &straight), pair(&[1, 2], &[5, 6], &straight), pair(&[1, 2], &[5, 7], &straight)]
                .into_iter()
                .unzip();
        let table = Table::learn(&pairs, &alignments);
        let logs = |scores: [f64; 4]| scores.map(|score| score.ln() as f32);
        let near = |found: &[Rendering], at: usize, target: &[u32], scores: [f64; 4]| {
            assert_eq!(found[at].target, target);
            found[at].scores.iter().zip(logs(scores)).for_each(|(a, b)| assert!((a - b).abs() < 1e-3, "{found:?}"));
        };
        let third = 1.0 / 3.0;
        near(table.of(&[2]), 0, &[6], [1.0, 1.0, 2.0 * third, 2.0 * third]);
        near(table.of(&[2]), 1, &[7], [1.0, 1.0, third, third]);
        near(table.of(&[1, 2]), 0, &[5, 6], [1.0, 1.0, 2.0 * third, 2.0 * third]);
        near(table.of(&[1]), 0, &[5], [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(table.of(&[2, 1]), []);
        assert_eq!(table.len(), 5);
    }

    /// `1 2` is `5`: p(5|1) = p(5|2) = 1, p(1|5) = p(2|5) = 1/2; a word of two has the mean.
    #[test]
    fn lexical_weights_are_means_over_links() {
        let (one, alignment) = pair(&[1, 2], &[5], &[(0, 0), (1, 0)]);
        let table = Table::learn(&[one], &[alignment]);
        let [_, backward, _, forward] = table.of(&[1, 2])[0].scores;
        assert!((backward - 0.25_f32.ln()).abs() < 1e-3 && forward.abs() < 1e-3);
    }
}
