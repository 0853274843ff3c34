//! `fissure experiment word-salad`: Tables 5 to 9, 11 and 12 of the paper, ours beside its own.

mod claims;
mod paper;
mod tables;
mod whole_sentences;

use fissure_repair::mitigate::MitigateOptions;
use fissure_repair::paper_experiment::{Study, StudyOptions, Subject, study};

use super::{show, write, write_found};
use crate::args::{Chapter, Force, WordSaladArgs};
use crate::commands::repair::{trainer, training_sets, watching};
use crate::ui::{self, Ui};
use crate::{Error, Result};
use fissure_kit::outputs::Inputs;
use fissure_settings::{DataSource, OnBadRow};
use tables::Block;

/// Where a data set lies, and what it is.
struct Source {
    name: &'static str,
    task: &'static str,
    training: &'static str,
    test: &'static str,
    /// Whether the training set holds phrases beside the sentences they are part of.
    phrases: bool,
    /// How it differs from what the paper had.
    note: &'static str,
}

const SOURCES: [Source; 4] = [
    Source {
        name: "sst2",
        task: "sa",
        training: "train.tsv",
        test: "dev.tsv",
        phrases: true,
        note: "of the paper's 67,349 training phrases the whole sentences only, as the test has no phrases",
    },
    Source {
        name: "mrpc",
        task: "sm",
        training: "train.tsv",
        test: "dev.tsv",
        phrases: false,
        note: "the paper's data; the paper leaves pbsmt out here, as the set is small",
    },
    Source {
        name: "rte",
        task: "nli",
        training: "train.tsv",
        test: "dev.tsv",
        phrases: false,
        note: "not in the paper; two classes",
    },
    Source {
        name: "snli",
        task: "nli",
        training: "validation.tsv",
        test: "test.tsv",
        phrases: false,
        note: "trained on pairs of the validation set, which has 1.8 % of the paper's 550,000",
    },
];

pub fn run(args: &WordSaladArgs, ui: Ui) -> Result<()> {
    let outputs = args.out.as_deref().into_iter().chain(args.report.as_deref());
    Inputs::default().and_paths([&*args.folder]).check(outputs, args.force.existing())?;
    let trainer = trainer(&args.trainer_args)?;
    let wants = |chapter: Chapter| args.chapters.is_empty() || args.chapters.contains(&chapter);
    let options = StudyOptions {
        calibration: wants(Chapter::Calibration),
        nonsense: wants(Chapter::Nonsense),
        mitigation: wants(Chapter::Mitigation),
        settings: MitigateOptions { weights: args.weights.clone(), seed: args.trainer_args.seed, ..Default::default() },
    };
    let mut found: Vec<Study> = Vec::new();
    for name in &args.sets {
        let source = SOURCES.iter().find(|source| source.name == name).ok_or_else(|| {
            let known = SOURCES.map(|source| source.name).join(", ");
            Error::NoSuchSet { name: name.clone(), known }
        })?;
        let folder = args.folder.join(source.name);
        let place = |file: &str| folder.join(file).display().to_string();
        let data = DataSource {
            files: vec![place(source.training)],
            task: Some(source.task.into()),
            on_bad_row: Some(OnBadRow::Skip),
            limit: args.limit.filter(|_| !source.phrases),
            ..DataSource::default()
        };
        let (labels, mut training, mut test) = training_sets(&data, &[place(source.test)])?;
        if source.phrases {
            training = whole_sentences::only(training);
            training.truncate(args.limit.unwrap_or(usize::MAX));
        }
        test.truncate(args.test_limit.unwrap_or(usize::MAX));
        ui::note(&format!("{name}: {} training and {} test samples", training.len(), test.len()));
        let subject = Subject {
            name,
            task: fissure_tasks::find(source.task)?,
            labels: &labels,
            training: &training,
            test: &test,
        };
        found.push(study(subject, &trainer, &options, &mut watching())?);
        // What is done is kept, should a later set fail.
        write_found(args.out.as_deref(), &found, Force { force: args.force.force || found.len() > 1 })?;
    }
    let blocks: Vec<Block> = found
        .iter()
        .flat_map(|study| {
            let note = SOURCES.iter().find(|source| source.name == study.data).map_or("", |source| source.note);
            tables::of(study, note)
        })
        .collect();
    if let Some(path) = &args.report {
        let title = "# Word salad\n\nEvery share in per cent, with its 95 % interval; the paper is Gupta, Kvernadze and \
                     Srikumar (2021), with RoBERTa-base.\n";
        let text = blocks.iter().map(Block::markdown).fold(title.to_owned(), |text, block| text + "\n" + &block);
        write(path, text.as_bytes(), args.force)?;
    }
    if ui.json {
        return show(ui, &found, String::new);
    }
    let text = blocks.iter().map(Block::plain).collect::<Vec<_>>().join("\n");
    ui::print(&text).map_err(Error::writing("standard output"))
}
