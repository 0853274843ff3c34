//! What rules can speak of: every measured number of the findings, by name.

use fissure_core::{Expectation, Family, nearest};
use fissure_statistics::Estimate;

use super::rule::{BadRule, Call, Rule};
use crate::measure::within_bounds;
use crate::{Findings, PartFinding, RunComparison, SaladRow};

/// Whether a row, by its name and family, belongs to a group.
type Belongs<'a> = Box<dyn Fn(&str, Option<Family>) -> bool + 'a>;

/// Findings, and the names that exist whether or not they were measured.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    pub findings: &'a Findings,
    /// The findings of an earlier run, for `change(...)`.
    pub baseline: Option<&'a Findings>,
    /// The differences to that run that were taken sample by sample.
    pub together: Option<&'a RunComparison>,
    /// Named groups of parts: the suites.
    pub groups: &'a [(String, Vec<String>)],
    /// Every part and slice that there is.
    pub known: &'a [String],
}

/// One thing a measure speaks of, and what was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// The part, slice or row; empty for a measure of the whole.
    pub of: String,
    pub found: Option<Estimate>,
    /// What guessing gives, where that is known.
    pub chance: Option<f64>,
    /// Of a change: whether it was taken sample by sample.
    pub paired: Option<bool>,
    /// A part that found nothing to change in the data.
    pub idle: bool,
}

impl Item {
    pub(super) fn of(name: &str, found: Option<Estimate>) -> Self {
        Self::new(name, found)
    }

    fn new(of: &str, found: Option<Estimate>) -> Self {
        Self { of: of.into(), found, chance: None, paired: None, idle: false }
    }
}

/// What a measure is taken on.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Part(fn(&PartFinding) -> Option<Estimate>),
    Salad(fn(&SaladRow) -> Option<Estimate>),
    Slice(fn(&crate::SliceFinding) -> Option<Estimate>),
    Interaction,
    /// Parts and bias rows alike.
    Flips,
}

/// The name of the drop of all parts that people judged, in one number.
const WEIGHTED: &str = "weighted";

/// The measures that speak of something.
const MEASURES: &[(&str, Kind)] = &[
    ("drop", Kind::Part(|part| part.evidence.as_ref()?.drop)),
    ("before", Kind::Part(|part| part.evidence.as_ref()?.before)),
    ("after", Kind::Part(|part| part.evidence.as_ref()?.after)),
    ("flips", Kind::Flips),
    ("agreement", Kind::Salad(|row| Some(row.agreement))),
    ("confidence", Kind::Salad(|row| row.confidence)),
    ("entropy", Kind::Salad(|row| row.entropy)),
    ("score", Kind::Slice(|slice| slice.score_inside)),
    ("difference", Kind::Slice(|slice| slice.difference)),
    ("excess", Kind::Interaction),
];

impl Evidence<'_> {
    /// The things that a measure speaks of: one, or each part of a group.
    pub(super) fn items(&self, rule: &Rule, call: &Call) -> Result<Vec<Item>, BadRule> {
        let mut now = self.in_findings(rule, call, self.findings)?;
        if !call.change {
            return Ok(now);
        }
        let bad = |why: &str| BadRule { rule: rule.text.clone(), why: why.into() };
        let baseline = self.baseline.ok_or_else(|| bad("asks for a change: give the earlier run with --baseline"))?;
        let then = self.in_findings(rule, call, baseline).unwrap_or_default();
        // A part that the earlier run did not have has no change, and breaks no rule about a group; alone it is not measured.
        let is_there = |item: &Item| then.iter().any(|earlier| earlier.of == item.of);
        if now.len() > 1 && now.iter().any(is_there) {
            now.retain(is_there);
        }
        let changed = |item: Item| {
            let earlier = then.iter().find(|earlier| earlier.of == item.of).and_then(|earlier| earlier.found);
            let paired = self.together.and_then(|together| together.difference(&call.measure, &item.of));
            let found = item
                .found
                .zip(earlier)
                .map(|(now, then)| paired.unwrap_or_else(|| within_bounds(&call.measure, less(now, then))));
            Item { found, paired: found.map(|_| paired.is_some()), ..item }
        };
        Ok(now.into_iter().map(changed).collect())
    }

    fn in_findings(&self, rule: &Rule, call: &Call, findings: &Findings) -> Result<Vec<Item>, BadRule> {
        let bad = |why: String| BadRule { rule: rule.text.clone(), why };
        let Some(of) = &call.of else {
            let found = match &*call.measure {
                "ece" => findings.reliability.as_ref().map(|reliability| reliability.ece),
                "score" => findings.clean.first().map(|(_, estimate)| *estimate),
                name => match findings.clean.iter().find(|(metric, _)| metric == name) {
                    Some((_, estimate)) => Some(*estimate),
                    // A model that gave no answer has no score, which is no fault of the rule.
                    None if metrics_of(findings).iter().any(|metric| metric == name) => None,
                    None => return Err(bad(unknown("measure", name, whole(findings).into_iter()))),
                },
            };
            return Ok(vec![Item::new("", found)]);
        };
        let Some((_, kind)) = MEASURES.iter().find(|(name, _)| *name == call.measure) else {
            return Err(bad(unknown("measure", &call.measure, MEASURES.iter().map(|(name, _)| (*name).to_owned()))));
        };
        if call.measure == "drop" && same(of, WEIGHTED) {
            let found = findings.weighted.map(|weighted| weighted.drop);
            return Ok(vec![Item::new(WEIGHTED, found)]);
        }
        let all = rows(findings, *kind);
        let named: Vec<Item> =
            all.iter().filter(|(item, _)| same(&item.of, of)).map(|(item, _)| item.clone()).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        // A score only falls where the right answer is known: of a group, the parts that keep it or set it are asked.
        let scored = |name: &str| {
            let mut parts = findings.parts.iter().filter(|part| part.name == name);
            !matches!(kind, Kind::Part(_))
                || parts.any(|part| matches!(part.expectation, Expectation::Kept | Expectation::Relabelled))
        };
        let group: Option<Vec<Item>> = self.group(findings, of, *kind).map(|members| {
            let mut rows = all.clone();
            rows.retain(|(item, family)| members(&item.of, *family) && scored(&item.of));
            rows.into_iter().map(|(item, _)| item).collect()
        });
        let not_measured = || vec![Item::new(of, None)];
        if let Some(members) = group {
            return Ok(if members.is_empty() { not_measured() } else { members });
        }
        let names = || {
            let measured = all.iter().map(|(item, _)| item.of.clone());
            let planned = findings.not_run.iter().map(|missed| missed.name.clone());
            measured.chain(planned).chain(self.known.iter().cloned())
        };
        if names().any(|name| same(&name, of)) {
            return Ok(not_measured());
        }
        let groups = self.groups.iter().map(|(name, _)| name.clone());
        let families = FAMILIES.iter().map(|(name, _)| (*name).to_owned());
        Err(bad(unknown("part, slice or group", of, names().chain(groups).chain(families).chain(["all".to_owned()]))))
    }

    /// Whether a row belongs to the group called `name`; `None` if there is no such group.
    fn group<'b>(&'b self, findings: &'b Findings, name: &str, kind: Kind) -> Option<Belongs<'b>> {
        if let Some((_, family)) = FAMILIES.iter().find(|(known, _)| same(known, name)) {
            return Some(Box::new(move |_, of| of == Some(*family)));
        }
        let salad = matches!(kind, Kind::Salad(_)) && same(name, "word-salad");
        if same(name, "all") || salad || same(name, &findings.about.suite) {
            return Some(Box::new(|_, _| true));
        }
        let (_, members) = self.groups.iter().find(|(known, _)| same(known, name))?;
        Some(Box::new(|part, _| members.iter().any(|member| same(member, part))))
    }
}

const FAMILIES: &[(&str, Family)] = &[
    ("morphology", Family::Morphology),
    ("paradigmatic", Family::Paradigmatic),
    ("syntax", Family::Syntax),
    ("pragmatics", Family::Pragmatics),
    ("model", Family::Model),
];

/// All rows that a kind of measure has, with the family of each.
fn rows(findings: &Findings, kind: Kind) -> Vec<(Item, Option<Family>)> {
    let of_part = |part: &PartFinding, found| {
        let idle = part.counts.changed == 0;
        (Item { idle, ..Item::new(&part.name, found) }, part.family)
    };
    match kind {
        Kind::Part(take) => findings.parts.iter().map(|part| of_part(part, take(part))).collect(),
        Kind::Flips => {
            let flips = |part: &PartFinding| part.evidence.as_ref().map(|evidence| evidence.changed_answers);
            let parts = findings.parts.iter().map(|part| of_part(part, flips(part)));
            parts
                .chain(findings.bias.iter().map(|bias| (Item::new(&bias.name, Some(bias.changed_answers)), None)))
                .collect()
        }
        Kind::Salad(take) => {
            let row = |row: &SaladRow| Item { chance: Some(row.chance), ..Item::new(&row.name, take(row)) };
            findings.salad.iter().map(|each| (row(each), None)).collect()
        }
        Kind::Slice(take) => findings.slices.iter().map(|slice| (Item::new(&slice.name, take(slice)), None)).collect(),
        Kind::Interaction => {
            findings.interactions.iter().map(|each| (Item::new(&each.name, Some(each.excess)), None)).collect()
        }
    }
}

/// The metrics of the run's task, measured or not.
fn metrics_of(findings: &Findings) -> Vec<String> {
    let labels = &findings.about.model.labels;
    fissure_tasks::find(&findings.about.task)
        .map(|task| task.metrics(labels).iter().map(|metric| metric.name().to_owned()).collect())
        .unwrap_or_default()
}

/// The measures of the whole.
fn whole(findings: &Findings) -> Vec<String> {
    let metrics = findings.clean.iter().map(|(name, _)| name.clone());
    let named = MEASURES.iter().map(|(name, _)| format!("{name}(...)"));
    metrics.chain(["ece".to_owned(), "score".to_owned()]).chain(named).collect()
}

/// Whether two names are one; `word-salad` and `word_salad` are.
fn same(a: &str, b: &str) -> bool {
    let plain = |name: &str| name.trim().to_lowercase().replace('-', "_");
    plain(a) == plain(b)
}

fn unknown(kind: &str, name: &str, known: impl Iterator<Item = String>) -> String {
    let mut known: Vec<String> = known.collect();
    known.sort();
    known.dedup();
    let near = nearest(name, known.iter().map(String::as_str));
    let next = match &near[..] {
        [] => format!("there are {}", known.iter().take(20).cloned().collect::<Vec<_>>().join(", ")),
        near => format!("did you mean `{}`?", near.join("`, `")),
    };
    format!("names no {kind}: there is no `{name}`; {next}")
}

/// The difference of two runs, as if they had nothing in common: wider than it would be if answers were paired.
fn less(now: Estimate, then: Estimate) -> Estimate {
    let value = now.value - then.value;
    Estimate {
        value,
        low: value - (now.value - now.low).hypot(then.high - then.value),
        high: value + (now.high - now.value).hypot(then.value - then.low),
    }
}
