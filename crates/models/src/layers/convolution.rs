//! Convolution over words, then the maximum over time, then relu.

use crate::kernels::dispatch::dispatched;
use crate::kernels::{Into, View, ViewMut, axpy, matmul};

/// Filters that each look at `span` neighbouring rows.
#[derive(Debug, Clone)]
pub(crate) struct Convolution {
    pub(crate) span: usize,
    /// The width of a row.
    pub(crate) width: usize,
    /// One row of `span * width` numbers for each filter, in the order of the words they look at.
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// What [`Convolution::backward`] needs: for each filter the window where it was highest, if it fired there at all.
#[derive(Debug, Clone)]
pub(crate) struct Peaks(Vec<Option<u32>>);

impl Convolution {
    pub(crate) fn filters(&self) -> usize {
        self.bias.len()
    }

    /// Writes one number for each filter. `x` must have at least `span` rows. `windows` is room to work in.
    pub(crate) fn forward(&self, x: &[f32], windows: &mut Vec<f32>, out: &mut [f32]) -> Peaks {
        let (filters, reach) = (self.filters(), self.span * self.width);
        let count = x.len() / self.width + 1 - self.span;
        windows.resize(count * filters, 0.0);
        // A window is `span` rows that lie side by side in memory, and the next begins one row later: the windows of a
        // text are a matrix with overlapping rows, and need no copy.
        let seen = View::strided(x, count, reach, self.width);
        let weight = View::new(&self.weight, filters, reach).transposed();
        matmul(ViewMut::new(windows, count, filters), Into::Replace, seen, weight, 1.0);
        let mut at = vec![0; filters];
        highest(windows, out, &mut at);
        let peaks = at.into_iter().zip(out).zip(&self.bias).map(|((at, out), bias)| {
            *out += bias;
            let fired = *out > 0.0;
            *out = out.max(0.0);
            fired.then_some(at)
        });
        Peaks(peaks.collect())
    }

    /// Adds the gradient of the rows, from one number for each filter.
    pub(crate) fn backward(&self, peaks: &Peaks, gradient: &[f32], inputs: &mut [f32]) {
        let reach = self.span * self.width;
        for (filter, at, gradient) in peaks.fired(gradient) {
            axpy(gradient, &self.weight[filter * reach..][..reach], &mut inputs[at * self.width..][..reach]);
        }
    }

    /// Adds the gradients of the weight and of the bias.
    pub(crate) fn backward_weights(
        &self,
        x: &[f32],
        peaks: &Peaks,
        gradient: &[f32],
        weight: &mut [f32],
        bias: &mut [f32],
    ) {
        let reach = self.span * self.width;
        for (filter, at, gradient) in peaks.fired(gradient) {
            axpy(gradient, &x[at * self.width..][..reach], &mut weight[filter * reach..][..reach]);
            bias[filter] += gradient;
        }
    }
}

impl Peaks {
    /// (filter, window, gradient) of the filters that fired.
    fn fired<'a>(&'a self, gradient: &'a [f32]) -> impl Iterator<Item = (usize, usize, f32)> + 'a {
        let all = self.0.iter().zip(gradient).enumerate();
        all.filter_map(|(filter, (at, gradient))| at.map(|at| (filter, at as usize, *gradient)))
    }
}

dispatched! {
    /// The highest number of every column, and the first row that has it.
    fn highest(rows: &[f32], out: &mut [f32], at: &mut [u32]) {
        out.fill(f32::NEG_INFINITY);
        let columns = out.len();
        for (row, numbers) in rows.chunks_exact(columns).enumerate() {
            for ((number, out), at) in numbers.iter().zip(out.iter_mut()).zip(at.iter_mut()) {
                let higher = *number > *out;
                *out = if higher { *number } else { *out };
                *at = if higher { row as u32 } else { *at };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_gradient, numbers, wide};
    use super::*;

    const SPAN: usize = 3;
    const WIDTH: usize = 5;
    const FILTERS: usize = 19;
    const ROWS: usize = 11;

    fn formula(weight: &[f64], bias: &[f64], x: &[f64]) -> Vec<f64> {
        let reach = SPAN * WIDTH;
        let window = |f: usize, t: usize| (0..reach).map(|j| weight[f * reach + j] * x[t * WIDTH + j]).sum::<f64>();
        let highest = |f: usize| (0..=ROWS - SPAN).map(|t| window(f, t)).fold(f64::NEG_INFINITY, f64::max);
        (0..FILTERS).map(|f| (highest(f) + bias[f]).max(0.0)).collect()
    }

    #[test]
    fn gradients() {
        let (weight, x) = (numbers(FILTERS * SPAN * WIDTH, 1), numbers(ROWS * WIDTH, 2));
        let bias: Vec<f32> = numbers(FILTERS, 3).iter().map(|b| b * 4.0 - 2.0).collect();
        let cotangent = numbers(FILTERS, 4);
        let layer = Convolution { span: SPAN, width: WIDTH, weight: weight.clone(), bias: bias.clone() };
        let mut out = vec![0.0; FILTERS];
        let peaks = layer.forward(&x, &mut Vec::new(), &mut out);
        let exact = formula(&wide(&weight), &wide(&bias), &wide(&x));
        assert!(exact.contains(&0.0) && exact.iter().any(|y| *y > 0.0), "the case has filters on both sides of relu");
        for (found, exact) in out.iter().zip(&exact) {
            assert!((f64::from(*found) - exact).abs() < 1e-5);
        }

        let mut x_gradient = vec![0.0; x.len()];
        layer.backward(&peaks, &cotangent, &mut x_gradient);
        let (mut weight_gradient, mut bias_gradient) = (vec![0.0; weight.len()], vec![0.0; FILTERS]);
        layer.backward_weights(&x, &peaks, &cotangent, &mut weight_gradient, &mut bias_gradient);
        let value = |weight: &[f64], bias: &[f64], x: &[f64]| -> f64 {
            formula(weight, bias, x).iter().zip(&cotangent).map(|(y, w)| y * f64::from(*w)).sum()
        };
        assert_gradient("x", &x_gradient, &x, |x| value(&wide(&weight), &wide(&bias), x));
        assert_gradient("weight", &weight_gradient, &weight, |weight| value(weight, &wide(&bias), &wide(&x)));
        assert_gradient("bias", &bias_gradient, &bias, |bias| value(&wide(&weight), bias, &wide(&x)));
    }

    #[test]
    fn the_first_of_equal_windows_is_the_peak() {
        let layer = Convolution { span: 1, width: 1, weight: vec![1.0], bias: vec![0.0] };
        let mut out = [0.0];
        let peaks = layer.forward(&[1.0, 3.0, 3.0], &mut Vec::new(), &mut out);
        assert_eq!((out, &peaks.0[..]), ([3.0], &[Some(1)][..]));
    }
}
