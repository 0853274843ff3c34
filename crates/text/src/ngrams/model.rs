//! The estimated model: a trie of n-grams in sorted arrays.

use super::{END, MARKS, START, UNKNOWN};
use crate::lexicon::{LexiconError, Reader, Words, Writer};

/// A language model of some order.
pub struct Model {
    words: Words,
    /// How many kinds of word the unknown word stands for, itself not counted: they share its probability.
    unknown_types: usize,
    levels: Vec<Level>,
}

/// The n-grams of one order, sorted.
#[derive(Default)]
pub struct Level {
    /// The last word of each n-gram.
    last: Vec<u32>,
    log_probability: Vec<f32>,
    /// The weight, as a logarithm, of the shorter context when this n-gram is the context.
    log_backoff: Vec<f32>,
    /// Where the continuations of each n-gram of the order below start here, with one more entry for the end.
    starts: Vec<u32>,
    /// The n-grams themselves while the level is built.
    grams: Vec<Vec<u32>>,
}

/// How many steps of the packed logarithms make 1.
const STEPS: f32 = 16.0;

impl Level {
    pub(super) fn push(&mut self, gram: &[u32], log_probability: f32) {
        self.last.push(gram[gram.len() - 1]);
        self.log_probability.push(log_probability);
        self.log_backoff.push(0.0);
        self.grams.push(gram.to_vec());
    }
}

impl Model {
    pub(super) fn unigrams(words: &[String], unknown_types: usize, probabilities: &[f64]) -> Model {
        let count = probabilities.len() as u32;
        let level = Level {
            last: (0..count).collect(),
            log_probability: probabilities.iter().map(|probability| probability.ln() as f32).collect(),
            log_backoff: vec![0.0; count as usize],
            starts: vec![0, count],
            grams: (0..count).map(|id| vec![id]).collect(),
        };
        let words = with_marks(words.iter().map(String::as_str)).expect("words end where they were put");
        Model { words, unknown_types, levels: vec![level] }
    }

    /// Puts the next order on top. `weights` are those of the contexts, which are n-grams of the order below.
    pub(super) fn extend(&mut self, mut level: Level, weights: &[(Vec<u32>, f64)]) {
        let below = self.levels.last_mut().expect("there are unigrams");
        let mut at = 0;
        for context in &below.grams {
            level.starts.push(at as u32);
            at += level.grams[at..].iter().take_while(|gram| gram.starts_with(context)).count();
        }
        level.starts.push(at as u32);
        debug_assert_eq!(at, level.grams.len(), "every context of a kept n-gram is kept");
        for (context, weight) in weights {
            if let Ok(place) = below.grams.binary_search(context) {
                below.log_backoff[place] = weight.max(f64::from(f32::MIN_POSITIVE)).ln() as f32;
            }
        }
        below.grams = Vec::new();
        self.levels.push(level);
    }

    /// The highest order.
    pub fn order(&self) -> usize {
        self.levels.len()
    }

    /// How many n-grams of each order it has.
    pub fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.last.len()).collect()
    }

    /// The number of a word; [`UNKNOWN`] if it has none.
    pub fn id(&self, word: &str) -> u32 {
        self.words.find(word).filter(|id| *id > END).unwrap_or(UNKNOWN)
    }

    /// The words that the model knows, by number from 3 on.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().skip(MARKS.len())
    }

    /// The natural logarithm of the probability of a word, by number, behind others. Words of the context beyond the
    /// order are not regarded. A particular unknown word has its share of what all unknown words have.
    pub fn log_probability_of(&self, context: &[u32], word: u32) -> f64 {
        let share = if word == UNKNOWN { (self.unknown_types.max(1) as f64).ln() } else { 0.0 };
        self.log_probability_of_mark(context, word) - share
    }

    /// The same, with the unknown word as one word.
    pub(super) fn log_probability_of_mark(&self, context: &[u32], word: u32) -> f64 {
        let mut context = &context[context.len().saturating_sub(self.order() - 1)..];
        let mut log_probability = 0.0;
        loop {
            let (found, depth) = self.walk(context);
            if depth == context.len() {
                if let Some(place) = self.child(context.len(), found, word) {
                    return log_probability + f64::from(self.levels[context.len()].log_probability[place]);
                }
                if !context.is_empty() {
                    log_probability += f64::from(self.levels[depth - 1].log_backoff[found]);
                }
            }
            match context {
                [] => return f64::NEG_INFINITY,
                [_, shorter @ ..] => context = shorter,
            }
        }
    }

    /// The natural logarithm of the probability of a sequence of tokens and its end.
    pub fn log_probability<T: AsRef<str>>(&self, tokens: &[T]) -> f64 {
        let mut ids = vec![START];
        ids.extend(tokens.iter().map(|token| self.id(token.as_ref())));
        ids.push(END);
        (1..ids.len()).map(|at| self.log_probability_of(&ids[..at], ids[at])).sum()
    }

    /// The perplexity of a sequence of tokens, its end counted as one more.
    pub fn perplexity<T: AsRef<str>>(&self, tokens: &[T]) -> f64 {
        (-self.log_probability(tokens) / (tokens.len() + 1) as f64).exp()
    }

    /// The place of the n-gram on its level, as far as the trie has it, and how long that is.
    fn walk(&self, gram: &[u32]) -> (usize, usize) {
        let mut place = 0;
        for (depth, word) in gram.iter().enumerate() {
            match self.child(depth, place, *word) {
                Some(next) => place = next,
                None => return (place, depth),
            }
        }
        (place, gram.len())
    }

    /// The place, on the level of `depth` words more than none, of the n-gram at `parent` with `word` behind it.
    fn child(&self, depth: usize, parent: usize, word: u32) -> Option<usize> {
        let level = self.levels.get(depth)?;
        if depth == 0 {
            return ((word as usize) < level.last.len()).then_some(word as usize);
        }
        let (start, end) = (*level.starts.get(parent)? as usize, *level.starts.get(parent + 1)? as usize);
        level.last.get(start..end)?.binary_search(&word).ok().map(|place| start + place)
    }

    /// The model, packed; logarithms are rounded to 1/16.
    pub fn pack(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.words(&self.words().collect::<Vec<_>>());
        writer.number(self.unknown_types as u64);
        writer.number(self.levels.len() as u64);
        let byte = |value: &f32| (-value * STEPS).round().clamp(0.0, 255.0) as u8;
        for (depth, level) in self.levels.iter().enumerate() {
            if depth > 0 {
                let lengths = level.starts.windows(2).map(|pair| u64::from(pair[1] - pair[0]));
                writer.numbers(lengths.collect::<Vec<_>>().into_iter());
                for pair in level.starts.windows(2) {
                    let mut before = 0;
                    for word in &level.last[pair[0] as usize..pair[1] as usize] {
                        writer.number(u64::from(word - before));
                        before = *word;
                    }
                }
            }
            writer.bytes(&level.log_probability.iter().map(byte).collect::<Vec<_>>());
            if depth + 1 < self.levels.len() {
                writer.bytes(&level.log_backoff.iter().map(byte).collect::<Vec<_>>());
            }
        }
        writer.finish()
    }

    /// Unpacks what [`Model::pack`] gave.
    pub fn read(table: &[u8]) -> Result<Model, LexiconError> {
        let mut reader = Reader::new(table)?;
        let words = with_marks(reader.words()?.iter())
            .ok_or_else(|| reader.damaged("the words are longer than four gigabytes"))?;
        let unknown_types = reader.number32()? as usize;
        let orders = reader.count()?;
        if orders == 0 {
            return Err(reader.damaged("it has no n-grams"));
        }
        let count = words.len() as u32;
        let mut model = Model { words, unknown_types, levels: Vec::new() };
        for depth in 0..orders {
            let below = model.levels.last().map_or(0, |level| level.last.len());
            let mut level = Level::default();
            if depth > 0 {
                let lengths = reader.numbers()?;
                level.starts.reserve(lengths.len() + 1);
                let mut end = 0_u32;
                level.starts.push(end);
                for length in lengths {
                    end = end.checked_add(length).ok_or_else(|| reader.damaged("there are too many n-grams"))?;
                    level.starts.push(end);
                }
                if level.starts.len() != below + 1 {
                    return Err(reader.damaged("the n-grams do not fit the order below"));
                }
                for pair in 1..level.starts.len() {
                    let mut word = 0_u32;
                    for _ in level.starts[pair - 1]..level.starts[pair] {
                        word = word.saturating_add(reader.number32()?);
                        level.last.push(word);
                    }
                }
            } else {
                level.last = (0..count).collect();
                level.starts = vec![0, count];
            }
            let length = level.last.len();
            let log = |byte: &u8| -f32::from(*byte) / STEPS;
            level.log_probability = reader.bytes()?.iter().map(log).collect();
            level.log_backoff =
                if depth + 1 < orders { reader.bytes()?.iter().map(log).collect() } else { vec![0.0; length] };
            if level.log_probability.len() != length || level.log_backoff.len() != length {
                return Err(reader.damaged("not every n-gram has its probability"));
            }
            model.levels.push(level);
        }
        reader.finish()?;
        Ok(model)
    }
}

/// A list of words behind the marks.
fn with_marks<'w>(words: impl Iterator<Item = &'w str>) -> Option<Words> {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for word in MARKS.into_iter().chain(words) {
        text.push_str(word);
        ends.push(u32::try_from(text.len()).ok()?);
    }
    Words::new(text, ends)
}
