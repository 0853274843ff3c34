//! The scores of examples, as rows to be written: what `fissure score` prints.

use std::collections::BTreeMap;

use fissure_models::{Embedded, Input, WhiteBox};
use serde::{Deserialize, Serialize};

use crate::attribution::{Attribution, gradient_dot_embedding, integrated_gradients};
use crate::black_box::{Flips, LeftOut};
use crate::decode::{Candidates, Substitution, decode};
use crate::forecast::{Forecast, Forecaster};
use crate::perturb::{MinimalStep, REACH, minimal_steps};
use crate::substitute::NamedInput;
use crate::survey::{Survey, survey};
use crate::{Result, Space, Vocabulary};

/// What to add to the scores that cost nothing more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreOptions {
    pub space: Space,
    /// Scores of every token.
    pub tokens: bool,
    /// Integrated gradients among them, which cost more than all the rest. Needs `tokens`.
    pub ig: bool,
    /// Those of the logit beside those of the probability. Needs `ig`.
    pub ig_logit: bool,
    /// The smallest steps along e_max that change the label.
    pub eta: bool,
}

/// An example to score.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    pub id: &'a str,
    pub input: Input<'a>,
    pub label: Option<&'a str>,
}

/// The scores of one example. Numbers that are not finite are written as null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExampleScore {
    pub id: String,
    pub predicted: String,
    pub label: Option<String>,
    pub log_probs: Vec<f64>,
    pub lambda_max: f64,
    pub log_lambda_max: f64,
    /// lambda_max with x in units of its mean row norm.
    pub lambda_scale_free: f64,
    pub eigenvalues: Vec<f64>,
    /// 1 - max p.
    pub uncertainty: f64,
    pub margin: f64,
    pub entropy: f64,
    pub distance: f64,
    pub flip_forecast: Option<f64>,
    pub flip_t: Option<f64>,
    pub flip_mean: Option<f64>,
    pub flip_spread: Option<f64>,
    /// The probability that a part flips the answer, by its name; parts that would not change the text are absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<BTreeMap<String, f64>>,
    /// What changed forms did to the answer in a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flips: Option<Flips>,
    #[serde(flatten)]
    pub eta: Option<MinimalStep>,
    /// F(x) - F(baseline) minus the sum of the attributions: how complete they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ig_prob_gap: Option<f64>,
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Vec<Token>>,
    /// For models without gradients: what leaving out each word does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<LeftOut>>,
    /// e_max in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitutions: Option<Vec<Substitution>>,
}

/// A token with its scores. A mark of the model's own (`[CLS]`) has no text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Token {
    pub text: Option<String>,
    /// Bytes into the user's text, or into its pair.
    pub start: Option<usize>,
    pub end: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_pair: bool,
    pub e_max: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ig_prob: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ig_logit: Option<f64>,
    pub grad_dot_emb: f64,
}

/// Scores batches of examples. A row depends on its own example alone, bit for bit: batches may be cut anywhere.
#[derive(Debug, Clone)]
pub struct Scorer<'a> {
    pub model: &'a dyn WhiteBox,
    pub options: ScoreOptions,
    /// `None` if the model names no words: then there is nothing to forecast.
    pub forecaster: Option<Forecaster<'a>>,
    /// `None` for no decoding. Needs [`Space::Tokens`].
    pub decoding: Option<Decoding<'a>>,
}

/// How to put e_max into words.
#[derive(Debug, Clone, Copy)]
pub struct Decoding<'a> {
    pub vocabulary: &'a Vocabulary,
    pub candidates: Candidates<'a>,
    /// Substitutions of each text.
    pub top: usize,
}

impl Scorer<'_> {
    /// A row for every example, in order.
    pub fn score(&self, examples: &[Example<'_>]) -> Result<Vec<ExampleScore>> {
        let inputs: Vec<Input<'_>> = examples.iter().map(|example| example.input).collect();
        let points = self.model.embed(&inputs)?;
        let surveys = survey(self.model, &points, self.options.space)?;
        let named: Vec<NamedInput<'_>> =
            examples.iter().zip(&inputs).map(|(example, input)| NamedInput { id: example.id, input: *input }).collect();
        let forecasts = match &self.forecaster {
            Some(forecaster) => forecaster.forecasts(&named, &points, &surveys)?,
            None => vec![None; examples.len()],
        };
        let etas = if self.options.eta {
            let directions: Vec<_> = surveys.iter().map(|survey| &survey.spectrum.e_max).collect();
            let steps = minimal_steps(self.model, &points, &directions, self.options.space, REACH)?;
            steps.into_iter().map(Some).collect()
        } else {
            vec![None; examples.len()]
        };
        let attributions = if self.options.tokens && self.options.ig {
            integrated_gradients(self.model, &points, self.options.ig_logit)?.into_iter().map(Some).collect()
        } else {
            vec![None; examples.len()]
        };
        let mut rows = Vec::with_capacity(examples.len());
        for (at, survey) in surveys.iter().enumerate() {
            let mut row = self.row(&examples[at], survey, forecasts[at], etas[at], points[at].truncated);
            if let Some(Decoding { vocabulary, candidates, top }) = self.decoding {
                let found = decode(self.model, &inputs[at], &points[at], survey, vocabulary, candidates, top)?;
                row.substitutions = Some(found);
            }
            let attribution = attributions[at].as_ref();
            row.ig_prob_gap = attribution.map(Attribution::completeness_gap);
            if self.options.tokens {
                row.tokens = Some(self.tokens(&inputs[at], &points[at], survey, attribution));
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn row(
        &self,
        example: &Example<'_>,
        survey: &Survey,
        forecast: Option<Forecast>,
        eta: Option<MinimalStep>,
        truncated: bool,
    ) -> ExampleScore {
        let confidence = &survey.confidence;
        ExampleScore {
            id: example.id.to_owned(),
            predicted: self.model.capabilities().labels[confidence.predicted].clone(),
            label: example.label.map(str::to_owned),
            log_probs: confidence.log_probs.clone(),
            lambda_max: survey.spectrum.lambda_max(),
            log_lambda_max: survey.spectrum.log_lambda_max,
            lambda_scale_free: survey.scale_free_lambda(),
            eigenvalues: survey.spectrum.eigenvalues.clone(),
            uncertainty: confidence.uncertainty(),
            margin: confidence.margin(),
            entropy: confidence.entropy(),
            distance: survey.distance(),
            flip_forecast: forecast.map(|forecast| forecast.probability),
            flip_t: forecast.map(|forecast| forecast.t),
            flip_mean: forecast.map(|forecast| forecast.mean),
            flip_spread: forecast.map(|forecast| forecast.spread),
            parts: None,
            flips: None,
            eta,
            ig_prob_gap: None,
            truncated,
            tokens: None,
            words: None,
            substitutions: None,
        }
    }

    fn tokens(
        &self,
        input: &Input<'_>,
        point: &Embedded,
        survey: &Survey,
        attribution: Option<&Attribution>,
    ) -> Vec<Token> {
        let count = point.pieces.len();
        // A shared displacement has the same share of every token.
        let shares = match self.options.space {
            Space::Tokens => survey.token_shares(),
            Space::Mean => vec![1.0 / (count as f64).sqrt(); count],
        };
        let gradients = gradient_dot_embedding(survey, point);
        let token = |(at, piece): (usize, &fissure_models::Piece)| {
            let source = piece.source.as_ref();
            let field = |field: u8| if field == 0 { Some(input.text) } else { input.pair };
            let text = source.and_then(|(number, range)| field(*number)?.get(range.clone()));
            Token {
                text: text.map(str::to_owned),
                start: source.map(|(_, range)| range.start),
                end: source.map(|(_, range)| range.end),
                in_pair: source.is_some_and(|(field, _)| *field != 0),
                e_max: shares[at],
                ig_prob: attribution.map(|attribution| attribution.probability[at]),
                ig_logit: attribution.and_then(|attribution| attribution.logit.get(at).copied()),
                grad_dot_emb: gradients[at],
            }
        };
        point.pieces.iter().enumerate().map(token).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EditLaw;
    use crate::testing::Linear;

    fn model() -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![0.1, 0.0])
            .with_words((0..26).map(|k| vec![k as f32 / 10.0 - 1.2]).collect())
    }

    fn examples<'a>(texts: &[&'a str]) -> Vec<Example<'a>> {
        texts.iter().map(|text| Example { id: text, input: (*text).into(), label: Some("0") }).collect()
    }

    #[test]
    fn rows_are_the_same_in_any_batch() {
        let model = model();
        let vocabulary = Vocabulary::of(&model).unwrap();
        let texts = ["the cat", "sat on the mat", "", "zzz", "a mad dog"];
        let named: Vec<_> = texts.iter().map(|text| NamedInput { id: text, input: (*text).into() }).collect();
        let forecaster = Forecaster::calibrated(&model, &vocabulary, EditLaw::RANDOM, &named, 0).unwrap();
        let options = ScoreOptions { tokens: true, ig: true, ig_logit: true, eta: true, ..ScoreOptions::default() };
        let decoding = Some(Decoding { vocabulary: &vocabulary, candidates: Candidates::Vocabulary, top: 2 });
        let forecaster = Some(Forecaster { refine: 2, ..forecaster });
        let scorer = Scorer { model: &model, options, forecaster, decoding };
        let together = scorer.score(&examples(&texts)).unwrap();
        for (text, row) in texts.iter().zip(&together) {
            assert_eq!(format!("{:?}", scorer.score(&examples(&[text])).unwrap()[0]), format!("{row:?}"));
        }
        assert_eq!(together[2].flip_forecast, None);
        assert_eq!(together[2].lambda_max, 0.0);
        let substitutions = |at: usize| together[at].substitutions.as_ref().map(Vec::len);
        assert_eq!((substitutions(0), substitutions(2)), (Some(2), Some(0)));
    }

    #[test]
    fn the_row_of_one_letter_by_hand() {
        let model = model();
        let options = ScoreOptions { tokens: true, eta: true, ..ScoreOptions::default() };
        let scorer = Scorer { model: &model, options, forecaster: None, decoding: None };
        // w is row 22: 1.0, so z = (1.1, -1): margin 2.1, slope 2.
        let row = scorer.score(&examples(&["  w"])).unwrap().remove(0);
        let json = serde_json::to_value(&row).unwrap();
        assert!((row.margin - 2.1).abs() < 1e-6 && (row.distance - 1.05).abs() < 1e-6);
        let p = 1.0 / (1.0 + (-2.1f64).exp());
        assert!((row.lambda_max - 4.0 * p * (1.0 - p)).abs() < 1e-6);
        assert!((json["eta_plus"].as_f64().unwrap() - 1.05).abs() < 1e-5);
        assert!(json["eta_minus"].is_null() && json["flip_forecast"].is_null());
        assert_eq!(json["truncated"], false);
        let token = &json["tokens"][0];
        assert_eq!((&token["text"], &token["start"], &token["end"]), (&"w".into(), &2.into(), &3.into()));
        assert_eq!(token["e_max"], 1.0);
        assert!(token.get("ig_logit").is_none() && token.get("in_pair").is_none());
        assert_eq!(json["predicted"], "0");
    }
}
