//! Gold trees over tokens: who hangs on whom, and whole subtrees.

use fissure_core::{Mark, Sample, Span, layer};

/// The tree of a sample with its tokens in the order of the text.
pub(crate) struct Tree<'s> {
    pub sample: &'s Sample,
    /// The indices of the marks, in order of place.
    pub tokens: Vec<usize>,
    /// For each token the place of its head; `None` for the root and where it is not known.
    pub heads: Vec<Option<usize>>,
    pub relations: Vec<&'s str>,
    pub root: usize,
}

impl<'s> Tree<'s> {
    /// The tree, if every token but one has a head.
    pub fn of(sample: &'s Sample) -> Option<Self> {
        let mut tokens: Vec<usize> =
            sample.layer(layer::TOKEN).filter(|(_, mark)| mark.field == 0).map(|(index, _)| index).collect();
        tokens.sort_by_key(|index| sample.marks[*index].span.start);
        let mut places = vec![None; sample.marks.len()];
        tokens.iter().enumerate().for_each(|(place, index)| places[*index] = Some(place));
        let mut heads = vec![None; tokens.len()];
        let mut relations = vec![""; tokens.len()];
        let mut root = None;
        for link in &sample.links {
            let Some(from) = places.get(link.from).copied().flatten() else { continue };
            match link.layer {
                layer::HEAD => heads[from] = places.get(link.to).copied().flatten(),
                layer::ROOT if root.is_some() => return None,
                layer::ROOT => root = Some(from),
                _ => continue,
            }
            relations[from] = &link.value;
        }
        let root = root?;
        let whole = (0..tokens.len()).all(|at| heads[at].is_some() != (at == root));
        whole.then_some(Self { sample, tokens, heads, relations, root })
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn mark(&self, at: usize) -> &'s Mark {
        &self.sample.marks[self.tokens[at]]
    }

    pub fn span(&self, at: usize) -> Span {
        self.mark(at).span
    }

    pub fn word(&self, at: usize) -> &'s str {
        self.sample.words_of(self.mark(at))
    }

    /// Whether each token hangs on `top`, by way of others or directly, or is it.
    pub fn below(&self, top: usize) -> Vec<bool> {
        let mut known: Vec<Option<bool>> = vec![None; self.len()];
        known[top] = Some(true);
        for start in 0..self.len() {
            let mut way = Vec::new();
            let mut at = start;
            let answer = loop {
                if let Some(answer) = known[at] {
                    break answer;
                }
                way.push(at);
                match self.heads[at] {
                    Some(head) if !way.contains(&head) => at = head,
                    _ => break false,
                }
            };
            way.into_iter().for_each(|at| known[at] = Some(answer));
        }
        known.into_iter().map(|answer| answer == Some(true)).collect()
    }

    /// Whether a token is punctuation that nothing hangs on.
    pub fn is_loose(&self, at: usize) -> bool {
        !self.heads.contains(&Some(at))
    }
}
