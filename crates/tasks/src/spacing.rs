//! How tokens stand to each other in running text: with a space between them, or without one.
//!
//! CoNLL-U says it of the token in front (`SpaceAfter=No` in MISC) and of ranges of tokens that are written as one word. Both
//! hold for neighbours, and edits make new neighbours: what stood behind a word may be gone, another word may stand there now, and a
//! range falls apart if one of its words is changed. So each token remembers how it stood, and a row is written with the spacing
//! that its tokens have now. Tokens that are neighbours as before stand as before.

use serde_json::{Value, json};

use fissure_core::{Mark, Sample};

use crate::row_builder::RowBuilder;
use crate::tokens::Token;

/// The column that says it, and the one that holds ranges.
pub(crate) const MISC: &str = "misc";
pub(crate) const BESIDE: &str = "beside";

/// What MISC says of a token without a space behind it.
pub(crate) const NO_SPACE: &str = "SpaceAfter=No";

/// The attribute in which a token remembers how it stood. No column is called like this.
const STOOD: &str = "spacing in the original";

/// How a token stood in its sentence.
struct Stood<'a> {
    at: u64,
    /// Whether there was no space in front of it.
    touches_left: bool,
    /// Whether there was none behind it.
    touches_right: bool,
    /// Whether there was none behind the last token of the sentence.
    touches_end: bool,
    is_last: bool,
    text: &'a str,
}

impl<'a> Stood<'a> {
    fn of(mark: &'a Mark) -> Option<Self> {
        let (_, stood) = mark.attributes.iter().find(|(name, _)| &**name == STOOD)?;
        let is = |at: usize| stood.get(at).and_then(Value::as_bool).unwrap_or(false);
        Some(Self {
            at: stood.get(0)?.as_u64()?,
            touches_left: is(1),
            touches_right: is(2),
            touches_end: is(3),
            is_last: is(4),
            text: stood.get(5)?.as_str()?,
        })
    }
}

/// Lets each token remember how it stands, if a column says so. `words` are the texts of the tokens.
pub(crate) fn remember(tokens: &mut [(String, &mut Mark)]) {
    let has_misc = |mark: &Mark| mark.attributes.iter().any(|(name, _)| &**name == MISC);
    if !tokens.iter().any(|(_, mark)| has_misc(mark)) {
        return;
    }
    let count = tokens.len();
    let mut touches: Vec<bool> = tokens.iter().map(|(_, mark)| says_no_space(column(mark, MISC))).collect();
    for at in 0..count {
        let Some(range) = column(tokens[at].1, BESIDE).and_then(Range::of) else { continue };
        let last = at + range.words.len() - 1;
        if last >= count {
            continue;
        }
        // `do` and `n't` are written `don't`, but `de` and `el` are written `del`: as two words they stand apart.
        let whole = range.words.iter().filter_map(Value::as_str).collect::<String>() == range.form();
        touches[at..last].fill(whole);
        touches[last] = range.touches();
    }
    for (at, (word, mark)) in tokens.iter_mut().enumerate() {
        let left = at.checked_sub(1).is_some_and(|before| touches[before]);
        let stood = json!([at, left, touches[at], touches[count - 1], at + 1 == count, word]);
        mark.attributes.push((STOOD.into(), stood));
    }
}

fn column<'m>(mark: &'m Mark, name: &str) -> Option<&'m Value> {
    mark.attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
}

fn says_no_space(misc: Option<&Value>) -> bool {
    misc.and_then(Value::as_str).is_some_and(|misc| misc.split('|').any(|feature| feature == NO_SPACE))
}

/// A range of tokens that is written as one word: the tokens, and the cells of its line.
struct Range<'a> {
    words: &'a [Value],
    cells: &'a str,
}

impl<'a> Range<'a> {
    fn of(beside: &'a Value) -> Option<Self> {
        let range = beside.get("range")?;
        let words = range.get("words")?.as_array().filter(|words| !words.is_empty())?;
        Some(Self { words, cells: range.get("cells")?.as_str()? })
    }

    fn form(&self) -> &'a str {
        self.cells.split('\t').next().unwrap_or_default()
    }

    fn touches(&self) -> bool {
        self.cells.rsplit('\t').next().is_some_and(|misc| misc.split('|').any(|feature| feature == NO_SPACE))
    }
}

/// The spacing of the tokens of a row as they are now.
#[derive(Debug)]
pub(crate) struct Spacing {
    /// For each token, whether no space stands behind it.
    touches: Vec<bool>,
    /// The tokens whose spacing the line of a range says: the first, and where the range ends.
    ranges: Vec<(usize, usize)>,
}

impl Spacing {
    /// `None` if the tokens do not remember how they stood.
    pub fn of(row_builder: &RowBuilder<'_>) -> Option<Self> {
        let (sample, tokens) = (row_builder.sample, row_builder.tokens());
        let places: Vec<Place<'_>> = tokens.iter().map(|token| Place::of(sample, token)).collect();
        let end = places.iter().rev().find_map(|place| place.stood.as_ref())?.touches_end;
        let style = Style::of(sample, &places);
        let mut touches: Vec<bool> = places.windows(2).map(|pair| style.touch(&pair[0], &pair[1])).collect();
        touches.extend(places.last().map(|last| match &last.stood {
            Some(stood) if stood.is_last && last.has_right => stood.touches_right,
            _ => end,
        }));
        let ranges = (0..tokens.len()).filter_map(|at| Some((at, kept_range(sample, tokens, at)?))).collect();
        Some(Self { touches, ranges })
    }

    /// MISC of the token at `at`.
    pub fn misc(&self, at: usize, misc: Option<&str>) -> String {
        let misc = misc.unwrap_or("_");
        // In a range, its own line says it.
        if self.ranges.iter().any(|(first, end)| (*first..*end).contains(&at)) {
            return misc.to_owned();
        }
        with_spacing(misc, self.touches.get(at).copied().unwrap_or(false))
    }

    /// What stands beside the token at `at`, with the spacing behind a range that starts there.
    pub fn beside(&self, at: usize, beside: &Value) -> Value {
        let mut beside = beside.clone();
        let end = self.ranges.iter().find(|(first, _)| *first == at).map(|(_, end)| *end);
        if let (Some(end), Some(range)) = (end, beside.get_mut("range"))
            && let Some((cells, misc)) =
                range.get("cells").and_then(Value::as_str).and_then(|cells| cells.rsplit_once('\t'))
        {
            let cells = format!("{cells}\t{}", with_spacing(misc, self.touches[end - 1]));
            range["cells"] = cells.into();
        }
        beside
    }
}

/// The end of the range that starts at token `at`, if its words are still there: else it is not written.
fn kept_range(sample: &Sample, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let range = Range::of(tokens[at].attribute(sample, BESIDE).filter(|_| tokens[at].piece == 0)?)?;
    let now = tokens.get(at..at + range.words.len())?;
    let same = range.words.iter().zip(now).all(|(old, now)| old.as_str() == Some(now.text));
    same.then_some(at + range.words.len())
}

/// MISC with or without `SpaceAfter=No`; as it is, if it says the same already.
fn with_spacing(misc: &str, touches: bool) -> String {
    let says = misc.split('|').any(|feature| feature == NO_SPACE);
    if says == touches {
        return misc.to_owned();
    }
    if touches {
        return if misc == "_" { NO_SPACE.into() } else { format!("{misc}|{NO_SPACE}") };
    }
    let rest: Vec<&str> = misc.split('|').filter(|feature| *feature != NO_SPACE).collect();
    if rest.is_empty() { "_".into() } else { rest.join("|") }
}

/// A token, and what it remembers.
struct Place<'a> {
    text: &'a str,
    stood: Option<Stood<'a>>,
    /// Whether what stood in front of it is what stood in front of its mark; not so for a later piece of it.
    has_left: bool,
    has_right: bool,
    /// Whether another word stands here now, of which no lemma is known.
    is_another: bool,
}

impl<'a> Place<'a> {
    fn of(sample: &'a Sample, token: &Token<'a>) -> Self {
        let stood = token.mark.and_then(|mark| Stood::of(sample.marks.get(mark)?));
        let is_new = stood.as_ref().is_some_and(|stood| stood.text.to_lowercase() != token.text.to_lowercase());
        Self {
            text: token.text,
            is_another: is_new && token.attribute(sample, "lemma").is_none(),
            stood,
            has_left: token.piece == 0,
            has_right: token.piece + 1 == token.pieces,
        }
    }

    fn left(&self) -> Option<&Stood<'a>> {
        self.stood.as_ref().filter(|_| self.has_left)
    }

    fn right(&self) -> Option<&Stood<'a>> {
        self.stood.as_ref().filter(|_| self.has_right)
    }

    fn first(&self) -> char {
        self.text.chars().next().unwrap_or(' ')
    }

    fn last(&self) -> char {
        self.text.chars().next_back().unwrap_or(' ')
    }
}

/// How the sentence writes what is new in it.
struct Style {
    /// Whether a comma touches the word in front of it; not so in a text that was written as tokens.
    attached: bool,
    /// Whether Chinese words touch each other.
    packed: bool,
}

impl Style {
    fn of(sample: &Sample, places: &[Place<'_>]) -> Self {
        let stood = || places.iter().filter_map(|place| place.stood.as_ref());
        let stops = || stood().filter(|stood| stood.at > 0 && stood.text.starts_with([',', '.', '!', '?', ';', ':']));
        let attached = match stops().next() {
            Some(_) => stops().any(|stood| stood.touches_left),
            // Without a stop to look at: a treebank that gives the text writes it as people do.
            None => stood().any(|stood| stood.touches_right) || gives_text(sample),
        };
        let is_packed = |stood: &Stood<'_>| !stood.is_last && stood.touches_right && stood.text.chars().any(is_han);
        Self { attached, packed: stood().any(is_packed) }
    }

    /// Whether no space stands between two tokens.
    fn touch(&self, left: &Place<'_>, right: &Place<'_>) -> bool {
        let (before, after) = (left.right(), right.left());
        if let (Some(before), Some(after)) = (before, after)
            && before.at + 1 == after.at
        {
            return match (is_ending(after.text), is_ending(right.text)) {
                // `do not` is `don't` now, or the other way round.
                (false, true) if after.text != right.text => self.attached || before.touches_right,
                (true, false) if !right.text.contains(['\'', '\u{2019}']) => false,
                // What stands for `r` in `your` now is a word of its own; a slip in it is not.
                _ if right.is_another && right.first().is_alphanumeric() && left.last().is_alphanumeric() => false,
                _ => before.touches_right,
            };
        }
        let (last, first) = (left.last(), right.first());
        if is_han(last) || is_han(first) {
            return self.packed;
        }
        let opens = |c: char| matches!(c, '(' | '[' | '{' | '\u{201c}' | '\u{2018}' | '«' | '$' | '#' | '/' | '-');
        if opens(last) && before.is_some_and(|before| before.touches_right) {
            return true;
        }
        // Two words stay two.
        if first.is_alphanumeric() {
            return false;
        }
        match after {
            // The word in front of a cut takes the spacing of what was cut last.
            Some(after) => after.touches_left,
            None => {
                self.attached
                    && (matches!(first, ',' | '.' | '!' | '?' | ';' | ':' | ')' | ']') || is_ending(right.text))
            }
        }
    }
}

/// Whether a token is written onto the word in front of it: `n't`, `'s`.
fn is_ending(text: &str) -> bool {
    let text = text.replace('\u{2019}', "'").to_lowercase();
    ["n't", "'m", "'re", "'ve", "'ll", "'s", "'d"].contains(&&*text)
}

/// Whether the comments in front of the sentence give its text.
fn gives_text(sample: &Sample) -> bool {
    let comments =
        sample.extra.iter().find(|(name, _)| &**name == "comments").and_then(|(_, comments)| comments.as_str());
    comments.is_some_and(|comments| comments.lines().any(|line| line.starts_with("# text =")))
}

/// Whether a character is Chinese or Japanese, or a mark of these scripts.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misc_says_the_spacing_and_keeps_the_rest() {
        assert_eq!(with_spacing("_", false), "_");
        assert_eq!(with_spacing("_", true), "SpaceAfter=No");
        assert_eq!(with_spacing("SpaceAfter=No", false), "_");
        assert_eq!(with_spacing("A=b|SpaceAfter=No|C=d", false), "A=b|C=d");
        assert_eq!(with_spacing("A=b", true), "A=b|SpaceAfter=No");
        assert_eq!(with_spacing("SpaceAfter=No|A=b", true), "SpaceAfter=No|A=b");
    }
}
