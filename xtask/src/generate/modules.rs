//! `docs/reference/modules.md`: the path of every module with the first sentence of its documentation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::reference::HEAD;
use crate::{Result, files_below, root, subfolders};

/// `(path, text)` of the page.
pub fn page() -> Result<(String, String)> {
    let mut page = format!(
        "{HEAD}# Modules\n\nEvery module with the first sentence of its documentation. \
         [ARCHITECTURE.md](../../ARCHITECTURE.md) says how the crates depend on each other.\n"
    );
    let mut without = Vec::new();
    let mut folders = subfolders(&root().join("crates"))?;
    folders.push(root().join("xtask"));
    folders.push(root().join("xtask/new-part"));
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = folder.join("src");
        let _ = write!(page, "\n## {name}\n\n| module | is |\n|---|---|\n");
        for file in files_below(&source)?.into_iter().filter(|file| is_module(&source, file)) {
            let path = file.strip_prefix(&source).unwrap_or(&file).display().to_string();
            match first_sentence(&fs::read_to_string(&file)?) {
                Some(sentence) => {
                    let _ = writeln!(page, "| `{path}` | {} |", plain(&sentence));
                }
                None => without.push(format!("{name}/src/{path}")),
            }
        }
    }
    if !without.is_empty() {
        return Err(format!("no doc comment says what is in {}", without.join(", ")).into());
    }
    Ok(("docs/reference/modules.md".into(), page))
}

/// A sentence for a cell of a table: links between items are names only.
fn plain(sentence: &str) -> String {
    sentence.replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

/// Whether a file holds a module that is no test.
fn is_module(source: &Path, file: &Path) -> bool {
    let inner = file.strip_prefix(source).unwrap_or(file);
    let is_test = inner.iter().any(|part| {
        let part = part.to_string_lossy();
        part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs")
    });
    file.extension().is_some_and(|ending| ending == "rs") && !is_test
}

/// The first sentence of a module's documentation, or of the card of the part that it holds.
fn first_sentence(text: &str) -> Option<String> {
    let marks = ["//!", "///"];
    let mark = marks.into_iter().find(|mark| text.lines().any(|line| line.trim_start().starts_with(mark)))?;
    let lines = text.lines().map(str::trim_start).skip_while(|line| !line.starts_with(mark));
    let paragraph: Vec<&str> =
        lines.map_while(|line| line.strip_prefix(mark).map(str::trim)).take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.match_indices(". ").map(|(at, _)| at).find(|at| {
        let abbreviated = ["e.g", "i.e", "et al"];
        !abbreviated.iter().any(|ending| paragraph[..*at].ends_with(ending))
    });
    let sentence = &paragraph[..end.map_or(paragraph.len(), |at| at + 1)];
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_may_run_over_lines() {
        let text = "//! One door\n//! to models. More.\n//!\n//! Other.\n";
        assert_eq!(first_sentence(text).as_deref(), Some("One door to models."));
        assert_eq!(first_sentence("use a;\n    /// Replaces X with Y.\n").as_deref(), Some("Replaces X with Y."));
        assert_eq!(first_sentence("//! `x`: a (e.g. this) one"), Some("`x`: a (e.g. this) one".to_owned()));
        assert_eq!(first_sentence("fn f() {}\n// A comment.\n"), None);
    }
}
