//! Two texts beside each other with what differs marked, and long stretches that do not left out.

use std::ops::Range;

use fissure_core::{Edit, Span, is_word_character};
use maud::{Markup, html};

/// Characters shown around a change.
const AROUND: usize = 90;
/// Characters shown where nothing differs.
const WHOLE: usize = 400;
/// Words that are compared one by one; longer stretches count as one change.
const COMPARED: usize = 600;

/// Which bytes of the one and of the other text differ, by words.
pub fn changes(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let Some(edit) = Edit::between(old, new) else { return (Vec::new(), Vec::new()) };
    let span = whole_words(old, edit.span);
    let with = span.start..new.len() - (old.len() - span.end);
    let (a, b) = (words(old, span.start..span.end), words(new, with.clone()));
    if a.len() > COMPARED || b.len() > COMPARED {
        let gone = span.start..span.end;
        return (vec![gone], vec![with]);
    }
    // The longest common subsequence of words: `longest[i][j]` is its length from word i and word j on.
    let mut longest = vec![vec![0u16; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let same = old[a[i].clone()] == new[b[j].clone()];
            longest[i][j] = if same { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && old[a[i].clone()] == new[b[j].clone()] {
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && longest[i + 1][j] >= longest[i][j + 1]) {
            add(&mut gone, old, a[i].clone());
            i += 1;
        } else {
            add(&mut come, new, b[j].clone());
            j += 1;
        }
    }
    (gone, come)
}

/// Widens a span to whole words; a Han character is one.
fn whole_words(text: &str, span: Span) -> Span {
    let ends = |letter: char| letter.is_whitespace() || is_word_character(letter);
    let (before, inside, behind) = (&text[..span.start], span.of(text), &text[span.end..]);
    let start = match before.rfind(ends) {
        _ if inside.starts_with(is_word_character) => span.start,
        Some(at) => text.ceil_char_boundary(at + 1),
        None => 0,
    };
    let end = match behind.find(ends) {
        _ if inside.ends_with(is_word_character) => span.end,
        Some(at) => span.end + at,
        None => text.len(),
    };
    (start..end).into()
}

/// Han characters and full-width marks, which are compared one by one.
fn stands_alone(letter: char) -> bool {
    is_word_character(letter)
        || matches!(letter, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

/// What stands between spaces, and Han characters one by one.
fn words(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut joins = false;
    for (at, letter) in text[range.clone()].char_indices() {
        let (start, end) = (range.start + at, range.start + at + letter.len_utf8());
        match words.last_mut() {
            _ if letter.is_whitespace() => {}
            Some(last) if joins && last.end == start && !stands_alone(letter) => last.end = end,
            _ => words.push(start..end),
        }
        joins = !stands_alone(letter);
    }
    words
}

/// Adds a word, and joins it to the one before where only space lies between.
fn add(ranges: &mut Vec<Range<usize>>, text: &str, word: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if text[last.end..word.start].chars().all(char::is_whitespace) => last.end = word.end,
        _ => ranges.push(word),
    }
}

/// The text with some of it marked: `old` as taken out, otherwise as put in.
pub fn marked(text: &str, ranges: &[Range<usize>], old: bool) -> Markup {
    if ranges.is_empty() {
        return html! { (super::beginning(text, WHOLE)) };
    }
    let mut done = 0;
    let mut parts = Vec::new();
    for (at, range) in ranges.iter().enumerate() {
        let (Some(before), Some(changed)) = (text.get(done..range.start), text.get(range.clone())) else { continue };
        parts.push(html! {
            (shortened(before, at == 0, false))
            @if old { del { (changed) } } @else { ins { (changed) } }
        });
        done = range.end;
    }
    html! { @for part in parts { (part) } (shortened(text.get(done..).unwrap_or(""), false, true)) }
}

/// A stretch without changes; its middle is left out, or what lies before the first change or after the last.
fn shortened(text: &str, first: bool, last: bool) -> String {
    let length = text.chars().count();
    let place = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
    let (head, tail) = (&text[..place(AROUND)], &text[place(length.saturating_sub(AROUND))..]);
    // Whole words if there are any.
    let head = head.rfind(char::is_whitespace).map_or(head, |at| &head[..at]);
    let tail = tail.find(char::is_whitespace).map_or(tail, |at| tail[at..].trim_start());
    match (first, last) {
        (true, _) if length > AROUND => format!("… {tail}"),
        (_, true) if length > AROUND => format!("{head} …"),
        _ if length > 2 * AROUND + 10 => format!("{head} … {tail}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'t>(text: &'t str, ranges: &[Range<usize>]) -> Vec<&'t str> {
        ranges.iter().map(|range| &text[range.clone()]).collect()
    }

    #[test]
    fn words_that_differ_are_found() {
        let (old, new) = ("a good film with a fine end", "a very bad film with a dull end");
        let (gone, come) = changes(old, new);
        assert_eq!(cut(old, &gone), ["good", "fine"]);
        assert_eq!(cut(new, &come), ["very bad", "dull"]);
        assert_eq!(changes("same", "same"), (Vec::new(), Vec::new()));
        let (gone, come) = changes("so naïve", "so naïves");
        assert_eq!((cut("so naïve", &gone), cut("so naïves", &come)), (vec!["naïve"], vec!["naïves"]), "whole words");
        let (old, new) = ("服务太差，iPhone不好用", "服务很好，iPhone6不好用");
        let (gone, come) = changes(old, new);
        assert_eq!((cut(old, &gone), cut(new, &come)), (vec!["太差", "iPhone"], vec!["很好", "iPhone6"]), "characters");
        let (gone, come) = changes("", "new");
        assert_eq!((gone.len(), cut("new", &come)), (0, vec!["new"]));
    }

    #[test]
    fn long_stretches_are_left_out() {
        let text = format!("{} here {}", "before ".repeat(50), "after ".repeat(50));
        let at = text.find("here").unwrap();
        let shown = marked(&text, &[at..at + 4, at + 4..9999], false).into_string();
        assert!(shown.starts_with("… ") && shown.contains("<ins>here</ins>") && shown.len() < 300, "{shown}");
        assert_eq!(marked("<b>", std::slice::from_ref(&(0..3)), true).into_string(), "<del>&lt;b&gt;</del>");
    }
}
