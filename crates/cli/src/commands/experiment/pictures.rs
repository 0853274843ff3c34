//! The pictures of the experiments, as SVG files in the user's folder.

use std::path::Path;

use fissure_geometry::gaussians::{ToyPoint, ToyReport};
use fissure_geometry::{BySize, Fragility, Groups, Histogram, PairsReport, TextPoint};
use fissure_report::Chart;
use fissure_report::charts::{self, Curve, Curves, GaussianPoint, Scatter, ScatterPoint, Unit, WIDE, curves, scatter};
use fissure_statistics::Estimate;

use super::write;
use crate::Result;
use crate::args::Force;

/// The number of points whose eigenvectors are drawn, as in the papers.
const DIRECTIONS: usize = 20;

pub fn fragility(folder: Option<&Path>, found: &Fragility, force: Force) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let dots = |title: &str, x_axis: &str, y_axis: &str, place: &dyn Fn(&TextPoint) -> Option<(f64, f64)>| {
        let point = |(number, text): (usize, &TextPoint)| {
            let (x, y) = place(text)?;
            Some(ScatterPoint { id: number.to_string(), x, y, class: 0 })
        };
        let points: Vec<ScatterPoint> = found.points.iter().enumerate().filter_map(point).collect();
        let data = Scatter { title, x_axis, y_axis, x_log: false, y_log: false, classes: &["text"], points: &points };
        scatter(&data, WIDE)
    };
    let (lambda, p_flip) = ("log lambda_max", "share of edited copies that flip the answer");
    save(
        folder,
        "p_flip",
        &dots("lambda_max and edits", lambda, p_flip, &|t| Some((t.log_lambda_max, t.p_flip))),
        force,
    )?;
    let forecast = dots("The forecast and edits", "flip forecast", p_flip, &|text| Some((text.forecast, text.p_flip)));
    save(folder, "forecast", &forecast, force)?;
    let step = "smallest step along e_max that flips the answer";
    save(folder, "eta", &dots("lambda_max and steps", lambda, step, &|t| Some((t.log_lambda_max, t.eta?))), force)?;
    match &found.groups {
        Some(groups) => {
            save(folder, "ends", &by_size(groups), force)?;
            save(folder, "steps", &by_norm(groups), force)
        }
        None => Ok(()),
    }
}

/// Accuracy of the n texts with the lowest and the highest lambda_max, as they are and after edits.
fn by_size(groups: &Groups) -> Chart {
    type Of = fn(&BySize) -> Option<Estimate>;
    let lines: [(&str, Of); 4] = [
        ("lowest, original", |size| size.lowest.clean),
        ("lowest, after edits", |size| size.lowest.edited),
        ("highest, original", |size| size.highest.clean),
        ("highest, after edits", |size| size.highest.edited),
    ];
    let curve = |(name, of): (&str, Of)| {
        let points = groups.by_size.iter().filter_map(|size| Some((size.each as f64, of(size)?)));
        Curve { name: name.to_owned(), points: points.collect() }
    };
    let lines: Vec<Curve> = lines.into_iter().map(curve).collect();
    accuracy("The texts with the lowest and the highest lambda_max", "texts of each end", true, &lines)
}

/// Accuracy after steps along e_max, and along random directions.
fn by_norm(groups: &Groups) -> Chart {
    let lines: Vec<Curve> = groups
        .curves
        .iter()
        .map(|curve| {
            let points = groups.norms.iter().zip(&curve.accuracy).filter_map(|(norm, share)| Some((*norm, (*share)?)));
            Curve { name: format!("{}, along {}", curve.end, curve.along), points: points.collect() }
        })
        .collect();
    accuracy("After a step in embedding space", "norm of the step", false, &lines)
}

fn accuracy(title: &str, x_axis: &str, x_log: bool, lines: &[Curve]) -> Chart {
    curves(&Curves { title, x_axis, y_axis: "accuracy", x_log, unit: Unit::Percent, curves: lines }, WIDE)
}

pub fn pairs(folder: Option<&Path>, found: &PairsReport, force: Force) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    if let Some(histogram) = &found.histogram {
        save(folder, "lambda", &distributions(histogram), force)?;
    }
    let values: Vec<f64> = found.pairs.iter().map(|pair| pair.original - pair.revised).collect();
    let data = charts::Histogram {
        title: "What the revision does to lambda_max",
        axis: "lambda_max of the original - of the revision",
        values: &values,
        bins: 40,
        log: false,
    };
    save(folder, "differences", &charts::histogram(&data, WIDE), force)
}

/// A line through the bins for each distribution: several sets of bars would hide each other.
fn distributions(histogram: &Histogram) -> Chart {
    let line = |series: &fissure_geometry::Series| {
        let width = (histogram.high - histogram.low) / series.shares.len().max(1) as f64;
        let point = |(bin, &share): (usize, &f64)| {
            (histogram.low + (bin as f64 + 0.5) * width, Estimate { value: share, low: share, high: share })
        };
        Curve { name: series.name.to_owned(), points: series.shares.iter().enumerate().map(point).collect() }
    };
    let lines: Vec<Curve> = histogram.series.iter().map(line).collect();
    let data = Curves {
        title: "Distributions of lambda_max",
        x_axis: "log lambda_max",
        y_axis: "share of the texts",
        x_log: false,
        unit: Unit::Percent,
        curves: &lines,
    };
    curves(&data, WIDE)
}

pub fn gaussians(folder: Option<&Path>, found: &ToyReport, force: Force) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let mut lambdas: Vec<f64> = found.points.iter().map(|point| point.lambda_max).collect();
    lambdas.sort_by(|a, b| b.total_cmp(a));
    let least = lambdas.get(DIRECTIONS - 1).copied().unwrap_or(0.0);
    let point = |point: &ToyPoint| GaussianPoint {
        x: point.point.x[0],
        y: point.point.x[1],
        value: point.lambda_max,
        direction: if point.lambda_max >= least { (point.e_max[0], point.e_max[1]) } else { (0.0, 0.0) },
    };
    let points: Vec<GaussianPoint> = found.points.iter().map(point).collect();
    let title = "Fragility lies along the boundary: lambda_max, and e_max of the 20 largest";
    save(folder, "gaussians", &charts::gaussians(&points, title, "lambda_max", WIDE), force)
}

fn save(folder: &Path, name: &str, chart: &Chart, force: Force) -> Result<()> {
    write(&folder.join(name).with_extension("svg"), chart.svg.as_bytes(), force)
}
