//! A window of samples: their cases are made, the model is asked, and the lines are written.

use std::borrow::Cow;

use fissure_core::{Expectation, Failure, Outcome, Pipeline, Sample, Variant};
use fissure_models::resources::check_programs;
use fissure_tasks::Response;
use fissure_tasks::metrics::Tally;
use rayon::prelude::*;

use super::Prepared;
use super::fragility::FragilityScorer;
use super::questions::{Questions, Reply};
use super::record::{CaseRecord, SampleRecord, Status};
use crate::Result;

/// The most bytes of changed texts that are held at once, unless a single sample has more.
pub const MOST_BYTES: usize = 64 << 20;
/// The most marks that the new right answer of a case names.
const SHOWN_MARKS: usize = 5;

/// What turns samples into lines.
#[derive(Debug)]
pub struct Window<'a> {
    run: &'a Prepared,
    pub(super) inside: Option<FragilityScorer<'a>>,
}

/// What came of a sample under one chain.
pub(super) enum Case {
    Changed(Box<Variant>),
    Filtered(Failure),
    Other(Status, Option<String>),
}

impl<'a> Window<'a> {
    pub fn new(run: &'a Prepared) -> Result<Self> {
        let seed = run.header.config.seed();
        let inside = match run.respondent.inside().filter(|_| run.plan.written.fragility) {
            Some(model) => Some(FragilityScorer::new(model, run.vocabulary.as_ref(), &run.facts.first, seed)?),
            None => None,
        };
        Ok(Self { run, inside })
    }

    /// How many cases there are of a sample, the original included.
    pub fn cases(&self) -> usize {
        1 + self.run.plan.cases()
    }

    /// The lines of each of these samples, of which `done` were before, and whether any question got an answer.
    pub fn run(&self, samples: &[Sample], done: usize) -> Result<(Vec<Vec<u8>>, bool)> {
        let places: Vec<(usize, usize)> = (self.run.plan.written.chains.iter().enumerate())
            .flat_map(|(chain, planned)| (0..planned.variants).map(move |variant| (chain, variant)))
            .collect();
        let cases: Vec<Vec<Case>> = samples
            .par_iter()
            .map(|sample| places.par_iter().map(|&(chain, variant)| self.make(sample, chain, variant)).collect())
            .collect();
        check_programs().map_err(fissure_models::Error::from)?;

        let mut questions = Questions::default();
        let originals: Vec<usize> = samples.iter().map(|sample| questions.add(sample)).collect();
        let numbers: Vec<Vec<Option<usize>>> = cases
            .iter()
            .map(|cases| {
                let numbers = cases.iter().map(|case| match case {
                    Case::Changed(variant) => Some(questions.add(&variant.sample)),
                    Case::Filtered(_) | Case::Other(..) => None,
                });
                numbers.collect()
            })
            .collect();
        let said = questions.ask(&*self.run.respondent, self.run.batch)?;
        let fragility = self.inside.as_ref().map(|inside| inside.scores(samples)).transpose()?;

        let blocks: Vec<Vec<u8>> = (0..samples.len())
            .into_par_iter()
            .map(|at| {
                let (sample, n) = (&samples[at], self.run.shard().number(done + at));
                let self_said = &said[originals[at]];
                let mut record = self.sample(sample, n, self_said);
                record.fragility = fragility.as_ref().map(|records| records[at]);
                let mut lines = Vec::new();
                line(&mut lines, &record);
                for ((case, number), (chain, variant)) in cases[at].iter().zip(&numbers[at]).zip(&places) {
                    let said = number.map(|number| &said[number]);
                    let mut record = self.case(sample, case, said, (n, *chain, *variant));
                    if let (Case::Changed(changed), Ok(before)) = (case, self_said) {
                        record.before = self.before(sample, changed, before, *chain);
                    }
                    line(&mut lines, &record);
                }
                lines
            })
            .collect();
        Ok((blocks, said.iter().any(Result::is_ok)))
    }

    pub(super) fn make(&self, sample: &Sample, chain: usize, variant: usize) -> Case {
        let run = self.run;
        let pipeline = Pipeline { chain: &run.plan.chains[chain], keep: &run.thresholds, resources: &run.resources };
        match pipeline.run(sample, run.header.config.seed(), variant) {
            Outcome::Changed(changed) => Case::Changed(changed),
            Outcome::Filtered(failure) => Case::Filtered(failure),
            Outcome::Unchanged => Case::Other(Status::Unchanged, None),
            Outcome::Skipped(skip) => Case::Other(Status::Skipped, Some(skip.to_string())),
        }
    }

    pub(super) fn sample(&self, sample: &Sample, n: usize, said: &Reply) -> SampleRecord {
        let gold_labels = &self.run.gold_labels;
        let measure = |slice: &dyn fissure_core::Slice| slice.measure(sample).ok().filter(|x| x.is_finite());
        SampleRecord {
            n,
            id: sample.id.clone(),
            texts: sample.fields.iter().map(|field| (field.name.to_string(), field.text.to_string())).collect(),
            gold: gold_labels.class(sample),
            tallies: said.as_ref().map_or_else(|_| Vec::new(), |response| gold_labels.tallies(sample, response)),
            said: said.as_ref().ok().cloned(),
            failed: said.as_ref().err().cloned(),
            slices: self.run.plan.slices.iter().map(|slice| measure(&**slice)).collect(),
            fragility: None,
        }
    }

    /// What the answer to the original adds by the marks that are on trial in a changed form.
    pub(super) fn before(&self, original: &Sample, changed: &Variant, said: &Response, chain: usize) -> Option<Tally> {
        if changed.focus_before.is_empty() {
            return None;
        }
        // A destroyer leaves nothing to compare with.
        let expectation = self.run.plan.written.chains[chain].expectation;
        let comparable = !matches!(expectation, Expectation::Destroyed | Expectation::Unsure);
        let judged = on_trial(original, &changed.focus_before);
        comparable.then(|| self.run.gold_labels.tally(&judged, said, Expectation::Kept)).flatten()
    }

    /// The right answer to a changed form, if it is another than that to the original: the class, or the marks on trial.
    fn new_gold(&self, original: &Sample, changed: &Variant) -> Option<String> {
        let of = |sample: &Sample| self.run.gold_labels.class(sample);
        if let Some(class) = of(&changed.sample) {
            return Some(class).filter(|class| Some(class) != of(original).as_ref());
        }
        let shown = |at: &usize| {
            let mark = changed.sample.marks.get(*at).filter(|mark| !mark.value.is_empty())?;
            let words = changed.sample.fields.get(mark.field)?.text.get(mark.span.start..mark.span.end)?;
            Some(format!("{words}: {}", mark.value))
        };
        let marks: Vec<String> = changed.focus.iter().filter_map(shown).take(SHOWN_MARKS).collect();
        (!marks.is_empty()).then(|| marks.join(", "))
    }

    pub(super) fn case(
        &self,
        original: &Sample,
        case: &Case,
        said: Option<&Reply>,
        at: (usize, usize, usize),
    ) -> CaseRecord {
        let (n, chain, variant) = at;
        let mut record = CaseRecord {
            n,
            chain,
            variant,
            status: Status::Changed,
            reason: None,
            score: None,
            edits: Vec::new(),
            said: None,
            failed: None,
            tally: None,
            gold: None,
            before: None,
            design: None,
        };
        match case {
            Case::Filtered(failure) => {
                record.status = Status::Filtered;
                record.score = failure.score.filter(|score| score.is_finite());
                // With the score in it, every reason would be one of its own.
                let missed = || format!("{} does not hold", failure.threshold);
                record.reason = Some(failure.score.map_or_else(|| failure.reason.clone(), |_| missed()));
            }
            Case::Other(status, reason) => (record.status, record.reason) = (*status, reason.clone()),
            Case::Changed(changed) => {
                let field = |name: &str| original.fields.iter().position(|field| &*field.name == name).unwrap_or(0);
                let edits = changed.trail.edits.iter();
                record.edits = edits.map(|edit| (field(&edit.field), edit.start, edit.end, edit.new.clone())).collect();
                match said {
                    Some(Ok(response)) => {
                        let expectation = self.run.plan.written.chains[chain].expectation;
                        let judged = on_trial(&changed.sample, &changed.focus);
                        record.tally = self.run.gold_labels.tally(&judged, response, expectation);
                        record.gold = match expectation {
                            Expectation::Relabelled => self.new_gold(original, changed),
                            Expectation::Flipped => self.run.gold_labels.flipped(original),
                            _ => None,
                        };
                        record.said = Some(response.clone());
                    }
                    Some(Err(reason)) => record.failed = Some(reason.clone()),
                    None => {}
                }
            }
        }
        record
    }
}

/// The sample with the labels of the marks on trial only: a mark without a label is not counted. All are if none is named.
fn on_trial<'a>(sample: &'a Sample, focus: &[usize]) -> Cow<'a, Sample> {
    if focus.is_empty() {
        return Cow::Borrowed(sample);
    }
    let layers: Vec<&str> = focus.iter().filter_map(|mark| sample.marks.get(*mark)).map(|mark| mark.layer).collect();
    let mut sample = sample.clone();
    for (at, mark) in sample.marks.iter_mut().enumerate() {
        if layers.contains(&mark.layer) && !focus.contains(&at) {
            mark.value.clear();
        }
    }
    Cow::Owned(sample)
}

pub(super) fn line(lines: &mut Vec<u8>, record: &impl serde::Serialize) {
    // Records are plain data: writing them to memory cannot fail.
    let _ = serde_json::to_writer(&mut *lines, record);
    lines.push(b'\n');
}
