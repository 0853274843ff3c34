//! DeBERTa-v2 and v3: BERT's layers, with scores by distance.

use serde_json::Value;

use super::Reader;
use crate::Result;
use crate::encoder::activation::Activation;
use crate::encoder::distances::{Distances, log_bucket};
use crate::encoder::embeddings::Embeddings;
use crate::encoder::head::{ClassHead, Pooling};
use crate::encoder::layer::Layer;
use crate::encoder::linear::{Linear, Norm, Normalised};
use crate::encoder::load::layer_names;
use crate::encoder::network::Network;

/// What distances are to a network.
struct Shape {
    /// Whether queries, and whether keys, are multiplied with rows for distances.
    queries: bool,
    keys: bool,
    /// 0 if every distance has its own row.
    buckets: usize,
    farthest: usize,
    longest: usize,
}

impl Shape {
    /// How many rows there are to either side.
    fn span(&self) -> usize {
        if self.buckets > 0 { self.buckets } else { self.farthest }
    }

    fn class(&self, distance: isize) -> usize {
        let distance = if self.buckets > 0 { log_bucket(distance, self.buckets, self.farthest) } else { distance };
        (distance + self.span() as isize).clamp(0, 2 * self.span() as isize - 1) as usize
    }
}

impl Reader<'_> {
    pub(super) fn deberta(&self) -> Result<Network> {
        let config = self.config;
        let (width, heads) = self.width_and_heads()?;
        if config.count_or("embedding_size", width)? != width {
            return Err(config.bad("embedding_size", format!("{width}, as `hidden_size`")));
        }
        if config.get("conv_kernel_size").and_then(Value::as_u64).is_some_and(|size| size > 0) {
            return Err(config.bad("conv_kernel_size", "absent or 0: a convolution in the encoder is not read"));
        }
        if !self.flag("relative_attention", false) {
            return Err(config.bad("relative_attention", "true"));
        }
        let shape = self.distances_of()?;
        let epsilon = config.number_or("layer_norm_eps", 1e-7)?;
        let rows = self.get("encoder.rel_embeddings.weight", &[2 * shape.span(), width])?;
        let rows = match config.get("norm_rel_ebd").and_then(Value::as_str) {
            Some(how) if how.contains("layer_norm") => {
                let mut kept = Normalised { rows, ..Normalised::default() };
                let mut out = vec![0.0; kept.rows.len()];
                self.norm("encoder.LayerNorm", width)?.forward(&mut kept, epsilon, &mut out);
                out
            }
            _ => rows,
        };
        let (order, names) = layer_names(config, self.family)?;
        let inner = config.count(self.family.settings.inner)?;
        let layer = |name: &String| {
            let layer = self.layer(name, width, inner)?;
            let distances = self.layer_distances(name, &layer, &shape, &rows, width)?;
            Ok(Layer { distances: Some(distances), ..layer })
        };
        let factor = 1 + usize::from(shape.queries) + usize::from(shape.keys);
        Ok(Network {
            embeddings: self.deberta_embeddings(width, shape.longest)?,
            bias: None,
            layers: names.iter().map(layer).collect::<Result<_>>()?,
            order,
            heads,
            width,
            activation: self.activation()?,
            epsilon,
            score_scale: 1.0 / (factor as f32).sqrt(),
            norm_first: false,
            last_norm: Norm::default(),
        })
    }

    fn distances_of(&self) -> Result<Shape> {
        let config = self.config;
        let kinds = match config.get("pos_att_type") {
            None => String::new(),
            Some(Value::String(kinds)) => kinds.clone(),
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
            Some(_) => return Err(config.bad("pos_att_type", "a list of \"c2p\" and \"p2c\"")),
        };
        let longest = config.count("max_position_embeddings")?;
        // -1 stands for none.
        let given = |key: &str| config.get(key).and_then(Value::as_u64).filter(|count| *count < 1 << 16);
        let farthest = given("max_relative_positions").map_or(longest, |count| count as usize).max(1);
        Ok(Shape {
            queries: kinds.contains("c2p"),
            keys: kinds.contains("p2c"),
            buckets: given("position_buckets").unwrap_or(0) as usize,
            farthest,
            longest,
        })
    }

    /// The rows for distances of one layer. They do not depend on the text, so they are worked out once.
    fn layer_distances(
        &self,
        name: &str,
        layer: &Layer,
        shape: &Shape,
        rows: &[f32],
        width: usize,
    ) -> Result<Distances> {
        let shared = self.flag("share_att_key", false);
        let own = |part: &str| self.linear(&format!("{name}attention.self.{part}"), width, width);
        let through = |linear: &Linear| {
            let mut out = vec![0.0; rows.len()];
            linear.forward(rows, &mut out);
            out
        };
        let mut distances = Distances::new(width, shape.longest, |distance| shape.class(distance));
        if shape.queries {
            let key = Linear {
                weight: layer.key_value.weight[..width * width].to_vec(),
                bias: layer.key_value.bias[..width].to_vec(),
            };
            distances.for_queries = through(&if shared { key } else { own("pos_key_proj")? });
        }
        if shape.keys {
            distances.for_keys = if shared { through(&layer.query) } else { through(&own("pos_query_proj")?) };
        }
        Ok(distances)
    }

    fn deberta_embeddings(&self, width: usize, longest: usize) -> Result<Embeddings> {
        let config = self.config;
        let table = |name: &str, rows| self.get(&format!("embeddings.{name}.weight"), &[rows, width]);
        let types = config.get("type_vocab_size").and_then(Value::as_u64).unwrap_or(0);
        let positions = self.flag("position_biased_input", true);
        Ok(Embeddings {
            word: table("word_embeddings", config.count("vocab_size")?)?,
            width,
            longest,
            positions: if positions { table("position_embeddings", longest)? } else { Vec::new() },
            first_position: 0,
            types: if types > 0 { table("token_type_embeddings", types as usize)? } else { Vec::new() },
            norm: self.norm("embeddings.LayerNorm", width)?,
            projection: None,
        })
    }

    pub(super) fn deberta_head(&self, width: usize, classes: usize) -> Result<ClassHead> {
        self.only("pooler_hidden_act", "gelu")?;
        Ok(ClassHead {
            pooling: Pooling::First,
            dense: self.head_linear("pooler.dense", width, width)?,
            activation: Activation::Gelu,
            norm: None,
            classifier: self.head_linear("classifier", classes, width)?,
        })
    }
}
