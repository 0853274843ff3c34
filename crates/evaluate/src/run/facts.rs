//! A first pass over the data: its size, its name, and its checksum.

use std::collections::{BTreeMap, BTreeSet};

use fissure_core::{Copies, Language, Sample};
use fissure_data::Skipped;
use fissure_geometry::CALIBRATION_TEXTS;
use sha2::{Digest as _, Sha256};

use super::{OpenData, samples};
use crate::labels::LabelSurvey;
use crate::plan;
use crate::{Error, Result};
use fissure_ask::hex;
use fissure_settings::RunConfig;
use fissure_tasks::Gathered;

/// More labels than this are not classes.
const MOST_LABELS: usize = 1000;

/// What is known of the data before the run.
#[derive(Debug, Clone, PartialEq)]
pub struct DataFacts {
    /// SHA-256 of the samples as they were read.
    pub checksum: String,
    pub samples: usize,
    /// How many samples have the texts and marks of one before them.
    pub repeated: usize,
    /// How many samples with texts of their own have the id of one before them.
    pub shared_ids: usize,
    /// How many samples the user's condition left out.
    pub left_out: usize,
    /// The rows that could not be read and were passed over, as the user wanted.
    pub bad_rows: Skipped,
    /// How many samples carry any label.
    pub labelled: usize,
    /// How often each class comes, by the name that the data give it.
    pub labels: BTreeMap<String, usize>,
    /// The labels of the whole data, whatever the limit and the condition: what a label means must not depend on them.
    pub survey: LabelSurvey,
    /// The tags of tokens that come, in order.
    pub tags: BTreeSet<String>,
    /// How many open texts are in each language, by the script of their letters.
    pub languages: BTreeMap<Language, usize>,
    /// What parts must know of the data as a whole.
    pub gathered: Gathered,
    /// The first samples, which a forecast is calibrated on.
    pub first: Vec<Sample>,
}

impl DataFacts {
    /// Reads the data that a config names, once.
    pub fn read(open: &OpenData<'_>, config: &RunConfig) -> Result<Self> {
        let mut samples = samples(open, config)?;
        let mut hash = Sha256::new();
        let mut facts = Self {
            checksum: String::new(),
            samples: 0,
            repeated: 0,
            shared_ids: 0,
            left_out: 0,
            bad_rows: Skipped::default(),
            labelled: 0,
            labels: BTreeMap::new(),
            survey: LabelSurvey::new(config.data.minus_one),
            tags: BTreeSet::new(),
            languages: BTreeMap::new(),
            gathered: Gathered::for_needs(&plan::needs(config)?),
            first: Vec::new(),
        };
        let mut copies = Copies::default();
        for sample in samples.by_ref() {
            let sample = sample?;
            facts.samples += 1;
            copies.add(&sample);
            facts.labelled += usize::from(sample.label.is_some() || !sample.marks.is_empty());
            if let Some(label) = &sample.label {
                let label = label.to_string();
                if facts.labels.len() < MOST_LABELS || facts.labels.contains_key(&label) {
                    *facts.labels.entry(label).or_default() += 1;
                }
            }
            for mark in sample.marks.iter().filter(|mark| mark.layer == "token" && !mark.value.is_empty()) {
                if facts.tags.len() < MOST_LABELS && !facts.tags.contains(&mark.value) {
                    facts.tags.insert(mark.value.clone());
                }
            }
            facts.survey.add(&sample);
            facts.gathered.add(&sample);
            add(&mut hash, &sample);
            for field in sample.fields.iter().filter(|field| field.open) {
                *facts.languages.entry(field.text.language()).or_default() += 1;
            }
            if facts.first.len() < CALIBRATION_TEXTS {
                facts.first.push(sample);
            }
        }
        (facts.repeated, facts.shared_ids) = (copies.repeated(), copies.shared_ids());
        facts.gathered = facts.gathered.finish();
        facts.left_out = samples.left_out;
        facts.bad_rows = samples.bad_rows();
        match &config.changes.condition {
            Some(condition) if facts.samples == 0 && facts.left_out > 0 => {
                return Err(Error::NoneLeft { condition: condition.clone(), read: facts.left_out });
            }
            _ if facts.samples == 0 => return Err(Error::NoSamples),
            _ => {}
        }
        facts.survey_rest(open, config)?;
        facts.checksum = hex(&hash.finalize());
        Ok(facts)
    }

    /// Reads the labels of the rows that the limit and the condition leave out, unless the labels are names already.
    fn survey_rest(&mut self, open: &OpenData<'_>, config: &RunConfig) -> Result<()> {
        let all_read = config.data.limit.is_none() && config.changes.condition.is_none();
        if all_read || !config.task()?.facts.has_class() || self.survey.has_names() {
            return Ok(());
        }
        // A row beyond the limit that cannot be read does not concern the run.
        let mut survey = LabelSurvey::new(config.data.minus_one);
        for sample in open()?.map_while(std::result::Result::ok) {
            survey.add(&sample);
            self.gathered.add_class(&sample);
        }
        self.survey = survey;
        Ok(())
    }
}

/// What a sample says, in an order and with lengths, so that no two samples give the same bytes.
fn add(hash: &mut Sha256, sample: &Sample) {
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(sample.id.as_bytes());
    for field in &sample.fields {
        part(field.name.as_bytes());
        part(field.text.as_bytes());
        part(&[u8::from(field.open)]);
    }
    part(sample.label.as_ref().map_or_else(String::new, ToString::to_string).as_bytes());
    for mark in &sample.marks {
        part(format!("{} {} {}..{} {}", mark.layer, mark.field, mark.span.start, mark.span.end, mark.value).as_bytes());
    }
    for link in &sample.links {
        part(format!("{} {} {} {}", link.layer, link.from, link.to, link.value).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadSamples;

    fn facts_where(samples: &[Sample], condition: Option<&str>) -> Result<DataFacts> {
        let mut config = RunConfig::default();
        config.changes.condition = condition.map(Into::into);
        config.data.limit = Some(2);
        let open = || -> Result<Box<dyn ReadSamples>> {
            let samples: Vec<_> = samples.iter().cloned().map(Ok).collect();
            Ok(Box::new(samples.into_iter()))
        };
        DataFacts::read(&open, &config)
    }

    fn facts(samples: &[Sample]) -> Result<DataFacts> {
        facts_where(samples, None)
    }

    #[test]
    fn copies_are_counted_whatever_their_ids_and_labels() {
        let sample = |id: &str, text: &str| Sample::of_text(id, text);
        let found = facts(&[sample("1", "good"), sample("2", "good")]).unwrap();
        assert_eq!((found.samples, found.repeated), (2, 1));
        assert_eq!(found.shared_ids, 0);
        let found = facts(&[sample("1", "good"), sample("1", "bad")]).unwrap();
        assert_eq!((found.repeated, found.shared_ids), (0, 1));
    }

    #[test]
    fn a_condition_leaves_samples_out() {
        let texts = ["so good", "bad", "so so", "so far"];
        let samples: Vec<Sample> = texts.iter().map(|text| Sample::of_text(*text, *text)).collect();
        let found = facts_where(&samples, Some("length > 1")).unwrap();
        assert_eq!((found.samples, found.left_out), (1, 1), "the limit is of what is read");
        assert!(matches!(facts_where(&samples, Some("length > 9")), Err(Error::NoneLeft { read: 2, .. })));
        assert!(facts_where(&samples, Some("stars > 1")).unwrap_err().to_string().contains("`stars`"));
    }

    #[test]
    fn what_the_data_are() {
        let one = Sample { label: Some("pos".into()), ..Sample::of_text("1", "so good") };
        let two = Sample::of_text("2", "so bad");
        let found = facts(&[one.clone(), two.clone()]).unwrap();
        assert_eq!((found.samples, found.labelled), (2, 1));
        assert_eq!(found.languages, [(Language::English, 2)].into());
        assert_eq!(found.labels, [("pos".to_owned(), 1)].into());
        assert_ne!(found.checksum, facts(&[two, one]).unwrap().checksum, "the order counts");
        let mixed = [Sample::of_text("1", "这部电影 so 好"), Sample::of_text("2", "so good")];
        assert_eq!(facts(&mixed).unwrap().languages, [(Language::English, 1), (Language::Chinese, 1)].into());
        assert!(matches!(facts(&[]), Err(Error::NoSamples)));
    }
}
