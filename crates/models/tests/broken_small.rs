//! A small model's directory that is not what it claims gets an error that names what is wrong.

use std::fs;
use std::path::Path;

use fissure_models::open;
use fissure_models::train::{Architecture, Example, TrainOptions, train};
use fissure_models::weights::{Tensor, Weights, write};
use serde_json::{Map, Value, json};

/// Trains a tiny model, breaks its directory, and gives the error of opening it.
fn broken(architecture: Architecture, harm: impl FnOnce(&Path)) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let example =
        |label: usize| Example { text: ["no no", "yes yes"][label].to_owned(), pair: None, label, source: None };
    let options = TrainOptions { validation: 0.0, epochs: 1, filters: 3, hidden: 4, ..TrainOptions::new(architecture) };
    let labels = ["a", "b"].map(str::to_owned);
    let trained = train(&[example(0), example(1)], &labels, &options, &mut |_| {}).expect("it trains");
    trained.model.save(directory.path()).expect("saved");
    open(directory.path()).expect("whole, it opens");
    harm(directory.path());
    open(directory.path()).expect_err("broken").to_string()
}

fn set(key: &'static str, value: Value) -> impl FnOnce(&Path) {
    move |directory| {
        let path = directory.join("config.json");
        let mut config: Map<String, Value> =
            serde_json::from_str(&fs::read_to_string(&path).expect("readable")).expect("JSON");
        config.insert(key.to_owned(), value);
        fs::write(path, json!(config).to_string()).expect("written");
    }
}

/// Rewrites the weights without one tensor, or with another shape for it.
fn reshape(name: &'static str, shape: Option<Vec<usize>>) -> impl FnOnce(&Path) {
    move |directory| {
        let weights = Weights::open(directory).expect("weights");
        let read = |name: &str| {
            let shape = weights.shape(name).expect("a shape").to_vec();
            let values = weights.get(name, &shape).expect("numbers");
            (name.to_owned(), shape, values)
        };
        let mut all: Vec<_> = weights.names().map(read).collect();
        match shape {
            None => all.retain(|(found, _, _)| found != name),
            Some(shape) => all.iter_mut().filter(|(found, _, _)| found == name).for_each(|(_, old, values)| {
                values.resize(shape.iter().product(), 0.0);
                old.clone_from(&shape);
            }),
        }
        let tensors: Vec<Tensor<'_>> = all
            .iter()
            .map(|(name, shape, values)| Tensor { name: name.clone(), shape: shape.clone(), values })
            .collect();
        let config = fs::read_to_string(directory.join("config.json")).expect("readable");
        write(directory, &serde_json::from_str(&config).expect("JSON"), &tensors).expect("written");
    }
}

#[test]
fn a_wrong_config_is_named() {
    let cases = [
        (set("format", json!("fissure-golden-9")), "`format`"),
        (set("architecture", json!("transformer")), "\"transformer\""),
        (set("num_classes", json!(3)), "`labels`"),
        (set("labels", json!(["a"])), "`labels`"),
        (set("vocab", json!(["a", "b", "c", "d"])), "`vocab`"),
        (set("vocab", json!(["<pad>", "<unk>", "no", "no"])), "twice"),
        (set("vocab", json!(["<pad>", "<unk>", "no"])), "emb.weight"),
        (set("embedding_dim", json!(51)), "emb.weight"),
        (set("max_words", json!(0)), "`max_words`"),
        (set("max_words", json!("many")), "`max_words`"),
    ];
    for (harm, expected) in cases {
        let message = broken(Architecture::Cnn, harm);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_wrong_tensor_is_named() {
    for (architecture, name, shape) in [
        (Architecture::FastText, "fc.weight", Some(vec![2, 31])),
        (Architecture::FastText, "emb.weight", None),
        (Architecture::Cnn, "convs.0.weight", None),
        (Architecture::Cnn, "convs.0.weight", Some(vec![3, 50])),
        (Architecture::Cnn, "convs.1.weight", Some(vec![3, 49, 4])),
        (Architecture::Cnn, "convs.1.weight", Some(vec![0, 50, 4])),
        (Architecture::Cnn, "convs.2.bias", Some(vec![4])),
        (Architecture::BiLstm, "lstm.weight_hh_l0", None),
        (Architecture::BiLstm, "lstm.weight_hh_l0", Some(vec![16])),
        (Architecture::BiLstm, "lstm.weight_ih_l0_reverse", Some(vec![16, 49])),
        (Architecture::BiLstm, "lstm.bias_hh_l0", Some(vec![15])),
    ] {
        let message = broken(architecture, reshape(name, shape.clone()));
        // A hidden size that is not there shows first in the weights that depend on it.
        let prefix = name.split('_').next().expect("a part");
        assert!(message.contains(prefix), "{name} {shape:?}: {message}");
    }
}

#[test]
fn a_truncated_file_and_a_missing_one_are_named() {
    let message = broken(Architecture::Cnn, |directory| {
        let path = directory.join("model.safetensors");
        let bytes = fs::read(&path).expect("readable");
        fs::write(&path, &bytes[..bytes.len() - 5]).expect("written");
    });
    assert!(message.contains("model.safetensors") && message.contains("truncated"), "{message}");
    let message = broken(Architecture::Cnn, |directory| {
        fs::remove_file(directory.join("config.json")).expect("removed");
    });
    assert!(message.contains("config.json"), "{message}");
}
