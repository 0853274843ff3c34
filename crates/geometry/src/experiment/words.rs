//! The papers' qualitative tables: words of high attribution are replaced one at a time and together, in the most fragile
//! and the most robust texts. Does the answer change?

use std::ops::Range;

use fissure_models::{Answer, Input, WhiteBox};
use serde::Serialize;

use crate::{Error, NamedInput, Result, Space, integrated_gradients, survey, words_of};

/// Texts surveyed at a time: their gradients are held only so long.
const BATCH: usize = 256;

/// How much to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordsOptions {
    /// Texts of each end.
    pub texts: usize,
    /// Words of each text, those with the highest attribution.
    pub words: usize,
}

/// What may replace a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// `synonym`, `antonym`, `name`.
    pub kind: &'static str,
    pub with: String,
}

/// A word, or a name of several, and what may replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaceable {
    /// The bytes that are replaced; more than the word's where it is part of a name.
    pub range: Range<usize>,
    /// Its part of speech, as the Penn treebank calls it.
    pub tag: String,
    pub replacements: Vec<Replacement>,
}

/// Says what may replace the word at these bytes of a text; `None` if nothing does.
pub type Offer<'a> = dyn Fn(&str, Range<usize>) -> Option<Replaceable> + 'a;

/// Both ends of a data set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordsReport {
    /// Texts that were surveyed.
    pub texts: usize,
    pub most_fragile: Vec<TriedText>,
    pub most_robust: Vec<TriedText>,
}

/// One text, and what the model says when words of it are replaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TriedText {
    pub id: String,
    /// The number of the text in the data.
    #[serde(skip)]
    pub number: usize,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<String>,
    pub lambda_max: f64,
    /// The answer to the text as it is, and its probability.
    pub predicted: String,
    pub probability: f64,
    /// One word replaced.
    pub alone: Vec<Tried>,
    /// All of them at once, by one kind of replacement.
    pub together: Vec<TriedTogether>,
}

/// A word that was replaced.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Edit {
    /// Whether it is in the second text of a pair.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_pair: bool,
    /// Bytes of that text.
    pub start: usize,
    pub end: usize,
    pub old: String,
    pub new: String,
}

/// One word replaced, and the answer then.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    #[serde(flatten)]
    pub edit: Edit,
    pub tag: String,
    /// The word's share in the probability of the answer, by integrated gradients.
    pub attribution: f64,
    pub kind: &'static str,
    pub predicted: String,
    /// Of the answer to the text as it was.
    pub probability: f64,
    pub changes: bool,
}

/// Several words replaced at once, and the answer then.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TriedTogether {
    pub kind: &'static str,
    pub edits: Vec<Edit>,
    pub predicted: String,
    pub probability: f64,
    pub changes: bool,
}

/// Tries words of the texts with the highest and the lowest lambda_max. Texts in which no word of high attribution can be
/// replaced are passed over. `tick` is called with the number of texts done since.
pub fn words(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    offer: &Offer<'_>,
    options: WordsOptions,
    mut tick: impl FnMut(usize),
) -> Result<WordsReport> {
    let mut order: Vec<(f64, usize)> = Vec::with_capacity(texts.len());
    for (batch, chunk) in texts.chunks(BATCH).enumerate() {
        let inputs: Vec<Input<'_>> = chunk.iter().map(|text| text.input).collect();
        let surveys = survey(model, &model.embed(&inputs)?, Space::Tokens)?;
        let scored =
            surveys.iter().enumerate().map(|(at, survey)| (survey.spectrum.log_lambda_max, batch * BATCH + at));
        order.extend(scored.filter(|(log_lambda, _)| log_lambda.is_finite()));
        tick(chunk.len());
    }
    // The earlier text goes first among equals.
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let one = |(log_lambda, at): &(f64, usize)| one(model, (*at, &texts[*at]), *log_lambda, offer, options.words);
    let mut most_fragile = Vec::new();
    let mut last = order.len();
    while last > 0 && most_fragile.len() < options.texts {
        last -= 1;
        most_fragile.extend(one(&order[last])?);
    }
    let mut most_robust = Vec::new();
    for text in &order[..last] {
        if most_robust.len() == options.texts {
            break;
        }
        most_robust.extend(one(text)?);
    }
    Ok(WordsReport { texts: texts.len(), most_fragile, most_robust })
}

/// One text; `None` if nothing in it can be replaced.
fn one(
    model: &dyn WhiteBox,
    (number, named): (usize, &NamedInput<'_>),
    log_lambda: f64,
    offer: &Offer<'_>,
    most: usize,
) -> Result<Option<TriedText>> {
    let input = named.input;
    let points = model.embed(&[input])?;
    let attribution = integrated_gradients(model, &points, false)?.remove(0);
    let mut ranked: Vec<(f64, u8, Range<usize>)> = (words_of(&points[0]).into_iter())
        .map(|word| (word.pieces.iter().map(|at| attribution.probability[*at]).sum(), word.field, word.range))
        .collect();
    // Words that speak against the answer do not carry it.
    ranked.retain(|(share, ..)| *share > 0.0);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2.start).cmp(&(b.1, b.2.start))));

    let mut chosen: Vec<(f64, u8, Replaceable)> = Vec::new();
    for (share, field, range) in ranked {
        let text = if field == 0 { input.text } else { input.pair.unwrap_or_default() };
        let Some(found) = offer(text, range).filter(|found| !found.replacements.is_empty()) else { continue };
        let clash = |other: &Replaceable| found.range.start < other.range.end && other.range.start < found.range.end;
        if text.get(found.range.clone()).is_none() || chosen.iter().any(|(_, at, other)| *at == field && clash(other)) {
            continue;
        }
        chosen.push((share, field, found));
        if chosen.len() == most {
            break;
        }
    }
    if chosen.is_empty() {
        return Ok(None);
    }

    let edit = |field: u8, range: &Range<usize>, new: &str| {
        let text = if field == 0 { input.text } else { input.pair.unwrap_or_default() };
        let (start, end) = (range.start, range.end);
        Edit { in_pair: field != 0, start, end, old: text[range.clone()].to_owned(), new: new.to_owned() }
    };
    let before = answers(model, &input, &[Vec::new()])?.remove(0);
    let labels = &model.capabilities().labels;
    let name = |class: usize| labels.get(class).cloned().unwrap_or_default();
    let probability = |answer: &Answer| {
        let log_probs = answer.log_probs.as_deref().unwrap_or_default();
        log_probs.get(before.predicted).map_or(f64::NAN, |log| f64::from(*log).exp())
    };

    let mut alone = Vec::new();
    for (share, field, word) in &chosen {
        let edits: Vec<Edit> = word.replacements.iter().map(|by| edit(*field, &word.range, &by.with)).collect();
        let asked: Vec<Vec<Edit>> = edits.iter().map(|edit| vec![edit.clone()]).collect();
        for ((edit, by), answer) in edits.into_iter().zip(&word.replacements).zip(answers(model, &input, &asked)?) {
            alone.push(Tried {
                edit,
                tag: word.tag.clone(),
                attribution: *share,
                kind: by.kind,
                predicted: name(answer.predicted),
                probability: probability(&answer),
                changes: answer.predicted != before.predicted,
            });
        }
    }
    let mut kinds: Vec<&'static str> = Vec::new();
    alone.iter().for_each(|tried| {
        if !kinds.contains(&tried.kind) {
            kinds.push(tried.kind);
        }
    });
    let mut together = Vec::new();
    for kind in kinds {
        // Of each word the first of its kind.
        let first = |(_, field, word): &(f64, u8, Replaceable)| {
            let by = word.replacements.iter().find(|by| by.kind == kind)?;
            Some(edit(*field, &word.range, &by.with))
        };
        let mut edits: Vec<Edit> = chosen.iter().filter_map(first).collect();
        if edits.len() < 2 {
            continue;
        }
        edits.sort_by_key(|edit| (edit.in_pair, edit.start));
        let answer = answers(model, &input, std::slice::from_ref(&edits))?.remove(0);
        let changes = answer.predicted != before.predicted;
        let (predicted, probability) = (name(answer.predicted), probability(&answer));
        together.push(TriedTogether { kind, edits, predicted, probability, changes });
    }
    Ok(Some(TriedText {
        id: named.id.to_owned(),
        number,
        text: input.text.to_owned(),
        pair: input.pair.map(str::to_owned),
        lambda_max: log_lambda.exp(),
        predicted: name(before.predicted),
        probability: probability(&before),
        alone,
        together,
    }))
}

/// The answers to a text after each of these lists of edits, which are in order and do not overlap.
fn answers(model: &dyn WhiteBox, input: &Input<'_>, lists: &[Vec<Edit>]) -> Result<Vec<Answer>> {
    let edited: Vec<(String, Option<String>)> = lists
        .iter()
        .map(|edits| {
            let of = |text: &str, in_pair: bool| {
                let mut new = text.to_owned();
                for edit in edits.iter().rev().filter(|edit| edit.in_pair == in_pair) {
                    new.replace_range(edit.start..edit.end, &edit.new);
                }
                new
            };
            (of(input.text, false), input.pair.map(|pair| of(pair, true)))
        })
        .collect();
    let inputs: Vec<Input<'_>> = edited.iter().map(|(text, pair)| Input { text, pair: pair.as_deref() }).collect();
    model.answer(&inputs).map_err(Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    /// Letters from a = -1.2 to z = 1.3: the second half of the alphabet speaks for class 0.
    fn model() -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![0.1, 0.0])
            .with_words((0..26).map(|k| vec![k as f32 / 10.0 - 1.2]).collect())
    }

    #[test]
    fn words_are_replaced_alone_and_together() {
        let model = model();
        let texts = ["z z", "o c", "y"];
        let named: Vec<NamedInput<'_>> =
            texts.iter().map(|text| NamedInput { id: text, input: (*text).into() }).collect();
        let offer = |_: &str, range: Range<usize>| {
            let by = |kind, with: &str| Replacement { kind, with: with.to_owned() };
            let replacements = vec![by("synonym", "y"), by("antonym", "a")];
            Some(Replaceable { range, tag: "NN".into(), replacements })
        };
        let mut done = 0;
        let options = WordsOptions { texts: 1, words: 5 };
        let found = words(&model, &named, &offer, options, |texts| done += texts).unwrap();
        assert_eq!((found.texts, done), (3, 3));
        // "o c" is nearest to the boundary: 0.2 - 1.0 + ...; "z z" is farthest from it.
        assert_eq!(found.most_fragile[0].id, "o c");
        let robust = &found.most_robust[0];
        assert_eq!((robust.id.as_str(), robust.predicted.as_str()), ("z z", "0"));
        assert_eq!(robust.alone.len(), 4, "two words, two replacements of each");
        assert!(robust.alone.iter().all(|tried| !tried.changes && tried.attribution > 0.0), "{robust:?}");
        let both = |kind: &str| robust.together.iter().find(|tried| tried.kind == kind).unwrap();
        assert!(!both("synonym").changes && both("antonym").changes, "a a is of the other class: {robust:?}");
        assert_eq!(both("antonym").edits.len(), 2);
    }

    #[test]
    fn texts_without_anything_to_replace_are_passed_over() {
        let model = model();
        let named = [NamedInput { id: "1", input: "z".into() }, NamedInput { id: "2", input: "".into() }];
        let options = WordsOptions { texts: 2, words: 5 };
        let found = words(&model, &named, &|_, _| None, options, |_| {}).unwrap();
        assert!(found.most_fragile.is_empty() && found.most_robust.is_empty());
    }
}
