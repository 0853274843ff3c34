//! The decoder: builds a translation phrase by phrase, in any order of the source, and keeps the best of each length.

mod options;
#[cfg(test)]
mod tests;

use fissure_text::ngrams::{END, Model, START};
use hashbrown::HashMap;

use crate::table::Table;
use options::{Choice, Choices};

/// A translator of one label.
pub struct Decoder {
    /// Source words, sorted; their numbers count from 1.
    pub words: Vec<String>,
    pub table: Table,
    pub language: Model,
    /// Target words, by number from 3 on.
    names: Vec<String>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (words, phrases) = (self.words.len(), self.table.len());
        f.debug_struct("Decoder").field("words", &words).field("phrases", &phrases).finish_non_exhaustive()
    }
}

/// How much each feature counts: what Moses starts from before it is tuned. There is nothing to tune for here: no
/// translation is right.
mod weight {
    pub const PHRASES: f32 = 0.2;
    pub const LANGUAGE: f32 = 0.5;
    pub const DISTORTION: f32 = 0.3;
    /// For each word, so that short translations are not preferred.
    pub const WORD: f32 = 1.0;
    pub const PHRASE: f32 = 0.2;
    /// For a word that has no translation and is copied.
    pub const COPIED: f32 = -10.0;
}

/// How far the search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Hypotheses that are kept with the same number of words covered.
    pub beam: usize,
    /// How much worse than the best of them one may be.
    pub gap: f32,
    /// Renderings that are tried of a phrase.
    pub renderings: usize,
    /// How many words may be jumped over.
    pub jump: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { beam: 16, gap: 6.0, renderings: 8, jump: 4 }
    }
}

/// A translation of some of the words.
#[derive(Debug, Clone, Copy)]
struct Hypothesis {
    score: f32,
    /// With what the rest may cost at best.
    outlook: f32,
    /// One bit for each source word that is translated.
    covered: u64,
    /// Where the last phrase ended in the source.
    end: usize,
    /// The last two target words.
    context: [u32; 2],
    /// The hypothesis it was made from, and by which choice; nothing for the empty one.
    before: Option<(usize, usize)>,
}

impl Decoder {
    pub fn new(words: Vec<String>, table: Table, language: Model) -> Self {
        let names = language.words().map(str::to_owned).collect();
        Self { words, table, language, names }
    }

    /// The best translation that is found of at most [`PART`](crate::words::PART) tokens.
    pub fn decode(&self, tokens: &[String]) -> Vec<String> {
        self.search(tokens, Limits::default()).1
    }

    /// The best translation within the limits, with its score.
    pub(crate) fn search(&self, tokens: &[String], limits: Limits) -> (f32, Vec<String>) {
        let choices = Choices::of(self, tokens, limits.renderings);
        let empty =
            Hypothesis { score: 0.0, outlook: choices.rest(0), covered: 0, end: 0, context: [START; 2], before: None };
        let mut all = vec![empty];
        let mut stacks: Vec<Stack> = (0..=tokens.len()).map(|_| Stack::default()).collect();
        stacks[0].add(0, &all);
        for count in 0..tokens.len() {
            let kept = stacks[count].best(&all, limits);
            for from in kept {
                self.extend(from, &choices, limits, &mut all, &mut stacks);
            }
        }
        let last = stacks[tokens.len()].places.iter().copied().max_by(|a, b| {
            // Among equals the first found.
            all[*a].score.total_cmp(&all[*b].score).then(b.cmp(a))
        });
        let Some(last) = last else { return (f32::NEG_INFINITY, Vec::new()) };
        (all[last].score, self.spelled(last, &all, &choices, tokens))
    }

    /// Every way to go on from one hypothesis.
    fn extend(&self, from: usize, choices: &Choices, limits: Limits, all: &mut Vec<Hypothesis>, stacks: &mut [Stack]) {
        let now = all[from];
        let gap = now.covered.trailing_ones() as usize;
        for start in gap..choices.length {
            let jump = start.abs_diff(now.end);
            if jump > limits.jump {
                continue;
            }
            for end in start + 1..=choices.length {
                let own = choices.between(start, end);
                let bits = mask(start, end);
                if now.covered & bits != 0 {
                    break;
                }
                // A gap must be within reach of the next phrase.
                if own.is_empty() || start > gap && end - gap > limits.jump {
                    continue;
                }
                let covered = now.covered | bits;
                let rest = choices.rest(covered);
                let moved = now.score - weight::DISTORTION * jump as f32;
                let stack = &mut stacks[covered.count_ones() as usize];
                for number in own {
                    let choice = &choices.all[*number];
                    // Not worth asking the language model where even its usual answer would not help.
                    if moved + choice.outlook + rest < stack.floor - limits.gap / 2.0 {
                        break;
                    }
                    let (language, context) = self.joins(now.context, choice);
                    let mut score = moved + choice.score + weight::LANGUAGE * language;
                    if covered.count_ones() as usize == choices.length {
                        score += weight::LANGUAGE * self.language.log_probability_of(&context, END) as f32;
                    }
                    let outlook = score + rest;
                    if outlook < stack.floor {
                        continue;
                    }
                    let before = Some((from, *number));
                    all.push(Hypothesis { score, outlook, covered, end, context, before });
                    stack.add(all.len() - 1, all);
                    stack.tidy(all, limits);
                }
            }
        }
    }

    /// How well the words of a choice follow the last two, and the last two then.
    fn joins(&self, before: [u32; 2], choice: &Choice) -> (f32, [u32; 2]) {
        let mut context = before;
        let mut sum = 0.0;
        for (at, word) in choice.target.iter().enumerate() {
            // From the third word on the context lies within the choice, which counted it already.
            if at < 2 {
                sum += self.language.log_probability_of(&context, *word) as f32;
            }
            context = [context[1], *word];
        }
        (sum, context)
    }

    /// The words of a hypothesis, from its first choice to its last.
    fn spelled(&self, last: usize, all: &[Hypothesis], choices: &Choices, tokens: &[String]) -> Vec<String> {
        let mut way = Vec::new();
        let mut at = last;
        while let Some((before, choice)) = all[at].before {
            way.push(choice);
            at = before;
        }
        let mut words = Vec::new();
        for choice in way.into_iter().rev().map(|number| &choices.all[number]) {
            match choice.copied {
                Some(token) => words.push(tokens[token].clone()),
                None => words.extend(choice.target.iter().map(|word| self.name(*word))),
            }
        }
        words
    }

    fn name(&self, word: u32) -> String {
        word.checked_sub(END + 1).and_then(|at| self.names.get(at as usize)).cloned().unwrap_or_default()
    }
}

/// The bits of source words `start..end`.
fn mask(start: usize, end: usize) -> u64 {
    ((1 << (end - start)) - 1) << start
}

/// Hypotheses with the same number of words covered.
#[derive(Debug)]
struct Stack {
    places: Vec<usize>,
    /// Hypotheses with the same future: only the best of them is kept.
    alike: HashMap<(u64, usize, [u32; 2]), usize>,
    /// The outlook below which nothing is kept.
    floor: f32,
}

impl Default for Stack {
    fn default() -> Self {
        Self { places: Vec::new(), alike: HashMap::new(), floor: f32::NEG_INFINITY }
    }
}

impl Stack {
    fn add(&mut self, place: usize, all: &[Hypothesis]) {
        let new = &all[place];
        let slot = *self.alike.entry((new.covered, new.end, new.context)).or_insert(self.places.len());
        match self.places.get_mut(slot) {
            None => self.places.push(place),
            Some(known) if new.score > all[*known].score => *known = place,
            Some(_) => {}
        }
    }

    /// Cuts the stack to the beam when it has grown to twice that.
    fn tidy(&mut self, all: &[Hypothesis], limits: Limits) {
        if self.places.len() < 2 * limits.beam {
            return;
        }
        self.places = self.best(all, limits);
        self.alike.clear();
        for (slot, place) in self.places.iter().enumerate() {
            let kept = &all[*place];
            self.alike.insert((kept.covered, kept.end, kept.context), slot);
        }
        self.floor = self.places.last().map_or(f32::NEG_INFINITY, |worst| all[*worst].outlook);
    }

    /// Those within the beam, the best first; among equals, the first found.
    fn best(&self, all: &[Hypothesis], limits: Limits) -> Vec<usize> {
        let mut places = self.places.clone();
        places.sort_unstable_by(|a, b| all[*b].outlook.total_cmp(&all[*a].outlook).then(a.cmp(b)));
        let best = places.first().map_or(0.0, |best| all[*best].outlook);
        places.truncate(limits.beam);
        places.retain(|place| all[*place].outlook >= best - limits.gap);
        places
    }
}
