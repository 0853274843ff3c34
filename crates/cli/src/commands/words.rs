//! `fissure words`: which words carry a model's decisions, and which of them the labels do not support.

use fissure_core::{Sample, counted, is_han};
use fissure_evaluate::LabelMap;
use fissure_geometry::{
    Labelled, ShortcutOptions, ShortcutWord, Vocabulary, black_box_shortcuts, shortcuts, written_words,
};
use fissure_models::Capabilities;
use fissure_models::remote::public;
use fissure_text::analyse;
use serde_json::json;

use crate::args;
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;
use fissure_kit::remote::Asking;
use fissure_settings::{DataSource, OnBadRow};

/// Texts looked at unless the user says otherwise.
const USUAL_LIMIT: usize = 2000;
/// The same for a model without gradients, which is asked once for every word.
const OUTSIDE_LIMIT: usize = 200;
/// Training texts looked at.
const TRAINING_LIMIT: usize = 100_000;

pub fn run(args: &args::Words, ui: Ui) -> Result<()> {
    let asking = Asking::uncalibrated(&args.model, &args.data, &args.remote.settings(), args.max_length)?;
    let model = &asking.model;
    let inside = model.as_white_box();
    let usual = if inside.is_some() { USUAL_LIMIT } else { OUTSIDE_LIMIT };
    let Read { samples, more, survey } = classes::read(&args.data, usual)?;
    let map = labels::matched(&**model, &survey, &args.labels)?;
    labels::announce("the data", &map);
    if more {
        ui::note(&format!("the first {usual} texts are used; --limit changes this"));
    }
    let training = match &args.train {
        Some(file) => {
            let Read { samples, survey, .. } = classes::read(&training_data(&args.data, file), TRAINING_LIMIT)?;
            let map = labels::matched(&**model, &survey, &args.labels)?;
            labels::announce(file, &map);
            labelled(&map, samples)
        }
        None => (Vec::new(), Vec::new()),
    };
    let (samples, labels) = match classes::gold(&map, &samples) {
        // Words can be ranked by what they pull without any label, but not with labels for some texts only.
        gold if gold.iter().all(Option::is_none) => (samples, Vec::new()),
        _ => labelled(&map, samples),
    };
    let (texts, taught) = (classes::named(&samples), classes::named(&training.0));
    let options = ShortcutOptions {
        least_support: args.least,
        tried: args.top.max(ShortcutOptions::default().tried),
        seed: args.seed,
        ..ShortcutOptions::default()
    };
    let data = Labelled { texts: &texts, labels: &labels };
    let training = args.train.as_ref().map(|_| Labelled { texts: &taught, labels: &training.1 });
    let found = match inside {
        Some(inside) => {
            let progress = ui::question_progress(&asking, None);
            let found = shortcuts(inside, data, training, &Vocabulary::of(inside)?, &options)?;
            progress.finish();
            found
        }
        None => {
            let questions = texts.iter().map(|text| 1 + written_words(&text.input).len()).sum::<usize>();
            ui::note(&format!(
                "{} needs gradients for attributions: words are left out of the texts instead, with at most {}",
                public(&args.model),
                counted(questions, "question")
            ));
            let progress = ui::question_progress(&asking, Some(questions as u64));
            let found = black_box_shortcuts(&**model, data, training, &options)?;
            progress.finish();
            ui::end_asking(&asking, args.remote.patience.price, ui)?;
            found
        }
    };
    let shown = if ui.json {
        let found = json!({ "texts": texts.len(), "labels": model.capabilities().labels, "words": found });
        format!("{found:#}\n")
    } else {
        let listed: Vec<&ShortcutWord> =
            found.iter().filter(|shortcut| args.all || is_content(&shortcut.word)).take(args.top).collect();
        let text = shown(&listed, model.capabilities(), texts.len(), args.train.is_some(), inside.is_some());
        match found.iter().filter(|shortcut| !args.all && !is_content(&shortcut.word)).count() {
            0 => text,
            hidden => format!("{text}not shown: {hidden} of punctuation and function words (--all shows them)\n"),
        }
    };
    ui::print(&shown).map_err(Error::writing("standard output"))
}

/// The samples with a label, and their classes.
fn labelled(map: &LabelMap, samples: Vec<Sample>) -> (Vec<Sample>, Vec<usize>) {
    let gold = classes::gold(map, &samples);
    samples.into_iter().zip(gold).filter_map(|(sample, label)| Some((sample, label?))).unzip()
}

/// The training file, read as the data is.
fn training_data(data: &DataSource, file: &str) -> DataSource {
    DataSource {
        files: vec![file.to_owned()],
        task: data.task.clone(),
        columns: data.columns.clone(),
        language: data.language,
        on_bad_row: Some(OnBadRow::Skip),
        ..DataSource::default()
    }
}

/// Characters of Chinese that serve grammar. 不 and 没 are not among them: they turn what a text says.
const PARTICLES: &str = "的了着过地得和与及或也都就还把被在是为以于从对向而但且吗呢吧啊呀嘛之其這着過為與還嗎";

/// Whether a reader learns something from a word: not from punctuation, nor from `of` and `the`.
fn is_content(word: &str) -> bool {
    if word.starts_with(is_han) {
        return !PARTICLES.contains(word);
    }
    let analysis = analyse(word);
    // Without the table of tags, only punctuation is known.
    let function = analysis.tags().first().is_some_and(|tag| {
        matches!(
            tag.penn.as_str(),
            "IN" | "DT" | "CC" | "TO" | "PRP" | "PRP$" | "WDT" | "WP" | "WP$" | "MD" | "EX" | "PDT" | "POS"
        )
    });
    word.chars().any(char::is_alphanumeric) && !function
}

fn shown(found: &[&ShortcutWord], capabilities: &Capabilities, texts: usize, trained: bool, gradients: bool) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:+.2}"));
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|shortcut| {
            let flips = shortcut.flip_rate.map_or_else(
                || "-".into(),
                |rate| format!("{:.0} % ({:.0} to {:.0})", 100.0 * rate.value, 100.0 * rate.low, 100.0 * rate.high),
            );
            vec![
                shortcut.word.clone(),
                capabilities.labels.get(shortcut.toward).cloned().unwrap_or_default(),
                number(shortcut.attribution.get(shortcut.toward).copied()),
                shortcut.support.to_string(),
                flips,
                number(shortcut.lift),
                number(shortcut.training_lift),
            ]
        })
        .collect();
    let flips = if gradients { "flips when replaced" } else { "flips when left out" };
    let head = ["word", "pulls toward", "by", "texts", flips, "supported", "in training"];
    let by = match (gradients, capabilities.probabilities) {
        (true, _) => "what the word adds to the logit, on average",
        (false, true) => "what the logit loses without the word, on average",
        (false, false) => "how often the answer is lost without the word",
    };
    let advice = if trained { "" } else { "; --train FILE would show what training taught" };
    format!(
        "Words that carry the answers to {texts} texts, least supported by the labels first.\n\
         by: {by}. supported: 1 if the labels always agree,\n\
         0: unrelated, negative: contradicted{advice}.\n\n{}\n",
        table(&head, &rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_function_words_tell_nothing() {
        for word in ["athens", "bad", "not", "2010", "Quince"] {
            assert!(is_content(word), "{word}");
        }
        for word in [".", ",", "\"", "--"] {
            assert!(!is_content(word), "{word}");
        }
        if fissure_text::share_alike::INCLUDED {
            assert!(["of", "the", "and", "it"].iter().all(|word| !is_content(word)));
        }
    }
}
