//! XLNet, as it is used for answers: one stream, scores by distance and by text.

use serde_json::Value;

use super::Reader;
use crate::Result;
use crate::encoder::activation::Activation;
use crate::encoder::distances::Distances;
use crate::encoder::embeddings::Embeddings;
use crate::encoder::head::{ClassHead, Pooling};
use crate::encoder::layer::Layer;
use crate::encoder::linear::{Linear, Norm};
use crate::encoder::load::layer_names;
use crate::encoder::network::Network;
use crate::kernels::dot;

/// XLNet has no longest text; it was trained on this many pieces, and time and memory need an end.
const LONGEST: usize = 512;

impl Reader<'_> {
    pub(super) fn xlnet(&self) -> Result<Network> {
        let config = self.config;
        let (width, heads) = self.width_and_heads()?;
        if config.count_or("d_head", width / heads)? != width / heads {
            return Err(config.bad("d_head", format!("{}, `d_model` over `n_head`", width / heads)));
        }
        self.only("attn_type", "bi")?;
        if config.get("clamp_len").and_then(Value::as_i64).is_some_and(|length| length > 0) {
            return Err(config.bad("clamp_len", "-1: distances as they are"));
        }
        let (order, names) = layer_names(config, self.family)?;
        let inner = config.count(self.family.settings.inner)?;
        let waves = waves(width);
        let layers =
            names.iter().map(|name| self.xlnet_layer(name, width, heads, inner, &waves)).collect::<Result<_>>()?;
        Ok(Network {
            embeddings: Embeddings {
                word: self.get("word_embedding.weight", &[config.count("vocab_size")?, width])?,
                width,
                longest: LONGEST,
                ..Embeddings::default()
            },
            bias: None,
            layers,
            order,
            heads,
            width,
            activation: self.activation()?,
            epsilon: config.number_or("layer_norm_eps", 1e-12)?,
            score_scale: 1.0,
            norm_first: false,
            last_norm: Norm::default(),
        })
    }

    fn xlnet_layer(&self, before: &str, width: usize, heads: usize, inner: usize, waves: &[f32]) -> Result<Layer> {
        let (names, size) = (&self.family.layer, width / heads);
        let get = |name: &str, shape: &[usize]| self.get(&format!("{before}{name}"), shape);
        let turned = |name: &str| get(name, &[width, heads, size]).map(|values| transposed(&values, width));
        let bias = |name: &str| get(&format!("rel_attn.{name}"), &[heads, size]);
        let (for_content, for_distance, for_text) = (bias("r_w_bias")?, bias("r_r_bias")?, bias("r_s_bias")?);

        let mut distances = Distances::new(width, LONGEST, |distance| (distance + LONGEST as isize - 1) as usize);
        let rows = Linear { weight: turned("rel_attn.r")?, bias: vec![0.0; width] };
        distances.for_queries = vec![0.0; waves.len()];
        rows.forward(waves, &mut distances.for_queries);
        distances.texts = get("rel_attn.seg_embed", &[2, heads, size])?;
        // Queries carry the bias for content; what the others are above it multiplies rows that do not change.
        let above = |bias: &[f32], head: usize, row: &[f32]| {
            let here = head * size..(head + 1) * size;
            dot(&bias[here.clone()], &row[here.clone()]) - dot(&for_content[here.clone()], &row[here])
        };
        for head in 0..heads {
            let of_distance = distances.for_queries.chunks_exact(width).map(|row| above(&for_distance, head, row));
            distances.added.extend(of_distance);
            let of_text = distances.texts.chunks_exact(width).map(|row| above(&for_text, head, row));
            distances.texts_added.extend(of_text);
        }

        let mut key_value = Linear { weight: turned(names.key)?, bias: vec![0.0; 2 * width] };
        key_value.weight.extend(turned(names.value)?);
        let linear = |name: &str, outputs, inputs| self.linear(&format!("{before}{name}"), outputs, inputs);
        let norm = |name: &str| self.norm(&format!("{before}{name}"), width);
        Ok(Layer {
            query: Linear { weight: turned(names.query)?, bias: for_content },
            key_value,
            attention_output: Linear {
                weight: get(names.attention_output, &[width, heads, size])?,
                bias: vec![0.0; width],
            },
            attention_norm: norm(names.attention_norm)?,
            up: linear(names.up, inner, width)?,
            down: linear(names.down, width, inner)?,
            output_norm: norm(names.output_norm)?,
            distances: Some(distances),
            ..Layer::default()
        })
    }

    pub(super) fn xlnet_head(&self, width: usize, classes: usize) -> Result<ClassHead> {
        self.only("summary_type", "last")?;
        self.only("summary_activation", "tanh")?;
        if !self.flag("summary_use_proj", true) {
            return Err(self.config.bad("summary_use_proj", "true"));
        }
        let names = &self.family.head;
        Ok(ClassHead {
            pooling: Pooling::Last,
            dense: self.head_linear(names.dense, width, width)?,
            activation: Activation::Tanh,
            norm: None,
            classifier: self.head_linear(names.classifier, classes, width)?,
        })
    }
}

/// A row of sines and cosines for every distance from `1 - LONGEST` to `LONGEST - 1`.
fn waves(width: usize) -> Vec<f32> {
    let half = width.div_ceil(2);
    let frequency = |pair: usize| 1.0 / 10_000_f32.powf(2.0 * pair as f32 / width as f32);
    let frequencies: Vec<f32> = (0..half).map(frequency).collect();
    let farthest = LONGEST as isize - 1;
    let mut waves = Vec::with_capacity((2 * LONGEST - 1) * width);
    for distance in -farthest..=farthest {
        let angles = || frequencies.iter().map(|frequency| f64::from(distance as f32 * frequency));
        waves.extend(angles().map(|angle| angle.sin() as f32));
        waves.extend(angles().map(|angle| angle.cos() as f32).take(width - half));
    }
    waves
}

/// A square of `width` with rows and columns exchanged.
fn transposed(values: &[f32], width: usize) -> Vec<f32> {
    (0..width * width).map(|at| values[at % width * width + at / width]).collect()
}
