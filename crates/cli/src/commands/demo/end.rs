//! The end of the tour: what was found in plain words, and what to try next.

use std::path::Path;

use fissure_core::Sample;
use fissure_data::demo;
use fissure_evaluate::Findings;
use fissure_evaluate::shell_word;
use fissure_geometry::ShortcutWord;
use fissure_statistics::proportion;
use serde_json::json;

use super::shortcuts::is_planted;
use super::{Tour, label, percent_in_words, text};
use crate::Result;
use crate::commands::conclusion;
use crate::ui::{columns, wrapped};

/// The verdict of the report, and the shortcuts, which only one who can see the training data finds.
pub fn verdict(tour: &mut Tour, findings: &Findings, found: &[ShortcutWord]) -> Result<()> {
    let mut verdict = fissure_report::verdict(findings);
    verdict.push(shortcuts(tour, found));
    tour.say(&conclusion::listed(&verdict))?;
    tour.found.insert("verdict".into(), json!(verdict));
    tour.found.insert("report".into(), json!(tour.place.run().join("report.html")));
    tour.say("\n")?;
    tour.say(&conclusion::report_of(&tour.place.run()))
}

/// What the planted words do: the words themselves, and how the model fares where they point the wrong way.
fn shortcuts(tour: &Tour, shortcuts: &[ShortcutWord]) -> String {
    let names: Vec<String> = shortcuts
        .iter()
        .map(|shortcut| &shortcut.word)
        .filter(|word| is_planted(tour.language, word))
        .map(|word| format!("\"{word}\""))
        .collect();
    if names.is_empty() {
        return "The planted shortcuts are not among the words that carry its decisions most.".into();
    }
    let [with, against] = [true, false].map(|agrees| {
        let of: Vec<&Sample> = tour.reviews.iter().filter(|review| points(tour, review) == Some(agrees)).collect();
        let right = of.iter().filter(|review| tour.answers.get(&review.id) == Some(&label(review))).count();
        (of.len(), percent_in_words(proportion(right, of.len())))
    });
    format!(
        "It leans on words that should not matter, and those that were planted come out: {}. Where a planted word points to \
         the right label it answers {} of {} reviews rightly, where it points to the wrong one {} of {}.",
        names.join(", "),
        with.1,
        with.0,
        against.1,
        against.0
    )
}

/// Whether the planted words of a review go with its label; `None` if it has none, or they disagree.
fn points(tour: &Tour, review: &Sample) -> Option<bool> {
    let has = |word: &str| text(review).contains(word);
    let planted = demo::shortcuts(tour.language).iter();
    let mut pointed = planted.filter(|shortcut| has(shortcut.word)).map(|shortcut| shortcut.label == label(review));
    let first = pointed.next()?;
    pointed.all(|next| next == first).then_some(first)
}

/// Commands that work as they are printed: on the model of the tour, and on one's own.
pub fn next(tour: &Tour) -> Result<()> {
    let fissure = program();
    let path = |path: &Path| shell_word(&path.display().to_string());
    let (run, model) = (path(&tour.place.run()), path(&tour.place.model()));
    let [train, validation, test] =
        ["train", "validation", "test"].map(|name| path(&tour.place.reviews().join(format!("{name}.jsonl"))));
    let (findings, more, fixed) = (
        path(&tour.place.run().join("findings.json")),
        path(&tour.place.at("more.jsonl")),
        path(&tour.place.at("fixed")),
    );
    let on_this: [(&str, &[String]); 4] = [
        ("See in the browser why, and break it by hand:", &[format!("{fissure} explore {run}")]),
        (
            "Check it against rules, as CI would (exit code 1 if one fails):",
            &[format!("{fissure} gate {run}"), "--rule 'drop(all) <= 0.05'".into(), "--rule 'ece <= 0.1'".into()],
        ),
        (
            "Fix it: its confidence, then the changes that hurt most:",
            &[
                format!("{fissure} repair calibrate --model {model}"),
                format!("--data {validation}"),
                format!("--test {test}"),
                "--task sa".into(),
            ],
        ),
        (
            "",
            &[
                format!("{fissure} repair augment --model {model}"),
                format!("--data {train}"),
                format!("--test {test}"),
                "--task sa".into(),
                format!("--findings {findings}"),
                format!("--out {more}"),
                format!("--save {fixed}"),
            ],
        ),
    ];
    let own = "--data test.csv --task sa".to_owned();
    let on_ones_own: [(&str, &[String]); 2] = [
        (
            "Your own model: a directory of Hugging Face or of `fissure train`, a program, an endpoint:",
            &[format!("{fissure} evaluate --model DIR"), own.clone()],
        ),
        ("", &[format!("{fissure} evaluate --model 'process:python3 model.py'"), own]),
    ];
    for (why, command) in on_this.into_iter().chain(on_ones_own) {
        if !why.is_empty() {
            tour.say(&wrapped(why, "  "))?;
        }
        tour.say(&on_lines(command))?;
    }
    Ok(())
}

/// A command on as many lines as it needs, as a shell reads them.
fn on_lines(command: &[String]) -> String {
    let mut text = String::new();
    let mut line = String::from("   ");
    for words in command {
        // Room for the backslash.
        if text.len() + line.trim().len() > 0 && line.len() + words.len() + 3 > columns() {
            text.push_str(&format!("{line} \\\n"));
            line = "     ".into();
        }
        line.push_str(&format!(" {words}"));
    }
    text + &line + "\n"
}

/// The program as it was called, so that a command can be pasted.
fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| Path::new(&called).strip_prefix(here).ok().map(Path::to_owned));
    let called = relative.map_or(called, |path| path.display().to_string());
    if Path::new(&called).components().count() > 1 { shell_word(&called) } else { "fissure".into() }
}
