//! A fasttext model of two numbers a word, written down by hand: class 0 gets the first, class 1 the second.

use std::sync::Arc;

use fissure_ask::LocalClassifier;
use fissure_attacks::{AttackResources, Synonyms};
use fissure_core::{Resources, Sample};
use fissure_models::weights::{Tensor, write};
use serde_json::{Map, json};

/// Words (and bigrams, with a space) with what they add to each class.
pub type Weights<'a> = &'a [(&'a str, [f32; 2])];

pub fn model(weights: Weights<'_>) -> LocalClassifier {
    let folder = tempfile::tempdir().unwrap();
    let mut vocabulary = vec!["<pad>".to_owned(), "<unk>".to_owned()];
    vocabulary.extend(weights.iter().map(|(word, _)| (*word).to_owned()));
    let mut rows = vec![0.0; 4];
    rows.extend(weights.iter().flat_map(|(_, row)| row));
    let config: Map<String, _> = [
        ("format", json!("fissure-golden-1")),
        ("architecture", json!("fasttext")),
        ("num_classes", json!(2)),
        ("labels", json!(["good", "bad"])),
        ("vocab", json!(vocabulary)),
        ("max_words", json!(100)),
        ("embedding_dim", json!(2)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    let tensor = |name: &str, shape: Vec<usize>, values| Tensor { name: name.into(), shape, values };
    let tensors = [
        tensor("emb.weight", vec![vocabulary.len(), 2], &rows),
        tensor("fc.weight", vec![2, 2], &[1.0, 0.0, 0.0, 1.0]),
        tensor("fc.bias", vec![2], &[0.0, 0.0]),
    ];
    write(folder.path(), &config, &tensors).unwrap();
    LocalClassifier::of("tiny", None, fissure_models::open(folder.path()).unwrap().into())
}

/// A cnn over the given words: rows of `width` numbers (the first two are those of `<pad>` and `<unk>`), and for each span its
/// filters, each with a weight for every place and channel and a bias; what the features say for each class.
pub struct Cnn<'a> {
    pub words: &'a [&'a str],
    pub width: usize,
    pub rows: Vec<f32>,
    pub layers: Vec<(usize, Vec<f32>, Vec<f32>)>,
    pub output: (Vec<f32>, Vec<f32>),
}

impl Cnn<'_> {
    pub fn model(&self) -> LocalClassifier {
        let tensor = |name: String, shape: Vec<usize>, values| Tensor { name, shape, values };
        let mut tensors = Vec::new();
        for (at, (span, weight, bias)) in self.layers.iter().enumerate() {
            tensors.push(tensor(format!("convs.{at}.weight"), vec![bias.len(), self.width, *span], weight));
            tensors.push(tensor(format!("convs.{at}.bias"), vec![bias.len()], bias));
        }
        small("cnn", self.words, (self.width, &self.rows), &self.output, tensors)
    }
}

/// A bilstm over the given words: rows of `width` numbers as for [`Cnn`], and for each direction the weights of the input, of
/// the states, and a bias.
pub struct BiLstm<'a> {
    pub words: &'a [&'a str],
    pub width: usize,
    pub hidden: usize,
    pub rows: Vec<f32>,
    pub directions: [[Vec<f32>; 3]; 2],
    pub output: (Vec<f32>, Vec<f32>),
}

impl BiLstm<'_> {
    pub fn model(&self) -> LocalClassifier {
        let gates = 4 * self.hidden;
        let nothing = vec![0.0; gates];
        let mut tensors = Vec::new();
        for ([input, recurrent, bias], ending) in self.directions.iter().zip(["l0", "l0_reverse"]) {
            let name = |part: &str| format!("lstm.{part}_{ending}");
            tensors.push(Tensor { name: name("weight_ih"), shape: vec![gates, self.width], values: input });
            tensors.push(Tensor { name: name("weight_hh"), shape: vec![gates, self.hidden], values: recurrent });
            tensors.push(Tensor { name: name("bias_ih"), shape: vec![gates], values: bias });
            tensors.push(Tensor { name: name("bias_hh"), shape: vec![gates], values: &nothing });
        }
        small("bilstm", self.words, (self.width, &self.rows), &self.output, tensors)
    }
}

/// A model of at most nine words, written down and opened again.
fn small(
    architecture: &str,
    words: &[&str],
    (width, rows): (usize, &[f32]),
    (weight, bias): &(Vec<f32>, Vec<f32>),
    body: Vec<Tensor<'_>>,
) -> LocalClassifier {
    let folder = tempfile::tempdir().unwrap();
    let mut vocabulary = vec!["<pad>", "<unk>"];
    vocabulary.extend(words);
    let classes = bias.len();
    let labels: Vec<String> = (0..classes).map(|class| format!("class{class}")).collect();
    let config: Map<String, _> = [
        ("format", json!("fissure-golden-1")),
        ("architecture", json!(architecture)),
        ("num_classes", json!(classes)),
        ("labels", json!(labels)),
        ("vocab", json!(vocabulary)),
        ("max_words", json!(9)),
        ("embedding_dim", json!(width)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    let tensor = |name: &str, shape: Vec<usize>, values| Tensor { name: name.into(), shape, values };
    let mut tensors = vec![tensor("emb.weight", vec![vocabulary.len(), width], rows)];
    tensors.extend(body);
    tensors.push(tensor("fc.weight", vec![classes, weight.len() / classes], weight));
    tensors.push(tensor("fc.bias", vec![classes], bias));
    write(folder.path(), &config, &tensors).unwrap();
    LocalClassifier::of("tiny", None, fissure_models::open(folder.path()).unwrap().into())
}

/// A model of reviews.
pub fn critic() -> LocalClassifier {
    model(&[
        ("good", [4.0, 0.0]),
        ("great", [5.0, 0.0]),
        ("fine", [1.0, 0.0]),
        ("decent", [0.5, 0.0]),
        ("film", [0.0, 0.5]),
        ("movie", [0.0, 2.0]),
        ("picture", [0.0, 1.5]),
        ("acting", [1.0, 0.0]),
        ("playing", [0.0, 1.0]),
        ("story", [0.5, 0.0]),
        ("tale", [0.0, 2.5]),
        ("loved", [3.0, 0.0]),
        ("liked", [0.5, 0.5]),
    ])
}

pub fn reviews() -> Vec<Sample> {
    let texts = [
        "A good film with great acting and a good story.",
        "We loved the film, the acting was fine.",
        "The film was good, and the story was great.",
        "Loved it: good acting, good story, and 2 good songs.",
        "This film tells a good story about the lawyer of a small town.",
    ];
    texts.iter().enumerate().map(|(at, text)| Sample::of_text(format!("review{at}"), *text)).collect()
}

/// Everything that recipes may need, simple enough to be seen through.
pub fn resources(model: &LocalClassifier) -> AttackResources {
    use fissure_ask::Respondent as _;
    let near = r#"{"good": ["fine", "decent", "great"], "great": ["good", "fine"], "film": ["movie", "picture"],
        "acting": ["playing"], "story": ["tale"], "loved": ["liked"], "the": ["that"], "small": ["tiny", "little"]}"#;
    let inside = model.inside().unwrap();
    AttackResources {
        for_parts: Resources::toy(),
        synonyms: Some(Arc::new(Synonyms::read(near.as_bytes()).unwrap())),
        given: None,
        gradients: true,
        additive: inside.bag().is_some(),
        texts: false,
    }
}
