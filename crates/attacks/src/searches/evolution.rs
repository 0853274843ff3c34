use crate::{Attempt, Result, Search, State};

attack_part! { Search;
    /// Differential evolution over one change: where it is and what it is, as two numbers (SciPy's best1bin).
    ///
    /// A generation is asked about in one call.
    pub struct Evolution {
        /// How many changes live at a time.
        population: usize = 32, in 4..=10_000;
        /// How many generations.
        generations: usize = 10, in 1..=10_000;
    }
}

/// The chance that a number is taken from the mutant.
const CROSSING: f64 = 0.7;

impl Search for Evolution {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let lists: Vec<Vec<State>> =
            attempt.open_words().into_iter().map(|word| attempt.candidates(&State::default(), word)).collect();
        let lists: Vec<Vec<State>> = lists.into_iter().filter(|list| !list.is_empty()).collect();
        if lists.is_empty() {
            return Ok(());
        }
        let state = |[word, candidate]: &[f64; 2]| {
            let list = &lists[((word * lists.len() as f64) as usize).min(lists.len() - 1)];
            list[((candidate * list.len() as f64) as usize).min(list.len() - 1)].clone()
        };
        let mut dice = attempt.dice("evolution", &[]);
        let mut genes: Vec<[f64; 2]> = (0..self.population).map(|_| [dice.unit(), dice.unit()]).collect();
        let unanswered = |score: &Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
        let first: Vec<State> = genes.iter().map(state).collect();
        let mut scores: Vec<f64> = attempt.attack(&first)?.iter().map(unanswered).collect();
        for _ in 0..self.generations {
            if attempt.is_over() {
                return Ok(());
            }
            let best = (0..genes.len())
                .reduce(|best, next| if scores[next] > scores[best] { next } else { best })
                .unwrap_or(0);
            let force = 0.5 + 0.5 * dice.unit();
            let trials: Vec<[f64; 2]> = (0..genes.len())
                .map(|at| {
                    let others = dice.choose(genes.len(), 2);
                    let forced = dice.below(2);
                    std::array::from_fn(|gene| {
                        let mutant = genes[best][gene] + force * (genes[others[0]][gene] - genes[others[1]][gene]);
                        let crosses = dice.chance(CROSSING) || gene == forced;
                        // What leaves the range is drawn again.
                        let inside = if (0.0..1.0).contains(&mutant) { mutant } else { dice.unit() };
                        if crosses { inside } else { genes[at][gene] }
                    })
                })
                .collect();
            let states: Vec<State> = trials.iter().map(state).collect();
            for (at, score) in attempt.attack(&states)?.iter().map(unanswered).enumerate() {
                if score >= scores[at] {
                    (genes[at], scores[at]) = (trials[at], score);
                }
            }
        }
        Ok(())
    }
}
