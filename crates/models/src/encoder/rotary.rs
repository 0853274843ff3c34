//! Rotary positions (Su et al. 2021): pairs of numbers of queries and keys are turned by an angle that grows with the row,
//! so that their product depends on the distance alone.

/// The cosines and sines of every row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rotary {
    /// Half the width of a head: how many pairs it has.
    half: usize,
    /// For each row, `half` cosines and then `half` sines.
    turns: Vec<f32>,
}

impl Rotary {
    /// For heads of `size` numbers; the angles of the pairs fall from 1 to nearly 1 / `theta` a row.
    pub fn new(size: usize, longest: usize, theta: f32) -> Self {
        let half = size / 2;
        let frequency = |pair: usize| 1.0 / theta.powf(2.0 * pair as f32 / size as f32);
        let frequencies: Vec<f32> = (0..half).map(frequency).collect();
        let mut turns = Vec::with_capacity(longest * size);
        for row in 0..longest {
            let angles = || frequencies.iter().map(|frequency| f64::from(row as f32 * frequency));
            turns.extend(angles().map(|angle| angle.cos() as f32));
            turns.extend(angles().map(|angle| angle.sin() as f32));
        }
        Self { half, turns }
    }

    /// Turns every head in the first `width` numbers of the rows of one text, which are `stride` numbers apart; `back`
    /// turns them the other way, which is what gradients need.
    pub fn turn(&self, rows: &mut [f32], width: usize, stride: usize, back: bool) {
        let (half, sign) = (self.half, if back { -1.0 } else { 1.0 });
        for (row, turns) in rows.chunks_mut(stride).zip(self.turns.chunks_exact(2 * half)) {
            let (cosines, sines) = turns.split_at(half);
            for head in row[..width].chunks_exact_mut(2 * half) {
                let (first, second) = head.split_at_mut(half);
                for (((x, y), cosine), sine) in first.iter_mut().zip(second).zip(cosines).zip(sines) {
                    let sine = sign * sine;
                    (*x, *y) = (*x * cosine - *y * sine, *y * cosine + *x * sine);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_depend_on_the_distance_and_back_undoes() {
        let rotary = Rotary::new(4, 8, 100.0);
        let row = [0.3, -1.0, 2.0, 0.5];
        let mut rows: Vec<f32> = row.repeat(8);
        rotary.turn(&mut rows, 4, 4, false);
        let product = |a: usize, b: usize| (0..4).map(|at| rows[4 * a + at] * rows[4 * b + at]).sum::<f32>();
        assert!((product(0, 3) - product(4, 7)).abs() < 1e-5 && (product(0, 3) - product(0, 4)).abs() > 1e-3);
        assert_eq!(rows[..4], row);
        // Row 1, first pair: an angle of 1.
        assert!((rows[4] - (0.3 * 1.0_f32.cos() - 2.0 * 1.0_f32.sin())).abs() < 1e-6);
        rotary.turn(&mut rows, 4, 4, true);
        assert!(rows.iter().zip(row.repeat(8)).all(|(found, row)| (found - row).abs() < 1e-6));
    }
}
