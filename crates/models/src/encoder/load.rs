//! Reads an encoder and its head from a Hugging Face directory.

mod deberta;
mod modern;
mod xlnet;

use serde_json::Value;

use super::activation::Activation;
use super::embeddings::Embeddings;
use super::family::{Family, FirstPosition, Kind};
use super::head::{ClassHead, MaskedHead, Pooling};
use super::layer::Layer;
use super::linear::{Linear, Norm};
use super::network::Network;
use super::relative::{BUCKETS, RelativeBias};
use crate::weights::{Config, Weights};
use crate::{Error, Result};

/// A directory that is being read.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub config: &'a Config,
    pub weights: &'a Weights,
    pub family: &'static Family,
    /// What stands before the names of the encoder's tensors in this file: the family's prefix, or nothing.
    prefix: &'static str,
}

/// The family that a `config.json` describes.
pub(crate) fn family(config: &Config) -> Result<&'static Family> {
    let found = match config.get("model_type") {
        Some(Value::String(name)) => name.as_str(),
        _ => return Err(config.bad("model_type", format!("one of {}", Family::known()))),
    };
    let unknown = || Error::UnknownArchitecture {
        path: config.path().to_owned(),
        found: format!("the model type `{found}`"),
        known: Family::known(),
    };
    Family::of(found).ok_or_else(unknown)
}

/// The order in which layers are applied, and the start of the names of each.
pub(crate) fn layer_names(config: &Config, family: &Family) -> Result<(Vec<usize>, Vec<String>)> {
    let layers = config.count(family.settings.layers)?;
    if layers > 1024 {
        return Err(config.bad(family.settings.layers, "at most 1024"));
    }
    let pattern = family.layer.before;
    if !pattern.contains("{group}") {
        let name = |layer: usize| pattern.replace("{layer}", &layer.to_string());
        return Ok(((0..layers).collect(), (0..layers).map(name).collect()));
    }
    let groups = config.count_or("num_hidden_groups", 1)?;
    let inner = config.count_or("inner_group_num", 1)?;
    if groups > layers || inner > 1024 {
        return Err(config.bad("num_hidden_groups", format!("at most the number of layers, {layers}")));
    }
    let in_group = |layer: usize| {
        let group = layer * groups / layers;
        group * inner..(group + 1) * inner
    };
    let name =
        |at: usize| pattern.replace("{group}", &(at / inner).to_string()).replace("{inner}", &(at % inner).to_string());
    Ok(((0..layers).flat_map(in_group).collect(), (0..groups * inner).map(name).collect()))
}

impl<'a> Reader<'a> {
    pub fn new(config: &'a Config, weights: &'a Weights) -> Result<Self> {
        let family = family(config)?;
        let word = format!("{}.weight", family.word);
        let prefix = if weights.contains(&format!("{}{word}", family.prefix)) || !weights.contains(&word) {
            family.prefix
        } else {
            ""
        };
        Ok(Self { config, weights, family, prefix })
    }

    /// Refuses a directory whose `config.json` says that its head is another: `task` is the end of the class name.
    pub fn require(&self, task: &str) -> Result<()> {
        let names = self.config.get("architectures").and_then(|names| names.get(0)).and_then(Value::as_str);
        match names.filter(|name| !name.ends_with(task)) {
            None => Ok(()),
            Some(name) => Err(Error::UnknownArchitecture {
                path: self.config.path().to_owned(),
                found: format!("a {name}"),
                known: format!("only models {task} here"),
            }),
        }
    }

    pub fn network(&self) -> Result<Network> {
        match self.family.kind {
            Kind::Bert => self.bert(),
            Kind::Deberta => self.deberta(),
            Kind::Modern => self.modern(),
            Kind::Xlnet => self.xlnet(),
        }
    }

    /// The width of hidden rows, and the number of heads.
    fn width_and_heads(&self) -> Result<(usize, usize)> {
        let (config, names) = (self.config, &self.family.settings);
        let (width, heads) = (config.count(names.width)?, config.count(names.heads)?);
        if width % heads != 0 {
            return Err(config.bad(names.heads, format!("a divisor of `{}`, which is {width}", names.width)));
        }
        Ok((width, heads))
    }

    fn bert(&self) -> Result<Network> {
        let (config, names) = (self.config, &self.family.settings);
        if let Some(kind) = config.get("position_embedding_type").filter(|kind| *kind != "absolute") {
            return Err(config.bad("position_embedding_type", format!("\"absolute\", not {kind}")));
        }
        let (width, heads) = self.width_and_heads()?;
        let embeddings = self.embeddings(width)?;
        let (order, layer_names) = layer_names(config, self.family)?;
        let inner = config.count(names.inner)?;
        let layers = layer_names.iter().map(|name| self.layer(name, width, inner)).collect::<Result<_>>()?;
        let bias = self.family.relative_bias.map(|name| {
            let key = "relative_attention_num_buckets";
            if config.count_or(key, BUCKETS)? != BUCKETS {
                return Err(config.bad(key, BUCKETS.to_string()));
            }
            self.get(&format!("{name}.weight"), &[BUCKETS, heads]).map(RelativeBias::new)
        });
        Ok(Network {
            embeddings,
            bias: bias.transpose()?,
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

    fn embeddings(&self, hidden: usize) -> Result<Embeddings> {
        let (config, family) = (self.config, self.family);
        let width = if family.projection.is_some() { config.count_or("embedding_size", hidden)? } else { hidden };
        let table = |name: &str, rows| self.get(&format!("embeddings.{name}.weight"), &[rows, width]);
        let positions = config.count("max_position_embeddings")?;
        let first_position = match family.first_position {
            FirstPosition::Zero => 0,
            FirstPosition::Two => 2,
            FirstPosition::AfterPadding => {
                let padding = config.get("pad_token_id").map_or(Some(1), Value::as_u64);
                padding.ok_or_else(|| config.bad("pad_token_id", "a whole number"))? as usize + 1
            }
        };
        if first_position >= positions {
            let least = format!("more than the {first_position} rows that are kept for padding");
            return Err(config.bad("max_position_embeddings", least));
        }
        // ALBERT has its projection whatever the widths; ELECTRA only where they differ.
        let projection = family.projection.filter(|name| width != hidden || self.has(&format!("{name}.weight")));
        Ok(Embeddings {
            word: table("word_embeddings", config.count("vocab_size")?)?,
            width,
            longest: positions - first_position,
            positions: table("position_embeddings", positions)?,
            first_position,
            types: if family.types {
                table("token_type_embeddings", config.count_or("type_vocab_size", 2)?)?
            } else {
                Vec::new()
            },
            norm: self.norm("embeddings.LayerNorm", width)?,
            projection: projection.map(|name| self.linear(name, hidden, width)).transpose()?,
        })
    }

    fn layer(&self, before: &str, width: usize, inner: usize) -> Result<Layer> {
        let names = &self.family.layer;
        let linear = |name: &str, outputs, inputs| self.linear(&format!("{before}{name}"), outputs, inputs);
        let mut key_value = linear(names.key, width, width)?;
        let value = linear(names.value, width, width)?;
        key_value.weight.extend(value.weight);
        key_value.bias.extend(value.bias);
        Ok(Layer {
            query: linear(names.query, width, width)?,
            key_value,
            attention_output: linear(names.attention_output, width, width)?,
            attention_norm: self.norm(&format!("{before}{}", names.attention_norm), width)?,
            up: linear(names.up, inner, width)?,
            down: linear(names.down, width, inner)?,
            output_norm: self.norm(&format!("{before}{}", names.output_norm), width)?,
            ..Layer::default()
        })
    }

    /// The head for classification of whole texts.
    pub fn class_head(&self, width: usize) -> Result<ClassHead> {
        let names = &self.family.head;
        let classes = self.classes(names.classifier)?;
        match self.family.kind {
            Kind::Bert => {}
            Kind::Deberta => return self.deberta_head(width, classes),
            Kind::Modern => return self.modern_head(width, classes),
            Kind::Xlnet => return self.xlnet_head(width, classes),
        }
        Ok(ClassHead {
            pooling: Pooling::First,
            norm: None,
            dense: self.head_linear(names.dense, width, width)?,
            activation: names.activation,
            classifier: self.head_linear(names.classifier, classes, width)?,
        })
    }

    /// The number of rows of a classifier, from the file itself.
    pub fn classes(&self, classifier: &str) -> Result<usize> {
        let name = format!("{classifier}.weight");
        match self.weights.shape(&name) {
            Some(shape) => Ok(shape.first().copied().unwrap_or(0)),
            // Let the ordinary check name the missing tensor.
            None => self.weights.get(&name, &[]).map(|_| 0),
        }
    }

    /// The head that guesses masked words.
    pub fn masked_head(&self, width: usize, embedding: usize, words: usize) -> Result<MaskedHead> {
        let Some(names) = &self.family.masked else {
            return Err(Error::UnknownArchitecture {
                path: self.config.path().to_owned(),
                found: format!("a head for masked words of {}", self.family.model_types.join(" or ")),
                known: "such heads of the BERT family".to_owned(),
            });
        };
        let named = |name: &str, part: &str| format!("{name}.{part}");
        Ok(MaskedHead {
            dense: self.head_linear(names.dense, embedding, width)?,
            activation: self.activation()?,
            norm: Norm {
                gain: self.weights.get(&named(names.norm, "weight"), &[embedding])?,
                shift: self.weights.get(&named(names.norm, "bias"), &[embedding])?,
            },
            bias: self.weights.get(names.bias, &[words])?,
        })
    }

    /// An affine map of a head, by its full name.
    pub fn head_linear(&self, name: &str, outputs: usize, inputs: usize) -> Result<Linear> {
        // The pooler belongs to the encoder, and loses its prefix where the encoder stands alone.
        match name.strip_prefix(self.family.prefix) {
            Some(name) => self.linear(name, outputs, inputs),
            None => Ok(Linear {
                weight: self.weights.get(&format!("{name}.weight"), &[outputs, inputs])?,
                bias: self.weights.get(&format!("{name}.bias"), &[outputs])?,
            }),
        }
    }

    fn activation(&self) -> Result<Activation> {
        let key = self.family.settings.activation;
        let Some(value) = self.config.get(key) else { return Ok(self.family.activation) };
        let known = value.as_str().and_then(Activation::from_name);
        known.ok_or_else(|| self.config.bad(key, "one of gelu, gelu_new, relu, tanh"))
    }

    fn linear(&self, name: &str, outputs: usize, inputs: usize) -> Result<Linear> {
        Ok(Linear {
            weight: self.get(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: self.get(&format!("{name}.bias"), &[outputs])?,
        })
    }

    /// An affine map that may have no bias, which is then zero.
    fn linear_or_unbiased(&self, name: &str, outputs: usize, inputs: usize) -> Result<Linear> {
        let bias = format!("{name}.bias");
        Ok(Linear {
            weight: self.get(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: if self.has(&bias) { self.get(&bias, &[outputs])? } else { vec![0.0; outputs] },
        })
    }

    /// The setting of that name, if it says so; else what is usual.
    fn flag(&self, key: &str, usual: bool) -> bool {
        self.config.get(key).and_then(Value::as_bool).unwrap_or(usual)
    }

    /// Refuses a setting that is there and has another value.
    fn only(&self, key: &str, value: &str) -> Result<()> {
        match self.config.get(key) {
            Some(found) if found.as_str() != Some(value) => Err(self.config.bad(key, format!("{value:?}"))),
            _ => Ok(()),
        }
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm> {
        // Checkpoints converted from TensorFlow before 2020 say gamma and beta.
        let old = self.has(&format!("{name}.gamma"));
        let [gain, shift] = if old { ["gamma", "beta"] } else { ["weight", "bias"] };
        Ok(Norm {
            gain: self.get(&format!("{name}.{gain}"), &[width])?,
            shift: self.get(&format!("{name}.{shift}"), &[width])?,
        })
    }

    fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        self.weights.get(&format!("{}{name}", self.prefix), shape)
    }

    /// Whether the encoder has a tensor of that name.
    pub fn has(&self, name: &str) -> bool {
        self.weights.contains(&format!("{}{name}", self.prefix))
    }
}
