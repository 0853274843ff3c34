//! Contractions among the tokens of a labelled sample. Files with tokens cut `don't` into `do` and `n't`, so expanding and
//! contracting replaces tokens and never joins or splits any: every label stays on its token.

use fissure_core::{Edit, Mark, Sample, Text, Word, layer};

use super::{Contraction, Phrase, apostrophe};

/// The endings that are tokens of their own.
const ENDINGS: &[&str] = &["n't", "'m", "'re", "'ve", "'ll", "'s", "'d"];

/// The edits of each place of a field that can be expanded or contracted; `None` for a field without tokens.
pub(super) fn places(part: &Contraction, sample: &Sample, field: usize) -> Option<Vec<Vec<Edit>>> {
    let tokens = || sample.layer(layer::TOKEN).map(|(_, mark)| mark).filter(|mark| mark.field == field);
    tokens().next()?;
    let mut tokens: Vec<&Mark> = tokens().collect();
    tokens.sort_by_key(|mark| mark.span.start);
    let joined = Joined::of(sample, &tokens);
    let text = Text::from(joined.text.as_str());
    let words: Vec<Word<'_>> = text.words().collect();
    let phrase = Phrase { text: &text, words: &words, apostrophe: apostrophe(&text) };
    let found = part.places_in(phrase).into_iter();
    Some(found.filter_map(|edits| joined.edits(sample, &tokens, &edits)).collect())
}

/// The tokens as they would be written in running text.
struct Joined {
    text: String,
    /// Where each token starts and ends there.
    bounds: Vec<(usize, usize)>,
}

impl Joined {
    fn of(sample: &Sample, tokens: &[&Mark]) -> Self {
        let mut joined = Self { text: String::new(), bounds: Vec::with_capacity(tokens.len()) };
        for mark in tokens {
            let word = sample.words_of(mark);
            let plain = word.replace('\u{2019}', "'").to_lowercase();
            if !joined.text.is_empty() && !ENDINGS.contains(&plain.as_str()) {
                joined.text.push(' ');
            }
            let start = joined.text.len();
            joined.text += word;
            joined.bounds.push((start, joined.text.len()));
        }
        joined
    }

    /// An edit of the running text as edits of the two tokens that it covers; nothing if it covers others.
    fn edits(&self, sample: &Sample, tokens: &[&Mark], edits: &[Edit]) -> Option<Vec<Edit>> {
        // `Don't you` to `Do you not` would move a token away from its label.
        let [edit] = edits else { return None };
        let first = self.bounds.iter().position(|(start, _)| *start == edit.span.start)?;
        let second = self.bounds.get(first + 1).filter(|(_, end)| *end == edit.span.end).map(|_| first + 1)?;
        // Without a space behind it, `do` and `not` would be written as one word.
        let mut beside = tokens[first].attributes.iter().filter(|(name, _)| &**name == "misc");
        if beside.any(|(_, value)| value.as_str().is_some_and(|value| value.contains("SpaceAfter=No"))) {
            return None;
        }
        let (one, two) = halves(&edit.with)?;
        let changed = [(tokens[first], one), (tokens[second], two)];
        let changed = changed.into_iter().filter(|(mark, new)| sample.words_of(mark) != *new);
        let made: Vec<Edit> = changed.map(|(mark, new)| Edit::replace(mark.span, new)).collect();
        (!made.is_empty()).then_some(made)
    }
}

/// Where tokens part: `do not`, `can|not`, `do|n't`, `ca|n't`, `I|'m`.
fn halves(words: &str) -> Option<(&str, &str)> {
    if let Some(parts) = words.split_once(' ') {
        return Some(parts);
    }
    if words.eq_ignore_ascii_case("cannot") {
        return Some(words.split_at(3));
    }
    let mark = words.rfind(['\'', '\u{2019}'])?;
    let denies = words[mark..].ends_with(['t', 'T']) && words[..mark].ends_with(['n', 'N']);
    Some(words.split_at(if denies { mark - 1 } else { mark }))
}
