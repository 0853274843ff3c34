use fissure_core::choices;

use super::best;
use crate::lines::Lines;
use crate::{Attempt, Change, Resource, Result, Search, State};

choices! {
    /// What a word counts for.
    pub enum Rank {
        Delete = "delete", Unknown = "unknown", Gradient = "gradient", Saliency = "saliency", Random = "random",
    }
}

attack_part! { Search;
    /// Ranks the words once by how much they count, then changes them one by one, the best candidate of each.
    ///
    /// A candidate is kept if it brings the goal nearer; any candidate that reaches the goal ends the search.
    pub struct Importance {
        /// `delete`: the score without the word; `unknown`: with an unknown word instead; `gradient`: the size of the
        /// gradient of the loss; `saliency`: `unknown`, weighted with what the best candidate gains; `random`: by chance.
        rank: Rank = Rank::Delete;
    }
}

impl Search for Importance {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let order = self.order(attempt)?;
        let (mut state, mut score) = (State::default(), attempt.first_score());
        for word in order {
            if attempt.is_over() {
                break;
            }
            let candidates = attempt.candidates(&state, word);
            let scores = attempt.attack(&candidates)?;
            if let Some((at, found)) = best(&scores).filter(|(_, found)| *found > score) {
                state = candidates[at].clone();
                score = found;
            }
        }
        Ok(())
    }

    fn needs(&self) -> Vec<Resource> {
        if self.rank == Rank::Gradient { vec![Resource::Gradients] } else { Vec::new() }
    }
}

impl Importance {
    /// The words that may be changed, those that count most first; of equals the first.
    fn order(&self, attempt: &mut Attempt<'_>) -> Result<Vec<usize>> {
        let words = attempt.open_words();
        let without = |with: &str| -> Vec<State> {
            words.iter().map(|word| State::default().with(*word, Change::new(with))).collect()
        };
        let counts: Vec<Option<f64>> = match self.rank {
            Rank::Delete => attempt.probe(&without(""))?,
            Rank::Unknown => attempt.probe(&without(&unknown(attempt)))?,
            Rank::Gradient => {
                let norms = Lines::norms(attempt, &State::default())?;
                words.iter().map(|word| norms.get(*word).copied()).collect()
            }
            Rank::Saliency => {
                let unknown = attempt.probe(&without(&unknown(attempt)))?;
                let most = unknown.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
                let weights: Vec<f64> = unknown.iter().map(|x| x.map_or(0.0, |x| (x - most).exp())).collect();
                let sum: f64 = weights.iter().sum();
                let first = attempt.first_score();
                let mut counts = Vec::with_capacity(words.len());
                for (word, weight) in words.iter().zip(weights) {
                    if attempt.is_over() {
                        break;
                    }
                    let candidates = attempt.candidates(&State::default(), *word);
                    let gain = best(&attempt.attack(&candidates)?).map(|(_, score)| score - first);
                    counts.push(gain.map(|gain| weight / sum * gain));
                }
                counts
            }
            Rank::Random => {
                let mut dice = attempt.dice("order", &[]);
                words.iter().map(|_| Some(dice.unit())).collect()
            }
        };
        let mut ranked: Vec<(f64, usize)> =
            words.iter().zip(counts).map(|(word, count)| (count.unwrap_or(f64::NEG_INFINITY), *word)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(ranked.into_iter().map(|(_, word)| word).collect())
    }
}

/// A word that the model does not know: the mark of encoders, unless a small model would read it as a word.
fn unknown(attempt: &Attempt<'_>) -> String {
    let knows = |word: &str| attempt.questions.knows(word);
    ["[UNK]", "unkunk", "qzxunk"]
        .into_iter()
        .find(|word| !knows(&word.to_lowercase().replace(['[', ']'], "")))
        .unwrap_or("[UNK]")
        .to_owned()
}
