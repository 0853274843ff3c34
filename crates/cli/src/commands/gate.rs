//! `fissure gate`: rules about a run, and an exit code for CI.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use fissure_data::{Existing, draft};
use fissure_evaluate::gate::{JUNIT_SUITE, Judgement, State, Tally, annotations, junit};
use fissure_kit::gate::{Verdicts, check};
use fissure_kit::outputs::Inputs;
use serde_json::json;

use crate::ui::Ui;
use crate::{Error, Result, args, ui};

pub fn run(args: &args::Gate, ui: Ui) -> Result<u8> {
    let read_from = [Some(&*args.run), args.baseline.as_deref(), args.rule_file.as_deref()];
    let inputs = Inputs::default().and_paths(read_from.into_iter().flatten());
    let existing = match &args.junit {
        // A build writes its verdict to the same place every time.
        Some(file) if is_verdict(file) => Existing::Replace,
        _ => args.force.existing(),
    };
    inputs.check(args.junit.as_deref(), existing)?;
    let mut texts = args.rules.clone();
    if let Some(file) = &args.rule_file {
        let written = fs::read_to_string(file).map_err(Error::reading(file.display().to_string()))?;
        // Editors may put a byte order mark in front.
        let rules = written
            .trim_start_matches('\u{feff}')
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim());
        texts.extend(rules.filter(|rule| !rule.is_empty()).map(str::to_owned));
    }
    let Verdicts { judgements, together } = check(&args.run, args.baseline.as_deref(), &texts)?;
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
        // GitHub reads them on either output; with --json nothing else may go to this one.
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
    Ok(u8::from(!passed))
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
