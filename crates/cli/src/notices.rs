//! Notices of the kit on standard error.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use fissure_core::Language;
use fissure_data::ReadAs;
use fissure_kit::notice::{self, Notice};
use serde_json::{Map, Value, json};

use crate::ui;

/// Whether notices are JSON. They come through a plain function, which has no place for settings.
static IN_JSON: AtomicBool = AtomicBool::new(false);

/// Shows notices on standard error from now on, in words or as JSON.
pub fn show(json: bool) {
    IN_JSON.store(json, Ordering::Relaxed);
    notice::send_to(print);
}

fn print(notice: Notice<'_>) {
    match notice {
        // A program that reads standard error meets one kind of line.
        Notice::Text(text) if IN_JSON.load(Ordering::Relaxed) => say_once(&json!({ "note": text.trim() }).to_string()),
        Notice::Text(text) => say_once(text),
        Notice::Reads(read) => say_how_it_is_read(read),
        Notice::Labels { of, matched } if IN_JSON.load(Ordering::Relaxed) => {
            ui::note(&json!({ "label_match": matched, "of": of }).to_string());
        }
        Notice::Labels { of, matched } => ui::note(&format!("labels of {of}: {matched}")),
    }
}

/// Prints a line unless it was printed before: a command that reads its data for every part would repeat itself.
fn say_once(line: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    // A poisoned lock means that printing failed on another thread: printing again does no harm.
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(line.to_owned()) {
        ui::note(line);
    }
}

/// Prints what was guessed about a file, once for each reading that differs.
fn say_how_it_is_read(read: &ReadAs) {
    let line = if IN_JSON.load(Ordering::Relaxed) {
        let columns: Map<String, Value> =
            read.columns.iter().map(|(role, columns)| ((*role).to_owned(), json!(columns.join("+")))).collect();
        json!({
            "reads": *read.file, "format": read.format, "columns": columns, "id": read.id.as_deref(),
            "unlabelled": read.unlabelled, "languages": read.languages,
        })
        .to_string()
    } else {
        in_words(read)
    };
    say_once(&line);
}

fn in_words(read: &ReadAs) -> String {
    let columns: Vec<String> =
        read.columns.iter().map(|(role, columns)| format!("{role} = {}", columns.join("+"))).collect();
    let id = read.id.as_ref().map_or_else(
        || "samples are identified by their texts (--id COLUMN to choose)".to_owned(),
        |id| format!("samples are identified by column `{id}`"),
    );
    // The spaces of a file's name are part of it.
    let file = read.file.replace(' ', "\u{A0}");
    let text =
        format!("reads {file} as {}: {}; {id}{}", read.format, columns.join(", "), languages(read) + &unlabelled(read));
    ui::wrapped(&text, "  ").trim_end().to_owned()
}

/// Says in which languages the texts are, unless all are English.
fn languages(read: &ReadAs) -> String {
    let all: usize = read.languages.iter().map(|(_, count)| count).sum();
    match read.languages.as_slice() {
        [] | [(Language::English, _)] => String::new(),
        [(only, _)] => format!("; the texts are {} (--language to overrule)", only.name()),
        several => {
            let share = |(language, count): &(Language, usize)| {
                format!("{} {:.0} %", language.code(), 100.0 * *count as f64 / all as f64)
            };
            let shares: Vec<String> = several.iter().map(share).collect();
            format!("; by their letters, the texts are {} (--language to overrule)", shares.join(", "))
        }
    }
}

/// Columns shown in a line.
const SHOWN: usize = 8;

/// Says that there is no label, and which columns could be one under another name.
fn unlabelled(read: &ReadAs) -> String {
    let Some(role) = read.unlabelled.first() else { return String::new() };
    if read.others.is_empty() {
        return format!("; there is no {role}");
    }
    let mut shown: Vec<String> = read.others.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if read.others.len() > SHOWN {
        shown.push(format!("{} more", read.others.len() - SHOWN));
    }
    let one_of = if shown.len() == 1 { "" } else { "one of " };
    let shown = shown.join(", ");
    format!("; no column is called like a {role}: if {one_of}{shown} is one, say so with --columns {role}=COLUMN")
}
