//! Relative position bias of MPNet: a learned number for each head and each class of distances, added to the scores.

/// Classes of distances between a query and a key.
pub(crate) const BUCKETS: usize = 32;
/// Distances from here on share a class.
const FARTHEST: f32 = 128.0;

/// The bias for every head and distance, and the table it comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RelativeBias {
    /// Bucket by bucket, a number for each head: as checkpoints store it, and what is trained.
    pub table: Vec<f32>,
    heads: usize,
}

impl RelativeBias {
    pub fn new(table: Vec<f32>) -> Self {
        let heads = table.len() / BUCKETS;
        Self { table, heads }
    }

    /// Writes the bias of one head into a square of `length` queries by `length` keys.
    pub fn fill(&self, head: usize, length: usize, scores: &mut [f32]) {
        let biases: Vec<f32> = self.distances(length).map(|bucket| self.table[bucket * self.heads + head]).collect();
        for (query, row) in scores.chunks_exact_mut(length).enumerate() {
            row.copy_from_slice(&biases[length - 1 - query..][..length]);
        }
    }

    /// As a gradient: adds the gradient of the scores of one head to the buckets they came from.
    pub fn accumulate(&mut self, head: usize, length: usize, d_scores: &[f32]) {
        let buckets: Vec<usize> = self.distances(length).collect();
        for (query, row) in d_scores.chunks_exact(length).enumerate() {
            for (bucket, d) in buckets[length - 1 - query..].iter().zip(row) {
                self.table[bucket * self.heads + head] += d;
            }
        }
    }

    /// The buckets of the distances `key - query` from `1 - length` to `length - 1`.
    fn distances(&self, length: usize) -> impl Iterator<Item = usize> + use<> {
        let length = length as isize;
        (1 - length..length).map(bucket)
    }
}

/// The class of a distance: one for each up to 7, then wider and wider, with a second set for keys after the query.
fn bucket(key_minus_query: isize) -> usize {
    const HALF: usize = BUCKETS / 2;
    const EXACT: usize = HALF / 2;
    let after = if key_minus_query > 0 { HALF } else { 0 };
    let distance = key_minus_query.unsigned_abs();
    if distance < EXACT {
        return after + distance;
    }
    let steps = (distance as f32 / EXACT as f32).ln() / (FARTHEST / EXACT as f32).ln() * (HALF - EXACT) as f32;
    after + (EXACT + steps as usize).min(HALF - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_by_hand() {
        assert_eq!([0, -1, 1, -7, 7].map(bucket), [0, 1, 17, 7, 23]);
        // ln(8 / 8) = 0; ln(16 / 8) / ln(16) * 8 = 2; ln(64 / 8) / ln(16) * 8 = 6; far away: the last.
        assert_eq!([-8, 8, -16, 16, -64, -127, -128, -5000, 5000].map(bucket), [8, 24, 10, 26, 14, 15, 15, 15, 31]);
    }

    #[test]
    fn the_gradient_goes_where_the_bias_came_from() {
        let table: Vec<f32> = (0..BUCKETS * 2).map(|at| at as f32).collect();
        let bias = RelativeBias::new(table);
        let mut scores = [0.0; 9];
        bias.fill(1, 3, &mut scores);
        // Bucket b of head 1 holds 2 b + 1.
        assert_eq!(scores, [1.0, 35.0, 37.0, 3.0, 1.0, 35.0, 5.0, 3.0, 1.0]);
        let mut gradient = RelativeBias::new(vec![0.0; BUCKETS * 2]);
        gradient.accumulate(1, 3, &[1.0, 10.0, 100.0, 2.0, 3.0, 20.0, 5.0, 4.0, 7.0]);
        let found: Vec<(usize, f32)> = gradient.table.iter().copied().enumerate().filter(|(_, d)| *d != 0.0).collect();
        assert_eq!(found, [(1, 11.0), (3, 6.0), (5, 5.0), (35, 30.0), (37, 100.0)]);
    }
}
