//! Training a tagger of tokens from nothing.

use std::cmp::Reverse;

use hashbrown::HashMap;
use rayon::prelude::*;
use serde_json::{Map, json};

use super::epochs::Course;
use super::random::Random;
use super::start::{purpose, split_sources};
use super::step::{RowSums, Step};
use super::{HeldOut, Loss, Measure, Optimizer, Progress, Tally, TrainOptions, vectors};
use crate::kernels::{Accumulate, add, multiply, scale};
use crate::layers::{Linear, Passage};
use crate::small::reader::MARKS;
use crate::small::tagger::{SHAPES, TABLES, Table, TokenIds, parts};
use crate::small::{BiLstm, BiLstmTagger, Body as _, Features, best, in_groups};
use crate::tagging::{TaggedText, Tokenised, check_tags};
use crate::{Error, Result};

/// A tagger, and how it came to be.
#[derive(Debug)]
pub struct TrainedTagger {
    pub model: BiLstmTagger,
    /// The end of each epoch.
    pub epochs: Vec<Progress>,
    /// The epoch, counted from 1, whose weights the model has: the best in validation, or the last without any.
    pub best_epoch: usize,
    /// Counted in tokens; `None` if no texts were held out.
    pub held_out: Option<HeldOut>,
}

/// A text, read, with the label of each token.
struct Text {
    tokens: Vec<TokenIds>,
    tags: Vec<usize>,
}

/// Texts of a part of a batch, whatever the threads.
const PART: usize = 8;
/// The widths of endings, beginnings and shapes.
const WIDTHS: [usize; 3] = [24, 16, 8];
/// The most endings, and the most beginnings.
const MOST_PARTS: usize = 5000;

/// Trains a tagger on texts whose tags are indices into `labels`. Of the options, those of a bilstm count.
pub fn train_tagger(
    texts: &[TaggedText],
    labels: &[String],
    options: &TrainOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<TrainedTagger> {
    options.check()?;
    check_tags(texts, labels)?;
    let split = split_sources(texts.iter().map(|text| text.source.as_deref()), options.validation, options.seed)?;
    let held_out = split.held_out_labels(|at| &texts[at].tags);
    let mut model = start(split.training.iter().map(|at| &texts[*at]), labels, options)?;
    let read = |indices: &[usize]| -> Vec<Text> {
        let text = |at: &usize| {
            let TaggedText { text, tokens, tags, .. } = &texts[*at];
            let tokens = model.read(Tokenised { text, tokens });
            Text { tags: tags[..tokens.len()].to_vec(), tokens }
        };
        indices.iter().map(text).filter(|text| !text.tokens.is_empty()).collect()
    };
    let [training, validation] = [&split.training, &split.validation].map(|indices| read(indices));
    if training.is_empty() {
        return Err(Error::TooFewExamples { found: 0, held_out: validation.len() });
    }
    let mut follower = Follower::new(&mut model, options.optimizer);
    let mut step = |model: &mut BiLstmTagger, members: &[usize], epoch: usize| {
        let rate = options.rate * options.rate_decay.powi(epoch as i32 - 1);
        follower.step(model, &training, members, options, epoch, rate)
    };
    let measured =
        |model: &BiLstmTagger| Ok((!validation.is_empty()).then(|| measure(model, &validation, options.loss)));
    let mut course = Course {
        step: &mut step,
        measure: &measured,
        keep: &BiLstmTagger::clone,
        restore: &mut |model: &mut BiLstmTagger, best| *model = best,
    };
    let (epochs, best_epoch, found) = options.epochs().run(&mut model, training.len(), &mut course, progress)?;
    if let Some(found) = found {
        model.notes.insert("val_accuracy".to_owned(), json!(found.accuracy));
    }
    model.notes.insert("train_examples".to_owned(), json!(training.len()));
    model.notes.insert("seed".to_owned(), json!(options.seed));
    model.notes.insert(super::recipe::KEY.to_owned(), options.recipe());
    Ok(TrainedTagger { model, epochs, best_epoch, held_out })
}

/// A tagger with what the texts know, and random weights.
fn start<'a>(
    texts: impl Iterator<Item = &'a TaggedText>,
    labels: &[String],
    options: &TrainOptions,
) -> Result<BiLstmTagger> {
    let mut counts: [HashMap<String, usize>; 3] = Default::default();
    for TaggedText { text, tokens, .. } in texts {
        for token in tokens.iter().take(options.max_words) {
            for (counts, part) in counts.iter_mut().zip(parts(&text[token.clone()])) {
                *counts.entry(part).or_insert(0) += 1;
            }
        }
    }
    let most = [options.words, MOST_PARTS, MOST_PARTS];
    let mut most = most.into_iter();
    let lists = counts.map(|counts| {
        let most = most.next().unwrap_or(MOST_PARTS);
        let mut frequent: Vec<(String, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= options.fewest_occurrences).collect();
        frequent.sort_unstable_by(|a, b| (Reverse(a.1), &a.0).cmp(&(Reverse(b.1), &b.0)));
        let known = frequent.into_iter().map(|(part, _)| part).filter(|part| !MARKS.contains(&part.as_str()));
        MARKS.map(str::to_owned).into_iter().chain(known.take(most)).collect::<Vec<_>>()
    });
    let mut random = Random::of(&[options.seed, purpose::WEIGHTS]);
    let rows = [lists[0].len(), lists[1].len(), lists[2].len(), SHAPES];
    let widths = [options.embedding_width, WIDTHS[0], WIDTHS[1], WIDTHS[2]];
    let mut tables = [0, 1, 2, 3].map(|at: usize| {
        let (rows, width) = (rows[at], widths[at]);
        Table { width, values: random.between(rows * width, 0.25) }
    });
    if let Some(path) = &options.vectors {
        vectors::read_into(path, &lists[0], options.embedding_width, &mut tables[0].values)?;
    }
    let body = BiLstm::random(widths.iter().sum(), options.hidden, &mut random);
    let wide = body.features();
    let head = Linear { weight: random.fan_in(labels.len() * wide, wide), bias: vec![0.0; labels.len()] };
    let features = Features::new(lists).expect("entries are keys of a map, and no marks: none comes twice");
    let (labels, max_words) = (labels.to_vec(), options.max_words);
    Ok(BiLstmTagger { features, tables, body, head, labels, max_words, notes: Map::new() })
}

/// Loss and accuracy without dropout.
fn measure(model: &BiLstmTagger, texts: &[Text], loss: Loss) -> Measure {
    let lengths: Vec<usize> = texts.iter().map(|text| text.tokens.len()).collect();
    let found = in_groups(&lengths, BiLstm::GROUP, |group| {
        let rows: Vec<Vec<f32>> = group.iter().map(|text| model.gather(&texts[*text].tokens)).collect();
        let (_, states) = model.states(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let score = |(text, states): (&usize, &Vec<f32>)| {
            let mut tally = Tally::default();
            for (state, tag) in states.chunks_exact(model.body.features()).zip(&texts[*text].tags) {
                tally.add(one(&model.head.forward(state), *tag, loss).0);
            }
            tally
        };
        Ok::<_, std::convert::Infallible>(group.iter().zip(&states).map(score).collect())
    });
    let mut total = Tally::default();
    // Summed in the order of the texts, so that the last digit does not depend on the threads.
    found.into_iter().flatten().for_each(|tally: Tally| total.add(tally));
    total.measure()
}

/// What one token adds, and the gradient of its logits.
fn one(logits: &[f32], tag: usize, loss: Loss) -> (Tally, Vec<f32>) {
    let (loss, pull) = loss.of(logits, tag);
    (Tally { loss, right: usize::from(best(logits) == tag), labelled: 1 }, pull)
}

/// The weights' running moments, and room for sums.
struct Follower {
    steps: u32,
    /// First and second moments of every list of weights, and then of the tables.
    moments: Vec<[Vec<f32>; 2]>,
    rows: [RowSums; TABLES],
}

/// What one part of a batch gives.
struct Part {
    tally: Tally,
    /// Of the body, then the head's weight and bias.
    weights: Vec<Vec<f32>>,
    /// Of the tokens of each text.
    rows: Vec<(usize, Vec<f32>)>,
}

impl Follower {
    fn new(model: &mut BiLstmTagger, optimizer: Optimizer) -> Self {
        let rows = [0, 1, 2, 3].map(|at: usize| {
            let table = &model.tables[at];
            RowSums::new(table.values.len() / table.width)
        });
        let zeros = |length: usize| [vec![0.0; length], vec![0.0; length]];
        let moments = match optimizer {
            Optimizer::Sgd => Vec::new(),
            Optimizer::Adam(_) => {
                let lengths: Vec<usize> = weights_mut(model).iter().map(|weights| weights.len()).collect();
                lengths.into_iter().chain(model.tables.iter().map(|table| table.values.len())).map(zeros).collect()
            }
        };
        Self { steps: 0, moments, rows }
    }

    /// Moves the model one step down the gradient of the texts of a batch.
    fn step(
        &mut self,
        model: &mut BiLstmTagger,
        texts: &[Text],
        batch: &[usize],
        options: &TrainOptions,
        epoch: usize,
        rate: f32,
    ) -> Tally {
        let parts: Vec<Part> =
            batch.par_chunks(PART).map(|part| gradient(model, texts, part, options, epoch)).collect();
        let mut tally = Tally::default();
        let mut total: Option<Vec<Vec<f32>>> = None;
        let width = model.width();
        for part in parts {
            tally.add(part.tally);
            for (text, rows) in part.rows {
                for (ids, row) in texts[text].tokens.iter().zip(rows.chunks_exact(width)) {
                    let mut row = row;
                    for ((sums, table), id) in self.rows.iter_mut().zip(&model.tables).zip(ids) {
                        let (now, rest) = row.split_at(table.width);
                        sums.add(&[*id], now, table.width);
                        row = rest;
                    }
                }
            }
            match &mut total {
                None => total = Some(part.weights),
                Some(total) => total.iter_mut().zip(&part.weights).for_each(|(total, part)| add(part, total)),
            }
        }
        self.steps += 1;
        let step = Step::new(options.optimizer, self.steps, rate);
        let share = 1.0 / tally.labelled.max(1) as f32;
        let mut moments = self.moments.iter_mut();
        for (weights, mut gradient) in weights_mut(model).into_iter().zip(total.unwrap_or_default()) {
            scale(share, &mut gradient);
            let [first, second] = moments.next().map_or([&mut [][..], &mut []], |[first, second]| [first, second]);
            step.follow(weights, &gradient, first, second);
        }
        for (sums, table) in self.rows.iter_mut().zip(&mut model.tables) {
            sums.scale(share);
            sums.follow(&mut table.values, table.width, moments.next(), &step);
        }
        model.body.refresh();
        tally
    }
}

/// The gradient of one part of a batch, summed over its tokens.
fn gradient(model: &BiLstmTagger, texts: &[Text], part: &[usize], options: &TrainOptions, epoch: usize) -> Part {
    let mut order = part.to_vec();
    order.sort_by_key(|text| Reverse(texts[*text].tokens.len()));
    let rows: Vec<Vec<f32>> = order.iter().map(|text| model.gather(&texts[*text].tokens)).collect();
    let points: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
    let (tape, mut states) = model.states(&points);
    let wide = model.body.features();
    let mut weights: Vec<Vec<f32>> = model.body.weight_lengths().into_iter().map(|length| vec![0.0; length]).collect();
    let (mut head_weight, mut head_bias) = (vec![0.0; model.head.weight.len()], vec![0.0; model.head.bias.len()]);
    let mut tally = Tally::default();
    for (text, states) in order.iter().zip(&mut states) {
        let mut random = Random::of(&[options.seed, purpose::DROPOUT, epoch as u64, *text as u64]);
        for (state, tag) in states.chunks_exact_mut(wide).zip(&texts[*text].tags) {
            let kept = options.dropout > 0.0;
            let dropout = options.dropout;
            let mut mask = || if random.uniform() < dropout { 0.0 } else { 1.0 / (1.0 - dropout) };
            let mask: Option<Vec<f32>> = kept.then(|| (0..wide).map(|_| mask()).collect());
            mask.iter().for_each(|mask| multiply(mask, state));
            let (found, pull) = one(&model.head.forward(state), *tag, options.loss);
            tally.add(found);
            Linear::backward_weights(&pull, state, &mut head_weight, &mut head_bias);
            model.head.backward(&pull, state);
            mask.iter().for_each(|mask| multiply(mask, state));
        }
    }
    let inputs = backward(model, &tape, &points, &states, &mut weights);
    weights.extend([head_weight, head_bias]);
    Part { tally, weights, rows: order.into_iter().zip(inputs).collect() }
}

/// The gradient of the rows of all texts, from that of the states at their tokens; adds those of the LSTM's weights.
fn backward(
    model: &BiLstmTagger,
    tape: &[Vec<Passage>; 2],
    points: &[&[f32]],
    states: &[Vec<f32>],
    weights: &mut [Vec<f32>],
) -> Vec<Vec<f32>> {
    let hidden = model.body.directions[0].hidden();
    let mut inputs: Vec<Vec<f32>> = points.iter().map(|point| vec![0.0; point.len()]).collect();
    for (way, (lstm, passages)) in model.body.directions.iter().zip(tape).enumerate() {
        let own = |both: &Vec<f32>| {
            both.chunks_exact(2 * hidden).flat_map(|both| &both[way * hidden..][..hidden]).copied().collect()
        };
        let states: Vec<Vec<f32>> = states.iter().map(own).collect();
        let gates = lstm.backward_states(&passages.iter().collect::<Vec<_>>(), &states);
        for (at, gates) in gates.iter().enumerate() {
            let into = if way == 0 { Accumulate::Overwrite } else { Accumulate::Add };
            lstm.backward_inputs(gates, &mut inputs[at], into);
            if let [input, recurrent, bias] = &mut weights[3 * way..][..3] {
                lstm.backward_weights(points[at], &passages[at], gates, [input, recurrent, bias]);
            }
        }
    }
    inputs
}

fn weights_mut(model: &mut BiLstmTagger) -> Vec<&mut Vec<f32>> {
    let mut weights = model.body.weights_mut();
    weights.extend([&mut model.head.weight, &mut model.head.bias]);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Vec<TaggedText> {
        let one = |text: &str, tags: &[usize]| {
            let starts = text.split(' ').scan(0, |at, word| {
                let start = *at;
                *at += word.len() + 1;
                Some(start..start + word.len())
            });
            TaggedText { text: text.to_owned(), tokens: starts.collect(), tags: tags.to_vec(), source: None }
        };
        vec![
            one("The cat saw Ann .", &[0, 1, 2, 1, 3]),
            one("Ann saw the cats", &[1, 2, 0, 1]),
            one("the cat", &[0, 1]),
            one("saw", &[2]),
        ]
    }

    /// Every gradient of a batch against differences of its loss.
    #[test]
    fn gradients_agree_with_finite_differences() {
        let labels = ["D", "N", "V", "."].map(str::to_owned);
        let options = TrainOptions {
            embedding_width: 5,
            hidden: 6,
            fewest_occurrences: 1,
            dropout: 0.0,
            ..TrainOptions::new(super::super::Architecture::BiLstm)
        };
        let examples = texts();
        let mut model = start(examples.iter(), &labels, &options).unwrap();
        let read = |text: &TaggedText| Text {
            tokens: model.read(Tokenised { text: &text.text, tokens: &text.tokens }),
            tags: text.tags.clone(),
        };
        let texts: Vec<Text> = examples.iter().map(read).collect();
        let part: Vec<usize> = (0..texts.len()).collect();
        let found = gradient(&model, &texts, &part, &options, 1);
        let loss = |model: &BiLstmTagger| gradient(model, &texts, &part, &options, 1).tally.loss;
        assert_eq!(found.tally.labelled, 12);

        let step = 1e-2_f32;
        let check = |what: &str, slope: f64, difference: f64| {
            assert!((slope - difference).abs() < 2e-3 * slope.abs().max(1.0), "{what}: {slope} {difference}");
        };
        for list in 0..found.weights.len() {
            let original = weights_mut(&mut model)[list].clone();
            let direction = Random::of(&[list as u64]).between(original.len(), 1.0);
            let mut at = |sign: f32| {
                let moved = original.iter().zip(&direction).map(|(x, e)| x + sign * step * e);
                *weights_mut(&mut model)[list] = moved.collect();
                model.body.refresh();
                loss(&model)
            };
            let difference = (at(1.0) - at(-1.0)) / f64::from(2.0 * step);
            *weights_mut(&mut model)[list] = original;
            model.body.refresh();
            let slope: f64 = found.weights[list].iter().zip(&direction).map(|(g, e)| f64::from(g * e)).sum();
            check(&format!("list {list}"), slope, difference);
        }
        // Along a direction of each table: what its rows get is the sum over the tokens that have them.
        for table in 0..TABLES {
            let original = model.tables[table].values.clone();
            let width = model.tables[table].width;
            let direction = Random::of(&[table as u64, 9]).between(original.len(), 1.0);
            let mut at = |sign: f32| {
                model.tables[table].values =
                    original.iter().zip(&direction).map(|(x, e)| x + sign * step * e).collect();
                loss(&model)
            };
            let difference = (at(1.0) - at(-1.0)) / f64::from(2.0 * step);
            model.tables[table].values = original;
            let before: usize = model.tables[..table].iter().map(|table| table.width).sum();
            let mut slope = 0.0;
            for (text, rows) in &found.rows {
                for (ids, row) in texts[*text].tokens.iter().zip(rows.chunks_exact(model.width())) {
                    let direction = &direction[ids[table] as usize * width..][..width];
                    slope += row[before..][..width].iter().zip(direction).map(|(g, e)| f64::from(g * e)).sum::<f64>();
                }
            }
            check(&format!("table {table}"), slope, difference);
        }
    }
}
