//! Parts chained with `+`, and what comes of a sample that goes through them.

use std::sync::Arc;

use crate::trail::{compose_fields, taken_off};
use crate::{
    Amount, Anchor, Card, Catalog, Dice, Draws, Entry, Error, Expectation, Failure, Law, Level, Need, Resources,
    Result, Sample, Settings, Skip, Step, Tag, TaskFacts, Trail, Transform, apply, layer,
};

/// One transformation, or several in a row: `contraction+typos`.
#[derive(Debug)]
pub struct Chain {
    name: String,
    links: Vec<Link>,
    resources: Resources,
}

#[derive(Debug)]
struct Link {
    card: &'static Card,
    part: Box<dyn Transform>,
    knobs: Arc<[(&'static str, String)]>,
}

impl Link {
    /// What the part does to the right answer of a task, as its knobs are set.
    fn expects_on(&self, task: &TaskFacts) -> Expectation {
        let is_set = |knob: &str, value: &str| self.knobs.iter().any(|(name, set)| *name == knob && set == value);
        let promised = self.card.expectation_with.iter().find(|(knob, value, _)| is_set(knob, value));
        promised.map_or_else(|| self.card.expects_on(task), |(_, _, expectation)| *expectation)
    }
}

/// What came of one sample.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Changed(Box<Variant>),
    /// There was nothing to do.
    Unchanged,
    /// It could not be done.
    Skipped(Skip),
    /// It was changed, but the change does not meet a threshold ([`crate::Pipeline`]).
    Filtered(Failure),
}

/// A changed sample, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    pub sample: Sample,
    pub trail: Trail,
    /// The marks on trial, by their index in `sample`; empty for all.
    pub focus: Vec<usize>,
    /// The same marks by their index in the original.
    pub focus_before: Vec<usize>,
}

impl Chain {
    /// Builds `a+b+c` from the catalog. A setting `knob` goes to every part that has such a knob, `part.knob` to one.
    pub fn build(catalog: &Catalog<dyn Transform>, names: &str, settings: &Settings) -> Result<Self> {
        let entries = names.split('+').map(|name| catalog.find(name.trim())).collect::<Result<Vec<_>>>()?;
        Self::of(&entries, settings)
    }

    /// The chain of these parts.
    pub fn of(entries: &[&'static Entry<dyn Transform>], settings: &Settings) -> Result<Self> {
        let mut used = vec![false; settings.len()];
        let mut links = Vec::with_capacity(entries.len());
        for entry in entries {
            let knobs = entry.knobs();
            let mut own = Vec::new();
            for (at, (name, value)) in settings.iter().enumerate() {
                let knob = match name.split_once('.') {
                    Some((part, knob)) if entry.card.is_called(part) => knob,
                    // `part.wrong` must not be taken for a knob of another part, nor fall silent.
                    Some(_) => continue,
                    None if knobs.iter().any(|card| card.name == name)
                        || entry.card.retired.iter().any(|(old, _)| old == name)
                        || entries.len() == 1 =>
                    {
                        name
                    }
                    None => continue,
                };
                used[at] = true;
                own.push((knob.to_owned(), value.clone()));
            }
            let (part, values) = entry.build(&own)?;
            links.push(Link { card: &entry.card, part, knobs: values.into() });
        }
        if let Some(unused) = used.iter().position(|used| !used) {
            let known = entries.iter().flat_map(|entry| entry.knobs()).map(|card| card.name);
            let names: Vec<&str> = entries.iter().map(|entry| entry.card.name).collect();
            return Err(Error::unknown_knob(&names.join("+"), &settings[unused].0, known));
        }
        let name = links.iter().map(|link| link.card.name).collect::<Vec<_>>().join("+");
        Ok(Self { name, links, resources: Resources::default() })
    }

    /// The same chain, with resources for its parts.
    pub fn with(self, resources: Resources) -> Self {
        Self { resources, ..self }
    }

    /// The same chain under the name that tells it from others of the same parts: `prejudice (change=gender)`.
    pub fn called(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The first thing a part of the chain needs and was not given, with the part's name.
    pub fn lacks(&self) -> Option<(&'static str, Need)> {
        self.cards()
            .flat_map(|card| card.needs.iter().map(|need| (card.name, *need)))
            .find(|(_, need)| !self.resources.serve(*need))
    }

    /// The parts' names, joined by `+`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cards of the parts, in order.
    pub fn cards(&self) -> impl Iterator<Item = &'static Card> {
        self.links.iter().map(|link| link.card)
    }

    /// How many words the chain asks for, if it is one part with an amount (`rate`, `min`, `max`).
    pub fn amount(&self) -> Option<Amount> {
        let [link] = &self.links[..] else { return None };
        let knob = |name: &str| link.knobs.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let number = |name: &str| knob(name)?.parse::<usize>().ok();
        Some(Amount { rate: knob("rate")?.parse().ok()?, min: number("min")?, max: number("max")? })
    }

    /// The law by which the chain draws the edits of a sample, if it is one part that has one.
    pub fn law(&self, sample: &Sample, draws: &mut Draws) -> Option<Law> {
        let [link] = &self.links[..] else { return None };
        link.part.law(sample, &self.resources, draws)
    }

    /// What the whole chain does to the right answer of a task.
    pub fn expects_on(&self, task: &TaskFacts) -> Expectation {
        self.links.iter().map(|link| link.expects_on(task)).fold(Expectation::Kept, Expectation::then)
    }

    /// What the change behind a trail did to the right answer of a task: a part that found nothing to do did nothing to it.
    pub fn expects_of(&self, task: &TaskFacts, trail: &Trail) -> Expectation {
        let at_work = trail.steps.iter().filter(|step| step.edits > 0);
        let is_of = |link: &&Link, step: &Step| link.card.name == step.part && link.knobs == step.knobs;
        let links = at_work.filter_map(|step| self.links.iter().find(|link| is_of(link, step)));
        links.map(|link| link.expects_on(task)).fold(Expectation::Kept, Expectation::then)
    }

    /// Sends one sample through the parts. `variant` numbers several outcomes for one sample.
    pub fn run(&self, sample: &Sample, seed: u64, variant: usize) -> Outcome {
        if let Some((part, need)) = self.lacks() {
            return Outcome::Skipped(Skip(format!("{part}: {}", need.advice()).into()));
        }
        let mut trail = Trail { steps: Vec::with_capacity(self.links.len()), ..Trail::default() };
        let mut edits = Vec::new();
        let mut current: Option<Sample> = None;
        let mut skipped = None;
        // Where the marks of the original are now, and which marks are on trial.
        let mut index: Vec<Option<usize>> = (0..sample.marks.len()).map(Some).collect();
        let mut focus: Vec<usize> = Vec::new();
        for (at, link) in self.links.iter().enumerate() {
            let mut dice = Dice::new(seed, &[link.card.name, &sample.id]).fork(variant).fork(at);
            let now = current.as_ref().unwrap_or(sample);
            let proposed = match link.part.propose(now, &mut dice, &self.resources) {
                Ok(proposed) => proposed,
                Err(skip) => {
                    skipped = skipped.or(Some(skip));
                    continue;
                }
            };
            let gone = taken_off(now, &proposed);
            let mut applied = match apply(now, proposed) {
                Ok(applied) => applied,
                // A fault of the part; one bad sample never ends a run.
                Err(bad) => {
                    return Outcome::Skipped(Skip(format!("{} made an unsound edit: {bad}", link.card.name).into()));
                }
            };
            if link.card.expectation == Some(Expectation::Kept) && loses_a_label(now, &applied.sample) {
                skipped = skipped.or(Some(Skip("it would delete words that carry a label".into())));
                continue;
            }
            trail.refused += applied.refused;
            trail.dropped += applied.dropped;
            if applied.refused == 0 {
                trail.labels.extend(gone);
            }
            let brought = applied.edits.iter().filter_map(|edit| edit.labels.as_deref());
            trail.donors.extend(brought.flat_map(|labels| labels.donors.iter().cloned()));
            let step = Step { part: link.card.name, seed, knobs: Arc::clone(&link.knobs), edits: applied.edits.len() };
            trail.steps.push(step);
            if !writes_the_same_word(link.card) {
                forget_forms(now, &mut applied.sample, &applied.index);
            }
            edits = if edits.is_empty() { applied.edits } else { compose_fields(sample, &edits, &applied.edits) };
            for place in &mut index {
                *place = place.and_then(|mark| applied.index[mark]);
            }
            focus = focus.into_iter().filter_map(|mark| applied.index[mark]).chain(applied.focus).collect();
            current = Some(applied.sample);
        }
        edits.retain(|edit| edit.span.of(&sample.fields[edit.field].text) != edit.with);
        let Some(changed) = current else {
            return skipped.map_or(Outcome::Unchanged, Outcome::Skipped);
        };
        trail.record(sample, edits);
        trail.record_labels(sample, &changed, &index);
        // Edits may undo one another: within a part, or one part what another did.
        if changed.fields != sample.fields || !trail.labels.is_empty() {
            let tried = |place: &Option<usize>| place.is_some_and(|mark| focus.contains(&mark));
            trail.record_trial(&changed, &focus);
            let focus_before = (0..index.len()).filter(|at| tried(&index[*at])).collect();
            return Outcome::Changed(Box::new(Variant { sample: changed, trail, focus, focus_before }));
        }
        match skipped {
            Some(skip) => Outcome::Skipped(skip),
            None if trail.refused > 0 => Outcome::Skipped(Skip("every edit would have cut a label".into())),
            None => Outcome::Unchanged,
        }
    }
}

/// Whether what a part writes is the word that was there, with a slip in it.
fn writes_the_same_word(card: &Card) -> bool {
    card.level == Some(Level::Character) || card.tags.contains(&Tag::Slip)
}

/// Takes off tokens that are another word now what held for the old one alone: its lemma and its form are not those of the
/// new word, and what those are is not known. A word in another case is the same word.
fn forget_forms(before: &Sample, after: &mut Sample, index: &[Option<usize>]) {
    for (mark, now) in before.marks.iter().zip(index) {
        let Some(now) = now.filter(|_| mark.layer == layer::TOKEN && !mark.attributes.is_empty()) else { continue };
        let (old, new) = (before.words_of(mark), after.words_of(&after.marks[now]));
        if old != new && old.to_lowercase() != new.to_lowercase() {
            after.marks[now].attributes.retain(|(name, _)| !layer::OF_THE_FORM.contains(&&**name));
        }
    }
}

/// Whether a mark that holds fast is gone.
fn loses_a_label(before: &Sample, after: &Sample) -> bool {
    let count = |sample: &Sample| sample.marks.iter().filter(|mark| mark.anchor == Anchor::Rigid).count();
    count(after) < count(before)
}

#[cfg(test)]
mod tests;
