//! Trains the entity tagger.

use super::trainer::{Shuffler, Trainer};
use crate::entities::{Mark, collect, spans};
use crate::perceptron::{Weights, best};
use crate::tags::{Tag, Tagger};
use crate::word_features::WordFeatures;
use crate::{Entity, EntityKind};

const BITS: u32 = 20;
const EPOCHS: usize = 6;
/// How often a gold sentence is seen for each time that a silver one is.
const GOLD_WEIGHT: usize = 4;
const UNIT: f32 = 0.3;
const FEWEST: u16 = 3;

/// A sentence whose entities are known.
#[derive(Debug, Clone)]
pub struct Marked {
    pub words: Vec<String>,
    pub marks: Vec<Mark>,
}

impl Marked {
    /// Reads sentences with a word and a mark (`B-PER`) on each line, in the given columns. Marks of other kinds of
    /// entities count as outside.
    pub fn read(text: &str, word: usize, mark: usize) -> Vec<Self> {
        let mut sentences = Vec::new();
        let mut current = Self { words: Vec::new(), marks: Vec::new() };
        for line in text.lines().chain([""]) {
            if line.is_empty() && !current.words.is_empty() {
                sentences.push(std::mem::replace(&mut current, Self { words: Vec::new(), marks: Vec::new() }));
            }
            let fields: Vec<&str> = line.split('\t').collect();
            if !line.starts_with("# ")
                && let (Some(word), Some(mark)) = (fields.get(word), fields.get(mark))
            {
                current.words.push((*word).to_owned());
                current.marks.push(parse_mark(mark));
            }
        }
        sentences
    }

    pub fn entities(&self) -> Vec<Entity> {
        spans(&self.marks)
    }

    pub fn looks(&self) -> Vec<WordFeatures> {
        self.words.iter().map(|word| WordFeatures::of(word)).collect()
    }
}

fn parse_mark(written: &str) -> Mark {
    let (place, kind) = written.split_once('-').unwrap_or_default();
    match (place, EntityKind::from_name(kind)) {
        ("B", Some(kind)) => Mark::Begin(kind),
        ("I", Some(kind)) => Mark::Inside(kind),
        _ => Mark::Outside,
    }
}

/// Learns the entities of `silver` sentences, whose marks have errors, and of `gold` ones, which are seen more often.
pub fn train(silver: &[Marked], gold: &[Marked], tags: &Weights) -> Weights {
    let labels: Vec<u16> = Mark::all().map(Mark::code).collect();
    let marks: Vec<Mark> = Mark::all().collect();
    let mut tagger = Tagger::new(tags);
    let example = |sentence: &Marked| {
        let looks = sentence.looks();
        let tags = tagger.tag(&looks);
        (looks, tags, sentence.marks.clone())
    };
    let examples: Vec<(Vec<WordFeatures>, Vec<Tag>, Vec<Mark>)> = silver.iter().chain(gold).map(example).collect();
    let again = (1..GOLD_WEIGHT).flat_map(|_| silver.len()..examples.len());
    let mut order: Vec<usize> = (0..examples.len()).chain(again).collect();
    let mut trainer = Trainer::new(labels.len(), BITS);
    let mut shuffler = Shuffler::new(5);
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for _ in 0..EPOCHS {
        shuffler.shuffle(&mut order);
        for (looks, tags, truths) in order.iter().map(|at| &examples[*at]) {
            let mut before: Vec<Mark> = Vec::with_capacity(looks.len());
            for (at, truth) in truths.iter().enumerate() {
                let previous = before.last().copied().unwrap_or_default();
                collect(looks, tags, &before, at, &mut features);
                trainer.score(&features, &mut scores);
                for (score, mark) in scores.iter_mut().zip(&marks) {
                    if !mark.may_follow(previous) && mark != truth {
                        *score = f32::MIN;
                    }
                }
                let guess = best(&scores);
                trainer.update(&features, usize::from(truth.code()), guess);
                before.push(marks[guess]);
            }
        }
    }
    trainer.finish(labels, UNIT, FEWEST)
}
