use fissure_models::Input;

use crate::lines::Lines;
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
        let Some(inside) = attempt.questions.inside() else { return Vec::new() };
        let words: Vec<String> =
            inside.words().into_iter().filter(|word| word.chars().all(char::is_alphabetic)).collect();
        let inputs: Vec<Input<'_>> = words.iter().map(|word| Input::from(word.as_str())).collect();
        let (Ok(points), Ok(lines)) = (inside.embed(&inputs), Lines::of(attempt, state)) else { return Vec::new() };
        let mut ranked: Vec<(f64, usize)> = points
            .iter()
            .enumerate()
            .filter_map(|(at, point)| Some((lines.lead_after(word, &Lines::mean_row(point)?)?, at)))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let now = state.word(&attempt.victim, word);
        ranked.into_iter().take(self.count).map(|(_, at)| crate::resources::follow(now, &words[at])).collect()
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Gradients]
    }
}
