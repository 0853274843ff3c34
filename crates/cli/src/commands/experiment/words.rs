//! `fissure experiment words`: words of high attribution replaced in the most fragile and the most robust texts, as in the
//! papers' qualitative tables.

mod page;
mod replacements;
mod tables;

use fissure_geometry::{WordsOptions, WordsReport, tried_words};
use fissure_kit::outputs::Inputs;
use fissure_text::share_alike;

use super::{check, show, write, write_numbers};
use crate::args::ExperimentWordsArgs;
use crate::ui::{self, Progress, Ui};
use crate::{Error, Result};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;

/// Texts surveyed unless the user says otherwise.
const USUAL_LIMIT: usize = 1000;

pub fn run(args: &ExperimentWordsArgs, ui: Ui) -> Result<()> {
    let inputs = Inputs::of(&args.data).and([&args.model]);
    check(&inputs, args.out.as_deref(), &["words.json", "words.tex", "words.html"], args.force)?;
    let model = classes::model_reading(&args.model, args.max_length)?;
    let what = "this experiment";
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: args.model.clone(), what })?;
    let Read { samples, survey, .. } = classes::read(&args.data, USUAL_LIMIT)?;
    let map = labels::matched(&*model, &survey, &args.labels)?;
    labels::announce("the data", &map);
    if !share_alike::INCLUDED {
        ui::note(&format!("words are replaced with neighbours alone: the rest {}", share_alike::MISSING));
    }
    let mut progress = Progress::new("texts", Some(samples.len() as u64));
    let options = WordsOptions { texts: args.top, words: args.words };
    let texts = classes::named(&samples);
    let found = tried_words(inside, &texts, &replacements::replacements, options, |done| progress.add(done as u64))?;
    progress.finish();
    let gold =
        |number: usize| map.class(&samples[number]).and_then(|class| model.capabilities().labels.get(class).cloned());
    if let Some(folder) = &args.out {
        let document = page::document(&found, &args.model, &args.data.files.join(", "), gold);
        write(&folder.join("words.html"), fissure_report::html(&document).as_bytes(), args.force)?;
        write(&folder.join("words.tex"), fissure_report::tex(&document).as_bytes(), args.force)?;
    }
    write_numbers(args.out.as_deref(), "words", &found, args.force)?;
    show(ui, &found, || shown(&found, gold))
}

/// Both ends as tables for a terminal.
fn shown(found: &WordsReport, gold: impl Fn(usize) -> Option<String>) -> String {
    let mut text =
        format!("{}\n\n{}\n", ui::wrapped(tables::WHAT, "").trim_end(), tables::summary(found).in_terminal());
    for (title, texts) in [("Most fragile", &found.most_fragile), ("Most robust", &found.most_robust)] {
        for tried in texts {
            let right = gold(tried.number).map_or(String::new(), |label| format!(", label {label}"));
            text += &format!(
                "\n{} {}: lambda_max {:.3e}, answer {} ({:.3}){right}\n{}\n{}\n",
                ui::bold(title),
                tried.id,
                tried.lambda_max,
                tried.predicted,
                tried.probability,
                ui::wrapped(&ui::shortened_to(400, &tried.text), "  ").trim_end(),
                tables::alone(tried).in_terminal(),
            );
            if let Some(together) = tables::together(std::slice::from_ref(tried)) {
                text += &format!("{}\n", together.in_terminal());
            }
        }
    }
    if found.most_fragile.is_empty() {
        text += "\nNo text has a word of high attribution that can be replaced.\n";
    }
    text
}
