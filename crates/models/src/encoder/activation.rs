//! The activations that encoders use.

use crate::kernels::{bias_gelu, bias_gelu_tanh, bias_relu, bias_tanh};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    Gelu,
    /// Gelu by its tanh approximation.
    GeluTanh,
    Relu,
    Tanh,
}

impl Activation {
    /// The activation of that name in `config.json`.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "gelu" | "gelu_python" => Self::Gelu,
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" | "gelu_accurate" | "gelu_python_tanh" => Self::GeluTanh,
            "relu" => Self::Relu,
            "tanh" => Self::Tanh,
            _ => return None,
        })
    }

    /// `y = f(x + bias)` for every row, and the slope `f'(x + bias)` in place of `x`.
    pub fn apply(self, x: &mut [f32], bias: &[f32], y: &mut [f32]) {
        match self {
            Self::Gelu => bias_gelu(x, bias, y),
            Self::GeluTanh => bias_gelu_tanh(x, bias, y),
            Self::Relu => bias_relu(x, bias, y),
            Self::Tanh => bias_tanh(x, bias, y),
        }
    }
}
