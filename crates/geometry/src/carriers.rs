//! Which words carry a model's decisions over a whole data set, ranked so that shortcuts stand out.
//!
//! A word that the model leans on is no fault: "dull" should count against a film. A *shortcut* is a word whose weight
//! the labels do not earn. So for every word there stand side by side: how strongly it pulls (attribution), how often
//! the label turns when it is replaced (flip rate), and how far the labels bear it out (lift). The rank is by
//! pull x reach x what is not borne out.

use std::collections::BTreeMap;

use fissure_core::Dice;
use fissure_models::{Embedded, Input, WhiteBox};
use serde::Serialize;

use crate::attribution::{baseline, between};
use crate::substitute::{Named, edited};
use crate::vectors::dot;
use crate::vocabulary::Vocabulary;
use crate::words::words_of;
use crate::{Error, Result};
use fissure_statistics::{Estimate, pearson, proportion};

/// What to look at, and how closely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CarrierOptions {
    /// Words in fewer texts are left out.
    pub least_support: usize,
    /// The midpoints of the integrated gradients.
    pub midpoints: usize,
    /// So many of the strongest words are tried out by replacing them,
    pub tried: usize,
    /// in so many texts each.
    pub trials: usize,
    pub seed: u64,
}

impl Default for CarrierOptions {
    fn default() -> Self {
        Self { least_support: 5, midpoints: 8, tried: 60, trials: 40, seed: 0 }
    }
}

/// A word that carries decisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Carrier {
    pub word: String,
    /// The texts it stands in.
    pub support: usize,
    /// What it adds to the logit of each class (the mean over the classes taken off), on average over those texts.
    pub attribution: Vec<f64>,
    /// The class it pulls toward.
    pub toward: usize,
    /// In how many texts it was tried to put a neighbour, or another word, in its place, and the share of those whose
    /// label turned. `None` for a word that was not tried.
    pub tried: usize,
    pub flip_rate: Option<Estimate>,
    /// How far the labels of these texts bear it out: 0 where the class it pulls toward is no more frequent with it than
    /// without, 1 where it is always that class, negative where it misleads. `None` without labels.
    pub lift: Option<f64>,
    /// The correlation of its presence with that class in the training file; `None` where none was given.
    pub training_correlation: Option<f64>,
    pub rank_score: f64,
}

/// Texts with labels, of the data set or of the training file.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    pub texts: &'a [Named<'a>],
    /// The classes by number; empty where they are not known.
    pub labels: &'a [usize],
}

/// What is known of a word while texts go by.
#[derive(Default)]
struct Tally {
    /// The texts it stands in, by number.
    texts: Vec<usize>,
    attribution: Vec<f64>,
}

/// The words of a data set, those that carry most without earning it first.
pub fn carriers(
    model: &dyn WhiteBox,
    data: Labelled<'_>,
    training: Option<Labelled<'_>>,
    vocabulary: &Vocabulary,
    options: &CarrierOptions,
) -> Result<Vec<Carrier>> {
    for set in [Some(data), training].into_iter().flatten() {
        if !set.labels.is_empty() && set.labels.len() != set.texts.len() {
            return Err(Error::Labels { inputs: set.texts.len(), labels: set.labels.len() });
        }
    }
    let classes = model.offers().labels.len();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (number, text) in data.texts.iter().enumerate() {
        tally(model, number, &text.input, vocabulary, options.midpoints, &mut tallies)?;
    }
    let mut found: Vec<Carrier> = tallies
        .iter()
        .filter(|(_, tally)| tally.texts.len() >= options.least_support.max(1))
        .map(|(word, tally)| carrier(word, tally, data, classes))
        .collect();
    rank(&mut found);
    for carrier in found.iter_mut().take(options.tried) {
        let texts = &tallies[&carrier.word].texts;
        try_out(model, carrier, texts, data.texts, vocabulary, options)?;
    }
    if let Some(training) = training.filter(|training| !training.labels.is_empty()) {
        let presence = presence(model, training.texts, vocabulary, &found)?;
        for (carrier, present) in found.iter_mut().zip(presence) {
            carrier.training_correlation = correlation(&present, training.labels, carrier.toward);
        }
    }
    Ok(found)
}

/// The name under which a word is counted: as the vocabulary has it, or as it is written, in small letters.
fn name(vocabulary: &Vocabulary, point: &Embedded, word: &crate::Word, input: &Input<'_>) -> String {
    let known = vocabulary.entry(point, word).map(|entry| vocabulary.text(entry));
    known.unwrap_or_else(|| word.text(input)).to_lowercase()
}

/// Integrated gradients of every centred logit, added up by word.
fn tally(
    model: &dyn WhiteBox,
    number: usize,
    input: &Input<'_>,
    vocabulary: &Vocabulary,
    midpoints: usize,
    tallies: &mut BTreeMap<String, Tally>,
) -> Result<()> {
    let point = model.embed(&[*input])?.remove(0);
    let from = baseline(model, &point);
    let steps = midpoints.max(1);
    let path: Vec<Embedded> = (0..steps).map(|k| between(&from, &point, (k as f64 + 0.5) / steps as f64)).collect();
    let pulled = model.pull_back(&path, &|_, logits| {
        let count = logits.len();
        let centred = |class| (0..count).map(|c| f32::from(u8::from(c == class)) - 1.0 / count as f32).collect();
        (0..count).map(centred).collect()
    })?;
    let mut of_text: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for word in words_of(&point) {
        let sums = of_text.entry(name(vocabulary, &point, &word, input)).or_default();
        for pulled in &pulled {
            sums.resize(pulled.gradients.len(), 0.0);
            for (sum, gradient) in sums.iter_mut().zip(&pulled.gradients) {
                for &at in &word.pieces {
                    let along = dot(gradient.row(at), point.rows.row(at)) - dot(gradient.row(at), from.rows.row(at));
                    *sum += along / steps as f64;
                }
            }
        }
    }
    for (word, sums) in of_text {
        let tally = tallies.entry(word).or_default();
        tally.texts.push(number);
        tally.attribution.resize(sums.len(), 0.0);
        tally.attribution.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
    Ok(())
}

fn carrier(word: &str, tally: &Tally, data: Labelled<'_>, classes: usize) -> Carrier {
    let support = tally.texts.len();
    let attribution: Vec<f64> = tally.attribution.iter().map(|sum| sum / support as f64).collect();
    let toward = (0..classes.min(attribution.len()))
        .reduce(|best, class| if attribution[class] > attribution[best] { class } else { best })
        .unwrap_or(0);
    let lift = (!data.labels.is_empty()).then(|| {
        let with = tally.texts.iter().filter(|&&text| data.labels[text] == toward).count() as f64;
        let all = data.labels.iter().filter(|&&label| label == toward).count() as f64;
        let rate = all / data.labels.len() as f64;
        // Half a text each way keeps a word of five texts from being called a law.
        let here = (with + rate) / (support as f64 + 1.0);
        if rate < 1.0 { (here - rate) / (1.0 - rate) } else { 0.0 }
    });
    let pull = attribution.get(toward).copied().unwrap_or(0.0).max(0.0);
    let reach = (support as f64 / data.texts.len() as f64).sqrt();
    let rank_score = pull * reach * (1.0 - lift.unwrap_or(0.0).clamp(0.0, 1.0));
    Carrier {
        word: word.to_owned(),
        support,
        attribution,
        toward,
        tried: 0,
        flip_rate: None,
        lift,
        training_correlation: None,
        rank_score,
    }
}

fn rank(carriers: &mut [Carrier]) {
    carriers.sort_by(|a, b| b.rank_score.total_cmp(&a.rank_score).then_with(|| a.word.cmp(&b.word)));
}

/// Replaces the word everywhere in some of its texts: by one of its neighbours, or by any word where it has none.
fn try_out(
    model: &dyn WhiteBox,
    carrier: &mut Carrier,
    texts: &[usize],
    all: &[Named<'_>],
    vocabulary: &Vocabulary,
    options: &CarrierOptions,
) -> Result<()> {
    let mut dice = Dice::new(options.seed, &["carriers", &carrier.word]);
    let chosen: Vec<usize> = dice.choose(texts.len(), options.trials).into_iter().map(|at| texts[at]).collect();
    let inputs: Vec<Input<'_>> = chosen.iter().map(|&text| all[text].input).collect();
    let mut copies = Vec::with_capacity(inputs.len());
    for (input, point) in inputs.iter().zip(model.embed(&inputs)?) {
        let words = words_of(&point);
        let places: Vec<usize> =
            (0..words.len()).filter(|&at| name(vocabulary, &point, &words[at], input) == carrier.word).collect();
        let entry = places.first().and_then(|&at| vocabulary.entry(&point, &words[at]));
        let near = entry.and_then(|entry| dice.pick(vocabulary.neighbours(entry)).copied());
        let new = near.unwrap_or_else(|| dice.below(vocabulary.len()) as u32);
        copies.push(edited(input, &words, vocabulary, places.into_iter().map(|at| (at, new)).collect()));
    }
    let edited: Vec<Input<'_>> = copies.iter().map(|copy| copy.input()).collect();
    let (before, after) = (model.answer(&inputs)?, model.answer(&edited)?);
    carrier.tried = chosen.len();
    let flips = before.iter().zip(&after).filter(|(a, b)| a.predicted != b.predicted).count();
    carrier.flip_rate = proportion(flips, chosen.len());
    Ok(())
}

/// For each carrier, which of the texts it stands in.
fn presence(
    model: &dyn WhiteBox,
    texts: &[Named<'_>],
    vocabulary: &Vocabulary,
    carriers: &[Carrier],
) -> Result<Vec<Vec<bool>>> {
    let places: BTreeMap<&str, usize> = carriers.iter().enumerate().map(|(at, c)| (c.word.as_str(), at)).collect();
    let mut present = vec![vec![false; texts.len()]; carriers.len()];
    for (number, text) in texts.iter().enumerate() {
        let point = model.embed(&[text.input])?.remove(0);
        for word in words_of(&point) {
            if let Some(&at) = places.get(name(vocabulary, &point, &word, &text.input).as_str()) {
                present[at][number] = true;
            }
        }
    }
    Ok(present)
}

/// The phi coefficient of presence and class.
fn correlation(present: &[bool], labels: &[usize], class: usize) -> Option<f64> {
    let number = |yes: bool| f64::from(u8::from(yes));
    let x: Vec<f64> = present.iter().map(|&yes| number(yes)).collect();
    let y: Vec<f64> = labels.iter().map(|&label| number(label == class)).collect();
    pearson(&x, &y).map(|found| found.r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    #[test]
    fn an_unearned_word_comes_before_an_earned_one() {
        // a and z both pull by 2 toward class 0, m pulls nowhere; the labels follow a alone. b undoes either.
        let mut table = vec![vec![0.0]; 26];
        (table[0], table[25], table[1]) = (vec![2.0], vec![2.0], vec![-2.0]);
        let model = Linear::new(1, vec![0.5, -0.5], vec![-0.5, 0.5]).with_words(table);
        let vocabulary = Vocabulary::from_words(&model, &["a", "z", "b", "m"]).unwrap();
        let texts = ["a m", "a m", "a", "a m", "z m", "z", "z m", "z m", "m b", "m b"];
        let labels = [0, 0, 0, 0, 1, 0, 1, 0, 1, 1];
        let ids: Vec<String> = (0..10).map(|at| at.to_string()).collect();
        let named: Vec<Named<'_>> = texts.iter().zip(&ids).map(|(t, id)| Named { id, input: (*t).into() }).collect();
        let data = Labelled { texts: &named, labels: &labels };
        let options = CarrierOptions { least_support: 2, ..CarrierOptions::default() };
        let found = carriers(&model, data, Some(data), &vocabulary, &options).unwrap();
        assert_eq!(found[0].word, "z");
        // 1/2 * 2 toward class 0, as much away from class 1.
        assert!((found[0].attribution[0] - 1.0).abs() < 1e-6 && (found[0].attribution[1] + 1.0).abs() < 1e-6);
        assert_eq!((found[0].support, found[0].toward, found[0].tried), (4, 0, 4));
        let of = |word: &str| found.iter().find(|carrier| carrier.word == word).unwrap();
        assert!(of("a").lift.unwrap() > 0.7 && of("z").lift.unwrap() < 0.1);
        // phi of presence in the first four of ten and label 0: (4*4 - 0*2) / sqrt(4*6*6*4).
        assert!((of("a").training_correlation.unwrap() - 16.0 / 24.0).abs() < 1e-12);
        assert!(of("m").rank_score < 1e-9);
        let wrong = Labelled { texts: &named, labels: &labels[..3] };
        assert!(carriers(&model, wrong, None, &vocabulary, &options).is_err());
    }
}
