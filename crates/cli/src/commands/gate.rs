//! `fissure gate`: rules about a run, and an exit code for CI.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use fissure_core::Kind;
use fissure_data::{Existing, draft};
use fissure_evaluate::gate::{GateEvidence, JUNIT_SUITE, Judgement, Rule, State, Tally, annotations, judge, junit};
use fissure_evaluate::suite::{SUITES, Suite};
use fissure_evaluate::{ChainConfig, FINDINGS_FILE, Findings, RUN_FILE, Together, read_findings, together};
use serde_json::json;

use crate::catalog::{self, Listed};
use crate::commands::outputs::Inputs;
use crate::ui::Ui;
use crate::{Error, Result, args, ui};

pub fn run(args: &args::Gate, ui: Ui) -> Result<ExitCode> {
    let read_from = [Some(&*args.run), args.baseline.as_deref(), args.rule_file.as_deref()];
    let inputs = Inputs::default().and_paths(read_from.into_iter().flatten());
    let existing = match &args.junit {
        // A build writes its verdict to the same place every time.
        Some(file) if is_verdict(file) => Existing::Replace,
        _ => args.force.existing(),
    };
    inputs.check(args.junit.as_deref(), existing)?;
    let findings = read(&args.run)?;
    let baseline = args.baseline.as_deref().map(read).transpose()?;
    if let Some((baseline, earlier)) = baseline.as_ref().zip(args.baseline.as_deref()) {
        comparable((earlier, baseline), (&args.run, &findings))?;
    }
    let together = args.baseline.as_deref().map(|earlier| pairs(earlier, &args.run)).transpose()?;
    let mut texts = args.rules.clone();
    if let Some(file) = &args.rule_file {
        let written = fs::read_to_string(file).map_err(Error::reading(file.display().to_string()))?;
        let rules = written.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        texts.extend(rules.filter(|rule| !rule.is_empty()).map(str::to_owned));
    }
    if texts.is_empty() && baseline.is_some() {
        texts = ["change(score) >= 0", "change(after(all)) >= 0"].map(str::to_owned).to_vec();
    }
    if texts.is_empty() {
        return Err(Error::NoRules);
    }
    let parts = [Kind::Transform, Kind::Slice].map(catalog::of_kind).concat();
    let name = |listed: &Listed| listed.card.name.to_owned();
    let known: Vec<String> = parts.iter().map(name).collect();
    let chain = |chain| match chain {
        ChainConfig::Name(name) | ChainConfig::Full { parts: name, .. } => name,
    };
    let task = fissure_tasks::find(&findings.about.task)?;
    let members = |suite: &Suite| suite.chains(&task.facts).into_iter().map(chain).collect();
    let groups: Vec<(String, Vec<String>)> =
        SUITES.iter().map(|suite| (suite.name.to_owned(), members(suite))).collect();
    let evidence = GateEvidence {
        findings: &findings,
        baseline: baseline.as_ref(),
        together: together.as_ref(),
        groups: &groups,
        known: &known,
    };
    let mut judgements = Vec::new();
    for text in &texts {
        judgements.push(judge(&text.parse::<Rule>()?, evidence)?);
    }
    let tally = Tally::of(&judgements, args.allow_unmeasured);
    let passed = tally.passes(args.strict);
    let mut out = if ui.json {
        let rules: Vec<_> = judgements.iter().map(|judgement| as_json(judgement, args)).collect();
        let verdict = if passed { "pass" } else { "fail" };
        format!(
            "{}\n",
            json!({"passed": passed, "verdict": verdict, "tally": tally, "rules": rules, "together": together})
        )
    } else {
        shown(&judgements, args)
    };
    if args.github {
        let annotations = annotations(&judgements, args.strict, args.allow_unmeasured);
        // GitHub reads them on either output; whoever asks for JSON wants nothing else on this one.
        if ui.json { ui::note(annotations.trim_end()) } else { out.push_str(&annotations) }
    }
    ui::print(&out).map_err(Error::writing("standard output"))?;
    if let Some(file) = &args.junit {
        let xml = junit(&judgements, args.strict, args.allow_unmeasured);
        draft::write(file, xml.as_bytes(), existing)?;
    }
    if let Some(why) = together.as_ref().and_then(|together| together.apart.as_ref()) {
        ui::note(&format!("the two runs are compared as separate runs: {why}"));
    }
    ui::note(&tally.sentence(args.strict));
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Whether a file is what an earlier gate wrote.
fn is_verdict(file: &Path) -> bool {
    let mut head = [0; 256];
    let read = fs::File::open(file).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    String::from_utf8_lossy(&head[..read]).lines().nth(1).is_some_and(|line| line.starts_with(JUNIT_SUITE))
}

/// A rule and what came of it, for programs.
fn as_json(judgement: &Judgement, args: &args::Gate) -> serde_json::Value {
    json!({
        "rule": judgement.rule,
        "passed": judgement.passes(args.strict, args.allow_unmeasured),
        "verdict": judgement.verdict(args.allow_unmeasured),
        "outcomes": judgement.outcomes,
        "left_out": judgement.left_out,
    })
}

/// The findings of a run: as it wrote them down, or anew from its file.
pub(super) fn read(run: &Path) -> Result<Findings> {
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
pub(super) fn comparable(first: (&Path, &Findings), second: (&Path, &Findings)) -> Result<()> {
    let said = |(run, findings): (&Path, &Findings)| {
        format!("{} has the task {}, measured by {}", run.display(), findings.about.task, findings.about.metric)
    };
    if first.1.about.metric == second.1.about.metric {
        return Ok(());
    }
    Err(Error::Incomparable { first: said(first), second: said(second) })
}

/// The differences of two runs sample by sample, the second less the first, where the files of their answers are there.
pub(super) fn pairs(first: &Path, second: &Path) -> Result<Together> {
    let [first, second] = [first, second].map(|run| if run.is_dir() { run } else { run.parent().unwrap_or(run) });
    let files = [first, second].map(|run| run.join(RUN_FILE));
    match files.iter().find(|file| !file.exists()) {
        Some(missing) => Ok(Together::apart(format!("there is no {}", missing.display()))),
        None => Ok(together(&files[0], &files[1])?),
    }
}

fn shown(judgements: &[Judgement], args: &args::Gate) -> String {
    let mut text = String::new();
    for judgement in judgements {
        let verdict = judgement.verdict(args.allow_unmeasured).name();
        text.push_str(&format!("{verdict:<12} {}\n", ui::bold(&judgement.rule)));
        for outcome in &judgement.outcomes {
            // Of a long list only what stands out is shown.
            if judgement.outcomes.len() < 6 || outcome.state != State::Pass {
                text.push_str(&format!("             {}\n", outcome.sentence()));
            }
        }
        if !judgement.left_out.is_empty() {
            let names = judgement.left_out.join(", ");
            text.push_str(&format!("             left out, nothing to change: {names}\n"));
        }
    }
    text
}
