//! What was tried, as tables for a terminal, a page and a paper.

use fissure_geometry::{Tried, TriedText, WordsReport};
use fissure_report::ChartTable;

use crate::ui::table;

pub const WHAT: &str = "Words that carry the answer most (integrated gradients) are replaced: by synonyms, antonyms or other \
    names of the same text. Of the replacements of one kind that were tried for a word, the first that changes the answer \
    is shown, else the one that lowers its probability most. p is the probability of the answer to the original text.";

/// A table before it has a form.
pub struct Made(pub ChartTable);

impl Made {
    fn new(caption: &str, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self(ChartTable {
            caption: caption.to_owned(),
            head: head.iter().map(|name| (*name).to_owned()).collect(),
            rows,
        })
    }

    pub fn in_terminal(&self) -> String {
        let head: Vec<&str> = self.0.head.iter().map(String::as_str).collect();
        table(&head, &self.0.rows)
    }
}

/// How many replacements change the answer, at both ends.
pub fn summary(found: &WordsReport) -> Made {
    let mut rows = Vec::new();
    for (end, texts) in [("most fragile", &found.most_fragile), ("most robust", &found.most_robust)] {
        let kinds: Vec<&str> = texts.iter().flat_map(|text| &text.alone).fold(Vec::new(), |mut kinds, tried| {
            if !kinds.contains(&tried.kind) {
                kinds.push(tried.kind);
            }
            kinds
        });
        for kind in kinds {
            let of_kind = || texts.iter().flat_map(|text| &text.alone).filter(|tried| tried.kind == kind);
            let at_once = || texts.iter().flat_map(|text| &text.together).filter(|tried| tried.kind == kind);
            rows.push(vec![
                end.to_owned(),
                kind.to_owned(),
                share(of_kind().filter(|tried| tried.changes).count(), of_kind().count()),
                share(at_once().filter(|tried| tried.changes).count(), at_once().count()),
            ]);
        }
    }
    let caption = "How many replacements change the answer. With so few texts this illustrates; it does not measure.";
    Made::new(caption, &["texts", "replaced by", "one word: changes", "all at once: changes"], rows)
}

fn share(changes: usize, of: usize) -> String {
    if of == 0 { "–".to_owned() } else { format!("{changes} of {of}") }
}

/// One word replaced at a time, in one text.
pub fn alone(text: &TriedText) -> Made {
    Made::new("", &["word", "part of speech", "share", "replaced by", "kind", "answer", "p"], alone_rows(text))
}

/// The same of several texts, with the text in front.
pub fn alone_of(caption: &str, texts: &[TriedText]) -> Made {
    let rows = texts.iter().flat_map(|text| {
        let own = alone_rows(text).into_iter();
        own.map(|row| [vec![text.id.clone(), format!("{:.2e}", text.lambda_max)], row].concat())
    });
    let head = ["text", "lambda_max", "word", "part of speech", "share", "replaced by", "kind", "answer", "p"];
    Made::new(caption, &head, rows.collect())
}

fn alone_rows(text: &TriedText) -> Vec<Vec<String>> {
    let mut rows: Vec<(usize, &'static str, &Tried)> = Vec::new();
    for tried in &text.alone {
        match rows.iter_mut().find(|(start, kind, _)| (*start, *kind) == (tried.edit.start, tried.kind)) {
            None => rows.push((tried.edit.start, tried.kind, tried)),
            Some((.., shown)) => {
                let better = match (shown.changes, tried.changes) {
                    (true, _) => false,
                    (false, true) => true,
                    (false, false) => tried.probability < shown.probability,
                };
                if better {
                    *shown = tried;
                }
            }
        }
    }
    let row = |(_, kind, tried): (usize, &'static str, &Tried)| {
        vec![
            tried.edit.old.clone(),
            tried.tag.clone(),
            format!("{:.3}", tried.attribution),
            tried.edit.new.clone(),
            kind.to_owned(),
            answer(&text.predicted, &tried.predicted),
            format!("{:.3} → {:.3}", text.probability, tried.probability),
        ]
    };
    rows.into_iter().map(row).collect()
}

/// All words replaced at once; `None` if no text has two that can be.
pub fn together(texts: &[TriedText]) -> Option<Made> {
    let rows: Vec<Vec<String>> = texts
        .iter()
        .flat_map(|text| text.together.iter().map(move |tried| (text, tried)))
        .map(|(text, tried)| {
            let edits: Vec<String> = tried.edits.iter().map(|edit| format!("{} → {}", edit.old, edit.new)).collect();
            vec![
                text.id.clone(),
                tried.kind.to_owned(),
                edits.join(", "),
                answer(&text.predicted, &tried.predicted),
                format!("{:.3} → {:.3}", text.probability, tried.probability),
            ]
        })
        .collect();
    let head = ["text", "all at once by", "words", "answer", "p"];
    (!rows.is_empty()).then(|| Made::new("All words replaced at once.", &head, rows))
}

fn answer(before: &str, after: &str) -> String {
    if before == after { format!("{before} (same)") } else { format!("{before} → {after}") }
}
