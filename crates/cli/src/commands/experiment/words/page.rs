//! The same as a page and for a paper: the tables, and the texts with the replaced words marked.

use fissure_core::TrailEdit;
use fissure_evaluate::TellingExample;
use fissure_geometry::{TriedText, WordEdit, WordsReport};
use fissure_report::document::{Block, Document, Section, Words};
use fissure_report::shown_change;

use super::tables::{self, WHAT};

pub fn document(found: &WordsReport, model: &str, data: &str, gold: impl Fn(usize) -> Option<String>) -> Document {
    let end = |id, title: &str, texts: &[TriedText]| {
        let caption = format!("{title}: one word replaced at a time");
        let mut section = Section::new(id, title).block(Block::Table(tables::alone_of(&caption, texts).0));
        if let Some(together) = tables::together(texts) {
            section = section.block(Block::Table(together.0));
        }
        let changes = texts.iter().flat_map(|text| {
            let gold = gold(text.number);
            marked(text).into_iter().map(move |pair| shown_change(&TellingExample { gold: gold.clone(), ..pair }))
        });
        section.block(Block::Changes(changes.collect()))
    };
    Document {
        title: "Words replaced".into(),
        subtitle: Words::new().code(model).say(" on ").code(data).say(format!(", {} texts", found.texts)),
        headline: "Words of high attribution, replaced one at a time and together".into(),
        facts: Vec::new(),
        sections: vec![
            Section::new("summary", "Both ends").words(WHAT.into()).block(Block::Table(tables::summary(found).0)),
            end("fragile", "Most fragile texts", &found.most_fragile),
            end("robust", "Most robust texts", &found.most_robust),
        ],
    }
}

/// A text with the words marked that change its answer: one if one is enough, else all at once.
fn marked(text: &TriedText) -> Vec<TellingExample> {
    let one = text.alone.iter().find(|tried| tried.changes);
    match one {
        Some(tried) => {
            vec![pair(text, tried.kind, std::slice::from_ref(&tried.edit), &tried.predicted, tried.probability)]
        }
        None => (text.together.iter())
            .map(|tried| pair(text, tried.kind, &tried.edits, &tried.predicted, tried.probability))
            .collect(),
    }
}

fn pair(text: &TriedText, kind: &str, edits: &[WordEdit], answer: &str, probability: f64) -> TellingExample {
    let field = |in_pair: bool| if in_pair { "second text" } else { "text" };
    // The page marks the words of one text; the other stands beside it.
    let in_pair = edits.first().is_some_and(|edit| edit.in_pair);
    let second = text.pair.as_deref().unwrap_or_default();
    let (shown, beside) = if in_pair { (second, text.text.as_str()) } else { (text.text.as_str(), second) };
    let after = |before: &str, of: bool| {
        let mut after = before.to_owned();
        for edit in edits.iter().rev().filter(|edit| edit.in_pair == of) {
            after.replace_range(edit.start..edit.end, &edit.new);
        }
        after
    };
    let trail = edits.iter().filter(|edit| edit.in_pair == in_pair).map(|edit| TrailEdit {
        field: field(in_pair).into(),
        start: edit.start,
        end: edit.end,
        old: edit.old.clone(),
        new: edit.new.clone(),
    });
    let same = answer == text.predicted;
    TellingExample {
        part: kind.to_owned(),
        id: text.id.clone(),
        field: field(in_pair).to_owned(),
        before: shown.to_owned(),
        after: after(shown, in_pair),
        edits: trail.collect(),
        others: match text.pair {
            Some(_) => vec![(field(!in_pair).to_owned(), beside.to_owned(), after(beside, !in_pair))],
            None => Vec::new(),
        },
        gold: None,
        gold_after: None,
        answer_before: text.predicted.clone(),
        answer_after: answer.to_owned(),
        confidence_before: Some(text.probability).filter(|p| p.is_finite()),
        // The probability of the answer that is named.
        confidence_after: Some(probability).filter(|p| same && p.is_finite()),
    }
}
