//! `fissure experiment fragility`: which score predicts what edits do?

use fissure_geometry::{EditLaw, Fragility, FragilityOptions, Groups, Vocabulary, fragility};
use fissure_kit::outputs::Inputs;
use fissure_statistics::Correlation;

use super::{check, papers, percent, pictures, show, write_numbers};
use crate::args::{FragilityArgs, Law};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;

/// Texts measured unless the user says otherwise: each is asked a hundred times and more.
const USUAL_LIMIT: usize = 500;

pub fn run(args: &FragilityArgs, ui: Ui) -> Result<()> {
    check(
        &Inputs::of(&args.data).and([&args.model]),
        args.out.as_deref(),
        &["fragility.json", "p_flip.svg", "forecast.svg", "eta.svg", "ends.svg", "steps.svg"],
        args.force,
    )?;
    let model = classes::model_reading(&args.model, args.max_length)?;
    let what = "this experiment";
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what })?;
    let Read { samples, survey, .. } = classes::read(&args.data, USUAL_LIMIT)?;
    let map = labels::matched(&*model, &survey, &args.labels)?;
    labels::announce("the data", &map);
    let labels = classes::gold(&map, &samples);
    let law = match args.law {
        Law::Random => EditLaw::RANDOM,
        Law::Neighbours => EditLaw::NEIGHBOURS,
    };
    let options = FragilityOptions { law, copies: args.copies, seed: args.seed };
    let busy = ui::busy("measuring fragility");
    let found = fragility(inside, &classes::named(&samples), &labels, &Vocabulary::of(inside)?, &options)?;
    drop(busy);
    write_numbers(args.out.as_deref(), "fragility", &found, args.force)?;
    pictures::fragility(args.out.as_deref(), &found, args.force)?;
    show(ui, &found, || shown(&found, samples.len()))
}

fn shown(found: &Fragility, read: usize) -> String {
    let mut shown = format!(
        "{} texts, {} edited copies each{}; on average {:.1} % of the copies flip the answer; for {:.1} % of the texts no \
         step along e_max does.\n\n{}\n\n{}\n",
        found.texts,
        found.copies,
        match read.saturating_sub(found.texts) {
            0 => String::new(),
            others => format!(" ({others} others calibrated the forecast or gave nothing to measure)"),
        },
        100.0 * found.mean_p_flip,
        100.0 * found.censored,
        correlations(found),
        table(
            &["the papers' lambda_max", "", "r with p_flip", "p", "r with eta", "p"],
            &papers::rows(&papers::CORRELATIONS)
        ),
    );
    match &found.groups {
        Some(groups) => shown += &ends(groups),
        None => shown += "\nAccuracy is not measured: too few texts have a label that the model knows.\n",
    }
    shown
}

fn correlations(found: &Fragility) -> String {
    let number = |c: Option<Correlation>| c.map_or_else(|| "-".into(), |c| format!("{:+.2}", c.r));
    let chance = |c: Option<Correlation>| c.map_or_else(|| "-".into(), |c| format!("{:.1e}", c.p));
    let rows: Vec<Vec<String>> = found
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
                chance(row.eta),
                number(row.eta_ranks),
            ]
        })
        .collect();
    let head = ["score", "r with p_flip", "p", "Spearman", "beyond margin", "r with eta", "p", "Spearman"];
    table(&head, &rows)
}

/// Accuracy of the texts at both ends of lambda_max.
fn ends(groups: &Groups) -> String {
    let sizes: Vec<Vec<String>> = groups
        .by_size
        .iter()
        .map(|size| {
            let mut row = vec![size.each.to_string()];
            for end in [&size.lowest, &size.highest] {
                row.extend([percent(end.clean), percent(end.edited), percent(end.p_flip)]);
            }
            row
        })
        .collect();
    let head = [
        "texts of each end",
        "lowest: right, %",
        "after edits",
        "turned",
        "highest: right, %",
        "after edits",
        "turned",
    ];
    let steps: Vec<Vec<String>> = groups
        .norms
        .iter()
        .enumerate()
        .map(|(at, norm)| {
            let mut row = vec![norm.to_string()];
            row.extend(groups.curves.iter().map(|curve| percent(curve.accuracy[at])));
            row
        })
        .collect();
    let mut step_head = vec!["norm of the step".to_owned()];
    step_head.extend(groups.curves.iter().map(|curve| format!("{}, along {}", curve.end, curve.along)));
    let step_head: Vec<&str> = step_head.iter().map(String::as_str).collect();
    format!(
        "\nThe texts with the lowest and the highest lambda_max, with 95 % intervals:\n\n{}\n\n{}\n\nAfter a step in \
         embedding space, {} texts of each end, right in %:\n\n{}\n",
        table(&head, &sizes),
        table(&["the papers' share turned", "lowest", "highest"], &papers::rows(&papers::ENDS)),
        groups.stepped,
        table(&step_head, &steps),
    )
}
