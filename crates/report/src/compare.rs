//! Two runs side by side: two models on the same data, or one model before and after it was fixed.

use fissure_core::{Expectation, counted};
use fissure_evaluate::Findings;
pub use fissure_evaluate::RunComparison;
use fissure_statistics::{Estimate, holm};

use crate::charts::{ChartTable, IntervalRow, Intervals, NARROW, Pair, Pairs, Unit, WIDE, intervals, pairs};
use crate::document::{Block, Document, Fact, Figure, Section, Words};
use crate::interpret::{ALPHA, dropping, dropping_of, excludes};
use crate::numbers::{DASH, count, p_value, percent, signed_points};

/// The report that compares `first` and `second`. What was not taken together, sample by sample, is worked out from the
/// two findings, as if the runs had nothing in common, and says so.
pub fn compare(first: &Findings, second: &Findings, together: &RunComparison) -> Document {
    let rows = rows(first, second, together);
    let clean = clean(first, second, together);
    let weighted = weighted(first, second, together);
    let sections = vec![
        verdict(first, second, clean.as_ref(), &rows, together),
        scores(first, second, together),
        drops(first, second, &rows, together),
        interactions(first, second, together),
        slices(first, second, together),
        salad(first, second, together),
        only_in_one(first, second),
        reproduce(first, second),
    ];
    Document {
        title: "Two runs compared".to_owned(),
        subtitle: Words::new().say("first ").code(name(first)).say(" · second ").code(name(second)),
        headline: headline(clean.as_ref(), weighted.as_ref(), &rows),
        facts: facts(first, second, clean.as_ref(), &rows),
        sections: sections.into_iter().filter(|section| !section.blocks.is_empty()).collect(),
    }
}

/// A part that both runs measured.
struct Row {
    name: String,
    /// Whether the change sets the right answer itself: then its drop does not enter the mean.
    sets_label: bool,
    first: Estimate,
    second: Estimate,
    difference: Estimate,
    /// The p-value of no difference, after Holm's correction over all changes.
    p_holm: f64,
    paired: bool,
    after: Option<(Estimate, Estimate)>,
}

fn name(findings: &Findings) -> String {
    format!("{} (suite {}, seed {})", findings.about.model.name, findings.about.suite, findings.about.seed)
}

fn rows(first: &Findings, second: &Findings, together: &RunComparison) -> Vec<Row> {
    let measured = |findings| {
        let mut parts = dropping(findings);
        parts.extend(dropping_of(findings, Expectation::Relabelled));
        parts
    };
    let others = measured(second);
    let mut rows: Vec<Row> = measured(first)
        .into_iter()
        .filter_map(|(part, evidence, drop)| {
            let (_, other, second) = others.iter().find(|(other, ..)| other.name == part.name)?;
            let paired = together.difference("drop", &part.name);
            Some(Row {
                name: part.name.clone(),
                sets_label: part.expectation == Expectation::Relabelled,
                first: drop,
                second: *second,
                difference: paired.unwrap_or_else(|| apart(&drop, second)),
                p_holm: 1.0,
                paired: paired.is_some(),
                after: evidence.after.zip(other.after),
            })
        })
        .collect();
    let corrected = holm(&rows.iter().map(|row| row.difference.p_of_zero()).collect::<Vec<_>>());
    rows.iter_mut().zip(corrected).for_each(|(row, p)| row.p_holm = p);
    rows.sort_by(|a, b| b.difference.value.total_cmp(&a.difference.value).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// The second less the first, where their errors have nothing to do with each other: the distances to the near ends of
/// the intervals, added as squares (Zou and Donner 2008).
fn apart(first: &Estimate, second: &Estimate) -> Estimate {
    let value = second.value - first.value;
    let down = (second.value - second.low).hypot(first.high - first.value);
    let up = (second.high - second.value).hypot(first.value - first.low);
    Estimate { value, low: value - down, high: value + up }
}

fn clean(first: &Findings, second: &Findings, together: &RunComparison) -> Option<Estimate> {
    let (a, b) = (first.clean.first()?, second.clean.first()?);
    (a.0 == b.0).then(|| together.difference(&a.0, "").unwrap_or_else(|| apart(&a.1, &b.1)))
}

/// The weighted drop of the second run less that of the first.
fn weighted(first: &Findings, second: &Findings, together: &RunComparison) -> Option<Estimate> {
    let (a, b) = first.weighted.zip(second.weighted)?;
    Some(together.difference("drop", "weighted").unwrap_or_else(|| apart(&a.drop, &b.drop)))
}

/// How many changes cost the second run more, and less, beyond noise: corrected for their number.
fn count_words(rows: &[Row]) -> (usize, usize) {
    let sure = || rows.iter().filter(|row| row.p_holm < ALPHA);
    (sure().filter(|row| row.difference.value > 0.0).count(), sure().filter(|row| row.difference.value < 0.0).count())
}

/// The clean scores, then the mean drop, which has the power to show what single changes cannot; without it, the changes.
fn headline(clean: Option<&Estimate>, weighted: Option<&Estimate>, rows: &[Row]) -> String {
    let (worse, better) = count_words(rows);
    let score = match clean {
        Some(gap) if gap.low > 0.0 => "The second scores higher",
        Some(gap) if gap.high < 0.0 => "The second scores lower",
        Some(_) => "Clean scores do not differ beyond noise",
        None => "Clean scores cannot be compared",
    };
    let changes = rows.len();
    let interval = |low: f64, high: f64| format!("95 % interval {} to {}", percent(low), percent(high));
    match (weighted, worse, better) {
        _ if changes == 0 => score.to_owned(),
        (Some(gap), ..) if gap.low > 0.0 => {
            let more = percent(gap.value);
            format!("{score}; the mean drop of the second is {more} points larger ({})", interval(gap.low, gap.high))
        }
        (Some(gap), ..) if gap.high < 0.0 => {
            let less = percent(-gap.value);
            format!("{score}; the mean drop of the second is {less} points smaller ({})", interval(-gap.high, -gap.low))
        }
        (_, 0, 0) => format!("{score}; drops do not differ beyond noise under {}", counted(changes, "change")),
        (_, 0, _) => format!("{score}; smaller drops under {better} of {}", counted(changes, "change")),
        (_, _, 0) => format!("{score}; larger drops under {worse} of {}", counted(changes, "change")),
        _ => {
            format!("{score}; smaller drops under {better} and larger under {worse} of {}", counted(changes, "change"))
        }
    }
}

fn facts(first: &Findings, second: &Findings, clean: Option<&Estimate>, rows: &[Row]) -> Vec<Fact> {
    let score = |findings: &Findings| findings.clean.first().map_or(DASH.to_owned(), |(_, score)| percent(score.value));
    let kept: Vec<&Row> = rows.iter().filter(|row| !row.sets_label).collect();
    let mean = |of: &dyn Fn(&Row) -> f64| match kept.len() {
        0 => DASH.to_owned(),
        changes => percent(kept.iter().map(|row| of(row)).sum::<f64>() / changes as f64),
    };
    let fact = |name: &str, value: String, note: String| Fact { name: name.to_owned(), value, note };
    let gap = clean.map_or("cannot be compared".to_owned(), |gap| format!("difference {}", Unit::Points.estimate(gap)));
    vec![
        fact(&format!("{} on clean data, %", first.about.metric), format!("{} → {}", score(first), score(second)), gap),
        fact(
            "mean drop, points",
            format!("{} → {}", mean(&|row| row.first.value), mean(&|row| row.second.value)),
            match kept.len() {
                0 => "no change that keeps the answer was measured in both runs".to_owned(),
                1 => "of the one change that keeps the answer and that both runs measured".to_owned(),
                changes => format!("over the {changes} changes that keep the answer and that both runs measured"),
            },
        ),
    ]
}

fn verdict(
    first: &Findings,
    second: &Findings,
    clean: Option<&Estimate>,
    rows: &[Row],
    together: &RunComparison,
) -> Section {
    let metric = &first.about.metric;
    let mut words = Words::new();
    words = match clean {
        Some(gap) => {
            let sure = if excludes(gap, 0.0) { "beyond noise" } else { "within noise" };
            words
                .say(format!("On clean data {metric} differs by "))
                .strong(format!("{} points", signed_points(gap.value)))
                .say(format!(" (95 % interval {} to {}), {sure}. ", signed_points(gap.low), signed_points(gap.high)))
        }
        None => words.say("The clean scores are of different metrics or absent, and cannot be compared. "),
    };
    let (worse, better) = count_words(rows);
    words = words.say(match rows.len() {
        0 => "No change was measured in both runs. ".to_owned(),
        changes => {
            let changes = if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") };
            let found = match (worse, better) {
                (0, 0) => "the second model loses more or less than the first under none".to_owned(),
                _ => format!("the second model loses less under {better} and more under {worse}"),
            };
            let alone = rows.iter().filter(|row| row.p_holm >= ALPHA && excludes(&row.difference, 0.0)).count();
            let alone = match alone {
                0 => String::new(),
                1 => " One more differs by its own interval only, without correction.".to_owned(),
                alone => format!(" {alone} more differ by their own intervals only, without correction."),
            };
            format!("Of {changes} that both runs measured, {found}, beyond noise and corrected for all of them (Holm).{alone} ")
        }
    });
    if let Some(answers) = &together.answers {
        words = words.say(format!(
            "On unchanged texts {} answers are right in the first run only and {} in the second only (McNemar's exact test: p {}). ",
            count(answers.only_first),
            count(answers.only_second),
            p_value(answers.p)
        ));
    }
    let same = first.about.data.checksum == second.about.data.checksum;
    words = words.say(match (&together.apart, same) {
        (None, _) if together.samples > 0 => {
            format!("The runs are about the same {} samples, and differences are paired sample by sample.", together.samples)
        }
        (Some(why), true) => format!("The runs used the same data, but differences are not paired ({why}): intervals are as for two separate samples, and so rather too wide."),
        (None, true) => "The runs used the same data, but differences are not paired: intervals are as for two separate samples, and so rather too wide.".to_owned(),
        _ => "The runs used different data, so differences are not paired, and mix the models with the data.".to_owned(),
    });
    Section::new("verdict", "Verdict").words(words)
}

fn scores(first: &Findings, second: &Findings, together: &RunComparison) -> Section {
    let head = ["metric", "first", "second", "difference, points", "paired"];
    let mut table = ChartTable::new("Scores on the unchanged data, %", &head);
    let mut row = |name: &str, measure: &str, a: &Estimate, b: Option<&Estimate>| {
        let shown = |score: &Estimate| Unit::Percent.estimate(score);
        let (gap, paired) = b.map_or((DASH.to_owned(), DASH), |b| gap(together, measure, "", a, b));
        let second = b.map_or(DASH.to_owned(), shown);
        table.rows.push(vec![name.to_owned(), shown(a), second, gap, paired.to_owned()]);
    };
    for (name, score) in &first.clean {
        row(name, name, score, second.clean.iter().find(|(other, _)| other == name).map(|(_, score)| score));
    }
    if let (Some(a), Some(b)) = (&first.reliability, &second.reliability) {
        row("calibration error", "ece", &a.ece, Some(&b.ece));
    }
    let section = Section::new("clean", "On clean data");
    if table.rows.is_empty() { section } else { section.block(Block::Table(table)) }
}

fn drops(first: &Findings, second: &Findings, rows: &[Row], together: &RunComparison) -> Section {
    let section = Section::new("drops", "What each change costs");
    if rows.is_empty() {
        return section.words("No change was measured in both runs.".into());
    }
    let shown: Vec<IntervalRow> = rows
        .iter()
        .map(|row| IntervalRow {
            name: row.name.clone(),
            value: Some(row.difference),
            sure: row.p_holm < ALPHA,
            note: if row.paired { "paired" } else { "not paired" }.to_owned(),
        })
        .collect();
    let data = Intervals {
        title: "Drop in the second run, less the first",
        axis: "drop in the second run less the first, points",
        what: "change",
        unit: Unit::Points,
        reference: 0.0,
        reference_name: "no difference",
        higher_is_worse: true,
        rows: &shown,
    };
    let mut figures = vec![Figure {
        wide: intervals(&data, WIDE),
        narrow: Some(intervals(&data, NARROW)),
        caption: "Above 0 the second model loses more under a change than the first. Lines are the 95 % intervals of each change alone; marked is what differs beyond noise after correction for the number of changes (Holm).".into(),
    }];
    let mut both: Vec<Pair> = (rows.iter())
        .filter_map(|row| row.after.map(|(before, after)| Pair { name: row.name.clone(), before, after }))
        .collect();
    // What the second run loses most against the first comes first.
    let gain = |pair: &Pair| pair.after.value - pair.before.value;
    both.sort_by(|a, b| gain(a).total_cmp(&gain(b)).then_with(|| a.name.cmp(&b.name)));
    let title = format!("{} under each change, %", first.about.metric);
    if !both.is_empty() {
        let axis = &title;
        let data = Pairs { title: &title, axis, unit: Unit::Percent, before: "first", after: "second", pairs: &both };
        let caption = format!(
            "The {title}, in the first and in the second run, with 95 % intervals of each; what fell most is on top."
        );
        figures.push(Figure { wide: pairs(&data, WIDE), narrow: Some(pairs(&data, NARROW)), caption: caption.into() });
    }
    let mut table = ChartTable::new(
        "Drops in percentage points",
        &["change", "first", "second", "difference", "95 % interval", "p (Holm)", "beyond noise", "paired"],
    );
    for row in rows {
        table.rows.push(vec![
            if row.sets_label { format!("{} (sets the label)", row.name) } else { row.name.clone() },
            Unit::Percent.estimate(&row.first),
            Unit::Percent.estimate(&row.second),
            signed_points(row.difference.value),
            Unit::Points.interval(&row.difference),
            p_value(row.p_holm),
            if row.p_holm < ALPHA { "yes" } else { "no" }.to_owned(),
            if row.paired { "yes" } else { "no" }.to_owned(),
        ]);
    }
    let figures = figures.into_iter().map(|figure| Block::Figures(vec![figure]));
    let section = figures.fold(section, Section::block).block(Block::Table(table));
    let Some((a, b)) = first.weighted.zip(second.weighted) else { return section };
    let (gap, paired) = gap(together, "drop", "weighted", &a.drop, &b.drop);
    let how = if paired == "yes" { "paired" } else { "not paired" };
    section.words(
        Words::new()
            .say("All changes that people judged, weighted by how acceptable they found the changed texts: a mean drop of ")
            .say(format!("{} in the first run and {} in the second, ", Unit::Percent.estimate(&a.drop), Unit::Percent.estimate(&b.drop)))
            .strong(format!("{gap} points"))
            .say(format!(" apart ({how}).")),
    )
}

fn interactions(first: &Findings, second: &Findings, together: &RunComparison) -> Section {
    let head = ["changes", "first", "second", "difference", "paired"];
    let mut table = ChartTable::new("How much more changes cost together than the sum of each, points", &head);
    for each in &first.interactions {
        let Some(other) = second.interactions.iter().find(|other| other.name == each.name) else { continue };
        let (gap, paired) = gap(together, "excess", &each.name, &each.excess, &other.excess);
        let [a, b] = [each.excess, other.excess].map(|excess| Unit::Points.estimate(&excess));
        table.rows.push(vec![each.name.clone(), a, b, gap, paired.to_owned()]);
    }
    let section = Section::new("interactions", "Changes together");
    if table.rows.is_empty() { section } else { section.block(Block::Table(table)) }
}

fn slices(first: &Findings, second: &Findings, together: &RunComparison) -> Section {
    let head = ["slice", "inside, first, %", "inside, second, %", "difference, points", "p (Holm)", "paired"];
    let mut table = ChartTable::new(&format!("{} on parts of the data", first.about.metric), &head);
    let mut tests = Vec::new();
    for slice in &first.slices {
        let other = second.slices.iter().find(|other| other.name == slice.name);
        let Some((a, b)) = slice.score_inside.zip(other.and_then(|other| other.score_inside)) else { continue };
        let paired = together.difference("score", &slice.name);
        tests.push(paired.unwrap_or_else(|| apart(&a, &b)).p_of_zero());
        let (gap, paired) = gap(together, "score", &slice.name, &a, &b);
        let [a, b] = [a, b].map(|score| Unit::Percent.estimate(&score));
        table.rows.push(vec![slice.name.clone(), a, b, gap, String::new(), paired.to_owned()]);
    }
    table.rows.iter_mut().zip(holm(&tests)).for_each(|(row, p)| row[4] = p_value(p));
    let section = Section::new("slices", "Parts of the data");
    if table.rows.is_empty() { section } else { section.block(Block::Table(table)) }
}

/// The difference of a measure as it is written, and whether it was taken sample by sample.
fn gap(together: &RunComparison, measure: &str, of: &str, a: &Estimate, b: &Estimate) -> (String, &'static str) {
    let paired = together.difference(measure, of);
    let gap = paired.unwrap_or_else(|| apart(a, b));
    (Unit::Points.estimate(&gap), if paired.is_some() { "yes" } else { "no" })
}

fn salad(first: &Findings, second: &Findings, together: &RunComparison) -> Section {
    let head =
        ["destroyer", "agreement, first, %", "agreement, second, %", "difference, points", "paired", "chance, %"];
    let mut table = ChartTable::new("Nonsense input: answers that stay", &head);
    for row in &first.salad {
        let Some(other) = second.salad.iter().find(|other| other.name == row.name) else { continue };
        let (gap, paired) = gap(together, "agreement", &row.name, &row.agreement, &other.agreement);
        table.rows.push(vec![
            row.name.clone(),
            Unit::Percent.estimate(&row.agreement),
            Unit::Percent.estimate(&other.agreement),
            gap,
            paired.to_owned(),
            percent(row.chance),
        ]);
    }
    let section = Section::new("salad", "Word salad");
    if table.rows.is_empty() { section } else { section.block(Block::Table(table)) }
}

fn only_in_one(first: &Findings, second: &Findings) -> Section {
    let names = |findings: &Findings| -> Vec<String> {
        dropping(findings).iter().map(|(part, ..)| part.name.clone()).collect()
    };
    let (a, b) = (names(first), names(second));
    let alone = |mine: &[String], other: &[String]| -> Vec<String> {
        mine.iter().filter(|name| !other.contains(name)).cloned().collect()
    };
    let mut section = Section::new("alone", "Measured in one run only");
    for (which, names) in [("first", alone(&a, &b)), ("second", alone(&b, &a))] {
        if !names.is_empty() {
            section = section.words(
                Words::new().say(format!("Only in the {which}: ")).list(names.iter().map(String::as_str)).say("."),
            );
        }
    }
    section
}

fn reproduce(first: &Findings, second: &Findings) -> Section {
    let command =
        |which: &str, findings: &Findings| (Words::from(format!("The {which} run:")), findings.about.command.clone());
    let sums = |findings: &Findings| {
        let model = findings.about.model.checksum.as_deref().unwrap_or("none");
        Words::new().say("model ").code(model).say(", samples ").code(&findings.about.data.checksum)
    };
    Section::new("reproduce", "How to reproduce")
        .block(Block::Commands(vec![command("first", first), command("second", second)]))
        .block(Block::Pairs(vec![
            ("checksums of the first".to_owned(), sums(first)),
            ("checksums of the second".to_owned(), sums(second)),
        ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_errors_add_as_squares() {
        let first = Estimate { value: 0.10, low: 0.06, high: 0.13 };
        let second = Estimate { value: 0.30, low: 0.26, high: 0.33 };
        let gap = apart(&first, &second);
        // down: hypot(0.04, 0.03) = 0.05; up: hypot(0.03, 0.04) = 0.05
        assert!((gap.value - 0.2).abs() < 1e-12 && (gap.low - 0.15).abs() < 1e-12 && (gap.high - 0.25).abs() < 1e-12);
    }
}
