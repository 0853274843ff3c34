//! `fissure repair certify`: a model trained with bounds, and what is proved of its answers before and after.

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

use fissure_attacks::{AttackResources, Synonyms};
use fissure_core::counted;
use fissure_models::Model;
use fissure_models::remote::is_remote;
use fissure_models::train::{Architecture, TrainOptions};
use fissure_repair::certify::{Certified, CertifyOptions, Proved, compare, control, train};
use fissure_repair::{Trained, Trainer};
use fissure_settings::ResourceFiles;
use fissure_statistics::Estimate;
use serde_json::json;

use super::{estimate, known, warn_of_shared, watching};
use crate::args::CertifyArgs;
use crate::commands::experiment::{show, write_found};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::outputs::{self, Inputs};
use fissure_kit::{classes, resources};

pub fn run(args: &CertifyArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and(&args.test).and([&args.model]).and(&args.synonyms).and(&args.vectors);
    inputs.check(args.out.as_deref(), args.force.existing())?;
    if let Some(folder) = &args.save {
        inputs.refuse([&**folder])?;
        // Said now, not after the training.
        drop(outputs::model_folder(folder, args.force.existing())?);
    }
    if is_remote(&args.model) {
        return Err(Error::NotOurs { model: args.model.clone() });
    }
    let directory = classes::model_directory(&args.model)?;
    let options = options(args, &directory)?;
    let before: Arc<dyn Model> = classes::model(&args.model)?.into();
    let files = ResourceFiles { vectors: args.vectors.clone(), ..ResourceFiles::default() };
    let certify = CertifyOptions {
        edits: args.edits,
        weight: args.weight.unwrap_or_else(|| usual_weight(options.architecture)),
        ramp: args.ramp,
        resources: AttackResources {
            for_parts: resources::open(&files, &args.data)?,
            synonyms: synonyms(args)?,
            ..AttackResources::default()
        },
        seed: args.seed,
    };
    let training = known(&args.data, &args.data.files, &*before, &args.labels)?;
    let mut test = known(&args.data.unlimited(), &args.test, &*before, &args.labels)?;
    test.truncate(args.proofs);
    warn_of_shared(&training, &test);
    let mut watch = watching();
    let after: Trained = train(&before, &training, &options, &certify, &mut |step| watch("with bounds", step))?;
    if let Some(folder) = &args.save {
        let folder = outputs::model_folder(folder, args.force.existing())?;
        after.save(folder.path())?;
        folder.finish()?;
    }
    let busy = ui::busy("proving");
    let rows = compare(&before, &after.model(), &test, &certify)?;
    drop(busy);
    // If much is lost, what of it is lost with the data?
    let fell = rows.first().filter(|row| row.after.accuracy.value < row.before.accuracy.low);
    let control = match fell.filter(|_| certify.weight > 0.0) {
        Some(_) => {
            Some(control(&before, &training, &test, &options, &certify, &mut |step| watch("without bounds", step))?)
        }
        None => None,
    };
    let price = fell.map(|row| price(row, training.len(), certify.weight, control.as_ref()));
    let found = json!({ "model": args.model, "training": training.len(), "proofs": rows, "control": control });
    write_found(args.out.as_deref(), &found, args.force)?;
    if ui.json {
        return show(ui, &found, String::new);
    }
    ui::note(&format!("{}; {} training and {} test samples", args.model, training.len(), test.len()));
    ui::print(&shown(&rows)).map_err(Error::writing("standard output"))?;
    if let Some(folder) = &args.save {
        ui::note(&format!("the trained model is in {}", folder.display()));
    }
    if let Some(words) = price {
        ui::note(&ui::wrapped(&words, ""));
    }
    Ok(())
}

/// The recipe that the model was trained by, with what the user wants otherwise.
fn options(args: &CertifyArgs, directory: &std::path::Path) -> Result<TrainOptions> {
    let refused = || Error::NoBounds { model: args.model.clone() };
    let Trainer::Small(mut options) = Trainer::like(directory, args.seed)? else { return Err(refused()) };
    if options.architecture == Architecture::BiLstm {
        return Err(refused());
    }
    options.epochs = args.epochs.unwrap_or(options.epochs);
    options.rate = args.rate.unwrap_or(options.rate);
    Ok(options)
}

/// A bound is wider than the texts it stands for, and costs accuracy; the worst text itself, which is found for fasttext, hardly does.
/// Both were chosen on the texts of docs/experiments.md.
fn usual_weight(architecture: Architecture) -> f32 {
    if architecture == Architecture::FastText { 0.5 } else { 0.25 }
}

fn synonyms(args: &CertifyArgs) -> Result<Option<Arc<Synonyms>>> {
    let Some(path) = &args.synonyms else { return Ok(None) };
    let file = File::open(path).map_err(Error::reading(path.clone()))?;
    let bad = |why| Error::AttackFile { place: path.clone(), flag: "synonyms", why };
    Ok(Some(Arc::new(Synonyms::read(BufReader::new(file)).map_err(bad)?)))
}

fn shown(rows: &[Certified]) -> String {
    let line = |row: &Certified, name: &str, proved: &Proved| {
        let shares = [&proved.accuracy, &proved.certified, &proved.broken, &proved.open];
        let shares = shares.map(|share| estimate(share, 100.0)).to_vec();
        [vec![row.changes.clone(), name.to_owned()], shares].concat()
    };
    let lines: Vec<Vec<String>> =
        rows.iter().flat_map(|row| [line(row, "before", &row.before), line(row, "after", &row.after)]).collect();
    let head = ["changes", "", "accuracy, %", "certified, %", "broken, %", "open, %"];
    let words: String = rows
        .iter()
        .map(|row| {
            format!(
                "{}: {} texts are certified that were not, {} no longer are: {} points, McNemar's p {}\n",
                row.changes,
                row.gained,
                row.lost,
                estimate(&row.difference, 100.0),
                equals(&ui::p_value(row.p))
            )
        })
        .collect();
    format!("{}\n{words}", table(&head, &lines))
}

/// `= 0.031`, or `< 0.001` as it is.
fn equals(p: &str) -> String {
    if p.starts_with('<') { p.to_owned() } else { format!("= {p}") }
}

/// What the proofs cost where accuracy fell beyond its interval, and what the data cost: the model may have seen others before.
fn price(row: &Certified, samples: usize, weight: f32, control: Option<&Estimate>) -> String {
    let (before, after) = (row.before.accuracy.value, row.after.accuracy);
    let fell = format!("Accuracy fell by {:.1} points.", 100.0 * (before - after.value));
    let same = counted(samples, "sample");
    let other_data = "the model has probably seen other data, or more. Give the data that it was trained on.";
    let Some(control) = control else {
        return format!(
            "{fell} There were no bounds to lose it by (--weight 0), so it is the training on these {same}: {other_data}"
        );
    };
    let without = 100.0 * (before - control.value);
    if after.value >= control.low {
        return format!(
            "{fell} Trained on the same {same} without bounds, it falls by {without:.1} points, so it is not the bounds: \
             {other_data}"
        );
    }
    let of_data = if control.value < row.before.accuracy.low {
        format!(" Trained on the same {same} without bounds, it falls by {without:.1} points: {other_data}")
    } else {
        String::new()
    };
    format!(
        "{fell}{of_data} A lower --weight (it was {weight}) keeps more of it and proves less; more data and more --epochs help \
         both."
    )
}
