//! The forecast against the figures of the NumPy reference, and against counting on a linear model.

use fissure_models::{Matrix, WhiteBox};

use super::fit::{Observed, Trust, fit};
use super::surrogate::Line;
use super::*;
use crate::substitute::{NamedInput, flip_counts};
use crate::testing::Linear;
use crate::{EditLaw, Space, Vocabulary, survey};

/// The words of the fixture in two dimensions.
const TABLE: [[f32; 2]; 6] = [[0.0, 0.3], [-0.27, -0.89], [-0.45, -0.99], [0.06, 1.34], [-0.49, -0.62], [0.49, 0.36]];
const WORDS: [u32; 7] = [4, 1, 5, 2, 2, 3, 3];
/// grad z of three classes at seven words; class 1 is predicted.
const SLOPES: [[[f32; 2]; 7]; 3] = [
    [[-1.34, -0.46], [-1.9, -1.29], [-1.84, -0.24], [-1.27, 0.27], [0.16, -0.19], [-2.52, -0.54], [-0.05, 0.11]],
    [[-1.53, -0.48], [-0.98, -0.81], [1.06, -0.81], [-0.03, 0.88], [-0.58, -0.11], [0.11, 0.06], [-1.23, 0.08]],
    [[1.36, -1.55], [0.86, 0.12], [-0.64, 2.0], [0.76, -1.2], [0.07, 0.58], [-0.19, 0.68], [-0.07, 0.67]],
];

fn vocabulary() -> Vocabulary {
    let model = Linear::new(2, vec![0.0; 4], vec![0.0; 2]).with_words(TABLE.iter().map(|row| row.to_vec()).collect());
    Vocabulary::of(&model).unwrap()
}

fn surrogate() -> Surrogate {
    let line = |rival: usize, margin| {
        let values = (0..14).map(|at| SLOPES[1][at / 2][at % 2] - SLOPES[rival][at / 2][at % 2]).collect::<Vec<f32>>();
        Line { margin, slopes: Matrix::new(2, values), vanishing: vec![0.0; 7], absences: vec![0.0; 7] }
    };
    let places = WORDS.iter().flat_map(|&word| TABLE[word as usize]).collect();
    Surrogate {
        rivals: vec![line(0, 1.5), line(2, 2.2)],
        places: Matrix::new(2, places),
        entries: WORDS.iter().map(|&word| Some(word)).collect(),
    }
}

fn close(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() < 2e-6 * wanted.abs().max(1.0), "{what}: {found} against {wanted}");
}

#[test]
fn draws_from_the_vocabulary_as_the_reference_has_them() {
    // k is 1 with probability 3/7 and 2 with 4/7: shares from 0.1 to 0.2 of 7 words.
    let law = EditLaw { draw: crate::Draw::Random, ..EditLaw::NEIGHBOURS };
    let shifts = surrogate().shifts(&vocabulary(), &law);
    close(shifts[0].mean, -0.2913952380952382, "mean");
    close(shifts[1].mean, 0.29100612244897944, "mean");
    close(shifts[0].variance, 1.798612108465608, "variance");
    close(shifts[1].variance, 3.4609508015346986, "variance");
    let plain = Forecast::uncalibrated(&shifts).unwrap();
    close(plain.probability, 0.1837441053754782, "probability");
    close(plain.t, -0.9011882998506442, "t");
    let calibrated = fixture_calibration().forecast(&shifts).unwrap();
    close(calibrated.probability, 0.1585403820628669, "calibrated probability");
    close(calibrated.t, -1.0004748473130103, "calibrated t");
}

#[test]
fn draws_from_neighbours_as_the_reference_has_them() {
    // Six words: the neighbours of one are all the others. The first word of the text is not known and stays.
    let mut surrogate = surrogate();
    surrogate.entries[0] = None;
    let shifts = surrogate.shifts(&vocabulary(), &EditLaw::NEIGHBOURS);
    close(shifts[0].mean, -0.32733306122448985, "mean");
    close(shifts[1].mean, 0.4903575510204081, "mean");
    close(shifts[0].variance, 2.118529347791309, "variance");
    close(shifts[1].variance, 3.844569871928696, "variance");
    close(Forecast::uncalibrated(&shifts).unwrap().t, -0.8056704570091545, "t");
}

fn fixture_calibration() -> Calibration {
    Calibration {
        law: EditLaw::RANDOM,
        c: 0.1,
        kappa: 0.8,
        beta: 0.9,
        rho: 0.2,
        tau2: 0.05,
        between: 0.5,
        r_squared: None,
        spread_correlation: None,
        texts: 0,
        copies: 0,
    }
}

/// Five texts, three copies, two rivals.
fn observed(margins: [[[f64; 2]; 3]; 5]) -> Vec<Observed> {
    let m = [[1.64, 0.88], [0.4, 0.66], [0.33, 1.39], [0.78, 0.4], [1.1, 1.35]];
    let mean = [[-0.396, -0.237], [0.195, -0.597], [-0.138, -0.03], [0.378, 0.207], [-0.099, -0.111]];
    let variance = [[0.35, 1.62], [0.53, 0.4], [0.45, 0.22], [0.3, 1.21], [0.11, 0.54]];
    let deviation = [
        [[0.69, 0.83], [-0.01, 0.85], [-0.2, 1.34]],
        [[0.0, 0.37], [-0.94, 0.22], [-1.23, -1.29]],
        [[-0.2, -0.42], [0.11, 1.05], [-0.56, -0.29]],
        [[0.11, 0.54], [-0.1, -0.23], [0.38, 0.57]],
        [[-0.34, -0.06], [0.01, -0.77], [0.09, -0.63]],
    ];
    (0..5)
        .map(|t| Observed {
            shifts: (0..2).map(|j| Shift { margin: m[t][j], mean: mean[t][j], variance: variance[t][j] }).collect(),
            linear: deviation[t].iter().map(|copy| (0..2).map(|j| m[t][j] + mean[t][j] + copy[j]).collect()).collect(),
            margins: margins[t].iter().map(|copy| copy.to_vec()).collect(),
        })
        .collect()
}

#[test]
fn five_scalars_as_the_reference_has_them() {
    let pooled = fit(
        &observed([
            [[2.36, 1.59], [1.53, 1.37], [1.32, 1.34]],
            [[0.35, 0.8], [-0.7, 0.82], [-0.82, -0.41]],
            [[-0.03, 1.42], [0.51, 1.9], [0.31, 1.72]],
            [[1.26, 1.04], [1.07, 0.22], [1.83, 0.99]],
            [[0.89, 1.14], [1.0, 0.42], [1.63, 0.87]],
        ]),
        Trust::Predicted,
    )
    .unwrap();
    close(pooled.c, 0.07327740473913359, "c");
    close(pooled.kappa, 0.6982669930873608, "kappa");
    close(pooled.beta, 0.9065759984988516, "beta");
    close(pooled.tau2, 0.0911712983213316, "tau2");
    close(pooled.rho, 0.0025723600147503985, "rho");
    close(pooled.r_squared.unwrap(), 0.6876946902114016, "R2");
    assert!((0.0..1.0).contains(&pooled.between));
    let pooled = fit(
        &observed([
            [[2.58, 1.54], [1.14, 1.17], [1.05, 1.95]],
            [[0.44, 0.52], [-0.97, 0.11], [0.79, -1.02]],
            [[-0.41, 1.33], [1.32, 1.75], [-0.19, 1.02]],
            [[0.41, 1.85], [1.1, 0.58], [1.13, 1.6]],
            [[0.75, 1.28], [0.86, 0.0], [1.65, 0.58]],
        ]),
        Trust::Predicted,
    )
    .unwrap();
    close(pooled.c, 0.014175600878056669, "c");
    close(pooled.kappa, 0.8626804068105408, "kappa");
    close(pooled.beta, 0.9187834643990411, "beta");
    close(pooled.tau2, 0.08671128468025706, "tau2");
    close(pooled.rho, 0.32878038483417743, "rho");
    close(pooled.r_squared.unwrap(), 0.442355186187576, "R2");
}

#[test]
fn copies_that_agree_move_the_refined_forecast() {
    let calibration = fixture_calibration();
    let shift = Shift { margin: 1.0, mean: -0.5, variance: 1.0 };
    // Calibrated mean 0.1 - 0.4; residual variance 0.2 + 0.05 = 0.25, half of it shared.
    let copy = |linear: f64, observed| (vec![linear], vec![observed]);
    // Two copies, each 0.6 below the calibrated line 0.7 + 0.9 (linear - 0.5).
    let (linear, margins) = [copy(0.5, 0.1), copy(1.5, 1.0)].into_iter().unzip();
    let refined = calibration.refine(&Observed { shifts: vec![shift], linear, margins }).unwrap();
    // Trust = 0.125 / (0.125 + 0.125 / 2) = 2/3: the mean falls by 0.4; variance 0.81 + 0.125 + 0.125 / 3.
    close(refined.mean, -0.3 - 0.4, "mean");
    close(refined.spread * refined.spread, 0.81 + 0.125 + 0.125 / 3.0, "variance");
    let none = Observed { shifts: vec![shift], linear: vec![], margins: vec![] };
    assert_eq!(calibration.refine(&none), calibration.forecast(&[shift]));
}

#[test]
fn the_forecast_of_a_linear_model_is_what_counting_finds() {
    // The label is the sign of a sum of 40 numbers of which 12 are redrawn: nearly normal, and exactly linear.
    let table: Vec<Vec<f32>> = (0..26).map(|at| vec![((at * 11 % 26) as f32 - 12.5) / 8.0]).collect();
    let model = Linear::new(1, vec![1.0, -1.0], vec![2.0, -2.0]).with_words(table);
    let vocabulary = Vocabulary::of(&model).unwrap();
    let law = EditLaw::new(crate::Draw::Random, 0.3, 0.3).unwrap();
    let text = "the quick brown fox jumps over the lazy dog and so on";
    let named = [NamedInput { id: "fox", input: text.into() }];
    let points = model.embed(&[text.into()]).unwrap();
    let surveys = survey(&model, &points, Space::Tokens).unwrap();
    let forecaster = Forecaster { model: &model, vocabulary: &vocabulary, law, calibration: None, refine: 0, seed: 0 };
    let forecast = forecaster.forecasts(&named, &points, &surveys).unwrap()[0].unwrap();
    let counted = flip_counts(&model, &named, &vocabulary, &law, 4000, 0).unwrap()[0].rate().unwrap();
    assert!((0.02..0.98).contains(&counted), "{counted}");
    assert!((forecast.probability - counted).abs() < 0.03, "{forecast:?} against {counted}");
    // Calibrated on exact lines, the scalars say so.
    let texts: Vec<NamedInput<'_>> = text.split(' ').map(|word| NamedInput { id: word, input: word.into() }).collect();
    let calibrated = Forecaster::calibrated(&model, &vocabulary, law, &texts, 0).unwrap();
    let scalars = calibrated.calibration.clone().unwrap();
    assert!(scalars.c.abs() < 1e-4 && (scalars.kappa - 1.0).abs() < 1e-4 && (scalars.beta - 1.0).abs() < 1e-4);
    assert!(scalars.r_squared.unwrap() > 0.999_999, "{scalars:?}");
    let same = calibrated.forecasts(&named, &points, &surveys).unwrap()[0].unwrap();
    assert!((same.probability - forecast.probability).abs() < 1e-3, "{same:?} {forecast:?}");
    let refined = Forecaster { refine: 4, ..calibrated };
    let same = refined.forecasts(&named, &points, &surveys).unwrap()[0].unwrap();
    assert!((same.probability - forecast.probability).abs() < 1e-3, "{same:?} {forecast:?}");
}

#[test]
fn a_text_without_words_has_no_forecast() {
    let model = Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words(vec![vec![1.0]]);
    let vocabulary = Vocabulary::of(&model).unwrap();
    let points = model.embed(&["".into()]).unwrap();
    let surveys = survey(&model, &points, Space::Tokens).unwrap();
    let named = [NamedInput { id: "0", input: "".into() }];
    let forecaster = Forecaster {
        model: &model,
        vocabulary: &vocabulary,
        law: EditLaw::RANDOM,
        calibration: None,
        refine: 0,
        seed: 0,
    };
    assert_eq!(forecaster.forecasts(&named, &points, &surveys).unwrap(), [None]);
    assert!(Forecaster::calibrated(&model, &vocabulary, EditLaw::RANDOM, &named, 0).is_err());
}
