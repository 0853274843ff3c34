//! The bits of a result depend on its own input alone.

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

use super::*;
use crate::encoder::activation::Activation;
use crate::encoder::classifier::Classifier;
use crate::encoder::embeddings::Embeddings;
use crate::encoder::head::{ClassHead, Pooling};
use crate::encoder::layer::Layer;
use crate::encoder::linear::{Linear, Norm};
use crate::{Capabilities, Model, Piece, PullBack, WhiteBox};

/// A random classifier wide enough that texts share batches, with the tokenizer of a fixture.
fn wide_model(width: usize) -> Classifier {
    let linear = |outputs: usize, inputs: usize, seed: u64| Linear {
        weight: numbers(outputs * inputs, 1.5 / (inputs as f32).sqrt(), seed),
        bias: numbers(outputs, 0.1, seed + 100),
    };
    let norm = |seed: u64| Norm { gain: vec![1.0; width], shift: numbers(width, 0.1, seed) };
    let layer = |seed: u64| Layer {
        query: linear(width, width, seed),
        key_value: linear(2 * width, width, seed + 1),
        attention_output: linear(width, width, seed + 2),
        attention_norm: norm(seed),
        up: linear(5 * width, width, seed + 3),
        down: linear(width, 5 * width, seed + 4),
        output_norm: norm(seed + 1),
        ..Layer::default()
    };
    let directory = family_directory("bert");
    let network = Network {
        embeddings: Embeddings {
            word: numbers(200 * width, 0.5, 0),
            positions: numbers(64 * width, 0.5, 1),
            first_position: 0,
            width,
            longest: 64,
            types: numbers(2 * width, 0.5, 2),
            norm: norm(3),
            projection: None,
        },
        bias: None,
        layers: vec![layer(10), layer(20), layer(30)],
        order: vec![0, 1, 2],
        heads: 4,
        width,
        activation: Activation::Gelu,
        epsilon: 1e-12,
        score_scale: 1.0,
        norm_first: false,
        last_norm: Norm::default(),
    };
    let head = ClassHead {
        pooling: Pooling::First,
        dense: linear(width, width, 40),
        activation: Activation::Tanh,
        norm: None,
        classifier: linear(3, width, 41),
    };
    let tokens = Tokens::open(&directory, 200, 64).unwrap();
    let config = Config::open(&directory).unwrap();
    let labels = ["a", "b", "c"].map(str::to_owned).to_vec();
    Classifier {
        encoder: Encoder { network, tokens, config, directory },
        head,
        capabilities: Capabilities { labels, probabilities: true, gradients: true },
    }
}

fn point(model: &Classifier, length: usize, seed: u64) -> Embedded {
    let mut random = Random::of(&[seed]);
    let width = model.encoder.network.width;
    let mut values = Vec::new();
    let pieces = (0..length).map(|at| {
        let id = random.below(200) as u32;
        values.extend_from_slice(&model.encoder.network.embeddings.word[id as usize * width..][..width]);
        Piece { id, source: Some((0, at..at + 1)), word: Some(at as u32) }
    });
    let pieces = pieces.collect();
    Embedded { pieces, rows: Matrix::new(width, values), truncated: false }
}

/// Two weight vectors, and a third for every second point.
fn ask(at: usize, _: &[f32]) -> Vec<Vec<f32>> {
    let mut wanted = vec![vec![-1.0, 1.0, 0.0], vec![-1.0, 0.0, 1.0]];
    if at.is_multiple_of(2) {
        wanted.push(vec![0.3, 0.3, 0.4]);
    }
    wanted
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn batch_and_threads_change_no_bit(lengths in prop::collection::vec(1_usize..60, 1..14), width in 0_usize..3) {
        let model = wide_model([96, 128, 160][width]);
        let points: Vec<Embedded> =
            lengths.iter().enumerate().map(|(seed, length)| point(&model, *length, seed as u64)).collect();
        let alone: Vec<PullBack> = points
            .iter()
            .enumerate()
            .map(|(at, point)| model.pull_back(std::slice::from_ref(point), &|_, z| ask(at, z)).unwrap().remove(0))
            .collect();
        for threads in [1, 3] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (together, logits) = pool.install(|| (model.pull_back(&points, &ask).unwrap(), model.logits_at(&points).unwrap()));
            for ((alone, together), logits) in alone.iter().zip(&together).zip(&logits) {
                prop_assert!(alone == together);
                prop_assert_eq!(&alone.logits, logits);
            }
        }
    }
}

#[test]
fn points_and_weights_of_another_model_are_refused() {
    let model = wide_model(96);
    let good = point(&model, 4, 0);
    let mut narrow = good.clone();
    narrow.rows = Matrix::zeros(4, 95);
    let mut uneven = good.clone();
    uneven.pieces.pop();
    let long = point(&model, 65, 0);
    let empty = point(&model, 0, 0);
    for (bad, word) in
        [(narrow, "95 numbers"), (uneven, "4 rows for 3 pieces"), (long, "65 pieces"), (empty, "0 pieces")]
    {
        let error = model.logits_at(&[good.clone(), bad]).unwrap_err().to_string();
        assert!(error.contains("point 1") && error.contains(word), "{error}");
    }
    let error = model.pull_back(&[good], &|_, _| vec![vec![1.0; 4]]).unwrap_err().to_string();
    assert!(error.contains("4 numbers") && error.contains("3 classes"), "{error}");
    assert!(model.answer(&[]).unwrap().is_empty());
}
