//! Gradients of weights against PyTorch, and against finite differences where dropout is on.

use std::fs;

use serde_json::Value;

use super::*;
use crate::encoder::classifier::Classifier;
use crate::encoder::dropout::Dropout;
use crate::encoder::head::{ClassHead, SpanHead, TagHead};
use crate::encoder::layout::{Layout, Reach};
use crate::encoder::linear::Linear;
use crate::encoder::network::{Batch, Keep, Trace};
use crate::encoder::save::tensors;
use crate::encoder::train::teach::TrainedHead;
use crate::train::Loss;

const WEIGHTS: [f32; 3] = [1.0, -0.5, 0.25];

/// The weighted sum of the logits of one batch, and the gradients of everything.
struct Pass {
    value: f64,
    network: Network,
    head: ClassHead,
    rows: Vec<f32>,
}

fn pass(model: &Classifier, rows: &[f32], batch: &Batch, frozen: Option<usize>) -> Pass {
    let network = &model.encoder.network;
    let mut trace = Trace::default();
    network.forward(rows, batch.clone(), Keep::ForWeights, &mut trace);
    let (mut gradient, mut head_gradient) = (network.gradient(frozen), model.head.gradient());
    let mut d = vec![0.0; trace.hidden.len()];
    let mut value = 0.0;
    for text in 0..batch.layout.texts() {
        let row = &trace.hidden[text * network.width..][..network.width];
        let dropout = batch.dropout.get(text);
        let kept = model.head.forward(row, dropout);
        value += kept.logits.iter().zip(WEIGHTS).map(|(z, w)| f64::from(*z) * f64::from(w)).sum::<f64>();
        let d_row = &mut d[text * network.width..][..network.width];
        model.head.backward(&WEIGHTS, &kept, dropout, Some((row, &mut head_gradient)), d_row);
    }
    network.backward_weights(&trace, &mut d, &mut gradient);
    Pass { value, network: gradient, head: head_gradient, rows: d }
}

#[test]
fn weight_gradients_of_every_family_agree_with_pytorch() {
    let names = ["albert", "albert-groups", "bert", "distilbert", "electra", "mpnet", "roberta", "xlm-roberta"];
    for name in names {
        let model = Classifier::open(&family_directory(name)).unwrap();
        let lines = fs::read_to_string(family_directory(name).join("expected.jsonl")).unwrap();
        let cases: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut compared = 0;
        for case in cases.iter().filter(|case| case.get("weight_gradients").is_some()) {
            let input = Input { text: case["text"].as_str().unwrap(), pair: case["pair"].as_str() };
            let point = model.encoder.embed(&[input]).unwrap().remove(0);
            let batch = Batch {
                layout: Layout::new([point.pieces.len()]),
                reach: Reach::First,
                types: model.encoder.tokens.types(&point.pieces),
                dropout: Vec::new(),
            };
            let found = pass(&model, &point.rows.values, &batch, None);
            let family = load::family(&model.encoder.config).unwrap();
            let layers = load::layer_names(&model.encoder.config, family).unwrap().1;
            let head = [(family.head.dense, &found.head.dense), (family.head.classifier, &found.head.classifier)];
            let tensors = tensors(family, &layers, &found.network, &head);
            let expected = case["weight_gradients"].as_object().unwrap();
            assert_eq!(tensors.len(), expected.len(), "{name}: {:?}", expected.keys());
            for tensor in tensors {
                let size: f64 = tensor.values.iter().map(|g| f64::from(g.abs())).sum::<f64>().max(1.0);
                let sum: f64 = tensor.values.iter().map(|g| f64::from(*g)).sum();
                let waved: f64 =
                    tensor.values.iter().enumerate().map(|(at, g)| f64::from(*g) * (at as f64).cos()).sum();
                let expected = &expected[&tensor.name];
                for (found, expected) in [(sum, &expected[0]), (waved, &expected[1])] {
                    let expected = expected.as_f64().unwrap();
                    assert!((found - expected).abs() < 1e-5 * size, "{name}, {}: {found} {expected}", tensor.name);
                }
                compared += 1;
            }
        }
        assert!(compared > 30, "{name}: {compared}");
    }
}

/// One tensor of a network.
type Pick = fn(&mut Network) -> &mut Vec<f32>;

/// With dropout on, every gradient must be that of the very function that was run.
#[test]
fn gradients_with_dropout_agree_with_finite_differences() {
    for name in ["bert", "albert", "mpnet"] {
        let mut model = Classifier::open(&family_directory(name)).unwrap();
        let layout = Layout::new([5, 3, 7]);
        let rows = numbers(15 * model.encoder.network.embeddings.width(), 0.5, 1);
        let dropout = (0..3).map(|key| Dropout { rate: 0.2, key }).collect();
        let batch = Batch { layout, reach: Reach::First, types: vec![0; 15], dropout };
        let found = pass(&model, &rows, &batch, None);
        let value = |model: &Classifier, rows: &[f32]| pass(model, rows, &batch, Some(0)).value;

        // Along a direction of all embedding rows.
        let step = 2e-3;
        let direction = numbers(rows.len(), 1.0, 2);
        let moved = |sign: f32| rows.iter().zip(&direction).map(|(x, e)| x + sign * step * e).collect::<Vec<f32>>();
        let difference = (value(&model, &moved(1.0)) - value(&model, &moved(-1.0))) / f64::from(2.0 * step);
        let slope: f64 = found.rows.iter().zip(&direction).map(|(g, e)| f64::from(*g) * f64::from(*e)).sum();
        assert!((difference - slope).abs() < 1e-2 * slope.abs().max(1.0), "{name} rows: {difference} {slope}");

        // Along a direction of one kind of weights at a time.
        let kinds: [(&str, Pick); 6] = [
            ("query", |network| &mut network.layers[0].query.weight),
            ("key and value", |network| &mut network.layers[0].key_value.weight),
            ("attention output", |network| &mut network.layers[0].attention_output.weight),
            ("up", |network| &mut network.layers[0].up.weight),
            ("down", |network| &mut network.layers[0].down.weight),
            ("norm", |network| &mut network.layers[0].output_norm.gain),
        ];
        for (kind, pick) in kinds {
            let mut gradient = found.network.clone();
            let gradient = pick(&mut gradient);
            let original = pick(&mut model.encoder.network).clone();
            let direction = numbers(original.len(), 1.0, 3);
            let mut at = |sign: f32| {
                let moved = original.iter().zip(&direction).map(|(x, e)| x + sign * step * e);
                *pick(&mut model.encoder.network) = moved.collect();
                value(&model, &rows)
            };
            let difference = (at(1.0) - at(-1.0)) / f64::from(2.0 * step);
            *pick(&mut model.encoder.network) = original;
            let slope: f64 = gradient.iter().zip(&direction).map(|(g, e)| f64::from(*g) * f64::from(*e)).sum();
            assert!((difference - slope).abs() < 1e-2 * slope.abs().max(1.0), "{name} {kind}: {difference} {slope}");
        }
    }
}

#[test]
fn frozen_layers_get_no_gradient_and_change_no_other() {
    let model = Classifier::open(&family_directory("bert")).unwrap();
    let rows = numbers(9 * model.encoder.network.embeddings.width(), 0.5, 1);
    let layout = Layout::new([4, 5]);
    let batch = Batch { layout, reach: Reach::First, types: vec![0; 9], dropout: Vec::new() };
    let (all, upper) = (pass(&model, &rows, &batch, None), pass(&model, &rows, &batch, Some(1)));
    assert_eq!(upper.network.layers[1], all.network.layers[1]);
    assert_eq!(upper.head, all.head);
    assert_eq!(upper.network.layers[0], layer::Layer::default());
    assert!(upper.network.embeddings.positions.is_empty());
    assert!(all.network.layers[0].up.weight.iter().any(|g| *g != 0.0));
}

/// Heads over all rows: the gradients of the rows and of the head against differences of the loss, with dropout on.
#[test]
fn heads_over_rows_agree_with_finite_differences() {
    let width = 6;
    let rows = numbers(5 * width, 1.0, 4);
    let dropout = Dropout { rate: 0.3, key: 5 };
    let linear = |outputs: usize| Linear { weight: numbers(outputs * width, 0.7, 1), bias: numbers(outputs, 0.3, 2) };
    check_head(&TagHead(linear(3)), &rows, &vec![None, Some(2), Some(0), None, Some(1)], &dropout);
    check_head(&SpanHead(linear(2)), &rows, &[1, 3], &dropout);
    check_head(&SpanHead(linear(2)), &rows, &[0, 0], &dropout);
}

fn check_head<H: TrainedHead>(head: &H, rows: &[f32], target: &H::Target, dropout: &Dropout) {
    let loss = Loss { smoothing: 0.1, focus: 0.0 };
    let value = |head: &H, rows: &[f32]| head.teach(rows, target, loss, Some(dropout), None).loss;
    let (mut gradient, mut d_rows) = (head.gradient(), vec![0.0; rows.len()]);
    let tally = head.teach(rows, target, loss, Some(dropout), Some((&mut gradient, &mut d_rows)));
    assert!(tally.labelled == H::labels(target) && (tally.loss - value(head, rows)).abs() < 1e-9);
    let step = 1e-2_f32;
    for at in 0..rows.len() {
        let moved = |sign: f32| {
            let mut rows = rows.to_vec();
            rows[at] += sign * step;
            value(head, &rows)
        };
        let difference = (moved(1.0) - moved(-1.0)) / f64::from(2.0 * step);
        assert!((difference - f64::from(d_rows[at])).abs() < 1e-3, "row {at}: {difference} {}", d_rows[at]);
    }
    for at in 0..gradient.linears_mut()[0].weight.len() {
        let moved = |sign: f32| {
            let mut head = head.clone();
            head.linears_mut()[0].weight[at] += sign * step;
            value(&head, rows)
        };
        let difference = (moved(1.0) - moved(-1.0)) / f64::from(2.0 * step);
        let found = gradient.linears_mut()[0].weight[at];
        assert!((difference - f64::from(found)).abs() < 1e-3, "weight {at}: {difference} {found}");
    }
}
