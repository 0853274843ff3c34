//! A text made linear: one backward pass for each rival says, to first order, what every candidate does to the answer.

use fissure_ask::input;
use fissure_models::{Embedded, Gradient};

use crate::{Attempt, Error, Result, State};

/// The straight lines through a text, one for each class that could win.
pub(crate) struct Lines {
    rivals: Vec<Rival>,
}

struct Rival {
    /// How far it is ahead of the right class.
    lead: f64,
    /// What each word does; empty if the line was not drawn.
    words: Vec<Option<WordLine>>,
}

/// The gradient of a lead over the rows of a word, and what leaving its present rows does.
type WordLine = (Vec<f32>, f64);

/// Which lines are drawn: each costs a backward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Towards {
    All,
    /// The rival of this number.
    One(usize),
}

impl Lines {
    /// The lines at a text. How far each class is ahead is known of all.
    pub fn of(attempt: &Attempt<'_>, state: &State, towards: Towards) -> Result<Self> {
        let inside = attempt.questions.inside().ok_or_else(|| Error::Unavailable("it gives no gradients".into()))?;
        let question = state.question(&attempt.victim);
        let point =
            inside.embed(&[input(&question)])?.pop().ok_or_else(|| Error::Unavailable("it reads nothing".into()))?;
        let classes = attempt.questions.labels().len();
        let gold = attempt.gold;
        let rivals: Vec<usize> = match attempt.target {
            Some(target) => vec![target],
            None => (0..classes).filter(|class| *class != gold).collect(),
        };
        let drawn: Vec<usize> = match towards {
            Towards::All => rivals.clone(),
            Towards::One(number) => rivals.get(number).copied().into_iter().collect(),
        };
        let weights = |class: usize| {
            let mut weights = vec![0.0; classes];
            weights[gold] -= 1.0;
            weights[class] += 1.0;
            weights
        };
        let ask = |_: usize, _: &[f32]| drawn.iter().map(|class| weights(*class)).collect();
        let pulled = inside.pull_back(std::slice::from_ref(&point), &ask)?;
        let Some(pulled) = pulled.into_iter().next() else { return Err(Error::Unavailable("it reads nothing".into())) };
        attempt.backward.set(attempt.backward.get() + pulled.gradients.len());
        let pieces = pieces_of_words(attempt, state, &point);
        let centre = centre(&point);
        let rivals = rivals.iter().map(|class| {
            let gradient = drawn.iter().position(|known| known == class).and_then(|at| pulled.gradients.get(at));
            let words = |gradient| {
                pieces.iter().map(|(own, features)| line(&point, gradient, &centre, own, features)).collect()
            };
            Rival {
                lead: f64::from(pulled.logits[*class]) - f64::from(pulled.logits[gold]),
                words: gradient.map(words).unwrap_or_default(),
            }
        });
        Ok(Self { rivals: rivals.collect() })
    }

    /// Whether the lines are there.
    pub fn have(&self, towards: Towards) -> bool {
        match towards {
            Towards::All => self.rivals.iter().all(Rival::is_drawn),
            Towards::One(number) => self.rivals.get(number).is_none_or(Rival::is_drawn),
        }
    }

    /// How many classes could win.
    pub fn rivals(&self) -> usize {
        self.rivals.len()
    }

    /// How far a class is ahead now.
    pub fn lead(&self, rival: usize) -> f64 {
        self.rivals[rival].lead
    }

    /// How much a word's new row helps a class, to first order.
    pub fn shift(&self, rival: usize, word: usize, row: &[f32]) -> Option<f64> {
        let (slope, leaving) = self.rivals[rival].words.get(word)?.as_ref()?;
        Some(dot(slope, row) + leaving)
    }

    /// The best lead of any class with a line after one new word.
    pub fn lead_after(&self, word: usize, row: &[f32]) -> Option<f64> {
        (0..self.rivals.len())
            .filter_map(|rival| Some(self.lead(rival) + self.shift(rival, word, row)?))
            .reduce(f64::max)
    }

    /// The row that stands for a word that was embedded alone; nothing if the model does not read it.
    pub fn mean_row(point: &Embedded) -> Option<Vec<f32>> {
        let own = point.pieces.iter().enumerate().filter(|(_, piece)| piece.word.is_some()).map(|(at, _)| at);
        let mut sum = vec![0.0; point.rows.width];
        let mut count = 0;
        for at in own {
            sum.iter_mut().zip(point.rows.row(at)).for_each(|(sum, value)| *sum += value);
            count += 1;
        }
        sum.iter_mut().for_each(|value| *value /= count as f32);
        (count > 0).then_some(sum)
    }

    /// What to pull back for the gradient of the loss: p - 1[gold] over the logits.
    pub fn loss_weights(logits: &[f32], gold: usize) -> Vec<f32> {
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut weights: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        weights[gold] -= 1.0;
        weights
    }

    /// How much the loss depends on each word: the L1 norm of its gradient, the mean over its rows.
    pub fn norms(attempt: &Attempt<'_>, state: &State) -> Result<Vec<f64>> {
        let inside = attempt.questions.inside().ok_or_else(|| Error::Unavailable("it gives no gradients".into()))?;
        let question = state.question(&attempt.victim);
        let Some(point) = inside.embed(&[input(&question)])?.pop() else { return Ok(Vec::new()) };
        let gold = attempt.gold;
        let ask = |_: usize, logits: &[f32]| vec![Self::loss_weights(logits, gold)];
        let pulled = inside.pull_back(std::slice::from_ref(&point), &ask)?;
        attempt.backward.set(attempt.backward.get() + 1);
        let Some(gradient) = pulled.first().and_then(|pulled| pulled.gradients.first()) else { return Ok(Vec::new()) };
        let norm = |at: &usize| gradient.row(*at).iter().map(|value| f64::from(value.abs())).sum::<f64>();
        let pieces = pieces_of_words(attempt, state, &point);
        Ok(pieces.iter().map(|(own, _)| own.iter().map(norm).sum::<f64>() / own.len().max(1) as f64).collect())
    }
}

impl Rival {
    fn is_drawn(&self) -> bool {
        !self.words.is_empty()
    }
}

/// For each word of the attempt, its rows and those of features (bigrams) that it is part of.
fn pieces_of_words(attempt: &Attempt<'_>, state: &State, point: &Embedded) -> Vec<(Vec<usize>, Vec<usize>)> {
    let victim = &attempt.victim;
    let edits = state.edits(victim);
    let mut found = Vec::with_capacity(victim.words.len());
    for (at, word) in victim.words.iter().enumerate() {
        let before = edits.iter().filter(|edit| edit.field == word.field && edit.span.start < word.span.start);
        let moved: isize = before.map(|edit| edit.with.len() as isize - edit.span.len() as isize).sum();
        let start = word.span.start.saturating_add_signed(moved);
        let end = start + state.word(victim, at).len();
        let touches = |piece: &fissure_models::Piece| {
            piece.source.as_ref().is_some_and(|(field, range)| {
                usize::from(*field) == word.field && range.start < end && start < range.end
            })
        };
        let touching = point.pieces.iter().enumerate().filter(|(_, piece)| touches(piece));
        let (own, features) = touching.partition::<Vec<_>, _>(|(_, piece)| piece.word.is_some());
        found.push((own.iter().map(|(at, _)| *at).collect(), features.iter().map(|(at, _)| *at).collect()));
    }
    found
}

/// The gradient over the rows of a word, and what it does that its rows, and the features it is part of, leave the text.
fn line(point: &Embedded, gradient: &Gradient, centre: &[f32], own: &[usize], features: &[usize]) -> Option<WordLine> {
    if own.is_empty() {
        return None;
    }
    let mut slope = vec![0.0; point.rows.width];
    let mut leaving = 0.0;
    for at in own {
        slope.iter_mut().zip(gradient.row(*at)).for_each(|(sum, value)| *sum += value);
        leaving -= dot(gradient.row(*at), point.rows.row(*at));
    }
    // In an encoder the other rows miss a word that they attend to: half of what a change does to it, and no slope knows.
    leaving += own.iter().filter_map(|at| gradient.absences().get(*at)).map(|gained| f64::from(*gained)).sum::<f64>();
    // A row that leaves a mean moves that mean as if the row had moved to it.
    for at in features {
        leaving += dot(gradient.row(*at), centre) - dot(gradient.row(*at), point.rows.row(*at));
    }
    Some((slope, leaving))
}

fn centre(point: &Embedded) -> Vec<f32> {
    let mut sum = vec![0.0; point.rows.width];
    let count = point.pieces.len();
    for at in 0..count {
        sum.iter_mut().zip(point.rows.row(at)).for_each(|(sum, value)| *sum += value);
    }
    sum.iter_mut().for_each(|value| *value /= count.max(1) as f32);
    sum
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
