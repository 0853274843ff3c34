//! The texts with the lowest and with the highest lambda_max: how many of each are answered right, as they are, after
//! word substitutions, and after steps along e_max. Random directions are the control.

use fissure_core::Dice;
use fissure_models::{Embedded, Matrix, WhiteBox};
use fissure_statistics::{Estimate, mean, proportion};
use serde::Serialize;

use crate::perturb::{accuracy_after_steps, random_direction};
use crate::{NamedInput, Result, Space};

/// Texts taken from each end, if there are twice as many (the papers take 200 to 1200).
const SIZES: [usize; 8] = [10, 25, 50, 100, 200, 400, 800, 1200];
/// The steps are tried on no more than this many texts of each end.
const MOST_STEPPED: usize = 200;
/// The lengths of the steps.
const NORMS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0];

/// Both ends side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Groups {
    pub by_size: Vec<BySize>,
    /// The texts of each end that the curves rest on, and the lengths of the steps.
    pub stepped: usize,
    pub norms: Vec<f64>,
    pub curves: Vec<Curve>,
}

/// Texts of each end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BySize {
    pub each: usize,
    pub lowest: Kept,
    pub highest: Kept,
}

/// The share answered right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    /// As they are.
    pub clean: Option<Estimate>,
    /// After word substitutions: the mean over the texts of the share of edited copies.
    pub edited: Option<Estimate>,
    /// The mean share of edited copies that flipped the answer.
    pub p_flip: Option<Estimate>,
}

/// The share answered right after steps of growing length.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// `lowest` or `highest`.
    pub end: &'static str,
    /// `e_max` or `random`.
    pub along: &'static str,
    pub accuracy: Vec<Option<Estimate>>,
}

/// What is known of every text.
pub(super) struct Known<'a> {
    pub texts: &'a [NamedInput<'a>],
    pub points: &'a [Embedded],
    pub directions: &'a [&'a Matrix],
    pub log_lambda: &'a [f64],
    pub labels: &'a [Option<usize>],
    pub predicted: &'a [usize],
    /// The classes predicted for edited copies.
    pub edited: &'a [Vec<usize>],
}

/// `None` if too few texts have a label.
pub(super) fn groups(model: &dyn WhiteBox, known: &Known<'_>, seed: u64) -> Result<Option<Groups>> {
    let mut order: Vec<usize> =
        (0..known.texts.len()).filter(|&at| known.labels[at].is_some() && known.log_lambda[at].is_finite()).collect();
    order.sort_by(|&a, &b| known.log_lambda[a].total_cmp(&known.log_lambda[b]).then(a.cmp(&b)));
    let ends = |each: usize| (&order[..each], &order[order.len() - each..]);
    let by_size: Vec<BySize> = SIZES
        .into_iter()
        .filter(|each| 2 * each <= order.len())
        .map(|each| BySize { each, lowest: kept(known, ends(each).0), highest: kept(known, ends(each).1) })
        .collect();
    let Some(stepped) = by_size.iter().map(|size| size.each).filter(|&each| each <= MOST_STEPPED).max() else {
        return Ok(None);
    };
    let mut curves = Vec::new();
    for (end, chosen) in [("lowest", ends(stepped).0), ("highest", ends(stepped).1)] {
        let points: Vec<Embedded> = chosen.iter().map(|&at| known.points[at].clone()).collect();
        let labels: Vec<usize> = chosen.iter().filter_map(|&at| known.labels[at]).collect();
        let random: Vec<Matrix> = chosen.iter().map(|&at| control(known, at, seed)).collect();
        let along = [
            ("e_max", chosen.iter().map(|&at| known.directions[at]).collect::<Vec<_>>()),
            ("random", random.iter().collect()),
        ];
        for (along, directions) in along {
            let accuracy = accuracy_after_steps(model, &points, &directions, &labels, &NORMS, Space::Tokens)?;
            curves.push(Curve { end, along, accuracy });
        }
    }
    Ok(Some(Groups { by_size, stepped, norms: NORMS.to_vec(), curves }))
}

fn control(known: &Known<'_>, at: usize, seed: u64) -> Matrix {
    let rows = &known.points[at].rows;
    random_direction(rows.count(), rows.width, &mut Dice::new(seed, &["direction", known.texts[at].id]))
}

fn kept(known: &Known<'_>, chosen: &[usize]) -> Kept {
    let share = |at: usize, counts: &dyn Fn(usize) -> bool| {
        let copies = &known.edited[at];
        let count = copies.iter().filter(|predicted| counts(**predicted)).count();
        (!copies.is_empty()).then(|| count as f64 / copies.len() as f64)
    };
    let right = chosen.iter().filter(|&&at| known.labels[at] == Some(known.predicted[at])).count();
    let edited: Vec<f64> =
        chosen.iter().filter_map(|&at| share(at, &|predicted| known.labels[at] == Some(predicted))).collect();
    let flips: Vec<f64> =
        chosen.iter().filter_map(|&at| share(at, &|predicted| predicted != known.predicted[at])).collect();
    Kept { clean: proportion(right, chosen.len()), edited: mean(&edited), p_flip: mean(&flips) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Linear, embedded};

    /// z = (x, -x), labels all 0: texts at 1, 2, ..., 20; lambda falls with x, so the highest are the nearest to 0.
    #[test]
    fn the_fragile_end_falls_first_and_the_control_later() {
        let model = Linear::new(2, vec![1.0, 0.0, -1.0, 0.0], vec![0.0, 0.0]);
        let points: Vec<Embedded> = (1..=20).map(|k| embedded(2, &[0.1 * k as f32, 0.0])).collect();
        let ids: Vec<String> = (0..20).map(|k| k.to_string()).collect();
        let texts: Vec<NamedInput<'_>> = ids.iter().map(|id| NamedInput { id, input: "".into() }).collect();
        let back = Matrix::new(2, vec![-1.0, 0.0]);
        let lambda: Vec<f64> = (1..=20).map(|k| -f64::from(k)).collect();
        let edited: Vec<Vec<usize>> = (0..20).map(|k| if k < 10 { vec![0, 1] } else { vec![0, 0] }).collect();
        let known = Known {
            texts: &texts,
            points: &points,
            directions: &[&back; 20],
            log_lambda: &lambda,
            labels: &[Some(0); 20],
            predicted: &[0; 20],
            edited: &edited,
        };
        let found = groups(&model, &known, 0).unwrap().unwrap();
        assert_eq!((found.by_size.len(), found.stepped), (1, 10));
        let highest = &found.by_size[0].highest;
        assert_eq!(highest.clean.unwrap().value, 1.0);
        assert_eq!((highest.edited.unwrap().value, highest.p_flip.unwrap().value), (0.5, 0.5));
        assert_eq!(found.by_size[0].lowest.edited.unwrap().value, 1.0);
        let curve = |end, along| {
            let curve = found.curves.iter().find(|curve| (curve.end, curve.along) == (end, along)).unwrap();
            curve.accuracy.iter().flatten().map(|share| share.value).collect::<Vec<_>>()
        };
        // A step of 0.5 takes those at 0.1 to 0.4 across (0.5 itself lands on the line, where class 0 is first).
        assert_eq!(curve("highest", "e_max")[5], 0.6);
        assert_eq!(curve("lowest", "e_max")[7], 1.0);
        assert_eq!(curve("lowest", "e_max")[10], 0.0);
        assert!(curve("highest", "random")[10] > curve("highest", "e_max")[10]);
        let unlabelled = Known { labels: &[None; 20], ..known };
        assert_eq!(groups(&model, &unlabelled, 0).unwrap(), None);
    }
}
