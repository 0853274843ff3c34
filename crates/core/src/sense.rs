//! What classes mean, whatever a file calls them.
//!
//! A part that makes a contradiction knows the *sense* of the new label; the file spells it `2`, `"contradiction"`,
//! `not_entailment` or `false`. The [`Spelling`] of a data set translates between the two. It is decided once, from all
//! labels of the data and the conventions of the task; if two conventions fit and disagree, there is none, and parts that
//! need it are skipped with that reason.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Label;

/// What a class means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sense {
    /// The second text follows from the first.
    Entails,
    /// The second text neither follows nor contradicts.
    Neutral,
    /// The two texts cannot both be true.
    Contradicts,
    /// The second text does not follow, for files that do not separate neutral from contradiction.
    NotEntails,
    /// The two texts mean the same.
    Same,
    /// The two texts mean different things.
    Different,
    Positive,
    Negative,
}

impl Sense {
    pub const ALL: &'static [Self] = &[
        Self::Entails,
        Self::Neutral,
        Self::Contradicts,
        Self::NotEntails,
        Self::Same,
        Self::Different,
        Self::Positive,
        Self::Negative,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Entails => "entails",
            Self::Neutral => "neutral",
            Self::Contradicts => "contradicts",
            Self::NotEntails => "not_entails",
            Self::Same => "same",
            Self::Different => "different",
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }

    /// The sense that an answer has once a change turned it: what was positive is negative. Neutral turns into nothing.
    const fn opposite(self) -> Option<Self> {
        match self {
            Self::Positive => Some(Self::Negative),
            Self::Negative => Some(Self::Positive),
            _ => None,
        }
    }

    /// The sense that a file without this one uses for it: a contradiction does not entail.
    const fn coarser(self) -> Option<Self> {
        match self {
            Self::Neutral | Self::Contradicts => Some(Self::NotEntails),
            _ => None,
        }
    }
}

impl fmt::Display for Sense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a data set spells the senses of its classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling(Vec<(Sense, Label)>);

impl Spelling {
    pub fn new(senses: Vec<(Sense, Label)>) -> Self {
        Self(senses)
    }

    /// Senses spelled by the usual words, as in the examples on cards.
    pub fn words() -> Self {
        let words = [
            (Sense::Entails, "entailment"),
            (Sense::Neutral, "neutral"),
            (Sense::Contradicts, "contradiction"),
            (Sense::Same, "same"),
            (Sense::Different, "different"),
            (Sense::Positive, "positive"),
            (Sense::Negative, "negative"),
        ];
        Self(words.into_iter().map(|(sense, word)| (sense, word.into())).collect())
    }

    /// The senses and their labels, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = (Sense, &Label)> {
        self.0.iter().map(|(sense, label)| (*sense, label))
    }

    /// What a label of the file means; `None` if the file uses it for nothing known.
    pub fn sense_of(&self, label: &Label) -> Option<Sense> {
        self.0.iter().find(|(_, known)| known.to_string() == label.to_string()).map(|(sense, _)| *sense)
    }

    /// The label of the file for a sense.
    pub fn label_of(&self, sense: Sense) -> Option<&Label> {
        let find = |wanted| self.0.iter().find(|(known, _)| *known == wanted).map(|(_, label)| label);
        find(sense).or_else(|| find(sense.coarser()?))
    }

    /// The label of the file for the opposite of what `label` means; `None` if it has none.
    pub fn opposite_of(&self, label: &Label) -> Option<&Label> {
        self.label_of(self.sense_of(label)?.opposite()?)
    }

    /// Whether some label has an opposite.
    pub fn has_opposites(&self) -> bool {
        self.0.iter().any(|(_, label)| self.opposite_of(label).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_two_labels_spells_a_contradiction_as_not_entailed() {
        let two =
            Spelling::new(vec![(Sense::Entails, "entailment".into()), (Sense::NotEntails, "not_entailment".into())]);
        assert_eq!(two.label_of(Sense::Contradicts), Some(&"not_entailment".into()));
        assert_eq!(two.sense_of(&"entailment".into()), Some(Sense::Entails));
        assert_eq!(two.sense_of(&"neutral".into()), None);
        assert_eq!(two.label_of(Sense::Same), None);
        let numbers = Spelling::new(vec![(Sense::Entails, Label(0.into())), (Sense::Contradicts, Label(2.into()))]);
        assert_eq!(numbers.label_of(Sense::Contradicts), Some(&Label(2.into())));
        assert_eq!(numbers.sense_of(&"0".into()), Some(Sense::Entails));
    }

    #[test]
    fn the_opposite_is_spelled_as_the_file_spells_it() {
        let (bad, so_so, good) = (Label(0.into()), Label(1.into()), Label(2.into()));
        let senses =
            vec![(Sense::Negative, bad.clone()), (Sense::Neutral, so_so.clone()), (Sense::Positive, good.clone())];
        let three = Spelling::new(senses);
        assert_eq!((three.opposite_of(&bad), three.opposite_of(&good)), (Some(&good), Some(&bad)));
        assert_eq!(three.opposite_of(&so_so), None);
        assert!(three.has_opposites());
        assert!(!Spelling::new(vec![(Sense::Positive, good)]).has_opposites());
        assert!(!Spelling::new(vec![(Sense::Same, bad), (Sense::Different, so_so)]).has_opposites());
    }
}
