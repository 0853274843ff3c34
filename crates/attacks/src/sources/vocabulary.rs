use std::collections::HashSet;

use crate::lines::Towards;
use crate::{Attempt, Change, Resource, Source, State};

attack_part! { Source;
    /// The words of the model's vocabulary whose embeddings raise the loss most, by its gradient.
    pub struct Vocabulary {
        /// How many of them for each word.
        count: usize = 1, in 1..=1000;
        /// Only words with at least this cosine to the word, by the table of near words; -1 takes any.
        near: f64 = -1.0, in -1.0..=1.0;
    }
}

impl Source for Vocabulary {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let words = attempt.questions.vocabulary();
        let Ok(lines) = attempt.lines(state, Towards::All) else { return Vec::new() };
        let now = state.word(&attempt.victim, word);
        let near = self.near_words(attempt, &now.to_lowercase());
        let known = words.iter().enumerate();
        let allowed = known.filter(|(_, (word, _))| near.as_ref().is_none_or(|near| near.contains(word)));
        let mut ranked: Vec<(f64, usize)> =
            allowed.filter_map(|(at, (_, row))| Some((lines.lead_after(word, row)?, at))).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked.into_iter().take(self.count).map(|(_, at)| crate::resources::follow(now, &words[at].0)).collect()
    }

    fn looks_around(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Resource> {
        if self.near > -1.0 { vec![Resource::Gradients, Resource::Vectors] } else { vec![Resource::Gradients] }
    }
}

impl Vocabulary {
    /// The words that are near enough; `None` if any is.
    fn near_words(&self, attempt: &Attempt<'_>, word: &str) -> Option<HashSet<String>> {
        let mut found = (self.near > -1.0).then(HashSet::new)?;
        attempt.resources().near(word, |near, cosine| {
            // A table of the user's own without numbers says of all its words that they are near.
            if cosine.is_none_or(|cosine| cosine >= self.near) {
                found.insert(near.to_lowercase());
            }
        });
        Some(found)
    }
}
