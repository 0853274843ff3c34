//! Agreement between the texts of a sample: whether they still mention the same things after a change.
//!
//! A premise and a hypothesis, two sentences, a passage and its question share names and numbers. A part that renames
//! them plans its edits for all texts of the sample, closed ones included, and asks [`disagreement`] before it proposes
//! them: a label is only kept if what was one thing in two texts is one thing afterwards, and two things stay two.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Edit, Sample, Skip, Span, Text, splice};

/// What would keep the texts of a sample from agreeing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement<'s> {
    /// The mention as it is written.
    pub mention: &'s str,
    pub why: Why,
}

/// Why a mention disagrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It changes in one place and stays in another, or becomes two different things.
    Apart,
    /// It becomes the same as another mention.
    Merged,
}

impl Sample {
    /// Whether its label hangs on mentions that occur more than once: there are several texts, or clusters of mentions.
    pub fn compares_mentions(&self) -> bool {
        self.fields.len() > 1 || self.layer("mention").next().is_some()
    }
}

/// The first mention that `edits` would not change alike in all texts of `sample`, or would make the same as another.
/// `mentions` finds the names or numbers of a text; upper and lower case count as the same. `None` if all is well, and
/// for a sample that does not [compare mentions](Sample::compares_mentions).
pub fn disagreement<'s>(
    sample: &'s Sample,
    edits: &[Edit],
    mentions: impl Fn(&'s Text) -> Vec<Span>,
) -> Option<Disagreement<'s>> {
    if edits.is_empty() || !sample.compares_mentions() {
        return None;
    }
    let mut seen: BTreeMap<String, Seen<'s>> = BTreeMap::new();
    for (index, field) in sample.fields.iter().enumerate() {
        let edits: Vec<&Edit> = edits.iter().filter(|edit| edit.field == index).collect();
        for span in mentions(&field.text) {
            let written = span.of(&field.text);
            let new = after(written, span, &edits).to_lowercase();
            match seen.get_mut(&written.to_lowercase()) {
                None => {
                    let one = Seen { written, field: index, new, again: false, apart: false };
                    seen.insert(written.to_lowercase(), one);
                }
                Some(known) => {
                    known.again |= sample.fields.len() == 1 || known.field != index;
                    known.apart |= known.new != new;
                }
            }
        }
    }
    let apart = seen.values().find(|one| one.again && one.apart);
    let found = |one: &Seen<'s>, why| Disagreement { mention: one.written, why };
    apart.map(|one| found(one, Why::Apart)).or_else(|| {
        let mut by_new: BTreeMap<&str, &str> = BTreeMap::new();
        let mut pairs = seen.iter().map(|(old, one)| (old.as_str(), one));
        let merged =
            pairs.clone().find(|(old, one)| by_new.insert(&one.new, old).is_some_and(|other| other != *old))?;
        // Of the two, the one that changed is named.
        let changed = pairs.find(|(old, one)| one.new == merged.1.new && one.new != *old);
        changed.map(|(_, one)| found(one, Why::Merged))
    })
}

/// A mention, and what happens to it.
struct Seen<'s> {
    written: &'s str,
    /// The first text that has it.
    field: usize,
    new: String,
    /// Whether another text has it too.
    again: bool,
    /// Whether it becomes something else in another place.
    apart: bool,
}

/// What the edits of its text make of a mention. An edit that crosses its edge takes all of it.
fn after(written: &str, span: Span, edits: &[&Edit]) -> String {
    let first = edits.partition_point(|edit| edit.span.end <= span.start);
    let touching = edits[first..].iter().take_while(|edit| edit.span.start < span.end);
    let mut inside = Vec::new();
    for edit in touching {
        if !span.covers(edit.span) {
            return edit.with.clone();
        }
        inside.push(Edit::replace(edit.span.start - span.start..edit.span.end - span.start, edit.with.as_str()));
    }
    splice(written, &inside)
}

impl fmt::Display for Disagreement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            Why::Apart => write!(f, "a name or number cannot be changed alike wherever it occurs"),
            Why::Merged => write!(f, "two names or numbers would become the same"),
        }
    }
}

impl From<Disagreement<'_>> for Skip {
    /// The mention is left out, so that equal reasons are counted together.
    fn from(disagreement: Disagreement<'_>) -> Self {
        Self(disagreement.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Anchor, Field, Mark, Words};

    fn pair(first: &str, second: &str) -> Sample {
        let fields = vec![Field::open("first", first), Field { open: false, ..Field::open("second", second) }];
        Sample { fields, ..Sample::default() }
    }

    fn words(text: &Text) -> Vec<Span> {
        Words::new(text).map(|word| word.span).collect()
    }

    #[test]
    fn a_shared_name_changes_everywhere_or_nowhere() {
        let sample = pair("Ann met Bob", "Did ANN go?");
        let here = Edit::replace(0..3, "Eve");
        let there = |with: &str| Edit::replace(4..7, with).on(1);
        let found = |edits: &[Edit]| disagreement(&sample, edits, words).map(|found| (found.mention, found.why));
        assert_eq!(found(std::slice::from_ref(&here)), Some(("Ann", Why::Apart)));
        assert_eq!(found(&[here.clone(), there("Mia")]), Some(("Ann", Why::Apart)));
        assert_eq!(found(&[here, there("EVE")]), None);
        // Only one text has Bob.
        assert_eq!(found(&[Edit::replace(8..11, "Max")]), None);
        assert_eq!(found(&[Edit::replace(8..11, "Ann")]), Some(("Bob", Why::Merged)));
        // An insertion beside a name is no change of it, and an edit across its edge is.
        assert_eq!(found(&[Edit::insert(3, "!")]), None);
        assert_eq!(found(&[Edit::replace(2..5, "x")]), Some(("Ann", Why::Apart)));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn one_text_agrees_with_itself_unless_it_has_clusters() {
        let mut sample = Sample::of_text("1", "Ann met Ann");
        let edits = [Edit::replace(0..3, "Eve")];
        assert_eq!(disagreement(&sample, &edits, words), None);
        sample.marks.push(Mark::new("mention", 0, (8..11).into(), "0", Anchor::Rigid));
        assert_eq!(disagreement(&sample, &edits, words).map(|found| found.why), Some(Why::Apart));
    }
}
