use fissure_core::Span;

use crate::{Attempt, Change, Resource, Source, State};

attack_part! { Source;
    /// What a masked language model puts in place of the word, given the rest of the text as it is now.
    pub struct Masked {
        /// How many of its guesses.
        count: usize = 50, in 1..=1000;
        /// Least probability of a guess.
        probability: f64 = 0.0, in 0.0..=1.0;
        /// Whether only whole words of letters count.
        whole: bool = true;
    }
}

impl Source for Masked {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let Some(masked_lm) = &attempt.resources().for_parts.masked_lm else { return Vec::new() };
        let at = attempt.victim.words[word];
        let text = state.question(&attempt.victim).fields[at.field].text.clone();
        // Where the word is after the edits before it.
        let mut start = at.span.start as isize;
        for edit in state.edits(&attempt.victim) {
            if edit.field == at.field && edit.span.start < at.span.start {
                start += edit.with.len() as isize - edit.span.len() as isize;
            }
        }
        let start = usize::try_from(start).unwrap_or(0);
        let now = state.word(&attempt.victim, word);
        let hidden = Span::new(start, start + now.len());
        if text.get(hidden.range()) != Some(now) {
            return Vec::new();
        }
        let Ok(mut guesses) = masked_lm.guess(&text, &[hidden], self.count) else { return Vec::new() };
        let is_word = |guess: &str| !self.whole || (!guess.is_empty() && guess.chars().all(char::is_alphabetic));
        let fits = |(guess, p): &(String, f32)| f64::from(*p) >= self.probability && is_word(guess.trim());
        let fitting = guesses.pop().unwrap_or_default().into_iter().filter(fits);
        fitting.map(|(guess, _)| crate::resources::follow(now, guess.trim())).collect()
    }

    fn looks_around(&self) -> bool {
        true
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::MaskedModel]
    }
}
