//! Checking runs against rules: which findings a rule is about, the usual rules, the groups it may name.

use std::path::Path;

use fissure_evaluate::gate::{GateEvidence, Judgement, Rule, answered, judge, readable};
use fissure_evaluate::suite::{SUITES, Suite};
use fissure_evaluate::{
    ChainConfig, FINDINGS_FILE, Findings, ModelAbout, PartFinding, RUN_FILE, RunComparison, read_findings, together,
};
use fissure_probes::{SLICES, TRANSFORMS};

use crate::notice::note;
use crate::outputs::Inputs;
use crate::{Error, OtherMeaning, Result};

/// What came of all rules.
#[derive(Debug)]
pub struct Verdicts {
    pub judgements: Vec<Judgement>,
    /// How the run and its baseline were compared, sample by sample.
    pub together: Option<RunComparison>,
}

/// Holds a run to rules. Without rules, nothing may be worse than in the baseline.
pub fn check(run: &Path, baseline: Option<&Path>, rules: &[String]) -> Result<Verdicts> {
    if crate::attacks::is_run(run) {
        return Ok(Verdicts { judgements: crate::attacks::check(run, baseline, rules)?, together: None });
    }
    // Attacks that were run beside an evaluation are runs of their own.
    let (of_attacks, rules): (Vec<String>, Vec<String>) =
        rules.iter().cloned().partition(|rule| crate::attacks::named_in(rule).is_some());
    let mut judgements = Vec::new();
    let attacks = crate::attacks::several(run);
    let of_baseline = baseline.map(crate::attacks::several).unwrap_or_default();
    let earlier = |name: &str| of_baseline.iter().find(|(other, _)| other == name).map(|(_, folder)| folder.as_path());
    for rule in &of_attacks {
        let wanted = crate::attacks::named_in(rule).unwrap_or_default();
        let meant: Vec<_> = attacks.iter().filter(|(name, _)| wanted == "all" || name == wanted).collect();
        if meant.is_empty() {
            return Err(Error::NoAttack { name: wanted.to_owned(), run: run.display().to_string() });
        }
        for (name, folder) in meant {
            // Each line of the verdict names the attack that it is about.
            let rule = if wanted == "all" { rule.replacen(wanted, name, 1) } else { rule.clone() };
            judgements.extend(crate::attacks::check(folder, earlier(name), &[rule])?);
        }
    }
    if rules.is_empty() && !of_attacks.is_empty() {
        return Ok(Verdicts { judgements, together: None });
    }
    // `fissure attack` with several recipes: each is held to its own baseline.
    if !attacks.is_empty() && baseline.is_some() && !run.join(RUN_FILE).exists() && !run.join(FINDINGS_FILE).exists() {
        for (name, folder) in &attacks {
            judgements.extend(crate::attacks::check(folder, earlier(name), &rules)?);
        }
        return Ok(Verdicts { judgements, together: None });
    }
    let rules = &rules[..];
    let findings = read_run(run)?;
    let earlier = baseline.map(read_run).transpose()?;
    if let Some((earlier, path)) = earlier.as_ref().zip(baseline) {
        comparable((path, earlier), (run, &findings))?;
        for (one, place, other) in [(earlier, path, &findings), (&findings, run, earlier)] {
            let is_alone = |part: &&PartFinding| !other.parts.iter().any(|known| known.name == part.name);
            let alone: Vec<&str> = one.parts.iter().filter(is_alone).map(|part| &*part.name).collect();
            if !alone.is_empty() {
                note(&format!("only {} has {}: their change is not measured", place.display(), alone.join(", ")));
            }
        }
    }
    let together = baseline.map(|path| pairs(path, run)).transpose()?;
    let usual = ["change(score) >= 0", "change(after(all)) >= 0"].map(str::to_owned);
    let rules = match rules {
        [] if earlier.is_some() => &usual,
        [] => return Err(Error::NoRules),
        rules => rules,
    };
    let transforms = TRANSFORMS.entries().map(|entry| entry.card.name);
    let known: Vec<String> =
        transforms.chain(SLICES.entries().map(|entry| entry.card.name)).map(str::to_owned).collect();
    let task = fissure_tasks::find(&findings.about.task)?;
    let chain = |chain| match chain {
        ChainConfig::Name(name) | ChainConfig::Full { parts: name, .. } => name,
    };
    let members = |suite: &Suite| suite.chains(&task.facts).into_iter().map(chain).collect();
    let groups: Vec<(String, Vec<String>)> =
        SUITES.iter().map(|suite| (suite.name.to_owned(), members(suite))).collect();
    let evidence = GateEvidence {
        findings: &findings,
        baseline: earlier.as_ref(),
        together: together.as_ref(),
        groups: &groups,
        known: &known,
    };
    for rule in rules {
        judgements.push(judge(&rule.parse::<Rule>()?, evidence)?);
    }
    judgements.extend(answered(&findings, &judgements));
    judgements.extend(readable(&findings));
    Ok(Verdicts { judgements, together })
}

/// The findings of a run: as it wrote them down, or again from its file.
pub fn read_run(run: &Path) -> Result<Findings> {
    Inputs::default().and_paths([run]).refuse([])?;
    let path = if run.is_dir() { run.join(FINDINGS_FILE) } else { run.to_owned() };
    let file = run.join(RUN_FILE);
    if !path.exists() && file.exists() {
        return Ok(fissure_evaluate::findings(&file)?);
    }
    if !path.exists() {
        let place = run.display().to_string();
        return Err(match crate::attacks::several(run).first() {
            Some((_, one)) => Error::SeveralAttacks { place, one: one.display().to_string() },
            None => Error::NoRun { place },
        });
    }
    let found = read_findings(&path)?;
    if !path.with_file_name(RUN_FILE).exists() {
        let place = path.display();
        note(&format!("{place}: the run file is not beside it, so it was not checked whether the two belong together"));
    }
    Ok(found)
}

/// Refuses to compare runs of different tasks, measured by different metrics, or that read the labels differently.
pub fn comparable(first: (&Path, &Findings), second: (&Path, &Findings)) -> Result<()> {
    let said = |(run, findings): (&Path, &Findings)| {
        format!("{} has the task {}, measured by {}", run.display(), findings.about.task, findings.about.metric)
    };
    let about = |findings: &Findings| (findings.about.task.clone(), findings.about.metric.clone());
    if about(first.1) != about(second.1) {
        return Err(Error::Incomparable { first: said(first), second: said(second) });
    }
    let [one, other] = [first.1, second.1].map(|findings| &findings.about.model);
    if let Some((name, [then, now])) = swapped_name(one, other) {
        let [first, second] = [first.0, second.0].map(|run| run.display().to_string());
        return Err(Error::OtherName(Box::new(OtherMeaning { label: name, one: then, first, other: now, second })));
    }
    match other_meaning(first.1, second.1) {
        None => Ok(()),
        Some((label, one, other)) => {
            let [first, second] = [first.0, second.0].map(|run| run.display().to_string());
            Err(Error::OtherMeaning(Box::new(OtherMeaning { label, one, first, other, second })))
        }
    }
}

/// What one model calls one label in one run and another label in the other, with both labels.
fn swapped_name(one: &ModelAbout, other: &ModelAbout) -> Option<(String, [String; 2])> {
    if one.name != other.name {
        return None;
    }
    one.label_names.iter().find_map(|(then, name)| {
        let (now, _) = other.label_names.iter().find(|(now, known)| known == name && now != then)?;
        Some((name.clone(), [then.clone(), now.clone()]))
    })
}

/// A label of the data that two runs took for different labels of the model, with both: a difference between them would be one of
/// the labels and not of the models. Models with other labels are not compared in this way.
fn other_meaning(first: &Findings, second: &Findings) -> Option<(String, String, String)> {
    let sorted = |findings: &Findings| {
        let mut labels = findings.about.model.labels.clone();
        labels.sort();
        labels
    };
    if sorted(first) != sorted(second) {
        return None;
    }
    let (one, other) = (first.about.label_match.as_ref()?, second.about.label_match.as_ref()?);
    let shown = |meaning: &Option<String>| meaning.clone().unwrap_or_else(|| "not scored".to_owned());
    one.pairs.iter().find_map(|(label, meaning)| {
        let (_, then) = other.pairs.iter().find(|(known, then)| known == label && then != meaning)?;
        Some((label.clone(), shown(meaning), shown(then)))
    })
}

/// The differences of two runs sample by sample, the second less the first, where the files of their answers are there.
pub fn pairs(first: &Path, second: &Path) -> Result<RunComparison> {
    let [first, second] = [first, second].map(|run| if run.is_dir() { run } else { run.parent().unwrap_or(run) });
    let files = [first, second].map(|run| run.join(RUN_FILE));
    match files.iter().find(|file| !file.exists()) {
        Some(missing) => Ok(RunComparison::unpaired(format!("there is no {}", missing.display()))),
        None => Ok(together(&files[0], &files[1])?),
    }
}
