//! The papers' toy against the reference run: the same points, our own network.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::Path;

use fissure_geometry::gaussians::{PlanePoint, survey_plane, train};
use fissure_statistics::{pearson, spearman};
use serde_json::Value;

fn reference() -> Option<(Vec<Value>, Value)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden/gaussians");
    let (Ok(points), Ok(results)) = (
        std::fs::read_to_string(directory.join("fisher_toy.jsonl")),
        std::fs::read_to_string(directory.join("toy_results.json")),
    ) else {
        eprintln!("SKIPPED: the Gaussian toy: no shared/golden beside the workspace");
        return None;
    };
    Some((
        points.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        serde_json::from_str(&results).unwrap(),
    ))
}

fn column(points: &[Value], name: &str) -> Vec<f64> {
    points.iter().map(|point| point[name].as_f64().unwrap()).collect()
}

/// The correlations of the reference file are those that its makers found with SciPy.
#[test]
fn the_statistics_of_the_reference_run() {
    let Some((points, results)) = reference() else { return };
    let run = results.as_array().unwrap().iter().find(|run| {
        let rho = run["spearman_lam_dist"].as_f64().unwrap();
        (spearman(&column(&points, "lambda_max"), &column(&points, "dist_boundary")).unwrap().r - rho).abs() < 1e-9
    });
    let run = run.expect("one of the runs has these points");
    let logs: Vec<f64> = column(&points, "lambda_max").iter().map(|lambda| lambda.ln()).collect();
    let r = pearson(&logs, &column(&points, "dist_boundary")).unwrap().r;
    assert!((r - run["pearson_loglam_dist"].as_f64().unwrap()).abs() < 1e-9, "{r}");
    let rho = spearman(&column(&points, "lambda_max"), &column(&points, "eta_plus")).unwrap().r;
    assert!((rho - run["spearman_lam_eta"].as_f64().unwrap()).abs() < 1e-9, "{rho}");
}

/// On the reference points a network of our own shows what the ten tanh runs of the reference show.
#[test]
fn our_network_on_the_reference_points() {
    let Some((points, results)) = reference() else { return };
    let plane: Vec<PlanePoint> = points
        .iter()
        .map(|point| PlanePoint {
            x: [0, 1].map(|at| point["x"][at].as_f64().unwrap()),
            label: point["label"].as_u64().unwrap() as usize,
        })
        .collect();
    let report = survey_plane(&train(&plane, 200, 0), &plane).unwrap();
    let runs: Vec<&Value> =
        results.as_array().unwrap().iter().filter(|run| run["act"] == "tanh" && run["epochs"] == 200).collect();
    let range = |name: &str| {
        let values: Vec<f64> = runs.iter().map(|run| run[name].as_f64().unwrap()).collect();
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    };
    // Networks differ in size and start, so the range of five runs is widened by a tenth.
    let inside = |name: &str, found: f64| {
        let (low, high) = range(name);
        assert!(found > low - 0.1 && found < high + 0.1, "{name}: {found} outside {low} to {high}");
    };
    inside("acc", report.accuracy);
    inside("spearman_lam_dist", report.spearman_lambda_distance.unwrap());
    inside("pearson_loglam_dist", report.pearson_log_lambda_distance.unwrap());
    inside("flipped_frac", report.flipped);
    inside("mean_abs_cos", report.mean_cosine);
}
