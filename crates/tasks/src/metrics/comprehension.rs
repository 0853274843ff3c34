//! Answers to questions about a passage, scored as for SQuAD.

use fissure_core::Sample;

use super::{Metric, Tally, counts, gold};
use crate::Response;

/// The share of answers that are word for word one of the right ones, but for case, punctuation and articles. A question
/// without an answer is answered rightly by none. Tally: right, all.
#[derive(Debug, Clone, Copy)]
pub struct ExactMatch;

/// The mean over questions of the best word F1 with one of the right answers. Tally: F1, all.
#[derive(Debug, Clone, Copy)]
pub struct AnswerF1;

impl Metric for ExactMatch {
    fn name(&self) -> &'static str {
        "exact_match"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        best(sample, response, |gold, said| f64::from(gold == said))
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::share(sum)
    }

    fn counts_samples(&self) -> bool {
        true
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::all(tally)
    }
}

impl Metric for AnswerF1 {
    fn name(&self) -> &'static str {
        "f1"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        best(sample, response, word_f1)
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::share(sum)
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::all(tally)
    }
}

/// The best score with any right answer.
fn best(sample: &Sample, response: &Response, score: fn(&[String], &[String]) -> f64) -> Option<Tally> {
    let Response::Answer(said) = response else { return None };
    let mut gold: Vec<Vec<String>> = gold::answers(sample)?.into_iter().map(words).collect();
    gold.retain(|answer| !answer.is_empty());
    if gold.is_empty() {
        gold.push(Vec::new());
    }
    let said = words(said.as_deref().unwrap_or(""));
    Some(vec![gold.iter().map(|gold| score(gold, &said)).fold(0.0, f64::max), 1.0])
}

/// F1 of the words two answers share, each as often as both have it; two empty answers are the same.
fn word_f1(gold: &[String], said: &[String]) -> f64 {
    if gold.is_empty() || said.is_empty() {
        return f64::from(gold == said);
    }
    let mut left: Vec<&String> = gold.iter().collect();
    let shared = said.iter().filter(|word| {
        let at = left.iter().position(|known| known == word);
        at.map(|at| left.swap_remove(at)).is_some()
    });
    2.0 * shared.count() as f64 / (gold.len() + said.len()) as f64
}

/// The words of an answer that count: in lower case, without ASCII punctuation and English articles.
fn words(answer: &str) -> Vec<String> {
    let plain: String = answer.to_lowercase().chars().filter(|letter| !letter.is_ascii_punctuation()).collect();
    let mut kept = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while !rest.is_empty() {
        // Articles go even where they touch other signs ("–the–"), as by the word boundaries of the SQuAD script.
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..end];
        kept.push_str(if matches!(word, "a" | "an" | "the") { " " } else { word });
        let sign = rest[end..].chars().next();
        kept.extend(sign);
        rest = &rest[end + sign.map_or(0, char::len_utf8)..];
    }
    kept.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fissure_core::{Anchor, Column, Mark, Origin, Span};

    use super::*;

    fn question(answers: &[(usize, usize)]) -> Sample {
        let mut sample = Sample::of_text("1", "the Eiffel Tower, in Paris (France)");
        let mark = |&(start, end): &(usize, usize)| Mark::new("answers", 0, Span::new(start, end), "", Anchor::Rigid);
        sample.marks = answers.iter().map(mark).collect();
        let column = Column { name: "answers".into(), role: "answers", form: "", in_cell: false };
        sample.origin = Some(Arc::new(Origin { columns: vec![column] }));
        sample
    }

    fn said(answer: &str) -> Response {
        Response::Answer(Some(answer.to_owned()))
    }

    #[test]
    fn case_articles_and_punctuation_do_not_count() {
        // "the Eiffel Tower," and "Paris (France)".
        let sample = question(&[(0, 17), (21, 35)]);
        let scores = |answer: &Response| {
            [&ExactMatch as &dyn Metric, &AnswerF1].map(|metric| metric.tally(&sample, answer).unwrap()[0])
        };
        assert_eq!(scores(&said("eiffel tower")), [1.0, 1.0]);
        assert_eq!(scores(&said("Paris")), [0.0, 2.0 / 3.0]);
        assert_eq!(scores(&said("a tower in Paris, Paris")), [0.0, 1.0 / 3.0], "2 * 1 / (2 + 4)");
        assert_eq!(scores(&Response::Answer(None)), [0.0, 0.0]);
    }

    #[test]
    fn a_question_without_answer() {
        let sample = question(&[]);
        let score = |answer: &Response| AnswerF1.tally(&sample, answer).unwrap()[0];
        assert_eq!([score(&Response::Answer(None)), score(&said("the")), score(&said("Paris"))], [1.0, 1.0, 0.0]);
        let unlabelled = Sample { origin: None, ..sample };
        assert_eq!(AnswerF1.tally(&unlabelled, &said("Paris")), None);
    }
}
