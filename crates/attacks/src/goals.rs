//! What an attack wants of the model.

use fissure_core::{Entry, choices};

use crate::Goal;

/// Every goal, in the order of lists.
pub static ALL: &[&Entry<dyn Goal>] =
    &[&untargeted::ENTRY, &targeted::ENTRY, &confidence::ENTRY, &fewest_words::ENTRY, &other_output::ENTRY];

choices! {
    /// What a search climbs.
    pub enum Score {
        /// One minus the probability of the right label, as most papers have it.
        Probability = "probability",
        /// The lead of the best other label over the right one, in nats.
        Margin = "margin",
    }
}

pub mod untargeted {
    use super::Score;
    use crate::{Attempt, Goal, State, Verdict};

    attack_part! { Goal;
        /// Any label but the right one.
        pub struct Untargeted {
            /// What the search climbs: `margin` is the lead of the best other label in nats, `probability` is 1 - p(right).
            score: Score = Score::Margin;
        }
    }

    impl Goal for Untargeted {
        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            verdict.predicted != attempt.gold
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            match self.score {
                Score::Probability => 1.0 - verdict.probability(attempt.gold),
                Score::Margin => verdict.lead_over(attempt.gold),
            }
        }
    }
}

pub mod targeted {
    use super::Score;
    use crate::{Attempt, Goal, State, Verdict};

    attack_part! { Goal;
        /// One label, which `--target LABEL` names.
        pub struct Targeted {
            /// What the search climbs: the lead of the wanted label in nats, or its probability.
            score: Score = Score::Margin;
        }
    }

    impl Goal for Targeted {
        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            Some(verdict.predicted) == attempt.target
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            let target = attempt.target.unwrap_or(attempt.gold);
            match self.score {
                Score::Probability => verdict.probability(target),
                Score::Margin => -verdict.lead_over(target),
            }
        }
    }
}

pub mod confidence {
    use crate::{Attempt, Goal, State, Verdict};

    attack_part! { Goal;
        /// The right label with a probability below a threshold, or another label.
        pub struct Confidence {
            /// The probability of the right label must fall below this.
            below: f64 = 0.7, in 0.0..=1.0;
        }
    }

    impl Goal for Confidence {
        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            verdict.predicted != attempt.gold || verdict.probability(attempt.gold) < self.below
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            1.0 - verdict.probability(attempt.gold)
        }
    }
}

pub mod fewest_words {
    use crate::{Attempt, Goal, State, Verdict};

    attack_part! { Goal;
        /// As few words as possible with the same answer: what is left shows what the model goes by.
        pub struct FewestWords {}
    }

    impl Goal for FewestWords {
        fn reached(&self, attempt: &Attempt<'_>, state: &State, verdict: &Verdict) -> bool {
            // A text without words shows nothing.
            verdict.predicted == attempt.gold && !state.is_empty() && state.len() < attempt.victim.words.len()
        }

        fn score(&self, attempt: &Attempt<'_>, state: &State, verdict: &Verdict) -> f64 {
            let share = state.len() as f64 / attempt.victim.words.len().max(1) as f64;
            if verdict.predicted == attempt.gold { share } else { -1.0 }
        }

        fn goes_on(&self) -> bool {
            true
        }
    }
}

pub mod other_output {
    use crate::{Attempt, Goal, Resource, State, Verdict};

    attack_part! { Goal;
        /// Another text than before, of a model that answers with texts. No model of a class can be asked for it.
        pub struct OtherOutput {}
    }

    impl Goal for OtherOutput {
        fn reached(&self, _: &Attempt<'_>, _: &State, _: &Verdict) -> bool {
            false
        }

        fn score(&self, _: &Attempt<'_>, _: &State, _: &Verdict) -> f64 {
            0.0
        }

        fn needs(&self) -> Vec<Resource> {
            vec![Resource::TextModel]
        }
    }
}
