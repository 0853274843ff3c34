use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fissure_models::Input;

use super::best;
use crate::lines::{Lines, Towards};
use crate::{Attempt, Resource, Result, Search, State};

attack_part! { Search;
    /// Ranks all candidates of all words by the gradient, asks about the best few, keeps the best, and draws the line again.
    pub struct Line {
        /// How many candidates are asked about if the first does not help.
        width: usize = 8, in 1..=1000;
        /// The most steps.
        steps: usize = 40, in 1..=10_000;
        /// Whether a step may change several words at once.
        together: bool = false;
    }
}

impl Search for Line {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let score = attempt.first_score();
        self.climb(attempt, (State::default(), score), &mut Rows::default(), options)
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Gradients]
    }
}

/// The rows of candidates that were embedded.
#[derive(Default)]
pub(super) struct Rows(HashMap<Arc<str>, Option<Arc<[f32]>>>);

impl Rows {
    /// Embeds the words that are not known yet, each alone.
    pub fn learn<'s>(&mut self, attempt: &Attempt<'_>, words: impl Iterator<Item = &'s Arc<str>>) -> Result<()> {
        let mut new: Vec<Arc<str>> = words.filter(|word| !self.0.contains_key(*word)).cloned().collect();
        new.sort_unstable();
        new.dedup();
        let Some(inside) = attempt.questions.inside().filter(|_| !new.is_empty()) else { return Ok(()) };
        let inputs: Vec<Input<'_>> = new.iter().map(|word| Input::from(&**word)).collect();
        let rows = inside.embed(&inputs)?.iter().map(|point| Lines::mean_row(point).map(Arc::from)).collect::<Vec<_>>();
        self.0.extend(new.into_iter().zip(rows));
        Ok(())
    }

    pub fn of(&self, word: &str) -> Option<Arc<[f32]>> {
        self.0.get(word).cloned().flatten()
    }
}

/// A changed word, the text with it, and the row of what the word became.
pub(super) type Changed = (usize, State, Arc<[f32]>);

/// Every text that one more changed word makes of a state, with the word and the row of what it becomes.
pub(super) fn options(attempt: &Attempt<'_>, state: &State, rows: &mut Rows) -> Result<Vec<Changed>> {
    let all: Vec<(usize, State)> = attempt
        .open_words()
        .into_iter()
        .flat_map(|word| attempt.candidates(state, word).into_iter().map(move |new| (word, new)))
        .collect();
    let with = |word: usize, new: &State| new.get(word).map(|change| Arc::clone(&change.with));
    let words: Vec<Arc<str>> = all.iter().filter_map(|(word, new)| with(*word, new)).collect();
    rows.learn(attempt, words.iter())?;
    let mut found: Vec<Changed> = Vec::new();
    for (word, new) in all {
        let Some(row) = with(word, &new).and_then(|word| rows.of(&word)) else { continue };
        // Candidates of a word that the model reads alike are asked about once.
        let of_word = found.iter().rev().take_while(|known| known.0 == word);
        if !of_word.into_iter().any(|known| known.2 == row) {
            found.push((word, new, row));
        }
    }
    Ok(found)
}

/// A state with several words changed at once; a change that does not go with the others is left out.
pub(super) fn joined<'o>(attempt: &Attempt<'_>, state: &State, options: impl Iterator<Item = &'o Changed>) -> State {
    let mut joined = state.clone();
    for (word, new, _) in options {
        let other = match new.get(*word) {
            Some(change) => joined.with(*word, change.clone()),
            None => joined.without(*word),
        };
        if attempt.allows(&other, Some(*word)) {
            joined = other;
        }
    }
    joined
}

impl Line {
    /// Searches from a state that has a score; `options` lists what one step can make of a state.
    pub(super) fn climb(
        &self,
        attempt: &mut Attempt<'_>,
        (mut state, mut score): (State, f64),
        rows: &mut Rows,
        options: fn(&Attempt<'_>, &State, &mut Rows) -> Result<Vec<Changed>>,
    ) -> Result<()> {
        for _ in 0..self.steps {
            if attempt.is_over() {
                return Ok(());
            }
            let lines = attempt.lines(&state, Towards::All)?;
            let options = options(attempt, &state, rows)?;
            let mut ranked: Vec<(f64, usize)> = options
                .iter()
                .enumerate()
                .filter_map(|(at, (word, _, row))| Some((lines.lead_after(*word, row)?, at)))
                .collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // The best candidate of each word comes before the second best of any.
            let mut words = HashSet::new();
            let (first, rest): (Vec<_>, Vec<_>) = ranked.iter().partition(|(_, at)| words.insert(options[*at].0));
            let ranked: Vec<usize> = first.iter().chain(&rest).map(|(_, at)| *at).collect();
            let mut found = None;
            // The best alone and with the next ones; if nothing helps, one by one, more and more of them.
            let together: Vec<State> = self
                .together
                .then(|| [2, 4, 8].iter())
                .into_iter()
                .flatten()
                .filter_map(|size| {
                    let several = ranked.get(..*size).filter(|_| *size <= first.len())?;
                    Some(joined(attempt, &state, several.iter().map(|at| &options[*at])))
                })
                .collect();
            let singles = |from: usize, to: usize| -> Vec<State> {
                ranked.iter().take(to).skip(from).map(|at| options[*at].1.clone()).collect()
            };
            let tries =
                [[singles(0, 1), together].concat(), singles(1, self.width), singles(self.width, 3 * self.width)];
            for states in tries {
                let scores = attempt.attack(&states)?;
                if let Some((at, better)) = best(&scores).filter(|(_, better)| *better > score) {
                    found = Some((states[at].clone(), better));
                }
                if found.is_some() || attempt.is_over() {
                    break;
                }
            }
            match found {
                Some(better) => (state, score) = better,
                None => return Ok(()),
            }
        }
        Ok(())
    }
}
