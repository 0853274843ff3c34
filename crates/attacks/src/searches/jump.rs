use std::collections::BTreeMap;
use std::sync::Arc;

use super::best;
use super::line::{Changed, Line, Rows, joined};
use crate::lines::{Lines, Towards};
use crate::{Attempt, Change, Resource, Result, Search, State};

attack_part! { Search;
    /// Changes at once as many words as the gradient says are enough, then half as many again, then all that help; draws the
    /// line again at the best of these texts, and may choose another candidate for a word that is changed already. Every other
    /// label is tried, the nearest first. If that fails, goes on word by word.
    pub struct Jump {
        /// How often it jumps towards a label before it tries the next.
        rounds: usize = 3, in 1..=100;
        /// How many candidates the steps behind the jumps ask about; 0 takes no steps.
        width: usize = 8, in 0..=1000;
        /// The most steps.
        steps: usize = 40, in 0..=10_000;
    }
}

impl Search for Jump {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let mut rows = Rows::default();
        let start = (State::default(), attempt.first_score());
        let mut nearest = start.clone();
        for rival in self.rivals(attempt, &mut rows)? {
            let (mut state, mut score) = start.clone();
            for _ in 0..self.rounds {
                let mut better: Option<(State, f64)> = None;
                for set in self.sets(attempt, &state, rival, &mut rows)? {
                    let found = best(&attempt.attack(std::slice::from_ref(&set))?).map(|(_, score)| score);
                    if attempt.is_over() {
                        return Ok(());
                    }
                    if let Some(found) = found.filter(|found| *found > better.as_ref().map_or(score, |better| better.1))
                    {
                        better = Some((set, found));
                    }
                }
                let Some(better) = better else { break };
                (state, score) = better;
            }
            if score > nearest.1 {
                nearest = (state, score);
            }
        }
        if self.width == 0 || self.steps == 0 || attempt.is_over() {
            return Ok(());
        }
        Line { width: self.width, steps: self.steps, together: false }.climb(attempt, nearest, &mut rows, choices)
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Gradients]
    }
}

impl Jump {
    /// The rivals in the order of how many words the line says they need, then of how near they come.
    fn rivals(&self, attempt: &Attempt<'_>, rows: &mut Rows) -> Result<Vec<usize>> {
        let state = State::default();
        let lines = attempt.lines(&state, Towards::All)?;
        let options = choices(attempt, &state, rows)?;
        let mut plans: Vec<(Plan, usize)> =
            (0..lines.rivals()).map(|rival| (Plan::of(&lines, &options, rival), rival)).collect();
        plans.sort_by(|(a, _), (b, _)| a.enough.cmp(&b.enough).then(b.lead.total_cmp(&a.lead)));
        Ok(plans.into_iter().filter(|(plan, _)| !plan.ranked.is_empty()).map(|(_, rival)| rival).collect())
    }

    /// Texts with several more words changed: as many as the line says are enough, half as many again, and all that help.
    fn sets(&self, attempt: &Attempt<'_>, state: &State, rival: usize, rows: &mut Rows) -> Result<Vec<State>> {
        let lines = attempt.lines(state, Towards::One(rival))?;
        let options = choices(attempt, state, rows)?;
        let plan = Plan::of(&lines, &options, rival);
        let all = plan.ranked.len();
        let enough = plan.enough.min(all);
        let mut sets: Vec<State> = Vec::new();
        for size in [enough, (enough + enough.div_ceil(2)).min(all), all] {
            let set = joined(attempt, state, plan.ranked[..size].iter().map(|(_, at)| &options[*at]));
            if !sets.contains(&set) && set != *state {
                sets.push(set);
            }
        }
        Ok(sets)
    }
}

/// The best candidate of each word for one rival.
struct Plan {
    /// How many words the line says are enough.
    enough: usize,
    /// The lead after all of them.
    lead: f64,
    /// What each adds, and which of the options it is; the most first.
    ranked: Vec<(f64, usize)>,
}

impl Plan {
    fn of(lines: &Lines, options: &[Changed], rival: usize) -> Self {
        let mut words: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for (at, (word, _, row)) in options.iter().enumerate() {
            let Some(shift) = lines.shift(rival, *word, row).filter(|shift| *shift > 0.0) else { continue };
            let known = words.entry(*word).or_insert((shift, at));
            if shift > known.0 {
                *known = (shift, at);
            }
        }
        let mut ranked: Vec<(f64, usize)> = words.into_values().collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut lead = lines.lead(rival);
        let mut enough = usize::MAX;
        for (at, (shift, _)) in ranked.iter().enumerate() {
            lead += shift;
            if lead > 0.0 {
                enough = enough.min(at + 1);
            }
        }
        Self { enough, lead, ranked }
    }
}

/// Every candidate of every word, also of words that are changed already: another candidate, or the word of the original, may
/// take the place of the first, so that the text still differs from the original by one change a word. Candidates that the model
/// reads alike come once.
fn choices(attempt: &Attempt<'_>, state: &State, rows: &mut Rows) -> Result<Vec<Changed>> {
    let mut all: Vec<(usize, Change)> = Vec::new();
    for word in attempt.open_words() {
        if state.get(word).is_some() {
            all.push((word, Change::new(attempt.victim.word(word))));
        }
        let new = attempt.candidates(&state.without(word), word);
        let changes = new.iter().filter_map(|new| new.get(word)).filter(|change| state.get(word) != Some(*change));
        all.extend(changes.map(|change| (word, change.clone())));
    }
    rows.learn(attempt, all.iter().map(|(_, change)| &change.with))?;
    let mut found: Vec<Changed> = Vec::new();
    for (word, change) in all {
        let Some(row) = rows.of(&change.with) else { continue };
        let same = |known: &&Changed| known.0 == word;
        if !found.iter().rev().take_while(same).any(|known| Arc::ptr_eq(&known.2, &row) || known.2 == row) {
            let back = *change.with == *attempt.victim.word(word) && change.along.is_empty();
            let new = if back { state.without(word) } else { state.with(word, change) };
            found.push((word, new, row));
        }
    }
    Ok(found)
}
