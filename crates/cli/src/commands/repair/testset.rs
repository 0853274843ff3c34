//! `fissure repair testset`: perturbed fragile examples as a test set.

use std::path::Path;
use std::sync::Arc;

use fissure_core::{Chain, counted};
use fissure_data::{Format, Writer};
use fissure_probes::TRANSFORMS;
use fissure_repair::testset::{TestsetOptions, testset};
use fissure_settings::ResourceFiles;
use serde_json::json;

use super::{check_on, found_attacks, known};
use crate::Result;
use crate::args::TestsetArgs;
use crate::ui::{self, Ui};
use fissure_kit::outputs::Inputs;
use fissure_kit::remote::Asking;
use fissure_kit::{classes, data, resources, stop};

pub fn run(args: &TestsetArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data)
        .and([&args.model])
        .and(&args.encoder)
        .and(&args.remote.prompt)
        .and_paths(args.attacks.as_deref());
    inputs.check(args.out.as_deref(), args.force.existing())?;
    let task = classes::classified(data::task(&args.data)?)?;
    let asking = Asking::uncalibrated(&args.model, &args.data, &args.remote.settings(), None)?;
    let model = Arc::clone(&asking.model);
    let parts: Vec<Chain> =
        args.parts.iter().map(|name| Chain::build(&TRANSFORMS, name, &[])).collect::<fissure_core::Result<_>>()?;
    if let Some((part, need)) = parts.iter().find_map(Chain::lacks) {
        return Err(fissure_kit::Error::Lacks { part, advice: need.advice() }.into());
    }
    let resources =
        resources::open(&ResourceFiles { encoder: args.encoder.clone(), ..ResourceFiles::default() }, &args.data)?;
    let options = TestsetOptions {
        examples: args.examples,
        forms: args.forms,
        parts,
        found: args.attacks.as_deref().map(found_attacks).transpose()?,
        thresholds: resources::thresholds(&args.keep, &resources)?,
        resources,
        round: args.round,
        seed: args.seed,
    };
    let mut set = known(&args.data, &args.data.files, &*model, &args.labels)?;
    if let (Some(found), Some(folder)) = (&options.found, &args.attacks) {
        check_on(found, folder, &set, &args.data.files)?;
    }
    let long = set.keep_short(args.max_words);
    if long > 0 {
        ui::note(&format!(
            "{} left out, of more than {} words (--max-words N)",
            if long == 1 { "1 text is".to_owned() } else { format!("{long} texts are") },
            args.max_words
        ));
    }
    let left = args.out.as_ref().map_or_else(String::new, |out| format!("{} is as it was, and ", out.display()));
    stop::say(format!("stopped: {left}nothing is kept; a test set cannot be continued"));
    let progress = ui::question_progress(&asking, None);
    let found = testset(&*model, &set, &options)?;
    progress.finish();
    ui::end_asking(&asking, args.remote.patience.price, ui)?;
    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    // Provenance has parts of its own, which only JSON can hold as they are.
    let mut writer = Writer::create(path, Some(Format::Jsonl), task, args.force.existing())?;
    for row in &found.rows {
        let mut line = fissure_data::Row::default();
        line.push("id", row.sample.id.as_str());
        line.0.extend(task.row(&row.sample).0.into_iter().filter(|(name, _)| &**name != "id"));
        writer.write_row(&line, &row.sample.id)?;
    }
    writer.finish()?;
    let flips = found.rows.iter().filter(|row| row.flips).count();
    if ui.json {
        let summary = json!({
            "rows": found.rows.len(), "flips": flips, "made": found.made, "refused": found.refused,
            "mined_by": found.mined_by, "round": args.round, "too_long": long,
        });
        ui::note(&summary.to_string());
    } else {
        let refused: Vec<String> =
            found.refused.iter().map(|(name, count)| format!(", {count} refused by {name}")).collect();
        ui::note(&format!(
            "round {}: {} from {}; {flips} flip the answer; {} forms were made{}",
            args.round,
            counted(found.rows.len(), "row"),
            match &options.found {
                Some(attacks) => format!("{} that {} broke", counted(found.mined, "text"), attacks.name),
                None => format!("{} (by {})", counted(found.mined, "fragile example"), found.mined_by),
            },
            found.made,
            refused.concat()
        ));
    }
    Ok(())
}
