//! How to make the same numbers again.

use fissure_evaluate::Findings;

use crate::document::{Block, Section, Words};
use crate::numbers::count;

pub fn section(findings: &Findings) -> Section {
    let about = &findings.about;
    let yes_no = |yes: bool| Words::from(if yes { "yes" } else { "no" });
    let pairs = vec![
        ("version", Words::from(format!("Fissure {}", about.version))),
        ("seed", Words::from(about.seed.to_string())),
        ("suite", Words::new().code(&about.suite)),
        ("task and metric", Words::from(format!("{}, {}", about.task, about.metric))),
        ("model", Words::new().code(&about.model.name)),
        (
            "checksum of the model (SHA-256)",
            match &about.model.checksum {
                Some(checksum) => Words::new().code(checksum),
                None => "none: the model is remote, and may have changed since".into(),
            },
        ),
        ("labels", Words::new().list(about.model.labels.iter().map(String::as_str))),
        (
            "labels of the data",
            about.label_match.as_ref().map_or_else(Words::new, |matched| Words::from(matched.to_string())),
        ),
        ("gives probabilities", yes_no(about.model.probabilities)),
        ("gives gradients", yes_no(about.model.gradients)),
        ("data", Words::new().list(about.data.files.iter().map(String::as_str))),
        ("checksum of the samples (SHA-256)", Words::new().code(&about.data.checksum)),
        ("samples", Words::from(format!("{}, {} labelled", count(about.data.samples), count(about.data.labelled)))),
    ];
    // A remote tagger names no labels.
    let said = pairs.into_iter().filter(|(_, value)| !value.0.is_empty());
    let pairs = said.map(|(name, value)| (name.to_owned(), value)).collect();
    Section::new("reproduce", "How to reproduce")
        .block(Block::Commands(vec![("The same run again, to the same bytes:".into(), about.command.clone())]))
        .block(Block::Pairs(pairs))
}
