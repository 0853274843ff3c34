//! The layers of the small models. Each `forward` keeps what `backward` needs; `backward` gives the gradient of the
//! inputs and, when training, adds that of the weights. There is no general differentiation: a model composes layers.
//!
//! Every layer is checked against central differences of its formula in float64 (see `check`).

#[cfg(test)]
mod check;
mod convolution;
mod linear;
mod lstm;
mod lstm_cell;
mod mean;

pub(crate) use convolution::{Convolution, Peaks};
pub(crate) use linear::Linear;
pub(crate) use lstm::{Lstm, Moving, Passage};
pub(crate) use mean::{mean_rows, mean_rows_backward};
