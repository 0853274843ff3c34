//! The usual names of classes, and the numbers that data sets usually give them.

/// A set of classes that data sets and models spell in several ways, in the order in which they are usually numbered.
#[derive(Debug, PartialEq, Eq)]
pub struct Usual {
    pub name: &'static str,
    classes: &'static [&'static [&'static str]],
}

const NEGATIVE: &[&str] = &["negative", "neg"];
const POSITIVE: &[&str] = &["positive", "pos"];
const ENTAILMENT: &[&str] = &["entailment", "entail", "entails", "entailed", "label_entailment"];

/// SST-2 and IMDb count negative, positive; SNLI, MNLI and ANLI entailment, neutral, contradiction; RTE entailment, not;
/// MRPC, QQP and PAWS different, same.
pub const USUAL: &[Usual] = &[
    Usual { name: "sentiment", classes: &[NEGATIVE, POSITIVE] },
    Usual { name: "sentiment in three classes", classes: &[NEGATIVE, &["neutral", "neu"], POSITIVE] },
    Usual {
        name: "natural language inference",
        classes: &[ENTAILMENT, &["neutral"], &["contradiction", "contradict", "contradicts", "contradicted"]],
    },
    Usual { name: "entailment in two classes", classes: &[ENTAILMENT, &["not_entailment", "not-entailment"]] },
    Usual {
        name: "pairs that mean the same",
        classes: &[
            &["false", "no", "different", "not_duplicate", "not_equivalent", "not_paraphrase", "not_similar"],
            &["true", "yes", "same", "duplicate", "equivalent", "paraphrase", "similar"],
        ],
    },
];

impl Usual {
    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The usual number of the class that a label names, counted from 0.
    pub fn number(&self, label: &str) -> Option<usize> {
        self.classes.iter().position(|names| names.iter().any(|name| label.eq_ignore_ascii_case(name)))
    }
}
