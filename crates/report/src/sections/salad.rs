//! Word salad: the answers to texts that no longer mean anything.

use fissure_evaluate::{Findings, SaladRow};

use crate::charts::{ChartTable, Heat, IntervalRow, Intervals, NARROW, Unit, WIDE, heat, intervals};
use crate::document::{Block, Figure, Section, Words};
use crate::numbers::{DASH, count, fixed, percent};

pub fn section(findings: &Findings) -> Option<Section> {
    let rows: Vec<&SaladRow> = findings.salad.iter().filter(|row| row.counts.changed > 0).collect();
    let first = rows.first()?;
    let labels = findings.about.model.labels.len();
    let mut section = Section::new("salad", "Word salad: texts that mean nothing").words(Words::from(format!(
        "No answer is right for these texts. A reliable model falls back to chance ({} %) and says so: mean confidence near {} %, entropy near ln {labels} = {}.",
        percent(first.chance),
        percent(first.chance),
        fixed((labels.max(1) as f64).ln(), 2),
    )));
    section = section.block(Block::Figures(vec![agreement(&rows, first.chance)]));
    section = section.block(Block::Table(table(&rows, labels)));
    if let Some(figure) = by_class(&rows, first.chance) {
        section = section.block(Block::Figures(vec![figure]));
    }
    if rows.iter().any(|row| row.default_label.is_some()) {
        section = section.words("For destroyers that copy one text into the other, agreement is with the label such a pair would have, not with the first answer.".into());
    }
    Some(section)
}

fn agreement(rows: &[&SaladRow], chance: f64) -> Figure {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| b.agreement.value.total_cmp(&a.agreement.value).then_with(|| a.name.cmp(&b.name)));
    let rows: Vec<IntervalRow> = sorted
        .iter()
        .map(|row| IntervalRow {
            name: row.name.clone(),
            value: Some(row.agreement),
            sure: crate::interpret::excludes(&row.agreement, chance),
            note: format!("{} texts", count(row.counts.changed)),
        })
        .collect();
    let data = Intervals {
        title: "Agreement with the answer to the whole text",
        axis: "answers that stay as they were, %",
        what: "destroyer",
        unit: Unit::Percent,
        reference: chance,
        reference_name: "chance",
        higher_is_worse: true,
        rows: &rows,
    };
    Figure {
        wide: intervals(&data, WIDE),
        narrow: Some(intervals(&data, NARROW)),
        caption:
            "How many answers stay although the text is destroyed, with 95 % intervals. Nearer to chance is better."
                .into(),
    }
}

fn table(rows: &[&SaladRow], labels: usize) -> ChartTable {
    let head = [
        "destroyer",
        "texts",
        "agreement, %",
        "95 % interval",
        "confidence, %",
        "entropy, nats",
        "agrees with",
        "importance by",
    ];
    let mut table =
        ChartTable::new("Agreement, confidence and entropy, as in Tables 6 and 7 of the word-salad paper", &head);
    for row in rows {
        table.rows.push(vec![
            row.name.clone(),
            count(row.counts.changed),
            percent(row.agreement.value),
            Unit::Percent.interval(&row.agreement),
            row.confidence.map_or(DASH.to_owned(), |confidence| percent(confidence.value)),
            row.entropy.map_or(DASH.to_owned(), |entropy| fixed(entropy.value, 2)),
            row.default_label.clone().unwrap_or_else(|| "first answer".to_owned()),
            row.importance.clone().unwrap_or_else(|| DASH.to_owned()),
        ]);
    }
    if let Some(row) = rows.first() {
        let (none, entropy) = (DASH.to_owned(), fixed((labels.max(1) as f64).ln(), 2));
        let chance = percent(row.chance);
        table.rows.push(vec![
            "chance".to_owned(),
            none.clone(),
            chance.clone(),
            none.clone(),
            chance,
            entropy,
            none.clone(),
            none,
        ]);
    }
    table.without_empty_columns()
}

fn by_class(rows: &[&SaladRow], chance: f64) -> Option<Figure> {
    let mut columns: Vec<String> = Vec::new();
    for (label, ..) in rows.iter().flat_map(|row| &row.by_class) {
        if !columns.contains(label) {
            columns.push(label.clone());
        }
    }
    if columns.is_empty() {
        return None;
    }
    let cells = rows.iter().map(|row| {
        let cell = |label: &String| row.by_class.iter().find(|(name, ..)| name == label).map(|(.., share)| *share);
        (row.name.clone(), columns.iter().map(cell).collect())
    });
    let cells: Vec<_> = cells.collect();
    let data = Heat {
        title: "Agreement by the first answer, %",
        what: "destroyer",
        columns: &columns,
        rows: &cells,
        from: chance,
    };
    Some(Figure {
        wide: heat(&data, WIDE),
        narrow: Some(heat(&data, NARROW)),
        caption: "Agreement by what the model answered to the whole text, in %. Darker is farther above chance. A model that falls back to one favourite label agrees fully on that label and not at all on the others.".into(),
    })
}
