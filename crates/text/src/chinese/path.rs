//! The best sequence of classes: the classifier scores each place, and each step from class to class.

use crate::perceptron::{Hash, Weights, best, mix};

/// The classes with the highest sum of scores. `scores` holds one row of `classes` scores for each place; `moves` one row
/// for each class that stands before, and a last row for the start. A score of minus infinity forbids.
///
/// Scores are whole numbers in use, so their sums are exact and the same on every machine.
pub(crate) fn best_path(classes: usize, scores: &[f32], moves: &[f32]) -> Vec<usize> {
    let count = scores.len() / classes;
    let mut last: Vec<f32> = vec![0.0; classes];
    let mut next = last.clone();
    let mut from: Vec<u8> = Vec::with_capacity(scores.len());
    for (place, here) in scores.chunks_exact(classes).enumerate() {
        for (class, score) in here.iter().enumerate() {
            let (mut best, mut origin) = (f32::NEG_INFINITY, 0);
            if place == 0 {
                best = moves[classes * classes + class];
            } else {
                for (before, sum) in last.iter().enumerate() {
                    let sum = sum + moves[before * classes + class];
                    if sum > best {
                        (best, origin) = (sum, before);
                    }
                }
            }
            next[class] = best + score;
            from.push(origin as u8);
        }
        std::mem::swap(&mut last, &mut next);
    }
    let mut path = vec![0; count];
    let mut class = best(&last);
    for place in (0..count).rev() {
        path[place] = class;
        class = usize::from(from[place * classes + class]);
    }
    path
}

/// The scores of the steps from class to class by trained weights, one row for each class that stands before and a last
/// row for the start; minus infinity for steps that `allowed` forbids.
pub(crate) fn moves(weights: &Weights, classes: usize, allowed: impl Fn(usize, usize) -> bool) -> Vec<f32> {
    let mut row = [0; 256];
    all_moves(classes, |before, class| {
        let scores = weights.score(&[after(before)], &mut row);
        if allowed(before, class) { scores.get(class).map_or(0.0, |score| *score as f32) } else { f32::NEG_INFINITY }
    })
}

/// One value for each step, in the order of [`moves`].
pub(crate) fn all_moves(classes: usize, mut step: impl FnMut(usize, usize) -> f32) -> Vec<f32> {
    let steps = (0..=classes).flat_map(|before| (0..classes).map(move |class| (before, class)));
    steps.map(|(before, class)| step(before, class)).collect()
}

/// The feature of the class that stands before; one past the last class is the start.
pub(crate) fn after(before: usize) -> Hash {
    mix(100, Hash(before as u32), Hash(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_path_is_not_the_best_of_each_place() {
        const NO: f32 = f32::NEG_INFINITY;
        // Class 0 leads at both places, but may not follow itself.
        let moves = [NO, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(best_path(2, &[3.0, 1.0, 2.0, 1.5], &moves), [0, 1]);
        assert_eq!(best_path(2, &[3.0, 1.0, 5.0, 1.5], &moves), [1, 0]);
        assert_eq!(best_path(2, &[], &moves), [0; 0]);
    }
}
