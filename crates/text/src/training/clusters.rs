//! Groups word vectors (spherical k-means), so that taggers know which words are used alike.

use super::trainer::Shuffler;
use crate::clusters::Clusters;
use crate::word_features::WordFeatures;

const FINE: usize = 800;
const COARSE: usize = 64;
const ROUNDS: usize = 15;

/// Groups words by their vectors, all of which must have the same length.
pub fn train(words: &[(String, Vec<f32>)]) -> Clusters {
    let vectors: Vec<Vec<f32>> = words.iter().map(|(_, vector)| unit(vector.clone())).collect();
    let (fine, centres) = group(&vectors, FINE);
    let (coarse, _) = group(&centres, COARSE);
    let hashed = words.iter().zip(fine).map(|((word, _), fine)| (WordFeatures::of(word).lower, fine as u16));
    Clusters::new(hashed, coarse.into_iter().map(|coarse| coarse as u8).collect())
}

/// The group of each vector, and the centres of the groups.
fn group(vectors: &[Vec<f32>], count: usize) -> (Vec<usize>, Vec<Vec<f32>>) {
    let mut order: Vec<usize> = (0..vectors.len()).collect();
    Shuffler::new(2).shuffle(&mut order);
    let mut centres: Vec<Vec<f32>> = order.iter().take(count).map(|at| vectors[*at].clone()).collect();
    let mut groups = Vec::new();
    for _ in 0..ROUNDS {
        groups = vectors.iter().map(|vector| nearest(vector, &centres)).collect();
        let mut sums = vec![vec![0.0; vectors[0].len()]; centres.len()];
        for (vector, group) in vectors.iter().zip(&groups) {
            sums[*group].iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
        // A group that lost all its members keeps its centre.
        for (centre, sum) in centres.iter_mut().zip(sums) {
            if sum.iter().any(|value| *value != 0.0) {
                *centre = unit(sum);
            }
        }
    }
    (groups, centres)
}

fn nearest(vector: &[f32], centres: &[Vec<f32>]) -> usize {
    let mut best = (0, f32::MIN);
    for (at, centre) in centres.iter().enumerate() {
        let product = dot(vector, centre);
        if product > best.1 {
            best = (at, product);
        }
    }
    best.0
}

/// Sums in eight lanes, which compilers make fast and which gives the same result everywhere.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vectors_come_together() {
        let vectors: Vec<Vec<f32>> =
            [[1.0, 0.1], [1.0, 0.2], [-1.0, 0.1], [-1.0, 0.0]].iter().map(|vector| unit(vector.to_vec())).collect();
        let (groups, centres) = group(&vectors, 2);
        assert_eq!(groups[0], groups[1]);
        assert_eq!(groups[2], groups[3]);
        assert_ne!(groups[0], groups[2]);
        assert_eq!(centres.len(), 2);
    }
}
