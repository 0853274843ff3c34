//! Parts of a user's own that join the catalog at run time: tables of words, and programs.
//!
//! ```toml
//! [[part]]
//! name = "brands"
//! docs = "Replaces a brand with another one."
//! label = "kept"
//! words = { Acme = ["Initech", "Globex"] }
//!
//! [[part]]
//! name = "slang"
//! docs = "Rewrites a text in slang."
//! program = "python3 slang.py"
//! ```
//!
//! A program reads a line of JSON, `{"text": "...", "seed": 7}`, and writes one: `{"text": "..."}` or `{"skip": "why"}`. The
//! same line must get the same answer: `seed` is all the chance it has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use fissure_core::{
    Amount, Candidate, Card, Dice, Does, EditText, EditWord, Entry, Expectation, Kind, Knobs as _, Level, Proposal,
    Skip, Text, Transform, Word, knobs,
};
use fissure_models::resources::CommandTranslator;
use fissure_probes::{TRANSFORMS, rewrite};
use fissure_text::casing;
use serde::Deserialize;
use serde_json::json;

use crate::outputs::Inputs;
use crate::{Error, Result};

/// A file of parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    part: Vec<Part>,
}

/// One part as the file describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    name: String,
    /// What it does, for lists and reports.
    docs: String,
    /// What it does to the label: `kept`, `flipped`, `unsure` or `destroyed`.
    #[serde(default = "unsure")]
    label: Expectation,
    /// Words and what each may become.
    #[serde(default)]
    words: BTreeMap<String, Vec<String>>,
    /// The share of the words in the table that is replaced.
    rate: Option<f64>,
    /// A command that rewrites a text.
    program: Option<String>,
}

fn unsure() -> Expectation {
    Expectation::Unsure
}

/// Adds the parts of these files to the catalog. A file that was added before is passed over.
pub fn add(files: &[String]) -> Result<()> {
    static ADDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    Inputs::default().and(files).refuse([])?;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(Error::reading(file))?;
        // The same file again, under whatever name, has the same parts.
        let new = ADDED.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone());
        if new {
            let bad = |why: String| Error::Parts { place: file.clone(), why };
            let parts: File = toml::from_str(&text).map_err(|why| bad(why.to_string()))?;
            for part in parts.part {
                add_part(part, file).map_err(bad)?;
            }
        }
    }
    Ok(())
}

fn add_part(part: Part, file: &str) -> std::result::Result<(), String> {
    let named = |why: &str| format!("part `{}` {why}", part.name);
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    if part.name.is_empty() || !part.name.chars().all(is_name) {
        return Err(named("needs a name of lower-case letters, digits and `_`"));
    }
    if part.label == Expectation::Relabelled {
        return Err(named("cannot set labels: `label` is kept, flipped, unsure or destroyed"));
    }
    // A catalog's cards live as long as the process.
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let kind = if part.label == Expectation::Destroyed { Kind::Destroyer } else { Kind::Transform };
    let card = Card {
        expectation: Some(part.label),
        ..Card::new(kind, leak(part.name.clone()), leak(part.docs.clone()), leak(file.to_owned()), 0)
    };
    let entry = match (part.program.as_ref(), part.words.is_empty()) {
        (Some(program), true) => {
            let translator = CommandTranslator::open(program).map_err(|why| named(&why.to_string()))?;
            let program = Arc::new(translator);
            let card = Card { level: Some(Level::Sentence), does: &[Does::Rewrites], ..card };
            Entry::<dyn Transform>::added(card, NoKnobs::cards(), move |settings| {
                NoKnobs::with(card.name, settings)?;
                Ok((Box::new(RewritesText(Arc::clone(&program))), Vec::new()))
            })
        }
        (None, false) => {
            if let Some((word, _)) = part.words.iter().find(|(word, with)| word.trim().is_empty() || with.is_empty()) {
                return Err(named(&format!("has nothing to put for `{word}`")));
            }
            let usual = part.rate.map_or(Amount::all(), Amount::share);
            let words = part.words.into_iter().map(|(word, with)| (word.to_lowercase(), with)).collect();
            let words: Arc<BTreeMap<String, Vec<String>>> = Arc::new(words);
            let card = Card { level: Some(Level::Word), ..card };
            let knobs = Amount::cards_with(&usual);
            Entry::<dyn Transform>::added(card, knobs, move |settings| {
                let amount = usual.set(card.name, settings)?;
                Ok((Box::new(ReplacesWords { amount, words: Arc::clone(&words) }), amount.values()))
            })
        }
        _ => return Err(named("needs either `words` or a `program`")),
    };
    TRANSFORMS.add(entry).map_err(|why| why.to_string())
}

knobs! {
    /// A program has its own settings.
    struct NoKnobs {}
}

/// Replaces the words of a table.
#[derive(Debug)]
struct ReplacesWords {
    amount: Amount,
    /// By the word in lower case.
    words: Arc<BTreeMap<String, Vec<String>>>,
}

impl EditWord for ReplacesWords {
    fn amount(&self) -> Amount {
        self.amount
    }

    fn accepts(&self, word: Word<'_>) -> bool {
        self.words.contains_key(&word.text.to_lowercase())
    }

    /// The user wrote the table for the words that are in it.
    fn takes_foreign_words(&self) -> bool {
        true
    }

    fn candidates_for(&self, word: Word<'_>) -> Option<Vec<Candidate>> {
        let with = self.words.get(&word.text.to_lowercase())?;
        Some(with.iter().map(|with| Candidate::new(casing::follow(word.text, with))).collect())
    }
}

/// Has a program rewrite a text.
#[derive(Debug)]
struct RewritesText(Arc<CommandTranslator>);

impl EditText for RewritesText {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        let asked = json!({ "text": &**text, "seed": dice.below(1 << 32) });
        let line = self.0.sound_line(&asked.to_string(), &|line| read(line).is_some())?;
        match read(&line) {
            Some(Ok(new)) => Ok(rewrite(text, &new)),
            Some(Err(why)) => Err(Skip(why.into())),
            None => Err(Skip(r#"the program's answer is not {"text": "..."} or {"skip": "..."}"#.into())),
        }
    }
}

/// A program's answer: a text, or why there is none. `None` if it is neither, or both.
fn read(line: &str) -> Option<std::result::Result<String, String>> {
    let answer: Answer = serde_json::from_str(line).ok()?;
    match (answer.text, answer.skip) {
        (Some(new), None) => Some(Ok(new)),
        (None, Some(why)) => Some(Err(why)),
        _ => None,
    }
}

/// What a program says; a name that comes twice is no answer.
#[derive(Debug, Deserialize)]
struct Answer {
    text: Option<String>,
    skip: Option<String>,
}

#[cfg(test)]
mod tests {
    use fissure_core::{Chain, Outcome, Sample};

    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("parts.toml");
        std::fs::write(&file, text).unwrap();
        let file = file.display().to_string();
        (folder, file)
    }

    fn changed(part: &str, text: &str) -> Outcome {
        Chain::build(&TRANSFORMS, part, &[]).unwrap().run(&Sample::of_text("1", text), 7, 0)
    }

    #[test]
    fn a_table_of_words_joins_the_catalog() {
        let (_folder, file) = written(
            r#"
            [[part]]
            name = "own_brands"
            docs = "Replaces a brand."
            label = "kept"
            words = { acme = ["globex"] }
            "#,
        );
        add(std::slice::from_ref(&file)).unwrap();
        add(&[file]).unwrap();
        let Outcome::Changed(variant) = changed("own_brands", "I like Acme,  and ACME!") else { panic!("unchanged") };
        assert_eq!(&*variant.sample.fields[0].text, "I like Globex,  and GLOBEX!");
        assert_eq!(changed("own_brands", "I like it."), Outcome::Unchanged);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_joins_the_catalog() {
        let (_folder, file) = written(
            r#"
            [[part]]
            name = "own_program"
            docs = "Says hot."
            program = "sed -u -e s/cold/hot/ -e 's/.*nothing.*/{\"skip\": \"no\"}/'"
            "#,
        );
        add(&[file]).unwrap();
        let Outcome::Changed(variant) = changed("own_program", "so  cold soup") else { panic!("unchanged") };
        assert_eq!(&*variant.sample.fields[0].text, "so  hot soup");
        assert_eq!(changed("own_program", "nothing"), Outcome::Skipped(Skip("no".into())));
    }

    #[test]
    fn faults_are_named() {
        let words = r#"words = { a = ["b"] }"#;
        for (text, wanted) in [
            (format!("name = \"typos\"\n{words}"), "called `typos` already"),
            ("name = \"own_x\"".to_owned(), "needs either `words` or a `program`"),
            (format!("name = \"Own X\"\n{words}"), "lower-case letters"),
            (format!("name = \"own_y\"\nwurds = 3\n{words}"), "unknown field `wurds`"),
        ] {
            let (_folder, file) = written(&format!("[[part]]\ndocs = \"\"\n{text}\n"));
            let error = add(&[file]).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
