//! The state of an attack on one text: what searches see and what they have found.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use fissure_core::{Dice, Place, Sample};
use fissure_text::{Analysis, analyse};
use hashbrown::HashSet;

use crate::lines::{Lines, Towards};
use crate::{Attack, AttackResources, Certificate, Change, Questions, Result, State, Verdict, Victim};

/// Why a search without any candidate has found nothing. It has proved nothing either: there was nothing to try.
pub const NO_CANDIDATE: &str = "no candidate";

/// An attack on one text.
pub struct Attempt<'a> {
    pub victim: Victim<'a>,
    /// The right class.
    pub gold: usize,
    pub attack: &'a Attack,
    pub questions: Questions<'a>,
    /// What the model says about the original.
    pub first: Verdict,
    pub seed: u64,
    /// The class that a targeted attack wants.
    pub target: Option<usize>,
    found: Option<(State, Verdict)>,
    /// The texts that brought the goal nearer, if somebody wants to follow: the state, what the model says, the questions by
    /// then, and the texts tried since the one before.
    pub(crate) steps: Option<Vec<(State, Verdict, usize, usize)>>,
    /// The best score so far, and the texts tried since.
    climbed: (f64, usize),
    pub(crate) backward: Cell<usize>,
    /// What was proved if nothing reaches the goal.
    pub certificate: Option<Certificate>,
    /// Why a search could neither find nor prove anything.
    pub open: Option<&'static str>,
    /// Which words may be changed, and how many.
    may: OnceCell<Vec<bool>>,
    most: OnceCell<usize>,
    /// What the sources offer for words of the original, if they look at nothing else.
    offered: RefCell<HashMap<usize, Rc<[Change]>>>,
    /// The lines at the text that was looked at last.
    lines: RefCell<Option<(State, Rc<Lines>)>>,
    /// What the parts of the catalog list for this text, for each source that asked.
    listed: RefCell<HashMap<String, Rc<Vec<Vec<Change>>>>>,
    /// The analysis of each field of the original.
    analyses: Vec<OnceLock<Arc<Analysis>>>,
}

impl<'a> Attempt<'a> {
    pub fn new(
        sample: &'a Sample,
        gold: usize,
        attack: &'a Attack,
        questions: Questions<'a>,
        first: Verdict,
        (seed, target): (u64, Option<usize>),
    ) -> Self {
        let victim = match &attack.resources.given {
            None => Victim::new(sample),
            Some(given) => {
                let text = sample.fields.first().map_or("", |field| field.text.as_str());
                let sound =
                    given.of(&sample.id).iter().map(|(span, _)| *span).filter(|span| text.get(span.range()).is_some());
                Victim::of_places(sample, sound)
            }
        };
        let victim = if questions.answers_otherwise() { victim.with_labels() } else { victim };
        Self {
            victim,
            gold,
            attack,
            questions,
            first,
            seed,
            target,
            found: None,
            steps: None,
            climbed: (f64::NEG_INFINITY, 0),
            backward: Cell::new(0),
            certificate: None,
            open: None,
            may: OnceCell::new(),
            most: OnceCell::new(),
            offered: RefCell::default(),
            lines: RefCell::default(),
            listed: RefCell::default(),
            analyses: sample.fields.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    pub fn resources(&self) -> &'a AttackResources {
        &self.attack.resources
    }

    /// Chance that belongs to the attack, the text and whatever the numbers name.
    pub fn dice(&self, what: &str, numbers: &[usize]) -> Dice {
        let dice = Dice::new(self.seed, &[&self.attack.recipe, &self.victim.sample.id, what]);
        numbers.iter().fold(dice, |dice, number| dice.fork(*number))
    }

    /// The analysis of a field of the original.
    pub fn analysis(&self, field: usize) -> &Analysis {
        self.analyses[field].get_or_init(|| self.victim.sample.fields[field].text.remember(analyse))
    }

    /// The words that may be changed, in order.
    pub fn open_words(&self) -> Vec<usize> {
        (0..self.victim.words.len()).filter(|at| self.may_change(*at)).collect()
    }

    pub fn may_change(&self, word: usize) -> bool {
        let holds = |at: usize| self.attack.constraints.iter().all(|constraint| constraint.part.word(self, at));
        self.may.get_or_init(|| (0..self.victim.words.len()).map(holds).collect())[word]
    }

    /// The lines at a text, drawn once.
    pub(crate) fn lines(&self, state: &State, towards: Towards) -> Result<Rc<Lines>> {
        if let Some((known, lines)) = &*self.lines.borrow()
            && known == state
            && lines.have(towards)
        {
            return Ok(Rc::clone(lines));
        }
        let lines = Rc::new(Lines::of(self, state, towards)?);
        *self.lines.borrow_mut() = Some((state.clone(), Rc::clone(&lines)));
        Ok(lines)
    }

    /// The texts that one more changed word makes of this one, in the order of candidates, without those that the constraints
    /// forbid.
    pub fn candidates(&self, state: &State, word: usize) -> Vec<State> {
        if state.get(word).is_some() && self.attack.changes_once() {
            return Vec::new();
        }
        if state.get(word).is_none() && state.len() >= self.most() {
            return Vec::new();
        }
        let changes = self.changes(state, word);
        let changes = changes.iter().map(|change| state.with(word, change.clone()));
        changes.filter(|new| self.allows(new, Some(word))).collect()
    }

    /// What the sources offer for a word, each once, whatever the constraints say.
    pub fn changes(&self, state: &State, word: usize) -> Rc<[Change]> {
        // The same words are offered at every step of a search, unless they depend on the rest of the text.
        if state.get(word).is_some() || self.attack.sources.iter().any(|source| source.part.looks_around()) {
            return self.listed_changes(state, word).into();
        }
        if let Some(known) = self.offered.borrow().get(&word) {
            return Rc::clone(known);
        }
        let offered: Rc<[Change]> = self.listed_changes(state, word).into();
        self.offered.borrow_mut().insert(word, Rc::clone(&offered));
        offered
    }

    fn listed_changes(&self, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&self.victim, word);
        if let Some(given) = &self.resources().given {
            let places = given.of(&self.victim.sample.id);
            let here = places.iter().filter(|(span, _)| *span == self.victim.words[word].span);
            let words = here.flat_map(|(_, words)| words).filter(|new| ***new != *now);
            return words.map(|new| Change::new(&**new)).collect();
        }
        let mut seen = HashSet::new();
        let mut changes = Vec::new();
        let language = self.victim.sample.fields[self.victim.words[word].field].text.language();
        for source in self.attack.sources.iter().filter(|source| self.attack.knows(&*source.part, language)) {
            for change in source.part.changes(self, state, word) {
                if (*change.with != *now || !change.along.is_empty()) && seen.insert(change.clone()) {
                    changes.push(change);
                }
            }
        }
        changes
    }

    /// The most words that may be changed.
    pub fn most(&self) -> usize {
        let all = || self.attack.constraints.iter().map(|constraint| constraint.part.most(self));
        *self.most.get_or_init(|| all().min().unwrap_or(usize::MAX))
    }

    /// Whether the constraints allow a text; `changed` is the word that is new, or all of them are looked at.
    pub fn allows(&self, state: &State, changed: Option<usize>) -> bool {
        state.len() <= self.most()
            && (changed.is_some() || state.words().all(|word| self.may_change(word)))
            && self.attack.constraints.iter().all(|constraint| constraint.part.text(self, state, changed))
    }

    /// Asks about texts that the constraints allow, and keeps the best of those that reach the goal. The scores, in order;
    /// none for a text that the budget did not reach.
    pub fn attack(&mut self, states: &[State]) -> Result<Vec<Option<f64>>> {
        let verdicts = self.ask(states)?;
        let mut scores = Vec::with_capacity(states.len());
        let mut best: Option<(f64, usize)> = None;
        for (at, verdict) in verdicts.iter().enumerate() {
            let score = verdict.as_ref().map(|verdict| self.score(&states[at], verdict));
            if let (Some(verdict), Some(score)) = (verdict, score)
                && self.attack.goal.reached(self, &states[at], verdict)
            {
                // Of several, the one that is most like the original if an encoder can say so.
                let rank = self.likeness(&states[at]).unwrap_or(score);
                if best.is_none_or(|(known, _)| rank > known) {
                    best = Some((rank, at));
                }
            }
            scores.push(score);
        }
        self.follow(states, &verdicts, &scores);
        if let Some((_, at)) = best
            && let Some(verdict) = verdicts[at].clone()
            && (self.found.is_none() || self.attack.goal.goes_on())
        {
            self.found = Some((states[at].clone(), verdict));
        }
        Ok(scores)
    }

    /// Notes the best of some texts, if it comes nearer to the goal than any before.
    fn follow(&mut self, states: &[State], verdicts: &[Option<Verdict>], scores: &[Option<f64>]) {
        let first = self.first_score();
        let Some(steps) = &mut self.steps else { return };
        let (best, tried) = (self.climbed.0.max(first), self.climbed.1 + states.len());
        self.climbed.1 = tried;
        let known = scores.iter().enumerate().filter_map(|(at, score)| Some((at, (*score)?)));
        let Some((at, score)) = known.reduce(|a, b| if b.1 > a.1 { b } else { a }) else { return };
        if score > best
            && let Some(verdict) = &verdicts[at]
        {
            steps.push((states[at].clone(), verdict.clone(), self.questions.counts.questions, tried));
            self.climbed = (score, 0);
        }
    }

    /// Asks about texts that need not hold the constraints: how much a word counts. They are never what is found.
    pub fn probe(&mut self, texts: &[State]) -> Result<Vec<Option<f64>>> {
        let verdicts = self.ask(texts)?;
        Ok(texts.iter().zip(verdicts).map(|(text, verdict)| Some(self.score(text, &verdict?))).collect())
    }

    pub fn ask(&mut self, states: &[State]) -> Result<Vec<Option<Verdict>>> {
        self.questions.ask_states(&self.victim, states)
    }

    pub fn score(&self, state: &State, verdict: &Verdict) -> f64 {
        self.attack.goal.score(self, state, verdict)
    }

    /// The score of the original.
    pub fn first_score(&self) -> f64 {
        self.score(&State::default(), &self.first)
    }

    /// Whether the search is over: something was found, or nothing more can be asked.
    pub fn is_over(&self) -> bool {
        (self.found.is_some() && !self.attack.goal.goes_on()) || self.questions.left() == 0
    }

    pub fn found(&self) -> Option<&(State, Verdict)> {
        self.found.as_ref()
    }

    pub fn keep(&mut self, found: Option<(State, Verdict)>) {
        self.found = found;
    }

    /// How alike a text is to the original, if an encoder was given.
    fn likeness(&self, state: &State) -> Option<f64> {
        let encoder = self.resources().for_parts.similarity.as_ref()?;
        let new = state.question(&self.victim);
        let fields = self.victim.sample.fields.iter().zip(&new.fields);
        let changed = fields.filter(|(old, new)| old.text != new.text);
        changed
            .map(|(old, new)| encoder.cosine(&old.text, &new.text).ok())
            .try_fold(1.0, |worst: f64, cosine| Some(worst.min(cosine?)))
    }

    /// What a part of the catalog, with its knobs as `name` says, lists for each word; worked out once.
    pub(crate) fn listed(&self, name: &str, list: impl FnOnce() -> Option<Vec<Place>>) -> Rc<Vec<Vec<Change>>> {
        if let Some(known) = self.listed.borrow().get(name) {
            return Rc::clone(known);
        }
        let made = Rc::new(by_word(&self.victim, &list().unwrap_or_default()));
        self.listed.borrow_mut().insert(name.to_owned(), Rc::clone(&made));
        made
    }
}

/// Places of the catalog's parts as changes of words. A place that is no word (an insertion, several words) belongs to the
/// word that it holds or that follows it.
pub(crate) fn by_word(victim: &Victim<'_>, places: &[Place]) -> Vec<Vec<Change>> {
    let mut changes = vec![Vec::new(); victim.words.len()];
    for place in places {
        let Some(word) = victim.word_from(place.field, place.span.start) else { continue };
        let is_word = victim.words[word].span == place.span;
        for candidate in &place.candidates {
            let mut along: Vec<_> =
                candidate.along.iter().map(|edit| (edit.field, edit.span, edit.with.clone())).collect();
            let with = if is_word {
                candidate.with.as_str()
            } else {
                along.push((place.field, place.span, candidate.with.clone()));
                victim.word(word)
            };
            changes[word].push(Change { with: with.into(), along });
        }
    }
    changes
}
