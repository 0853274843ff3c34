//! Trains and measures the Chinese segmenter and tagger.

use super::scores::Found;
use super::trainer::{Shuffler, Trainer};
use crate::Upos;
use crate::chinese::path::{after, all_moves, best_path};
use crate::chinese::{self, segment, tags};
use crate::perceptron::{Hash, Weights};

/// A sentence: its words with their parts of speech.
pub type Sentence = Vec<(String, Upos)>;

const SEGMENT_BITS: u32 = 20;
const TAG_BITS: u32 = 20;
const SEGMENT_EPOCHS: usize = 10;
const TAG_EPOCHS: usize = 10;
/// Weights below half of this are dropped.
const UNIT: f32 = 0.1;
const FEWEST: u16 = 2;

/// Reads a treebank in the columns of CoNLL. Parts of speech of version 1 of UD become those of version 2.
pub fn read(conllu: &str) -> Vec<Sentence> {
    let mut sentences = vec![Vec::new()];
    for line in conllu.lines().filter(|line| !line.starts_with('#')) {
        if line.is_empty() {
            sentences.push(Vec::new());
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, form, _, upos, xpos, _, _, relation, ..] = fields[..] else { continue };
        if number.bytes().all(|byte| byte.is_ascii_digit())
            && let Some(upos) = Upos::from_name(second_version(form, upos, xpos, relation))
            && let Some(sentence) = sentences.last_mut()
        {
            sentence.push((form.to_owned(), upos));
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The part of speech in version 2 of UD. What version 1 calls a particle, a verb or an adverb is cut up there by what
/// it does in the sentence; of treebanks in version 2 nothing changes.
fn second_version<'a>(form: &str, upos: &'a str, xpos: &str, relation: &str) -> &'a str {
    match (xpos, upos) {
        (_, "CONJ") => "CCONJ",
        ("VC", "VERB") if relation == "cop" => "AUX",
        ("RB", "ADV") if relation == "mark" => "SCONJ",
        ("DEC", "PART") if !relation.starts_with("case") => "SCONJ",
        ("BB", "VERB") if relation == "auxpass" => "AUX",
        ("BB", "VERB") => "ADP",
        ("DEV", "PART") if form == "地" => "SCONJ",
        ("AS", "PART") => "AUX",
        ("UH", "X") => "PART",
        _ => upos,
    }
}

/// A sentence ready for training: the features of each place, and its class.
struct Example {
    features: Vec<Vec<Hash>>,
    truth: Vec<usize>,
}

/// The weights of the segmenter.
pub fn train_segments(sentences: &[Sentence]) -> Weights {
    let examples: Vec<Example> = sentences.iter().map(segment_example).collect();
    train(&examples, segment::CLASSES, SEGMENT_BITS, SEGMENT_EPOCHS, segment::follows)
}

/// The weights of the tagger.
pub fn train_tags(sentences: &[Sentence]) -> Weights {
    let examples: Vec<Example> = sentences.iter().map(tag_example).collect();
    train(&examples, tags::CLASSES, TAG_BITS, TAG_EPOCHS, |_, _| true)
}

fn segment_example(sentence: &Sentence) -> Example {
    let characters: Vec<char> = sentence.iter().flat_map(|(word, _)| word.chars()).map(chinese::plain).collect();
    let seen = segment::Seen::of(&characters, chinese::dictionary::shipped());
    let features = (0..characters.len()).map(|at| seen.features(at).to_vec()).collect();
    let classes = |word: &String| {
        let length = word.chars().count();
        (0..length).map(move |at| segment::class(at, length))
    };
    Example { features, truth: sentence.iter().flat_map(|(word, _)| classes(word)).collect() }
}

fn tag_example(sentence: &Sentence) -> Example {
    let looks: Vec<tags::Look> =
        sentence.iter().map(|(word, _)| tags::Look::of(word, chinese::dictionary::shipped())).collect();
    let features = (0..looks.len()).map(|at| tags::features(&looks, at).to_vec()).collect();
    Example { features, truth: sentence.iter().map(|(_, upos)| upos.index()).collect() }
}

/// A structured perceptron: the best path by the weights so far is compared with the right one.
fn train(
    examples: &[Example],
    classes: usize,
    bits: u32,
    epochs: usize,
    allowed: impl Fn(usize, usize) -> bool,
) -> Weights {
    let mut trainer = Trainer::new(classes, bits);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut shuffler = Shuffler::new(1);
    let mut row = Vec::new();
    for _ in 0..epochs {
        shuffler.shuffle(&mut order);
        for at in &order {
            let Example { features, truth } = &examples[*at];
            let mut scores = Vec::with_capacity(truth.len() * classes);
            for features in features {
                trainer.score(features, &mut row);
                scores.extend_from_slice(&row);
            }
            let moves = all_moves(classes, |before, class| {
                trainer.score(&[after(before)], &mut row);
                if allowed(before, class) { row[class] } else { f32::NEG_INFINITY }
            });
            let guess = best_path(classes, &scores, &moves);
            trainer.step();
            for (place, features) in features.iter().enumerate() {
                let before = |path: &[usize]| place.checked_sub(1).map_or(classes, |before| path[before]);
                let (right, wrong) = ((before(truth), truth[place]), (before(&guess), guess[place]));
                if right.1 != wrong.1 {
                    trainer.shift(features, right.1, 1.0);
                    trainer.shift(features, wrong.1, -1.0);
                }
                if right != wrong {
                    trainer.shift(&[after(right.0)], right.1, 1.0);
                    trainer.shift(&[after(wrong.0)], wrong.1, -1.0);
                }
            }
        }
    }
    trainer.finish((0..classes as u16).collect(), UNIT, FEWEST)
}

/// How good the shipped weights are: words, parts of speech of the right words, and parts of speech of the words found.
pub fn measure(sentences: &[Sentence]) -> [Found; 3] {
    let (mut words, mut tags, mut both) = (Vec::new(), Vec::new(), Vec::new());
    let (mut gold_words, mut gold_tags) = (Vec::new(), Vec::new());
    for (number, sentence) in sentences.iter().enumerate() {
        let text: String = sentence.iter().map(|(word, _)| word.as_str()).collect();
        for word in chinese::words(&text) {
            words.push((number, word.span.start, word.span.end));
            both.push((number, word.span.start, word.span.end, word.upos));
        }
        let forms: Vec<&str> = sentence.iter().map(|(word, _)| word.as_str()).collect();
        let mut at = 0;
        for ((word, upos), tagged) in sentence.iter().zip(chinese::tag(&forms)) {
            gold_words.push((number, at, at + word.len()));
            gold_tags.push((number, at, at + word.len(), *upos));
            tags.push((number, at, at + word.len(), tagged));
            at += word.len();
        }
    }
    [Found::compare(words, gold_words), Found::compare(tags, gold_tags.clone()), Found::compare(both, gold_tags)]
}
