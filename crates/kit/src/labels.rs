//! The labels of the user's data beside those of a model: matched as one set, and said.

use std::collections::VecDeque;

use fissure_ask::input;
use fissure_core::{Copies, Sample};
use fissure_data::{Samples, Task};
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_models::Model;
use fissure_settings::{DataSource, LabelMapping, OnBadRow};

use crate::notice::{self, Notice};
use crate::{Result, data};

/// Matches the labels of a data set with those of a model.
pub fn matched(model: &dyn Model, survey: &LabelSurvey, given: &LabelMapping) -> Result<LabelMap> {
    let ask = |samples: &[Sample]| {
        let answers = model.answer(&samples.iter().map(input).collect::<Vec<_>>()).ok()?;
        Some(answers.into_iter().map(|answer| Some(answer.predicted)).collect())
    };
    Ok(LabelMap::new(&model.capabilities().labels, survey, &given.label_map, ask)?)
}

/// Says how the labels of `what` were matched.
pub fn announce(what: &str, map: &LabelMap) {
    if let Some(matched) = map.label_match() {
        notice::notify(Notice::Labels { of: what, matched: &matched });
    }
}

/// Surveys the labels behind the user's limit, until no row can change what they mean.
pub fn survey_rest(samples: &mut Samples, survey: &mut LabelSurvey, known: Option<&[String]>) {
    let settled = |survey: &LabelSurvey| known.map_or_else(|| survey.has_names(), |known| survey.is_complete(known));
    while !settled(survey) {
        // A row that cannot be read does not concern a run that ends before it.
        match data::next(samples, None, 0) {
            Ok(Some(batch)) => batch.iter().for_each(|sample| survey.add(sample)),
            Ok(None) => return,
            Err(_) => return survey.stop_early(),
        }
    }
    survey.stop_early();
}

/// Samples in batches, up to the user's limit, whose labels were matched before the first of them comes.
pub struct Stream {
    samples: Samples,
    /// What was read ahead.
    ahead: VecDeque<Vec<Sample>>,
    limit: Option<usize>,
    read: usize,
    copies: Copies,
    /// How many samples there are, where they were counted.
    total: Option<u64>,
}

impl Stream {
    pub fn open(
        args: &DataSource,
        task: &'static Task,
        model: &dyn Model,
        given: &LabelMapping,
    ) -> Result<(Self, LabelMap)> {
        let mut stream = Self {
            samples: data::open_unlabelled(args, task)?,
            ahead: VecDeque::new(),
            limit: args.limit,
            read: 0,
            copies: Copies::default(),
            total: None,
        };
        let known = &model.capabilities().labels;
        let mut survey = LabelSurvey::new(args.minus_one);
        if args.is_input() {
            // Standard input comes once: what settles the labels is held, which is little unless they stay unclear.
            while !survey.is_settled(known)
                && let Some(batch) = data::next(&mut stream.samples, None, 0)?
            {
                batch.iter().for_each(|sample| survey.add(sample));
                stream.ahead.push_back(batch);
            }
            survey.stop_early();
            data::refuse_empty(args, stream.ahead.len(), stream.samples.skipped())?;
        } else {
            let mut read = 0;
            // The rows of the run are read by its own rules; those behind its limit need not be sound.
            let on_bad_row = if args.limit.is_some() { Some(OnBadRow::Skip) } else { args.on_bad_row };
            let all = DataSource { on_bad_row, ..args.clone() };
            let mut samples = data::open_unlabelled(&all, task)?;
            while let Some(batch) = data::next(&mut samples, args.limit, read)? {
                read += batch.len();
                batch.iter().for_each(|sample| survey.add(sample));
            }
            data::refuse_empty(args, read, samples.skipped())?;
            stream.total = Some(read as u64);
            // What the user says about labels does not depend on rows that the run does not read.
            if given.label_map.is_empty() {
                survey_rest(&mut samples, &mut survey, Some(known));
            } else if args.limit.is_some() {
                survey.stop_early();
            }
        }
        let map = matched(model, &survey, given)?;
        Ok((stream, map))
    }

    /// The next samples; `None` at the end of the data or at the user's limit.
    pub fn next_batch(&mut self) -> Result<Option<Vec<Sample>>> {
        let batch = match self.ahead.pop_front() {
            Some(mut batch) => {
                batch.truncate(self.limit.map_or(usize::MAX, |limit| limit.saturating_sub(self.read)));
                Some(batch).filter(|batch| !batch.is_empty())
            }
            None => data::next(&mut self.samples, self.limit, self.read)?,
        };
        self.read += batch.as_ref().map_or(0, Vec::len);
        for sample in batch.iter().flatten() {
            self.copies.add(sample);
        }
        Ok(batch)
    }

    /// How many samples come, where that is known.
    pub fn total(&self) -> Option<u64> {
        self.total.or(self.limit.map(|limit| limit as u64))
    }

    /// Reports rows that could not be read and were left out, and samples that came twice.
    pub fn report_rows(&self) {
        data::report_copies(&self.copies, self.read);
        data::report_bad_rows(self.samples.skipped());
    }
}
