//! A text under attack: its words, and the changes made to them so far.

use std::sync::Arc;

use fissure_core::layer::ENTITY;
use fissure_core::{Edit, Protected, Sample, Span, Text, Words, apply, splice};

/// A word of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordAt {
    pub field: usize,
    pub span: Span,
}

/// A sample with the words that may be changed: those of open texts that are language (no addresses, no markup) and carry no
/// label of their own.
#[derive(Debug, Clone)]
pub struct Victim<'s> {
    pub sample: &'s Sample,
    pub words: Vec<WordAt>,
    /// Whether a question carries the labels of the sample along: the answer is held against them, or they say what is asked.
    pub with_labels: bool,
}

impl<'s> Victim<'s> {
    pub fn new(sample: &'s Sample) -> Self {
        let mut words = Vec::new();
        for (field, open) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
            let protected = Protected::of(&open.text);
            let labelled = sample.labelled(field);
            let free = Words::new(&open.text)
                .filter(|word| !protected.covers(word.span) && !word.span.overlaps_any(&labelled));
            words.extend(free.map(|word| WordAt { field, span: word.span }));
        }
        Self { sample, words, with_labels: false }
    }

    /// The same for a task that labels pieces of the text: entities stay as they are.
    #[must_use]
    pub fn with_labels(mut self) -> Self {
        let entities: Vec<(usize, Span)> = self.sample.layer(ENTITY).map(|(_, mark)| (mark.field, mark.span)).collect();
        self.words.retain(|word| {
            !entities
                .iter()
                .any(|(field, span)| *field == word.field && span.start < word.span.end && word.span.start < span.end)
        });
        Self { with_labels: true, ..self }
    }

    /// A sample of whose first field these places may be changed, whatever they are. They are in order; one that overlaps the
    /// one before is left out.
    pub fn of_places(sample: &'s Sample, places: impl Iterator<Item = Span>) -> Self {
        let mut words: Vec<WordAt> = Vec::new();
        for span in places {
            if words.last().is_none_or(|last| last.span.end <= span.start) {
                words.push(WordAt { field: 0, span });
            }
        }
        Self { sample, words, with_labels: false }
    }

    /// A word as the original has it.
    pub fn word(&self, at: usize) -> &'s str {
        let WordAt { field, span } = self.words[at];
        span.of(&self.sample.fields[field].text)
    }

    /// The word that holds, or follows, byte `start` of a field.
    pub fn word_from(&self, field: usize, start: usize) -> Option<usize> {
        let at = self.words.partition_point(|word| (word.field, word.span.end) <= (field, start));
        (at < self.words.len() && self.words[at].field == field).then_some(at)
    }
}

/// What a word becomes, and the other edits that come along with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    pub with: Arc<str>,
    /// Field, bytes of the original, new text.
    pub along: Vec<(usize, Span, String)>,
}

impl Change {
    pub fn new(with: impl Into<Arc<str>>) -> Self {
        Self { with: with.into(), along: Vec::new() }
    }
}

/// The original with some of its words changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// By word, in order.
    changes: Vec<(usize, Change)>,
}

/// Bytes of a field of the original, and the text that takes their place.
pub type Replacement<'t> = (usize, Span, &'t str);

impl State {
    /// The same with another word changed, or changed again.
    #[must_use]
    pub fn with(&self, word: usize, change: Change) -> Self {
        let mut changes = Vec::with_capacity(self.changes.len() + 1);
        let (before, behind) = self.changes.split_at(self.changes.partition_point(|(at, _)| *at < word));
        changes.extend_from_slice(before);
        changes.push((word, change));
        changes.extend_from_slice(&behind[behind.iter().take_while(|(at, _)| *at == word).count()..]);
        Self { changes }
    }

    /// The same with a word as the original has it.
    #[must_use]
    pub fn without(&self, word: usize) -> Self {
        let mut state = self.clone();
        state.changes.retain(|(at, _)| *at != word);
        state
    }

    pub fn get(&self, word: usize) -> Option<&Change> {
        let at = self.changes.binary_search_by_key(&word, |(at, _)| *at).ok()?;
        Some(&self.changes[at].1)
    }

    /// How many words are changed.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The words that are changed, in order.
    pub fn words(&self) -> impl Iterator<Item = usize> + '_ {
        self.changes.iter().map(|(at, _)| *at)
    }

    /// The word as it is now.
    pub fn word<'a>(&'a self, victim: &'a Victim<'_>, at: usize) -> &'a str {
        self.get(at).map_or_else(|| victim.word(at), |change| &change.with)
    }

    /// What takes the place of what in the original, in order and without overlap. Where an edit that comes along would touch a
    /// changed word or another such edit, the first of them stays.
    pub fn replacements<'t>(&'t self, victim: &Victim<'_>) -> Vec<Replacement<'t>> {
        let mut found: Vec<Replacement<'t>> = Vec::with_capacity(self.changes.len());
        for (at, change) in &self.changes {
            let WordAt { field, span } = victim.words[*at];
            let text = &victim.sample.fields[field].text;
            if *change.with == *span.of(text) {
                continue;
            }
            // With a word goes the space behind it.
            let end = span.end + usize::from(change.with.is_empty() && text.as_bytes().get(span.end) == Some(&b' '));
            found.push((field, Span::new(span.start, end), &*change.with));
        }
        let words = found.len();
        for (field, span, with) in self.changes.iter().flat_map(|(_, change)| &change.along) {
            let touches = |(other, replaced, _): &Replacement<'_>| {
                other == field && (replaced == span || (replaced.start < span.end && span.start < replaced.end))
            };
            if !found.iter().any(touches) {
                found.push((*field, *span, with.as_str()));
            }
        }
        if found.len() > words {
            found.sort_by_key(|(field, span, _)| (*field, *span));
        }
        found
    }

    /// The same as edits.
    pub fn edits(&self, victim: &Victim<'_>) -> Vec<Edit> {
        let edit = |(field, span, with): Replacement<'_>| Edit::replace(span, with).on(field);
        self.replacements(victim).into_iter().map(edit).collect()
    }

    /// The changed text as a question: its fields, without labels and other columns unless the task needs them.
    pub fn question(&self, victim: &Victim<'_>) -> Sample {
        if victim.with_labels
            && let Ok(applied) = apply(victim.sample, self.edits(victim))
        {
            return applied.sample;
        }
        let mut fields = victim.sample.fields.clone();
        for edits in self.edits(victim).chunk_by(|one, next| one.field == next.field) {
            let field = &mut fields[edits[0].field];
            field.text = Text::from(splice(&field.text, edits));
        }
        Sample { id: victim.sample.id.clone(), fields, ..Sample::default() }
    }

    /// The words `from..to` of one field as they are now, with what stands between them.
    pub fn window(&self, victim: &Victim<'_>, from: usize, to: usize) -> String {
        let (first, last) = (victim.words[from], victim.words[to - 1]);
        let text = &victim.sample.fields[first.field].text;
        let mut out = String::with_capacity(last.span.end - first.span.start + 16);
        let mut done = first.span.start;
        for edit in self.edits(victim) {
            if edit.field == first.field && edit.span.start >= done && edit.span.end <= last.span.end {
                out.push_str(&text[done..edit.span.start]);
                out.push_str(&edit.with);
                done = edit.span.end;
            }
        }
        out.push_str(&text[done..last.span.end]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_edits_of_the_original() {
        let sample = Sample::of_text("1", "A good film, see www.a.org now.");
        let victim = Victim::new(&sample);
        let words: Vec<&str> = (0..victim.words.len()).map(|at| victim.word(at)).collect();
        assert_eq!(words, ["A", "good", "film", "see", "now"], "an address is no word");
        let along = vec![(0, Span::new(0, 1), "An".to_owned())];
        let state = State::default().with(1, Change { along, ..Change::new("old") }).with(3, Change::new(""));
        assert_eq!(state.question(&victim).fields[0].text.as_str(), "An old film, www.a.org now.");
        assert_eq!(state.window(&victim, 1, 3), "old film");
        assert_eq!(state.without(1).question(&victim).fields[0].text.as_str(), "A good film, www.a.org now.");
        assert_eq!(victim.word_from(0, 3), Some(1), "inside `good`");
        assert_eq!(victim.word_from(0, 6), Some(2));
    }
}
