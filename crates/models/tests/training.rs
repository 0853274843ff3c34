//! Training on a small generated set: it learns, and the threads do not show.

use std::fs;

use fissure_models::train::{Architecture, Example, Loss, Optimizer, TrainOptions, Trained, train};
use fissure_models::{Input, Model, open};

/// Texts of random words among which one or two decide the label; `not` before one turns it round.
fn examples(count: usize, seed: u64) -> Vec<Example> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let signs = [["awful", "dull", "bad"], ["great", "fine", "good"]];
    let one = |_| {
        let label = below(2);
        let turned = below(3) == 0;
        let sign = signs[if turned { 1 - label } else { label }][below(3)];
        let mut words: Vec<String> = (0..4 + below(12)).map(|_| format!("w{}", below(60))).collect();
        let at = below(words.len());
        words.insert(at, if turned { format!("not {sign}") } else { sign.to_owned() });
        Example { text: words.join(" "), pair: None, label, source: None }
    };
    (0..count).map(one).collect()
}

fn labels() -> Vec<String> {
    ["negative", "positive"].map(str::to_owned).to_vec()
}

fn options(architecture: Architecture) -> TrainOptions {
    let small = TrainOptions { seed: 7, patience: 8, ..TrainOptions::new(architecture) };
    match architecture {
        Architecture::FastText => TrainOptions { rate: 2e-2, ..small },
        Architecture::Cnn => {
            TrainOptions { embedding_width: 16, filters: 12, epochs: 8, batch: 24, rate: 5e-3, ..small }
        }
        Architecture::BiLstm => {
            TrainOptions { embedding_width: 16, hidden: 20, epochs: 8, batch: 24, rate: 1e-2, ..small }
        }
    }
}

fn train_with(threads: usize, examples: &[Example], options: &TrainOptions) -> Trained {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| train(examples, &labels(), options, &mut |_| {})).expect("it trains")
}

fn accuracy(model: &dyn Model, examples: &[Example]) -> f64 {
    let inputs: Vec<Input<'_>> = examples.iter().map(|e| Input { text: &e.text, pair: e.pair.as_deref() }).collect();
    let answers = model.answer(&inputs).expect("answers");
    answers.iter().zip(examples).filter(|(answer, e)| answer.predicted == e.label).count() as f64
        / examples.len() as f64
}

#[test]
fn each_architecture_learns_and_the_threads_do_not_show() {
    let (training, test) = (examples(900, 1), examples(300, 2));
    for (architecture, least) in
        [(Architecture::FastText, 0.95), (Architecture::Cnn, 0.95), (Architecture::BiLstm, 0.95)]
    {
        let options = options(architecture);
        let one = train_with(1, &training, &options);
        let two = train_with(2, &training, &options);
        assert_eq!(one.epochs, two.epochs);
        let found = accuracy(&*one.model, &test);
        assert!(found >= least, "{}: {found}", architecture.name());

        let [first, second] = [&one, &two].map(|trained| {
            let directory = tempfile::tempdir().expect("a directory");
            trained.model.save(directory.path()).expect("saved");
            directory
        });
        for file in ["config.json", "model.safetensors"] {
            let bytes = |directory: &tempfile::TempDir| fs::read(directory.path().join(file)).expect("a file");
            assert!(bytes(&first) == bytes(&second), "{} {file}", architecture.name());
        }

        let again = open(first.path()).expect("it opens");
        let inputs: Vec<Input<'_>> = test.iter().map(|e| e.text.as_str().into()).collect();
        assert_eq!(one.model.answer(&inputs).expect("answers"), again.answer(&inputs).expect("answers"));
    }
}

/// Every text has a word of its own, so a vocabulary says which texts were read.
#[test]
fn a_refit_model_learns_from_all_examples_for_the_chosen_number_of_epochs() {
    let mut training = examples(120, 1);
    training.iter_mut().enumerate().for_each(|(at, example)| example.text += &format!(" own{at}"));
    let held = TrainOptions { fewest_occurrences: 1, validation: 0.25, epochs: 3, ..options(Architecture::FastText) };
    let refit = TrainOptions { refit: true, ..held.clone() };
    let own = |trained: &Trained| {
        trained.model.vocabulary().iter().filter(|word| word.starts_with("own") && !word.contains(' ')).count()
    };
    let [first, again] = [&held, &refit].map(|options| train_with(1, &training, options));
    assert_eq!((own(&first), own(&again)), (90, 120));
    assert_eq!((first.best_epoch, &first.epochs, first.held_out), (again.best_epoch, &again.epochs, again.held_out));
    // The same as training on all from the start, for as many epochs.
    let all = TrainOptions { validation: 0.0, epochs: first.best_epoch, ..held };
    let inputs: Vec<Input<'_>> = training.iter().map(|e| e.text.as_str().into()).collect();
    let answers = |trained: &Trained| trained.model.answer(&inputs).expect("answers");
    assert_eq!(answers(&again), answers(&train_with(1, &training, &all)));
    assert_eq!(answers(&again), answers(&train_with(2, &training, &refit)));
    assert_ne!(answers(&again), answers(&first));
}

#[test]
fn another_seed_gives_another_model() {
    let training = examples(200, 1);
    let options = TrainOptions { epochs: 1, ..options(Architecture::Cnn) };
    let other = TrainOptions { seed: 8, ..options.clone() };
    assert_ne!(train_with(1, &training, &options).epochs, train_with(1, &training, &other).epochs);
}

#[test]
fn label_smoothing_and_focus_soften_the_answers() {
    let (training, test) = (examples(600, 1), examples(200, 2));
    let inputs: Vec<Input<'_>> = test.iter().map(|e| e.text.as_str().into()).collect();
    let confidence = |loss: Loss| {
        let options = TrainOptions { loss, dropout: 0.2, validation: 0.0, ..options(Architecture::Cnn) };
        let trained = train_with(2, &training, &options);
        assert!(accuracy(&*trained.model, &test) > 0.9, "{loss:?}");
        let answers = trained.model.answer(&inputs).expect("answers");
        answers.iter().map(|a| a.log_probs.as_ref().expect("scores")[a.predicted].exp()).sum::<f32>() / 200.0
    };
    let plain = confidence(Loss::default());
    for softer in [Loss { smoothing: 0.2, focus: 0.0 }, Loss { smoothing: 0.0, focus: 2.0 }] {
        let found = confidence(softer);
        assert!(found < plain - 0.02, "{softer:?}: {found} against {plain}");
    }
}

#[test]
fn pairs_are_told_apart_by_their_order() {
    let one = |i: usize| {
        let label = i % 2;
        let (first, second) = if label == 0 { ("cause", "effect") } else { ("effect", "cause") };
        let text = |word: &str, j: usize| format!("x{} {word} x{}", (i * 7 + j) % 13, (i * 5 + j) % 11);
        Example { text: text(first, 0), pair: Some(text(second, 3)), label, source: None }
    };
    let all: Vec<Example> = (0..400).map(one).collect();
    let trained = train_with(2, &all[..300], &TrainOptions { epochs: 20, ..options(Architecture::Cnn) });
    assert!(trained.model.vocabulary().contains(&"<sep>".to_owned()));
    assert!(accuracy(&*trained.model, &all[300..]) > 0.95);
}

#[test]
fn vectors_are_where_the_table_starts() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let numbers = |x: f32| vec![x.to_string(); 16].join(" ");
    fs::write(file.path(), format!("good {}\nunheard {}\n", numbers(1.5), numbers(2.5))).expect("written");
    let training = examples(200, 1);
    let slow =
        TrainOptions { vectors: Some(file.path().to_owned()), epochs: 1, rate: 1e-9, ..options(Architecture::Cnn) };
    let model = train_with(1, &training, &slow).model;
    let point = &model.embed(&["good w1".into()]).expect("a point")[0];
    assert!(point.rows.row(0).iter().all(|x| (x - 1.5).abs() < 1e-3), "{:?}", point.rows.row(0));
    assert!(point.rows.row(1).iter().all(|x| x.abs() <= 0.26));
}

#[test]
fn what_cannot_be_trained_is_refused_by_name() {
    let training = examples(20, 1);
    let fails = |examples: &[Example], options: &TrainOptions| {
        train(examples, &labels(), options, &mut |_| {}).expect_err("refused").to_string()
    };
    let good = options(Architecture::Cnn);
    assert!(fails(&training, &TrainOptions { dropout: 1.0, ..good.clone() }).contains("`dropout` is 1"));
    assert!(fails(&training, &TrainOptions { batch: 0, ..good.clone() }).contains("`batch` is 0"));
    assert!(fails(&training, &TrainOptions { spans: vec![], ..good.clone() }).contains("`spans` is []"));
    assert!(fails(&[], &good).contains("0 examples"));
    assert!(fails(&training[..1], &good).contains("1 examples"));
    let wrong = [&training[..], &[Example { label: 2, ..training[0].clone() }]].concat();
    assert!(fails(&wrong, &good).contains("example 20 has label 2"));
    let wild = TrainOptions { rate: 1e38, optimizer: Optimizer::Sgd, epochs: 50, ..good };
    assert!(fails(&training, &wild).contains("lower rate"));
}
