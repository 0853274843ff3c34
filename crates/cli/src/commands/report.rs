//! `fissure report`: the findings of a run as pages, or two runs side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fissure_data::{Existing, draft};
use fissure_kit::outputs::Inputs;
use fissure_kit::report::{EVERY, ending, of_run, page};
use fissure_kit::{attacks, gate};
use fissure_report::compare;
use serde_json::json;

use crate::args::Report;
use crate::ui::{self, Ui};
use crate::{Error, Result};

pub fn run(args: &Report, ui: Ui) -> Result<()> {
    let (stem, document, numbers) = match args.runs.as_slice() {
        runs if !runs.is_empty() && runs.iter().all(|run| attacks::is_run(run)) => {
            let (document, numbers) = attacks::report(runs)?;
            (if runs.len() == 2 { "comparison" } else { "report" }, document, numbers)
        }
        [first, second] => {
            let (a, b) = (gate::read_run(first)?, gate::read_run(second)?);
            gate::comparable((first, &a), (second, &b))?;
            let together = gate::pairs(first, second)?;
            let document = compare(&a, &b, &together);
            ("comparison", document, json!({ "first": a, "second": b, "together": together }))
        }
        runs => {
            let folder = runs.first().map_or(Path::new("."), PathBuf::as_path);
            let (document, numbers) = of_run(folder, &gate::read_run(folder)?)?;
            ("report", document, numbers)
        }
    };
    let folder = args.out.clone().or_else(|| args.runs.first().cloned()).unwrap_or_default();
    fs::create_dir_all(&folder).map_err(Error::writing(folder.display().to_string()))?;
    let existing = Existing::forced(args.force);
    let formats = if args.format.is_empty() { EVERY } else { &args.format };
    let mut pages = Vec::with_capacity(formats.len());
    for format in formats {
        let path = folder.join(format!("{stem}.{}", ending(*format)));
        pages.push((path, page(*format, &document, &numbers, args.font.as_deref())?));
    }
    // A page that another comparison made, or that was edited, stays; one with the same bytes is done already.
    let differs = |(path, bytes): &&(PathBuf, Vec<u8>)| fs::read(path).map_or(true, |there| there != *bytes);
    let new: Vec<_> = pages.iter().filter(differs).collect();
    Inputs::default().check(new.iter().map(|(path, _)| path.as_path()), existing)?;
    for (path, bytes) in &new {
        draft::write(path, bytes, existing)?;
    }
    if args.open {
        show(&folder.join(format!("{stem}.html")));
    }
    let paths: Vec<String> = pages.iter().map(|(path, _)| path.display().to_string()).collect();
    let text = if ui.json { format!("{:#}\n", json!({ "files": paths })) } else { paths.join("\n") + "\n" };
    ui::print(&text).map_err(Error::writing("standard output"))
}

/// Asks the system to show a file; a machine without a browser is no failure, the path was printed.
fn show(path: &Path) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let asked = Command::new(opener).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if asked.is_err() {
        ui::note(&format!("there is no `{opener}` here to show it; open {} yourself", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use fissure_evaluate::Findings;

    #[test]
    fn every_command_that_a_report_suggests_exists() {
        let found: Findings = serde_json::from_str(include_str!("../../../report/tests/findings.json")).unwrap();
        // Every flag that says how the data is read comes back in the commands.
        let mut found = found;
        let reading = [
            ("columns", "text=body,label=stars"),
            ("id", "content"),
            ("format", "csv"),
            ("label-map", "1=pos,0=neg"),
            ("fields", "text"),
            ("on-bad-row", "skip"),
        ];
        found.about.reading = reading.map(|(flag, value)| (flag.to_owned(), value.to_owned())).to_vec();
        let commands = fissure_report::next_commands(&found);
        assert!(commands.iter().any(|command| command.contains("--fields text")), "{commands:?}");
        assert!(commands.len() >= 3);
        for command in commands {
            let parsed = crate::command().try_get_matches_from(command.split_whitespace());
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }
}
