//! What some parts must know of a whole data set: other samples to take words from, and what its classes mean.

use std::collections::BTreeMap;
use std::sync::Arc;

use fissure_core::{Donors, Label, Need, Resources, Sample, Sense, Spelling};

use crate::Task;

/// More different classes than this have no meaning that parts know.
const MOST_CLASSES: usize = 100;

/// What was seen of a data set, as far as parts need it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gathered {
    /// `None` if no part takes words from other samples.
    donors: Option<Donors>,
    classes: BTreeMap<String, Label>,
}

impl Gathered {
    /// For parts with these needs.
    pub fn for_needs(needs: &[Need]) -> Self {
        Self { donors: needs.contains(&Need::Donors).then(Donors::default), ..Self::default() }
    }

    /// Whether nothing need be gathered for parts with these needs.
    pub fn is_idle(needs: &[Need]) -> bool {
        !needs.iter().any(|need| matches!(need, Need::Donors | Need::LabelSenses))
    }

    pub fn add(&mut self, sample: &Sample) {
        if let Some(donors) = &mut self.donors {
            donors.offer(sample.clone());
        }
        self.add_class(sample);
    }

    /// Adds the class of a sample alone, which will not be a donor.
    pub fn add_class(&mut self, sample: &Sample) {
        if let Some(label) = &sample.label
            && self.classes.len() <= MOST_CLASSES
            && !self.classes.contains_key(&label.to_string())
        {
            self.classes.insert(label.to_string(), label.clone());
        }
    }

    /// The classes of the data, as far as they were counted.
    pub fn classes(&self) -> impl Iterator<Item = &Label> {
        self.classes.values()
    }

    /// Closes the pool of donors after the last sample.
    pub fn finish(self) -> Self {
        Self { donors: self.donors.map(Donors::finish), ..self }
    }

    /// What names the pool of donors in a run file; `None` if there is none.
    pub fn checksum(&self) -> Option<String> {
        self.donors.as_ref().map(Donors::checksum)
    }

    /// Adds what was seen to the resources, unless the user gave others.
    pub fn add_to(&self, task: &Task, resources: &mut Resources) {
        if resources.donors.is_none() {
            resources.donors = self.donors.as_ref().filter(|donors| !donors.is_empty()).cloned().map(Arc::new);
        }
        if resources.spelling.is_none() && self.classes.len() <= MOST_CLASSES {
            let classes: Vec<Label> = self.classes.values().cloned().collect();
            resources.spelling = task.spelling(&classes).map(Arc::new);
        }
    }

    /// The spelling that a user gives, `LABEL=SENSE` each. A label that no row has is one that parts write: rows that all entail
    /// have none for a contradiction. At least one must be of the data, unless these have no labels.
    pub fn spelling(&self, given: &[String]) -> Result<Spelling, String> {
        let mut senses = Vec::new();
        let mut unknown = None;
        for pair in given {
            let (label, sense) =
                pair.split_once('=').ok_or_else(|| format!("`{pair}` is not of the form LABEL=SENSE"))?;
            let label = label.trim();
            let written = match self.classes.get(label) {
                Some(known) => known.clone(),
                None => {
                    unknown = unknown.or(Some(label));
                    self.in_the_type_of_the_data(label)
                }
            };
            let names = || Sense::ALL.iter().map(|sense| sense.name()).collect::<Vec<_>>().join("`, `");
            let sense = Sense::ALL
                .iter()
                .find(|known| known.name() == sense.trim())
                .ok_or_else(|| format!("there is no sense `{}`; there are `{}`", sense.trim(), names()))?;
            senses.push((*sense, written));
        }
        let some_known = self.unknown(given).len() < given.len();
        match unknown {
            Some(label) if !some_known && !self.classes.is_empty() => Err(self.lacks(label)),
            _ => Ok(Spelling::new(senses)),
        }
    }

    /// What to say of each label that a user gives a sense to and that no row has: it may be a slip, or a label that parts write.
    pub fn unknown(&self, given: &[String]) -> Vec<String> {
        let labels = given.iter().filter_map(|pair| Some(pair.split_once('=')?.0.trim()));
        labels.filter(|label| !self.classes.contains_key(*label)).map(|label| self.lacks(label)).collect()
    }

    fn lacks(&self, label: &str) -> String {
        let known = self.classes.keys().map(String::as_str).collect::<Vec<_>>().join("`, `");
        match known.is_empty() {
            true => format!("the data have no label `{label}`; they have none at all"),
            false => format!("the data have no label `{label}`; they have `{known}`"),
        }
    }

    /// A label that no row has, as a number if all that the rows have are numbers.
    fn in_the_type_of_the_data(&self, label: &str) -> Label {
        let numbered = !self.classes.is_empty() && self.classes.values().all(|known| known.0.is_number());
        match label.parse::<i64>() {
            Ok(number) if numbered => Label(number.into()),
            _ => label.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(labels: &[i64]) -> Gathered {
        let mut gathered = Gathered::for_needs(&[Need::Donors]);
        for (at, label) in labels.iter().enumerate() {
            let text = Sample::of_text(at.to_string(), format!("text {at}"));
            gathered.add(&Sample { label: Some(Label((*label).into())), ..text });
        }
        gathered.finish()
    }

    #[test]
    fn senses_are_those_of_all_labels_or_of_the_user() {
        let task = crate::find("entailment").unwrap();
        let mut resources = Resources::default();
        let seen = gathered(&[0, 1, 1, 2]);
        seen.add_to(task, &mut resources);
        assert_eq!(resources.donors.as_ref().map(|donors| donors.len()), Some(4));
        let spelling = resources.spelling.as_deref().unwrap();
        assert_eq!(spelling.label_of(Sense::Contradicts), Some(&Label(2.into())), "in the type of the file");

        let mut resources = Resources::default();
        gathered(&[0, 1]).add_to(task, &mut resources);
        assert_eq!(resources.spelling, None, "two numbers can mean either");
        let given = seen.spelling(&["1=entails".into(), "0 = contradicts".into()]).unwrap();
        assert_eq!(given.label_of(Sense::Entails), Some(&Label(1.into())));
        assert!(seen.spelling(&["7=entails".into()]).unwrap_err().contains("they have `0`, `1`, `2`"));
        let written = seen.spelling(&["1=entails".into(), "7=contradicts".into()]).unwrap();
        assert_eq!(written.label_of(Sense::Contradicts), Some(&Label(7.into())), "a label that parts write");
        assert_eq!(seen.unknown(&["1=entails".into(), "7=contradicts".into()]).len(), 1);
        let none = Gathered::for_needs(&[Need::LabelSenses]);
        assert!(none.unknown(&["yes=entails".into()])[0].ends_with("they have none at all"));
        assert!(none.spelling(&["yes=entails".into()]).is_ok());
        assert!(seen.spelling(&["1=entail".into()]).unwrap_err().contains("there is no sense `entail`"));
        assert!(seen.spelling(&["1".into()]).is_err());
    }
}
