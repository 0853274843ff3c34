use std::collections::BTreeMap;

use super::best;
use super::line::{Line, Rows, joined, options};
use crate::{Attempt, Resource, Result, Search, State};

attack_part! { Search;
    /// Changes at once as many words as the gradient says are enough, then half as many again; if that fails, one by one.
    pub struct Jump {
        /// How often it jumps before it goes on word by word.
        rounds: usize = 2, in 1..=100;
        /// How many candidates the steps behind the jumps ask about; 0 takes no steps.
        width: usize = 8, in 0..=1000;
        /// The most steps.
        steps: usize = 40, in 0..=10_000;
    }
}

impl Search for Jump {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let mut rows = Rows::default();
        let (mut state, mut score) = (State::default(), attempt.first_score());
        for _ in 0..self.rounds {
            if attempt.is_over() {
                return Ok(());
            }
            let sets = self.sets(attempt, &state, &mut rows)?;
            let scores = attempt.attack(&sets)?;
            match best(&scores).filter(|(_, better)| *better > score) {
                Some((at, better)) => (state, score) = (sets[at].clone(), better),
                None => break,
            }
        }
        if self.width == 0 || attempt.is_over() {
            return Ok(());
        }
        Line { width: self.width, steps: self.steps, together: false }.go_on(attempt, (state, score), &mut rows)
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Gradients]
    }
}

impl Jump {
    /// The smallest set of changes that the line says is enough, one half again as large, and the single best; all that are
    /// allowed.
    fn sets(&self, attempt: &Attempt<'_>, state: &State, rows: &mut Rows) -> Result<Vec<State>> {
        let lines = attempt.lines(state)?;
        let options = options(attempt, state, rows)?;
        let mut plans: Vec<Plan> = Vec::new();
        for rival in 0..lines.rivals() {
            // The best candidate of each word for this rival.
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
            ranked.truncate(attempt.most().saturating_sub(state.len()));
            let mut lead = lines.lead(rival);
            let mut enough = None;
            for (at, (shift, _)) in ranked.iter().enumerate() {
                lead += shift;
                if lead > 0.0 && enough.is_none() {
                    enough = Some(at + 1);
                }
            }
            plans.push(Plan { enough: enough.unwrap_or(usize::MAX), lead, ranked });
        }
        // The rival that needs fewest words; if none is reached, the one that comes nearest.
        plans.sort_by(|a, b| a.enough.cmp(&b.enough).then(b.lead.total_cmp(&a.lead)));
        let Some(plan) = plans.into_iter().find(|plan| !plan.ranked.is_empty()) else { return Ok(Vec::new()) };
        let all = plan.ranked.len();
        let enough = plan.enough.min(all);
        let mut sets: Vec<State> = Vec::new();
        for size in [enough, (enough + enough.div_ceil(2)).min(all), 1] {
            let set = joined(attempt, state, plan.ranked[..size].iter().map(|(_, at)| &options[*at]));
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        Ok(sets)
    }
}

struct Plan {
    /// How many words the line says are enough.
    enough: usize,
    /// The lead after all of them.
    lead: f64,
    ranked: Vec<(f64, usize)>,
}
