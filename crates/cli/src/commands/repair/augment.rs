//! `fissure repair augment`: training data with changed copies, and a retrained model.

use std::path::Path;

use fissure_core::{Chain, Dice, Resources};
use fissure_data::Writer;
use fissure_evaluate::{Findings, PartFinding, RUN_FILE};
use fissure_models::remote::is_remote;
use fissure_probes::TRANSFORMS;
use fissure_repair::augment::{COLUMN, Change, Frozen, check_kept, compare, enrich, hurtful};
use fissure_repair::{SOURCE, Trainer, source};
use serde_json::{Value, json};

use super::{check_on, estimate, found_attacks, known, training_sets, warn_of_shared, watching};
use crate::args::AugmentArgs;
use crate::commands::experiment;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::gate;
use fissure_kit::outputs::{self, Inputs};
use fissure_kit::resume::draft_of;
use fissure_kit::{classes, data, resources, stop};

pub fn run(args: &AugmentArgs, ui: Ui) -> Result<()> {
    let task = classes::classified(data::task(&args.data)?)?;
    if let Some(name) = args.model.as_ref().filter(|name| is_remote(name)) {
        return Err(Error::NotOurs { model: name.clone() });
    }
    let run = args.findings.as_deref().map(|findings| findings.with_file_name(RUN_FILE));
    let read = args.findings.as_deref().into_iter().chain(run.as_deref());
    let inputs = Inputs::of(&args.data).and(&args.test).and(&args.model).and_paths(read);
    let inputs = inputs.and_paths([&args.attacks, &args.test_attacks].into_iter().flatten().map(|path| &**path));
    inputs.check([&*args.out], args.force.existing())?;
    if let Some(folder) = &args.save {
        inputs.refuse([&**folder])?;
        // Said now, not after the training.
        drop(outputs::model_folder(folder, args.force.existing())?);
    }
    let found = args.attacks.as_deref().map(found_attacks).transpose()?;
    let found_on_test = args.test_attacks.as_deref().map(found_attacks).transpose()?;
    let chains: Vec<Chain> = match &args.findings {
        Some(path) => {
            let found = gate::read_run(path)?;
            note_other_model(&found, args.model.as_deref())?;
            // As they were set in the run, and under the names that they had there.
            let build =
                |part: &&PartFinding| Ok(Chain::build(&TRANSFORMS, part.parts(), &part.settings())?.called(&part.name));
            hurtful(&found, args.most)?.iter().map(build).collect::<Result<_>>()?
        }
        None => {
            let build = |name: &String| Chain::build(&TRANSFORMS, name, &[]);
            args.parts.iter().map(build).collect::<fissure_core::Result<_>>()?
        }
    };
    for chain in &chains {
        if let Some((part, need)) = chain.lacks() {
            return Err(fissure_kit::Error::Lacks { part, advice: need.advice() }.into());
        }
        if let Some((card, why)) = chain.cards().find_map(|card| Some((card, card.refuses(&task.facts)?))) {
            return Err(fissure_kit::Error::WrongTask { part: card.name, task: task.name(), why }.into());
        }
    }
    check_kept(&chains, &task.facts)?;
    let keep = resources::thresholds(&args.keep, &Resources::default())?;
    let before = args.model.as_deref().map(classes::model).transpose()?;
    // A model that is retrained keeps its labels, whatever the data calls them.
    let (labels, training) = match &before {
        Some(model) => {
            let training = known(&args.data, &args.data.files, &**model, &args.labels)?;
            (model.capabilities().labels.clone(), training)
        }
        None => {
            let (labels, training, _) = training_sets(&args.data, &args.data.files)?;
            (labels, training)
        }
    };
    if let (Some(found), Some(folder)) = (&found, &args.attacks) {
        check_on(found, folder, &training, &args.data.files)?;
    }
    let test =
        before.as_ref().map(|before| known(&args.data.unlimited(), &args.test, &**before, &args.labels)).transpose()?;
    let stopped =
        format!("stopped: {} is as it was, and nothing is kept; augmenting cannot be continued", args.out.display());
    stop::say(stopped.clone());
    let busy = ui::busy("augmenting");
    let mut enriched = enrich(&training, &chains, &keep, args.share, args.seed);
    if let Some(found) = &found {
        enriched.add_found(&training, found);
    }
    let mut writer = Writer::create(&args.out, None, task, args.force.existing())?;
    stop::say_and_remove(stopped, Some(draft_of(&args.out)));
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
    let mut changes: Vec<Change> = Vec::new();
    let mut retrained_model = None;
    if let (Some(name), Some(before), Some(test)) = (&args.model, &before, &test) {
        let trainer = Trainer::like(Path::new(name), seed_apart(Path::new(name), args.seed)?)?;
        let mut watch = watching();
        let after = trainer
            .teach(&enriched.set.examples(), &Default::default(), &labels, &mut |step| watch("retrained", step))?;
        let retrained = after.model();
        warn_of_shared(&training, test);
        // Separates the effect of the copies from that of more training.
        let plain = trainer
            .teach(&training.examples(), &Default::default(), &labels, &mut |step| watch("without the copies", step))?
            .model();
        let mut frozen = Frozen::new(test, &chains, &keep, args.seed);
        if let Some(found) = &found_on_test {
            frozen.add_found(test, found);
        }
        changes = compare(&**before, Some(&*plain), &*retrained, &frozen)?;
        retrained_model = Some(after);
    }
    drop(busy);
    // Both at the end: a command that is stopped leaves nothing that is in the way of the next.
    writer.finish()?;
    stop::say(format!("stopped: {} is whole, and the model is not", args.out.display()));
    if let (Some(folder), Some(model)) = (&args.save, retrained_model) {
        let folder = outputs::model_folder(folder, args.force.existing())?;
        model.save(folder.path())?;
        folder.finish()?;
    }
    let attack = found_on_test.as_ref().map(|found| found.name.as_str());
    show(args, training.len(), &enriched.made, &changes, attack, ui)
}

/// The seed that both models are trained with. The model before may have been made with the same data and the user's seed: the one without
/// copies would then be that very model, and with texts that were chosen because it fails on them, any other seed would look
/// like a cure. So the seed also follows from the weights of the model before.
fn seed_apart(model: &Path, seed: u64) -> Result<u64> {
    let weights = model.join("model.safetensors");
    let sum = if weights.is_file() { outputs::sha256(&weights)? } else { String::new() };
    Ok(Dice::new(seed, &["augment", "training", &sum]).below(1 << 31) as u64)
}

/// What texts that an attack found can show, and the command that shows the rest.
fn about_found(args: &AugmentArgs, attack: &str) -> String {
    let mut words = attack.split(" -");
    let recipe = words.next().unwrap_or_default();
    let without: String = words.map(|name| format!(" --without {name}")).collect();
    let model = args.save.as_ref().map_or_else(|| "RETRAINED".to_owned(), |folder| folder.display().to_string());
    format!(
        "The texts of `attack {attack}` were chosen because the model before gets them wrong: compare what came of the copies with the model \
         retrained without them, and attack the new model afresh, which may break by other changes: `fissure attack --model {model} --data \
         {}{} --recipe {recipe}{without} --out again`{}",
        args.test.join(" "),
        args.data.task.as_ref().map_or_else(String::new, |task| format!(" --task {task}")),
        if args.save.is_none() { " (--save keeps it)" } else { "" },
    )
}

fn show(
    args: &AugmentArgs,
    samples: usize,
    made: &[(String, usize)],
    changes: &[Change],
    attack: Option<&str>,
    ui: Ui,
) -> Result<()> {
    let selected = attack.filter(|_| !changes.is_empty()).map(|attack| about_found(args, attack));
    if ui.json {
        return experiment::show(
            ui,
            &json!({ "samples": samples, "made": made, "changes": changes, "out": args.out, "selected": selected }),
            String::new,
        );
    }
    let list: Vec<String> = made.iter().map(|(name, count)| format!("{count} by {name}")).collect();
    let copies: usize = made.iter().map(|(_, count)| count).sum();
    let copies = if copies == 1 { "1 changed copy".to_owned() } else { format!("{copies} changed copies") };
    ui::note(&format!("{samples} samples and {copies} ({}) are in {}", list.join(", "), args.out.display()));
    if let Some(folder) = &args.save {
        ui::note(&format!("the retrained model is in {}", folder.display()));
    }
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
                format!("+{} -{}", change.fixed, change.broken),
                ui::p_value(change.p_holm),
            ]
        })
        .collect();
    let head = [
        "test variants",
        "samples",
        "accuracy before, %",
        "retrained without copies, %",
        "after, %",
        "with the copies and without",
        "p (McNemar, Holm)",
    ];
    ui::print(&format!("{}\n", table(&head, &rows))).map_err(Error::writing("standard output"))?;
    if let Some(selected) = selected {
        ui::note(&ui::wrapped(&selected, ""));
    }
    Ok(())
}

/// Says if the findings are of another model than the one that is trained again: what hurts the one may not hurt the other.
fn note_other_model(found: &Findings, model: Option<&str>) -> Result<()> {
    let (Some(model), then) = (model, &found.about.model) else { return Ok(()) };
    let same = then.is_in(&classes::model_directory(model)?).map_err(fissure_kit::Error::from)?;
    if !same {
        let then = match then.name == model {
            true => format!("{model} as it was then, with other weights"),
            false => format!("{}, not of {model}", then.name),
        };
        ui::note(&format!("the parts that hurt most are those of {then}"));
    }
    Ok(())
}
