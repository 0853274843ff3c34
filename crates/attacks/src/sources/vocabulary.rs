use crate::lines::Towards;
use crate::{Attempt, Change, Resource, Source, State};

attack_part! { Source;
    /// The words of the model's vocabulary whose embeddings raise the loss most, by its gradient.
    pub struct Vocabulary {
        /// How many of them for each word.
        count: usize = 1, in 1..=1000;
    }
}

impl Source for Vocabulary {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let words = attempt.questions.vocabulary();
        let Ok(lines) = attempt.lines(state, Towards::All) else { return Vec::new() };
        let mut ranked: Vec<(f64, usize)> =
            words.iter().enumerate().filter_map(|(at, (_, row))| Some((lines.lead_after(word, row)?, at))).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let now = state.word(&attempt.victim, word);
        ranked.into_iter().take(self.count).map(|(_, at)| crate::resources::follow(now, &words[at].0)).collect()
    }

    fn looks_around(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Gradients]
    }
}
