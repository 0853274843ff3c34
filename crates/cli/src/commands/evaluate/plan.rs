//! The plan, for people and programs.

use fissure_core::counted;
use fissure_evaluate::{Prepared, money};
use fissure_models::remote::{RemoteOptions, chat_texts, labels_of};
use fissure_settings::Price;
use serde::Serialize;
use serde_json::json;

use crate::ui::{self, Ui};
use crate::{Error, Result};

/// The plan in a line.
pub fn line(run: &Prepared) -> String {
    let left_out = match run.facts.left_out {
        0 => String::new(),
        count => format!(" ({count} left out: --where does not hold for them)"),
    };
    let bad = match run.facts.bad_rows.count {
        0 => String::new(),
        count => format!(" ({} could not be read and left out)", counted(count as usize, "row")),
    };
    let copies = match run.facts.repeated {
        0 => String::new(),
        count => format!(" ({count} with the same texts as one before them)"),
    };
    let shared = match run.facts.shared_ids {
        0 => String::new(),
        count => format!(" ({count} with the id of one before them, and so the same chance)"),
    };
    let piece = match run.header.shard {
        Some(shard) => format!(" in piece {shard}, of {}", run.facts.samples),
        None => String::new(),
    };
    format!(
        "{}{piece}{left_out}{bad}{copies}{shared}, {} and {} of the suite {}: at most {} to the model",
        counted(run.samples(), "sample"),
        counted(run.plan.chains.len(), "chain"),
        counted(run.plan.slices.len(), "slice"),
        run.header.config.selection.suite_name(),
        counted(run.calls(), "question")
    )
}

/// How the labels of the data were matched with those of the model, in a line.
pub fn labels(run: &Prepared) -> String {
    match &run.header.label_match {
        Some(told) => format!("labels of the data: {told}"),
        None => "labels of the data: compared with the answers as they are, since the model lists no labels of its own"
            .to_owned(),
    }
}

/// What a run would take, as far as can be said without asking. English has about four letters to a token.
#[derive(Debug, Serialize)]
pub struct Cost {
    questions: usize,
    /// The most, if every change changes every text; `None` for models that are no chats.
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    cost: Option<f64>,
}

const LETTERS_TO_A_TOKEN: f64 = 4.0;

/// Estimates what asking a remote model would take, from the first samples.
pub fn cost(run: &Prepared, options: &RemoteOptions, price: Option<Price>) -> Cost {
    let (config, calls) = (&run.header.config, run.calls());
    let address = config.model.as_deref().unwrap_or_default();
    let letters = |text: &String| text.chars().count() as f64;
    let task = config.task().ok();
    let sent: Option<Vec<f64>> = (run.facts.first.iter())
        .map(|sample| {
            let texts = chat_texts(address, &task?.question(sample), options)?;
            // Every message has a few tokens of its own.
            Some(texts.iter().map(|text| letters(text) / LETTERS_TO_A_TOKEN + 4.0).sum())
        })
        .collect();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let prompt = sent.map(|sent| mean(&sent) * calls as f64);
    let labels: Vec<f64> = labels_of(options).iter().map(|label| letters(label) / LETTERS_TO_A_TOKEN + 1.0).collect();
    let completion = prompt.map(|_| mean(&labels).ceil() * calls as f64);
    let cost = price.zip(prompt).zip(completion).map(|((price, prompt), completion)| price.of(prompt, completion));
    let whole = |tokens: f64| tokens.round() as u64;
    Cost { questions: calls, prompt_tokens: prompt.map(whole), completion_tokens: completion.map(whole), cost }
}

impl Cost {
    fn line(&self) -> String {
        let Self { questions, prompt_tokens, completion_tokens, cost } = self;
        let mut line = format!("nothing was asked. A run asks at most {}", counted(*questions, "question"));
        if let Some((prompt, completion)) = prompt_tokens.zip(*completion_tokens) {
            line += &format!(
                "; estimated tokens: {prompt} in prompts, {completion} in replies (four letters to a token; a model that \
                 reasons writes more)"
            );
        }
        match cost {
            Some(cost) => line += &format!("; estimated cost: {}", money(*cost)),
            None if prompt_tokens.is_some() => line += "; --price IN,OUT estimates the cost",
            None => {}
        }
        line
    }
}

/// Everything that would be run, and what could not be and why.
pub fn show(run: &Prepared, cost: Option<&Cost>, ui: Ui) -> Result<()> {
    let plan = &run.plan.written;
    if ui.json {
        let json = json!({
            "samples": run.samples(), "shard": run.header.shard, "left_out": run.facts.left_out, "calls": run.calls(), "suite": run.header.config.selection.suite_name(),
            "model": run.header.model, "data": run.header.data,
            "label_match": run.header.label_match, "plan": plan, "estimate": cost,
        });
        return ui::print(&format!("{json:#}\n")).map_err(Error::writing("standard output"));
    }
    let mut text = format!("{}\n{}\n\n", line(run), labels(run));
    let chains = plan.chains.iter().map(|chain| {
        vec![chain.name.clone(), chain.expectation.name().into(), chain.variants.to_string(), chain.summary.clone()]
    });
    let slices =
        plan.slices.iter().map(|slice| vec![slice.name.clone(), "slice".into(), String::new(), slice.summary.clone()]);
    text += &ui::table(&["part", "label", "variants", "what it does"], &chains.chain(slices).collect::<Vec<_>>());
    if !plan.not_run.is_empty() {
        let rows: Vec<Vec<String>> =
            plan.not_run.iter().map(|part| vec![part.name.clone(), part.reason.clone()]).collect();
        text += "\n\n";
        text += &ui::table(&["not run", "because"], &rows);
    }
    if let Some(cost) = cost {
        text += &format!("\n\n{}", ui::wrapped(&cost.line(), "").trim_end());
    }
    ui::print(&(text + "\n")).map_err(Error::writing("standard output"))
}
