//! The score on the unchanged data.

use fissure_evaluate::Findings;

use crate::charts::ChartTable;
use crate::document::{Block, Section};
use crate::numbers::{Unit, count};

pub fn section(findings: &Findings) -> Section {
    let section = Section::new("clean", "On clean data");
    if findings.clean.is_empty() {
        return section.words("Not measured: the data has no labels that the task can score.".into());
    }
    let mut metrics = ChartTable::new("Scores on the unchanged data", &["metric", "score, %", "95 % interval"]);
    for (name, score) in &findings.clean {
        metrics.rows.push(vec![name.clone(), Unit::Percent.write(score.value), Unit::Percent.interval(score)]);
    }
    let section = section.block(Block::Table(metrics));
    if findings.classes.is_empty() {
        return section;
    }
    let score = format!("{}, %", findings.about.metric);
    let mut classes = ChartTable::new("The same by class", &["class", "samples", &score, "95 % interval"]);
    for (label, samples, score) in &findings.classes {
        let (value, interval) = (Unit::Percent.write(score.value), Unit::Percent.interval(score));
        classes.rows.push(vec![label.clone(), count(*samples), value, interval]);
    }
    section.block(Block::Table(classes))
}
