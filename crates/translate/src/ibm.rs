//! Word alignment: IBM Model 1, then Model 2 with positions drawn to the diagonal.
//!
//! Model 1 (Brown et al. 1993) takes every position for as likely; Model 2 here has the log-linear form of Dyer,
//! Chahuneau and Smith (2013): a target word at share j/m of its sentence prefers source words near the same share, and
//! how strongly is learned.

/// A pair of sentences, as numbers of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub source: Vec<u32>,
    pub target: Vec<u32>,
}

impl Pair {
    /// The pair the other way round.
    pub fn turned(&self) -> Self {
        Self { source: self.target.clone(), target: self.source.clone() }
    }
}

/// The number of no source word, to which target words may belong; source words are counted from 1.
pub const NOTHING: u32 = 0;

/// How likely a target word belongs to no source word, before anything is known of it.
const NOTHING_SHARE: f64 = 0.08;
/// How strongly positions are drawn to the diagonal at first, and the bounds of it.
const TENSION: (f64, f64, f64) = (4.0, 0.1, 14.0);

/// How positions are weighed before the words are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Positions {
    /// All alike, as in Model 1; `nothing` says whether a word may belong to no source word.
    Alike { nothing: bool },
    /// Near the diagonal.
    Diagonal { tension: f64 },
}

impl Positions {
    /// The weights of the source positions, nothing first, for a target word at `at` of `length`; they add up to 1.
    fn weigh(self, at: usize, length: usize, sources: usize, weights: &mut Vec<f64>) {
        weights.clear();
        match self {
            Self::Alike { nothing } => {
                let share = 1.0 / (sources + usize::from(nothing)) as f64;
                weights.push(if nothing { share } else { 0.0 });
                weights.resize(sources + 1, share);
            }
            Self::Diagonal { tension } => {
                weights.push(NOTHING_SHARE);
                weights.extend((0..sources).map(|i| (-tension * distance(i, sources, at, length)).exp()));
                let total: f64 = weights[1..].iter().sum();
                weights[1..].iter_mut().for_each(|weight| *weight *= (1.0 - NOTHING_SHARE) / total);
            }
        }
    }
}

/// How far a pair of positions is from the diagonal.
fn distance(i: usize, sources: usize, j: usize, targets: usize) -> f64 {
    ((i as f64 + 0.5) / sources as f64 - (j as f64 + 0.5) / targets as f64).abs()
}

/// p(target word | source word), for the pairs of words that were met.
#[derive(Debug, Clone)]
pub struct Lexical {
    /// Where the targets of each source word start, with one more entry for the end.
    starts: Vec<usize>,
    targets: Vec<u32>,
    probability: Vec<f64>,
}

impl Lexical {
    /// Every pair of words that meets in a pair of sentences, all as likely.
    fn even(pairs: &[Pair], sources: usize) -> Self {
        let mut met: Vec<(u32, u32)> = Vec::new();
        let mut sorted = 0;
        for pair in pairs {
            for target in &pair.target {
                met.push((NOTHING, *target));
                met.extend(pair.source.iter().map(|source| (*source, *target)));
            }
            // Sorted now and then, so that repetitions do not pile up.
            if met.len() > 2 * sorted + (1 << 20) {
                met.sort_unstable();
                met.dedup();
                sorted = met.len();
            }
        }
        met.sort_unstable();
        met.dedup();
        let mut starts = vec![0; sources + 2];
        met.iter().for_each(|(source, _)| starts[*source as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let probability = vec![1.0 / met.len().max(1) as f64; met.len()];
        Self { targets: met.into_iter().map(|(_, target)| target).collect(), probability, starts }
    }

    fn place(&self, source: u32, target: u32) -> Option<usize> {
        let (start, end) = (*self.starts.get(source as usize)?, *self.starts.get(source as usize + 1)?);
        self.targets[start..end].binary_search(&target).ok().map(|at| start + at)
    }

    /// p(target | source); 0 for words that were never met together.
    pub fn probability(&self, source: u32, target: u32) -> f64 {
        self.place(source, target).map_or(0.0, |place| self.probability[place])
    }
}

/// What came of learning in one direction.
#[derive(Debug, Clone)]
pub struct Aligner {
    pub lexical: Lexical,
    pub positions: Positions,
}

impl Aligner {
    /// Learns Model 1, then Model 2 from it, some rounds each. `sources` is the largest number of a source word.
    pub fn learn(pairs: &[Pair], sources: usize, rounds: (usize, usize)) -> Self {
        let mut aligner =
            Self { lexical: Lexical::even(pairs, sources), positions: Positions::Alike { nothing: true } };
        // Where each pair of words is in the table is looked up once, not in every round.
        let places = aligner.places(pairs);
        (0..rounds.0).for_each(|_| aligner.round(pairs, &places));
        aligner.positions = Positions::Diagonal { tension: TENSION.0 };
        (0..rounds.1).for_each(|_| aligner.round(pairs, &places));
        aligner
    }

    /// For each pair of sentences, target word by target word, the places of nothing and of its source words.
    fn places(&self, pairs: &[Pair]) -> Vec<u32> {
        let mut places = Vec::new();
        for Pair { source, target } in pairs {
            for word in target {
                for from in std::iter::once(&NOTHING).chain(source) {
                    places.push(self.lexical.place(*from, *word).unwrap_or(0) as u32);
                }
            }
        }
        places
    }

    /// One round of expectation and maximisation.
    fn round(&mut self, pairs: &[Pair], places: &[u32]) {
        let mut counts = vec![0.0; self.lexical.probability.len()];
        let mut places = places;
        let mut weights = Vec::new();
        // The mean distance from the diagonal of the words that belong to something.
        let (mut met, mut total) = (0.0, 0.0);
        for Pair { source, target } in pairs {
            for at in 0..target.len() {
                let (own, rest) = places.split_at(source.len() + 1);
                places = rest;
                self.positions.weigh(at, target.len(), source.len(), &mut weights);
                let mut sum = 0.0;
                for (weight, place) in weights.iter_mut().zip(own) {
                    *weight *= self.lexical.probability[*place as usize];
                    sum += *weight;
                }
                if sum <= 0.0 {
                    continue;
                }
                for (weight, place) in weights.iter().zip(own) {
                    counts[*place as usize] += weight / sum;
                }
                for (i, weight) in weights[1..].iter().enumerate() {
                    met += weight / sum * distance(i, source.len(), at, target.len());
                    total += weight / sum;
                }
            }
        }
        for bounds in self.lexical.starts.windows(2) {
            let own = bounds[0]..bounds[1];
            let sum: f64 = counts[own.clone()].iter().sum();
            if sum > 0.0 {
                for place in own {
                    self.lexical.probability[place] = counts[place] / sum;
                }
            }
        }
        if let Positions::Diagonal { tension } = self.positions
            && total > 0.0
        {
            self.positions = Positions::Diagonal { tension: pulled(pairs, tension, met / total) };
        }
    }

    /// For each target word the source position it belongs to, the first of equals; `None` for nothing.
    pub fn best(&self, pair: &Pair) -> Vec<Option<usize>> {
        let mut weights = Vec::new();
        (0..pair.target.len())
            .map(|at| {
                self.positions.weigh(at, pair.target.len(), pair.source.len(), &mut weights);
                let mut best = (0.0, None);
                for (i, source) in std::iter::once(&NOTHING).chain(&pair.source).enumerate() {
                    let likely = weights[i] * self.lexical.probability(*source, pair.target[at]);
                    if likely > best.0 {
                        best = (likely, i.checked_sub(1));
                    }
                }
                best.1
            })
            .collect()
    }
}

/// The tension under which the expected distance from the diagonal is nearer to the distance that was met.
fn pulled(pairs: &[Pair], mut tension: f64, met: f64) -> f64 {
    // Sentences of the same lengths expect the same; a few steps along the gradient are enough for a round.
    let mut lengths: Vec<(usize, usize)> = pairs.iter().map(|pair| (pair.source.len(), pair.target.len())).collect();
    lengths.sort_unstable();
    for _ in 0..4 {
        let (mut expected, mut words) = (0.0, 0.0);
        for group in lengths.chunk_by(|one, other| one == other) {
            let (sources, targets) = group[0];
            let mut sum = 0.0;
            for j in 0..targets {
                let (mut top, mut bottom) = (0.0, 0.0);
                for i in 0..sources {
                    let far = distance(i, sources, j, targets);
                    let weight = (-tension * far).exp();
                    (top, bottom) = (top + weight * far, bottom + weight);
                }
                sum += if bottom > 0.0 { top / bottom } else { 0.0 };
            }
            expected += sum * group.len() as f64;
            words += (targets * group.len()) as f64;
        }
        // A larger tension means a smaller distance.
        tension = (tension + 20.0 * (expected / words - met)).clamp(TENSION.1, TENSION.2);
    }
    tension
}

#[cfg(test)]
mod tests {
    use super::*;

    /// das = 1, Haus = 2, Buch = 3, ein = 4; the = 1, house = 2, book = 3, a = 4.
    fn pairs() -> Vec<Pair> {
        [([1, 2], [1, 2]), ([1, 3], [1, 3]), ([4, 3], [4, 3])]
            .map(|(source, target)| Pair { source: source.to_vec(), target: target.to_vec() })
            .to_vec()
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
    }

    /// Koehn's example (Statistical Machine Translation, 4.2), by hand. From even tables the first round gives
    /// c(the|das) = 1/2 + 1/2 of 2, c(house|das) = 1/2, c(book|das) = 1/2. In the second, `the` of the first pair belongs
    /// to das and Haus by halves, of the second pair to das by 2/3; `house` to das by 1/3; `book` to das by 1/3:
    /// p(the|das) = (1/2 + 2/3) / (1/2 + 2/3 + 1/3 + 1/3) = 7/11.
    #[test]
    fn model_1_by_hand() {
        let pairs = pairs();
        let mut aligner = Aligner { lexical: Lexical::even(&pairs, 4), positions: Positions::Alike { nothing: false } };
        let places = aligner.places(&pairs);
        aligner.round(&pairs, &places);
        let p = |aligner: &Aligner, source, target| aligner.lexical.probability(source, target);
        near(p(&aligner, 1, 1), 0.5);
        near(p(&aligner, 1, 2), 0.25);
        near(p(&aligner, 2, 2), 0.5);
        near(p(&aligner, 3, 3), 0.5);
        near(p(&aligner, 3, 4), 0.25);
        aligner.round(&pairs, &places);
        near(p(&aligner, 1, 1), 7.0 / 11.0);
        near(p(&aligner, 1, 2), 2.0 / 11.0);
        near(p(&aligner, 2, 2), 4.0 / 7.0);
        near(p(&aligner, 4, 4), 4.0 / 7.0);
        near(p(&aligner, 4, 2), 0.0);
    }

    #[test]
    fn words_find_each_other() {
        let pairs = pairs();
        let aligner = Aligner::learn(&pairs, 4, (5, 3));
        for pair in &pairs {
            assert_eq!(aligner.best(pair), [Some(0), Some(1)]);
        }
        let total: f64 = (1..=4).map(|target| aligner.lexical.probability(1, target)).sum();
        near(total, 1.0);
    }

    #[test]
    fn positions_add_up_to_one_and_like_the_diagonal() {
        let mut weights = Vec::new();
        for positions in [Positions::Alike { nothing: true }, Positions::Diagonal { tension: 4.0 }] {
            positions.weigh(2, 5, 4, &mut weights);
            near(weights.iter().sum(), 1.0);
        }
        // Target word 3 of 5 stands at 0.5; source words at 1/8, 3/8, 5/8, 7/8.
        near(weights[2], weights[3]);
        near(weights[2] / weights[1], 1.0_f64.exp());
    }
}
