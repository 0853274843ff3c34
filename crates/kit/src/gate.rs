//! Checking runs against rules: which findings a rule is about, the usual rules, the groups it may name.

use std::path::Path;

use fissure_evaluate::gate::{GateEvidence, Judgement, Rule, judge};
use fissure_evaluate::suite::{SUITES, Suite};
use fissure_evaluate::{ChainConfig, FINDINGS_FILE, Findings, RUN_FILE, RunComparison, read_findings, together};
use fissure_probes::{SLICES, TRANSFORMS};

use crate::{Error, Result};

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
    for rule in &of_attacks {
        let name = crate::attacks::named_in(rule).unwrap_or_default();
        let names = match name {
            "all" => crate::attacks::names_beside(run),
            name => vec![name.to_owned()],
        };
        for name in &names {
            let folder = |run: &Path| crate::attacks::folder_of(run, name);
            if !crate::attacks::is_run(&folder(run)) {
                return Err(Error::NoAttack { name: name.clone(), run: run.display().to_string() });
            }
            let earlier = baseline.map(folder).filter(|folder| crate::attacks::is_run(folder));
            judgements.extend(crate::attacks::check(&folder(run), earlier.as_deref(), std::slice::from_ref(rule))?);
        }
    }
    if rules.is_empty() && !of_attacks.is_empty() {
        return Ok(Verdicts { judgements, together: None });
    }
    let rules = &rules[..];
    let findings = read_run(run)?;
    let earlier = baseline.map(read_run).transpose()?;
    if let Some((earlier, path)) = earlier.as_ref().zip(baseline) {
        comparable((path, earlier), (run, &findings))?;
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
    Ok(Verdicts { judgements, together })
}

/// The findings of a run: as it wrote them down, or again from its file.
pub fn read_run(run: &Path) -> Result<Findings> {
    let path = if run.is_dir() { run.join(FINDINGS_FILE) } else { run.to_owned() };
    let file = run.join(RUN_FILE);
    if !path.exists() && file.exists() {
        return Ok(fissure_evaluate::findings(&file)?);
    }
    if !path.exists() {
        return Err(Error::NoRun { place: run.display().to_string() });
    }
    Ok(read_findings(&path)?)
}

/// Refuses to compare what is measured by different metrics.
pub fn comparable(first: (&Path, &Findings), second: (&Path, &Findings)) -> Result<()> {
    let said = |(run, findings): (&Path, &Findings)| {
        format!("{} has the task {}, measured by {}", run.display(), findings.about.task, findings.about.metric)
    };
    if first.1.about.metric == second.1.about.metric {
        return Ok(());
    }
    Err(Error::Incomparable { first: said(first), second: said(second) })
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
