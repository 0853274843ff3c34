//! `fissure repair mitigate`

use fissure_repair::NAMES;
use fissure_repair::mitigate::{MitigateOptions, Mitigation, Transfer, mitigate, transfer};
use serde_json::json;

use super::{estimate, learnt, school, watch};
use crate::args::MitigateArgs;
use crate::commands::experiment::{show, write_found};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

pub fn run(args: &MitigateArgs, ui: Ui) -> Result<()> {
    let (labels, training, test) = learnt(&args.data, &args.test)?;
    let school = school(&args.pupil)?;
    let destroyers = match args.destroyers.as_slice() {
        [] => NAMES.map(str::to_owned).to_vec(),
        named => named.to_vec(),
    };
    let options =
        MitigateOptions { destroyers, weights: args.weights.clone(), seed: args.pupil.seed, ..Default::default() };
    let found = mitigate(&school, &labels, &training, &test, &options, &mut watch)?;
    if let Some(folder) = &args.save {
        for (name, model) in ["baseline", "entropy", "invalid"].into_iter().zip(&found.models) {
            model.save(&folder.join(name))?;
        }
    }
    let moved = match args.transfer {
        true => transfer(&school, &labels, &training, &test, &options, &mut watch)?,
        false => Vec::new(),
    };
    let both = json!({ "model": school.name(), "mitigation": found, "transfer": moved });
    write_found(args.out.as_deref(), &both)?;
    if ui.json {
        return show(ui, &both, String::new);
    }
    ui::note(&format!("{}; {} training and {} test samples", school.name(), training.len(), test.len()));
    let text = format!("{}\n{}", shown(&found), shown_transfer(&moved));
    ui::print(&text).map_err(Error::writing("standard output"))
}

/// As the paper's Table 12, with intervals, and a column for each destroyer.
pub fn shown(found: &Mitigation) -> String {
    let mut head = vec!["", "right and kept, %", "nonsense recognised, %"];
    head.extend(found.destroyed.iter().map(|(name, _)| name.as_str()));
    let mut rows = vec![vec!["before".to_owned(), estimate(&found.baseline, 100.0), "-".to_owned()]];
    for row in &found.rows {
        let mut cells =
            vec![row.way.name().to_owned(), estimate(&row.accuracy, 100.0), estimate(&row.recognised, 100.0)];
        cells.extend(found.destroyed.iter().map(|(name, _)| {
            let share = row.by_destroyer.iter().find(|(other, _)| other == name);
            share.map_or_else(|| "-".into(), |(_, share)| format!("{:.1}", 100.0 * share.value))
        }));
        rows.push(cells);
    }
    format!("{}\n", table(&head, &rows))
}

fn shown_transfer(rows: &[Transfer]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut head = vec!["taught with", "right, %"];
    head.extend(first.recognised.iter().map(|(name, _)| name.as_str()));
    let cells = |row: &Transfer| {
        let mut cells = vec![row.taught.clone(), format!("{:.1}", 100.0 * row.accuracy.value)];
        cells.extend(row.recognised.iter().map(|(_, share)| format!("{:.1}", 100.0 * share.value)));
        cells
    };
    format!("\n{}\n", table(&head, &rows.iter().map(cells).collect::<Vec<_>>()))
}
