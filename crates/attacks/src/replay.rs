//! Found attacks against another model, or against the same one after a repair.

use fissure_core::{Edit, Sample, apply};

use crate::run::{Outcome, Record, Said};
use crate::{Questions, Result, Target, Verdict};

/// Carries the edits of a record out on its sample and asks the model about both texts. It counts as broken if the answer was
/// right before and is wrong with the edits.
pub fn replay(found: &Record, target: &Target<'_>, sample: &Sample, gold: Option<usize>) -> Result<Record> {
    let mut record = Record {
        outcome: Outcome::Skipped,
        reason: None,
        before: None,
        after: None,
        counts: crate::Counts::default(),
        found_after: None,
        certificate: None,
        ..found.clone()
    };
    let skipped = |record: &Record, why: &str| {
        let (edits, texts, row) = (Vec::new(), serde_json::Map::new(), serde_json::Map::new());
        Ok(Record { reason: Some(why.into()), edits, texts, row, changed: 0, quality: None, ..record.clone() })
    };
    if found.outcome != Outcome::Succeeded {
        return skipped(&record, "no attack was found on it");
    }
    let Some(gold) = gold else { return skipped(&record, "no label that the model knows") };
    let Some(new) = changed(found, sample) else {
        return skipped(&record, "the text is not the one that was attacked");
    };
    let mut questions = Questions::new(target, 2);
    let original = Sample { id: sample.id.clone(), fields: sample.fields.clone(), ..Sample::default() };
    let answers = questions.ask(&[original, new])?;
    record.counts = questions.counts;
    let [Some(before), Some(after)] = answers.as_slice() else { return skipped(&record, crate::run::UNANSWERED) };
    let said = |verdict: &Verdict| Said {
        label: target.labels().get(verdict.predicted).cloned().unwrap_or_default(),
        p: verdict.probability(verdict.predicted),
        p_gold: verdict.probability(gold),
    };
    record.before = Some(said(before));
    if before.predicted != gold {
        return skipped(&record, "wrong before the attack");
    }
    record.after = Some(said(after));
    if after.predicted == gold {
        record.outcome = Outcome::Failed;
        record.reason = Some("withstood the replay".into());
    } else {
        record.outcome = Outcome::Succeeded;
        record.found_after = Some(2);
    }
    Ok(record)
}

/// The sample with the edits of a record, if they are edits of it.
pub fn changed(found: &Record, sample: &Sample) -> Option<Sample> {
    let mut edits: Vec<Edit> = Vec::with_capacity(found.edits.len());
    for edit in &found.edits {
        let field = sample.fields.iter().position(|field| *field.name == *edit.field)?;
        if sample.fields[field].text.get(edit.start..edit.end)? != edit.old {
            return None;
        }
        edits.push(Edit::replace(edit.start..edit.end, edit.new.as_str()).on(field));
    }
    let applied = apply(sample, edits).ok()?;
    (applied.refused == 0).then_some(applied.sample)
}
