//! `cargo xtask new transform NAME [--level character|word|sentence]`: a file with an example that fails until the part
//! is written, and its two lines in the list.

use std::fs;

use crate::{Result, root};

const USAGE: &str = "use: cargo xtask new transform NAME [--level character|word|sentence]";

pub fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, level) = match words.as_slice() {
        ["transform", name] => (*name, "word"),
        ["transform", name, "--level", level @ ("character" | "word" | "sentence")] => (*name, *level),
        _ => return Err(USAGE.into()),
    };
    let snake = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !snake {
        return Err(format!("`{name}` must be in snake_case: it will be a file, a command and a config key").into());
    }
    let folder = root().join("crates/probes/src/transforms");
    let file = folder.join(level).join(format!("{name}.rs"));
    if file.exists() {
        return Err(format!("there is a part `{name}` already").into());
    }
    let shelf = folder.join(format!("{level}.rs"));
    let listed = with_part(&fs::read_to_string(&shelf)?, name)
        .ok_or_else(|| format!("found no `mod` lines and no `ALL` in {}", shelf.display()))?;
    fs::write(&file, template(name, level))?;
    fs::write(&shelf, listed)?;
    println!("wrote crates/probes/src/transforms/{level}/{name}.rs and its two lines in {level}.rs");
    println!("next: make its example hold: cargo test -p fissure-probes");
    Ok(())
}

/// The source with `name` among its modules and in `ALL`, both in order of the alphabet.
fn with_part(source: &str, name: &str) -> Option<String> {
    let line = format!("mod {name};");
    let next = source.lines().find(|known| known.starts_with("mod ") && **known > *line);
    let last = source.lines().rfind(|known| known.starts_with("mod "))?;
    let with_module = match next {
        Some(next) => source.replacen(next, &format!("{line}\n{next}"), 1),
        None => source.replacen(last, &format!("{last}\n{line}"), 1),
    };
    const BEGIN: &str = "pub static ALL: &[&Entry<dyn Transform>] = &[";
    let start = with_module.find(BEGIN)? + BEGIN.len();
    let end = start + with_module[start..].find("];")?;
    let entry = format!("&{name}::ENTRY");
    let listed = with_module[start..end].split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let mut entries: Vec<&str> = listed.chain([entry.as_str()]).collect();
    entries.sort_unstable();
    Some(format!("{}{}{}", &with_module[..start], entries.join(", "), &with_module[end..]))
}

fn template(name: &str, level: &str) -> String {
    let title: String = name.split('_').map(capitalised).collect();
    let level = capitalised(level);
    format!(
        r#"use fissure_core::{{Dice, Edit, EditText, Proposal, Text, transform}};

transform! {{
    /// Says in one sentence what happens to the text.
    pub struct {title} {{
        /// What this knob does.
        count: usize = 1, in 0..=10;
    }}
    card: {{ level: Some({level}), family: Some(Syntax), expectation: Some(Unsure) }}
    examples: ["Write what stands here before." => "Write what stands here after."]
}}

impl EditText for {title} {{
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {{
        let words: Vec<_> = text.words().collect();
        let chosen = dice.choose(words.len(), self.count);
        Ok(chosen.into_iter().map(|at| Edit::replace(words[at].span, words[at].text)).collect())
    }}
}}
"#
    )
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_listed_in_order() {
        let source = |modules: &str, entries: &str| {
            format!("//! Docs.\n\n{modules}\n\npub static ALL: &[&Entry<dyn Transform>] = &[{entries}];\n")
        };
        let before = source("mod keyboard;\nmod typos;", "&keyboard::ENTRY, &typos::ENTRY");
        let after =
            source("mod keyboard;\nmod sticky_key;\nmod typos;", "&keyboard::ENTRY, &sticky_key::ENTRY, &typos::ENTRY");
        assert_eq!(with_part(&before, "sticky_key"), Some(after));
        assert_eq!(with_part("nothing here", "sticky_key"), None);
    }

    #[test]
    fn the_template_names_the_part() {
        let source = template("sticky_key", "character");
        assert!(source.contains("pub struct StickyKey") && source.contains("Some(Character)"));
    }
}
