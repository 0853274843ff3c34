use std::ops::Range;

use fissure_core::{Change, Dice, Edit, Resources, Sample, Skip, Transform, transform};
use fissure_text::casing;

use crate::support::trees::Tree;

transform! {
    /// Deletes a whole subtree between commas, such as a relative clause, with its commas.
    ///
    /// What goes is an adverbial or relative clause, an apposition, an aside, or an adverbial phrase at the edge of its
    /// clause: never an argument or what is joined by `and`. What is left is one tree, and a new first word gets a capital.
    /// Few sentences have such a subtree: about one in eleven of UD English EWT.
    /// Chinese writes other commas, and its clauses are joined without a word that says how: its sentences are left alone.
    pub struct DeleteSubTree {
        /// How many subtrees to delete at most.
        max: usize = 1, in 1..=5;
        /// Whether the longest goes first; else one that is drawn.
        longest: bool = true;
    }
    card: {
        level: Some(Sentence),
        family: Some(Syntax),
        expectation: Some(Relabelled),
        languages: &[Alphabetic],
        requires: &[Has::Layer(layer::HEAD)],
        aliases: &["DeleteSubTree", "DpDeleteSubTree"],
        citation: Some("Wang et al. 2021 (TextFlint), section 3.3"),
    }
    examples: [
        "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [,|token:PUNCT >head=2:punct] [although|token:SCONJ >head=2:mark] [it|token:PRON >head=2:nsubj] [rained|token:VERB #2 >head=1:advcl] [.|token:PUNCT >head=1:punct]"
            => "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]",
        "[Bob|token:PROPN #1 >head=3:nsubj] [,|token:PUNCT >head=2:punct] [a|token:DET >head=2:det] [friend|token:NOUN #2 >head=1:appos] [,|token:PUNCT >head=2:punct] [left|token:VERB #3 >root=3:root] [.|token:PUNCT >head=3:punct]"
            => "[Bob|token:PROPN >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]",
        "[After|token:SCONJ >head=1:mark] [eating|token:VERB #1 >head=2:advcl] [,|token:PUNCT >head=2:punct] [he|token:PRON >head=2:nsubj] [left|token:VERB #2 >root=2:root] [.|token:PUNCT >head=2:punct]"
            => "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] [.|token:PUNCT >head=1:punct]",
    ]
}

/// What may go. `obl` and `nmod` only stand between commas where they are added to a clause that is whole.
const FREE: &[&str] = &[
    "advcl",
    "advcl:relcl",
    "acl",
    "acl:relcl",
    "appos",
    "parataxis",
    "obl",
    "nmod",
    "obl:tmod",
    "obl:unmarked",
    "rcmod",
    "vocative",
    "discourse",
];

impl Transform for DeleteSubTree {
    fn propose(&self, sample: &Sample, dice: &mut Dice, _: &Resources) -> Result<Change, Skip> {
        if !sample.fields.first().is_some_and(|field| field.open) {
            return Err(Skip("the text may not be edited".into()));
        }
        let Some(tree) = Tree::of(sample) else { return Err(Skip("the tokens are not one tree".into())) };
        let mut found: Vec<Range<usize>> = (0..tree.len()).filter_map(|top| removable(&tree, top)).collect();
        dice.shuffle(&mut found);
        if self.longest {
            found.sort_by_key(|tokens| std::cmp::Reverse(tokens.len()));
        }
        let mut chosen: Vec<Range<usize>> = Vec::new();
        for tokens in found {
            let apart = |other: &Range<usize>| tokens.end < other.start || other.end < tokens.start;
            if chosen.len() < self.max && chosen.iter().all(apart) {
                chosen.push(tokens);
            }
        }
        chosen.sort_by_key(|tokens| tokens.start);
        let mut edits = Vec::new();
        for tokens in chosen {
            edits.extend(without(&tree, tokens));
        }
        Ok(edits.into())
    }
}

/// The edits that take tokens out with the space around them.
fn without(tree: &Tree<'_>, tokens: Range<usize>) -> Vec<Edit> {
    let (first, last) = (tree.span(tokens.start), tree.span(tokens.end - 1));
    if tokens.end == tree.len() {
        let start = if tokens.start > 0 { tree.span(tokens.start - 1).end } else { first.start };
        return vec![Edit::delete(start..last.end)];
    }
    let next = tree.span(tokens.end);
    let mut edits = vec![Edit::delete(first.start..next.start)];
    let word = tree.word(tokens.end);
    if tokens.start == 0 && casing::Case::of(word) == casing::Case::Lower {
        edits.push(Edit::replace(next, casing::title(word).into_owned()));
    }
    edits
}

/// The tokens that go with the subtree below `top` and its commas, if it can go.
fn removable(tree: &Tree<'_>, top: usize) -> Option<Range<usize>> {
    if top == tree.root || !FREE.contains(&tree.relations[top]) {
        return None;
    }
    let below = tree.below(top);
    let first = below.iter().position(|inside| *inside)?;
    let last = below.iter().rposition(|inside| *inside)?;
    if !(first..=last).all(|at| below[at]) || last + 1 - first >= tree.len() - 2 {
        return None;
    }
    let comma = |at: usize| tree.word(at) == "," && tree.is_loose(at);
    let ends = |at: usize| [".", "!", "?"].contains(&tree.word(at)) && at + 1 == tree.len();
    // Commas may hang on the subtree or on the clause around it.
    let opens = if comma(first) { Some(first) } else { first.checked_sub(1).filter(|before| comma(*before)) };
    let closes =
        if comma(last) { Some(last) } else { Some(last + 1).filter(|after| *after < tree.len() && comma(*after)) };
    let behind = |at: usize| at >= tree.len() || ends(at);
    let range = match (opens, closes) {
        (Some(opens), Some(closes)) if opens > 0 => opens..closes + 1,
        (None, Some(closes)) if first == 0 => 0..closes + 1,
        (Some(opens), None) if opens > 0 && behind(last + 1) => opens..last + 1,
        _ => return None,
    };
    let left = tree.len() - range.len();
    // What is left of `I know, can you help?` is no question.
    let asks = tree.relations[top] == "parataxis" && tree.word(tree.len() - 1) == "?";
    // A list has commas too: `apples , pears , and plums`.
    let listed = range.end < tree.len() && ["and", "or"].contains(&tree.word(range.end));
    (left >= 3 && !listed && !asks && !range.contains(&tree.root)).then_some(range)
}
