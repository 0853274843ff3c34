//! What a data set and a model mean by their labels.

mod given;
mod map;
mod survey;
mod tags;
#[cfg(test)]
mod tests;

use std::fmt;

use fissure_core::{Sample, nearest};
use serde::{Deserialize, Serialize};

pub use given::parse as label_pairs;
pub use map::LabelMap;
pub use survey::LabelSurvey;
pub use tags::{tag_match, tags_of};

use fissure_settings::shell_word;

/// How the labels of a data set were matched with those of a model, for people and for the run file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelMatch {
    /// By name, by number, ...
    pub how: String,
    /// The labels of the data, and the model's label that each means; none if samples with it are not scored.
    pub pairs: Vec<(String, Option<String>)>,
    /// Labels of the model that no label of the data means, if numbers alone matched them: the data may have other classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Labels that the user gave a meaning and the data do not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unused: Vec<String>,
    /// Tags of the data that the model does not have: wherever one is right, the model is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// Labels shown in a line.
const SHOWN: usize = 8;

impl fmt::Display for LabelMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |(data, model): &(String, Option<String>)| {
            let data = if data.trim().is_empty() { format!("`{data}`") } else { data.clone() };
            match model {
                Some(model) if *model == data => data,
                Some(model) => format!("{data} = {model}"),
                None => format!("{data} = not scored"),
            }
        };
        let mut shown: Vec<String> = self.pairs.iter().take(SHOWN).map(pair).collect();
        if self.pairs.len() > SHOWN {
            shown.push(format!("{} more", self.pairs.len() - SHOWN));
        }
        write!(f, "{} ({})", self.how, shown.join(", "))?;
        if !self.unused.is_empty() {
            write!(f, "; no row has the label {}, which --label-map names", list(&self.unused))?;
        }
        if !self.unknown.is_empty() {
            let (list, it) = (list(&self.unknown), if self.unknown.len() == 1 { "it is" } else { "one of them is" });
            write!(f, ". Warning: the model has no label {list}, so it is wrong wherever {it} right")?;
        }
        if self.absent.is_empty() {
            return Ok(());
        }
        let classes = self.absent.len() + self.pairs.iter().filter(|(_, class)| class.is_some()).count();
        write!(
            f,
            ". Warning: the model has {classes} labels and the data none for {}; if its numbers stand for other classes, \
             the score means nothing (--label-map LABEL=MODEL_LABEL,... says what they mean)",
            list(&self.absent)
        )
    }
}

/// Why the labels of a data set and of a model cannot be matched.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    #[error("`{pair}` in --label-map is not `label of the data=label of the model`")]
    Map { pair: String },
    #[error("--label-map gives the label `{label}` twice")]
    MapTwice { label: String },
    #[error("--label-map names `{label}`{nearest}, which is not a label of the model; those are {known}")]
    NoClass { label: String, nearest: String, known: String },
    #[error(
        "the model does not know {unknown}{nearest}. The data has the labels {data}; the model has {known}. Say what they \
         mean with `--label-map LABEL=MODEL_LABEL,...`; `LABEL=` leaves samples with that label out of the score"
    )]
    Unknown { unknown: String, nearest: String, data: String, known: String },
    #[error(
        "the data numbers its labels, and the names of the model's labels ({known}) stand in the order of their letters, \
         which does not tell what a number means. Say it with --label-map:\n{readings}"
    )]
    Letters { known: String, readings: String },
    #[error(
        "the model has the label {label}, which in data usually marks a row without a label. Say what it is with \
         `--minus-one label` or `--minus-one none`"
    )]
    MinusOne { label: String },
    #[error(
        "the model knows none of the labels of the data, {data}; it has {known}. Tags have to have the same names: change those of the \
         data, or ask another model"
    )]
    NoTagInCommon { data: String, known: String },
    #[error("the labels of the data can be read in {ways} ways. Choose one with --label-map:\n{readings}")]
    Ambiguous { ways: usize, readings: String },
}

impl LabelError {
    fn no_class(label: &str, known: &[String]) -> Self {
        Self::NoClass { label: label.to_owned(), nearest: alike(label, known), known: list(known) }
    }

    fn unknown(unknown: &[String], survey: &LabelSurvey, known: &[String]) -> Self {
        let data: Vec<String> = survey.labels().map(str::to_owned).collect();
        let nearest = unknown.first().map_or_else(String::new, |label| alike(label, known));
        let labels = if unknown.len() == 1 { "the label" } else { "the labels" };
        Self::Unknown { unknown: format!("{labels} {}", list(unknown)), nearest, data: list(&data), known: list(known) }
    }

    fn no_tag_in_common(data: &[String], known: &[String]) -> Self {
        Self::NoTagInCommon { data: list(data), known: list(known) }
    }

    /// Shows what each reading says, and how often it is right where the model was asked.
    fn ambiguous(
        readings: &[LabelMap],
        survey: &LabelSurvey,
        samples: &[Sample],
        predicted: Option<&[Option<usize>]>,
    ) -> Self {
        let lines: Vec<String> = readings.iter().map(|map| shown(map, None, samples, predicted)).collect();
        Self::Ambiguous { ways: readings.len(), readings: lines.join("\n") + &minus_one(survey) }
    }

    /// Shows what the numbers mean by the order of the names, and what the model's answers suggest.
    fn in_letters(
        map: &LabelMap,
        survey: &LabelSurvey,
        samples: &[Sample],
        predicted: Option<&[Option<usize>]>,
    ) -> Self {
        let suggested = predicted.and_then(|predicted| map.suggested(samples, predicted));
        let mut lines = vec![shown(map, None, samples, predicted)];
        if let Some(suggested) = suggested.filter(|suggested| !suggested.scored().eq(map.scored())) {
            lines.push(shown(&suggested, Some("by what the model answers most often"), samples, predicted));
        }
        Self::Letters { known: list(map.known()), readings: lines.join("\n") + &minus_one(survey) }
    }
}

/// What to do if -1 is a class of the data after all.
fn minus_one(survey: &LabelSurvey) -> String {
    let rows = survey.minus_ones();
    if rows == 0 {
        return String::new();
    }
    let rows = fissure_core::counted(rows, "row");
    format!(
        "\n  {rows} labelled -1 are taken for rows without a label. If -1 is a class, as beside 1 in data with two classes, add \
         `--minus-one label` and give it a class too: `--label-map=-1=...`"
    )
}

/// A reading, how often it is right where the model was asked, and the flag that chooses it.
fn shown(map: &LabelMap, how: Option<&str>, samples: &[Sample], predicted: Option<&[Option<usize>]>) -> String {
    let how =
        how.map_or_else(|| map.label_match().map_or_else(String::new, |label_match| label_match.how), str::to_owned);
    let right = predicted.map_or_else(String::new, |predicted| {
        let right =
            samples.iter().zip(predicted).filter(|(sample, said)| said.is_some() && map.class(sample) == **said);
        let (right, of) = (right.count(), samples.len().max(1));
        format!(": right for {right} of {of} samples ({:.1} %)", 100.0 * right as f64 / of as f64)
    });
    format!("  {how}{right}\n    --label-map {}", shell_word(&given::written(map.scored())))
}

/// The nearest of the model's labels, in brackets.
fn alike(label: &str, known: &[String]) -> String {
    nearest(label, known.iter().map(String::as_str)).first().map_or_else(String::new, |near| format!(" (`{near}`?)"))
}

/// Characters of a label that are shown: what is longer is a text, taken from the wrong column.
const LONG: usize = 40;

/// A few labels, and how many more there are.
fn list(labels: &[String]) -> String {
    let short = |label: &String| match label.char_indices().nth(LONG) {
        Some((end, _)) => format!("`{}...`", &label[..end]),
        None => format!("`{label}`"),
    };
    let shown: Vec<String> = labels.iter().take(SHOWN).map(short).collect();
    let more = match labels.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}
