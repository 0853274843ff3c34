use crate::{Attempt, Constraint};

attack_part! { Constraint;
    /// At most a share of the words of a sample is changed, and at most a number of them.
    pub struct ShareOfWords {
        /// The largest share; of 25 words, 0.2 allows 5.
        share: f64 = 1.0, in 0.0..=1.0;
        /// Whether a fraction of a word is rounded up.
        round_up: bool = false;
        /// The number that is allowed whatever the share.
        least: usize = 0;
        /// The most words.
        most: usize = usize::MAX;
    }
}

impl Constraint for ShareOfWords {
    fn most(&self, attempt: &Attempt<'_>) -> usize {
        let fields = attempt.victim.sample.fields.iter().filter(|field| field.open);
        let words = fields.map(|field| field.text.words().count()).sum::<usize>() as f64;
        // 0.2 of 25 is 5, whatever binary fractions say.
        let share = match self.round_up {
            true => (self.share * words - 1e-9).ceil(),
            false => (self.share * words + 1e-9).floor(),
        };
        (share.max(0.0) as usize).max(self.least).min(self.most)
    }
}
