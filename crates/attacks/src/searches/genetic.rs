use fissure_core::Dice;

use super::best;
use crate::{Attempt, Result, Search, State};

attack_part! { Search;
    /// Breeds texts: changed copies are crossed, better parents more often, and each child is changed once more.
    ///
    /// Children hold the constraints against the original, or the better parent takes their place.
    pub struct Genetic {
        /// How many texts live at a time.
        population: usize = 60, in 2..=10_000;
        /// How many generations.
        generations: usize = 20, in 1..=10_000;
        /// Parents are drawn with a probability that goes with exp(score / this).
        temperature: f64 = 0.3, in 0.001..=1000.0;
        /// Whether generation 0 holds the best change of each word, children are crossed at one point, and words may change again.
        improved: bool = false;
        /// How often one word may change in a text, if `improved`.
        changes: usize = 5, in 1..=1000;
    }
}

/// A text with what it may still do.
#[derive(Clone)]
struct Member {
    state: State,
    score: f64,
    /// How likely each word is drawn next: how many candidates it had.
    weights: Vec<f64>,
    /// How often each word may still change.
    left: Vec<usize>,
}

/// How often a child that breaks a constraint is crossed again.
const RETRIES: usize = 20;

impl Search for Genetic {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let words = attempt.open_words();
        let counts: Vec<f64> =
            words.iter().map(|word| attempt.candidates(&State::default(), *word).len() as f64).collect();
        let left = vec![if self.improved { self.changes } else { usize::MAX }; words.len()];
        let first = Member { state: State::default(), score: attempt.first_score(), weights: counts, left };
        if first.weights.iter().all(|weight| *weight == 0.0) {
            return Ok(());
        }
        let mut dice = attempt.dice("genetic", &[]);
        let mut members = Vec::with_capacity(self.population);
        if self.improved {
            for (place, word) in words.iter().enumerate() {
                let candidates = attempt.candidates(&State::default(), *word);
                let scores = attempt.attack(&candidates)?;
                if let Some((at, score)) = best(&scores) {
                    members.push(self.changed(&first, place, candidates[at].clone(), score));
                }
                if attempt.is_over() {
                    return Ok(());
                }
            }
            members.sort_by(|a, b| b.score.total_cmp(&a.score));
            members.truncate(self.population);
        } else {
            for _ in 0..self.population {
                members.push(self.perturbed(attempt, &words, first.clone(), &mut dice)?);
                if attempt.is_over() {
                    return Ok(());
                }
            }
        }
        for _ in 0..self.generations {
            let Some(elite) = members.iter().reduce(|best, next| if next.score > best.score { next } else { best })
            else {
                break;
            };
            let mut next = vec![elite.clone()];
            let most = elite.score;
            let odds: Vec<f64> =
                members.iter().map(|member| ((member.score - most) / self.temperature).exp()).collect();
            while next.len() < self.population {
                let (one, other) = (drawn(&odds, &mut dice), drawn(&odds, &mut dice));
                let child = self.crossed(attempt, &words, &members[one], &members[other], &mut dice)?;
                next.push(self.perturbed(attempt, &words, child, &mut dice)?);
                if attempt.is_over() {
                    return Ok(());
                }
            }
            members = next;
        }
        Ok(())
    }
}

impl Genetic {
    fn changed(&self, member: &Member, place: usize, state: State, score: f64) -> Member {
        let mut new = Member { state, score, ..member.clone() };
        new.left[place] = new.left[place].saturating_sub(1);
        if !self.improved || new.left[place] == 0 {
            new.weights[place] = 0.0;
        }
        new
    }

    /// Changes one word of a text, drawn by how many candidates it has, if that improves it; else another one is drawn.
    fn perturbed(
        &self,
        attempt: &mut Attempt<'_>,
        words: &[usize],
        mut member: Member,
        dice: &mut Dice,
    ) -> Result<Member> {
        while member.weights.iter().any(|weight| *weight > 0.0) && !attempt.is_over() {
            let place = drawn(&member.weights, dice);
            let candidates = attempt.candidates(&member.state, words[place]);
            let scores = attempt.attack(&candidates)?;
            if let Some((at, score)) = best(&scores).filter(|(_, score)| *score > member.score) {
                return Ok(self.changed(&member, place, candidates[at].clone(), score));
            }
            member.weights[place] = 0.0;
        }
        Ok(member)
    }

    fn crossed(
        &self,
        attempt: &mut Attempt<'_>,
        words: &[usize],
        one: &Member,
        other: &Member,
        dice: &mut Dice,
    ) -> Result<Member> {
        for _ in 0..RETRIES {
            let point = dice.below(words.len().max(1));
            let mut child = one.clone();
            for (place, word) in words.iter().enumerate() {
                let of_other = if self.improved { place >= point } else { dice.chance(0.5) };
                if !of_other {
                    continue;
                }
                child.state = match other.state.get(*word) {
                    Some(change) => child.state.with(*word, change.clone()),
                    None => child.state.without(*word),
                };
                child.weights[place] = other.weights[place];
                child.left[place] = other.left[place];
            }
            if attempt.allows(&child.state, None) {
                let scores = attempt.attack(std::slice::from_ref(&child.state))?;
                if let Some(score) = scores[0] {
                    child.score = score;
                    return Ok(child);
                }
            }
        }
        Ok(if one.score >= other.score { one.clone() } else { other.clone() })
    }
}

/// A place drawn in proportion to its weight.
fn drawn(weights: &[f64], dice: &mut Dice) -> usize {
    let mut left = dice.unit() * weights.iter().sum::<f64>();
    for (at, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return at;
        }
    }
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
}
