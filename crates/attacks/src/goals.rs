//! Goals of attacks: what counts as success.

use fissure_core::{Entry, choices};

use crate::Goal;

/// Every goal, in the order of lists.
pub static ALL: &[&Entry<dyn Goal>] = &[
    &untargeted::ENTRY,
    &targeted::ENTRY,
    &confidence::ENTRY,
    &fewest_words::ENTRY,
    &other_output::ENTRY,
    &task_score::ENTRY,
];

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
        /// Any label but the right one; for tags, trees and other answers any that is not wholly right.
        ///
        /// Of answers that are no labels the search climbs 1 - the task's first metric (span F1 for names, accuracy of tags).
        pub struct Untargeted {
            /// What the search climbs: `margin` is the lead of the best other label in nats, `probability` is 1 - p(right).
            score: Score = Score::Margin;
        }
    }

    impl Goal for Untargeted {
        fn is_a_label(&self) -> bool {
            true
        }

        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            verdict.output.as_ref().map_or(verdict.predicted != attempt.gold, |output| !output.right)
        }

        fn rivals(&self, attempt: &Attempt<'_>) -> Option<Vec<usize>> {
            let classes = !attempt.questions.answers_otherwise();
            classes.then(|| (0..attempt.questions.labels().len()).filter(|class| *class != attempt.gold).collect())
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            if let Some(output) = &verdict.output {
                return 1.0 - output.score("").unwrap_or(1.0);
            }
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
        fn is_a_label(&self) -> bool {
            true
        }

        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            Some(verdict.predicted) == attempt.target
        }

        fn rivals(&self, attempt: &Attempt<'_>) -> Option<Vec<usize>> {
            attempt.target.map(|target| vec![target])
        }

        fn wants_labels(&self) -> bool {
            true
        }

        fn wants_target(&self) -> bool {
            true
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

        fn wants_labels(&self) -> bool {
            true
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

        fn wants_labels(&self) -> bool {
            true
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
        /// A text that shares no word, or few, with the model's answer to the original.
        pub struct OtherOutput {
            /// The share of the words of the first answer that may come again.
            shared: f64 = 0.0, in 0.0..=1.0;
        }
    }

    /// The share of the words of the first answer that come again, each as often as it was there.
    fn shared(attempt: &Attempt<'_>, verdict: &Verdict) -> f64 {
        let words = |verdict: &Verdict| verdict.output.as_ref().map(crate::Output::words).unwrap_or_default();
        let (first, mut now) = (words(&attempt.first), words(verdict));
        let mut again = 0;
        for word in &first {
            if let Some(at) = now.iter().position(|other| other == word) {
                now.swap_remove(at);
                again += 1;
            }
        }
        again as f64 / first.len().max(1) as f64
    }

    impl Goal for OtherOutput {
        fn reached(&self, attempt: &Attempt<'_>, state: &State, verdict: &Verdict) -> bool {
            !state.is_empty() && shared(attempt, verdict) <= self.shared
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            1.0 - shared(attempt, verdict)
        }

        fn needs(&self) -> Vec<Resource> {
            vec![Resource::TextModel]
        }
    }
}

pub mod task_score {
    use crate::{Attempt, Goal, Resource, State, Verdict};

    attack_part! { Goal;
        /// An answer that a metric of the task finds worse than a limit.
        pub struct TaskScore {
            /// The metric: `BLEU`, `chrF`, `span F1`; the task's first if it is empty.
            metric: String = String::new();
            /// The score of the answer must fall below this.
            below: f64 = 1.0, in 0.0..=1.0;
        }
    }

    impl Goal for TaskScore {
        fn reached(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> bool {
            match verdict.output.as_ref() {
                Some(output) => output.score(&self.metric).is_some_and(|score| score < self.below),
                None => verdict.predicted != attempt.gold,
            }
        }

        fn score(&self, attempt: &Attempt<'_>, _: &State, verdict: &Verdict) -> f64 {
            match verdict.output.as_ref() {
                Some(output) => 1.0 - output.score(&self.metric).unwrap_or(1.0),
                None => 1.0 - verdict.probability(attempt.gold),
            }
        }

        fn needs(&self) -> Vec<Resource> {
            // These are metrics of texts; others are those of the task at hand.
            let of_texts = ["bleu", "chrf"].contains(&self.metric.to_lowercase().as_str());
            if of_texts { vec![Resource::TextModel] } else { Vec::new() }
        }
    }
}
