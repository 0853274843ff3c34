//! Convolution over words, then the maximum over time, then relu.

use crate::kernels::dispatch::dispatched;
use crate::kernels::{Accumulate, View, ViewMut, axpy, matmul};

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

/// What [`Convolution::backward`] needs: the windows where filters that fired were highest.
#[derive(Debug, Clone)]
pub(crate) struct Peaks(Vec<Peak>);

/// Windows that are equally high (a phrase that comes twice) share the gradient equally: no place in the text is
/// preferred, and the gradient is the mean of the one-sided ones.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Peak {
    filter: u32,
    window: u32,
    share: f32,
}

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
        matmul(ViewMut::new(windows, count, filters), Accumulate::Overwrite, seen, weight, 1.0);
        let (mut at, mut equals) = (vec![0; filters], vec![0; filters]);
        highest(windows, out, &mut at, &mut equals);
        let mut peaks = Vec::with_capacity(filters);
        for (filter, bias) in self.bias.iter().enumerate() {
            let peak = out[filter];
            out[filter] = (peak + bias).max(0.0);
            if out[filter] > 0.0 {
                let (share, filter) = (1.0 / equals[filter] as f32, filter as u32);
                let is_peak = |window: &u32| windows[*window as usize * filters + filter as usize] == peak;
                let found = (at[filter as usize]..count as u32).filter(is_peak).take(equals[filter as usize] as usize);
                peaks.extend(found.map(|window| Peak { filter, window, share }));
            }
        }
        Peaks(peaks)
    }

    /// Adds the gradient of the rows, from one number for each filter.
    pub(crate) fn backward(&self, peaks: &Peaks, gradient: &[f32], inputs: &mut [f32]) {
        let reach = self.span * self.width;
        for (filter, at, gradient) in peaks.with(gradient) {
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
        for (filter, at, gradient) in peaks.with(gradient) {
            axpy(gradient, &x[at * self.width..][..reach], &mut weight[filter * reach..][..reach]);
            bias[filter] += gradient;
        }
    }
}

impl Peaks {
    /// (filter, window, gradient) of the filters that fired.
    fn with<'a>(&'a self, gradient: &'a [f32]) -> impl Iterator<Item = (usize, usize, f32)> + 'a {
        let one = |peak: &Peak| {
            let (filter, window) = (peak.filter as usize, peak.window as usize);
            (filter, window, peak.share * gradient[filter])
        };
        self.0.iter().map(one)
    }
}

dispatched! {
    /// The highest number of every column, the first row that has it, and how many have.
    fn highest(rows: &[f32], out: &mut [f32], at: &mut [u32], equals: &mut [u32]) {
        let columns = out.len();
        let (at, equals) = (&mut at[..columns], &mut equals[..columns]);
        out.fill(f32::NEG_INFINITY);
        for numbers in rows.chunks_exact(columns) {
            for (out, number) in out.iter_mut().zip(numbers) {
                *out = out.max(*number);
            }
        }
        at.fill(0);
        equals.fill(0);
        for numbers in rows.chunks_exact(columns) {
            for (((number, out), at), equals) in numbers.iter().zip(&*out).zip(at.iter_mut()).zip(equals.iter_mut()) {
                *equals += u32::from(number == out);
                // Counts the rows before the first that is equal; a condition here would keep it from vector code.
                *at += 1 - (*equals).min(1);
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
    fn equal_windows_share_the_gradient() {
        let layer = Convolution { span: 1, width: 1, weight: vec![2.0], bias: vec![-1.0] };
        let mut out = [0.0];
        let x = [1.0, 3.0, 2.0, 3.0];
        let peaks = layer.forward(&x, &mut Vec::new(), &mut out);
        assert_eq!(out, [5.0]);
        let mut inputs = [0.0; 4];
        layer.backward(&peaks, &[10.0], &mut inputs);
        assert_eq!(inputs, [0.0, 10.0, 0.0, 10.0]);
        let (mut weight, mut bias) = ([0.0], [0.0]);
        layer.backward_weights(&x, &peaks, &[10.0], &mut weight, &mut bias);
        assert_eq!((weight, bias), ([30.0], [10.0]));
    }
}
