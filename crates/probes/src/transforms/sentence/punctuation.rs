use fissure_core::{Dice, Edit, EditText, Proposal, Text, choices, transform};

use crate::support::chinese;

transform! {
    /// Adds punctuation at the end, strips the text of it, or wraps the text in brackets or quotes.
    ///
    /// Stripping takes the marks that end a word: apostrophes, decimal points, the dots of `U.S.` and whatever stands
    /// within a word stay. A Chinese text gets marks at full width, and loses them wherever they stand.
    pub struct Punctuation {
        /// What to do; `random` takes any of the three.
        mode: Mode = Mode::Add;
    }
    card: {
        level: Some(Sentence),
        family: Some(Pragmatics),
        expectation: Some(Kept),
        // Other scripts have marks of their own; Chinese has them at full width.
        languages: &[Alphabetic, Chinese],
        // Marks are tokens there, and a new one would have no label.
        does: &[Rewrites],
        aliases: &["Punctuation", "AddPunc"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.4.1"),
        human: Some(HumanScores { plausibility: (3.70, 3.71), grammaticality: (3.77, 3.66) }),
    }
    examples: [
        "The soup was hot." => "The soup was hot.!!",
        { mode = "strip" } "Well, Dr. Brown paid $3.50; the U.S. team didn't. Why?!"
            => "Well Dr. Brown paid $3.50 the U.S. team didn't Why",
        { mode = "wrap", seed = "3" } "The soup was hot." => "{The soup was hot.}",
        "汤很热。" => "汤很热。！！",
        { mode = "strip" } "汤很热，价格3.5元！" => "汤很热价格3.5元",
        { mode = "strip" } "..." => "...",
        { mode = "strip" } "A &quot;hot&quot; soup, at last; see." => "A &quot;hot&quot; soup at last see",
    ]
}

choices! {
    /// What happens to the punctuation.
    pub enum Mode { Add = "add", Strip = "strip", Wrap = "wrap", Random = "random" }
}

const ADDED: [&str; 6] = ["!", "!!", "...", ";", " -", " ~"];
const ADDED_FULL: [&str; 6] = ["！", "！！", "……", "；", "——", "～"];
const PAIRS_FULL: [(&str, &str); 6] =
    [("（", "）"), ("【", "】"), ("《", "》"), ("“", "”"), ("「", "」"), ("『", "』")];
const PAIRS: [(&str, &str); 6] =
    [("(", ")"), ("[", "]"), ("{", "}"), ("\"", "\""), ("'", "'"), ("\u{201c}", "\u{201d}")];

impl EditText for Punctuation {
    fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
        // If there is no word, there is nothing to punctuate.
        if text.words().next().is_none() {
            return Ok(Vec::new());
        }
        let modes = [Mode::Add, Mode::Strip, Mode::Wrap];
        let mode = if self.mode == Mode::Random { modes[dice.below(modes.len())] } else { self.mode };
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len();
        let full = chinese::is_chinese(text);
        let (added, pairs) = if full { (ADDED_FULL, PAIRS_FULL) } else { (ADDED, PAIRS) };
        Ok(match mode {
            Mode::Strip if full => strip_full(text),
            Mode::Strip => strip(text),
            Mode::Wrap => {
                let (open, close) = pairs[dice.below(pairs.len())];
                vec![Edit::insert(start, open), Edit::insert(end, close)]
            }
            Mode::Add | Mode::Random => vec![Edit::insert(end, added[dice.below(added.len())])],
        })
    }
}

/// Deletes the marks of a Chinese text, which stand between words without spaces; those at half width only at the end of a
/// word, as in `3.5`.
fn strip_full(text: &str) -> Vec<Edit> {
    let is_mark = |c: char| "，。！？；：、…～—".contains(c);
    let mut edits = strip(text);
    // The edits stand in order.
    let taken = |at: usize| {
        edits.get(edits.partition_point(|edit| edit.span.end <= at)).is_some_and(|edit| edit.span.start <= at)
    };
    let marks = text.char_indices().filter(|(at, c)| is_mark(*c) && !taken(*at));
    let more: Vec<Edit> = marks.map(|(at, c)| Edit::delete(at..at + c.len_utf8())).collect();
    edits.extend(more);
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// Deletes the marks behind words. The last word of the text always loses them; an earlier one keeps the dot of an
/// abbreviation.
fn strip(text: &str) -> Vec<Edit> {
    let last = text.trim_end().len();
    let mut edits = Vec::new();
    let mut end = 0;
    for chunk in text.split_inclusive(char::is_whitespace) {
        end += chunk.len();
        let word = chunk.trim_end();
        let word_end = end - chunk.len() + word.len();
        let kept = word.trim_end_matches(is_stop);
        let marks = &word[kept.len()..];
        let abbreviated = marks == "." && word_end != last && is_abbreviation(kept);
        let is_entity = marks.starts_with(';') && ends_entity(kept);
        if !kept.is_empty() && !marks.is_empty() && !abbreviated && !is_entity {
            edits.push(Edit::delete(word_end - marks.len()..word_end));
        }
    }
    edits
}

fn is_stop(mark: char) -> bool {
    matches!(mark, '.' | ',' | ';' | ':' | '!' | '?' | '\u{2026}' | '\u{3002}' | '\u{ff0c}' | '\u{ff01}' | '\u{ff1f}')
}

/// The semicolon behind `&quot` belongs to it.
fn ends_entity(word: &str) -> bool {
    word.rsplit_once('&').is_some_and(|(_, name)| {
        !name.is_empty() && name.trim_start_matches('#').bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// `J`, `U.S` and `Mrs` have a dot of their own.
fn is_abbreviation(word: &str) -> bool {
    const TITLES: [&str; 10] = ["Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Gen", "Sen", "vs", "No"];
    let word = word.trim_start_matches(|mark: char| !mark.is_alphanumeric());
    let one_letter = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    one_letter || TITLES.contains(&word) || (word.contains('.') && word.contains(char::is_alphabetic))
}
