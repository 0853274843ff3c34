//! Counts n-grams and estimates a model from them.

use super::model::{Level, Model};
use super::{END, MARKS, START, UNKNOWN};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Counts the n-grams of token sequences, up to an order.
pub struct Trainer {
    order: usize,
    words: Vec<String>,
    ids: HashMap<String, u32>,
    sequences: Vec<Vec<u32>>,
    counts: Vec<u64>,
}

/// n-grams of one order and their counts, sorted.
type Counts = BTreeMap<Vec<u32>, u64>;

impl Trainer {
    /// A trainer of models of that order, 1 at least.
    pub fn new(order: usize) -> Trainer {
        let words: Vec<String> = MARKS.iter().map(|mark| (*mark).to_owned()).collect();
        let ids = words.iter().cloned().zip(0..).collect();
        Trainer { order: order.max(1), words, ids, sequences: Vec::new(), counts: vec![0; MARKS.len()] }
    }

    /// Adds a sequence of tokens: a sentence, or whatever is to be one unit.
    pub fn add<T: AsRef<str>>(&mut self, tokens: impl IntoIterator<Item = T>) {
        let mut sequence = vec![START];
        for token in tokens {
            let token = token.as_ref();
            let id = match self.ids.get(token) {
                Some(id) if (*id as usize) < MARKS.len() => UNKNOWN,
                Some(id) => *id,
                None => {
                    let id = self.words.len() as u32;
                    self.ids.insert(token.to_owned(), id);
                    self.words.push(token.to_owned());
                    self.counts.push(0);
                    id
                }
            };
            self.counts[id as usize] += 1;
            sequence.push(id);
        }
        sequence.push(END);
        self.sequences.push(sequence);
    }

    /// The model. Words met fewer than `least_word` times become the unknown word; n-grams of the order `n` met fewer
    /// than `least[n - 2]` times are pruned, and what they weighed goes to the shorter context.
    pub fn finish(self, least_word: u64, least: &[u64]) -> Model {
        let (words, unknown_types, renamed) = self.vocabulary(least_word);
        let sequences = self.sequences.iter().map(|sequence| sequence.iter().map(|id| renamed[*id as usize]).collect());
        let counts = count(sequences, self.order);
        let probabilities = unigrams(&counts[0], MARKS.len() + words.len());
        let mut model = Model::unigrams(&words, unknown_types, &probabilities);
        let kept = kept(&counts, least);
        for order in 2..=self.order {
            let (level, weights) = estimate(&counts[order - 1], &kept[order - 1], &model);
            model.extend(level, &weights);
        }
        model
    }

    /// The words that are kept, in order of their names so that the model does not depend on the order of the texts; how
    /// many kinds of word became unknown; and the new number of each old one.
    fn vocabulary(&self, least: u64) -> (Vec<String>, usize, Vec<u32>) {
        let mut kept: Vec<(&String, usize)> =
            self.words.iter().zip(0..).skip(MARKS.len()).filter(|(_, id)| self.counts[*id] >= least).collect();
        kept.sort();
        let mut renamed = vec![UNKNOWN; self.words.len()];
        (renamed[START as usize], renamed[END as usize]) = (START, END);
        for (at, (_, id)) in kept.iter().enumerate() {
            renamed[*id] = (at + MARKS.len()) as u32;
        }
        let unknown = self.words.len() - MARKS.len() - kept.len();
        (kept.into_iter().map(|(word, _)| word.clone()).collect(), unknown, renamed)
    }
}

/// For each order the counts that Kneser-Ney works with: how often an n-gram of the highest order was met, and for the
/// others, how many different words were met before it; of an n-gram that starts a sequence, how often it was met.
fn count(sequences: impl Iterator<Item = Vec<u32>>, order: usize) -> Vec<Counts> {
    let mut met: Vec<HashMap<Vec<u32>, u64>> = vec![HashMap::new(); order];
    for sequence in sequences {
        for end in 2..=sequence.len() {
            let longest = order.min(end);
            *met[longest - 1].entry(sequence[end - longest..end].to_vec()).or_default() += 1;
        }
    }
    let mut counts: Vec<Counts> = met.into_iter().map(|met| met.into_iter().collect()).collect();
    for longer in (1..order).rev() {
        let (shorter, longer) = counts.split_at_mut(longer);
        for gram in longer[0].keys() {
            *shorter[shorter.len() - 1].entry(gram[1..].to_vec()).or_default() += 1;
        }
    }
    counts
}

/// For each n-gram of each order, in sorted order, whether it is kept: it was met often enough, or a longer one that is
/// kept starts with it.
fn kept(counts: &[Counts], least: &[u64]) -> Vec<Vec<bool>> {
    let mut kept: Vec<Vec<bool>> = vec![Vec::new(); counts.len()];
    let mut prefixes: HashSet<&[u32]> = HashSet::new();
    for order in (2..=counts.len()).rev() {
        let floor = least.get(order - 2).copied().unwrap_or(1);
        let grams = &counts[order - 1];
        kept[order - 1] = grams.iter().map(|(gram, count)| *count >= floor || prefixes.contains(&gram[..])).collect();
        prefixes =
            grams.keys().zip(&kept[order - 1]).filter(|(_, kept)| **kept).map(|(gram, _)| &gram[..order - 1]).collect();
    }
    kept
}

/// What is taken from counts of 1, of 2, and of 3 or more, by the counts of these counts.
fn discounts(counts: impl Iterator<Item = u64>) -> [f64; 3] {
    let mut of_counts = [0_f64; 5];
    counts.filter(|count| (1..=4).contains(count)).for_each(|count| of_counts[count as usize] += 1.0);
    let [_, one, two, three, four] = of_counts;
    let ratio = one / (one + 2.0 * two);
    let discount = |at: f64, here: f64, next: f64| {
        let value = at - (at + 1.0) * ratio * next / here;
        // A small or strange text can lack some of the counts; half is then a fair discount.
        if value.is_finite() && value > 0.0 && value < at { value } else { 0.5 }
    };
    [discount(1.0, one, two), discount(2.0, two, three), discount(3.0, three, four)]
}

fn discount(count: u64, discounts: &[f64; 3]) -> f64 {
    discounts[(count.clamp(1, 3) - 1) as usize]
}

/// The probabilities of single words: discounted, and the rest spread over all words alike.
fn unigrams(counts: &Counts, vocabulary: usize) -> Vec<f64> {
    let discounts = discounts(counts.values().copied());
    let total: u64 = counts.values().sum();
    let taken: f64 = counts.values().map(|count| discount(*count, &discounts)).sum();
    // The start is no word that can follow.
    let share = 1.0 / (vocabulary - 1) as f64;
    let rest = if total == 0 { 1.0 } else { taken / total as f64 };
    let mut probabilities = vec![rest * share; vocabulary];
    probabilities[START as usize] = 0.0;
    for (gram, count) in counts {
        probabilities[gram[0] as usize] += (*count as f64 - discount(*count, &discounts)) / total as f64;
    }
    probabilities
}

/// The level of a higher order, and for each of its contexts the weight of the shorter context.
fn estimate(counts: &Counts, kept: &[bool], shorter: &Model) -> (Level, Vec<(Vec<u32>, f64)>) {
    let discounts = discounts(counts.values().copied());
    let mut level = Level::default();
    let mut weights = Vec::new();
    let grams: Vec<(&Vec<u32>, u64, bool)> =
        counts.iter().zip(kept).map(|((gram, count), kept)| (gram, *count, *kept)).collect();
    for group in grams.chunk_by(|one, other| one.0[..one.0.len() - 1] == other.0[..other.0.len() - 1]) {
        let context = &group[0].0[..group[0].0.len() - 1];
        let total: u64 = group.iter().map(|(_, count, _)| count).sum();
        let kept = || group.iter().filter(|(.., kept)| *kept);
        let own = |count: u64| (count as f64 - discount(count, &discounts)) / total as f64;
        let weight = 1.0 - kept().map(|(_, count, _)| own(*count)).sum::<f64>();
        for (gram, count, _) in kept() {
            let word = gram[gram.len() - 1];
            let probability = own(*count) + weight * shorter.log_probability_of_mark(&context[1..], word).exp();
            level.push(gram, probability.ln() as f32);
        }
        weights.push((context.to_vec(), weight));
    }
    (level, weights)
}
