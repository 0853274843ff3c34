use hashbrown::HashSet;

use crate::{Attempt, Result, Search, State};

attack_part! { Search;
    /// Changes one word at a time and keeps the best few texts; with a width of 1 it is greedy.
    ///
    /// Every candidate of every word of every kept text is asked about. Ends when no score improves twice running.
    pub struct Beam {
        /// How many texts are kept.
        width: usize = 1, in 1..=1000;
    }
}

impl Search for Beam {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let words = attempt.open_words();
        let mut kept = vec![State::default()];
        let (mut best, mut misses) = (attempt.first_score(), 0);
        while misses < 2 && !attempt.is_over() {
            let mut seen = HashSet::new();
            let mut next: Vec<State> = Vec::new();
            for state in &kept {
                for word in &words {
                    // Only several kept texts can lead to the same one.
                    let alone = kept.len() == 1;
                    let candidates = attempt.candidates(state, *word).into_iter();
                    next.extend(candidates.filter(|new| alone || seen.insert(new.clone())));
                }
            }
            if next.is_empty() {
                break;
            }
            let scores = attempt.attack(&next)?;
            let mut ranked: Vec<(f64, usize)> =
                scores.iter().enumerate().filter_map(|(at, score)| Some(((*score)?, at))).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            match ranked.first() {
                Some((score, _)) if *score > best => (best, misses) = (*score, 0),
                _ => misses += 1,
            }
            kept = ranked.into_iter().take(self.width).map(|(_, at)| next[at].clone()).collect();
        }
        Ok(())
    }
}
