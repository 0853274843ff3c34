//! Everything a part could put in place of a word, listed instead of drawn: what a search over changes needs.
//!
//! A part lists on the rung of the ladder it stands on; each rung carries the list up to
//! [`Transform::candidates`](crate::Transform::candidates). A part that cannot list its choices (any number of four digits)
//! says `None`. A law over the catalog holds parts to it: whatever is drawn is on the list.

use crate::{Dice, Edit, Sample, Span};

/// One thing a part could put in place of a word.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What replaces the word.
    pub with: String,
    /// How good the part finds it, if it can say: a probability, a cosine. Larger is better.
    pub score: Option<f64>,
    /// The other edits that it needs: an article that has to agree, another mention of the same word.
    pub along: Vec<Edit>,
}

impl Candidate {
    /// A candidate without a score that needs no other edit.
    pub fn new(with: impl Into<String>) -> Self {
        Self { with: with.into(), score: None, along: Vec::new() }
    }

    /// The same with a score.
    pub fn scored(self, score: impl Into<f64>) -> Self {
        Self { score: Some(score.into()), ..self }
    }

    /// One of these, each as likely; none of none.
    pub fn draw(candidates: Vec<Self>, dice: &mut Dice) -> Option<Self> {
        let drawn = dice.below(candidates.len());
        candidates.into_iter().nth(drawn)
    }
}

/// A place of a text, and everything that could stand there.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub field: usize,
    /// The bytes that a candidate replaces: a word, or nothing if words are inserted.
    pub span: Span,
    /// The candidates, each different; the rank of one is its index, the best first if the part ranks them.
    pub candidates: Vec<Candidate>,
}

impl Place {
    /// A place in the first field.
    pub fn new(span: impl Into<Span>, candidates: Vec<Candidate>) -> Self {
        Self { field: 0, span: span.into(), candidates }
    }

    /// The place at `span` of a field with a candidate for each list of edits: what the list puts there, and along with it
    /// the rest. A list without an edit of the place leaves its words as they are.
    pub fn of_edits(sample: &Sample, field: usize, span: Span, lists: impl IntoIterator<Item = Vec<Edit>>) -> Self {
        let candidate = |edits: Vec<Edit>| {
            let is_here = |edit: &Edit| edit.field == field && edit.span == span;
            let (mut here, along): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(is_here);
            let old = || span.of(&sample.fields[field].text).to_owned();
            Candidate { with: here.pop().map_or_else(old, |edit| edit.with), score: None, along }
        };
        Self { field, span, candidates: lists.into_iter().filter(|edits| !edits.is_empty()).map(candidate).collect() }
    }

    /// The same place in another field; what goes along moves with it.
    pub fn on(mut self, field: usize) -> Self {
        self.field = field;
        for edit in self.candidates.iter_mut().flat_map(|candidate| &mut candidate.along) {
            edit.field = field;
        }
        self
    }

    /// The edits that carry out a candidate of this place, in order.
    pub fn edits(&self, candidate: &Candidate, sample: &Sample) -> Vec<Edit> {
        let old = self.span.of(&sample.fields[self.field].text);
        let here = (candidate.with != old).then(|| Edit::replace(self.span, candidate.with.as_str()).on(self.field));
        let mut edits: Vec<Edit> = here.into_iter().chain(candidate.along.iter().cloned()).collect();
        edits.sort_by_key(|edit| (edit.field, edit.span));
        edits
    }

    /// The candidates without those that change nothing, each once; `None` if none is left.
    fn tidied(mut self, sample: &Sample) -> Option<Self> {
        let old = self.span.of(&sample.fields.get(self.field)?.text);
        let mut seen: Vec<Candidate> = Vec::with_capacity(self.candidates.len());
        let mut known = std::collections::HashSet::with_capacity(self.candidates.len());
        for candidate in std::mem::take(&mut self.candidates) {
            let changes = candidate.with != old || !candidate.along.is_empty();
            let along: Vec<(usize, Span, String)> =
                candidate.along.iter().map(|edit| (edit.field, edit.span, edit.with.clone())).collect();
            if changes && known.insert((candidate.with.clone(), along)) {
                seen.push(candidate);
            }
        }
        self.candidates = seen;
        (!self.candidates.is_empty()).then_some(self)
    }
}

/// The places in order, without candidates that change nothing or stand there twice.
pub(crate) fn tidy(places: Vec<Place>, sample: &Sample) -> Vec<Place> {
    let mut places: Vec<Place> = places.into_iter().filter_map(|place| place.tidied(sample)).collect();
    places.sort_by_key(|place| (place.field, place.span));
    places
}
