//! Writing a model as a Hugging Face directory, which `transformers` reads.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::family::Family;
use super::layer::Layer;
use super::linear::{Linear, Norm};
use super::load;
use super::network::Network;
use super::{Classifier, Encoder, SpanFinder, Tagger};
use crate::weights::{Tensor, write};
use crate::{Error, Result};

impl Classifier {
    /// Writes `config.json`, `model.safetensors` and `tokenizer.json` (with its settings) to a directory.
    pub fn save(&self, directory: &Path) -> Result<()> {
        let names = &load::family(&self.encoder.config)?.head;
        let head = [(names.dense, &self.head.dense), (names.classifier, &self.head.classifier)];
        save(&self.encoder, &head, "ForSequenceClassification", Some(&self.capabilities.labels), directory)
    }
}

impl Tagger {
    /// Writes `config.json`, `model.safetensors` and `tokenizer.json` (with its settings) to a directory.
    pub fn save(&self, directory: &Path) -> Result<()> {
        let head = [("classifier", &self.head.0)];
        save(&self.encoder, &head, "ForTokenClassification", Some(&self.labels), directory)
    }
}

impl SpanFinder {
    /// Writes `config.json`, `model.safetensors` and `tokenizer.json` (with its settings) to a directory.
    pub fn save(&self, directory: &Path) -> Result<()> {
        save(&self.encoder, &[("qa_outputs", &self.head.0)], "ForQuestionAnswering", None, directory)
    }
}

/// Writes an encoder with its head, whose maps have these names.
fn save(
    encoder: &Encoder,
    head: &[(&str, &Linear)],
    architecture: &str,
    labels: Option<&[String]>,
    directory: &Path,
) -> Result<()> {
    encoder.check_trainable()?;
    let config = &encoder.config;
    let family = load::family(config)?;
    let layers = load::layer_names(config, family)?.1;
    let tensors = tensors(family, &layers, &encoder.network, head);
    write(directory, &description(config.object(), architecture, labels), &tensors)?;
    for name in ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"] {
        let (from, to) = (encoder.directory.join(name), directory.join(name));
        if from.is_file() && fs::canonicalize(&from).ok() != fs::canonicalize(&to).ok() {
            fs::copy(&from, &to).map_err(Error::io("copy the tokenizer to", &to))?;
        }
    }
    Ok(())
}

/// The `config.json` of the encoder, with this head and these labels.
fn description(config: &Map<String, Value>, architecture: &str, labels: Option<&[String]>) -> Map<String, Value> {
    let mut config = config.clone();
    let old = config.get("architectures").and_then(|names| names.get(0)).and_then(Value::as_str);
    let stem = old.map(|name| name.split("For").next().unwrap_or(name).trim_end_matches("Model").to_owned());
    if let Some(stem) = stem {
        config.insert("architectures".to_owned(), json!([format!("{stem}{architecture}")]));
    }
    match labels {
        Some(labels) => {
            let labels = labels.iter().enumerate();
            let names: Map<String, Value> = labels.clone().map(|(at, label)| (at.to_string(), json!(label))).collect();
            let numbers: Map<String, Value> = labels.map(|(at, label)| (label.clone(), json!(at))).collect();
            config.insert("id2label".to_owned(), Value::Object(names));
            config.insert("label2id".to_owned(), Value::Object(numbers));
        }
        None => {
            config.remove("id2label");
            config.remove("label2id");
        }
    }
    for key in ["dtype", "torch_dtype"] {
        if config.contains_key(key) {
            config.insert(key.to_owned(), json!("float32"));
        }
    }
    config
}

/// Every tensor under the name that the family gives it. Of a gradient, where the word table and frozen layers are
/// empty, those are left out.
pub(crate) fn tensors<'a>(
    family: &Family,
    layer_names: &[String],
    network: &'a Network,
    head: &[(&str, &'a Linear)],
) -> Vec<Tensor<'a>> {
    let mut list = List { tensors: Vec::new() };
    let before = family.prefix;
    let embeddings = &network.embeddings;
    let width = embeddings.width();
    for (name, table) in
        [("word", &embeddings.word), ("position", &embeddings.positions), ("token_type", &embeddings.types)]
    {
        let rows = table.len().checked_div(width).unwrap_or(0);
        list.add(format!("{before}embeddings.{name}_embeddings.weight"), &[rows, width], table);
    }
    list.norm(&format!("{before}embeddings.LayerNorm"), &embeddings.norm);
    if let (Some(name), Some(projection)) = (family.projection, &embeddings.projection) {
        list.linear(&format!("{before}{name}"), projection);
    }
    if let (Some(name), Some(bias)) = (family.relative_bias, &network.bias) {
        list.add(format!("{before}{name}.weight"), &[bias.table.len() / network.heads, network.heads], &bias.table);
    }
    for (name, layer) in layer_names.iter().zip(&network.layers) {
        list.layer(family, &format!("{before}{name}"), layer);
    }
    for (name, linear) in head {
        list.linear(name, linear);
    }
    list.tensors
}

struct List<'a> {
    tensors: Vec<Tensor<'a>>,
}

impl<'a> List<'a> {
    fn add(&mut self, name: String, shape: &[usize], values: &'a [f32]) {
        if !values.is_empty() {
            self.tensors.push(Tensor { name, shape: shape.to_vec(), values });
        }
    }

    fn linear(&mut self, name: &str, linear: &'a Linear) {
        if !linear.bias.is_empty() {
            self.add(format!("{name}.weight"), &[linear.outputs(), linear.inputs()], &linear.weight);
            self.add(format!("{name}.bias"), &[linear.outputs()], &linear.bias);
        }
    }

    fn norm(&mut self, name: &str, norm: &'a Norm) {
        self.add(format!("{name}.weight"), &[norm.gain.len()], &norm.gain);
        self.add(format!("{name}.bias"), &[norm.shift.len()], &norm.shift);
    }

    fn layer(&mut self, family: &Family, before: &str, layer: &'a Layer) {
        let names = &family.layer;
        self.linear(&format!("{before}{}", names.query), &layer.query);
        let width = layer.query.bias.len();
        let (keys, values) = layer.key_value.weight.split_at(width * width);
        let (key_bias, value_bias) = layer.key_value.bias.split_at(width);
        for (name, weight, bias) in [(names.key, keys, key_bias), (names.value, values, value_bias)] {
            self.add(format!("{before}{name}.weight"), &[width, width], weight);
            self.add(format!("{before}{name}.bias"), &[width], bias);
        }
        self.linear(&format!("{before}{}", names.attention_output), &layer.attention_output);
        self.norm(&format!("{before}{}", names.attention_norm), &layer.attention_norm);
        self.linear(&format!("{before}{}", names.up), &layer.up);
        self.linear(&format!("{before}{}", names.down), &layer.down);
        self.norm(&format!("{before}{}", names.output_norm), &layer.output_norm);
    }
}
