//! Attacks on texts, one after the other or many at a time; an outcome depends on its own text alone.

use fissure_core::{Sample, apply};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shrink::shrink;
use crate::{Attack, Attempt, Counts, Error, Questions, Result, State, Target, Verdict};

/// What is the same for all texts.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub seed: u64,
    /// The most questions a text.
    pub budget: usize,
    /// The class that a targeted attack wants.
    pub target: Option<usize>,
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
    /// The edits of the original, by byte range.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub edits: Vec<RecordEdit>,
    /// The changed fields.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty", default)]
    pub texts: serde_json::Map<String, serde_json::Value>,
}

/// An answer with its probability, and that of the right label.
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

/// Attacks every text; `gold` has the right class of each, `None` for one that the model has no label for. Texts go over
/// threads, which changes nothing in what is found.
pub fn attack_all(
    attack_with: &Attack,
    target: &Target<'_>,
    samples: &[Sample],
    gold: &[Option<usize>],
    options: Options,
) -> Result<Vec<Record>> {
    let texts = samples.par_iter().zip(gold).with_max_len(1);
    texts.map(|(sample, gold)| attack(attack_with, target, sample, *gold, options)).collect()
}

/// Attacks one text.
pub fn attack(
    attack_with: &Attack,
    target: &Target<'_>,
    sample: &Sample,
    gold: Option<usize>,
    options: Options,
) -> Result<Record> {
    if !target.gives_probabilities() {
        return Err(Error::NoProbabilities);
    }
    let labels = target.labels();
    let open = sample.fields.iter().filter(|field| field.open);
    let mut record = Record {
        id: sample.id.clone(),
        outcome: Outcome::Skipped,
        reason: None,
        label: sample.label.as_ref().map(ToString::to_string),
        before: None,
        after: None,
        counts: Counts::default(),
        words: open.map(|field| field.text.words().count()).sum(),
        changed: 0,
        changed_at_first: 0,
        edits: Vec::new(),
        texts: serde_json::Map::new(),
    };
    let skipped = |record: Record, why: &str| Ok(Record { reason: Some(why.into()), ..record });
    let Some(gold) = gold else { return skipped(record, "no label that the model knows") };
    let said = |verdict: &Verdict| Said {
        label: labels.get(verdict.predicted).cloned().unwrap_or_default(),
        p: verdict.probability(verdict.predicted),
        p_gold: verdict.probability(gold),
    };
    let mut questions = Questions::new(target, options.budget);
    let original = Sample { id: sample.id.clone(), fields: sample.fields.clone(), ..Sample::default() };
    let first = questions.ask(std::slice::from_ref(&original))?.pop().flatten();
    record.counts = questions.counts;
    let Some(first) = first else {
        return skipped(
            record,
            if options.budget == 0 { "no question is allowed" } else { "the model could not answer" },
        );
    };
    record.before = Some(said(&first));
    if first.predicted != gold {
        return skipped(record, "wrong before the attack");
    }
    if options.target == Some(gold) {
        return skipped(record, "its label is the target");
    }
    let mut attempt = Attempt::new(sample, gold, attack_with, questions, first, (options.seed, options.target));
    let has_candidates = !attempt.victim.words.is_empty();
    attack_with.search.part.run(&mut attempt)?;
    record.changed_at_first = attempt.found().map_or(0, |(state, _)| state.len());
    if attack_with.shrink && !attack_with.goal.goes_on() {
        shrink(&mut attempt)?;
    }
    let found = checked(&attempt)?;
    record.counts = Counts { backward: attempt.backward.get(), ..attempt.questions.counts };
    let Some((state, verdict)) = found else {
        record.outcome = Outcome::Failed;
        let why = match () {
            () if attempt.certified => "certified",
            () if attempt.open.is_some() => attempt.open.unwrap_or_default(),
            () if attempt.questions.left() == 0 => "budget",
            () if !has_candidates || record.counts.questions <= 1 && attempt.found().is_none() => "no candidate",
            () => "exhausted",
        };
        record.reason = Some(why.into());
        return Ok(record);
    };
    record.outcome = Outcome::Succeeded;
    record.after = Some(said(&verdict));
    record.changed = state.len();
    let new = state.question(&attempt.victim);
    for (old, new) in sample.fields.iter().zip(&new.fields).filter(|(old, new)| old.text != new.text) {
        record.texts.insert(old.name.to_string(), new.text.as_str().into());
    }
    for edit in state.edits(&attempt.victim) {
        let field = &sample.fields[edit.field];
        record.edits.push(RecordEdit {
            field: field.name.to_string(),
            start: edit.span.start,
            end: edit.span.end,
            old: edit.span.of(&field.text).to_owned(),
            new: edit.with,
        });
    }
    Ok(record)
}

/// What was found, if it holds all constraints against the original, all its edits can be carried out without cutting a label,
/// and the model still says so when it is asked afresh.
fn checked(attempt: &Attempt<'_>) -> Result<Option<(State, Verdict)>> {
    let Some((state, _)) = attempt.found() else { return Ok(None) };
    let whole = apply(attempt.victim.sample, state.edits(&attempt.victim));
    if !attempt.allows(state, None) || !whole.is_ok_and(|applied| applied.refused == 0) {
        return Ok(None);
    }
    let afresh = attempt.questions.ask_afresh(&state.question(&attempt.victim))?;
    let holds = |verdict: &Verdict| attempt.attack.goal.reached(attempt, state, verdict);
    Ok(afresh.filter(holds).map(|verdict| (state.clone(), verdict)))
}
