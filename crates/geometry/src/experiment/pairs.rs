//! Contrast sets and counterfactuals: do revised texts lie nearer to the decision boundary than their originals, and
//! than those of a data set without revisions?

use fissure_models::{Input, WhiteBox};
use fissure_statistics::{Estimate, overlap, proportion};
use serde::Serialize;

use crate::pairs::{BINS, Histogram, PairScore, PairSummary, Training, histogram, summarise};
use crate::{Error, NamedInput, Result, Space, survey};

/// Texts surveyed at a time: their gradients are held only so long.
const BATCH: usize = 256;

/// Texts with their labels, where they are known.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub texts: &'a [NamedInput<'a>],
    pub labels: &'a [Option<usize>],
}

/// What the pairs show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairsReport {
    pub all: PairSummary,
    /// The pairs whose original the model was trained on, and the others; `None` without a training file, or where there
    /// are not two such pairs.
    pub seen: Option<PairSummary>,
    pub unseen: Option<PairSummary>,
    pub originals: SideReport,
    pub revised: SideReport,
    /// The data set that nobody revised.
    pub reference: Option<SideReport>,
    /// The distributions of log lambda_max: originals, revised and, if there is one, the reference.
    pub histogram: Option<Histogram>,
    pub pairs: Vec<PairScore>,
}

/// One side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideReport {
    pub texts: usize,
    /// Of those with a label.
    pub accuracy: Option<Estimate>,
    pub median_lambda_max: Option<f64>,
    /// The shared area of the distributions of log lambda_max of this side and of the reference.
    pub overlap_with_reference: Option<f64>,
}

/// Surveys both sides of every pair: text i of `originals` and text i of `revised`.
pub fn pairs(
    model: &dyn WhiteBox,
    originals: Side<'_>,
    revised: Side<'_>,
    reference: Option<Side<'_>>,
    training: Option<&Training>,
) -> Result<PairsReport> {
    let wrong = Error::Pairs { originals: originals.texts.len(), revised: revised.texts.len() };
    if originals.texts.len() != revised.texts.len() {
        return Err(wrong);
    }
    let (first, second) = (surveyed(model, originals)?, surveyed(model, revised)?);
    let reference = reference.map(|side| surveyed(model, side)).transpose()?;
    let pair = |at: usize| PairScore {
        original: first.lambda[at],
        revised: second.lambda[at],
        seen: training.map(|training| training.saw(originals.texts[at].input.text)),
    };
    let scores: Vec<PairScore> = (0..first.lambda.len()).map(pair).collect();
    let of = |seen: bool| scores.iter().filter(|pair| pair.seen == Some(seen)).copied().collect::<Vec<_>>();
    let logs: Vec<Vec<f64>> =
        [Some(&first), Some(&second), reference.as_ref()].into_iter().flatten().map(Surveyed::logs).collect();
    let names = ["originals", "revised", "reference"];
    let series: Vec<(&'static str, &[f64])> = names.into_iter().zip(logs.iter().map(Vec::as_slice)).collect();
    let report = |side: &Surveyed| side.report(reference.as_ref());
    Ok(PairsReport {
        all: summarise(&scores).ok_or(wrong)?,
        seen: summarise(&of(true)),
        unseen: summarise(&of(false)),
        originals: report(&first),
        revised: report(&second),
        reference: reference.as_ref().map(report),
        histogram: histogram(&series, BINS),
        pairs: scores,
    })
}

struct Surveyed {
    lambda: Vec<f64>,
    right: usize,
    labelled: usize,
}

fn surveyed(model: &dyn WhiteBox, side: Side<'_>) -> Result<Surveyed> {
    let mut found = Surveyed { lambda: Vec::with_capacity(side.texts.len()), right: 0, labelled: 0 };
    for batch in side.texts.chunks(BATCH) {
        let inputs: Vec<Input<'_>> = batch.iter().map(|text| text.input).collect();
        for survey in survey(model, &model.embed(&inputs)?, Space::Tokens)? {
            if let Some(label) = side.labels.get(found.lambda.len()).copied().flatten() {
                found.labelled += 1;
                found.right += usize::from(label == survey.confidence.predicted);
            }
            found.lambda.push(survey.spectrum.lambda_max());
        }
    }
    Ok(found)
}

impl Surveyed {
    fn logs(&self) -> Vec<f64> {
        self.lambda.iter().map(|lambda| lambda.ln()).collect()
    }

    fn report(&self, reference: Option<&Self>) -> SideReport {
        let mut sorted = self.lambda.clone();
        sorted.sort_by(f64::total_cmp);
        SideReport {
            texts: self.lambda.len(),
            accuracy: proportion(self.right, self.labelled),
            median_lambda_max: sorted.get(sorted.len() / 2).copied(),
            overlap_with_reference: reference.and_then(|other| overlap(&self.logs(), &other.logs(), BINS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    #[test]
    fn a_revision_toward_the_boundary_is_more_fragile() {
        // Letters a = 3, b = 0.1: z = (x, -x), so lambda = 4 p (1 - p).
        let model = Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words(vec![vec![3.0], vec![0.1], vec![-1.0]]);
        let named = |texts: &[&'static str]| -> Vec<NamedInput<'static>> {
            texts.iter().map(|text| NamedInput { id: text, input: (*text).into() }).collect()
        };
        let (originals, revised) = (named(&["a", "a", "b", "b"]), named(&["b", "b", "c", "c"]));
        let side = |texts| Side { texts, labels: &[Some(0); 4] };
        let training = Training::new(["A!"]);
        let reference = side(&originals);
        let found = pairs(&model, side(&originals), side(&revised), Some(reference), Some(&training)).unwrap();
        let lambda = |x: f64| 4.0 / (2.0 + (2.0 * x).exp() + (-2.0 * x).exp());
        let wanted = (lambda(3.0) - lambda(0.1) + lambda(0.1) - lambda(1.0)) / 2.0;
        assert!((found.all.mean_difference.value - wanted).abs() < 1e-6, "{:?}", found.all);
        assert_eq!((found.all.seen, found.all.not_harder.value), (Some(2), 0.5));
        assert_eq!(found.seen.unwrap().pairs, 2);
        assert_eq!(found.unseen.unwrap().pairs, 2);
        assert_eq!(found.originals.overlap_with_reference, Some(1.0));
        assert_eq!(found.revised.accuracy.unwrap().value, 0.5);
        assert_eq!(found.histogram.unwrap().series.len(), 3);
        assert!(pairs(&model, side(&originals), side(&revised[..2]), None, None).is_err());
        assert!(pairs(&model, side(&[]), side(&[]), None, None).is_err());
    }
}
