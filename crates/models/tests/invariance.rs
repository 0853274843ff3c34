//! Answers and gradients do not depend on the batch or the threads, to the bit; and no text is too strange.

mod common;

use fissure_models::{Embedded, Error, Input, Matrix, Model, PullBack, open};

const MODELS: [&str; 3] = ["fasttext_ag", "cnn_ag", "bilstm_imdb"];

fn models() -> Vec<Box<dyn Model>> {
    MODELS
        .iter()
        .filter_map(|name| common::shared(&format!("golden/{name}")))
        .map(|path| open(&path).expect("a model"))
        .collect()
}

fn texts() -> Vec<String> {
    let words = ["good", "bad", "the", "market", "fell", "<br />", "isn't", "\u{e9}t\u{e9}", "?", "Reuters", "of"];
    let one =
        |i: usize| (0..(i * 37) % 150).map(|j| words[(i * 5 + j * j) % words.len()]).collect::<Vec<_>>().join(" ");
    (0..24).map(one).collect()
}

fn pull(model: &dyn Model, points: &[Embedded], first: usize) -> Vec<PullBack> {
    // Different points ask for different numbers of gradients.
    let ask = |i: usize, logits: &[f32]| -> Vec<Vec<f32>> {
        let one = |class: usize| (0..logits.len()).map(|c| if c == class { 1.0 } else { -0.25 * logits[c] }).collect();
        (0..(first + i) % 4).map(|class| one(class % logits.len())).collect()
    };
    model.as_white_box().expect("gradients").pull_back(points, &ask).expect("gradients")
}

#[test]
fn neither_batch_nor_threads_change_a_bit() {
    let texts = texts();
    let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.as_str().into()).collect();
    for model in models() {
        let white = model.as_white_box().expect("gradients");
        let all = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let points = white.embed(&inputs).expect("points");
                (
                    model.answer(&inputs).expect("answers"),
                    white.logits_at(&points).expect("logits"),
                    pull(&*model, &points, 0),
                )
            })
        };
        let whole = all(1);
        assert_eq!(whole, all(2));
        assert_eq!(whole, all(3));
        for (i, input) in inputs.iter().enumerate() {
            let points = white.embed(&[*input]).expect("a point");
            assert_eq!(model.answer(&[*input]).expect("an answer")[0], whole.0[i]);
            assert_eq!(white.logits_at(&points).expect("logits")[0], whole.1[i]);
            assert_eq!(pull(&*model, &points, i)[0], whole.2[i]);
            assert_eq!(whole.2[i].gradients.len(), i % 4);
        }
    }
}

#[test]
fn any_text_gets_an_answer() {
    let long = "word ".repeat(2_000_000);
    let texts = [
        "",
        " ",
        "a",
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\0\n\t",
        "<br />",
        &long,
    ];
    let inputs: Vec<Input<'_>> = texts.iter().map(|text| (*text).into()).collect();
    for model in models() {
        let answers = model.answer(&inputs).expect("answers");
        for (answer, text) in answers.iter().zip(texts) {
            let total: f32 = answer.log_probs.iter().flatten().map(|p| p.exp()).sum();
            assert!((total - 1.0).abs() < 1e-5);
            assert_eq!(answer.truncated, text.len() > 1000);
        }
        assert!(model.answer(&[]).expect("no answers").is_empty());
    }
}

#[test]
fn pairs_and_points_that_do_not_fit_are_refused() {
    for model in models() {
        let pair = Input { text: "a", pair: Some("b") };
        assert!(matches!(model.answer(&[pair]), Err(Error::NoPairs { .. })));
        let white = model.as_white_box().expect("gradients");
        let good = white.embed(&["a fine day".into()]).expect("a point").remove(0);
        let fails = |rows: Matrix| {
            let point = Embedded { rows, ..good.clone() };
            white.logits_at(&[good.clone(), point]).expect_err("refused").to_string()
        };
        let mut broken = good.rows.clone();
        broken.values[3] = f32::NAN;
        assert!(fails(broken).contains("number 3 is NaN"));
        assert!(fails(Matrix::zeros(5, good.rows.width + 1)).contains("point 1"));
        assert!(fails(Matrix::zeros(1, good.rows.width)).contains("at least 5 whole rows"));
        assert!(fails(Matrix::default()).contains("point 1"));
        let wrong = white.pull_back(std::slice::from_ref(&good), &|_, _| vec![vec![1.0]]);
        assert!(matches!(wrong, Err(Error::WrongWeights { point: 0, found: 1, .. })));
    }
}
