//! Directories that are not what they claim.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::Model;
use crate::encoder::classifier::Classifier;

/// A copy of a fixture that may be damaged.
fn copy(name: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for file in fs::read_dir(family_directory(name)).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), directory.path().join(file.file_name())).unwrap();
    }
    directory
}

fn set(directory: &TempDir, key: &str, value: Value) {
    let path = directory.path().join("config.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    config[key] = value;
    fs::write(path, config.to_string()).unwrap();
}

fn error(directory: &TempDir) -> String {
    Classifier::open(directory.path()).unwrap_err().to_string()
}

#[test]
fn a_wrong_setting_is_named() {
    let cases = [
        ("model_type", json!("gpt2"), "`gpt2`"),
        ("model_type", json!(7), "`model_type`"),
        ("architectures", json!(["BertForTokenClassification"]), "BertForTokenClassification"),
        ("hidden_size", json!(32), "word_embeddings"),
        ("hidden_size", json!(1_u64 << 40), "`hidden_size`"),
        ("num_attention_heads", json!(3), "`num_attention_heads`"),
        ("num_hidden_layers", json!(3), "encoder.layer.2."),
        ("num_hidden_layers", json!(100_000), "`num_hidden_layers`"),
        ("intermediate_size", json!(25), "intermediate.dense.weight"),
        ("hidden_act", json!("swiglu"), "`hidden_act`"),
        ("position_embedding_type", json!("relative_key"), "`position_embedding_type`"),
        ("id2label", json!({"0": "bad"}), "`id2label`"),
        ("problem_type", json!("multi_label_classification"), "`problem_type`"),
        ("vocab_size", json!(199), "word_embeddings"),
    ];
    for (key, value, word) in cases {
        let directory = copy("bert");
        set(&directory, key, value);
        let error = error(&directory);
        assert!(error.contains(word), "{key}: {error}");
    }
}

#[test]
fn a_tokenizer_that_does_not_belong_is_named() {
    let directory = copy("bert");
    fs::copy(family_directory("roberta").join("tokenizer.json"), directory.path().join("tokenizer.json")).unwrap();
    let message = error(&directory);
    assert!(message.contains("tokenizer.json knows the id") && message.contains("200 rows"), "{message}");
    fs::write(directory.path().join("tokenizer.json"), "{}").unwrap();
    assert!(error(&directory).contains("tokenizer.json is not a tokenizer"));
    fs::remove_file(directory.path().join("tokenizer.json")).unwrap();
    assert!(error(&directory).contains("tokenizer.json is missing"));
}

#[test]
fn a_length_outside_the_model_is_refused() {
    let open = || Classifier::open(&family_directory("bert")).unwrap();
    for limit in [0, 3, 25, 1000] {
        let error = open().with_max_length(limit).unwrap_err().to_string();
        assert!(error.contains("4 to 24"), "{error}");
    }
    let model = open().with_max_length(4).unwrap();
    let points = model.encoder.embed(&[Input::from("the cat sat on the mat"), Input::from("the")]).unwrap();
    assert_eq!(points[0].pieces.len(), 4);
    assert!(points[0].truncated && !points[1].truncated);
    assert!(model.answer(&[Input::from("the cat sat on the mat")]).unwrap()[0].truncated);
}

#[test]
fn any_text_gets_an_answer() {
    let long = "word ".repeat(4_000);
    let strange = [
        "",
        " ",
        "\u{0}",
        "\u{feff}",
        "👨‍👩‍👧‍👦",
        "مرحبا بالعالم",
        "a\u{301}\u{301}\u{301}",
        "\u{200d}",
        "[SEP] [CLS] <s>",
        &long,
    ];
    for name in ["bert", "roberta", "xlm-roberta", "albert", "mpnet"] {
        let model = Classifier::open(&family_directory(name)).unwrap();
        let inputs: Vec<Input<'_>> =
            strange.iter().flat_map(|text| [Input::from(*text), Input { text, pair: Some(text) }]).collect();
        for answer in model.answer(&inputs).unwrap() {
            let total: f32 = answer.log_probs.unwrap().iter().map(|log| log.exp()).sum();
            assert!((total - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn what_is_saved_is_read_back() {
    for name in ["albert-groups", "bert", "distilbert", "electra", "mpnet", "xlm-roberta"] {
        let model = Classifier::open(&family_directory(name)).unwrap();
        let directory = tempfile::tempdir().unwrap();
        model.save(directory.path()).unwrap();
        let again = Classifier::open(directory.path()).unwrap();
        assert_eq!(again.encoder.network, model.encoder.network, "{name}");
        assert_eq!(again.head, model.head, "{name}");
        assert_eq!(again.capabilities, model.capabilities, "{name}");
        assert_eq!(again.encoder.config.object(), model.encoder.config.object(), "{name}");
        // Saving over the directory that a model came from keeps its tokenizer.
        again.save(directory.path()).unwrap();
        assert!(Classifier::open(directory.path()).is_ok(), "{name}");
        let (old, new) =
            [family_directory(name), directory.path().to_owned()].map(|path| Weights::open(&path).unwrap()).into();
        assert_eq!(old.names().collect::<Vec<_>>(), new.names().collect::<Vec<_>>(), "{name}");
    }
}
