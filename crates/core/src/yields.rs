//! What a change yields: how many texts it changes, how many words of those asked for, and whether a few pairs of words
//! make most of it. A drop in a score says nothing about a model if it rests on one pair.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Amount, Sample, Words, counted};

/// Pairs that are counted at a time; a change of letters makes a new pair of almost every word. If there are more, the rarest half
/// is forgotten, so that a pair that is common later is still found.
const MOST_PAIRS: usize = 20_000;
/// Fewer changed texts than this say little.
pub const FEW_TEXTS: usize = 50;
/// A pair with a larger share than this makes the result one about that pair.
const LARGE_SHARE: f64 = 1.0 / 3.0;

/// Counts over a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Yield {
    pub texts: usize,
    pub changed: usize,
    /// Words that the amount of the part asks for in these texts; `None` if the part has no amount.
    pub asked: Option<usize>,
    /// Edits, without those that only make `a` or `an` agree.
    pub words: usize,
    /// `old > new` and how often.
    pairs: BTreeMap<String, usize>,
    /// Pairs that were forgotten.
    forgotten: usize,
}

/// What is said of a run's yield.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Yielded {
    pub texts: usize,
    pub changed: usize,
    pub asked: Option<usize>,
    pub words: usize,
    /// How many different pairs there were; if pairs were forgotten, about as many.
    pub pairs: usize,
    /// Whether rare pairs were forgotten: then the commonest may be somewhat more common.
    pub forgot: bool,
    /// The commonest pair, `old > new`, and how often.
    pub commonest: Option<(String, usize)>,
}

impl Yield {
    /// A text that was tried, of which `forms` changed forms were wanted.
    pub fn add_text(&mut self, sample: &Sample, amount: Option<Amount>, forms: usize) {
        let open = sample.fields.iter().filter(|field| field.open);
        self.add_texts(open.map(|field| field.text.as_str()), amount, forms);
    }

    /// The same for the texts of a sample.
    pub fn add_texts<'a>(&mut self, texts: impl Iterator<Item = &'a str>, amount: Option<Amount>, forms: usize) {
        self.texts += 1;
        if let Some(amount) = amount {
            let asked: usize = texts.map(|text| amount.of(Words::new(text).count())).sum();
            self.asked = Some(self.asked.unwrap_or(0) + asked * forms);
        }
    }

    /// A changed form of a text, with the old and new words of its edits. A text with several is counted with its `first`.
    pub fn add_changed<'a>(&mut self, edits: impl Iterator<Item = (&'a str, &'a str)>, first: bool) {
        self.changed += usize::from(first);
        for (old, new) in edits {
            let (as_was, as_is) = (old.trim(), new.trim());
            let (mut old, mut new) = (as_was.to_lowercase(), as_is.to_lowercase());
            // A change of case would read `the > the`.
            if old == new {
                (old, new) = (as_was.to_owned(), as_is.to_owned());
            }
            let agrees = |word: &str| word == "a" || word == "an";
            if agrees(&old) && agrees(&new) {
                continue;
            }
            self.words += 1;
            self.count(format!("{old} > {new}"), 1);
        }
    }

    fn count(&mut self, pair: String, times: usize) {
        *self.pairs.entry(pair).or_default() += times;
        if self.pairs.len() > MOST_PAIRS {
            let mut counts: Vec<usize> = self.pairs.values().copied().collect();
            counts.sort_unstable();
            let rare = counts[counts.len() / 2];
            let before = self.pairs.len();
            self.pairs.retain(|_, count| *count > rare);
            self.forgotten += before - self.pairs.len();
        }
    }

    pub fn add(&mut self, other: Self) {
        self.texts += other.texts;
        self.changed += other.changed;
        self.words += other.words;
        self.asked = match (self.asked, other.asked) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.forgotten += other.forgotten;
        for (pair, count) in other.pairs {
            self.count(pair, count);
        }
    }

    pub fn summary(&self) -> Yielded {
        let commonest = self.pairs.iter().max_by(|one, other| one.1.cmp(other.1).then_with(|| other.0.cmp(one.0)));
        Yielded {
            texts: self.texts,
            changed: self.changed,
            asked: self.asked,
            words: self.words,
            pairs: self.pairs.len() + self.forgotten,
            forgot: self.forgotten > 0,
            commonest: commonest.map(|(pair, count)| (pair.clone(), *count)),
        }
    }
}

impl Yielded {
    /// The share of the commonest pair among all changes.
    pub fn commonest_share(&self) -> Option<f64> {
        self.commonest.as_ref().map(|(_, count)| *count as f64 / self.words.max(1) as f64)
    }

    /// One line: `712 of 1000 texts changed; 1300 words of 2200 asked for; 640 pairs, the commonest film > movie (6 %)`.
    pub fn in_words(&self) -> String {
        let mut line =
            format!("{} of {} changed; {}", self.changed, counted(self.texts, "text"), counted(self.words, "edit"));
        if let Some(asked) = self.asked {
            line += &format!(" of {asked} asked for");
        }
        if let (Some((pair, _)), Some(share)) = (&self.commonest, self.commonest_share()) {
            let share = (100.0 * share).round();
            let about = if self.forgot { "about " } else { "" };
            let pair = shortened(pair);
            line += &format!("; {about}{}, the commonest `{pair}` ({share} %)", counted(self.pairs, "pair"));
        }
        line
    }

    /// Why a drop measured on these texts says less than it seems to.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings_if_measured(self.changed)
    }

    /// The same if an answer is missing to some of them: nothing if none was answered.
    pub fn warnings_if_measured(&self, texts: usize) -> Vec<String> {
        let mut warnings = Vec::new();
        if texts == 0 {
            return warnings;
        }
        if texts < FEW_TEXTS {
            warnings.push(format!("rests on {} only", counted(texts, "changed text")));
        }
        if let (Some((pair, _)), Some(share)) = (&self.commonest, self.commonest_share())
            && share > LARGE_SHARE
            && self.words > 1
        {
            warnings.push(format!(
                "rests mostly on one pair: {:.0} % of its edits are `{}`",
                100.0 * share,
                shortened(pair)
            ));
        }
        warnings
    }
}

/// The most letters of a pair that are shown.
const SHOWN: usize = 60;

/// A pair as it is shown: of a whole sentence the beginning will do.
fn shortened(pair: &str) -> String {
    match pair.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", pair[..end].trim_end()),
        None => pair.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_pair_the_beginning_is_shown() {
        assert_eq!(shortened("film > movie"), "film > movie");
        let shown = shortened(&format!(" > {}", "a sentence that goes on ".repeat(10)));
        assert!(shown.ends_with("...") && shown.chars().count() <= SHOWN + 3, "{shown}");
    }

    #[test]
    fn yield_is_counted_and_said() {
        let mut counts = Yield::default();
        for at in 0..10 {
            counts.add_text(
                &Sample::of_text(at.to_string(), "one two three four five six seven"),
                Some(Amount::share(0.3)),
                1,
            );
        }
        counts.add_changed([("film", "movie"), ("a", "an"), ("Film", "Movie")].into_iter(), true);
        counts.add_changed([("nice", "pleasant")].into_iter(), true);
        let found = counts.summary();
        assert_eq!((found.texts, found.changed, found.words, found.asked, found.pairs), (10, 2, 3, Some(20), 2));
        assert_eq!(found.commonest, Some(("film > movie".to_owned(), 2)));
        assert_eq!(
            found.in_words(),
            "2 of 10 texts changed; 3 edits of 20 asked for; 2 pairs, the commonest `film > movie` (67 %)"
        );
        assert_eq!(found.warnings().len(), 2, "{:?}", found.warnings());
    }

    #[test]
    fn several_forms_of_a_text_are_one_changed_text() {
        let mut counts = Yield::default();
        counts.add_text(&Sample::of_text("1", "one two three four five"), Some(Amount::share(0.2)), 3);
        for form in 0..3 {
            counts.add_changed(std::iter::once(("one", "two")), form == 0);
        }
        let found = counts.summary();
        assert_eq!((found.texts, found.changed, found.words, found.asked), (1, 1, 3, Some(3)));
    }

    #[test]
    fn a_change_of_case_is_shown_as_one() {
        let mut counts = Yield::default();
        counts.add_changed([("the", "THE"), ("The", "A")].into_iter(), true);
        let pairs: Vec<&String> = counts.pairs.keys().collect();
        assert_eq!(pairs, ["the > THE", "the > a"]);
    }

    #[test]
    fn a_pair_that_is_common_late_is_found() {
        let mut counts = Yield::default();
        for at in 0..25_000 {
            counts.add_changed(std::iter::once((format!("w{at}").as_str(), "x")), true);
        }
        for _ in 0..50_000 {
            counts.add_changed(std::iter::once(("banana", "y")), true);
        }
        let found = counts.summary();
        assert_eq!(found.commonest, Some(("banana > y".to_owned(), 50_000)));
        assert_eq!(found.pairs, 25_001);
        assert!(counts.pairs.len() <= MOST_PAIRS, "memory is bounded");
        assert!(found.in_words().contains("about 25001 pairs") && found.in_words().contains("(67 %)"));
    }

    #[test]
    fn two_halves_are_the_whole() {
        let edits = [("a", "b"), ("c", "d"), ("a", "b")];
        let mut whole = Yield::default();
        edits.iter().for_each(|edit| whole.add_changed(std::iter::once(*edit), true));
        let (mut one, mut other) = (Yield::default(), Yield::default());
        one.add_changed(std::iter::once(edits[0]), true);
        edits[1..].iter().for_each(|edit| other.add_changed(std::iter::once(*edit), true));
        one.add(other);
        assert_eq!(one, whole);
    }

    #[test]
    fn a_varied_change_of_many_texts_has_no_warning() {
        let mut counts = Yield::default();
        for at in 0..60 {
            let new = format!("w{}", at % 20);
            counts.add_changed(std::iter::once(("word", new.as_str())), true);
        }
        assert!(counts.summary().warnings().is_empty());
        assert!(Yielded::default().warnings().is_empty(), "nothing changed, nothing to warn of");
    }
}
