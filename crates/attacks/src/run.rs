//! Attacks on texts, one after the other or many at a time; an outcome depends on its own text alone.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use fissure_core::{Edit, Sample, apply};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lockstep::{Lockstep, Member};
use crate::shrink::shrink;
use crate::{Attack, Attempt, Counts, Error, NO_CANDIDATE, Quality, Questions, Result, State, Step, Target, Verdict};

/// What is the same for all texts.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub seed: u64,
    /// The most questions a text.
    pub budget: usize,
    /// The class that a targeted attack wants.
    pub target: Option<usize>,
    /// The most words of a text: a longer one is skipped. What an attack costs grows with the square of the words, or faster.
    pub max_words: usize,
}

impl Options {
    /// The usual limit of words: no review, news item or article reaches it, and a text at it takes seconds.
    pub const MAX_WORDS: usize = 5_000;
}

/// What came of an attack on a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was not attacked.
    Skipped,
    Succeeded,
    Failed,
}

/// What was proved of a text: no change of at most this many of its words flips the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The most changed words.
    pub edits: usize,
    /// The words that have candidates, and how many these are in all.
    pub places: usize,
    pub candidates: usize,
}

/// The attack on one text, for the attack file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub id: String,
    pub outcome: Outcome,
    /// Why it was skipped, or how it failed: `exhausted`, `budget`, `no candidate`, `certified`, or why it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<String>,
    /// What the model says before, and of what was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Said>,
    #[serde(flatten)]
    pub counts: Counts,
    /// The words of the open texts, and how many of them were changed; before changes that were not needed were taken back.
    pub words: usize,
    pub changed: usize,
    pub changed_at_first: usize,
    /// How many questions had been asked when it was found, before changes that were not needed were taken back.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found_after: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<Quality>,
    /// What was proved, if the reason is `certified`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub certificate: Option<Certificate>,
    /// The edits of the original, by byte range.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edits: Vec<RecordEdit>,
    /// All fields as they are after the attack.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty", default)]
    pub texts: serde_json::Map<String, serde_json::Value>,
    /// The text that was found as a row of its task, for tasks whose labels are in the text: tags, answers, trees.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty", default)]
    pub row: serde_json::Map<String, serde_json::Value>,
    /// What the model said in place of an answer, if it could not be asked about the text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusal: Option<String>,
}

/// An answer with its probability, and that of the right label. For answers that are no labels both are the task's first metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub label: String,
    pub p: f64,
    pub p_gold: f64,
}

/// One edit of the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordEdit {
    pub field: String,
    pub start: usize,
    pub end: usize,
    pub old: String,
    pub new: String,
}

/// Why a text is skipped that the model gave no answer about.
pub(crate) const UNANSWERED: &str = "the model could not answer";

/// Attacks that go on at the same time, so that a model sees full batches.
const TOGETHER: usize = 32;

/// Attacks every text; `gold` has the right class of each, `None` for one that the model has no label for. Texts go over
/// threads, or in lockstep if the model needs full batches; neither changes anything in what is found.
pub fn attack_all(
    attack_with: &Attack,
    target: &Target<'_>,
    samples: &[Sample],
    gold: &[Option<usize>],
    options: Options,
) -> Result<Vec<Record>> {
    let mut records = Vec::with_capacity(samples.len());
    attack_each(attack_with, target, samples, gold, options, |_, record| {
        records.push(record);
        Ok::<(), Error>(())
    })?;
    Ok(records)
}

/// The same, but `see` is given the number and the record of each text as soon as it and all before it are attacked, in their
/// order: what was seen is not lost if the model fails at a later text, or the program is stopped.
pub fn attack_each<E: From<Error> + Send>(
    attack_with: &Attack,
    target: &Target<'_>,
    samples: &[Sample],
    gold: &[Option<usize>],
    options: Options,
    see: impl FnMut(usize, Record) -> std::result::Result<(), E> + Send,
) -> std::result::Result<(), E> {
    attack_with.check(target, &options)?;
    attack_with.check_samples(samples)?;
    let texts = Texts { samples, gold, next: AtomicUsize::new(0), done: Mutex::new(Done::new(see)) };
    if target.likes_company() && samples.len() > 1 {
        let lockstep = Lockstep::new(target.model());
        let shared = target.through(&lockstep);
        let members = TOGETHER.min(samples.len());
        (0..members).for_each(|_| lockstep.join());
        std::thread::scope(|scope| {
            let work = || {
                let _member = Member(&lockstep);
                texts.work(|sample, gold| attack(attack_with, &shared, sample, gold, options));
            };
            let threads: Vec<_> = (0..members).map(|_| scope.spawn(work)).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        });
    } else {
        let one = |sample: &Sample, gold| attack(attack_with, target, sample, gold, options);
        let workers = rayon::current_num_threads().min(samples.len());
        (0..workers).into_par_iter().with_max_len(1).for_each(|_| texts.work(one));
    }
    texts.done.into_inner().unwrap_or_else(PoisonError::into_inner).failed.map_or(Ok(()), Err)
}

/// Texts that several threads take one after the other.
struct Texts<'t, S, E> {
    samples: &'t [Sample],
    gold: &'t [Option<usize>],
    next: AtomicUsize,
    done: Mutex<Done<S, E>>,
}

impl<S: FnMut(usize, Record) -> std::result::Result<(), E>, E: From<Error>> Texts<'_, S, E> {
    /// Attacks texts until none is left. After an error nobody takes another.
    fn work(&self, attack: impl Fn(&Sample, Option<usize>) -> Result<Record>) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(sample), Some(gold)) = (self.samples.get(at), self.gold.get(at)) else { return };
            let record = attack(sample, *gold);
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.add(at, record);
            if done.failed.is_some() {
                self.next.store(self.samples.len(), Ordering::Relaxed);
            }
        }
    }
}

/// Records in the order of their texts, whatever the order in which they come.
struct Done<S, E> {
    see: S,
    /// The text whose record is seen next, and the records of later ones.
    next: usize,
    waiting: BTreeMap<usize, Record>,
    failed: Option<E>,
}

impl<S: FnMut(usize, Record) -> std::result::Result<(), E>, E: From<Error>> Done<S, E> {
    fn new(see: S) -> Self {
        Self { see, next: 0, waiting: BTreeMap::new(), failed: None }
    }

    fn add(&mut self, at: usize, record: Result<Record>) {
        match record {
            Ok(record) => _ = self.waiting.insert(at, record),
            Err(error) => _ = self.failed.get_or_insert(error.into()),
        }
        while let Some(record) = self.waiting.remove(&self.next) {
            if let Err(error) = (self.see)(self.next, record) {
                self.failed.get_or_insert(error);
                self.waiting.clear();
                return;
            }
            self.next += 1;
        }
    }
}

/// How far the right class is ahead on each text, in nats; `None` if the answer is wrong or there is none. Texts with a small lead
/// break first: this is what triage goes by.
pub fn leads(target: &Target<'_>, samples: &[Sample], gold: &[Option<usize>]) -> Result<Vec<Option<f64>>> {
    let mut leads = Vec::with_capacity(samples.len());
    for (sample, gold) in samples.iter().zip(gold) {
        let original = Sample { id: sample.id.clone(), fields: sample.fields.clone(), ..Sample::default() };
        let answer = Questions::new(target, 1).ask(&[original])?.pop().flatten();
        let lead = gold.zip(answer).map(|(gold, answer)| -answer.lead_over(gold));
        leads.push(lead.filter(|lead| *lead >= 0.0));
    }
    Ok(leads)
}

impl Record {
    /// The record of a text that was not attacked, with the reason.
    pub fn skipped(sample: &Sample, why: &str) -> Self {
        let open = sample.fields.iter().filter(|field| field.open);
        Self {
            id: sample.id.clone(),
            outcome: Outcome::Skipped,
            reason: Some(why.into()),
            label: sample.label.as_ref().map(ToString::to_string),
            before: None,
            after: None,
            counts: Counts::default(),
            words: open.map(|field| field.text.words().count()).sum(),
            changed: 0,
            changed_at_first: 0,
            found_after: None,
            quality: None,
            certificate: None,
            edits: Vec::new(),
            texts: serde_json::Map::new(),
            row: serde_json::Map::new(),
            refusal: None,
        }
    }
}

/// Attacks one text.
pub fn attack(
    attack_with: &Attack,
    target: &Target<'_>,
    sample: &Sample,
    gold: Option<usize>,
    options: Options,
) -> Result<Record> {
    run(attack_with, target, sample, gold, options, None)
}

/// Attacks one text, and says which texts brought it nearer to the goal. The last is what was found, if anything was.
pub fn attack_step_by_step(
    attack_with: &Attack,
    target: &Target<'_>,
    sample: &Sample,
    gold: Option<usize>,
    options: Options,
) -> Result<(Record, Vec<Step>)> {
    let mut steps = Vec::new();
    let record = run(attack_with, target, sample, gold, options, Some(&mut steps))?;
    if let Some(after) = &record.after {
        let found = Step {
            edits: record.edits.clone(),
            texts: record
                .texts
                .iter()
                .map(|(name, text)| (name.clone(), text.as_str().unwrap_or("").to_owned()))
                .collect(),
            label: after.label.clone(),
            p_gold: after.p_gold,
            questions: record.counts.questions,
            tried: 0,
        };
        // Changes that were not needed may have been taken back since.
        if steps.last().is_none_or(|last| last.edits != found.edits) {
            steps.push(found);
        }
    }
    Ok((record, steps))
}

fn run(
    attack_with: &Attack,
    target: &Target<'_>,
    sample: &Sample,
    gold: Option<usize>,
    options: Options,
    follow: Option<&mut Vec<Step>>,
) -> Result<Record> {
    let otherwise = target.answers_otherwise();
    if !target.gives_probabilities() && !otherwise {
        return Err(Error::NoProbabilities);
    }
    let labels = target.labels();
    let mut record = Record { reason: None, ..Record::skipped(sample, "") };
    let skipped = |record: Record, why: &str| Ok(Record { reason: Some(why.into()), ..record });
    let Some(gold) = gold else { return skipped(record, "no label that the model knows") };
    if record.words > options.max_words {
        return skipped(record, &format!("of more than {} words (--max-words N)", options.max_words));
    }
    if let Some(why) = attack_with.refusal(sample) {
        return skipped(record, &why);
    }
    let said = |verdict: &Verdict| match &verdict.output {
        Some(output) => {
            let score = output.score("").unwrap_or(0.0);
            Said { label: output.response.shown(), p: score, p_gold: score }
        }
        None => Said {
            label: labels.get(verdict.predicted).cloned().unwrap_or_default(),
            p: verdict.probability(verdict.predicted),
            p_gold: verdict.probability(gold),
        },
    };
    let mut questions = Questions::new(target, options.budget);
    let original = match otherwise {
        true => sample.clone(),
        false => Sample { id: sample.id.clone(), fields: sample.fields.clone(), ..Sample::default() },
    };
    let first = questions.ask(std::slice::from_ref(&original))?.pop().flatten();
    record.counts = questions.counts;
    let Some(first) = first else {
        record.refusal = questions.refusal.take();
        return skipped(record, if options.budget == 0 { "no question is allowed" } else { UNANSWERED });
    };
    record.before = Some(said(&first));
    if !otherwise && first.predicted != gold {
        return skipped(record, "wrong before the attack");
    }
    if options.target == Some(gold) {
        return skipped(record, "its label is the target");
    }
    let mut attempt = Attempt::new(sample, gold, attack_with, questions, first, (options.seed, options.target));
    if attack_with.goal.reached(&attempt, &State::default(), &attempt.first) {
        // A right label may have a probability below the limit from the start: no change brought that about.
        return skipped(
            record,
            if otherwise { "wrong before the attack" } else { "the goal is reached without a change" },
        );
    }
    attempt.steps = follow.is_some().then(Vec::new);
    let has_candidates = !attempt.victim.words.is_empty();
    attack_with.search.part.run(&mut attempt)?;
    if let (Some(follow), Some(steps)) = (follow, attempt.steps.take()) {
        let step = |(state, verdict, questions, tried): (State, Verdict, usize, usize)| {
            let question = state.question(&attempt.victim);
            let text = |field: &fissure_core::Field| (field.name.to_string(), field.text.to_string());
            let Said { label, p_gold, .. } = said(&verdict);
            let texts = question.fields.iter().map(text).collect();
            Step { edits: edits(&state, &attempt), texts, label, p_gold, questions, tried }
        };
        follow.extend(steps.into_iter().map(step));
    }
    record.changed_at_first = attempt.found().map_or(0, |(state, _)| state.len());
    let found_after = attempt.questions.counts.questions;
    if attack_with.shrink && !attack_with.goal.goes_on() {
        shrink(&mut attempt)?;
    }
    let found = checked(&mut attempt)?;
    record.counts = Counts { backward: attempt.backward.get(), ..attempt.questions.counts };
    let Some((state, verdict)) = found else {
        record.outcome = Outcome::Failed;
        record.certificate = attempt.certificate;
        let why = match () {
            () if attempt.certificate.is_some() => "certified",
            () if attempt.open.is_some() => attempt.open.unwrap_or_default(),
            () if attempt.questions.left() == 0 => "budget",
            () if !has_candidates || record.counts.questions <= 1 && attempt.found().is_none() => NO_CANDIDATE,
            () => "exhausted",
        };
        record.reason = Some(why.into());
        return Ok(record);
    };
    record.outcome = Outcome::Succeeded;
    record.after = Some(said(&verdict));
    record.changed = state.len();
    record.found_after = Some(found_after);
    let new = state.question(&attempt.victim);
    for field in &new.fields {
        record.texts.insert(field.name.to_string(), field.text.as_str().into());
    }
    record.quality = Quality::of(sample, &new, &attack_with.resources);
    record.edits = edits(&state, &attempt);
    Ok(record)
}

/// What a state changes in the original, for records.
fn edits(state: &State, attempt: &Attempt<'_>) -> Vec<RecordEdit> {
    let edit = |edit: Edit| {
        let field = &attempt.victim.sample.fields[edit.field];
        RecordEdit {
            field: field.name.to_string(),
            start: edit.span.start,
            end: edit.span.end,
            old: edit.span.of(&field.text).to_owned(),
            new: edit.with,
        }
    };
    state.edits(&attempt.victim).into_iter().map(edit).collect()
}

/// What was found, if it holds all constraints against the original, all its edits can be carried out without cutting a label,
/// and the model still says so when it is asked afresh.
fn checked(attempt: &mut Attempt<'_>) -> Result<Option<(State, Verdict)>> {
    let Some((state, _)) = attempt.found().cloned() else { return Ok(None) };
    let whole = apply(attempt.victim.sample, state.edits(&attempt.victim));
    if !attempt.allows(&state, None) || !whole.is_ok_and(|applied| applied.refused == 0) {
        return Ok(None);
    }
    let afresh = attempt.questions.ask_afresh(&state.question(&attempt.victim))?;
    let holds = |verdict: &Verdict| attempt.attack.goal.reached(attempt, &state, verdict);
    Ok(afresh.filter(holds).map(|verdict| (state.clone(), verdict)))
}
