//! What each change costs.

use fissure_core::Expectation;
use fissure_evaluate::{Evidence, Findings, PartFinding};

use crate::charts::{ChartTable, DropRow, IntervalRow, Intervals, NARROW, WIDE, drops, intervals};
use crate::document::{Block, Figure, Section, Words};
use crate::interpret::{acceptability, beyond_noise, counts_samples, dropping, dropping_of, expecting, moving, sure};
use crate::numbers::{DASH, Unit, count, fixed, p_value, percent};

pub fn section(findings: &Findings) -> Section {
    let mut section = Section::new("drops", "What each change costs");
    let kept: Vec<&PartFinding> = expecting(findings, Expectation::Kept).collect();
    if kept.is_empty() {
        section = section.words("Not measured: the run held no change that keeps the right answer.".into());
    } else if let (true, Some(figure)) = (dropping(findings).is_empty(), moved(findings)) {
        section = section.words(
            "The right answers are not known, so no score is taken: only how often an answer changed although the right one stayed. Where it did, one of the two was wrong.".into(),
        );
        section = section.block(Block::Figures(vec![figure]));
    } else {
        let caption = Words::from(
            "Score on the originals of exactly the samples a change touched, less the score on their changed forms. Lines are 95 % intervals of paired differences. Beyond noise: the interval leaves out 0, and for metrics that count whole samples McNemar's exact test after Holm's correction over all changes is below 0.05; for others, the interval widened for the number of changes leaves out 0 as well. Own interval only: it leaves out 0, but not after that correction.",
        );
        section = section.block(chart(findings, &kept, caption));
        let details = details("The changes in numbers", findings, Expectation::Kept);
        section = if details.rows.is_empty() { section } else { section.block(Block::Table(details)) };
    }
    let relabelled: Vec<&PartFinding> = expecting(findings, Expectation::Relabelled).collect();
    let table = details("Changes that set labels, in numbers", findings, Expectation::Relabelled);
    if !table.rows.is_empty() {
        section = section.words("These changes are made for the task and set the right answer themselves: the changed texts are scored by their new labels, and where a change puts some labels on trial, by these alone.".into());
        let caption = Words::from(
            "Score on the originals of the samples a change touched, less the score on their changed forms by the new labels, with 95 % intervals of paired differences. A model that read the texts would lose nothing.",
        );
        section = section.block(chart(findings, &relabelled, caption)).block(Block::Table(table));
    }
    if let Some(words) = thin(findings) {
        section = section.words(words);
    }
    if let Some(table) = flipped(findings) {
        section = section.words(
            "These changes turn the right answer into its opposite. The question is whether the model follows.".into(),
        );
        section = section.block(Block::Table(table));
    }
    if let Some(table) = unsure(findings) {
        section = section.words("These changes may or may not keep the right answer, so no score is taken: only how often the answer changed.".into());
        section = section.block(Block::Table(table));
    }
    section
}

/// The results that rest on few texts or on one pair of words.
fn thin(findings: &Findings) -> Option<Words> {
    let measured = findings.parts.iter().filter(|part| part.evidence.is_some());
    let warned = |part: &PartFinding| {
        let warnings = part.warnings();
        (!warnings.is_empty()).then(|| format!("{} {}", part.name, warnings.join(" and ")))
    };
    let all: Vec<String> = measured.filter_map(warned).collect();
    (!all.is_empty()).then(|| Words::from(format!("Read with care: {}.", all.join("; "))))
}

/// How many answers change, if the right ones are not known.
fn moved(findings: &Findings) -> Option<Figure> {
    let row = |(part, evidence): (&PartFinding, &Evidence)| IntervalRow {
        name: part.name.clone(),
        value: Some(evidence.changed_answers),
        sure: evidence.changed_answers.low > 0.0,
        note: format!("{} texts", count(part.counts.changed)),
    };
    let rows: Vec<IntervalRow> = moving(findings).into_iter().map(row).collect();
    let data = Intervals {
        title: "Answers that changed",
        axis: "answers that changed, %",
        what: "change",
        unit: Unit::Percent,
        reference: 0.0,
        reference_name: "none",
        higher_is_worse: true,
        rows: &rows,
    };
    (!rows.is_empty()).then(|| Figure {
        wide: intervals(&data, WIDE),
        narrow: Some(intervals(&data, NARROW)),
        caption: "The share of the texts a change touched on which the model's answer is another one now, with 95 % intervals.".into(),
    })
}

/// The drops of some changes as a chart.
fn chart(findings: &Findings, parts: &[&PartFinding], caption: Words) -> Block {
    let rows: Vec<DropRow> = parts.iter().map(|part| row(findings, part)).collect();
    let metric = &findings.about.metric;
    Block::Figures(vec![Figure {
        wide: drops(&rows, metric, WIDE),
        narrow: Some(drops(&rows, metric, NARROW)),
        caption,
    }])
}

fn row(findings: &Findings, part: &PartFinding) -> DropRow {
    let evidence = part.evidence.as_ref();
    DropRow {
        name: part.name.clone(),
        drop: evidence.and_then(|evidence| evidence.drop),
        sure: evidence.is_some_and(|evidence| sure(findings, evidence)),
        samples: evidence.map_or(0, |evidence| evidence.samples),
    }
}

fn details(title: &str, findings: &Findings, expectation: Expectation) -> ChartTable {
    let head = [
        "change",
        "samples",
        "before → after, %",
        "drop, points",
        "95 % interval",
        "p (Holm)",
        "beyond noise",
        "broken, fixed",
        "confidence, %",
        "human acceptability",
    ];
    let mut table = ChartTable::new(title, &head);
    let whole = counts_samples(findings);
    for (part, evidence, drop) in dropping_of(findings, expectation) {
        let score =
            |score: Option<fissure_statistics::Estimate>| score.map_or(DASH.to_owned(), |score| percent(score.value));
        let confidence = evidence
            .confidence
            .map_or(DASH.to_owned(), |(before, after)| format!("{} → {}", percent(before.value), percent(after.value)));
        table.rows.push(vec![
            part.name.clone(),
            count(evidence.samples),
            format!("{} → {}", score(evidence.before), score(evidence.after)),
            Unit::Percent.write(drop.value),
            Unit::Percent.interval(&drop),
            evidence.p_holm.filter(|_| whole).map_or(DASH.to_owned(), p_value),
            beyond_noise(findings, evidence).to_owned(),
            format!("{}, {}", count(evidence.broken), count(evidence.fixed)),
            confidence,
            part.human.as_ref().and_then(acceptability).map_or(DASH.to_owned(), |share| fixed(share, 2)),
        ]);
    }
    table.without_empty_columns()
}

fn flipped(findings: &Findings) -> Option<ChartTable> {
    let head = ["change", "samples", "right before, %", "right after, %", "95 % interval", "answers that changed, %"];
    let mut table = ChartTable::new("Changes that flip the right answer", &head);
    for part in expecting(findings, Expectation::Flipped) {
        let Some(evidence) = &part.evidence else { continue };
        let after = evidence.after;
        table.rows.push(vec![
            part.name.clone(),
            count(evidence.samples),
            evidence.before.map_or(DASH.to_owned(), |score| percent(score.value)),
            after.map_or(DASH.to_owned(), |score| percent(score.value)),
            after.map_or(DASH.to_owned(), |score| Unit::Percent.interval(&score)),
            Unit::Percent.estimate(&evidence.changed_answers),
        ]);
    }
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn unsure(findings: &Findings) -> Option<ChartTable> {
    let mut table = ChartTable::new(
        "Changes after which either answer may be right",
        &["change", "samples", "answers that changed, %", "95 % interval"],
    );
    for part in expecting(findings, Expectation::Unsure) {
        let Some(evidence) = &part.evidence else { continue };
        let moved = evidence.changed_answers;
        let (value, interval) = (percent(moved.value), Unit::Percent.interval(&moved));
        table.rows.push(vec![part.name.clone(), count(evidence.samples), value, interval]);
    }
    (!table.rows.is_empty()).then_some(table)
}
