use std::path::Path;

use proptest::prelude::*;
use serde_json::{Map, json};
use tempfile::TempDir;

use super::*;

fn config() -> Map<String, serde_json::Value> {
    json!({"model_type": "toy", "hidden_size": 3}).as_object().unwrap().clone()
}

/// A directory with two tensors, and the bytes of its safetensors file.
fn saved() -> (TempDir, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let (table, bias) = ([1.0, -2.5, 3.0, 0.0, 1e-20, 7.0], [0.5, f32::MAX]);
    let tensors = [
        Tensor { name: "emb.weight".to_owned(), shape: vec![2, 3], values: &table },
        Tensor { name: "fc.bias".to_owned(), shape: vec![2], values: &bias },
    ];
    write(directory.path(), &config(), &tensors).unwrap();
    let bytes = fs::read(directory.path().join("model.safetensors")).unwrap();
    (directory, bytes)
}

fn put(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(directory.join(name), bytes).unwrap();
}

/// A safetensors file made by hand: one tensor `w` of the given type and shape.
fn by_hand(dtype: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let header = json!({"w": {"dtype": dtype, "shape": shape, "data_offsets": [0, data.len()]}}).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn open_error(directory: &Path) -> String {
    Weights::open(directory).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_back() {
    let (directory, bytes) = saved();
    let weights = Weights::open(directory.path()).unwrap();
    assert_eq!(weights.names().collect::<Vec<_>>(), ["emb.weight", "fc.bias"]);
    assert_eq!(weights.get("emb.weight", &[2, 3]).unwrap(), [1.0, -2.5, 3.0, 0.0, 1e-20, 7.0]);
    assert_eq!(weights.get("fc.bias", &[2]).unwrap(), [0.5, f32::MAX]);
    assert_eq!(Config::open(directory.path()).unwrap().object(), &config());
    assert_eq!(saved().1, bytes, "the same tensors give the same bytes");
}

#[test]
fn half_precision_becomes_single() {
    let directory = tempfile::tempdir().unwrap();
    // 1.0, -2.0, 0.333251953125 in binary16; 1.0, -2.0, 3.140625 in bfloat16.
    for (dtype, words, expected) in [
        ("F16", [0x3c00u16, 0xc000, 0x3555], [1.0, -2.0, 0.333_251_95]),
        ("BF16", [0x3f80, 0xc000, 0x4049], [1.0, -2.0, 3.140_625]),
    ] {
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        put(directory.path(), "model.safetensors", by_hand(dtype, &[3], &data));
        assert_eq!(Weights::open(directory.path()).unwrap().get("w", &[3]).unwrap(), expected);
    }
}

#[test]
fn shards_are_joined() {
    let (directory, bytes) = saved();
    fs::remove_file(directory.path().join("model.safetensors")).unwrap();
    put(directory.path(), "model-00001-of-00002.safetensors", bytes);
    put(directory.path(), "model-00002-of-00002.safetensors", by_hand("F32", &[1], &2f32.to_le_bytes()));
    let map = json!({"weight_map": {
        "emb.weight": "model-00001-of-00002.safetensors",
        "fc.bias": "model-00001-of-00002.safetensors",
        "w": "model-00002-of-00002.safetensors",
    }});
    put(directory.path(), "model.safetensors.index.json", map.to_string());
    let weights = Weights::open(directory.path()).unwrap();
    assert_eq!(weights.get("w", &[1]).unwrap(), [2.0]);
    assert_eq!(weights.shape("emb.weight").unwrap(), [2, 3]);

    fs::remove_file(directory.path().join("model-00002-of-00002.safetensors")).unwrap();
    let error = open_error(directory.path());
    assert!(error.contains("model-00002-of-00002.safetensors is missing"), "{error}");
}

#[test]
fn an_index_cannot_lead_out_of_its_directory() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["../secret.safetensors", "/secret", "..", ""] {
        put(directory.path(), "model.safetensors.index.json", json!({"weight_map": {"w": name}}).to_string());
        let error = open_error(directory.path());
        assert!(error.contains("weight_map"), "{error}");
    }
}

#[test]
fn every_bad_file_is_named() {
    let (directory, bytes) = saved();
    let weights = Weights::open(directory.path()).unwrap();
    let error = weights.get("fc.weight", &[2, 3]).unwrap_err().to_string();
    assert!(error.contains("model.safetensors has no tensor `fc.weight`"), "{error}");
    let error = weights.get("bert.emb.weight", &[2, 3]).unwrap_err().to_string();
    assert!(error.contains("(there is `emb.weight`)"), "{error}");
    let error = weights.get("emb.weight", &[3, 2]).unwrap_err().to_string();
    assert!(error.contains("`emb.weight`") && error.contains("[2, 3]") && error.contains("[3, 2]"), "{error}");

    let cases: [(&str, Vec<u8>); 5] = [
        ("pickle", b"\x80\x02}q\x00.".to_vec()),
        ("pickle", b"PK\x03\x04archive/data.pkl".to_vec()),
        ("Git LFS", b"version https://git-lfs/spec/v1\noid sha256:0\nsize 5\n".to_vec()),
        ("truncated", bytes[..bytes.len() - 1].to_vec()),
        ("truncated", Vec::new()),
    ];
    for (word, content) in cases {
        put(directory.path(), "model.safetensors", content);
        let error = open_error(directory.path());
        assert!(error.contains(word) && error.contains("model.safetensors"), "{error}");
    }
    fs::remove_file(directory.path().join("model.safetensors")).unwrap();
    assert!(open_error(directory.path()).contains("model.safetensors is missing"));
    put(directory.path(), "pytorch_model.bin", b"\x80\x02");
    let error = open_error(directory.path());
    assert!(error.contains("pytorch_model.bin is a pickle") && error.contains("safe_serialization"), "{error}");
    assert!(open_error(&directory.path().join("nowhere")).contains("nowhere is missing"));
}

#[test]
fn numbers_that_are_none_are_named() {
    let directory = tempfile::tempdir().unwrap();
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let data = [1f32.to_le_bytes(), value.to_le_bytes()].concat();
        put(directory.path(), "model.safetensors", by_hand("F32", &[2], &data));
        let error = Weights::open(directory.path()).unwrap().get("w", &[2]).unwrap_err().to_string();
        assert!(error.contains("`w`") && error.contains("element 1") && error.contains(&value.to_string()), "{error}");
    }
    put(directory.path(), "model.safetensors", by_hand("I64", &[1], &[0; 8]));
    let error = Weights::open(directory.path()).unwrap().get("w", &[1]).unwrap_err().to_string();
    assert!(error.contains("I64"), "{error}");
}

#[test]
fn configs_are_distrusted_too() {
    let directory = tempfile::tempdir().unwrap();
    let error = Config::open(directory.path()).unwrap_err().to_string();
    assert!(error.contains("config.json is missing"), "{error}");
    for text in ["", "{", "[1]", "null", "\u{feff}{}"] {
        put(directory.path(), "config.json", text);
        let error = Config::open(directory.path()).unwrap_err().to_string();
        assert!(error.contains("config.json is not the JSON it should be"), "{error}");
    }
    put(
        directory.path(),
        "config.json",
        r#"{"a": -1, "b": 0, "c": 1.5, "d": "x", "e": null, "f": 1e30, "g": [1], "h": 4}"#,
    );
    let config = Config::open(directory.path()).unwrap();
    for key in ["a", "b", "c", "d", "e", "f", "g", "z"] {
        let error = config.count(key).unwrap_err().to_string();
        assert!(error.contains(&format!("`{key}`")), "{error}");
    }
    assert_eq!(config.count("h").unwrap(), 4);
    assert_eq!(config.count_or("e", 7).unwrap(), 7);
    assert_eq!(config.number_or("c", 0.0).unwrap(), 1.5);
    assert_eq!(config.string("d").unwrap(), "x");
    assert!(config.strings("g").unwrap_err().to_string().contains("list of strings"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is cut off or overwritten, reading gives numbers or an error, never a panic.
    #[test]
    fn damaged_files_never_panic(cut in 0usize..400, at in 0usize..400, with in any::<u8>()) {
        let (directory, mut bytes) = saved();
        let length = bytes.len();
        bytes[at % length] = with;
        bytes.truncate(length - cut % length);
        put(directory.path(), "model.safetensors", bytes);
        if let Ok(weights) = Weights::open(directory.path()) {
            for name in weights.names() {
                let shape = weights.shape(name).unwrap();
                if let Ok(values) = weights.get(name, shape) {
                    prop_assert!(values.iter().all(|value| value.is_finite()));
                }
            }
        }
    }

    #[test]
    fn truncated_files_are_errors(cut in 1usize..400) {
        let (directory, mut bytes) = saved();
        let length = bytes.len();
        bytes.truncate(length - 1 - cut % (length - 1));
        put(directory.path(), "model.safetensors", bytes);
        prop_assert!(open_error(directory.path()).contains("model.safetensors is truncated"));
    }

    #[test]
    fn noise_is_an_error(noise in proptest::collection::vec(any::<u8>(), 0..64)) {
        let directory = tempfile::tempdir().unwrap();
        put(directory.path(), "model.safetensors", noise);
        prop_assert!(open_error(directory.path()).contains("model.safetensors"));
    }
}
