//! The usual names of classes, what they mean, and the numbers that data sets usually give them.

use fissure_core::{Label, Sense, Spelling, TaskFacts};

/// A set of classes that data sets and models spell in several ways, in the order in which they are usually numbered.
#[derive(Debug, PartialEq, Eq)]
pub struct Convention {
    pub name: &'static str,
    classes: &'static [(Sense, &'static [&'static str])],
}

const NEGATIVE: (Sense, &[&str]) = (Sense::Negative, &["negative", "neg"]);
const POSITIVE: (Sense, &[&str]) = (Sense::Positive, &["positive", "pos"]);
const ENTAILMENT: (Sense, &[&str]) =
    (Sense::Entails, &["entailment", "entail", "entails", "entailed", "label_entailment"]);
const CONTRADICTION: (Sense, &[&str]) =
    (Sense::Contradicts, &["contradiction", "contradict", "contradicts", "contradicted"]);
const DIFFERENT: (Sense, &[&str]) = (
    Sense::Different,
    &["false", "no", "different", "not_duplicate", "not_equivalent", "not_paraphrase", "not_similar"],
);
const SAME: (Sense, &[&str]) =
    (Sense::Same, &["true", "yes", "same", "duplicate", "equivalent", "paraphrase", "similar"]);

/// SST-2 and IMDb count negative, positive; SNLI, MNLI and ANLI entailment, neutral, contradiction; RTE entailment, not;
/// MRPC, QQP and PAWS different, same.
pub const CONVENTIONS: &[Convention] = &[
    Convention { name: "sentiment", classes: &[NEGATIVE, POSITIVE] },
    Convention {
        name: "sentiment in three classes",
        classes: &[NEGATIVE, (Sense::Neutral, &["neutral", "neu"]), POSITIVE],
    },
    Convention {
        name: "natural language inference",
        classes: &[ENTAILMENT, (Sense::Neutral, &["neutral"]), CONTRADICTION],
    },
    Convention {
        name: "entailment in two classes",
        classes: &[ENTAILMENT, (Sense::NotEntails, &["not_entailment", "not-entailment"])],
    },
    Convention { name: "pairs that mean the same", classes: &[DIFFERENT, SAME] },
];

impl Convention {
    /// How many classes there are.
    #[allow(clippy::len_without_is_empty, reason = "no convention is empty")]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The usual number of the class that a label names, counted from 0.
    pub fn number(&self, label: &str) -> Option<usize> {
        self.classes.iter().position(|(_, names)| names.iter().any(|name| label.eq_ignore_ascii_case(name)))
    }

    /// What each of the labels means, by name or, if all are numbers, by number; `None` if one of them fits no class, or
    /// two fit the same.
    fn senses(&self, labels: &[Label]) -> Option<Vec<(Sense, Label)>> {
        let numbered = |label: &Label| label.to_string().parse::<usize>().ok();
        // A file with fewer numbers than classes could be of another convention; names say what they mean.
        let numbers = labels.iter().all(|label| numbered(label).is_some());
        // Two classes of entailment are numbered one way in GLUE and the other way in other sets.
        let unclear = self.classes.iter().any(|(sense, _)| *sense == Sense::NotEntails);
        if numbers && (unclear || labels.len() != self.len()) {
            return None;
        }
        let mut senses = Vec::with_capacity(labels.len());
        for label in labels {
            let at = if numbers { numbered(label)? } else { self.number(&label.to_string())? };
            let (sense, _) = self.classes.get(at)?;
            if senses.iter().any(|(known, _)| known == sense) {
                return None;
            }
            senses.push((*sense, label.clone()));
        }
        Some(senses)
    }
}

/// Further names of the classes that a copy gets, too ambiguous to show what else a file's labels mean.
const COPIES: &[(Sense, &[&str])] = &[(Sense::Entails, &["yes"]), (Sense::Same, &["match", "1", "label_1"])];

/// The label that a model which looks for the same words in both texts of a pair gives when one is a copy of the other:
/// by its name, or by the usual numbers.
pub(crate) fn label_of_copies(task: &TaskFacts, known: &[String]) -> Option<String> {
    let (sense, more) = COPIES.iter().find(|(sense, _)| task.senses.contains(sense))?;
    let usual = CONVENTIONS.iter().flat_map(|convention| convention.classes).filter(|(other, _)| other == sense);
    let names: Vec<&str> = usual.flat_map(|(_, names)| *names).chain(*more).copied().collect();
    let by_name = known.iter().find(|label| names.iter().any(|name| label.eq_ignore_ascii_case(name)));
    let labels: Vec<Label> = known.iter().map(|label| label.as_str().into()).collect();
    let by_number = || spelling(task, &labels)?.label_of(*sense).map(ToString::to_string);
    by_name.cloned().or_else(by_number)
}

/// The spelling of all labels of a data set under the conventions of a task. `None` if none fits, or two disagree.
pub(crate) fn spelling(task: &TaskFacts, labels: &[Label]) -> Option<Spelling> {
    let of_task = |convention: &&Convention| convention.classes.iter().all(|(sense, _)| task.senses.contains(sense));
    let mut fitting = CONVENTIONS.iter().filter(of_task).filter_map(|convention| convention.senses(labels));
    let mut first = fitting.next().filter(|first| !first.is_empty())?;
    let agree = fitting.all(|other| other == first);
    first.extend(opposite_of_one(&first));
    agree.then(|| Spelling::new(first))
}

/// The opposite of the only feeling that the labels name, in the same words: who writes `neg` writes `pos`.
fn opposite_of_one(senses: &[(Sense, Label)]) -> Option<(Sense, Label)> {
    let find = |wanted| senses.iter().find(|(sense, _)| *sense == wanted);
    let (label, (_, names), (sense, opposites)) = match (find(Sense::Negative), find(Sense::Positive)) {
        (Some((_, label)), None) => (label, NEGATIVE, POSITIVE),
        (None, Some((_, label))) => (label, POSITIVE, NEGATIVE),
        _ => return None,
    };
    let label = label.to_string();
    let name = *opposites.get(names.iter().position(|name| label.eq_ignore_ascii_case(name))?)?;
    let is_upper = |letter: Option<char>| letter.is_some_and(char::is_uppercase);
    let mut letters = name.chars();
    let spelled = match (is_upper(label.chars().next()), is_upper(label.chars().nth(1))) {
        (true, true) => name.to_uppercase(),
        (true, false) => letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect()),
        _ => name.to_owned(),
    };
    Some((sense, Label(spelled.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(task: &str, labels: &[&str], sense: Sense) -> Option<String> {
        let labels: Vec<Label> = labels.iter().map(|label| Label::from(*label)).collect();
        let spelling = crate::find(task).unwrap().spelling(&labels)?;
        spelling.label_of(sense).map(ToString::to_string)
    }

    #[test]
    fn a_copy_entails_and_means_the_same() {
        let of_copies = |task: &str, labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
            crate::find(task).unwrap().label_of_copies(&labels)
        };
        assert_eq!(of_copies("entailment", &["contradiction", "neutral", "Entailment"]).as_deref(), Some("Entailment"));
        assert_eq!(of_copies("entailment", &["0", "1", "2"]).as_deref(), Some("0"));
        assert_eq!(of_copies("entailment", &["1", "2", "3"]), None);
        assert_eq!(of_copies("entailment", &["0", "1"]), None);
        assert_eq!(of_copies("sm", &["0", "1"]).as_deref(), Some("1"));
        assert_eq!(of_copies("sa", &["neg", "pos"]), None);
    }

    #[test]
    fn labels_mean_what_the_conventions_of_their_task_say() {
        let contradiction = |labels: &[&str]| spelled("entailment", labels, Sense::Contradicts);
        assert_eq!(contradiction(&["entailment", "neutral", "contradiction"]).as_deref(), Some("contradiction"));
        assert_eq!(contradiction(&["2", "0", "1"]).as_deref(), Some("2"));
        assert_eq!(contradiction(&["entailment", "not_entailment"]).as_deref(), Some("not_entailment"));
        assert_eq!(contradiction(&["entailment", "unrelated"]), None);
        assert_eq!(spelled("sm", &["0", "1"], Sense::Different).as_deref(), Some("0"));
        assert_eq!(spelled("sm", &["true", "false"], Sense::Different).as_deref(), Some("false"));
        assert_eq!(spelled("sa", &["1", "0"], Sense::Positive).as_deref(), Some("1"));
        assert_eq!(spelled("sa", &["pos", "neg"], Sense::Positive).as_deref(), Some("pos"));
        for (only, opposite) in [("neg", "pos"), ("Negative", "Positive"), ("NEG", "POS")] {
            assert_eq!(spelled("sa", &[only], Sense::Positive).as_deref(), Some(opposite));
            assert_eq!(spelled("sa", &[opposite, "neutral"], Sense::Negative).as_deref(), Some(only));
        }
        assert_eq!(spelled("classification", &["pos", "neg"], Sense::Positive), None);
        assert_eq!(spelled("sa", &[], Sense::Positive), None);
        assert_eq!(spelled("sa", &["1", "2", "3", "4", "5"], Sense::Positive), None, "stars");
    }
}
