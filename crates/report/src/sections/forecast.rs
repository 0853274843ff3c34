//! What was predicted of each change before it was asked, beside what was measured.

use fissure_evaluate::{Evidence, Findings, PartFinding, PartForecast};

use crate::charts::ChartTable;
use crate::document::{Block, Section};
use crate::numbers::{DASH, Unit, count, percent};

pub fn section(findings: &Findings) -> Option<Section> {
    let rows: Vec<(&PartFinding, &PartForecast, &Evidence)> = findings
        .parts
        .iter()
        .filter_map(|part| Some((part, part.forecast.as_ref()?, part.evidence.as_ref()?)))
        .collect();
    let (_, first, _) = rows.first()?;
    let head = [
        "change",
        "flips predicted, %",
        "measured, %",
        "95 % interval",
        "agrees",
        "questions",
        "of texts",
        "half width, points",
    ];
    let mut table = ChartTable::new("Predicted beside measured", &head);
    for (part, forecast, evidence) in &rows {
        table.rows.push(vec![
            part.name.clone(),
            forecast.flips.map_or_else(|| DASH.to_owned(), percent),
            percent(evidence.changed_answers.value),
            Unit::Percent.interval(&evidence.changed_answers),
            match forecast.agrees {
                Some(true) => "yes",
                Some(false) => "no",
                None => DASH,
            }
            .into(),
            count(forecast.asked),
            count(evidence.samples),
            percent(forecast.half_width),
        ]);
    }
    let (asked, texts) =
        rows.iter().fold((0, 0), |sum, (_, forecast, evidence)| (sum.0 + forecast.asked, sum.1 + evidence.samples));
    let mut section = Section::new("forecast", "What was predicted").words(
        format!(
            "The run asked {} questions about changed texts, where asking each once takes {}. Whom to ask was decided by {}, with \
             known probabilities, and the shares are estimated by these; the intervals are about these texts, not about others.",
            count(asked),
            count(texts),
            first.by.words()
        )
        .into(),
    );
    section = section.block(Block::Table(table));
    let names = |wanted: &dyn Fn(&PartForecast) -> bool| -> Vec<&str> {
        rows.iter().filter(|(_, forecast, _)| wanted(forecast)).map(|(part, ..)| part.name.as_str()).collect()
    };
    let wrong = names(&|forecast| forecast.agrees == Some(false));
    if !wrong.is_empty() {
        let said = format!(
            "The prediction lies outside the measured interval for {}: for this model it is no more than a guide to whom to ask. \
             The measured shares hold all the same.",
            wrong.join(", ")
        );
        section = section.words(said.into());
    }
    let wide = names(&|forecast| forecast.half_width > forecast.wanted);
    if !wide.is_empty() {
        let said = format!(
            "Wider than wanted: {}. Their budget was spent, or the last look came before the interval was narrow enough. A larger \
             --budget or a smaller --precision asks more.",
            wide.join(", ")
        );
        section = section.words(said.into());
    }
    Some(section)
}
