//! The products and scores of the parser's network in floating point, for training.

use crate::parse::network::{ACTION_BIAS, ACTION_ROWS, ACTIONS, HIDDEN, LABEL_BIAS, LABELS, RELATIONS};

/// The scores of shift, left and right.
pub fn actions(weights: &[f32], hidden: &[f32; HIDDEN]) -> [f32; ACTIONS] {
    let score = |action: usize| {
        weights[ACTION_BIAS + action] + dot(&weights[ACTION_ROWS + action * HIDDEN..][..HIDDEN], hidden)
    };
    [score(0), score(1), score(2)]
}

/// The scores of the relations of an arc in a direction (0: left, 1: right).
pub fn labels(weights: &[f32], hidden: &[f32; HIDDEN], direction: usize) -> [f32; RELATIONS] {
    let mut scores = [0.0; RELATIONS];
    scores.copy_from_slice(&weights[LABEL_BIAS[direction]..][..RELATIONS]);
    for (unit, row) in hidden.iter().zip(weights[LABELS[direction]..].chunks_exact(RELATIONS)) {
        if *unit != 0.0 {
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += unit * weight);
        }
    }
    scores
}

/// Adds to each row of `out` the row of `from` at the same place times the matrix, four rows at a time, so that each weight
/// is fetched once for all four. The order of sums is that of the numbers of a row, whatever the machine does at once.
#[inline]
pub fn multiply<const IN: usize, const OUT: usize>(from: &[f32], matrix: &[f32], out: &mut [f32]) {
    const ROWS: usize = 4;
    let whole = from.len() / IN / ROWS * ROWS;
    let (from_whole, from_rest) = from.split_at(whole * IN);
    let (out_whole, out_rest) = out.split_at_mut(whole * OUT);
    for (from, out) in from_whole.chunks_exact(ROWS * IN).zip(out_whole.chunks_exact_mut(ROWS * OUT)) {
        tile::<IN, OUT, ROWS, 2>(from, matrix, out);
    }
    // One row alone: more sums at once, so that no sum waits for the one before.
    for (from, out) in from_rest.chunks_exact(IN).zip(out_rest.chunks_exact_mut(OUT)) {
        tile::<IN, OUT, 1, 4>(from, matrix, out);
    }
}

/// The product for `ROWS` rows, `WIDE` times eight columns at a time.
#[inline]
fn tile<const IN: usize, const OUT: usize, const ROWS: usize, const WIDE: usize>(
    from: &[f32],
    matrix: &[f32],
    out: &mut [f32],
) {
    const { assert!(OUT.is_multiple_of(8 * WIDE)) };
    let from: [&[f32; IN]; ROWS] = std::array::from_fn(|row| from[row * IN..].first_chunk().expect("a row of numbers"));
    for start in (0..OUT).step_by(8 * WIDE) {
        let mut sums = [[[0.0_f32; 8]; WIDE]; ROWS];
        for at in 0..IN {
            let weights: &[[f32; 8]] = matrix[at * OUT + start..][..8 * WIDE].as_chunks().0;
            let weights: &[[f32; 8]; WIDE] = weights.first_chunk().expect("as many as were cut out");
            // Written out: in a loop over the rows the sums stay in memory, one number at a time.
            if let [a, b, c, d] = &mut sums[..] {
                more(from[0][at], weights, a);
                more(from[1][at], weights, b);
                more(from[2][at], weights, c);
                more(from[3][at], weights, d);
            } else {
                sums.iter_mut().zip(from).for_each(|(sums, from)| more(from[at], weights, sums));
            }
        }
        for row in 0..ROWS {
            add(sums[row].as_flattened(), &mut out[row * OUT + start..][..8 * WIDE]);
        }
    }
}

#[inline]
fn more<const WIDE: usize>(x: f32, weights: &[[f32; 8]; WIDE], sums: &mut [[f32; 8]; WIDE]) {
    for part in 0..WIDE {
        for lane in 0..8 {
            sums[part][lane] += x * weights[part][lane];
        }
    }
}

#[inline]
pub fn add(from: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// The sum of products, in eight sums that are added at the end.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    let rest = a.len() / LANES * LANES;
    let rest: f32 = a[rest..].iter().zip(&b[rest..]).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}
