//! The most telling pairs of a text and its changed form, with the changed words marked.

use fissure_evaluate::{Findings, TellingExample};

use crate::document::{Bit, Block, Change, Section, Words};
use crate::numbers::percent;

/// Pairs that a report shows.
const PAIRS: usize = 10;
/// Letters of untouched text kept on either side of a change.
const AROUND: usize = 70;
/// Letters kept of one changed stretch.
const LONGEST: usize = 240;
/// Changes shown of one text.
const CHANGES: usize = 12;

pub fn section(findings: &Findings) -> Option<Section> {
    if findings.telling.is_empty() {
        return None;
    }
    let changes = findings.telling.iter().take(PAIRS).map(shown_change).collect();
    let words = "Pairs that say most about the model: a small change, a large effect. What was taken out is struck through, what was put in is underlined; long texts are cut to the places that changed.";
    Some(Section::new("telling", "Before and after").words(words.into()).block(Block::Changes(changes)))
}

/// One pair.
pub fn shown_change(pair: &TellingExample) -> Change {
    let mut title = Words::new().code(&pair.part).say(" · sample ").code(&pair.id);
    if !pair.field.is_empty() {
        title = title.say(" · ").code(&pair.field);
    }
    if let Some(gold) = &pair.gold {
        title = title.say(" · right answer: ").strong(tags(gold));
    }
    if let Some(gold) = &pair.gold_after {
        title = title.say(" · after the change: ").strong(tags(gold));
    }
    let answer = |label: &str, confidence: Option<f64>| {
        let words = Words::new().strong(tags(label));
        match confidence {
            Some(confidence) => words.say(format!(" ({} %)", percent(confidence))),
            None => words,
        }
    };
    let beside = |(name, before, after): &(String, String, String)| {
        let text = start_of(before, LONGEST);
        (name.clone(), if before == after { text } else { format!("{text} → {}", start_of(after, LONGEST)) })
    };
    Change {
        title,
        beside: pair.others.iter().map(beside).collect(),
        bits: bits(pair),
        before: answer(&pair.answer_before, pair.confidence_before),
        after: answer(&pair.answer_after, pair.confidence_after),
    }
}

/// An answer of many tags, with those that repeat said once: `O ×4 B-PER O ×9`. Any other answer as it is.
fn tags(answer: &str) -> String {
    let words: Vec<&str> = answer.split(' ').collect();
    let mut said = Vec::new();
    for run in words.chunk_by(|a, b| a == b) {
        let tag = run.first().copied().unwrap_or_default();
        match run.len() {
            1 | 2 => said.extend(run.iter().map(|tag| (*tag).to_owned())),
            times => said.push(format!("{tag} ×{times}")),
        }
    }
    said.join(" ")
}

/// The text cut into what stayed and what changed, and shortened. Edits that do not fit the text are not believed: then
/// the whole text counts as changed.
fn bits(pair: &TellingExample) -> Vec<Bit> {
    let mut bits = Vec::new();
    let mut at = 0;
    let edits: Vec<_> = pair.edits.iter().filter(|edit| *edit.field == *pair.field).collect();
    for edit in &edits {
        let same = pair.before.get(at..edit.start);
        let (Some(same), true) = (same, pair.before.get(edit.start..edit.end) == Some(edit.old.as_str())) else {
            return vec![whole(pair)];
        };
        bits.push(Bit::Same(same.to_owned()));
        bits.push(Bit::Changed { old: edit.old.clone(), new: edit.new.clone() });
        at = edit.end;
    }
    if edits.is_empty() && pair.before != pair.after {
        return vec![whole(pair)];
    }
    bits.push(Bit::Same(pair.before.get(at..).unwrap_or("").to_owned()));
    shorten(bits)
}

fn whole(pair: &TellingExample) -> Bit {
    Bit::Changed { old: start_of(&pair.before, LONGEST), new: start_of(&pair.after, LONGEST) }
}

fn shorten(bits: Vec<Bit>) -> Vec<Bit> {
    let last = bits.len().saturating_sub(1);
    let mut short = Vec::new();
    let mut changes = 0;
    for (at, bit) in bits.into_iter().enumerate() {
        match bit {
            Bit::Same(text) => {
                let letters = text.chars().count();
                let (keep_start, keep_end) = (at > 0, at < last);
                if letters <= AROUND * 2 || (!keep_start && !keep_end) {
                    short.push(Bit::Same(start_of(&text, LONGEST)));
                    continue;
                }
                if keep_start {
                    short.push(Bit::Same(first_words(&text, AROUND).to_owned()));
                }
                short.push(Bit::Cut);
                if keep_end {
                    short.push(Bit::Same(last_words(&text, AROUND).to_owned()));
                }
            }
            Bit::Changed { old, new } => {
                changes += 1;
                if changes > CHANGES {
                    short.push(Bit::Cut);
                    break;
                }
                short.push(Bit::Changed { old: seen(&start_of(&old, LONGEST)), new: seen(&start_of(&new, LONGEST)) });
            }
            Bit::Cut => short.push(Bit::Cut),
        }
    }
    short
}

/// The whole words among the first letters of a text; where one word fills most of them, the letters themselves.
fn first_words(text: &str, letters: usize) -> &str {
    let end = text.char_indices().nth(letters).map_or(text.len(), |(end, _)| end);
    let cut = text[..end].rfind(char::is_whitespace).filter(|cut| *cut > end / 2);
    &text[..cut.unwrap_or(end)]
}

/// The whole words among the last letters of a text.
fn last_words(text: &str, letters: usize) -> &str {
    let start = text.char_indices().rev().nth(letters.saturating_sub(1)).map_or(0, |(start, _)| start);
    let kept = &text[start..];
    match kept.find(char::is_whitespace).filter(|cut| *cut < kept.len() / 2) {
        Some(cut) => kept[cut..].trim_start(),
        None => kept,
    }
}

/// Spaces that are all there is to a change, made visible.
fn seen(text: &str) -> String {
    if text.trim().is_empty() {
        text.replace(' ', "␣").replace('\n', "↵").replace('\t', "⇥")
    } else {
        text.to_owned()
    }
}

/// The first letters of a text, with an ellipsis where there is more.
pub fn start_of(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::TrailEdit;

    use super::*;

    fn pair(before: &str, after: &str, edits: &[(usize, usize, &str)]) -> TellingExample {
        let edit = |&(start, end, new): &(usize, usize, &str)| TrailEdit {
            field: "text".into(),
            start,
            end,
            old: before.get(start..end).unwrap_or("?").to_owned(),
            new: new.to_owned(),
        };
        TellingExample {
            part: "typos".to_owned(),
            id: "1".to_owned(),
            field: "text".to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
            edits: edits.iter().map(edit).collect(),
            others: Vec::new(),
            gold: None,
            gold_after: None,
            answer_before: "a".to_owned(),
            answer_after: "b".to_owned(),
            confidence_before: None,
            confidence_after: None,
        }
    }

    fn same(text: &str) -> Bit {
        Bit::Same(text.to_owned())
    }

    fn changed(old: &str, new: &str) -> Bit {
        Bit::Changed { old: old.to_owned(), new: new.to_owned() }
    }

    #[test]
    fn the_changed_words_are_marked() {
        let found = bits(&pair("a good film", "a gud film", &[(2, 6, "gud")]));
        assert_eq!(found, [same("a "), changed("good", "gud"), same(" film")]);
        assert_eq!(bits(&pair("ab", "a b", &[(1, 1, " ")])), [same("a"), changed("", "␣"), same("b")]);
    }

    #[test]
    fn long_texts_are_cut_to_the_change() {
        let before = format!("{}X{}", "é".repeat(500), "b".repeat(500));
        let found = bits(&pair(&before, "", &[(1000, 1001, "Y")]));
        assert_eq!(
            found,
            [Bit::Cut, same(&"é".repeat(AROUND)), changed("X", "Y"), same(&"b".repeat(AROUND)), Bit::Cut]
        );
    }

    #[test]
    fn the_other_texts_of_a_pair_stand_beside() {
        let other = |name: &str, before: &str, after: &str| (name.to_owned(), before.to_owned(), after.to_owned());
        let mut example = pair("a good film", "a gud film", &[(2, 6, "gud")]);
        example.others = vec![other("question", "Is it?", "Is it?"), other("hint", "yes", "yse")];
        let expected = [("question", "Is it?"), ("hint", "yes → yse")].map(|(name, text)| (name.into(), text.into()));
        assert_eq!(shown_change(&example).beside, expected);
    }

    #[test]
    fn repeated_tags_are_said_once() {
        assert_eq!(tags("O O O O B-PER I-PER O O"), "O ×4 B-PER I-PER O O");
        assert_eq!(
            (tags("very positive"), tags(""), tags("a  a")),
            ("very positive".into(), String::new(), "a  a".into())
        );
    }

    #[test]
    fn words_are_not_cut() {
        assert_eq!(first_words(" no words are cut", 11), " no words");
        assert_eq!(last_words("these words stay whole ", 12), "stay whole ");
        assert_eq!((first_words("ééééé é", 3), last_words("é ééééé", 3)), ("ééé", "ééé"));
        assert_eq!((first_words("short", 9), last_words("short", 9)), ("short", "short"));
    }

    #[test]
    fn edits_that_do_not_fit_are_not_believed() {
        assert_eq!(bits(&pair("é", "e", &[(1, 2, "e")])), [changed("é", "e")]);
        assert_eq!(bits(&pair("ab", "b", &[(5, 9, "")])), [changed("ab", "b")]);
        assert_eq!(bits(&pair("ab", "b", &[])), [changed("ab", "b")]);
    }
}
