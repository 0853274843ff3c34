//! Asking the model: every text once, and no more often than the budget allows.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use fissure_ask::{Response, input};
use fissure_core::Sample;
use fissure_models::kernels::log_softmax;
use fissure_models::{Bag, ReadText, Reading, Recurrent, Saved, WhiteBox, Windows};
use fissure_tasks::metrics::Metric;
use hashbrown::hash_map::Entry;
use hashbrown::{DefaultHashBuilder, HashMap};
use serde::{Deserialize, Serialize};

use crate::text::Replacement;
use crate::{Error, Result, State, Target, Victim};

/// What the model says about a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The class, in the order of the model's labels.
    pub predicted: usize,
    pub log_probs: Arc<[f32]>,
    /// The answer itself, if it is no class.
    pub output: Option<Output>,
}

/// An answer that is no class: tags, a text, a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub response: Arc<Response>,
    /// How good it is by each metric of the task, the first first; from 0 to 1.
    pub scores: Arc<[(&'static str, f64)]>,
    /// Whether it is wholly right.
    pub right: bool,
}

impl Output {
    /// How good it is by a metric; by the task's first if the name is empty.
    pub fn score(&self, metric: &str) -> Option<f64> {
        let mut scores = self.scores.iter();
        let found = scores.find(|(name, _)| metric.is_empty() || name.eq_ignore_ascii_case(metric));
        found.map(|(_, score)| *score)
    }

    /// The words of an answer that is a text, in lower case.
    pub fn words(&self) -> Vec<String> {
        match &*self.response {
            Response::Answer(Some(text)) => text.split_whitespace().map(str::to_lowercase).collect(),
            _ => Vec::new(),
        }
    }
}

impl Verdict {
    pub fn of_class(predicted: usize, log_probs: impl Into<Arc<[f32]>>) -> Self {
        Self { predicted, log_probs: log_probs.into(), output: None }
    }

    pub fn probability(&self, class: usize) -> f64 {
        self.log_probs.get(class).map_or(0.0, |log| f64::from(*log).exp().min(1.0))
    }

    /// By how much the best other class beats `class`, in nats; negative while `class` leads.
    pub fn lead_over(&self, class: usize) -> f64 {
        let others = self.log_probs.iter().enumerate().filter(|(other, _)| *other != class);
        let best = others.map(|(_, log)| f64::from(*log)).fold(f64::NEG_INFINITY, f64::max);
        best - self.log_probs.get(class).map_or(f64::NEG_INFINITY, |log| f64::from(*log))
    }
}

/// What an attack on one text has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Different texts that the model was asked about, the original included.
    pub questions: usize,
    /// The same with repetitions, and with the last check of a text that was found: what a model is asked in all.
    pub asked: usize,
    /// Different inputs as the model reads them; only for models on this machine.
    pub inputs: usize,
    /// Backward passes.
    pub backward: usize,
}

/// Stands for a text, or for what a model reads of it: 128 bits of hashes with seeds of their own. Thousands of questions about a long
/// text, kept in full, took tens of megabytes; that two of them share a fingerprint will not happen.
type Fingerprint = [u64; 2];

/// Saving the windows of a text pays for itself from this many texts like it on.
const WORTH_SAVING: usize = 4;

/// The questions of an attack on one text.
pub struct Questions<'m> {
    target: &'m Target<'m>,
    budget: usize,
    /// Where the answer is, by the bytes of all fields; and by what the model reads.
    known: HashMap<Fingerprint, usize>,
    read: HashMap<Fingerprint, usize>,
    hashers: [DefaultHashBuilder; 2],
    said: Vec<Option<Verdict>>,
    /// Room for a changed text.
    spliced: String,
    /// The windows of the text under attack, and of the text that the last ones were like which were not read from it.
    saved_original: Option<Saved>,
    saved: Option<Saved>,
    /// The text under attack with its words, so that those made of it are read from what differs.
    original: Option<Rc<ReadText>>,
    pub counts: Counts,
    /// What was wrong with the first text that the model could not answer.
    pub(crate) refusal: Option<String>,
}

impl<'m> Questions<'m> {
    pub fn new(target: &'m Target<'m>, budget: usize) -> Self {
        Self {
            target,
            budget,
            known: HashMap::new(),
            read: HashMap::new(),
            hashers: Default::default(),
            said: Vec::new(),
            spliced: String::new(),
            saved_original: None,
            saved: None,
            original: None,
            counts: Counts::default(),
            refusal: None,
        }
    }

    pub fn labels(&self) -> &'m [String] {
        self.target.labels()
    }

    pub fn inside(&self) -> Option<&'m dyn WhiteBox> {
        self.target.model.inside()
    }

    /// The model as a sum over features, if it is one.
    pub fn bag(&self) -> Option<&'m Bag<'m>> {
        self.target.bag.as_ref()
    }

    /// The model as maxima over windows, if it is that.
    pub fn windows(&self) -> Option<&'m Windows<'m>> {
        self.target.windows.as_ref()
    }

    /// The model as states that words move on, if it is that.
    pub fn recurrent(&self) -> Option<&'m Recurrent<'m>> {
        self.target.recurrent.as_ref()
    }

    /// The words of letters in the model's vocabulary, each with its row.
    pub fn vocabulary(&self) -> &'m [(String, Vec<f32>)] {
        self.target.vocabulary()
    }

    /// Whether the model is known to have a lower-case word in its vocabulary.
    pub fn knows(&self, word: &str) -> bool {
        self.target.words.contains(word)
    }

    /// How many questions are left.
    pub fn left(&self) -> usize {
        self.budget - self.counts.questions.min(self.budget)
    }

    /// Asks about texts in one call. `None` for a text that the budget does not reach, in their order, and for one that the
    /// model could not answer.
    pub fn ask(&mut self, texts: &[Sample]) -> Result<Vec<Option<Verdict>>> {
        let keys: Vec<Fingerprint> = texts.iter().map(|text| self.whole(text)).collect();
        self.ask_new(keys, &|at| Cow::Borrowed(&texts[at]), &|_| None)
    }

    /// The same about texts that are made of one original, the same in every call. They are written out as samples only if the model
    /// has to be asked in full.
    pub(crate) fn ask_states(&mut self, victim: &Victim<'_>, states: &[State]) -> Result<Vec<Option<Verdict>>> {
        if victim.with_labels {
            return self.ask(&states.iter().map(|state| state.question(victim)).collect::<Vec<_>>());
        }
        let fields = &victim.sample.fields;
        let changes: Vec<Vec<Replacement<'_>>> = states.iter().map(|state| state.replacements(victim)).collect();
        let keys: Vec<Fingerprint> = changes.iter().map(|changes| self.differing(victim.sample, changes)).collect();
        let original = match (&self.original, self.target.stretches, fields.as_slice()) {
            (Some(original), ..) => Some(Rc::clone(original)),
            (None, Some(stretches), [one]) => Some(Rc::new(stretches.read(&one.text))),
            _ => None,
        };
        self.original.clone_from(&original);
        let reading = |at: usize| {
            let edits: Vec<_> = changes[at].iter().map(|(_, span, with)| (span.range(), *with)).collect();
            self.target.stretches?.reading(original.as_ref()?, &edits)
        };
        self.ask_new(keys, &|at| Cow::Owned(states[at].question(victim)), &reading)
    }

    /// Asks about texts by their keys; what they are and what the model reads of them is worked out only for those that are new.
    fn ask_new<'t>(
        &mut self,
        keys: Vec<Fingerprint>,
        sample: &dyn Fn(usize) -> Cow<'t, Sample>,
        reading: &dyn Fn(usize) -> Option<Reading>,
    ) -> Result<Vec<Option<Verdict>>> {
        let (mut places, mut new) = (Vec::new(), Vec::new());
        for (at, fingerprint) in keys.into_iter().enumerate() {
            let left = self.left() > 0;
            let place = match self.known.entry(fingerprint) {
                Entry::Occupied(known) => Some(*known.get()),
                Entry::Vacant(unknown) if left => {
                    self.counts.questions += 1;
                    new.push((at, self.said.len()));
                    self.said.push(None);
                    Some(*unknown.insert(self.said.len() - 1))
                }
                Entry::Vacant(_) => None,
            };
            self.counts.asked += usize::from(place.is_some());
            places.push(place);
        }
        self.answer(&new, sample, reading)?;
        Ok(places.iter().map(|place| self.said[(*place)?].clone()).collect())
    }

    /// Asks about a text whatever is known and left: the last check of a text that was found. It is counted in `asked`, and not among the
    /// questions of the search, which has asked about this text already.
    pub fn ask_afresh(&mut self, text: &Sample) -> Result<Option<Verdict>> {
        self.counts.asked += 1;
        Ok(self.respond(&[text])?.pop().flatten())
    }

    /// Answers texts, from the model or from a text that reads alike: of each its number and the place of its answer.
    fn answer<'t>(
        &mut self,
        new: &[(usize, usize)],
        sample: &dyn Fn(usize) -> Cow<'t, Sample>,
        reading: &dyn Fn(usize) -> Option<Reading>,
    ) -> Result<()> {
        let Some(inside) = self.inside().filter(|_| !new.is_empty()) else { return self.answer_in_full(new, sample) };
        let readings: Option<Vec<Reading>> = new.iter().map(|(at, _)| reading(*at)).collect();
        let readings = match readings {
            Some(readings) => readings,
            None => {
                let samples: Vec<Cow<'_, Sample>> = new.iter().map(|(at, _)| sample(*at)).collect();
                let ids = inside.readings(&samples.iter().map(|sample| input(sample)).collect::<Vec<_>>())?;
                ids.into_iter().map(|ids| Reading { ids, runs: Vec::new() }).collect()
            }
        };
        let mut fresh: Vec<(usize, &Reading)> = Vec::new();
        let mut alike: Vec<(usize, usize)> = Vec::new();
        for (number, reading) in readings.iter().enumerate() {
            let place = new[number].1;
            let fingerprint = self.fingerprint(&reading.ids);
            match self.read.entry(fingerprint) {
                Entry::Occupied(known) => alike.push((place, *known.get())),
                Entry::Vacant(unknown) => {
                    unknown.insert(place);
                    fresh.push((number, reading));
                }
            }
        }
        self.counts.inputs += fresh.len();
        // What the parts of a small model say is enough for the search; what it finds, the model is asked about in full.
        let mut in_full: Vec<(usize, usize)> = Vec::new();
        for (done, (number, reading)) in fresh.iter().enumerate() {
            match self.answer_from_parts(reading, fresh.len() - done) {
                Some(verdict) => self.said[new[*number].1] = Some(verdict),
                None => in_full.push(new[*number]),
            }
        }
        self.answer_in_full(&in_full, sample)?;
        for (place, known) in alike {
            self.said[place] = self.said[known].clone();
        }
        Ok(())
    }

    fn fingerprint(&self, of: &(impl Hash + ?Sized)) -> Fingerprint {
        self.hashers.each_ref().map(|hasher| hasher.hash_one(of))
    }

    /// Stands for the texts of all fields.
    fn whole(&self, text: &Sample) -> Fingerprint {
        self.fingerprint(&text.fields.iter().map(|field| field.text.as_str()).collect::<Vec<_>>())
    }

    /// The same for a text that is made of the original: by where the two differ and what stands there, whatever edits say so.
    fn differing(&mut self, original: &Sample, changes: &[Replacement<'_>]) -> Fingerprint {
        let mut new = std::mem::take(&mut self.spliced);
        let mut differences =
            Differences { hashers: self.hashers.each_ref().map(BuildHasher::build_hasher), any: false };
        for of_field in changes.chunk_by(|one, next| one.0 == next.0) {
            differences.add(of_field[0].0, &original.fields[of_field[0].0].text, of_field, &mut new);
        }
        self.spliced = new;
        if differences.any { differences.hashers.map(|hasher| hasher.finish()) } else { self.whole(original) }
    }

    fn answer_in_full<'t>(&mut self, new: &[(usize, usize)], sample: &dyn Fn(usize) -> Cow<'t, Sample>) -> Result<()> {
        let samples: Vec<Cow<'_, Sample>> = new.iter().map(|(at, _)| sample(*at)).collect();
        let answers = self.respond(&samples.iter().map(|sample| &**sample).collect::<Vec<_>>())?;
        for ((_, place), verdict) in new.iter().zip(answers) {
            self.said[*place] = verdict;
        }
        Ok(())
    }

    /// The answer of a model that is a sum of parts: a mean over features, or maxima over windows, of which only those are
    /// looked at that differ from the text before. It depends on the text alone, but for the last digit it need not be what the
    /// model says. `waiting` texts, this one included, are still to be answered.
    fn answer_from_parts(&mut self, Reading { ids, runs }: &Reading, waiting: usize) -> Option<Verdict> {
        let logits = match (&self.target.bag, &self.target.windows, &self.original, self.target.stretches) {
            (Some(bag), ..) => mean_of_features(bag, ids),
            (None, Some(windows), Some(original), Some(stretches)) if !runs.is_empty() => {
                let save = || windows.save(&stretches.reading(original, &[]).unwrap_or_default().ids);
                windows.logits_among(self.saved_original.get_or_insert_with(save), ids, runs)
            }
            (None, Some(windows), ..) => {
                let near = self.saved.as_ref().filter(|saved| 4 * saved.distance(ids) <= ids.len());
                // A text that differs in many words is kept if enough come next: they will be like it.
                let saved = match near {
                    Some(saved) => Some(saved),
                    None if waiting >= WORTH_SAVING => Some(&*self.saved.insert(windows.save(ids))),
                    None => None,
                };
                saved.map_or_else(|| windows.logits_alone(ids), |saved| windows.logits(saved, ids))
            }
            (None, None, ..) => return None,
        };
        let predicted = (0..logits.len()).reduce(|best, c| if logits[c] > logits[best] { c } else { best })?;
        let finite = logits.iter().all(|logit| logit.is_finite());
        finite.then(|| Verdict::of_class(predicted, log_softmax(&logits)))
    }

    fn respond(&mut self, texts: &[&Sample]) -> Result<Vec<Option<Verdict>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.target.model.respond(texts).map_err(|gone| Error::Unavailable(gone.0))?;
        if self.refusal.is_none() {
            self.refusal = answers.iter().find_map(|answer| answer.as_ref().err().cloned());
        }
        if self.target.answers_otherwise() {
            return Ok(texts.iter().zip(answers).map(|(text, answer)| self.judged(text, answer.ok()?)).collect());
        }
        let verdict = |answer| match answer {
            Ok(Response::Class { label, log_probs: Some(log_probs), .. }) => {
                let predicted = self.labels().iter().position(|known| *known == label);
                Ok(predicted.map(|predicted| Verdict::of_class(predicted, log_probs)))
            }
            Ok(_) => Err(Error::NoProbabilities),
            // One text that cannot be answered does not end the attack.
            Err(_) => Ok(None),
        };
        answers.into_iter().map(verdict).collect()
    }
}

impl Questions<'_> {
    /// An answer that is no class, beside the labels of the text; nothing if they do not fit together.
    fn judged(&self, text: &Sample, response: Response) -> Option<Verdict> {
        let metrics = &self.target.metrics;
        let tally = |metric: &dyn Metric| metric.tally(text, &response);
        let scores = metrics.iter().filter_map(|metric| Some((metric.name(), metric.value(&tally(&**metric)?)?)));
        let scores: Arc<[(&'static str, f64)]> = scores.collect();
        let right = metrics.first().is_some_and(|metric| tally(&**metric).is_some_and(|tally| metric.right(&tally)));
        let output = Output { response: Arc::new(response), scores, right };
        Some(Verdict { output: Some(output), ..Verdict::of_class(0, []) })
    }

    /// Whether the answers are no classes.
    pub fn answers_otherwise(&self) -> bool {
        self.target.answers_otherwise()
    }
}

fn mean_of_features(bag: &Bag<'_>, reading: &[u32]) -> Vec<f32> {
    let mut sums = vec![0.0; bag.classes()];
    for feature in reading {
        sums.iter_mut().zip(bag.logits(*feature)).for_each(|(sum, logit)| *sum += logit);
    }
    sums.iter_mut().for_each(|sum| *sum /= reading.len().max(1) as f32);
    sums
}

/// The stretches of fields where a text differs from another, hashed as they are found.
struct Differences<H> {
    hashers: [H; 2],
    any: bool,
}

impl<H: Hasher> Differences<H> {
    /// Adds the stretch of one field, as short as it can be: what both texts begin with, and end with behind that, is left out. `new` is
    /// room for the changed text.
    fn add(&mut self, field: usize, old: &str, changes: &[Replacement<'_>], new: &mut String) {
        new.clear();
        let mut done = 0;
        for (_, span, with) in changes {
            new.push_str(&old[done..span.start]);
            new.push_str(with);
            done = span.end;
        }
        new.push_str(&old[done..]);
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let same = |(one, other): &(&u8, &u8)| one == other;
        // What stands before the first change and behind the last is the same without a look.
        let first = changes.first().map_or(0, |(_, span, _)| span.start);
        let start = first + old[first..].iter().zip(&new[first..]).take_while(same).count();
        let most = old.len().min(new.len()) - start;
        let behind = (old.len() - done).min(most);
        let rest = old[..old.len() - behind].iter().rev().zip(new[..new.len() - behind].iter().rev());
        let end = behind + rest.take(most - behind).take_while(same).count();
        if start + end == old.len() && start + end == new.len() {
            return;
        }
        self.any = true;
        for hasher in &mut self.hashers {
            (field, start, end).hash(hasher);
            new[start..new.len() - end].hash(hasher);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;

    use fissure_core::Span;
    use proptest::prelude::*;

    use super::*;

    /// The text that replacements make, and what stands for it.
    fn made(old: &str, changes: &[Replacement<'_>]) -> (String, Option<[u64; 2]>) {
        let mut new = String::new();
        let mut differences = Differences { hashers: [DefaultHasher::new(), DefaultHasher::new()], any: false };
        differences.add(0, old, changes, &mut new);
        (new, differences.any.then(|| differences.hashers.map(|hasher| hasher.finish())))
    }

    proptest! {
        #[test]
        fn the_same_text_is_the_same_however_it_was_made(
            old in "[ab\u{e9}]{0,6}",
            cuts in proptest::collection::vec(((0..7_usize, 0..3_usize, "[ab\u{e9}]{0,2}"), (0..7_usize, 0..3_usize, "[ab\u{e9}]{0,2}")), 2),
        ) {
            let of = |(first, second): &((usize, usize, String), (usize, usize, String))| {
                let place = |(start, length, _): &(usize, usize, String)| {
                    let start = old.ceil_char_boundary((*start).min(old.len()));
                    Span::new(start, old.ceil_char_boundary((start + length).min(old.len())))
                };
                let mut changes = vec![(0, place(first), first.2.as_str())];
                if place(second).start >= place(first).end {
                    changes.push((0, place(second), second.2.as_str()));
                }
                made(&old, &changes)
            };
            let (one, other) = (of(&cuts[0]), of(&cuts[1]));
            prop_assert_eq!(one.0 == other.0, one.1 == other.1, "{:?} {:?}", &one.0, &other.0);
            prop_assert_eq!(one.0 == old, one.1.is_none());
        }
    }
}
