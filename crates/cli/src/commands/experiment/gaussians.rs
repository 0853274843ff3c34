//! `fissure experiment gaussians`: the papers' toy.

use fissure_geometry::gaussians::{ToyReport, survey_plane, train, two_gaussians};
use fissure_kit::outputs::Inputs;

use super::{check, pictures, show, write_numbers};
use crate::Result;
use crate::args::GaussiansArgs;
use crate::ui::{Ui, table};

/// How long the toy's network learns.
const EPOCHS: usize = 300;

pub fn run(args: &GaussiansArgs, ui: Ui) -> Result<()> {
    check(&Inputs::default(), args.out.as_deref(), &["gaussians.json", "gaussians.svg"], args.force)?;
    let points = two_gaussians(args.points as usize, args.seed);
    let found = survey_plane(&train(&points, EPOCHS, args.seed), &points)?;
    write_numbers(args.out.as_deref(), "gaussians", &found, args.force)?;
    pictures::gaussians(args.out.as_deref(), &found, args.force)?;
    show(ui, &found, || shown(&found))
}

fn shown(found: &ToyReport) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:+.2}"));
    let rows = [
        ("accuracy", format!("{:.3}", found.accuracy)),
        ("lambda_max against the distance to the boundary, Spearman", number(found.spearman_lambda_distance)),
        ("log lambda_max against that distance, Pearson", number(found.pearson_log_lambda_distance)),
        ("entropy against that distance, Spearman", number(found.spearman_entropy_distance)),
        ("lambda_max against the smallest step along e_max, Spearman", number(found.spearman_lambda_eta)),
        ("points that such a step flips", format!("{:.1} %", 100.0 * found.flipped)),
        ("how well e_max points at the boundary, mean |cosine|", format!("{:.2}", found.mean_cosine)),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
    format!("{}\n", table(&[], &rows))
}
