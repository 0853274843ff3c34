//! `fissure trigger`: a few words that flip the answers when they stand before any text of a label.

use fissure_ask::LocalClassifier;
use fissure_attacks::{Error as AttackError, Target, Trigger, TriggerOptions, trigger};
use fissure_core::Sample;
use fissure_kit::{classes, data, labels};
use fissure_models::remote::is_remote;
use fissure_statistics::Estimate;
use serde_json::json;

use crate::ui::{self, Ui, table};
use crate::{Error, Result, args};

pub fn run(args: &args::Trigger, ui: Ui) -> Result<()> {
    let task = classes::classified(data::task(&args.data)?)?;
    if is_remote(&args.model) {
        return Err(Error::BlackBox { model: args.model.clone(), what: "a trigger" });
    }
    let model = classes::model(&args.model)?;
    let (mut samples, map) = labels::Stream::open(&args.data, task, &*model, &args.labels)?;
    labels::announce("the data", &map);
    let respondent = LocalClassifier::of(&args.model, None, model.into());
    let target = Target::new(&respondent);
    let missing = |label: &String| AttackError::NoLabel { label: label.clone(), known: target.labels().join(", ") };
    let wanted: Vec<usize> = match &args.label {
        None => (0..target.labels().len()).collect(),
        Some(label) => {
            let class = target.labels().iter().position(|known| known == label).or_else(|| map.index(label));
            vec![class.ok_or_else(|| missing(label))?]
        }
    };
    // Texts take turns: one makes the trigger, the next measures it.
    let most = args.texts as usize;
    let mut texts: Vec<[Vec<Sample>; 2]> = vec![[Vec::new(), Vec::new()]; target.labels().len()];
    while let Some(batch) = samples.next_batch()? {
        let gold = classes::gold(&map, &batch);
        for (sample, gold) in batch.into_iter().zip(gold) {
            if let Some([made, unseen]) = gold.and_then(|gold| texts.get_mut(gold)) {
                let next = if made.len() > unseen.len() { unseen } else { made };
                if next.len() < most {
                    next.push(sample);
                }
            }
        }
    }
    let options = TriggerOptions { words: args.words.into(), tried: args.tried.into(), beam: 3, rounds: 5 };
    let mut found: Vec<(&String, Trigger)> = Vec::new();
    for class in wanted {
        let [made, unseen] = &texts[class];
        if !made.is_empty() {
            let made = trigger(&target, (made, unseen), class, options, &ui::unwind_if_stopped)?;
            found.push((&target.labels()[class], made));
        }
    }
    let text = if ui.json {
        let all: Vec<_> = found.iter().map(|(label, found)| json!({ "label": label, "trigger": found })).collect();
        format!("{:#}\n", json!(all))
    } else {
        shown(&found)
    };
    ui::print(&text).map_err(Error::writing("standard output"))?;
    samples.report_rows();
    Ok(())
}

fn shown(found: &[(&String, Trigger)]) -> String {
    let share = |estimate: Option<Estimate>| {
        estimate.map_or_else(
            || "not measured".to_owned(),
            |e| format!("{:.1} ({:.1} to {:.1})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high),
        )
    };
    let row = |(label, found): &(&String, Trigger)| {
        vec![
            (*label).clone(),
            found.words.join(" "),
            share(found.made_after),
            share(found.unseen_before),
            share(found.unseen_after),
            found.unseen.to_string(),
        ]
    };
    let head = ["label", "trigger", "accuracy it was made on, %", "unseen, without, %", "unseen, with it, %", "texts"];
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    format!("{}\nintervals hold 95 % of the time (Wilson)\n", table(&head, &rows))
}
