//! `fissure experiment word-salad`: Tables 5 to 9, 11 and 12 of the paper, ours beside its own.

mod paper;

use std::path::Path;

use fissure_repair::study::{GRADIENT, LEXICAL, Study, mean_of, study};

use super::{show, write_found};
use crate::args::{Data, OnBadRow, WordSaladArgs};
use crate::commands::repair::{estimate, learnt, school, shown_mitigation, watch};
use crate::ui::{self, Ui, table};
use crate::{Error, Result};
use paper::Paper;

/// Where a data set lies, and what it is.
struct Source {
    name: &'static str,
    task: &'static str,
    training: &'static str,
    test: &'static str,
    /// How it differs from what the paper had.
    note: &'static str,
}

const SOURCES: [Source; 4] = [
    Source {
        name: "sst2",
        task: "sa",
        training: "train.tsv",
        test: "dev.tsv",
        note: "the paper's data; its training set holds phrases of the same sentences",
    },
    Source {
        name: "mrpc",
        task: "sm",
        training: "train.tsv",
        test: "dev.tsv",
        note: "the paper's data; the paper leaves pbsmt out here, as the set is small",
    },
    Source { name: "rte", task: "nli", training: "train.tsv", test: "dev.tsv", note: "not in the paper; two classes" },
    Source {
        name: "snli",
        task: "nli",
        training: "validation.tsv",
        test: "test.tsv",
        note: "trained on the validation set, 1.8 % of the paper's 550,000 pairs",
    },
];

pub fn run(args: &WordSaladArgs, ui: Ui) -> Result<()> {
    let school = school(&args.pupil)?;
    let mut found: Vec<Study> = Vec::new();
    for name in &args.sets {
        let source = SOURCES.iter().find(|source| source.name == name).ok_or_else(|| {
            let known = SOURCES.map(|source| source.name).join(", ");
            Error::NoSuchSet { name: name.clone(), known }
        })?;
        let folder = args.folder.join(source.name);
        let place = |file: &str| folder.join(file).display().to_string();
        let data = Data {
            data: vec![place(source.training)],
            task: source.task.into(),
            columns: Vec::new(),
            format: None,
            fields: Vec::new(),
            on_bad_row: OnBadRow::Skip,
            limit: args.limit,
        };
        let (labels, training, mut test) = learnt(&data, &[place(source.test)])?;
        if let Some(limit) = args.test_limit {
            test.samples.truncate(limit);
            test.labels.truncate(limit);
        }
        ui::note(&format!("{name}: {} training and {} test samples", training.len(), test.len()));
        found.push(study(name, &school, &labels, &training, &test, args.pupil.seed, &mut watch)?);
        // What is done is kept, should a later set fail.
        write_found(args.out.as_deref(), &found)?;
    }
    if ui.json {
        return show(ui, &found, String::new);
    }
    ui::print(&shown(&found, &args.folder)).map_err(Error::writing("standard output"))
}

fn shown(studies: &[Study], folder: &Path) -> String {
    let mut text = String::new();
    for study in studies {
        let paper = Paper::of(&study.data);
        let note = SOURCES.iter().find(|source| source.name == study.data).map_or("", |source| source.note);
        text.push_str(&format!(
            "\n{} ({}): {}, {} training and {} test samples; {note}. The paper: RoBERTa-base.\n",
            study.data,
            folder.join(&study.data).display(),
            study.model,
            study.training_samples,
            study.test_samples,
        ));
        text.push_str(&format!("{}\n", answers(study, paper)));
        text.push_str(&format!("{}\n", calibration(study)));
        let ours = &study.nonsense;
        text.push_str(&format!(
            "trained on shuffled texts only: {} % right on valid data, on the texts as they are {} % (p = {:.1e}){}\n\n",
            estimate(&ours.destroyed, 100.0),
            estimate(&ours.original, 100.0),
            ours.p,
            paper.map_or_else(String::new, |paper| format!("; the paper: {} and {}", paper.shuffled.0, paper.shuffled.1)),
        ));
        text.push_str(&shown_mitigation(&study.mitigation));
        if let Some(paper) = paper {
            let [threshold, entropy, invalid] = paper.mitigation;
            text.push_str(&format!(
                "the paper, right / recognised: threshold {} / {}, entropy + threshold {} / {}, invalid class {} / {}\n",
                threshold.0, threshold.1, entropy.0, entropy.1, invalid.0, invalid.1
            ));
        }
    }
    text
}

/// Tables 5, 6 and 7.
fn answers(study: &Study, paper: Option<&Paper>) -> String {
    let percent = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{:.1}", 100.0 * value));
    let of_paper = |name: &str| {
        let row = paper.and_then(|paper| paper.agreement.iter().find(|(other, _)| *other == name));
        row.map_or_else(|| "-".into(), |(_, value)| format!("{value:.1}"))
    };
    let mut rows = vec![vec![
        "valid data: accuracy".to_owned(),
        estimate(&study.accuracy, 100.0),
        paper.map_or_else(|| "-".into(), |paper| format!("{:.1}", paper.accuracy)),
        study.confidence.map_or_else(|| "-".into(), |sure| estimate(&sure, 100.0)),
        study.test_samples.to_string(),
    ]];
    for row in &study.salad {
        let sure = row.confidence.map_or_else(|| "-".into(), |sure| estimate(&sure, 100.0));
        let default = row.default_label.as_ref().map_or_else(String::new, |label| format!(" (says `{label}`)"));
        let cells = [
            format!("{}{default}", row.destroyer),
            estimate(&row.agreement, 100.0),
            of_paper(&row.destroyer),
            sure,
            row.samples.to_string(),
        ];
        rows.push(cells.to_vec());
    }
    for (name, group) in [("mean, lexical", LEXICAL), ("mean, by importance", GRADIENT)] {
        let own = || study.salad.iter().filter(|row| group.contains(&row.destroyer.as_str()));
        let agreement = percent(mean_of(own(), |row| Some(row.agreement.value)));
        let sure = percent(mean_of(own(), |row| row.confidence.map(|sure| sure.value)));
        rows.push(vec![name.to_owned(), agreement, of_paper(name), sure, String::new()]);
    }
    let chance = format!("{:.1}", 100.0 * study.chance);
    rows.push(vec!["chance".to_owned(), chance.clone(), chance.clone(), chance, String::new()]);
    table(&["", "agreement, %", "the paper's", "confidence, %", "samples"], &rows)
}

/// Tables 8 and 9.
fn calibration(study: &Study) -> String {
    let percent = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{:.1}", 100.0 * value));
    let rows: Vec<Vec<String>> = study
        .calibration
        .iter()
        .map(|method| {
            vec![
                method.name.to_owned(),
                format!("{:.1}", 100.0 * method.stated.accuracy),
                estimate(&method.stated.ece, 1.0),
                percent(method.lexical),
                percent(method.gradient),
                percent(method.pbsmt),
                percent(method.confidence),
            ]
        })
        .collect();
    let head = [
        "calibration",
        "accuracy, %",
        "calibration error",
        "agreement: lexical",
        "by importance",
        "pbsmt",
        "confidence on nonsense, %",
    ];
    table(&head, &rows)
}
