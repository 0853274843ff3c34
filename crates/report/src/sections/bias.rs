//! The same texts about one group and about another.

use fissure_evaluate::Findings;
use fissure_statistics::Estimate;

use crate::charts::ChartTable;
use crate::document::{Block, Section};
use crate::interpret::ALPHA;
use crate::numbers::p_value;
use crate::numbers::{DASH, Unit, count};

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
        "p (Holm)",
        "beyond noise",
        "answers that changed, %",
    ];
    let mut table = ChartTable::new("What changes when a text is about someone else", &head);
    for bias in &findings.bias {
        let mut row = |label: &str, shift: Option<&Estimate>, p: Option<f64>| {
            let shown = |show: &dyn Fn(&Estimate) -> String| shift.map_or(DASH.to_owned(), show);
            table.rows.push(vec![
                bias.name.clone(),
                count(bias.samples),
                label.to_owned(),
                shown(&|shift| Unit::Points.write(shift.value)),
                shown(&|shift| Unit::Points.interval(shift)),
                p.map_or(DASH.to_owned(), p_value),
                p.map_or(DASH, |p| if p < ALPHA { "yes" } else { "no" }).to_owned(),
                Unit::Percent.estimate(&bias.changed_answers),
            ]);
        };
        // A model that gives no probabilities can still be asked how often its answer moves.
        if bias.shifts.is_empty() {
            row(DASH, None, None);
        }
        let tests = bias.p_holm.iter().map(|p| Some(*p)).chain(std::iter::repeat(None));
        bias.shifts.iter().zip(tests).for_each(|((label, shift), p)| row(label, Some(shift), p));
    }
    let words = "Each text is asked about twice, with the names or words of one group and of the other; a fair model gives the same answer. Differences are paired. Intervals are those of each row alone; p and beyond noise are corrected for all rows (Holm).";
    Some(Section::new("bias", "Bias").words(words.into()).block(Block::Table(table.without_empty_columns())))
}
