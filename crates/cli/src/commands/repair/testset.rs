//! `fissure repair testset`

use std::path::Path;

use fissure_core::Chain;
use fissure_data::{Format, Writer};
use fissure_probes::TRANSFORMS;
use fissure_repair::testset::{TestsetOptions, testset};
use serde_json::json;

use super::known;
use crate::args::{Help, TestsetArgs};
use crate::commands::outputs::Inputs;
use crate::commands::{data, examples, lend, remote};
use crate::ui::{self, Ui};
use crate::{Error, Result};

pub fn run(args: &TestsetArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and([&args.model]).and(&args.encoder);
    inputs.check(args.out.as_deref(), args.force.existing())?;
    let layout = examples::classified(data::layout(&args.data)?)?;
    let model = remote::classifier(&args.model, layout.card.name, &args.remote, None)?;
    let parts: Vec<Chain> =
        args.parts.iter().map(|name| Chain::build(&TRANSFORMS, name, &[])).collect::<fissure_core::Result<_>>()?;
    if let Some((part, need)) = parts.iter().find_map(Chain::lacks) {
        return Err(Error::Lacks { part, advice: need.advice() });
    }
    let aids = lend::help(&Help { encoder: args.encoder.clone(), ..Help::default() }, &args.data)?;
    let options = TestsetOptions {
        examples: args.examples,
        forms: args.forms,
        parts,
        keeps: lend::keeps(&args.keep, &aids)?,
        aids,
        round: args.round,
        seed: args.seed,
    };
    let set = known(&args.data, &args.data.data, &*model, &args.labels, ui)?;
    let busy = ui::busy("mining fragile examples");
    let found = testset(&*model, &set, &options)?;
    drop(busy);
    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    // Provenance has parts of its own, which only JSON can hold as they are.
    let mut writer = Writer::create(path, Some(Format::Jsonl), layout, args.force.existing())?;
    for row in &found.rows {
        let mut line = fissure_data::Row::default();
        line.push("id", row.sample.id.as_str());
        line.0.extend(layout.row(&row.sample).0.into_iter().filter(|(name, _)| &**name != "id"));
        writer.write_row(&line, &row.sample.id)?;
    }
    writer.finish()?;
    let flips = found.rows.iter().filter(|row| row.flips).count();
    if ui.json {
        let summary = json!({
            "rows": found.rows.len(), "flips": flips, "made": found.made, "refused": found.refused,
            "mined_by": found.mined_by, "round": args.round,
        });
        ui::note(&summary.to_string());
    } else {
        let refused: Vec<String> =
            found.refused.iter().map(|(name, count)| format!(", {count} refused by {name}")).collect();
        ui::note(&format!(
            "round {}: {} rows from {} fragile examples (by {}); {flips} turn the answer; {} forms were made{}",
            args.round,
            found.rows.len(),
            args.examples.min(set.len()),
            found.mined_by,
            found.made,
            refused.concat()
        ));
    }
    Ok(())
}
