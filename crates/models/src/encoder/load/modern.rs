//! ModernBERT: norms first, gates, rotary positions, and layers that look at their neighbourhood only.

use std::sync::Arc;

use serde_json::Value;

use super::Reader;
use crate::Result;
use crate::encoder::activation::Activation;
use crate::encoder::embeddings::Embeddings;
use crate::encoder::head::{ClassHead, Pooling};
use crate::encoder::layer::Layer;
use crate::encoder::linear::{Linear, Norm};
use crate::encoder::load::layer_names;
use crate::encoder::network::Network;
use crate::encoder::rotary::Rotary;

impl Reader<'_> {
    pub(super) fn modern(&self) -> Result<Network> {
        let config = self.config;
        let (width, heads) = self.width_and_heads()?;
        let size = width / heads;
        if size % 2 != 0 {
            return Err(config.bad(self.family.settings.heads, "heads of an even width"));
        }
        let longest = config.count("max_position_embeddings")?;
        let rotary = |kind: &str, old: &str, usual: f32| -> Result<Arc<Rotary>> {
            Ok(Arc::new(Rotary::new(size, longest, self.theta(kind, old, usual)?)))
        };
        let far = rotary("full_attention", "global_rope_theta", 160_000.0)?;
        let near = rotary("sliding_attention", "local_rope_theta", 10_000.0)?;
        let window = config.count_or("local_attention", 128)? / 2;
        let (order, names) = layer_names(config, self.family)?;
        let inner = config.count(self.family.settings.inner)?;
        let mut layers = Vec::with_capacity(names.len());
        for (number, name) in names.iter().enumerate() {
            let layer = self.modern_layer(name, number, width, inner)?;
            layers.push(match self.looks_far(number)? {
                true => Layer { rotary: Some(Arc::clone(&far)), ..layer },
                false => Layer { rotary: Some(Arc::clone(&near)), window: Some(window), ..layer },
            });
        }
        Ok(Network {
            embeddings: Embeddings {
                word: self.get("embeddings.tok_embeddings.weight", &[config.count("vocab_size")?, width])?,
                width,
                longest,
                norm: self.modern_norm("embeddings.norm", width)?,
                ..Embeddings::default()
            },
            bias: None,
            layers,
            order,
            heads,
            width,
            activation: self.activation()?,
            epsilon: config.number_or("norm_eps", 1e-5)?,
            score_scale: 1.0,
            norm_first: true,
            last_norm: self.modern_norm("final_norm", width)?,
        })
    }

    /// How fast the angles of rotary positions fall, in the spelling of today or of before.
    fn theta(&self, kind: &str, old: &str, usual: f32) -> Result<f32> {
        let Some(parameters) = self.config.get("rope_parameters").and_then(|all| all.get(kind)) else {
            return self.config.number_or(old, usual);
        };
        let plain = parameters.get("rope_type").and_then(Value::as_str).is_none_or(|name| name == "default");
        let theta = parameters.get("rope_theta").and_then(Value::as_f64).filter(|theta| *theta > 1.0 && plain);
        theta.map(|theta| theta as f32).ok_or_else(|| self.config.bad("rope_parameters", "of the type \"default\""))
    }

    /// Whether a layer looks at all rows.
    fn looks_far(&self, layer: usize) -> Result<bool> {
        match self.config.get("layer_types").and_then(|types| types.get(layer)).and_then(Value::as_str) {
            Some("full_attention") => Ok(true),
            Some("sliding_attention") => Ok(false),
            Some(_) => {
                Err(self.config.bad("layer_types", "\"full_attention\" or \"sliding_attention\" for each layer"))
            }
            None => Ok(layer.is_multiple_of(self.config.count_or("global_attn_every_n_layers", 3)?)),
        }
    }

    fn modern_layer(&self, before: &str, number: usize, width: usize, inner: usize) -> Result<Layer> {
        let names = &self.family.layer;
        let linear = |name: &str, outputs, inputs| self.linear_or_unbiased(&format!("{before}{name}"), outputs, inputs);
        let norm = |name: &str| self.modern_norm(&format!("{before}{name}"), width);
        let (query, key_value) = split(linear(names.query, 3 * width, width)?, width, width);
        let (up, gate) = split(linear(names.up, 2 * inner, width)?, inner, width);
        Ok(Layer {
            query,
            key_value,
            attention_output: linear(names.attention_output, width, width)?,
            // The embeddings end with a norm: the first layer has none.
            attention_norm: if number == 0 { Norm::default() } else { norm(names.attention_norm)? },
            up,
            gate,
            down: linear(names.down, width, inner)?,
            output_norm: norm(names.output_norm)?,
            ..Layer::default()
        })
    }

    fn modern_norm(&self, name: &str, width: usize) -> Result<Norm> {
        let shift = format!("{name}.bias");
        Ok(Norm {
            gain: self.get(&format!("{name}.weight"), &[width])?,
            shift: if self.has(&shift) { self.get(&shift, &[width])? } else { vec![0.0; width] },
        })
    }

    pub(super) fn modern_head(&self, width: usize, classes: usize) -> Result<ClassHead> {
        let config = self.config;
        let pooling = match config.get("classifier_pooling").and_then(Value::as_str) {
            Some("mean") => Pooling::Mean,
            Some("cls") | None => Pooling::First,
            Some(_) => return Err(config.bad("classifier_pooling", "\"cls\" or \"mean\"")),
        };
        self.only("classifier_activation", "gelu")?;
        let bias = |name: &str, width: usize| match self.weights.contains(name) {
            true => self.weights.get(name, &[width]),
            false => Ok(vec![0.0; width]),
        };
        let norm =
            Norm { gain: self.weights.get("head.norm.weight", &[width])?, shift: bias("head.norm.bias", width)? };
        Ok(ClassHead {
            pooling,
            dense: Linear {
                weight: self.weights.get("head.dense.weight", &[width, width])?,
                bias: bias("head.dense.bias", width)?,
            },
            activation: Activation::Gelu,
            norm: Some((norm, config.number_or("norm_eps", 1e-5)?)),
            classifier: self.head_linear("classifier", classes, width)?,
        })
    }
}

/// The first `outputs` rows of a map, and the others.
fn split(mut linear: Linear, outputs: usize, inputs: usize) -> (Linear, Linear) {
    let (weight, bias) = (linear.weight.split_off(outputs * inputs), linear.bias.split_off(outputs));
    (linear, Linear { weight, bias })
}
