//! Gold labels, as the layouts keep them in marks and links.

use fissure_core::Sample;

use crate::tokens::{self, Token, in_order};

/// The names of tags, for data that number them.
#[derive(Debug, Clone, Default)]
pub(super) struct TagNames(Vec<String>);

impl TagNames {
    /// The names among `labels`: those before the first that is itself a number.
    pub fn new(labels: &[String]) -> Self {
        Self(labels.iter().take_while(|label| label.parse::<i64>().is_err()).cloned().collect())
    }

    /// The tag that is meant: the name of that number, or the tag itself.
    pub fn of<'a>(&'a self, tag: &'a str) -> &'a str {
        tag.parse().ok().and_then(|at: usize| self.0.get(at)).map_or(tag, String::as_str)
    }
}

/// The labels on the marks of a layer; `None` if no mark has one. A word that an edit brought in has none (`""`).
pub(super) fn tags<'s>(sample: &'s Sample, layer: &'s str) -> Option<Vec<&'s str>> {
    let tags: Vec<&str> = in_order(sample, layer).into_iter().map(|(_, mark)| mark.value.as_str()).collect();
    tags.iter().any(|tag| !tag.is_empty()).then_some(tags)
}

/// For each token its head, counted from 1 with 0 for the root, and its relation; `None` for a token without, as a word
/// that an edit brought in.
pub(super) fn tree(sample: &Sample) -> Option<Vec<Option<(usize, &str)>>> {
    let tokens = tokens::cut(sample);
    let number = |mark: usize| tokens.iter().position(|token| token.mark == Some(mark));
    let mut heads = vec![None; tokens.len()];
    for link in &sample.links {
        let head = match link.layer {
            "root" => Some(0),
            "head" => number(link.to).map(|at| at + 1),
            _ => continue,
        };
        if let (Some(from), Some(head)) = (number(link.from), head) {
            heads[from] = Some((head, link.value.as_str()));
        }
    }
    heads.iter().any(Option::is_some).then_some(heads)
}

/// The clusters of mentions, by first and last token; `None` if the sample has no mention.
pub(super) fn clusters(sample: &Sample) -> Option<Vec<Vec<(usize, usize)>>> {
    let tokens = tokens::cut(sample);
    let mut clusters: Vec<(&str, Vec<(usize, usize)>)> = Vec::new();
    for (_, mark) in sample.layer("mention") {
        let touched = |token: &Token<'_>| token.span.overlaps(mark.span) || token.span == mark.span;
        let Some(first) = tokens.iter().position(touched) else { continue };
        let last = tokens.iter().rposition(touched).unwrap_or(first);
        match clusters.iter_mut().find(|(name, _)| *name == mark.value) {
            Some((_, mentions)) => mentions.push((first, last)),
            None => clusters.push((&mark.value, vec![(first, last)])),
        }
    }
    (!clusters.is_empty()).then(|| clusters.into_iter().map(|(_, mentions)| mentions).collect())
}

/// The right answers to a question; an empty list if it has none; `None` if the answers are not known.
pub(super) fn answers(sample: &Sample) -> Option<Vec<&str>> {
    let answers: Vec<&str> = sample.layer("answers").map(|(_, mark)| sample.words_of(mark)).collect();
    let known = || {
        let columns = sample.origin.iter().flat_map(|origin| &origin.columns);
        columns.into_iter().any(|column| column.role == "answers")
    };
    (!answers.is_empty() || known()).then_some(answers)
}
