//! The labels of the user's data beside those of a model: matched as one set, and said.

use std::collections::VecDeque;

use fissure_ask::input;
use fissure_core::Sample;
use fissure_data::{Samples, Task};
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_models::Model;
use serde_json::json;

use crate::Result;
use crate::args::{Data, Labels, OnBadRow};
use crate::commands::data;
use crate::ui::{self, Ui};

/// Matches the labels of a data set with those of a model.
pub fn matched(model: &dyn Model, survey: &LabelSurvey, given: &Labels) -> Result<LabelMap> {
    let ask = |samples: &[Sample]| {
        let answers = model.answer(&samples.iter().map(input).collect::<Vec<_>>()).ok()?;
        Some(answers.into_iter().map(|answer| Some(answer.predicted)).collect())
    };
    Ok(LabelMap::new(&model.offers().labels, survey, &given.label_map, ask)?)
}

/// Says how the labels of `what` were matched.
pub fn tell(what: &str, map: &LabelMap, ui: Ui) {
    match map.told() {
        Some(told) if ui.json => ui::note(&json!({ "label_match": told, "of": what }).to_string()),
        Some(told) => ui::note(&format!("labels of {what}: {told}")),
        None => {}
    }
}

/// Surveys the labels behind the user's limit, until no row can change what they mean.
pub fn survey_rest(samples: &mut Samples, survey: &mut LabelSurvey, known: Option<&[String]>) {
    let settled = |survey: &LabelSurvey| known.map_or_else(|| survey.has_names(), |known| survey.is_settled(known));
    while !settled(survey) {
        // A row that cannot be read does not concern a run that ends before it.
        match data::next(samples, None, 0) {
            Ok(Some(batch)) => batch.iter().for_each(|sample| survey.add(sample)),
            Ok(None) | Err(_) => return,
        }
    }
}

/// Samples in batches, up to the user's limit, whose labels were matched before the first of them comes.
pub struct Stream {
    samples: Samples,
    /// What was read ahead.
    ahead: VecDeque<Vec<Sample>>,
    limit: Option<usize>,
    read: usize,
    /// How many samples there are, where they were counted.
    total: Option<u64>,
}

impl Stream {
    pub fn open(args: &Data, task: &'static Task, model: &dyn Model, given: &Labels) -> Result<(Self, LabelMap)> {
        let mut stream = Self {
            samples: data::open_unlabelled(args, task)?,
            ahead: VecDeque::new(),
            limit: args.limit,
            read: 0,
            total: None,
        };
        let known = &model.offers().labels;
        let mut survey = LabelSurvey::default();
        if args.data.iter().any(|name| name == "-") {
            // Standard input comes once: what settles the labels is held, which is little unless they stay unclear.
            while !survey.is_settled(known)
                && let Some(batch) = data::next(&mut stream.samples, None, 0)?
            {
                batch.iter().for_each(|sample| survey.add(sample));
                stream.ahead.push_back(batch);
            }
        } else {
            let mut read = 0;
            // The rows of the run are read by its own rules; those behind its limit need not be sound.
            let all = Data {
                on_bad_row: if args.limit.is_some() { OnBadRow::Skip } else { args.on_bad_row },
                ..args.clone()
            };
            let mut samples = data::open_unlabelled(&all, task)?;
            while let Some(batch) = data::next(&mut samples, args.limit, read)? {
                read += batch.len();
                batch.iter().for_each(|sample| survey.add(sample));
            }
            stream.total = Some(read as u64);
            survey_rest(&mut samples, &mut survey, Some(known));
        }
        let map = matched(model, &survey, given)?;
        Ok((stream, map))
    }

    /// The next samples; `None` at the end of the data or at the user's limit.
    pub fn next(&mut self) -> Result<Option<Vec<Sample>>> {
        let batch = match self.ahead.pop_front() {
            Some(mut batch) => {
                batch.truncate(self.limit.map_or(usize::MAX, |limit| limit.saturating_sub(self.read)));
                Some(batch).filter(|batch| !batch.is_empty())
            }
            None => data::next(&mut self.samples, self.limit, self.read)?,
        };
        self.read += batch.as_ref().map_or(0, Vec::len);
        Ok(batch)
    }

    /// How many samples come, where that is known.
    pub fn total(&self) -> Option<u64> {
        self.total.or(self.limit.map(|limit| limit as u64))
    }

    /// Tells about rows that could not be read and were left out.
    pub fn report_bad_rows(&self) {
        data::report_bad_rows(&self.samples);
    }
}
