//! What a study found, as words and tables for the terminal and for the report.

use fissure_repair::paper_experiment::{GRADIENT, LEXICAL, Study, mean_of};
use fissure_statistics::Estimate;

use super::claims;
use super::paper::Paper;
use crate::commands::repair::{estimate, mitigation_table};
use crate::ui::table;

/// A piece of the report.
pub enum Block {
    Title(String),
    Words(String),
    Table { head: Vec<String>, rows: Vec<Vec<String>> },
}

impl Block {
    fn table(head: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self::Table { head: head.iter().map(|cell| (*cell).to_owned()).collect(), rows }
    }

    pub fn plain(&self) -> String {
        match self {
            Self::Title(title) => format!("\n{}\n", title.to_uppercase()),
            Self::Words(words) => format!("{words}\n"),
            Self::Table { head, rows } => {
                format!("{}\n", table(&head.iter().map(String::as_str).collect::<Vec<_>>(), rows))
            }
        }
    }

    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            // A row may be shorter than the head.
            format!("| {} |\n", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
        };
        match self {
            Self::Title(title) => format!("## {title}\n"),
            Self::Words(words) => format!("{words}\n"),
            Self::Table { head, rows } => {
                let rule = format!("|{}\n", "---|".repeat(head.len()));
                line(head) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
            }
        }
    }
}

/// Everything about one data set; `note` says how it differs from the paper's.
pub fn of(study: &Study, note: &str) -> Vec<Block> {
    let paper = Paper::of(&study.data);
    let mut blocks = vec![
        Block::Title(study.data.clone()),
        Block::Words(format!(
            "{}: {} training, {} tuning and {} test samples; {note}.",
            study.model, study.training_samples, study.tuning_samples, study.test_samples
        )),
    ];
    if !study.learned() {
        blocks.push(Block::Words(format!(
            "The model has learned nothing measurable: {} % right, where always saying the most frequent label is right \
             in {:.1} %. A constant agrees with itself, so nothing further was measured.",
            estimate(&study.accuracy, 100.0),
            100.0 * study.majority
        )));
        return blocks;
    }
    blocks.push(answers(study, paper));
    if !study.calibration.is_empty() {
        blocks.push(calibration(study));
    }
    if let Some(ours) = &study.nonsense {
        blocks.push(Block::Words(format!(
            "Trained on shuffled texts only: {} % right on valid data, on the original texts {} % (p = {:.1e}){}.",
            estimate(&ours.destroyed, 100.0),
            estimate(&ours.original, 100.0),
            ours.p,
            paper.map_or_else(String::new, |paper| format!(
                "; the paper: {} and {}",
                paper.shuffled.0, paper.shuffled.1
            )),
        )));
    }
    if let Some(mitigation) = &study.mitigation {
        let (head, rows) = mitigation_table(mitigation);
        blocks.push(Block::Table { head, rows });
    }
    if let (Some(_), Some(paper)) = (&study.mitigation, paper) {
        let [threshold, entropy, invalid] = paper.mitigation;
        blocks.push(Block::Words(format!(
            "The paper, right / recognised: threshold {} / {}, entropy + threshold {} / {}, invalid class {} / {}.",
            threshold.0, threshold.1, entropy.0, entropy.1, invalid.0, invalid.1
        )));
    }
    blocks.push(Block::table(&["the paper's directions", "here", "came out"], claims::rows(study)));
    blocks
}

/// Tables 5, 6 and 7.
fn answers(study: &Study, paper: Option<&Paper>) -> Block {
    let percent = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{:.1}", 100.0 * value));
    let shown = |share: Option<Estimate>| share.map_or_else(|| "-".into(), |share| estimate(&share, 100.0));
    let number = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.1}"));
    let agreement =
        |name: &str| number(paper.and_then(|paper| Some(paper.agreement.iter().find(|(other, _)| *other == name)?.1)));
    let mut rows = vec![
        vec![
            "valid data: accuracy".to_owned(),
            estimate(&study.accuracy, 100.0),
            number(paper.map(|paper| paper.accuracy)),
            shown(study.confidence),
            number(paper.map(|paper| paper.confidence.0)),
            study.test_samples.to_string(),
        ],
        vec!["the most frequent label".to_owned(), percent(Some(study.majority))],
    ];
    rows[1].resize(6, String::new());
    for row in &study.salad {
        let default = row.default_label.as_ref().map_or_else(String::new, |label| format!(" (says `{label}`)"));
        rows.push(vec![
            format!("{}{default}", row.name),
            estimate(&row.agreement, 100.0),
            agreement(&row.name),
            shown(row.confidence),
            String::new(),
            row.counts.changed.to_string(),
        ]);
    }
    for (name, group) in [("mean, lexical", LEXICAL), ("mean, by importance", GRADIENT)] {
        let own = || study.salad.iter().filter(|row| group.contains(&row.name.as_str()));
        let mean = percent(mean_of(own(), |row| Some(row.agreement.value)));
        let sure = percent(mean_of(own(), |row| row.confidence.map(|sure| sure.value)));
        rows.push(vec![name.to_owned(), mean, agreement(name), sure, String::new(), String::new()]);
    }
    let sure = percent(mean_of(study.salad.iter(), |row| row.confidence.map(|sure| sure.value)));
    let theirs = number(paper.map(|paper| paper.confidence.1));
    rows.push(vec!["mean, all".to_owned(), String::new(), String::new(), sure, theirs, String::new()]);
    let chance = percent(Some(study.chance));
    rows.push(vec!["chance".to_owned(), chance.clone(), chance.clone(), chance.clone(), chance, String::new()]);
    Block::table(&["", "agreement, %", "the paper's", "confidence, %", "the paper's", "samples"], rows)
}

/// Tables 8 and 9.
fn calibration(study: &Study) -> Block {
    let percent = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{:.1}", 100.0 * value));
    let row = |method: &fissure_repair::paper_experiment::Method| {
        vec![
            method.name.to_owned(),
            format!("{:.1}", 100.0 * method.stated.accuracy),
            estimate(&method.stated.ece, 1.0),
            percent(method.lexical),
            percent(method.gradient),
            percent(method.pbsmt),
            percent(method.confidence),
        ]
    };
    let head = [
        "calibration",
        "accuracy, %",
        "calibration error",
        "agreement: lexical",
        "by importance",
        "pbsmt",
        "confidence on nonsense, %",
    ];
    Block::table(&head, study.calibration.iter().map(row).collect())
}
