//! What a run of attacks found, for reports, gates and comparisons: a pure function of its file.

use std::collections::{BTreeMap, HashMap};

use fissure_statistics::{Estimate, mcnemar, paired_difference};
use serde::{Deserialize, Serialize};

use crate::{NO_CANDIDATE, Outcome, Record, Spread, Summary};

/// A run of attacks: what pins it down, and what it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttackRun {
    /// The version of Fissure.
    pub fissure: String,
    pub model: String,
    pub task: String,
    pub data: Vec<String>,
    pub seed: u64,
    /// The directories of the attacks that one command made side by side, this one included; none for an attack alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<String>,
    #[serde(flatten)]
    pub finding: AttackFinding,
}

/// What rules can measure of an attack: `attack(NAME).success <= 0.3`.
const MEASURES: [&str; 5] = ["success", "certified", "open", "accuracy_before", "accuracy_under_attack"];

impl AttackRun {
    /// A number of a rule by its name. `of` names the attack, or says `all`.
    pub fn measure(&self, name: &str, of: Option<&str>) -> Result<Option<Estimate>, String> {
        let known = || MEASURES.map(|known| format!("attack({}).{known}", self.finding.name)).join(", ");
        let Some(measure) = name.strip_prefix("attack.") else {
            return Err(format!("measures `{name}`, but this is a run of attacks, which has {}", known()));
        };
        if of.is_none_or(|of| !of.eq_ignore_ascii_case("all") && !of.eq_ignore_ascii_case(&self.finding.name)) {
            let of = of.unwrap_or_default();
            return Err(format!("asks about the attack `{of}`, but the run is of `{}`", self.finding.name));
        }
        match measure {
            "success" => Ok(self.finding.success),
            "certified" => Ok(self.finding.certified_share),
            "open" => Ok(self.finding.open_share),
            "accuracy_before" => Ok(self.finding.accuracy_before),
            "accuracy_under_attack" => Ok(self.finding.accuracy_under_attack),
            other => Err(format!("measures `{other}` of an attack; there is {}", known())),
        }
    }
}

/// One attack on one model and data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttackFinding {
    /// The name with what was left out: `textfooler -encoder`.
    #[serde(rename = "attack")]
    pub name: String,
    /// What was used for what the recipe needs.
    pub used: Vec<String>,
    /// Whether the search proves that nothing reaches the goal where it can: then what neither broke nor was proved is open.
    pub proves: bool,
    pub attacked: usize,
    pub succeeded: usize,
    pub certified: usize,
    pub accuracy_before: Option<Estimate>,
    pub accuracy_under_attack: Option<Estimate>,
    pub success: Option<Estimate>,
    /// Shares of the attacked texts that have a candidate; absent unless the search proves.
    pub certified_share: Option<Estimate>,
    pub open_share: Option<Estimate>,
    pub questions: Option<Spread>,
    pub asked: Option<f64>,
    pub inputs: Option<f64>,
    pub backward: Option<f64>,
    /// Over successes.
    pub share_of_words: Option<f64>,
    pub words_changed: Option<f64>,
    pub words_changed_before_shrinking: Option<f64>,
    /// Geometric means over successes, by the built-in trigram model.
    pub perplexity_before: Option<f64>,
    pub perplexity_after: Option<f64>,
    /// The mean and the least over successes, by a sentence encoder.
    pub similarity: Option<(f64, f64)>,
    pub failed: BTreeMap<String, usize>,
    pub skipped: BTreeMap<String, usize>,
    /// Accuracy if every attack stopped after a number of questions, and if it could change at most a share of the words.
    pub by_questions: Vec<(usize, Estimate)>,
    pub by_words: Vec<(f64, Estimate)>,
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A text that was broken, with its edits by bytes of the original.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    pub id: String,
    pub field: String,
    pub before: String,
    /// (start, end, new)
    pub edits: Vec<(usize, usize, String)>,
    pub answer_before: String,
    pub answer_after: String,
    pub p_before: f64,
    pub p_after: f64,
}

impl AttackFinding {
    pub fn of(name: &str, used: &[&str], proves: bool, summary: &Summary) -> Self {
        let changed = summary.changed();
        let perplexity = summary.perplexity();
        Self {
            name: name.into(),
            used: used.iter().map(ToString::to_string).collect(),
            proves,
            attacked: summary.attacked(),
            succeeded: summary.succeeded,
            certified: summary.certified,
            accuracy_before: summary.accuracy_before(),
            accuracy_under_attack: summary.accuracy_under_attack(),
            success: summary.success(),
            certified_share: summary.certified_share().filter(|_| proves),
            open_share: summary.open_share().filter(|_| proves),
            questions: summary.questions(),
            asked: summary.asked(),
            inputs: summary.inputs(),
            backward: summary.backward(),
            share_of_words: changed.map(|(share, ..)| share),
            words_changed: changed.map(|(_, words, _)| words),
            words_changed_before_shrinking: changed.map(|(.., at_first)| at_first),
            perplexity_before: perplexity.map(|(before, _)| before),
            perplexity_after: perplexity.map(|(_, after)| after),
            similarity: summary.similarity(),
            failed: summary.reasons.clone(),
            skipped: summary.skipped.clone(),
            by_questions: summary.by_questions(),
            by_words: summary.by_words(),
            examples: Vec::new(),
        }
    }

    /// Attacked texts that have a candidate: those that a proof can be about.
    pub fn tried(&self) -> usize {
        self.attacked - self.failed.get(NO_CANDIDATE).copied().unwrap_or(0).min(self.attacked)
    }

    /// Takes the broken texts that need fewest changed words, the first of equals.
    pub fn keep_examples<'r>(&mut self, records: impl Iterator<Item = &'r Record>, most: usize) {
        let mut broken: Vec<&Record> = records.filter(|record| record.outcome == Outcome::Succeeded).collect();
        broken.sort_by_key(|record| record.changed);
        self.examples = broken.into_iter().take(most).filter_map(Example::of).collect();
    }
}

impl Example {
    /// The first changed field of a broken text.
    pub fn of(record: &Record) -> Option<Self> {
        let field = &record.edits.first()?.field;
        let after = record.texts.get(field)?.as_str()?;
        let edits = record.edits.iter().filter(|edit| edit.field == *field);
        let (said, answered) = (record.before.as_ref()?, record.after.as_ref()?);
        Some(Self {
            id: record.id.clone(),
            field: field.clone(),
            before: original(after, edits.clone())?,
            edits: edits.map(|edit| (edit.start, edit.end, edit.new.clone())).collect(),
            answer_before: said.label.clone(),
            answer_after: answered.label.clone(),
            p_before: said.p,
            p_after: answered.p,
        })
    }
}

/// The text before its edits, from the text after them.
pub(crate) fn original<'e>(after: &str, edits: impl Iterator<Item = &'e crate::RecordEdit>) -> Option<String> {
    let mut before = String::with_capacity(after.len());
    let (mut read, mut written) = (0, 0);
    for edit in edits {
        // Up to the edit both are the same.
        let same = edit.start.checked_sub(written)?;
        before.push_str(after.get(read..read + same)?);
        before.push_str(&edit.old);
        read += same + edit.new.len();
        written = edit.end;
    }
    before.push_str(after.get(read..)?);
    Some(before)
}

/// Two attacks, or attacks on two models, text by text: only texts that both attacked count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    pub texts: usize,
    /// Broken by both, by the first alone, by the second alone.
    pub both: usize,
    pub first_only: usize,
    pub second_only: usize,
    /// The success of the second less that of the first, by Tango's interval.
    pub difference: Option<Estimate>,
    /// McNemar's exact test.
    pub p: f64,
}

/// Compares by the ids of the texts.
pub fn paired(first: &[Record], second: &[Record]) -> Paired {
    let attacked = |record: &&Record| record.outcome != Outcome::Skipped;
    let broken = |record: &Record| record.outcome == Outcome::Succeeded;
    let of_second: HashMap<&str, bool> =
        second.iter().filter(attacked).map(|record| (record.id.as_str(), broken(record))).collect();
    let (mut texts, mut both, mut first_only, mut second_only) = (0, 0, 0, 0);
    for record in first.iter().filter(attacked) {
        let Some(other) = of_second.get(record.id.as_str()) else { continue };
        texts += 1;
        match (broken(record), *other) {
            (true, true) => both += 1,
            (true, false) => first_only += 1,
            (false, true) => second_only += 1,
            (false, false) => {}
        }
    }
    let difference = paired_difference(texts as f64, second_only as f64, first_only as f64);
    Paired { texts, both, first_only, second_only, difference, p: mcnemar(first_only, second_only) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordEdit;

    fn edit(start: usize, end: usize, old: &str, new: &str) -> RecordEdit {
        RecordEdit { field: "text".into(), start, end, old: old.into(), new: new.into() }
    }

    #[test]
    fn the_original_comes_back() {
        let edits = [edit(2, 6, "good", "decent"), edit(12, 12, "", "very "), edit(12, 16, "long", "")];
        assert_eq!(original("A decent film very .", edits.iter()).as_deref(), Some("A good film long."));
        assert_eq!(original("short", [edit(20, 21, "x", "y")].iter()), None, "edits of another text");
    }

    #[test]
    fn pairs_by_hand() {
        let record = |id: &str, outcome: &str| -> Record {
            serde_json::from_value(serde_json::json!({
                "id": id, "outcome": outcome, "questions": 1, "asked": 1, "inputs": 1, "backward": 0, "words": 9, "changed": 1,
                "changed_at_first": 1,
            }))
            .expect("a record")
        };
        let first = [record("a", "succeeded"), record("b", "succeeded"), record("c", "failed"), record("d", "skipped")];
        let second = [record("c", "succeeded"), record("b", "failed"), record("a", "succeeded"), record("d", "failed")];
        let found = paired(&first, &second);
        assert_eq!((found.texts, found.both, found.first_only, found.second_only), (3, 1, 1, 1));
        assert_eq!(found.difference.map(|difference| difference.value), Some(0.0));
        assert_eq!(found.p, 1.0);
    }
}
