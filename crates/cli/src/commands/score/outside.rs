//! The scores of a model without gradients: its answers, what the changes of a run did to them, and what leaving out each
//! word does.

use std::collections::BTreeMap;

use fissure_core::{Sample, counted};
use fissure_data::Output;
use fissure_evaluate::{AnsweredSample, LabelMap};
use fissure_geometry::{ExampleScore, Flips, leave_one_out};
use fissure_models::Answer;

use super::Seen;
use crate::Result;
use crate::args;
use crate::ui;
use fissure_kit::classes;
use fissure_kit::remote::Asking;
use fissure_kit::resume::Resumable;
use fissure_kit::scores_of_run::Answered;

/// A run, and its samples by id and texts.
pub struct Known<'a> {
    run: &'a Answered,
    samples: BTreeMap<(&'a str, Vec<&'a str>), &'a AnsweredSample>,
}

impl<'a> Known<'a> {
    pub fn new(run: &'a Answered) -> Self {
        Self { run, samples: run.by_texts() }
    }

    fn find(&self, sample: &Sample) -> Option<&'a AnsweredSample> {
        let texts = sample.fields.iter().map(|field| field.text.as_str()).collect();
        self.samples.get(&(sample.id.as_str(), texts)).copied()
    }

    /// How many of these samples the run does not have.
    pub fn strangers(&self, batch: &[Sample]) -> usize {
        batch.iter().filter(|sample| self.find(sample).is_none()).count()
    }

    /// What the run's changes did to the answer.
    pub fn flips(&self, sample: &Sample) -> Option<Flips> {
        self.find(sample).map(|one| Flips { changed: one.changed, turned: one.turned })
    }

    fn answer(&self, sample: &Sample) -> Option<Answer> {
        self.run.answer(&self.find(sample)?.sample)
    }
}

/// Says how many samples the run of `--run` does not have.
pub fn tell_strangers(strangers: usize, read: usize) {
    if strangers > 0 {
        ui::note(&format!(
            "not in the run: {strangers} of {}, whose answers were asked for now; what changes do to them is not known",
            counted(read, "sample")
        ));
    }
}

/// Says what of the user's wishes needs gradients, and is left out.
pub fn print_ranking(args: &args::Score, probabilities: bool) {
    let wanted = [
        ("lambda_max and the flip forecast", true),
        ("--eta", args.eta),
        ("--decode", args.decode.is_some()),
        ("--ig-logit", args.ig_logit),
        ("--calibration", args.calibration.is_some()),
    ];
    let wanted: Vec<&str> = wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(name, _)| name).collect();
    let by = match (args.run.is_some(), probabilities) {
        (true, true) => "by the share of changes that flipped the answer, then by 1 - max p",
        (true, false) => "by the share of changes that flipped the answer",
        (false, true) => "by 1 - max p; --run RUN ranks them by the changes that flipped the answer",
        (false, false) if args.tokens => "by the share of words whose loss flips the answer",
        (false, false) => "not at all: it gives no probabilities. Give --run RUN or --tokens",
    };
    ui::note(&format!(
        "{}: needs gradients, which this model does not give. Examples are ranked {by}",
        wanted.join(", ")
    ));
}

impl Seen {
    /// Scores some samples by answers alone.
    pub fn score_outside(
        &mut self,
        asking: &Asking,
        known: Option<&Known<'_>>,
        tokens: bool,
        batch: &[Sample],
        map: &LabelMap,
        (out, run): (&mut Output, &mut Resumable),
    ) -> Result<()> {
        let (model, labels) = (&asking.model, &asking.model.capabilities().labels);
        let mut answers: Vec<Option<std::result::Result<Answer, String>>> =
            batch.iter().map(|sample| known?.answer(sample).map(Ok)).collect();
        let missing: Vec<usize> = (0..batch.len()).filter(|at| answers[*at].is_none()).collect();
        if !missing.is_empty() {
            let inputs: Vec<_> = missing.iter().map(|at| classes::input(&batch[*at])).collect();
            for (at, answer) in missing.into_iter().zip(model.try_answer(&inputs)?) {
                answers[at] = Some(answer);
            }
        }
        for (sample, answer) in batch.iter().zip(answers) {
            let label = sample.label.as_ref().map(ToString::to_string);
            let answer = match answer {
                Some(Ok(answer)) => answer,
                Some(Err(why)) => {
                    self.tally.add_unanswered();
                    self.silence.get_or_insert_with(|| why.clone());
                    let line = serde_json::json!({ "id": sample.id, "predicted": null, "label": label, "failed": why });
                    self.write_line(&line, sample, out, run)?;
                    continue;
                }
                None => continue,
            };
            let mut row = ExampleScore::of_answer(&sample.id, label.as_deref(), labels, &answer);
            row.flips = known.and_then(|known| known.flips(sample));
            if tokens {
                let words = leave_one_out(&**model, &classes::input(sample), &answer)?;
                // Words left out are changes too, for a model of which nothing else is known.
                if row.flips.is_none() && answer.log_probs.is_none() {
                    let turned = words.iter().filter(|word| word.flips).count();
                    row.flips = Some(Flips { changed: words.len(), turned });
                }
                row.words = Some(words);
            }
            let gold = label.as_deref().and_then(|label| map.index(label));
            self.tally.add(gold, answer.predicted, false);
            self.extremes.add(&row, classes::input(sample).text);
            self.write_line(&row, sample, out, run)?;
        }
        Ok(())
    }
}
