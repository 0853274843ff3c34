//! Decides whether findings meet a rule.

use fissure_core::counted;
use fissure_statistics::Estimate;
use serde::Serialize;

use super::measure::{Evidence, Item};
use crate::measure::within_bounds;
use crate::{DataAbout, Findings};

use super::rule::{BadRule, Call, Compare, Rule, Term};

/// What came of one rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    pub rule: String,
    /// One for each thing the rule speaks of.
    pub outcomes: Vec<Outcome>,
    /// Parts of a group that found nothing to change in the data, and so cannot break a rule about the group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// What came of a rule for one part, slice or row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The part, slice or row; empty for a measure of the whole.
    pub of: String,
    pub state: State,
    /// Both sides, where they were measured; the left one with its interval, widened where the rule speaks of several.
    pub left: Option<Estimate>,
    pub right: Option<Estimate>,
    /// Of a rule about a change: whether it was taken sample by sample, or as between two separate runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired: Option<bool>,
    /// How many things the rule speaks of, for which the intervals are widened; 1 if they are not.
    pub widened_for: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The whole interval lies on the right side.
    Pass,
    /// The interval lies on both sides: noise must not break a build.
    Inconclusive,
    /// The whole interval lies on the wrong side.
    Fail,
    NotMeasured,
}

/// What came of a whole rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Inconclusive,
    Fail,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Inconclusive => "INCONCLUSIVE",
            Self::Fail => "FAIL",
        }
    }
}

/// How many rules passed, were inconclusive, and failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    pub met: usize,
    pub inconclusive: usize,
    pub failed: usize,
}

impl Tally {
    pub fn of(judgements: &[Judgement], unmeasured: bool) -> Self {
        let count = |verdict| judgements.iter().filter(|judgement| judgement.verdict(unmeasured) == verdict).count();
        Self { met: count(Verdict::Pass), inconclusive: count(Verdict::Inconclusive), failed: count(Verdict::Fail) }
    }

    /// Whether the gate lets a build through; `strict` wants proof.
    pub const fn passes(self, strict: bool) -> bool {
        self.failed == 0 && !(strict && self.inconclusive > 0)
    }

    /// The last line of the gate.
    pub fn sentence(self, strict: bool) -> String {
        let Self { met, inconclusive, failed } = self;
        let all = counted(met + inconclusive + failed, "rule");
        match (self.passes(strict), failed) {
            (true, _) => {
                let open = match inconclusive {
                    0 => "",
                    _ => "; more samples would narrow the intervals, and --strict accepts only what is met",
                };
                format!("PASS: {} met, {inconclusive} inconclusive, 0 failed{open}", counted(met, "rule"))
            }
            (false, 0) => format!(
                "FAIL: {inconclusive} of {all} inconclusive, which --strict does not accept ({met} met, 0 failed)"
            ),
            (false, _) => format!("FAIL: {failed} of {all} failed ({met} met, {inconclusive} inconclusive)"),
        }
    }
}

impl Judgement {
    /// What came of the rule as a whole: the worst of its outcomes. `unmeasured` forgives what was not measured.
    pub fn verdict(&self, unmeasured: bool) -> Verdict {
        let any = |state: State| self.outcomes.iter().any(|outcome| outcome.state == state);
        if any(State::Fail) || (any(State::NotMeasured) && !unmeasured) {
            Verdict::Fail
        } else if any(State::Inconclusive) || any(State::NotMeasured) {
            Verdict::Inconclusive
        } else {
            Verdict::Pass
        }
    }

    /// Whether the rule lets a build through. `strict` wants proof, `unmeasured` forgives what was not measured.
    pub fn passes(&self, strict: bool, unmeasured: bool) -> bool {
        self.outcomes.iter().all(|outcome| outcome.passes(strict, unmeasured))
    }
}

impl Outcome {
    pub fn passes(&self, strict: bool, unmeasured: bool) -> bool {
        match self.state {
            State::Pass => true,
            State::Inconclusive => !strict,
            State::Fail => false,
            State::NotMeasured => unmeasured,
        }
    }
}

/// The share of questions that must have an answer, and of rows that must be read, for the rest to speak of the model.
const ENOUGH: f64 = 0.95;
/// With fewer than this the rest says nothing about it, and a build must not go through on that.
const HARDLY_ENOUGH: f64 = 0.5;

/// A rule of its own if questions got no answer: they are in no measure, so a model that refuses what it would get wrong looks
/// better than it is. It holds for all questions together, and for the changed texts of each part: the refusals under one part
/// are few among all questions. `others` are the judgements of the rules that the user gave.
pub fn answered(findings: &Findings, others: &[Judgement]) -> Option<Judgement> {
    let unanswered: usize = findings.unanswered.values().sum();
    if unanswered == 0 || findings.questions == 0 {
        return None;
    }
    let outcome = |of: String, unanswered: usize, questions: usize, decides: bool| {
        let of = format!("{of}{unanswered} of {questions} questions got no answer and are in no measure");
        outcome_without(of, unanswered, questions, decides)
    };
    let mut outcomes = vec![outcome(String::new(), unanswered, findings.questions, true)];
    for part in &findings.parts {
        let unanswered = part.counts.unanswered;
        let asked = part.forecast.as_ref().map_or(part.counts.changed, |forecast| forecast.asked + unanswered);
        // A part that no rule speaks of breaks no build by itself.
        let is_named = others.iter().any(|judgement| judgement.outcomes.iter().any(|outcome| outcome.of == part.name));
        let of_part = (unanswered > 0).then(|| outcome(format!("{}: ", part.name), unanswered, asked, is_named));
        outcomes.extend(of_part.filter(|outcome| outcome.state != State::Pass));
    }
    Some(Judgement { rule: format!("answered >= {ENOUGH}"), outcomes, left_out: Vec::new() })
}

/// A rule of its own if rows of the data could not be read and were passed over: what is wrong with a row may go with what the
/// model gets wrong.
pub fn readable(findings: &Findings) -> Option<Judgement> {
    let DataAbout { samples, bad_rows, .. } = findings.about.data;
    let all = samples + bad_rows;
    (bad_rows > 0).then(|| {
        let of = format!("{bad_rows} of {all} rows could not be read and are in no measure");
        let outcome = outcome_without(of, bad_rows, all, true);
        Judgement { rule: format!("readable >= {ENOUGH}"), outcomes: vec![outcome], left_out: Vec::new() }
    })
}

/// The outcome of a rule about what is missing. `decides` if it may fail a build by itself.
fn outcome_without(of: String, missing: usize, all: usize, decides: bool) -> Outcome {
    let exact = |value: f64| Some(Estimate { value, low: value, high: value });
    let share = 1.0 - missing as f64 / all as f64;
    let state = match share {
        ENOUGH.. => State::Pass,
        HARDLY_ENOUGH.. => State::Inconclusive,
        _ if decides => State::Fail,
        _ => State::Inconclusive,
    };
    Outcome { of, state, left: exact(share), right: exact(ENOUGH), paired: None, widened_for: 1 }
}

/// Judges one rule.
pub fn judge(rule: &Rule, evidence: Evidence<'_>) -> Result<Judgement, BadRule> {
    judge_items(rule, &|call| evidence.items(rule, call))
}

/// Looks a number up by measure, by what it is of, and by whether it is a change.
pub type Lookup<'a> = dyn Fn(&str, Option<&str>, bool) -> Result<Option<Estimate>, String> + 'a;

/// Judges one rule by numbers that are looked up one by one: `find(measure, of, change)`, where `change` asks for the difference
/// to an earlier run. An error ends the sentence that begins with the rule.
pub fn judge_by(rule: &Rule, find: &Lookup<'_>) -> Result<Judgement, BadRule> {
    judge_items(rule, &|call| {
        let found = find(&call.measure, call.of.as_deref(), call.change);
        let found = found.map_err(|why| BadRule { rule: rule.text.clone(), why })?;
        Ok(vec![Item::of(call.of.as_deref().unwrap_or_default(), found)])
    })
}

fn judge_items(rule: &Rule, items: &dyn Fn(&Call) -> Result<Vec<Item>, BadRule>) -> Result<Judgement, BadRule> {
    let bad = |why: &str| BadRule { rule: rule.text.clone(), why: why.into() };
    let mut columns: Vec<Vec<Item>> = Vec::new();
    for call in rule.calls() {
        columns.push(items(call)?);
    }
    let mut left_out: Vec<String> = Vec::new();
    for column in columns.iter_mut().filter(|column| !column.iter().all(|item| item.idle)) {
        left_out.extend(column.extract_if(.., |item| item.idle).map(|item| item.of));
    }
    left_out.sort();
    left_out.dedup();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let widest = columns.iter().find(|column| column.len() == rows).cloned().unwrap_or_default();
    let aligned = |column: &Vec<Item>| {
        column.len() == 1 || column.iter().map(|item| &item.of).eq(widest.iter().map(|item| &item.of))
    };
    if !columns.iter().all(aligned) {
        return Err(bad("refers to two different groups: split it into two rules"));
    }
    if rule.left.iter().chain(&rule.right).any(|(_, term)| *term == Term::Chance)
        && !columns.iter().flatten().any(|item| item.chance.is_some())
        && columns.iter().flatten().any(|item| item.found.is_some())
    {
        return Err(bad("asks for `chance`, which only agreement, confidence and entropy have"));
    }
    let outcomes = (0..rows).map(|row| {
        let items: Vec<&Item> = columns.iter().map(|column| column.get(row).unwrap_or(&column[0])).collect();
        outcome(rule, &items, &widest[row].of, rows)
    });
    Ok(Judgement { rule: rule.text.clone(), outcomes: outcomes.collect(), left_out })
}

fn outcome(rule: &Rule, items: &[&Item], of: &str, rows: usize) -> Outcome {
    let chance = items.iter().find_map(|item| item.chance);
    let paired = items.iter().filter_map(|item| item.paired).reduce(|one, other| one && other);
    let mut items = items.iter();
    let mut side = |terms: &[(f64, Term)]| -> Option<Estimate> {
        let mut sum = Some(Estimate { value: 0.0, low: 0.0, high: 0.0 });
        for (sign, term) in terms {
            let exact = |value: f64| Estimate { value, low: value, high: value };
            let found = match term {
                Term::Number(number) => Some(exact(*number)),
                Term::Chance => chance.map(exact),
                // Wider, so that a rule about many parts raises no more false alarms than a rule about one.
                Term::Measure(call) => {
                    let found = items.next().and_then(|item| item.found).map(|found| found.widened_for(rows));
                    found.map(|found| if call.change { within_bounds(&call.measure, found) } else { found })
                }
            };
            sum = sum.zip(found).map(|(sum, found)| {
                let (low, high) = if *sign > 0.0 { (found.low, found.high) } else { (-found.high, -found.low) };
                Estimate { value: sum.value + sign * found.value, low: sum.low + low, high: sum.high + high }
            });
        }
        sum
    };
    let (left, right) = (side(&rule.left), side(&rule.right));
    let state = match left.zip(right) {
        None => State::NotMeasured,
        Some((left, right)) => {
            let (low, high) = (left.low - right.high, left.high - right.low);
            let value = left.value - right.value;
            // What holds for the value itself is not broken, whatever the last digits of its interval say.
            let (holds, broken) = match rule.compare {
                Compare::AtMost => (high <= 0.0, low > 0.0 && value > 0.0),
                Compare::Below => (high < 0.0, low >= 0.0 && value >= 0.0),
                Compare::AtLeast => (low >= 0.0, high < 0.0 && value < 0.0),
                Compare::Above => (low > 0.0, high <= 0.0 && value <= 0.0),
            };
            match (holds, broken) {
                (true, _) => State::Pass,
                (_, true) => State::Fail,
                _ => State::Inconclusive,
            }
        }
    };
    Outcome { of: of.into(), state, left, right, paired, widened_for: rows }
}
