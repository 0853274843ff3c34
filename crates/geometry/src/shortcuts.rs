//! Which words carry a model's decisions over a whole data set, ranked so that shortcuts stand out.
//!
//! A word that the model leans on is no fault: "dull" should count against a film. A *shortcut* is a word whose weight
//! the labels do not earn. So for every word there stand side by side: how strongly it pulls (attribution), how often
//! the label flips when it is replaced (flip rate), how far the labels support it (lift), and how far those of the
//! training file did. The rank is by pull x reach x the unsupported share. If the training file is given, that
//! share is what training suggested beyond what these labels support: a word that never predicted the label, however
//! often it occurs, was not learned as a shortcut.

use std::collections::BTreeMap;

use fissure_core::Dice;
use fissure_models::{Embedded, Input, PullBack, WhiteBox};
use serde::Serialize;

use crate::attribution::{baseline, between};
use crate::substitute::{NamedInput, edited};
use crate::vectors::dot;
use crate::vocabulary::Vocabulary;
use crate::words::{Word, words_of};
use crate::{Error, Result};
use fissure_statistics::{Estimate, pearson, proportion};

/// Points that go through the model together: enough to fill its batches, few enough to hold the gradients of.
const POINTS: usize = 128;

/// What to look at, and how closely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortcutOptions {
    /// Words in fewer texts are left out.
    pub least_support: usize,
    /// The midpoints of the integrated gradients.
    pub midpoints: usize,
    /// The number of strongest words that are tested by replacing them.
    pub tried: usize,
    /// The number of texts in which each of them is replaced.
    pub trials: usize,
    pub seed: u64,
}

impl Default for ShortcutOptions {
    fn default() -> Self {
        Self { least_support: 5, midpoints: 8, tried: 60, trials: 40, seed: 0 }
    }
}

/// A word that carries decisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShortcutWord {
    pub word: String,
    /// The texts it stands in.
    pub support: usize,
    /// What it adds to the logit of each class (the mean over the classes taken off), on average over those texts.
    pub attribution: Vec<f64>,
    /// The class it pulls toward.
    pub toward: usize,
    /// In how many texts it was tried to put a neighbour, or another word, in its place, and the share of those whose
    /// label flipped. `None` for a word that was not tried.
    pub tried: usize,
    pub flip_rate: Option<Estimate>,
    /// How far the labels of these texts support it: 0 if the class it pulls toward is no more frequent with it than
    /// without, 1 if it is always that class, negative where it misleads. `None` without labels.
    pub lift: Option<f64>,
    /// The same of the labels of the training file, and the correlation of its presence there with that class; `None`
    /// where no such file was given, or it has no such word.
    pub training_lift: Option<f64>,
    pub training_correlation: Option<f64>,
    pub rank_score: f64,
}

/// Texts with labels, of the data set or of the training file.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    pub texts: &'a [NamedInput<'a>],
    /// The classes by number; empty if they are not known.
    pub labels: &'a [usize],
}

/// What is known of a word while texts go by.
#[derive(Default)]
pub(crate) struct Tally {
    /// The texts it stands in, by number.
    pub texts: Vec<usize>,
    pub attribution: Vec<f64>,
}

/// The words of a data set, those that carry most without earning it first.
pub fn shortcuts(
    model: &dyn WhiteBox,
    data: Labelled<'_>,
    training: Option<Labelled<'_>>,
    vocabulary: &Vocabulary,
    options: &ShortcutOptions,
) -> Result<Vec<ShortcutWord>> {
    for set in [Some(data), training].into_iter().flatten() {
        if !set.labels.is_empty() && set.labels.len() != set.texts.len() {
            return Err(Error::Labels { inputs: set.texts.len(), labels: set.labels.len() });
        }
    }
    let tallies = tallies(model, data.texts, vocabulary, options.midpoints)?;
    let taught = match training.filter(|training| !training.labels.is_empty()) {
        None => None,
        Some(training) => {
            let words: Vec<&str> = enough(&tallies, options).map(|(word, _)| word.as_str()).collect();
            let presence = presence(model, training.texts, vocabulary, &words)?;
            let presence: BTreeMap<String, Vec<usize>> = words.into_iter().map(str::to_owned).zip(presence).collect();
            Some(move |word: &str| presence.get(word).cloned().unwrap_or_default())
        }
    };
    let mut found = finish(&tallies, data, training, taught, options);
    for shortcut in found.iter_mut().take(options.tried) {
        let texts = &tallies[&shortcut.word].texts;
        try_out(model, shortcut, texts, data.texts, vocabulary, options)?;
    }
    Ok(found)
}

/// The words that stand in enough texts.
fn enough<'t>(
    tallies: &'t BTreeMap<String, Tally>,
    options: &ShortcutOptions,
) -> impl Iterator<Item = (&'t String, &'t Tally)> + use<'t> {
    let least = options.least_support.max(1);
    tallies.iter().filter(move |(_, tally)| tally.texts.len() >= least)
}

/// Ranks words by what is known of them; `taught` says in which training texts a word stands.
pub(crate) fn finish(
    tallies: &BTreeMap<String, Tally>,
    data: Labelled<'_>,
    training: Option<Labelled<'_>>,
    taught: Option<impl Fn(&str) -> Vec<usize>>,
    options: &ShortcutOptions,
) -> Vec<ShortcutWord> {
    let mut found: Vec<ShortcutWord> =
        enough(tallies, options).map(|(word, tally)| shortcut(word, tally, data.labels)).collect();
    if let (Some(training), Some(taught)) = (training, taught) {
        for shortcut in &mut found {
            let texts = taught(&shortcut.word);
            shortcut.training_lift = lift(&texts, training.labels, shortcut.toward);
            shortcut.training_correlation = correlation(&texts, training.labels, shortcut.toward);
        }
    }
    for shortcut in &mut found {
        shortcut.rank_score = rank_score(shortcut, data.texts.len(), training.is_some());
    }
    rank(&mut found);
    found
}

/// The name under which a word is counted: as the vocabulary has it, or as it is written, in lower case.
fn name(vocabulary: &Vocabulary, point: &Embedded, word: &Word, input: &Input<'_>) -> String {
    let known = vocabulary.entry(point, word).map(|entry| vocabulary.text(entry));
    known.unwrap_or_else(|| word.text(input)).to_lowercase()
}

/// Integrated gradients of every centred logit, added up by word.
fn tallies(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    vocabulary: &Vocabulary,
    midpoints: usize,
) -> Result<BTreeMap<String, Tally>> {
    let steps = midpoints.max(1);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let together = (POINTS / steps).max(1);
    for (batch, texts) in texts.chunks(together).enumerate() {
        let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
        let points = model.embed(&inputs)?;
        let starts: Vec<Embedded> = points.iter().map(|point| baseline(model, point)).collect();
        let along = |k: usize| (k as f64 + 0.5) / steps as f64;
        let path: Vec<Embedded> = (starts.iter().zip(&points))
            .flat_map(|(from, to)| (0..steps).map(move |k| between(from, to, along(k))))
            .collect();
        // The centred logits of all classes add up to nothing, so the last needs no gradient of its own.
        let pulled = model.pull_back(&path, &|_, logits| {
            let count = logits.len();
            let centred = |class| (0..count).map(|c| f32::from(u8::from(c == class)) - 1.0 / count as f32).collect();
            (0..count.saturating_sub(1)).map(centred).collect()
        })?;
        for (at, pulled) in pulled.chunks_exact(steps).enumerate() {
            let mut of_text: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for word in words_of(&points[at]) {
                let sums = of_text.entry(name(vocabulary, &points[at], &word, &inputs[at])).or_default();
                add_attribution(sums, &word, &points[at], &starts[at], pulled);
            }
            for (word, sums) in of_text {
                let tally = tallies.entry(word).or_default();
                tally.texts.push(batch * together + at);
                tally.attribution.resize(sums.len(), 0.0);
                tally.attribution.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
            }
        }
    }
    Ok(tallies)
}

/// Adds what a word of one text brings to each centred logit, from the gradients along the path.
fn add_attribution(sums: &mut Vec<f64>, word: &Word, point: &Embedded, from: &Embedded, path: &[PullBack]) {
    for pulled in path {
        sums.resize(pulled.gradients.len() + 1, 0.0);
        for (class, gradient) in pulled.gradients.iter().enumerate() {
            for &at in &word.pieces {
                let along = dot(gradient.row(at), point.rows.row(at)) - dot(gradient.row(at), from.rows.row(at));
                sums[class] += along / path.len() as f64;
                sums[pulled.gradients.len()] -= along / path.len() as f64;
            }
        }
    }
}

fn shortcut(word: &str, tally: &Tally, labels: &[usize]) -> ShortcutWord {
    let support = tally.texts.len();
    let attribution: Vec<f64> = tally.attribution.iter().map(|sum| sum / support as f64).collect();
    let toward = (0..attribution.len())
        .reduce(|best, class| if attribution[class] > attribution[best] { class } else { best })
        .unwrap_or(0);
    ShortcutWord {
        word: word.to_owned(),
        support,
        attribution,
        toward,
        tried: 0,
        flip_rate: None,
        lift: lift(&tally.texts, labels, toward),
        training_lift: None,
        training_correlation: None,
        rank_score: 0.0,
    }
}

/// How far the labels of the texts with a word support that it means the class.
fn lift(texts: &[usize], labels: &[usize], class: usize) -> Option<f64> {
    if labels.is_empty() || texts.is_empty() {
        return None;
    }
    let with = texts.iter().filter(|&&text| labels[text] == class).count() as f64;
    let rate = labels.iter().filter(|&&label| label == class).count() as f64 / labels.len() as f64;
    // One text of the usual mixture keeps a word of five texts from being called a law.
    let here = (with + rate) / (texts.len() as f64 + 1.0);
    Some(if rate < 1.0 { (here - rate) / (1.0 - rate) } else { 0.0 })
}

fn rank_score(shortcut: &ShortcutWord, texts: usize, trained: bool) -> f64 {
    let pull = shortcut.attribution.get(shortcut.toward).copied().unwrap_or(0.0).max(0.0);
    let reach = (shortcut.support as f64 / texts.max(1) as f64).sqrt();
    // A word that training never saw promised nothing.
    let promised = if trained { shortcut.training_lift.unwrap_or(0.0) } else { 1.0 };
    pull * reach * (promised - shortcut.lift.unwrap_or(0.0).max(0.0)).max(0.0)
}

fn rank(shortcuts: &mut [ShortcutWord]) {
    shortcuts.sort_by(|a, b| b.rank_score.total_cmp(&a.rank_score).then_with(|| a.word.cmp(&b.word)));
}

/// Replaces the word everywhere in some of its texts: by one of its neighbours, or by any word if it has none.
fn try_out(
    model: &dyn WhiteBox,
    shortcut: &mut ShortcutWord,
    texts: &[usize],
    all: &[NamedInput<'_>],
    vocabulary: &Vocabulary,
    options: &ShortcutOptions,
) -> Result<()> {
    let mut dice = Dice::new(options.seed, &["shortcuts", &shortcut.word]);
    let chosen: Vec<usize> = dice.choose(texts.len(), options.trials).into_iter().map(|at| texts[at]).collect();
    let inputs: Vec<Input<'_>> = chosen.iter().map(|&text| all[text].input).collect();
    let mut copies = Vec::with_capacity(inputs.len());
    for (input, point) in inputs.iter().zip(model.embed(&inputs)?) {
        let words = words_of(&point);
        let places: Vec<usize> =
            (0..words.len()).filter(|&at| name(vocabulary, &point, &words[at], input) == shortcut.word).collect();
        let entry = places.first().and_then(|&at| vocabulary.entry(&point, &words[at]));
        let near = entry.and_then(|entry| dice.pick(vocabulary.neighbours(entry)).copied());
        let new = near.unwrap_or_else(|| dice.below(vocabulary.len()) as u32);
        copies.push(edited(input, &words, vocabulary, places.into_iter().map(|at| (at, new)).collect()));
    }
    let edited: Vec<Input<'_>> = copies.iter().map(|copy| copy.input()).collect();
    let (before, after) = (model.answer(&inputs)?, model.answer(&edited)?);
    shortcut.tried = chosen.len();
    let flips = before.iter().zip(&after).filter(|(a, b)| a.predicted != b.predicted).count();
    shortcut.flip_rate = proportion(flips, chosen.len());
    Ok(())
}

/// For each word, the texts it stands in.
fn presence(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    vocabulary: &Vocabulary,
    wanted: &[&str],
) -> Result<Vec<Vec<usize>>> {
    let places: BTreeMap<&str, usize> = wanted.iter().enumerate().map(|(at, word)| (*word, at)).collect();
    let mut present: Vec<Vec<usize>> = vec![Vec::new(); wanted.len()];
    for (batch, texts) in texts.chunks(POINTS).enumerate() {
        let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
        for (at, (point, input)) in model.embed(&inputs)?.iter().zip(&inputs).enumerate() {
            let number = batch * POINTS + at;
            for word in words_of(point) {
                if let Some(&place) = places.get(name(vocabulary, point, &word, input).as_str())
                    && present[place].last() != Some(&number)
                {
                    present[place].push(number);
                }
            }
        }
    }
    Ok(present)
}

/// The phi coefficient of standing in these texts and having the class.
fn correlation(texts: &[usize], labels: &[usize], class: usize) -> Option<f64> {
    let mut x = vec![0.0; labels.len()];
    texts.iter().for_each(|&text| x[text] = 1.0);
    let y: Vec<f64> = labels.iter().map(|&label| f64::from(u8::from(label == class))).collect();
    pearson(&x, &y).map(|found| found.r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    #[test]
    fn an_unearned_word_comes_before_an_earned_one() {
        // a and z both pull by 2 toward class 0, and both went with it in training; here the labels follow a alone. m pulls
        // nowhere, b undoes either.
        let mut table = vec![vec![0.0]; 26];
        (table[0], table[25], table[1]) = (vec![2.0], vec![2.0], vec![-2.0]);
        let model = Linear::new(1, vec![0.5, -0.5], vec![-0.5, 0.5]).with_words(table);
        let vocabulary = Vocabulary::from_words(&model, &["a", "z", "b", "m"]).unwrap();
        let texts = ["a m", "a m", "a", "a m", "z m", "z", "z m", "z m", "m b", "m b"];
        let labels = [0, 0, 0, 0, 1, 0, 1, 0, 1, 1];
        let ids: Vec<String> = (0..10).map(|at| at.to_string()).collect();
        let named: Vec<NamedInput<'_>> =
            texts.iter().zip(&ids).map(|(t, id)| NamedInput { id, input: (*t).into() }).collect();
        let data = Labelled { texts: &named, labels: &labels };
        let options = ShortcutOptions { least_support: 2, ..ShortcutOptions::default() };
        let training = Labelled { texts: &named, labels: &[0, 0, 0, 0, 0, 0, 0, 0, 1, 1] };
        let found = shortcuts(&model, data, Some(training), &vocabulary, &options).unwrap();
        assert_eq!(found[0].word, "z");
        // 1/2 * 2 toward class 0, as much away from class 1.
        assert!((found[0].attribution[0] - 1.0).abs() < 1e-6 && (found[0].attribution[1] + 1.0).abs() < 1e-6);
        assert_eq!((found[0].support, found[0].toward, found[0].tried), (4, 0, 4));
        let of = |word: &str| found.iter().find(|shortcut| shortcut.word == word).unwrap();
        assert!(of("a").lift.unwrap() > 0.7 && of("z").lift.unwrap() < 0.1);
        // Four of four and one of the usual mixture (0.8): 0.96, which is 0.8 of the way from 0.8 to 1.
        assert!((of("z").training_lift.unwrap() - 0.8).abs() < 1e-12);
        // phi of presence in four of ten, all among the eight of class 0: (4*2 - 0*4) / sqrt(4*6*8*2).
        assert!((of("a").training_correlation.unwrap() - 8.0 / 384f64.sqrt()).abs() < 1e-12);
        // 1 * sqrt(4/10) * (0.8 - 0); without the training file all of it is unearned.
        assert!((of("z").rank_score - 0.4f64.sqrt() * 0.8).abs() < 1e-6);
        let alone = shortcuts(&model, data, None, &vocabulary, &options).unwrap();
        assert!(alone[0].word == "z" && (alone[0].rank_score - 0.4f64.sqrt()).abs() < 1e-6);
        assert!(of("m").rank_score < 1e-9);
        let wrong = Labelled { texts: &named, labels: &labels[..3] };
        assert!(shortcuts(&model, wrong, None, &vocabulary, &options).is_err());
    }
}
