use fissure_text::{ngrams, tokens};

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// A language model finds the words around a change at most so much less likely than in the original.
    ///
    /// By the built-in trigram model, which stands in for a neural one.
    pub struct Fluency {
        /// The most nats that may be lost.
        nats: f64 = 5.0, in 0.0..=1000.0;
        /// How many words around a change are scored; 0 scores whole texts.
        window: usize = 6, in 0..=1000;
    }
}

fn log_probability(text: &str) -> f64 {
    let words: Vec<String> = tokens(text).iter().map(|token| ngrams::english_token(token.text(text))).collect();
    ngrams::english().log_probability(&words)
}

impl Constraint for Fluency {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let victim = &attempt.victim;
        let holds = |word: usize| {
            let field = victim.words[word].field;
            let first = victim.words.partition_point(|word| word.field < field);
            let last = victim.words.partition_point(|word| word.field <= field);
            let (from, to) = match self.window {
                0 => (first, last),
                window => (word.saturating_sub(window / 2).max(first), (word + window / 2 + 1).min(last)),
            };
            let old = log_probability(&State::default().window(victim, from, to));
            old - log_probability(&state.window(victim, from, to)) <= self.nats
        };
        match changed {
            Some(word) => holds(word),
            None => state.words().all(holds),
        }
    }

    fn is_separable(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::CausalModel]
    }
}
