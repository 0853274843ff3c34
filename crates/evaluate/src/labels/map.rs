//! Which of the model's labels a data set means by its own: one rule for the whole set, never label by label.

use fissure_core::Sample;

use super::{LabelError, LabelMatch, LabelSurvey, given};
use fissure_tasks::{CONVENTIONS, Convention};

/// What every label of a data set means to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelMap {
    rule: Rule,
    known: Vec<String>,
    /// What the user said, in place of the rule: a label of the data, and the class, if it is to be scored.
    given: Vec<(String, Option<usize>)>,
    /// The labels that were seen, in order, and their classes.
    pairs: Vec<(String, Option<usize>)>,
    /// Whether these are all labels of the data.
    whole: bool,
}

/// How a whole set of labels is read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// The data has no labels.
    Nothing,
    Names,
    /// By numbers, counted from 0 or 1, in the order of the model's labels.
    Numbers(usize),
    /// By the convention names of the same classes.
    Spelled(&'static Convention),
    /// By the numbers that these classes usually have, counted from 0 or 1.
    Numbered(&'static Convention, usize),
    Given,
}

impl LabelMap {
    /// Matches the labels of a data set with those of a model: as `given` says, or else by the one reading that fits all
    /// of them. Where two readings fit, `ask` has the model answer some samples (with `None` for no answer), to show the
    /// user how often each reading is right.
    pub fn new(
        known: &[String],
        survey: &LabelSurvey,
        given: &[String],
        ask: impl FnOnce(&[Sample]) -> Option<Vec<Option<usize>>>,
    ) -> Result<Self, LabelError> {
        let given = classes(known, &given::parse(given)?)?;
        let is_given = |label: &str| given.iter().any(|(known, _)| known == label);
        if let Some(label) = known.iter().find(|label| survey.is_undecided(label) && !is_given(label)) {
            return Err(LabelError::MinusOne { label: label.clone() });
        }
        let is_scored = |label: &&str| !given.iter().any(|(known, class)| known == label && class.is_none());
        let counts = |label: &&str| survey.may_be_class(known, label);
        let mut readings = Self::readings(known, survey.labels().filter(is_scored).filter(counts));
        if !given.is_empty() && survey.labels().all(is_given) {
            readings.clear();
        }
        readings.retain(|map| given.iter().all(|(label, class)| class.is_none() || map.says(label, *class)));
        if readings.len() > 1 && !counts_from_zero(known) {
            // The model's own names say how it counts, unless they are nothing but positions.
            let named: Vec<Self> = readings.iter().filter(|map| map.rule == Rule::Names).cloned().collect();
            readings = if named.is_empty() { readings } else { named };
        }
        let seen = |label: &&&str| survey.labels().any(|seen| seen == **label);
        let ruled_out = survey.ruled_out().iter().filter(seen).filter(|label| !is_given(label));
        let settled: Vec<_> = given.iter().cloned().chain(ruled_out.map(|label| ((*label).to_owned(), None))).collect();
        let with_given = |map: Self| Self { given: settled.clone(), ..map }.surveyed(survey);
        let mut readings: Vec<Self> = readings.into_iter().map(with_given).collect();
        match readings.len() {
            0 => {}
            1 => {
                let map = readings.remove(0);
                // One pair that the user gave is enough to show that the order means something.
                if map.trusts_letters() && given.is_empty() {
                    let samples = survey.scored();
                    let predicted = ask(&samples);
                    return Err(LabelError::in_letters(&map, survey, &samples, predicted.as_deref()));
                }
                return Ok(map);
            }
            _ => {
                let samples = survey.scored();
                let predicted = ask(&samples);
                return Err(LabelError::ambiguous(&readings, survey, &samples, predicted.as_deref()));
            }
        }
        // What the user named goes by that, and the rest by name.
        let rule = if given.iter().any(|(_, class)| class.is_some()) { Rule::Given } else { Rule::Names };
        let map = Self { given: settled, ..Self::reading(rule, known) }.surveyed(survey);
        let left_out = |label: &str| survey.is_marker(label) || map.given.iter().any(|(known, _)| known == label);
        let unknown: Vec<String> = map
            .pairs
            .iter()
            .filter(|(label, class)| class.is_none() && !left_out(label))
            .map(|p| p.0.clone())
            .collect();
        if unknown.is_empty() { Ok(map) } else { Err(LabelError::unknown(&unknown, survey, known)) }
    }

    /// By name alone: for test data whose labels mean what those of the training data mean.
    pub fn by_name(known: &[String], survey: &LabelSurvey) -> Result<Self, LabelError> {
        let map = Self::reading(Rule::Names, known).surveyed(survey);
        let strange = |(label, class): &&(String, Option<usize>)| class.is_none() && !survey.is_marker(label);
        let unknown: Vec<String> = map.pairs.iter().filter(strange).map(|(label, _)| label.clone()).collect();
        if unknown.is_empty() { Ok(map) } else { Err(LabelError::unknown(&unknown, survey, known)) }
    }

    /// The readings that fit every label of the data, those that say the same counted once.
    pub(super) fn readings<'a>(known: &[String], labels: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let labels: Vec<&str> = labels.collect();
        if labels.is_empty() {
            return vec![Self::reading(Rule::Nothing, known)];
        }
        let convention = CONVENTIONS.iter().flat_map(|convention| {
            [Rule::Spelled(convention), Rule::Numbered(convention, 0), Rule::Numbered(convention, 1)]
        });
        let rules = [Rule::Names, Rule::Numbers(0), Rule::Numbers(1)].into_iter().chain(convention);
        let mut found: Vec<(Vec<usize>, Self)> = Vec::new();
        for rule in rules {
            let map = Self::reading(rule, known);
            let classes: Option<Vec<usize>> = labels.iter().map(|label| map.by_rule(label)).collect();
            if let Some(classes) = classes.filter(|classes| !found.iter().any(|(other, _)| other == classes)) {
                found.push((classes, map));
            }
        }
        found.into_iter().map(|(_, map)| map).collect()
    }

    fn reading(rule: Rule, known: &[String]) -> Self {
        Self { rule, known: known.to_vec(), given: Vec::new(), pairs: Vec::new(), whole: false }
    }

    fn surveyed(mut self, survey: &LabelSurvey) -> Self {
        self.pairs = survey.labels().map(|label| (label.to_owned(), self.index(label))).collect();
        self.whole = survey.is_whole();
        self
    }

    fn says(&self, label: &str, class: Option<usize>) -> bool {
        self.by_rule(label) == class
    }

    /// Whether this reads numbers by the order of names that is only that of their letters, as programs sort them which
    /// train models (ours too): then it says nothing about numbers, unless the classes are usually numbered so.
    fn trusts_letters(&self) -> bool {
        let Rule::Numbers(first) = self.rule else { return false };
        let says = |convention: &'static Convention| {
            let other = Self::reading(Rule::Numbered(convention, first), &self.known);
            self.pairs.iter().all(|(label, class)| class.is_none() || other.by_rule(label) == *class)
        };
        let names = self.known.iter().all(|label| own_number(label).is_none());
        names && self.known.iter().is_sorted_by_key(|label| label.to_lowercase()) && !CONVENTIONS.iter().any(says)
    }

    /// The class that the data calls `label`, as an index into the model's labels; `None` if it is not scored.
    pub fn index(&self, label: &str) -> Option<usize> {
        match self.given.iter().find(|(given, _)| given == label) {
            Some((_, class)) => *class,
            None => self.by_rule(label),
        }
    }

    /// The class of a sample.
    pub fn class(&self, sample: &Sample) -> Option<usize> {
        self.index(&sample.label.as_ref()?.to_string())
    }

    fn by_rule(&self, label: &str) -> Option<usize> {
        let known = &self.known;
        match self.rule {
            Rule::Nothing => None,
            Rule::Names | Rule::Given => named(known, label),
            Rule::Numbers(first) => {
                // `transformers` counts from 0 if it numbers labels for want of names.
                let label = if first == 0 { label.strip_prefix("LABEL_").unwrap_or(label) } else { label };
                at_position(known, number(label)?.checked_sub(first)?)
            }
            Rule::Spelled(convention) => {
                let class = convention.number(label)?;
                let nameless = || (known.len() == convention.len() && first_number(known).is_some()).then_some(());
                of_convention(known, convention, class).or_else(|| nameless().and_then(|()| at_position(known, class)))
            }
            Rule::Numbered(convention, first) => {
                // Every class must be there: data in two classes would otherwise be read as part of any larger set.
                let all = (0..convention.len()).all(|class| of_convention(known, convention, class).is_some());
                of_convention(known, convention, number(label)?.checked_sub(first)?).filter(|_| all)
            }
        }
    }

    /// The match, for people and for the run file; `None` if the data has no labels.
    pub fn label_match(&self) -> Option<LabelMatch> {
        if self.rule == Rule::Nothing && self.given.is_empty() {
            return None;
        }
        let how = match self.rule {
            Rule::Nothing | Rule::Given => "as given by --label-map".to_owned(),
            Rule::Names => "by name".to_owned(),
            Rule::Numbers(first) => format!("by number, counted from {first}"),
            Rule::Spelled(convention) => format!("by the convention names for {}", convention.name),
            Rule::Numbered(convention, first) => {
                format!("by the convention numbers for {}, counted from {first}", convention.name)
            }
        };
        let mut pairs: Vec<(Option<usize>, &str)> =
            self.pairs.iter().map(|(label, class)| (*class, label.as_str())).collect();
        // In the order of the model's labels; what is not scored comes last.
        pairs.sort_by_key(|(class, _)| class.unwrap_or(usize::MAX));
        let pairs =
            pairs.into_iter().map(|(class, label)| (label.to_owned(), class.map(|class| self.known[class].clone())));
        let (absent, unused) = (self.absent(), self.unused());
        Some(LabelMatch { how, pairs: pairs.collect(), absent, unused, unknown: Vec::new() })
    }

    /// What the user gave a meaning and no row has, if all rows were seen.
    fn unused(&self) -> Vec<String> {
        let given = self.given.iter().map(|(label, _)| label).filter(|_| self.whole);
        given.filter(|label| !self.pairs.iter().any(|(seen, _)| seen == *label)).cloned().collect()
    }

    /// The model's labels that no label of the data means, if nothing but numbers says that these are the same classes.
    fn absent(&self) -> Vec<String> {
        if !matches!(self.rule, Rule::Numbers(_)) || !self.given.is_empty() || !self.whole {
            return Vec::new();
        }
        let means = |class: usize| self.pairs.iter().any(|(_, meant)| *meant == Some(class));
        (0..self.known.len()).filter(|class| !means(*class)).map(|class| self.known[class].clone()).collect()
    }

    /// Whether every class of the model is among these labels, or would not be missed.
    pub(super) fn is_complete<'a>(&self, labels: impl Iterator<Item = &'a str>) -> bool {
        let meant: std::collections::BTreeSet<usize> = labels.filter_map(|label| self.by_rule(label)).collect();
        !matches!(self.rule, Rule::Numbers(_)) || meant.len() == self.known.len()
    }

    /// What the model's answers suggest: the class that it gives most samples of each label, if no two labels share one.
    pub(super) fn suggested(&self, samples: &[Sample], predicted: &[Option<usize>]) -> Option<Self> {
        let mut pairs: Vec<(String, Option<usize>)> = Vec::new();
        for (label, scored) in &self.pairs {
            if scored.is_none() {
                pairs.push((label.clone(), None));
                continue;
            }
            let mut counts = vec![0usize; self.known.len()];
            let own = samples
                .iter()
                .zip(predicted)
                .filter(|(sample, _)| sample.label.as_ref().is_some_and(|own| own.to_string() == *label));
            own.filter_map(|(_, class)| *class).for_each(|class| counts[class] += 1);
            let most = (0..counts.len()).rev().max_by_key(|class| counts[*class])?;
            if pairs.iter().any(|(_, class)| *class == Some(most)) {
                return None;
            }
            pairs.push((label.clone(), Some(most)));
        }
        Some(Self { rule: Rule::Given, given: pairs.clone(), pairs, known: self.known.clone(), whole: self.whole })
    }

    pub(super) fn known(&self) -> &[String] {
        &self.known
    }

    /// The labels that were seen, with the classes that are scored.
    pub(super) fn scored(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().filter_map(|(label, class)| Some((label.as_str(), self.known[(*class)?].as_str())))
    }
}

/// The pairs that a user gave, with the model's names looked up.
fn classes(known: &[String], given: &[(String, String)]) -> Result<Vec<(String, Option<usize>)>, LabelError> {
    let class = |(data, model): &(String, String)| {
        if model.is_empty() {
            return Ok((data.clone(), None));
        }
        let class = named(known, model).ok_or_else(|| LabelError::no_class(model, known))?;
        Ok((data.clone(), Some(class)))
    };
    given.iter().map(class).collect()
}

/// The label of exactly this name, or the only one that differs by upper and lower case alone.
fn named(known: &[String], label: &str) -> Option<usize> {
    let exact = known.iter().position(|known| known == label);
    let mut alike = known.iter().enumerate().filter(|(_, known)| known.to_lowercase() == label.to_lowercase());
    exact.or_else(|| alike.next().filter(|_| alike.next().is_none()).map(|(at, _)| at))
}

/// The model's label that names a convention class.
fn of_convention(known: &[String], convention: &Convention, class: usize) -> Option<usize> {
    known.iter().position(|label| convention.number(label) == Some(class))
}

/// A label that is a whole number; `1.0` is what a table makes of 1 if other cells are empty.
pub(super) fn number(label: &str) -> Option<usize> {
    let digits = label.strip_suffix(".0").unwrap_or(label);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The number that a model's label is, or that `transformers` gave it for want of a name.
fn own_number(label: &str) -> Option<usize> {
    number(label.strip_prefix("LABEL_").unwrap_or(label))
}

/// Where a model's labels start to count, if they are nothing but numbers without a gap.
fn first_number(known: &[String]) -> Option<usize> {
    let mut numbers: Vec<usize> = known.iter().map(|label| own_number(label)).collect::<Option<_>>()?;
    numbers.sort_unstable();
    let first = *numbers.first()?;
    (first < 2 && numbers.iter().enumerate().all(|(at, number)| *number == first + at)).then_some(first)
}

fn counts_from_zero(known: &[String]) -> bool {
    first_number(known) == Some(0)
}

/// The label at a position, counted from 0: by the model's own numbers where its labels are numbers (which may stand in
/// another order, such as 1, 10, 2), else by their order.
fn at_position(known: &[String], position: usize) -> Option<usize> {
    if let Some(first) = first_number(known) {
        return known.iter().position(|label| own_number(label) == Some(first + position));
    }
    // Numbers with gaps are names.
    let all_numbers = known.iter().all(|label| own_number(label).is_some());
    (position < known.len() && !all_numbers).then_some(position)
}
