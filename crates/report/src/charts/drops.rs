//! How much of the score each change costs, the costliest first.

use fissure_statistics::Estimate;

use super::{Chart, IntervalRow, Intervals, intervals};
use crate::numbers::{Unit, count};

/// One part's drop.
#[derive(Debug, Clone, PartialEq)]
pub struct DropRow {
    /// `typos`
    pub name: String,
    /// Before less after; `None` if nothing was measured.
    pub drop: Option<Estimate>,
    /// Whether it is more than noise, after correction for how many parts were looked at.
    pub sure: bool,
    /// How many samples it was measured on.
    pub samples: usize,
}

/// The drops of a metric, sorted; what was not measured comes last.
pub fn drops(rows: &[DropRow], metric: &str, width: f64) -> Chart {
    let mut sorted: Vec<&DropRow> = rows.iter().collect();
    let key = |row: &DropRow| row.drop.map_or(f64::NEG_INFINITY, |drop| drop.value);
    sorted.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.name.cmp(&b.name)));
    let rows: Vec<IntervalRow> = sorted
        .into_iter()
        .map(|row| IntervalRow {
            name: row.name.clone(),
            value: row.drop,
            sure: row.sure,
            note: format!("{} samples", count(row.samples)),
        })
        .collect();
    let data = Intervals {
        title: &format!("Drop of {metric} under each change"),
        axis: &format!("drop of {metric}, percentage points"),
        what: "change",
        unit: Unit::Percent,
        reference: 0.0,
        reference_name: "no drop",
        higher_is_worse: true,
        rows: &rows,
    };
    intervals(&data, width)
}
