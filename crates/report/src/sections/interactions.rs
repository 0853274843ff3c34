//! Do two changes together do more than both alone?

use fissure_evaluate::Findings;

use crate::charts::ChartTable;
use crate::document::{Block, Section};
use crate::interpret::excludes;
use crate::numbers::{Unit, count};

pub fn section(findings: &Findings) -> Option<Section> {
    if findings.interactions.is_empty() {
        return None;
    }
    let head = ["changes", "samples", "drop together", "sum of the drops", "more than the sum", "beyond noise"];
    let mut table = ChartTable::new("Drops in percentage points, with 95 % intervals", &head);
    for found in &findings.interactions {
        table.rows.push(vec![
            found.name.clone(),
            count(found.samples),
            Unit::Percent.estimate(&found.joint),
            Unit::Percent.estimate(&found.sum),
            Unit::Points.estimate(&found.excess),
            if excludes(&found.excess.widened_for(findings.interactions.len()), 0.0) { "yes" } else { "no" }.to_owned(),
        ]);
    }
    let words = "Measured on the samples that each change alone and all together could change. Where the drop together is more than the sum, each change makes the other worse; where it is less, they break the same samples. Beyond noise is corrected for the number of rows.";
    Some(Section::new("interactions", "Changes together").words(words.into()).block(Block::Table(table)))
}
