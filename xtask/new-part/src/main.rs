//! `cargo new-part NAME [--level character|word|sentence|task]`: a file with examples that fail until the part is
//! written, and its two lines in the list.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "use: cargo new-part NAME [--level character|word|sentence|task]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, level) = match words.as_slice() {
        [name] => (*name, "word"),
        [name, "--level", level @ ("character" | "word" | "sentence" | "task")] => (*name, *level),
        _ => return Err(USAGE.into()),
    };
    let snake = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !snake {
        return Err(format!("`{name}` must be in snake_case: it will be a file, a command and a config key").into());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/probes/src/transforms");
    let file = folder.join(level).join(format!("{name}.rs"));
    if file.exists() {
        return Err(format!("there is a part `{name}` already").into());
    }
    let list = folder.join(format!("{level}.rs"));
    let listed = with_part(&fs::read_to_string(&list)?, name)
        .ok_or_else(|| format!("found no `mod` lines and no `ALL` in {}", list.display()))?;
    fs::write(&file, template(name, level))?;
    fs::write(&list, listed)?;
    // Without rustfmt the list has a long line until somebody formats it.
    let _ = Command::new("rustfmt").args(["--edition", "2024"]).arg(&list).status();
    println!("wrote crates/probes/src/transforms/{level}/{name}.rs and its two lines in {level}.rs");
    println!("next: make its examples hold, then hold it to the laws:");
    println!("  FISSURE_PARTS={name} cargo test -p fissure-probes --test laws keeps_every_law");
    Ok(())
}

/// The source with `name` among its modules and in `ALL`, both in order of the alphabet.
fn with_part(source: &str, name: &str) -> Option<String> {
    let module = |line: &str| line.strip_prefix("pub(crate) ").unwrap_or(line).strip_prefix("mod ").map(str::to_owned);
    let own = format!("{name};");
    let next = source.lines().find(|line| module(line).is_some_and(|known| known > own));
    let last = source.lines().rfind(|line| module(line).is_some())?;
    let with_module = match next {
        Some(next) => source.replacen(next, &format!("mod {own}\n{next}"), 1),
        None => source.replacen(last, &format!("{last}\nmod {own}"), 1),
    };
    let list = with_module.find("pub static ALL:")?;
    let start = list + with_module[list..].find('=')?;
    let start = start + with_module[start..].find("&[")? + "&[".len();
    let end = start + with_module[start..].find("];")?;
    let entry = format!("&{name}::ENTRY");
    let listed = with_module[start..end].split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let mut entries: Vec<&str> = listed.chain([entry.as_str()]).collect();
    entries.sort_unstable();
    Some(format!("{}{}{}", &with_module[..start], entries.join(", "), &with_module[end..]))
}

fn template(name: &str, level: &str) -> String {
    let title: String = name.split('_').map(capitalised).collect();
    let template = if level == "task" { FOR_TASKS } else { FOR_WORDS };
    template.replace("TITLE", &title).replace("LEVEL", &capitalised(level))
}

/// A part that replaces words one by one.
const FOR_WORDS: &str = r#"//! Says what the part does, for those who read the code.

use fissure_core::{Amount, Candidate, EditWord, Word, transform};

transform! {
    /// Says in one sentence what happens to the text.
    pub struct TITLE {
        ..Amount::share(0.2);
        /// What this knob does.
        min_letters: usize = 3, in 1..=100;
    }
    card: {
        level: Some(LEVEL),
        family: Some(Morphology),
        expectation: Some(Unsure),
        languages: &[English],
        citation: Some("ours"),
    }
    examples: [
        { rate = "1" } "A text before." => "What it is after.",
        { rate = "1" } "A second text." => "Another outcome.",
        { rate = "1" } "A third text." => "A third outcome.",
    ]
}

impl EditWord for TITLE {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        word.letter_count() >= self.min_letters
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        Some(vec![Candidate::new(word.text.to_uppercase())])
    }

    /// Words that carry a label, such as an answer or a name, stay as they are.
    fn spares_labels(&self) -> bool {
        true
    }
}
"#;

/// A part that sets labels of a task.
const FOR_TASKS: &str = r#"//! Says what the part does, for those who read the code.

use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Transform, layer, transform};

transform! {
    /// Says in one sentence what happens to the texts and their labels.
    pub struct TITLE {}
    card: {
        level: Some(Word),
        family: Some(Paradigmatic),
        expectation: Some(Relabelled),
        languages: &[English],
        requires: &[Has::Layer(layer::ASPECT)],
        citation: Some("ours"),
    }
    examples: [
        "the [soup|aspect:positive] is great" => "the [soup|aspect:negative] is terrible",
        "great [soup|aspect:positive]" => "terrible [soup|aspect:negative]",
        "[soup|aspect:positive] was great" => "[soup|aspect:negative] was terrible",
    ]
}

impl Transform for TITLE {
    fn propose(&self, sample: &Sample, _: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        // Only open fields may be edited; on this rung a part looks for itself.
        let Some((aspect, mark)) = sample.layer(layer::ASPECT).find(|(_, mark)| sample.fields[mark.field].open) else {
            return Err(Skip("no aspect is marked".into()));
        };
        let text = &sample.fields[mark.field].text;
        let Some(word) = text.words().find(|word| word.text == "great") else {
            // Labels that are missing are a reason to skip; nothing to change is not.
            return Ok(Change::default());
        };
        let change: Change = Edit::replace(word.span, "terrible").on(mark.field).into();
        Ok(change.with_value(aspect, "negative"))
    }
}
"#;

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

    use super::*;

    #[test]
    fn a_part_is_listed_in_order() {
        let source = |modules: &str, entries: &str| {
            format!("//! Docs.\n\n{modules}\n\npub static ALL: &[&Entry<dyn Transform>] =\n    &[{entries}];\n")
        };
        let before = source("mod keyboard;\npub(crate) mod typos;", "&keyboard::ENTRY, &typos::ENTRY");
        let entries = "&keyboard::ENTRY, &sticky_key::ENTRY, &typos::ENTRY";
        let after = source("mod keyboard;\nmod sticky_key;\npub(crate) mod typos;", entries);
        assert_eq!(with_part(&before, "sticky_key"), Some(after));
        assert_eq!(with_part("nothing here", "sticky_key"), None);
    }

    #[test]
    fn every_list_takes_a_part() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/probes/src/transforms");
        for level in ["character", "word", "sentence", "task"] {
            let source = fs::read_to_string(folder.join(format!("{level}.rs"))).unwrap();
            let listed = with_part(&source, "my_part").unwrap();
            assert!(listed.contains("\nmod my_part;\n") && listed.contains("&my_part::ENTRY"), "{level}");
        }
    }

    #[test]
    fn the_template_names_the_part() {
        let source = template("sticky_key", "character");
        assert!(source.contains("pub struct StickyKey") && source.contains("Some(Character)"));
    }
}
