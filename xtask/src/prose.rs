//! `cargo xtask prose`: finds archaic words and house metaphors in everything that a user or a reader of the code sees.
//!
//! Read are the pages under `docs/`, the pages in the root folder, the scripts of the local page, and of every Rust file
//! its comments and its string literals. Phrases are matched word by word across line ends. A string literal of fewer
//! than [`PROSE`] words is not prose (a name, an entry of a word list).

mod words;

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, root};
use words::{Word, of_rust, of_text};

/// String literals with fewer words are not prose.
const PROSE: usize = 3;

/// What must not be written, and what to write instead.
const BANNED: &[(&str, &str)] = &[
    ("so many", "the number: `at most N words`, `this many`"),
    ("foretell", "predict"),
    ("foretells", "predicts"),
    ("foretold", "predicted"),
    ("learnt", "learned"),
    ("elsewhere", "remote, or name the place"),
    ("small letters", "lower case"),
    ("in the place of", "`replaces X with Y`"),
    ("nobody says", "say what is missing: `the model does not list its labels`"),
    ("nobody knows", "is not known"),
    ("nobody asked", "was not asked"),
    ("nobody reviewed", "was not reviewed"),
    ("nobody can", "cannot be"),
    ("where there is no", "if there is no"),
    ("where there is none", "if there is none"),
    ("where there are no", "if there are no"),
    ("where there are none", "if there are none"),
    ("borne out", "supported"),
    ("bear out", "support"),
    ("bears out", "supports"),
    ("bear it out", "support it"),
    ("people accept", "human acceptability"),
    ("is told", "is printed, is reported, gets"),
    ("are told", "are reported, get"),
    ("was told", "got"),
    ("be told", "be known, be reported"),
    ("unless told", "by default"),
    ("told apart", "distinguished"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("was begun", "was started"),
    ("were begun", "were started"),
    ("anew", "again"),
    ("what became of", "what happened to"),
    ("what becomes of", "what happens to"),
    ("is lent", "is provided"),
    ("was lent", "was provided"),
    ("were lent", "were provided"),
    ("lent to", "provided to"),
    ("lend to", "provide to"),
    ("lends", "provides"),
    ("whoever has", "anyone with"),
    ("whoever runs", "the caller"),
    ("whoever comes", "the next"),
    ("takes home", "saves"),
    ("taken home", "saved"),
    ("rest of the house", "the other crates"),
    ("map of the house", "the map of the code"),
    ("part of the house", "a crate"),
    ("the pantry", "`data`"),
    ("the clinic", "`repair`"),
    ("bay window", "`explorer`"),
    ("front door", "the command line"),
];

/// A banned phrase in a file.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    path: String,
    line: usize,
    phrase: &'static str,
    instead: &'static str,
}

pub fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        return Err(format!("`prose` takes no arguments, not {arguments:?}").into());
    }
    let (files, hits) = check(&root())?;
    for Hit { path, line, phrase, instead } in &hits {
        println!("{path}:{line}: \"{phrase}\"; write: {instead}");
    }
    match hits.len() {
        0 => println!("{files} files have no banned phrase"),
        count => return Err(format!("{count} banned phrases").into()),
    }
    Ok(())
}

/// The number of files that were read, and what was found in them.
fn check(root: &Path) -> Result<(usize, Vec<Hit>)> {
    let mut hits = Vec::new();
    let files = files(root)?;
    for file in &files {
        let path = file.strip_prefix(root).unwrap_or(file).display().to_string();
        hits.extend(hits_in(&path, &fs::read_to_string(file)?));
    }
    Ok((files.len(), hits))
}

fn hits_in(path: &str, text: &str) -> Vec<Hit> {
    // This file names what it bans.
    if path == "xtask/src/prose.rs" {
        return Vec::new();
    }
    let passages = if path.ends_with(".rs") { of_rust(text, PROSE) } else { vec![of_text(text, 1)] };
    passages.iter().flat_map(|words| hits_of(path, words)).collect()
}

fn hits_of(path: &str, words: &[Word]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (phrase, instead) in BANNED {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        for window in words.windows(wanted.len()) {
            if window.iter().map(|word| word.text.as_str()).eq(wanted.iter().copied()) {
                hits.push(Hit { path: path.into(), line: window[0].line, phrase, instead });
            }
        }
    }
    hits
}

/// Every file that is read, in order.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        found.push(root.join(page));
    }
    collect(&root.join("docs"), &["md"], &mut found)?;
    collect(&root.join("xtask/src"), &["rs"], &mut found)?;
    collect(&root.join("xtask/new-part/src"), &["rs"], &mut found)?;
    for of_crate in crate::subfolders(&root.join("crates"))? {
        collect(&of_crate.join("src"), &["rs"], &mut found)?;
        if of_crate.join("assets").is_dir() {
            collect(&of_crate.join("assets"), &["js"], &mut found)?;
        }
    }
    Ok(found)
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<()> {
    found.extend(
        crate::files_below(folder)?
            .into_iter()
            .filter(|path| path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted))),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(path: &str, text: &str) -> Vec<(usize, &'static str)> {
        hits_in(path, text).into_iter().map(|hit| (hit.line, hit.phrase)).collect()
    }

    #[test]
    fn the_project_is_written_plainly() {
        let (files, hits) = check(&root()).unwrap();
        assert!(files > 500, "only {files} files were read");
        let shown: Vec<String> = hits
            .iter()
            .map(|hit| format!("{}:{}: {} (write: {})", hit.path, hit.line, hit.phrase, hit.instead))
            .collect();
        assert!(hits.is_empty(), "{}", shown.join("\n"));
    }

    #[test]
    fn a_planted_sentence_is_found_with_its_line() {
        let source = "/// Reads at most N words.\nfn f() {\n    say(\"Read only so many samples\");\n}\n";
        assert_eq!(phrases("a.rs", source), [(3, "so many")]);
        assert_eq!(
            phrases("a.rs", "//! Replaces `a`.\n/// A word in small\n/// letters, learnt.\n"),
            [(3, "learnt"), (2, "small letters")]
        );
        assert_eq!(
            phrases("a.md", "# Title\n\nPuts `the` in the\nplace of `a`; **Foretells** it.\n"),
            [(4, "foretells"), (3, "in the place of")]
        );
        // A line of a string that goes on, and a raw string.
        assert_eq!(phrases("a.rs", "let a = \"the answer \\\n    is told here\";"), [(2, "is told")]);
        assert_eq!(phrases("a.rs", "let a = r#\"it was \"begun\" again\"#;"), [(1, "was begun")]);
    }

    #[test]
    fn code_names_and_word_lists_are_not_prose() {
        assert_eq!(
            phrases("a.rs", "fn mend(so: u8, many: u8) { let learnt = 'a'; x::<'_>(\"mend\", \"so many\") }"),
            []
        );
        assert_eq!(phrases("a.rs", "let told = [\"begun\", \"told\"]; // A story, told with patience."), []);
        assert_eq!(phrases("a.rs", "/// One so.\n\nfn f() {}\n\n/// Many others.\n"), [], "two comments");
    }
}
