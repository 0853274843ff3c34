//! Random word substitutions, and the share of them that changes the label.

use fissure_core::{Dice, is_word_character};
use fissure_models::{Answer, Embedded, Input, WhiteBox};
use serde::{Deserialize, Serialize};

use crate::vocabulary::Vocabulary;
use crate::words::{Word, words_of};
use crate::{Error, Result};

/// Edited copies are answered in batches of this many.
const BATCH: usize = 256;

/// Where the new words come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Draw {
    /// Any word of the vocabulary, evenly.
    Random,
    /// One of the nearest words, evenly; a word that is not in the vocabulary stays.
    Neighbours,
}

/// The law of an edit: k = ceil(share * n) of n word positions without replacement, at least one, each given a new word.
/// The share is drawn evenly between the two ends for each copy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EditLaw {
    pub draw: Draw,
    pub least: f64,
    pub most: f64,
}

impl EditLaw {
    /// A tenth of the words, from the whole vocabulary.
    pub const RANDOM: Self = Self { draw: Draw::Random, least: 0.10, most: 0.10 };
    /// A tenth to a fifth of the words, from their neighbours.
    pub const NEIGHBOURS: Self = Self { draw: Draw::Neighbours, least: 0.10, most: 0.20 };

    /// Checked once at the door.
    pub fn new(draw: Draw, least: f64, most: f64) -> Result<Self> {
        for (what, value) in [("the least share of words", least), ("the largest share of words", most)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::Knob { what, value, range: "0 to 1" });
            }
        }
        if least > most {
            return Err(Error::Knob {
                what: "the least share of words",
                value: least,
                range: "0 to the largest share",
            });
        }
        Ok(Self { draw, least, most })
    }

    /// The number of words replaced at a share of `n`. A share of 0.1 of 30 words is 3, whatever binary fractions say.
    pub(crate) fn count(share: f64, n: usize) -> usize {
        ((share * n as f64 - 1e-9).ceil().max(1.0) as usize).min(n)
    }
}

/// An edited copy of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedCopy {
    pub text: String,
    pub pair: Option<String>,
    /// The words replaced (by their place among the words) and the entries of the vocabulary put there.
    pub changes: Vec<(usize, u32)>,
}

impl EditedCopy {
    pub fn input(&self) -> Input<'_> {
        Input { text: &self.text, pair: self.pair.as_deref() }
    }
}

/// `copies` edited copies of one text, none if it has no words.
pub fn edited_copies(
    input: &Input<'_>,
    point: &Embedded,
    vocabulary: &Vocabulary,
    law: &EditLaw,
    copies: usize,
    dice: &mut Dice,
) -> Vec<EditedCopy> {
    let words = words_of(point);
    if words.is_empty() {
        return Vec::new();
    }
    let entries: Vec<Option<u32>> = words.iter().map(|word| vocabulary.entry(point, word)).collect();
    let one = |_| {
        let share = law.least + (law.most - law.least) * dice.unit();
        let mut changes = Vec::new();
        for at in dice.choose(words.len(), EditLaw::count(share, words.len())) {
            let drawn = match law.draw {
                Draw::Random => Some(dice.below(vocabulary.len()) as u32),
                Draw::Neighbours => entries[at].and_then(|entry| dice.pick(vocabulary.neighbours(entry)).copied()),
            };
            changes.extend(drawn.map(|entry| (at, entry)));
        }
        edited(input, &words, vocabulary, changes)
    };
    (0..copies).map(one).collect()
}

/// The text with the given words replaced.
pub(crate) fn edited(
    input: &Input<'_>,
    words: &[Word],
    vocabulary: &Vocabulary,
    changes: Vec<(usize, u32)>,
) -> EditedCopy {
    let field = |field: u8, text: &str| {
        let mut spans: Vec<(&Word, &str)> = changes
            .iter()
            .map(|&(at, entry)| (&words[at], vocabulary.text(entry)))
            .filter(|(word, _)| word.field == field)
            .collect();
        spans.sort_by_key(|(word, _)| word.range.start);
        spliced(text, &spans)
    };
    EditedCopy { text: field(0, input.text), pair: input.pair.map(|pair| field(1, pair)), changes }
}

/// Puts the new words in place. Where a new word would grow together with its surroundings (a word in place of the
/// full stop of "end.Next"), a space keeps them apart. Han characters do not grow together.
fn spliced(text: &str, spans: &[(&Word, &str)]) -> String {
    let joins = |c: char| c.is_alphanumeric() && !is_word_character(c) || c == '\'';
    let mut out = String::with_capacity(text.len() + 16 * spans.len());
    let mut done = 0;
    for (word, new) in spans {
        let (Some(before), Some(after)) = (text.get(done..word.range.start), text.get(word.range.end..)) else {
            continue;
        };
        out.push_str(before);
        if out.ends_with(joins) && new.starts_with(joins) {
            out.push(' ');
        }
        out.push_str(new);
        if new.ends_with(joins) && after.starts_with(joins) {
            out.push(' ');
        }
        done = word.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// A text with the name that owns its chance.
#[derive(Debug, Clone, Copy)]
pub struct NamedInput<'a> {
    pub id: &'a str,
    pub input: Input<'a>,
}

/// How many edited copies changed the label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FlipCount {
    pub flips: usize,
    pub copies: usize,
}

impl FlipCount {
    /// `None` if there was no copy: the text has no words.
    pub fn rate(&self) -> Option<f64> {
        (self.copies > 0).then(|| self.flips as f64 / self.copies as f64)
    }
}

/// p_flip, measured: `copies` edited copies of every text, and how many of them the model labels differently.
pub fn flip_counts(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    vocabulary: &Vocabulary,
    law: &EditLaw,
    copies: usize,
    seed: u64,
) -> Result<Vec<FlipCount>> {
    let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
    let unedited = model.answer(&inputs)?;
    let answers = edited_answers(model, texts, vocabulary, law, copies, seed)?;
    let count = |(before, after): (&Answer, &Vec<usize>)| FlipCount {
        flips: after.iter().filter(|predicted| **predicted != before.predicted).count(),
        copies: after.len(),
    };
    Ok(unedited.iter().zip(&answers).map(count).collect())
}

/// The classes predicted for `copies` edited copies of every text; none for a text without words.
pub fn edited_answers(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    vocabulary: &Vocabulary,
    law: &EditLaw,
    copies: usize,
    seed: u64,
) -> Result<Vec<Vec<usize>>> {
    let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
    let mut answers: Vec<Vec<usize>> = vec![Vec::with_capacity(copies); texts.len()];
    let mut waiting: Vec<(usize, EditedCopy)> = Vec::new();
    for (at, (text, point)) in texts.iter().zip(model.embed(&inputs)?).enumerate() {
        let mut dice = Dice::new(seed, &["p_flip", text.id]);
        let edited = edited_copies(&text.input, &point, vocabulary, law, copies, &mut dice);
        waiting.extend(edited.into_iter().map(|copy| (at, copy)));
        if waiting.len() >= BATCH || at + 1 == texts.len() {
            let batch: Vec<Input<'_>> = waiting.iter().map(|(_, copy)| copy.input()).collect();
            for ((at, _), answer) in waiting.iter().zip(model.answer(&batch)?) {
                answers[*at].push(answer.predicted);
            }
            waiting.clear();
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests;
