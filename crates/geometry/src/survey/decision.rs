//! The decision at a point with the slopes of some margins: what a forecast needs of a survey, for fewer backward passes.

use fissure_models::{Embedded, Gradient, WhiteBox};

use super::{EXACT_UP_TO, Rival, difference, iterative};
use crate::vectors::length;
use crate::{Confidence, Error, Result};

/// What is decided, and the classes that might be decided instead.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub confidence: Confidence,
    /// Strongest first.
    pub rivals: Vec<Rival>,
}

/// Chooses the rivals that get a slope, strongest first.
pub(crate) type RivalsFn<'a> = dyn Fn(&Confidence) -> Vec<usize> + Sync + 'a;

/// One forward pass for each point, and one backward pass for each of the rivals that are `wanted`.
pub(crate) fn decide(model: &dyn WhiteBox, points: &[Embedded], wanted: &RivalsFn<'_>) -> Result<Vec<Decision>> {
    let pulled = model.pull_back(points, &|input, logits| {
        // Broken logits are reported below; here any answer will do.
        let Ok(confidence) = Confidence::from_logits(input, logits) else { return Vec::new() };
        let weights = |rival| difference(confidence.predicted, rival, logits.len());
        wanted(&confidence).into_iter().map(weights).collect()
    })?;
    let decision = |(input, pulled): (usize, fissure_models::PullBack)| {
        let confidence = Confidence::from_logits(input, &pulled.logits)?;
        if pulled.gradients.iter().any(|gradient| !length(gradient).is_finite()) {
            return Err(Error::GradientNotFinite { input });
        }
        let rivals = wanted(&confidence).into_iter().zip(pulled.gradients);
        let rivals = rivals.map(|(class, gradient)| Rival { class, gradient }).collect();
        Ok(Decision { confidence, rivals })
    };
    pulled.into_iter().enumerate().map(decision).collect()
}

impl Decision {
    /// With every rival and no slopes, for models that need none: one forward pass for each point.
    pub fn without_slopes(model: &dyn WhiteBox, points: &[Embedded]) -> Result<Vec<Self>> {
        let decision = |(input, logits): (usize, Vec<f32>)| {
            let confidence = Confidence::from_logits(input, &logits)?;
            let rival = |class| Rival { class, gradient: Gradient::default() };
            Ok(Self { rivals: strongest(&confidence).into_iter().map(rival).collect(), confidence })
        };
        model.logits_at(points)?.into_iter().enumerate().map(decision).collect()
    }
}

/// All rivals up to [`EXACT_UP_TO`] classes, the strongest few beyond.
pub(crate) fn strongest(confidence: &Confidence) -> Vec<usize> {
    let mut rivals = confidence.rivals();
    if confidence.classes() > EXACT_UP_TO {
        rivals.truncate(iterative::SLOPES);
    }
    rivals
}

#[cfg(test)]
mod tests {
    use fissure_models::{Input, WhiteBox as _};

    use super::*;
    use crate::testing::Linear;
    use crate::{Space, survey};

    #[test]
    fn a_decision_is_a_survey_of_the_rivals_that_are_wanted() {
        let model = Linear::new(1, vec![1.0, -1.0, 0.5], vec![0.3, 0.0, 0.1]).with_words(vec![vec![0.5]; 26]);
        let points = model.embed(&[Input::from("a b c"), Input::from("d")]).unwrap();
        let surveys = survey(&model, &points, Space::Tokens).unwrap();
        for few in [1, 2] {
            let wanted = |confidence: &Confidence| confidence.rivals().into_iter().take(few).collect();
            for (decision, survey) in decide(&model, &points, &wanted).unwrap().iter().zip(&surveys) {
                assert_eq!(decision.confidence, survey.confidence);
                assert_eq!(decision.rivals.len(), few);
                for (one, other) in decision.rivals.iter().zip(&survey.rivals) {
                    assert_eq!((one.class, &one.gradient), (other.class, &other.gradient));
                }
            }
        }
    }
}
