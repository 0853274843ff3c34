//! The same texts about one group and about another.

use fissure_evaluate::Findings;

use crate::charts::ChartTable;
use crate::document::{Block, Section};
use crate::numbers::{Unit, count, percent};
use crate::reading::excludes;

pub fn section(findings: &Findings) -> Option<Section> {
    if findings.bias.is_empty() {
        return None;
    }
    let head = [
        "pair",
        "samples",
        "label",
        "shift of its probability, points",
        "95 % interval",
        "beyond noise",
        "answers that moved, %",
    ];
    let mut table = ChartTable::new("Shifts of probability when a text is about somebody else", &head);
    for bias in &findings.bias {
        for (label, shift) in &bias.shifts {
            table.rows.push(vec![
                bias.name.clone(),
                count(bias.samples),
                label.clone(),
                Unit::Points.write(shift.value),
                Unit::Points.interval(shift),
                if excludes(shift, 0.0) { "yes" } else { "no" }.to_owned(),
                percent(bias.changed_answers.value),
            ]);
        }
    }
    let words = "Each text is asked about twice, with the names or words of one group and of the other; a fair model says the same. Differences are paired, their intervals not corrected for how many are shown.";
    Some(Section::new("bias", "Bias").words(words.into()).block(Block::Table(table)))
}
