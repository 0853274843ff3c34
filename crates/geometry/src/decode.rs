//! e_max in words: the substitutions that move a text farthest along its most fragile direction, tried on the model.

use fissure_models::{Embedded, Input, WhiteBox};
use serde::Serialize;

use crate::Result;
use crate::confidence::Confidence;
use crate::substitute::edited;
use crate::survey::Survey;
use crate::vectors::{add_to, dot};
use crate::vocabulary::{Vocabulary, mean_row};
use crate::words::words_of;

/// A word may appear so often in the list, so that one word does not fill it.
const MOST_PER_WORD: usize = 3;

/// Which words may stand in for a word.
#[derive(Debug, Clone, Copy)]
pub enum Candidates<'a> {
    /// Any.
    Vocabulary,
    /// Its nearest words.
    Neighbours,
    /// The given entries (synonyms, names, ...), a list for each entry of the vocabulary.
    Listed(&'a [Vec<u32>]),
}

/// A substitution of one word, and what the model says to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Substitution {
    /// The place among the words of the text, and the bytes it covers in it (or in its pair).
    pub word: usize,
    pub start: usize,
    pub end: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_pair: bool,
    pub from: String,
    pub to: String,
    /// How far the substitution moves the text along e_max. Positive: away from the predicted class.
    pub projection: f64,
    /// The class predicted afterwards, and whether it is another.
    pub predicted: String,
    pub flips: bool,
    /// The change of the log-probability of the class predicted before.
    pub log_prob_change: f64,
}

/// The `top` substitutions with the largest projection on e_max, largest first. The survey must be of
/// [`Space::Tokens`](crate::Space::Tokens).
pub fn decode(
    model: &dyn WhiteBox,
    input: &Input<'_>,
    point: &Embedded,
    survey: &Survey,
    vocabulary: &Vocabulary,
    candidates: Candidates<'_>,
    top: usize,
) -> Result<Vec<Substitution>> {
    let words = words_of(point);
    let mut found: Vec<(f64, usize, u32)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let own = vocabulary.entry(point, word);
        let entries: Vec<u32> = match candidates {
            Candidates::Vocabulary => (0..vocabulary.len() as u32).collect(),
            Candidates::Neighbours => own.map_or_else(Vec::new, |entry| vocabulary.neighbours(entry).to_vec()),
            Candidates::Listed(lists) => own.and_then(|entry| lists.get(entry as usize)).cloned().unwrap_or_default(),
        };
        let mut along = vec![0.0; point.rows.width];
        word.pieces.iter().for_each(|&piece| add_to(&mut along, survey.spectrum.e_max.row(piece)));
        let here = dot(&along, &mean_row(point, word));
        let mut best: Vec<(f64, usize, u32)> = entries
            .into_iter()
            .filter(|&entry| own != Some(entry) && (entry as usize) < vocabulary.len())
            .map(|entry| (dot(&along, vocabulary.row(entry)) - here, at, entry))
            .collect();
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        best.truncate(MOST_PER_WORD);
        found.extend(best);
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    found.truncate(top);
    let copies: Vec<_> =
        found.iter().map(|&(_, at, entry)| edited(input, &words, vocabulary, vec![(at, entry)])).collect();
    let inputs: Vec<Input<'_>> = copies.iter().map(|copy| copy.input()).collect();
    let logits = model.logits_at(&model.embed(&inputs)?)?;
    let before = &survey.confidence;
    let verified = |(&(projection, at, entry), logits): (&(f64, usize, u32), &Vec<f32>)| {
        let after = Confidence::from_logits(0, logits)?;
        Ok(Substitution {
            word: at,
            start: words[at].range.start,
            end: words[at].range.end,
            in_pair: words[at].field != 0,
            from: words[at].text(input).to_owned(),
            to: vocabulary.text(entry).to_owned(),
            projection,
            predicted: model.capabilities().labels[after.predicted].clone(),
            flips: after.predicted != before.predicted,
            log_prob_change: after.log_probs[before.predicted] - before.log_probs[before.predicted],
        })
    };
    found.iter().zip(&logits).map(verified).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;
    use crate::{Space, survey};

    #[test]
    fn the_strongest_words_come_first_and_flips_are_real() {
        // Letters a..e are 2, 1, 0, -1, -5; the label is the sign of the sum, so e_max points down.
        let table = [2.0, 1.0, 0.0, -1.0, -5.0].map(|value| vec![value]).to_vec();
        let model = Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words(table);
        let vocabulary = Vocabulary::of(&model).unwrap();
        let input = Input::from("a b!");
        let point = model.embed(&[input]).unwrap().remove(0);
        let survey = &survey(&model, std::slice::from_ref(&point), Space::Tokens).unwrap()[0];
        let found = decode(&model, &input, &point, survey, &vocabulary, Candidates::Vocabulary, 4).unwrap();
        let steps: Vec<(&str, &str, bool)> = found.iter().map(|s| (s.from.as_str(), s.to.as_str(), s.flips)).collect();
        // a -> e moves by 7 / sqrt(2), b -> e by 6, a -> d by 3 (sum 0: a tie, kept), b -> d by 2 and a -> c by 2.
        assert_eq!(steps, [("a", "e", true), ("b", "e", true), ("a", "d", false), ("a", "c", false)]);
        assert!((found[0].projection - 7.0 / 2f64.sqrt()).abs() < 1e-6);
        assert_eq!((found[0].start, found[0].end, found[0].predicted.as_str()), (0, 1, "1"));
        assert!(found[0].log_prob_change < found[2].log_prob_change);
        let listed = Candidates::Listed(&[vec![3, 0]]);
        let given = decode(&model, &input, &point, survey, &vocabulary, listed, 9).unwrap();
        assert_eq!(given.len(), 1);
        assert_eq!((given[0].from.as_str(), given[0].to.as_str()), ("a", "d"));
    }
}
