//! Models without gradients: what their answers alone say about an example, and about the words.
//!
//! A word counts as much as the answer changes when it is left out. What needs gradients is not finite in an [`ExampleScore`].

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fissure_core::is_word_character;
use fissure_models::{Answer, Input, Model};
use serde::{Deserialize, Serialize};

use crate::confidence::Confidence;
use crate::score::ExampleScore;
use crate::shortcuts::{Labelled, ShortcutOptions, ShortcutWord, Tally, finish};
use crate::substitute::NamedInput;
use crate::words::Word;
use crate::{Error, Result};
use fissure_statistics::proportion;

/// How many changed forms of an example a run tried, and how many of them flipped the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flips {
    pub changed: usize,
    pub turned: usize,
}

impl Flips {
    /// `None` if nothing was tried.
    pub fn share(&self) -> Option<f64> {
        (self.changed > 0).then(|| self.turned as f64 / self.changed as f64)
    }
}

impl Confidence {
    /// What an answer says; without probabilities every one of them is "not a number".
    pub fn from_answer(answer: &Answer, classes: usize) -> Self {
        let log_probs = match &answer.log_probs {
            Some(log_probs) => log_probs.iter().map(|log| f64::from(*log)).collect(),
            None => vec![f64::NAN; classes],
        };
        Self { predicted: answer.predicted, log_probs }
    }
}

impl ExampleScore {
    /// The row of an answer, with nothing that needs gradients.
    pub fn of_answer(id: &str, label: Option<&str>, labels: &[String], answer: &Answer) -> Self {
        let confidence = Confidence::from_answer(answer, labels.len());
        let known = answer.log_probs.is_some();
        Self {
            id: id.to_owned(),
            predicted: labels.get(answer.predicted).cloned().unwrap_or_default(),
            label: label.map(str::to_owned),
            uncertainty: confidence.uncertainty(),
            margin: if known { confidence.margin() } else { f64::NAN },
            entropy: confidence.entropy(),
            log_probs: confidence.log_probs,
            lambda_max: f64::NAN,
            log_lambda_max: f64::NAN,
            lambda_scale_free: f64::NAN,
            eigenvalues: Vec::new(),
            distance: f64::NAN,
            flip_forecast: None,
            flip_t: None,
            flip_mean: None,
            flip_spread: None,
            flips: None,
            eta: None,
            ig_prob_gap: None,
            truncated: answer.truncated,
            tokens: None,
            words: None,
            parts: None,
            substitutions: None,
        }
    }
}

/// A word with what leaving it out does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    pub text: String,
    /// Bytes into the user's text, or into its pair.
    pub start: usize,
    pub end: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_pair: bool,
    /// How much the probability of the answer falls without the word; `None` for models that give labels only.
    pub fall: Option<f64>,
    /// Whether the answer changes.
    pub flips: bool,
}

/// The words of a text as they are written: letters and digits, with apostrophes and hyphens between them, and single Han
/// characters.
pub fn written_words(input: &Input<'_>) -> Vec<Word> {
    let texts = [Some(input.text), input.pair];
    let of = |(field, text): (usize, &str)| -> Vec<Word> {
        ranges(text)
            .into_iter()
            .map(|range| Word { field: field as u8, range, pieces: Vec::new(), features: Vec::new() })
            .collect()
    };
    texts.into_iter().enumerate().filter_map(|(field, text)| Some((field, text?))).flat_map(of).collect()
}

fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut letters = text.char_indices().peekable();
    let mut open = false;
    while let Some((at, letter)) = letters.next() {
        let end = at + letter.len_utf8();
        let joins =
            matches!(letter, '\'' | '’' | '-') && letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        match found.last_mut() {
            _ if is_word_character(letter) => found.push(at..end),
            Some(word) if open && word.end == at && (letter.is_alphanumeric() || joins) => word.end = end,
            _ if letter.is_alphanumeric() => found.push(at..end),
            _ => {}
        }
        // Nothing is joined to a Han character.
        open = !is_word_character(letter);
    }
    found
}

/// A text with some of its words left out, and the space before each.
fn without(text: &str, words: &[Range<usize>]) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut done = 0;
    for word in words {
        shorter.push_str(text[done..word.start].trim_end());
        done = word.end;
    }
    shorter + &text[done..]
}

/// What the model answers without each of these groups of words; `None` if it gives no answer.
fn answers_without(model: &dyn Model, input: &Input<'_>, groups: &[Vec<&Word>]) -> Result<Vec<Option<Answer>>> {
    let mut shorter: Vec<(String, Option<String>)> = Vec::with_capacity(groups.len());
    for group in groups {
        let of = |field: u8, text: &str| {
            let ranges: Vec<Range<usize>> =
                group.iter().filter(|word| word.field == field).map(|word| word.range.clone()).collect();
            without(text, &ranges)
        };
        shorter.push((of(0, input.text), input.pair.map(|pair| of(1, pair))));
    }
    let inputs: Vec<Input<'_>> = shorter.iter().map(|(text, pair)| Input { text, pair: pair.as_deref() }).collect();
    Ok(model.try_answer(&inputs)?.into_iter().map(std::result::Result::ok).collect())
}

/// Leaves out every word of a text, one at a time: one question for each. A question without an answer leaves its word out
/// of the list.
pub fn leave_one_out(model: &dyn Model, input: &Input<'_>, whole: &Answer) -> Result<Vec<LeftOut>> {
    let words = written_words(input);
    let groups: Vec<Vec<&Word>> = words.iter().map(|word| vec![word]).collect();
    let answers = answers_without(model, input, &groups)?;
    let probability = |answer: &Answer| Some(f64::from(*answer.log_probs.as_ref()?.get(whole.predicted)?).exp());
    let left = |(word, answer): (&Word, Option<Answer>)| {
        let answer = answer?;
        Some(LeftOut {
            text: word.text(input).to_owned(),
            start: word.range.start,
            end: word.range.end,
            in_pair: word.field != 0,
            fall: probability(whole).zip(probability(&answer)).map(|(before, after)| before - after),
            flips: answer.predicted != whole.predicted,
        })
    };
    Ok(words.iter().zip(answers).filter_map(left).collect())
}

/// The words that carry the decisions of a model without gradients, as [`shortcuts`](crate::shortcuts) finds them for others:
/// a word adds what the logits lose when it is left out of a text. With labels only it adds 1 to the answer that is lost,
/// and takes 1 from the one that comes.
pub fn black_box_shortcuts(
    model: &dyn Model,
    data: Labelled<'_>,
    training: Option<Labelled<'_>>,
    options: &ShortcutOptions,
) -> Result<Vec<ShortcutWord>> {
    for set in [Some(data), training].into_iter().flatten() {
        if !set.labels.is_empty() && set.labels.len() != set.texts.len() {
            return Err(Error::Labels { inputs: set.texts.len(), labels: set.labels.len() });
        }
    }
    let classes = model.capabilities().labels.len();
    let presence = presence(data.texts);
    // Only words in enough texts are worth a question.
    let enough = |texts: &BTreeSet<usize>| texts.len() >= options.least_support.max(1);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut flips: BTreeMap<String, usize> = BTreeMap::new();
    let mut silence = None;
    let mut answered = 0;
    for (number, text) in data.texts.iter().enumerate() {
        let words = written_words(&text.input);
        let mut groups: BTreeMap<String, Vec<&Word>> = BTreeMap::new();
        for word in &words {
            groups.entry(name(word, text)).or_default().push(word);
        }
        groups.retain(|word, _| presence.get(word).is_some_and(enough));
        let whole = match model.try_answer(&[text.input])?.pop() {
            Some(Ok(whole)) => whole,
            failed => {
                silence = silence.or_else(|| failed?.err());
                continue;
            }
        };
        answered += 1;
        let (names, groups): (Vec<String>, Vec<Vec<&Word>>) = groups.into_iter().unzip();
        for (word, answer) in names.into_iter().zip(answers_without(model, &text.input, &groups)?) {
            let Some(answer) = answer else { continue };
            *flips.entry(word.clone()).or_default() += usize::from(answer.predicted != whole.predicted);
            let tally = tallies.entry(word).or_default();
            tally.texts.push(number);
            tally.attribution.resize(classes, 0.0);
            lost(&whole, &answer, classes).into_iter().zip(&mut tally.attribution).for_each(|(lost, sum)| *sum += lost);
        }
    }
    if let Some(why) = silence.filter(|_| answered == 0) {
        return Err(Error::NothingAnswered { texts: data.texts.len(), why });
    }
    let taught = training.filter(|training| !training.labels.is_empty()).map(|training| {
        let presence = self::presence(training.texts);
        move |word: &str| presence.get(word).map_or_else(Vec::new, |texts| texts.iter().copied().collect())
    });
    let mut found = finish(&tallies, data, training, taught, options);
    for shortcut in &mut found {
        shortcut.tried = shortcut.support;
        shortcut.flip_rate = proportion(flips.get(&shortcut.word).copied().unwrap_or(0), shortcut.support);
    }
    Ok(found)
}

/// What the centred logits lose.
fn lost(whole: &Answer, without: &Answer, classes: usize) -> Vec<f64> {
    match (&whole.log_probs, &without.log_probs) {
        (Some(before), Some(after)) if before.len() == classes && after.len() == classes => {
            let falls: Vec<f64> = before.iter().zip(after).map(|(a, b)| f64::from(*a) - f64::from(*b)).collect();
            let mean = falls.iter().sum::<f64>() / classes.max(1) as f64;
            falls.into_iter().map(|fall| fall - mean).collect()
        }
        _ => (0..classes)
            .map(|class| {
                f64::from(u8::from(whole.predicted == class)) - f64::from(u8::from(without.predicted == class))
            })
            .collect(),
    }
}

fn name(word: &Word, text: &NamedInput<'_>) -> String {
    word.text(&text.input).to_lowercase()
}

/// The texts that each word stands in.
fn presence(texts: &[NamedInput<'_>]) -> BTreeMap<String, BTreeSet<usize>> {
    let mut presence: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        for word in written_words(&text.input) {
            presence.entry(name(&word, text)).or_default().insert(number);
        }
    }
    presence
}

#[cfg(test)]
mod tests {
    use fissure_models::Capabilities;

    use super::*;

    /// Says `pos` as often as the text says `good` or `zap`, and knows no more.
    #[derive(Debug)]
    struct Counts(Capabilities);

    impl Counts {
        fn new(probabilities: bool) -> Self {
            Self(Capabilities { labels: vec!["neg".into(), "pos".into()], probabilities, gradients: false })
        }
    }

    impl Model for Counts {
        fn capabilities(&self) -> &Capabilities {
            &self.0
        }

        fn answer(&self, inputs: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
            let answer = |input: &Input<'_>| {
                let z = (2 * input.text.matches("good").count() + 2 * input.text.matches("zap").count()) as f32 - 1.0;
                let p = 1.0 / (1.0 + (-z).exp());
                let log_probs = self.0.probabilities.then(|| vec![(1.0 - p).ln(), p.ln()]);
                Answer { predicted: usize::from(z > 0.0), log_probs, truncated: false }
            };
            Ok(inputs.iter().map(answer).collect())
        }
    }

    #[test]
    fn words_are_cut_as_they_are_written() {
        let input = Input { text: "It's a well-made — 'film'!", pair: Some("déjà vu-") };
        let words: Vec<String> = written_words(&input).iter().map(|word| word.text(&input).to_owned()).collect();
        assert_eq!(words, ["It's", "a", "well-made", "film", "déjà", "vu"]);
        assert_eq!(without("so very good", &[3..7, 8..12]), "so");
        let input = Input::from("我用well-made iPhone拍，ok很");
        let words: Vec<String> = written_words(&input).iter().map(|word| word.text(&input).to_owned()).collect();
        assert_eq!(words, ["我", "用", "well-made", "iPhone", "拍", "ok", "很"]);
    }

    #[test]
    fn leaving_a_word_out_shows_what_it_carries() {
        let input = Input::from("a good film");
        for probabilities in [true, false] {
            let model = Counts::new(probabilities);
            let whole = model.answer(&[input]).unwrap().remove(0);
            let left = leave_one_out(&model, &input, &whole).unwrap();
            let flips: Vec<bool> = left.iter().map(|word| word.flips).collect();
            assert_eq!(flips, [false, true, false]);
            // From 1 / (1 + 1/e) to 1 / (1 + e).
            let fall = |at: usize| left[at].fall;
            assert_eq!(fall(1).is_some(), probabilities);
            if let Some(fall) = fall(1) {
                assert!((fall - 0.462_117).abs() < 1e-5, "{fall}");
            }
        }
    }

    #[test]
    fn an_unearned_word_comes_first_without_gradients_too() {
        let texts = ["a good film", "good fun", "so good", "zap fun", "a zap film", "so zap", "a film", "so so"];
        let labels = [1, 1, 1, 0, 1, 0, 0, 0];
        let ids: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
        let named: Vec<NamedInput<'_>> =
            texts.iter().zip(&ids).map(|(t, id)| NamedInput { id, input: (*t).into() }).collect();
        let options = ShortcutOptions { least_support: 3, ..ShortcutOptions::default() };
        for probabilities in [true, false] {
            let data = Labelled { texts: &named, labels: &labels };
            let found = black_box_shortcuts(&Counts::new(probabilities), data, None, &options).unwrap();
            assert_eq!((found[0].word.as_str(), found[0].support, found[0].toward), ("zap", 3, 1));
            assert_eq!(found[0].flip_rate.map(|rate| rate.value), Some(1.0));
            // Without the word the logit falls by 2, half of it for each of the two classes; labels count whole answers.
            let pull = found[0].attribution[1];
            assert!((pull - 1.0).abs() < 1e-5, "{pull}");
            assert!(found.iter().all(|shortcut| shortcut.word != "fun"), "it stands in two texts");
        }
    }

    #[test]
    fn a_row_without_gradients_ranks_by_flips_and_then_by_doubt() {
        let labels = ["neg".to_owned(), "pos".to_owned()];
        let row = |p: f32, flips: Option<Flips>| {
            let answer = Answer { predicted: 1, log_probs: Some(vec![(1.0 - p).ln(), p.ln()]), truncated: false };
            ExampleScore { flips, ..ExampleScore::of_answer("1", None, &labels, &answer) }
        };
        let turned = |turned| Some(Flips { changed: 26, turned });
        assert!(row(0.9, turned(2)).fragility() > row(0.6, turned(1)).fragility());
        assert!(row(0.6, turned(1)).fragility() > row(0.9, turned(1)).fragility());
        assert!(row(0.6, None).fragility() > row(0.9, None).fragility());
        assert!((row(0.75, None).uncertainty - 0.25).abs() < 1e-6);
        let unsure = Answer { predicted: 1, log_probs: None, truncated: false };
        let unsure = ExampleScore::of_answer("1", None, &labels, &unsure);
        assert!(unsure.fragility().is_nan() && unsure.uncertainty.is_nan());
        let json = serde_json::to_value(&unsure).unwrap();
        assert!(json["lambda_max"].is_null() && json["uncertainty"].is_null() && json["predicted"] == "pos");
    }
}
