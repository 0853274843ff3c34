//! `fissure repair augment`

use std::path::Path;

use fissure_core::Chain;
use fissure_data::Writer;
use fissure_models::remote::is_remote;
use fissure_probes::TRANSFORMS;
use fissure_repair::augment::{COLUMN, Change, Frozen, compare, enrich, hurtful};
use fissure_repair::{SOURCE, School, source};
use serde_json::{Value, json};

use super::{estimate, known, learnt, watching};
use crate::args::AugmentArgs;
use crate::commands::outputs::{self, Inputs};
use crate::commands::{data, examples, experiment, gate};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};

pub fn run(args: &AugmentArgs, ui: Ui) -> Result<()> {
    let task = examples::classified(data::task(&args.data)?)?;
    if let Some(name) = args.model.as_ref().filter(|name| is_remote(name)) {
        return Err(Error::NotOurs { model: name.clone() });
    }
    let inputs = Inputs::of(&args.data).and(&args.test).and(&args.model).and_paths(args.findings.as_deref());
    inputs.check([&*args.out], args.force.existing())?;
    if let Some(folder) = &args.save {
        inputs.refuse([&**folder])?;
        // Said now, not after the training.
        drop(outputs::model_folder(folder, args.force.existing())?);
    }
    let names = match &args.findings {
        Some(path) => hurtful(&gate::read(path)?, args.most)?,
        None => args.parts.clone(),
    };
    let chains: Vec<Chain> =
        names.iter().map(|name| Chain::build(&TRANSFORMS, name, &[])).collect::<fissure_core::Result<_>>()?;
    for chain in &chains {
        if let Some((part, need)) = chain.lacks() {
            return Err(Error::Lacks { part, advice: need.advice() });
        }
        if let Some((card, why)) = chain.cards().find_map(|card| Some((card, card.refuses(&task.facts)?))) {
            return Err(Error::WrongTask { part: card.name, task: task.name(), why });
        }
    }
    let before = args.model.as_deref().map(examples::model).transpose()?;
    // A model that is retrained keeps its labels, whatever the data calls them.
    let (labels, training) = match &before {
        Some(model) => {
            let training = known(&args.data, &args.data.data, &**model, &args.labels, ui)?;
            (model.offers().labels.clone(), training)
        }
        None => {
            let (labels, training, _) = learnt(&args.data, &args.data.data)?;
            (labels, training)
        }
    };
    let busy = ui::busy("augmenting");
    let enriched = enrich(&training, &chains, args.share, args.seed);
    let mut writer = Writer::create(&args.out, None, task, args.force.existing())?;
    for sample in &enriched.set.samples {
        // Every row has the column, or a table could not be written.
        let mut row = task.row(sample);
        if row.get(COLUMN).is_none() {
            row.push(COLUMN, Value::Null);
        }
        if row.get(SOURCE).is_none() {
            row.push(SOURCE, source(sample).as_ref());
        }
        writer.write_row(&row, &sample.id)?;
    }
    writer.finish()?;

    let mut changes: Vec<Change> = Vec::new();
    if let (Some(name), Some(before)) = (&args.model, &before) {
        let school = School::like(Path::new(name), args.seed)?;
        let mut watch = watching();
        let after = school
            .teach(&enriched.set.examples(), &Default::default(), &labels, &mut |step| watch("retrained", step))?;
        if let Some(folder) = &args.save {
            let folder = outputs::model_folder(folder, args.force.existing())?;
            after.save(folder.path())?;
            folder.finish()?;
        }
        let retrained = after.model();
        let test = known(&args.data, &args.test, &**before, &args.labels, ui)?;
        // What the copies bring is told apart from what more training brings.
        let plain = school
            .teach(&training.examples(), &Default::default(), &labels, &mut |step| watch("without the copies", step))?
            .model();
        let frozen = Frozen::new(&test, &chains, args.seed);
        changes = compare(&**before, Some(&*plain), &*retrained, &frozen)?;
    }
    drop(busy);
    show(args, training.len(), &enriched.made, &changes, ui)
}

fn show(args: &AugmentArgs, samples: usize, made: &[(String, usize)], changes: &[Change], ui: Ui) -> Result<()> {
    if ui.json {
        return experiment::show(
            ui,
            &json!({ "samples": samples, "made": made, "changes": changes, "out": args.out }),
            String::new,
        );
    }
    let list: Vec<String> = made.iter().map(|(name, count)| format!("{count} by {name}")).collect();
    ui::note(&format!("{samples} samples and {} changed copies to {}", list.join(", "), args.out.display()));
    if changes.is_empty() {
        return Ok(());
    }
    let rows: Vec<Vec<String>> = changes
        .iter()
        .map(|change| {
            vec![
                change.group.clone(),
                change.samples.to_string(),
                estimate(&change.before, 100.0),
                change.control.as_ref().map_or_else(|| "-".into(), |control| estimate(control, 100.0)),
                estimate(&change.after, 100.0),
                format!("+{} -{}", change.mended, change.broken),
                format!("{:.1e}", change.p_holm),
            ]
        })
        .collect();
    let head = [
        "test variants",
        "samples",
        "accuracy before, %",
        "retrained without copies, %",
        "after, %",
        "answers",
        "p (McNemar, Holm)",
    ];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))
}
