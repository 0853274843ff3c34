use fissure_core::Dice;

use super::best;
use crate::{Attempt, Result, Search, State};

attack_part! { Search;
    /// A swarm of texts: each moves word by word to the best that it and all have seen, and sometimes changes a word.
    pub struct Swarm {
        /// How many texts.
        population: usize = 60, in 2..=10_000;
        /// How many rounds.
        rounds: usize = 20, in 1..=10_000;
        /// Whether a text that changes may change several words at once, by a law with a long tail (Levy flights).
        levy: bool = false;
    }
}

/// The largest speed of a word.
const SPEED: f64 = 3.0;

struct Member {
    state: State,
    score: f64,
    best: (State, f64),
    speed: Vec<f64>,
}

impl Search for Swarm {
    fn run(&self, attempt: &mut Attempt<'_>) -> Result<()> {
        let words = attempt.open_words();
        let mut dice = attempt.dice("swarm", &[]);
        let first = attempt.first_score();
        // What the best candidate of each word gains decides which word is changed.
        let mut gains = Vec::with_capacity(words.len());
        for word in &words {
            let candidates = attempt.candidates(&State::default(), *word);
            let found = best(&attempt.attack(&candidates)?);
            gains.push(found.map_or(0.0, |(_, score)| (score - first).max(0.0)));
            if attempt.is_over() {
                return Ok(());
            }
        }
        if gains.iter().all(|gain| *gain == 0.0) {
            return Ok(());
        }
        let mut members = Vec::with_capacity(self.population);
        for _ in 0..self.population {
            let (state, score) = mutated(attempt, &words, &gains, (State::default(), first), &mut dice)?;
            let speed = words.iter().map(|_| SPEED * (2.0 * dice.unit() - 1.0)).collect();
            members.push(Member { best: (state.clone(), score), state, score, speed });
            if attempt.is_over() {
                return Ok(());
            }
        }
        let mut global = top(&members);
        for round in 0..self.rounds {
            let share = round as f64 / self.rounds.max(2).saturating_sub(1).max(1) as f64;
            // From exploring to converging.
            let (inertia, own, all) = (0.8 - 0.6 * share, 0.8 - 0.6 * share, 0.2 + 0.6 * share);
            for member in &mut members {
                for (place, word) in words.iter().enumerate() {
                    let pull = |to: &State| if to.get(*word) == member.state.get(*word) { -SPEED } else { SPEED };
                    let speed =
                        inertia * member.speed[place] + (1.0 - inertia) * (pull(&member.best.0) + pull(&global.0));
                    member.speed[place] = speed.clamp(-SPEED, SPEED);
                }
                for (chance, to) in [(own, member.best.0.clone()), (all, global.0.clone())] {
                    if dice.chance(chance) {
                        let moved = turned(&words, member, &to, &mut dice);
                        if moved != member.state && attempt.allows(&moved, None) {
                            if let Some(score) = attempt.attack(std::slice::from_ref(&moved))?[0] {
                                (member.state, member.score) = (moved, score);
                            }
                            if attempt.is_over() {
                                return Ok(());
                            }
                        }
                    }
                }
                let changed = member.state.len() as f64 / words.len() as f64;
                if dice.chance(1.0 - 2.0 * changed) {
                    for _ in 0..self.flight(&mut dice) {
                        let now = (member.state.clone(), member.score);
                        (member.state, member.score) = mutated(attempt, &words, &gains, now, &mut dice)?;
                        if attempt.is_over() {
                            return Ok(());
                        }
                    }
                }
                if member.score > member.best.1 {
                    member.best = (member.state.clone(), member.score);
                }
            }
            let found = top(&members);
            if found.1 > global.1 {
                global = found;
            }
        }
        Ok(())
    }
}

impl Swarm {
    /// How many words a text changes at once.
    fn flight(&self, dice: &mut Dice) -> usize {
        if !self.levy {
            return 1;
        }
        // The tail of a Levy law with exponent 1.5.
        ((1.0 - dice.unit()).powf(-1.0 / 1.5) as usize).clamp(1, 10)
    }
}

fn top(members: &[Member]) -> (State, f64) {
    let best = members.iter().map(|member| &member.best).reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.cloned().unwrap_or_default()
}

/// Each word goes to `to` with the probability that its speed says.
fn turned(words: &[usize], member: &Member, to: &State, dice: &mut Dice) -> State {
    let mut state = member.state.clone();
    for (place, word) in words.iter().enumerate() {
        if dice.chance(1.0 / (1.0 + (-member.speed[place]).exp())) {
            state = match to.get(*word) {
                Some(change) => state.with(*word, change.clone()),
                None => state.without(*word),
            };
        }
    }
    state
}

/// The best change of a word that is drawn by what it gains.
fn mutated(
    attempt: &mut Attempt<'_>,
    words: &[usize],
    gains: &[f64],
    now: (State, f64),
    dice: &mut Dice,
) -> Result<(State, f64)> {
    let mut left = dice.unit() * gains.iter().sum::<f64>();
    let place = gains.iter().position(|gain| {
        left -= gain;
        left < 0.0
    });
    let Some(place) = place.or_else(|| gains.iter().rposition(|gain| *gain > 0.0)) else { return Ok(now) };
    let candidates = attempt.candidates(&now.0, words[place]);
    let scores = attempt.attack(&candidates)?;
    Ok(best(&scores).map_or(now, |(at, score)| (candidates[at].clone(), score)))
}
