//! `fissure experiment pairs`: contrast sets and counterfactuals beside their originals.

use std::collections::BTreeMap;

use fissure_core::Sample;
use fissure_evaluate::LabelSurvey;
use fissure_geometry::{PairSummary, PairsReport, Side, SideReport, Training, pairs};
use fissure_kit::outputs::Inputs;
use fissure_models::weights::Config;
use serde_json::json;

use super::{caveats, check, papers, percent, pictures, show, write_numbers};
use crate::args::PairsArgs;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;
use fissure_settings::DataSource;

pub fn run(args: &PairsArgs, ui: Ui) -> Result<()> {
    let files = [&args.originals, &args.revised, &args.pairs, &args.reference, &args.train].into_iter().flatten();
    let inputs = Inputs::default().and([&args.model]).and(files);
    check(&inputs, args.out.as_deref(), &["pairs.json", "lambda.svg", "differences.svg"], args.force)?;
    let model = classes::model_reading(&args.model, args.max_length)?;
    let what = "this experiment";
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what })?;
    let (originals, revised, survey) = both_sides(args)?;
    let map = labels::matched(&*model, &survey, &args.labels)?;
    labels::announce("the pairs", &map);
    let reference = args.reference.as_ref().map(|file| read(args, file, Some(args.limit))).transpose()?;
    let training = args.train.as_ref().map(|file| read(args, file, None)).transpose()?;
    let training = training.map(|read| read.samples);
    let training = training.map(|samples| Training::new(samples.iter().map(|sample| classes::input(sample).text)));
    let (first, second) = (classes::named(&originals), classes::named(&revised));
    let (first_gold, second_gold) = (classes::gold(&map, &originals), classes::gold(&map, &revised));
    let reference = match &reference {
        None => None,
        Some(Read { samples, survey, .. }) => {
            let map = labels::matched(&*model, survey, &args.labels)?;
            labels::announce("the reference", &map);
            Some((samples, classes::gold(&map, samples)))
        }
    };
    let others = reference.map(|(samples, gold)| (classes::named(samples), gold));
    let busy = ui::busy("measuring the pairs");
    let found = pairs(
        inside,
        Side { texts: &first, labels: &first_gold },
        Side { texts: &second, labels: &second_gold },
        others.as_ref().map(|(texts, labels)| Side { texts, labels }),
        training.as_ref(),
    )?;
    drop(busy);
    write_numbers(args.out.as_deref(), "pairs", &found, args.force)?;
    pictures::pairs(args.out.as_deref(), &found, args.force)?;
    let names = [&args.originals, &args.revised, &args.pairs].into_iter().flatten();
    let sentences = caveats::sentences(&found, names.map(String::as_str), !is_small(&args.model)?);
    if ui.json {
        ui::note(&json!({ "against_the_paper": sentences }).to_string());
    }
    show(ui, &found, || format!("{}\n{}\n", shown(&found), sentences.join("\n")))
}

/// Whether the model is a small one, as the paper's CNN; else it is an encoder, as its BERT.
fn is_small(model: &str) -> Result<bool> {
    Ok(Config::open(&classes::model_directory(model)?)?.get("format").is_some())
}

/// The originals and, in the same order, their revisions; and the labels of both.
fn both_sides(args: &PairsArgs) -> Result<(Vec<Sample>, Vec<Sample>, LabelSurvey)> {
    match (&args.originals, &args.revised, &args.pairs) {
        (Some(originals), Some(revised), _) => {
            let (mut first, second) = (read(args, originals, None)?, read(args, revised, None)?);
            first.survey.extend(&second.survey);
            Ok((first.samples, second.samples, first.survey))
        }
        (_, _, pairs) => {
            let (file, column) = (pairs.as_deref().unwrap_or("-"), args.by.as_deref().unwrap_or(""));
            let Read { samples, survey, .. } = read(args, file, None)?;
            let (originals, revised) = joined(samples, file, column)?;
            Ok((originals, revised, survey))
        }
    }
}

/// Texts with the same value in a column belong together; the first is the original of all others.
fn joined(samples: Vec<Sample>, file: &str, column: &str) -> Result<(Vec<Sample>, Vec<Sample>)> {
    let mut firsts: BTreeMap<String, Sample> = BTreeMap::new();
    let (mut originals, mut revised) = (Vec::new(), Vec::new());
    for sample in samples {
        let Some((_, value)) = sample.extra.iter().find(|(name, _)| name.eq_ignore_ascii_case(column)) else {
            continue;
        };
        let key = value.to_string();
        match firsts.get(&key) {
            Some(first) => {
                originals.push(first.clone());
                revised.push(sample);
            }
            None => {
                firsts.insert(key, sample);
            }
        }
    }
    if originals.is_empty() {
        return Err(Error::NothingJoined { place: file.into(), column: column.into() });
    }
    Ok((originals, revised))
}

fn read(args: &PairsArgs, file: &str, limit: Option<usize>) -> Result<Read> {
    let data = DataSource {
        files: vec![file.to_owned()],
        task: Some(args.task.clone()),
        columns: args.columns.clone(),
        limit,
        ..DataSource::default()
    };
    Ok(classes::read(&data, usize::MAX)?)
}

fn shown(found: &PairsReport) -> String {
    let mut rows = vec![difference("all pairs", &found.all)];
    rows.extend(found.seen.as_ref().map(|seen| difference("original seen in training", seen)));
    rows.extend(found.unseen.as_ref().map(|unseen| difference("original not seen", unseen)));
    let head = ["", "pairs", "lambda: original - revised", "spread", "not harder, %", "overlap, %"];
    let mut sides = vec![side("originals", &found.originals), side("revised", &found.revised)];
    sides.extend(found.reference.as_ref().map(|reference| side("reference", reference)));
    let sides_head = ["", "texts", "median lambda_max", "right, %", "overlap with the reference, %"];
    format!(
        "{}\n\n{}\n\n{}\n\nThe papers' overlaps with IMDb: contrast sets 69.4 %, counterfactuals 73.6 %; not harder: \
         contrast sets about 70 %, counterfactuals 30 %.\n",
        table(&head, &rows),
        table(&["the papers", "", "mean", "spread"], &papers::rows(&papers::DIFFERENCES)),
        table(&sides_head, &sides),
    )
}

fn difference(name: &str, summary: &PairSummary) -> Vec<String> {
    let mean = summary.mean_difference;
    vec![
        name.to_owned(),
        summary.pairs.to_string(),
        format!("{:+.3} ({:+.3} to {:+.3})", mean.value, mean.low, mean.high),
        format!("{:.3}", summary.spread),
        percent(Some(summary.not_harder)),
        summary.overlap.map_or_else(|| "-".into(), |share| format!("{:.1}", 100.0 * share)),
    ]
}

fn side(name: &str, report: &SideReport) -> Vec<String> {
    vec![
        name.to_owned(),
        report.texts.to_string(),
        report.median_lambda_max.map_or_else(|| "-".into(), |lambda| format!("{lambda:.3e}")),
        percent(report.accuracy),
        report.overlap_with_reference.map_or_else(|| "-".into(), |share| format!("{:.1}", 100.0 * share)),
    ]
}
