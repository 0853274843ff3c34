//! The arithmetic under every layer: matrix products, loops over numbers, and the functions networks are made of.
//!
//! Matrix products go to `gemm`; everything else is written here as plain loops, compiled once for each kind of
//! processor and chosen when the program runs (see [`dispatch`]). The plain loops add up in the same order with the same
//! fused operations on every processor, so they give the same bits everywhere. Nothing in here starts a thread: the
//! models split their batch over threads, and one thread runs these.

pub(crate) mod dispatch;
mod matmul;
mod norm;
mod optimize;
mod panel;
mod softmax;
mod special;
mod vector;

pub use matmul::{Accumulate, View, ViewMut, matmul};
pub use norm::{layer_norm, layer_norm_backward, layer_norm_backward_weights};
pub use optimize::{Adam, AdamStep, adam, sgd};
pub use panel::Packed;
pub use softmax::{log_softmax, softmax, softmax_backward};
pub use special::{bias_gelu, bias_gelu_tanh, bias_relu, bias_tanh, exp, sigmoid, tanh};
pub use vector::{
    add, add_to_rows, axpy, dot, fill_rows, multiply, raise_by_sum, row_by_matrix, scale, sum, sum_rows, sum_squares,
};
