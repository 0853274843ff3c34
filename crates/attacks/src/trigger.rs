//! Triggers (Wallace et al. 2019): a few words that, put before any text of a class, turn the model's answers.
//!
//! The gradient at the words of the trigger, added up over texts, ranks every word of the vocabulary for every place; the best
//! few are tried on the texts, and a beam keeps the best triggers. What it does to texts that took no part is the result.

use fissure_ask::input;
use fissure_core::{Edit, Sample, splice};
use fissure_models::{Embedded, Input, WhiteBox};
use fissure_statistics::{Estimate, proportion};
use rayon::prelude::*;
use serde::Serialize;

use crate::lines::Lines;
use crate::{Error, Result, Target};

/// How a trigger is looked for.
#[derive(Debug, Clone, Copy)]
pub struct TriggerOptions {
    /// How many words it has.
    pub words: usize,
    /// How many words are tried at each place.
    pub tried: usize,
    /// How many triggers are kept from round to round.
    pub beam: usize,
    pub rounds: usize,
}

/// A trigger and what it does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trigger {
    pub words: Vec<String>,
    /// Texts that it was made on, and accuracy on them without and with it.
    pub made_on: usize,
    pub made_before: Option<Estimate>,
    pub made_after: Option<Estimate>,
    /// The same on texts that took no part.
    pub unseen: usize,
    pub unseen_before: Option<Estimate>,
    pub unseen_after: Option<Estimate>,
}

/// Looks for a trigger against a class on `made`, and measures it on `unseen`: texts whose right class is `gold`. `pause` is
/// called before each question, and may unwind.
pub fn trigger(
    target: &Target<'_>,
    (made, unseen): (&[Sample], &[Sample]),
    gold: usize,
    options: TriggerOptions,
    pause: &dyn Fn(),
) -> Result<Trigger> {
    let inside = target.inside().ok_or_else(|| Error::Unavailable("it gives no gradients".into()))?;
    let search = Search { inside, gold, texts: made, pause };
    // Words that say nothing of themselves: the search moves on from them.
    let start = vec!["the".to_owned(); options.words];
    let vocabulary = target.vocabulary();
    let mut beam: Vec<(f64, Vec<String>)> = vec![(search.loss(&start)?, start)];
    for _ in 0..options.rounds {
        let before = beam[0].0;
        for place in 0..options.words {
            let mut next = beam.clone();
            for (_, words) in &beam {
                let slope = search.slope(words, place)?;
                let mut ranked: Vec<(f64, &String)> =
                    vocabulary.iter().map(|(word, row)| (dot(&slope, row), word)).collect();
                ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
                for (_, word) in ranked.into_iter().take(options.tried) {
                    let mut tried = words.clone();
                    tried[place].clone_from(word);
                    if next.iter().all(|(_, known)| *known != tried) {
                        next.push((search.loss(&tried)?, tried));
                    }
                }
            }
            next.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            next.truncate(options.beam);
            beam = next;
        }
        if beam[0].0 <= before {
            break;
        }
    }
    let words = beam.swap_remove(0).1;
    let measured = |texts: &[Sample]| -> Result<(Option<Estimate>, Option<Estimate>)> {
        let search = Search { texts, ..search };
        Ok((proportion(search.right(&[])?, texts.len()), proportion(search.right(&words)?, texts.len())))
    };
    let (made_before, made_after) = measured(made)?;
    let (unseen_before, unseen_after) = measured(unseen)?;
    Ok(Trigger {
        made_on: made.len(),
        made_before,
        made_after,
        unseen: unseen.len(),
        unseen_before,
        unseen_after,
        words,
    })
}

/// The words before the first open text of a sample.
pub fn with_trigger(sample: &Sample, words: &[String]) -> Sample {
    let mut new = Sample { id: sample.id.clone(), fields: sample.fields.clone(), ..Sample::default() };
    if let Some(field) = new.fields.iter_mut().find(|field| field.open).filter(|_| !words.is_empty()) {
        let edit = Edit::insert(0, format!("{} ", words.join(" ")));
        field.text = splice(&field.text, &[edit]).into();
    }
    new
}

#[derive(Clone, Copy)]
struct Search<'a> {
    inside: &'a dyn WhiteBox,
    gold: usize,
    texts: &'a [Sample],
    pause: &'a dyn Fn(),
}

impl Search<'_> {
    fn log_probs(&self, words: &[String]) -> Result<Vec<Vec<f32>>> {
        (self.pause)();
        let samples: Vec<Sample> = self.texts.par_iter().map(|text| with_trigger(text, words)).collect();
        let inputs: Vec<Input<'_>> = samples.iter().map(input).collect();
        let answers = self.inside.answer(&inputs)?;
        Ok(answers.into_iter().map(|answer| answer.log_probs.unwrap_or_default()).collect())
    }

    /// The mean loss of the right class.
    fn loss(&self, words: &[String]) -> Result<f64> {
        let sum: f64 =
            self.log_probs(words)?.iter().map(|log| -f64::from(log.get(self.gold).copied().unwrap_or(0.0))).sum();
        Ok(sum / self.texts.len().max(1) as f64)
    }

    fn right(&self, words: &[String]) -> Result<usize> {
        let best = |log: &Vec<f32>| (0..log.len()).reduce(|best, c| if log[c] > log[best] { c } else { best });
        Ok(self.log_probs(words)?.iter().filter(|log| best(log) == Some(self.gold)).count())
    }

    /// The gradient of the loss at one word of the trigger, added up over the texts.
    fn slope(&self, words: &[String], place: usize) -> Result<Vec<f32>> {
        (self.pause)();
        let samples: Vec<Sample> = self.texts.iter().map(|text| with_trigger(text, words)).collect();
        let points: Vec<Embedded> = self.inside.embed(&samples.iter().map(input).collect::<Vec<_>>())?;
        let gold = self.gold;
        let ask = |_: usize, logits: &[f32]| vec![Lines::loss_weights(logits, gold)];
        let pulled = self.inside.pull_back(&points, &ask)?;
        let start: usize = words[..place].iter().map(|word| word.len() + 1).sum();
        let end = start + words[place].len();
        let mut slope = vec![0.0; points.first().map_or(0, |point| point.rows.width)];
        for (sample, (point, pulled)) in samples.iter().zip(points.iter().zip(&pulled)) {
            let field = sample.fields.iter().position(|field| field.open).unwrap_or(0);
            let Some(gradient) = pulled.gradients.first() else { continue };
            for (at, piece) in point.pieces.iter().enumerate().filter(|(_, piece)| piece.word.is_some()) {
                let touches = piece
                    .source
                    .as_ref()
                    .is_some_and(|(of, range)| usize::from(*of) == field && range.start < end && start < range.end);
                if touches {
                    slope.iter_mut().zip(gradient.row(at)).for_each(|(sum, value)| *sum += value);
                }
            }
        }
        Ok(slope)
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
