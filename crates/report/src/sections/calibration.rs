//! Calibration: how far stated confidence matches accuracy.

use fissure_evaluate::Findings;

use crate::charts::{NARROW, WIDE, reliability};
use crate::document::{Block, Figure, Section, Words};
use crate::numbers::percent;

pub fn section(findings: &Findings) -> Option<Section> {
    let data = findings.reliability.as_ref()?;
    let words = Words::from(format!(
        "Expected calibration error over bins of equal width, of which {} hold samples: {} percentage points (95 % interval {} to {}).",
        data.bins.len(),
        percent(data.ece.value),
        percent(data.ece.low),
        percent(data.ece.high)
    ));
    let figure = Figure {
        wide: reliability(data, WIDE * 0.6),
        narrow: Some(reliability(data, NARROW)),
        caption: "Each mark is a bin of stated confidence; its area is its share of the samples, its line a 95 % interval. On the dashed line the stated confidence is right; below it, the model is overconfident.".into(),
    };
    Some(Section::new("calibration", "Calibration").words(words).block(Block::Figures(vec![figure])))
}
