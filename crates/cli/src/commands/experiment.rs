//! `fissure experiment`: the papers' experiments on any model and data, with the papers' figures beside ours.

mod salad;

use std::fs;
use std::path::Path;

use fissure_core::Sample;
use fissure_geometry::gaussians::{survey_plane, train, two_gaussians};
use fissure_geometry::{EditLaw, Fragility, FragilityOptions, Named, Vocabulary, fragility};
use fissure_statistics::Correlation;
use serde::Serialize;

use crate::args::{Experiment, FragilityArgs, GaussiansArgs, Law};
use crate::commands::{data, examples};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

/// Texts measured unless the user says otherwise: each is asked a hundred times and more.
const USUAL_LIMIT: usize = 500;
/// How long the toy's network learns.
const TOY_EPOCHS: usize = 300;

pub fn run(experiment: &Experiment, ui: Ui) -> Result<()> {
    match experiment {
        Experiment::Fragility(args) => run_fragility(args, ui),
        Experiment::Gaussians(args) => run_gaussians(args, ui),
        Experiment::WordSalad(args) => salad::run(args, ui),
    }
}

fn run_fragility(args: &FragilityArgs, ui: Ui) -> Result<()> {
    let layout = examples::classified(data::layout(&args.data)?)?;
    let model = examples::model(&args.model)?;
    let what = "this experiment";
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what })?;
    let mut samples = data::open_unlabelled(&args.data, layout)?;
    let limit = args.data.limit.unwrap_or(USUAL_LIMIT);
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, Some(limit), read.len())? {
        read.extend(batch);
    }
    let texts: Vec<Named<'_>> =
        read.iter().map(|sample| Named { id: &sample.id, input: examples::input(sample) }).collect();
    let law = match args.law {
        Law::Random => EditLaw::RANDOM,
        Law::Neighbours => EditLaw::NEIGHBOURS,
    };
    let options = FragilityOptions { law, copies: args.copies, seed: args.seed };
    let found = fragility(inside, &texts, &Vocabulary::of(inside)?, &options)?;
    write(args.out.as_deref(), &found)?;
    if ui.json {
        return print_json(&found);
    }
    ui::print(&shown(&found)).map_err(Error::writing("standard output"))
}

fn shown(found: &Fragility) -> String {
    let number = |c: Option<Correlation>| c.map_or_else(|| "-".into(), |c| format!("{:+.2}", c.r));
    let chance = |c: Option<Correlation>| c.map_or_else(|| "-".into(), |c| format!("{:.1e}", c.p));
    let mut rows: Vec<Vec<String>> = found
        .scores
        .iter()
        .map(|row| {
            vec![
                row.score.into(),
                number(row.p_flip),
                chance(row.p_flip),
                number(row.p_flip_ranks),
                number(row.p_flip_beyond_margin),
                number(row.eta),
                number(row.eta_ranks),
            ]
        })
        .collect();
    let papers = ["the papers' lambda_max", "0.21 to 0.38", "", "", "", "-0.19 to -0.41", ""];
    rows.push(papers.iter().map(|&cell| cell.to_owned()).collect());
    let head = ["score", "r with p_flip", "p", "Spearman", "beyond margin", "r with eta", "Spearman"];
    format!(
        "{} texts, {} edited copies each; on average {:.1} % of the copies turn the answer; for {:.1} % of the texts no \
         step along e_max does.\n\n{}\n",
        found.texts,
        found.copies,
        100.0 * found.mean_p_flip,
        100.0 * found.censored,
        table(&head, &rows),
    )
}

fn run_gaussians(args: &GaussiansArgs, ui: Ui) -> Result<()> {
    let points = two_gaussians(args.points as usize, args.seed);
    let found = survey_plane(&train(&points, TOY_EPOCHS, args.seed), &points)?;
    write(args.out.as_deref(), &found)?;
    if ui.json {
        return print_json(&found);
    }
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
    ui::print(&format!("{}\n", table(&[], &rows))).map_err(Error::writing("standard output"))
}

pub fn write(path: Option<&Path>, found: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let place = path.display().to_string();
    let text = serde_json::to_vec_pretty(found).map_err(|error| Error::writing(&*place)(error.into()))?;
    fs::write(path, text).map_err(Error::writing(place))
}

pub fn print_json(found: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(found).map_err(|error| Error::writing("standard output")(error.into()))?;
    ui::print(&(text + "\n")).map_err(Error::writing("standard output"))
}
