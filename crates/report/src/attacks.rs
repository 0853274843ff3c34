//! The report of a run of attacks, and of two of them side by side.

use std::collections::BTreeMap;

use fissure_attacks::{AttackFinding, AttackRun, Example, Paired};
use fissure_statistics::Estimate;

use crate::charts::{ChartTable, Curve, Curves, NARROW, Unit, WIDE, curves};
use crate::document::{Bit, Block, Change, Document, Fact, Figure, Section, Words};
use crate::numbers::{DASH, count, fixed, p_value, percent, signed_points};

/// The report of one run of attacks.
pub fn attack_document(run: &AttackRun) -> Document {
    let found = &run.finding;
    let sections = [
        Some(verdict(found)),
        Some(numbers(&[run])),
        curves_section(&[run]),
        examples(found),
        Some(counted(found)),
        Some(reproduce(&[run])),
    ];
    Document {
        title: "A model under attack".to_owned(),
        subtitle: Words::new()
            .code(&found.name)
            .say(" against ")
            .code(&run.model)
            .say(" on ")
            .list(run.data.iter().map(String::as_str)),
        headline: headline(found),
        facts: facts(found),
        sections: sections.into_iter().flatten().collect(),
    }
}

/// Two runs on the same texts: two attacks, or one attack on two models.
pub fn attack_comparison(first: &AttackRun, second: &AttackRun, paired: &Paired) -> Document {
    let name = |run: &AttackRun| format!("{} against {}", run.finding.name, run.model);
    let difference = paired.difference;
    let headline = match difference {
        Some(gap) if gap.low > 0.0 => "The second breaks more texts".to_owned(),
        Some(gap) if gap.high < 0.0 => "The second breaks fewer texts".to_owned(),
        Some(_) => "The two do not differ beyond noise".to_owned(),
        None => "No text was attacked by both".to_owned(),
    };
    let words = Words::from(format!(
        "Of {} texts that both attacked, both broke {}, the first alone {}, the second alone {}. Success of the second less that of the first: {} points{}. McNemar's exact test: p {}.",
        count(paired.texts),
        count(paired.both),
        count(paired.first_only),
        count(paired.second_only),
        difference.map_or_else(|| DASH.to_owned(), |gap| signed_points(gap.value)),
        difference.map_or_else(String::new, |gap| format!(
            " (95 % interval {} to {}, paired by text)",
            signed_points(gap.low),
            signed_points(gap.high)
        )),
        p_value(paired.p),
    ));
    let sections = [
        Some(Section::new("verdict", "Text by text").words(words)),
        Some(numbers(&[first, second])),
        curves_section(&[first, second]),
        Some(reproduce(&[first, second])),
    ];
    Document {
        title: "Two runs of attacks compared".to_owned(),
        subtitle: Words::new().say("first ").code(name(first)).say(" · second ").code(name(second)),
        headline,
        facts: vec![Fact {
            name: "difference of success".into(),
            value: difference.map_or_else(|| DASH.to_owned(), |gap| signed_points(gap.value)),
            note: format!("points, over {} texts", count(paired.texts)),
        }],
        sections: sections.into_iter().flatten().collect(),
    }
}

/// Attacks beside an evaluation, a row each, for its report.
pub fn attacks_section(runs: &[AttackRun]) -> Section {
    let head = ["attack", "texts", "broken", "certified", "accuracy under attack", "questions a text"];
    let mut table = ChartTable::new("Attacks on the first samples", &head);
    for AttackRun { finding, .. } in runs {
        table.rows.push(vec![
            finding.name.clone(),
            count(finding.attacked),
            share(finding.success),
            if finding.proves { share(finding.certified_share) } else { DASH.to_owned() },
            share(finding.accuracy_under_attack),
            finding.questions.map_or_else(|| DASH.to_owned(), |spread| fixed(spread.mean, 1)),
        ]);
    }
    let words = "Searches for a change of each text that flips its answer, on texts that the model answers correctly. Intervals \
                 are Wilson's, 95 %. Each attack has a report of its own in the directory attacks.";
    let section = Section::new("attacks", "Under attack").words(words.into()).block(Block::Table(table));
    let shortest = runs.iter().flat_map(|run| run.finding.examples.first().map(|example| (&run.finding.name, example)));
    let changes: Vec<Change> = shortest
        .map(|(name, example)| {
            let mut change = change(example);
            change.title = Words::new().code(name).say(" · ").say(change.title.plain());
            change
        })
        .collect();
    if changes.is_empty() { section } else { section.block(Block::Changes(changes)) }
}

fn share(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || "not measured".to_owned(),
        |e| format!("{} % ({} to {})", percent(e.value), percent(e.low), percent(e.high)),
    )
}

fn headline(found: &AttackFinding) -> String {
    match found.success {
        None => "No text was attacked".to_owned(),
        Some(success) => format!("{} % of the attacked texts broke", percent(success.value)),
    }
}

fn facts(found: &AttackFinding) -> Vec<Fact> {
    let fact = |name: &str, estimate: Option<Estimate>| Fact {
        name: name.into(),
        value: estimate.map_or_else(|| DASH.to_owned(), |e| format!("{} %", percent(e.value))),
        note: estimate.map_or_else(|| "not measured".into(), |e| format!("{} to {}", percent(e.low), percent(e.high))),
    };
    let mut facts = vec![
        fact("accuracy before", found.accuracy_before),
        fact("accuracy under attack", found.accuracy_under_attack),
        fact("broken", found.success),
    ];
    if found.proves {
        facts.push(fact("certified", found.certified_share));
        facts.push(fact("open", found.open_share));
    }
    facts
}

fn verdict(found: &AttackFinding) -> Section {
    let mut words = Words::new().code(&found.name).say(format!(
        " attacked {} texts that the model answers correctly and broke {}: {}. Accuracy was {} and is {} under attack.",
        count(found.attacked),
        count(found.succeeded),
        share(found.success),
        share(found.accuracy_before),
        share(found.accuracy_under_attack),
    ));
    if found.proves {
        words = words.say(format!(
            " For {} it was proved that no change from the candidates, up to the number of words in the attack file, flips the answer: {}. The rest is open: {}.",
            count(found.certified),
            share(found.certified_share),
            share(found.open_share),
        ));
        let empty = found.attacked - found.tried().min(found.attacked);
        if empty > 0 {
            let said = match empty {
                1 => "1 text has no candidate, so there was nothing to prove: it is in neither share.".to_owned(),
                empty => format!(
                    "{} texts have no candidate, so there was nothing to prove: they are in neither share.",
                    count(empty)
                ),
            };
            words = words.say(" ").say(said);
        }
    } else {
        words = words.say(" A text that withstood may still break under another attack: this one proves nothing.");
    }
    let checked = "Every broken text was checked: all constraints against the original, and the model asked once more. Intervals are Wilson's, 95 %.";
    Section::new("verdict", "Verdict").words(words).words(checked.into())
}

/// The numbers of each run, a column each.
fn numbers(runs: &[&AttackRun]) -> Section {
    let number = |value: Option<f64>| value.map_or_else(|| DASH.to_owned(), |value| fixed(value, 1));
    type Row = (&'static str, fn(&AttackFinding) -> String);
    let rows: [Row; 12] = [
        ("accuracy before", |found| share(found.accuracy_before)),
        ("accuracy under attack", |found| share(found.accuracy_under_attack)),
        ("broken", |found| share(found.success)),
        ("certified", |found| if found.proves { share(found.certified_share) } else { DASH.to_owned() }),
        ("open", |found| if found.proves { share(found.open_share) } else { DASH.to_owned() }),
        ("questions a text, mean", |found| {
            found.questions.map_or_else(|| DASH.to_owned(), |spread| fixed(spread.mean, 1))
        }),
        ("median", |found| found.questions.map_or_else(|| DASH.to_owned(), |spread| count(spread.median))),
        ("95 % at most", |found| found.questions.map_or_else(|| DASH.to_owned(), |spread| count(spread.p95))),
        ("words changed", |found| found.words_changed.map_or_else(|| DASH.to_owned(), |words| fixed(words, 2))),
        ("share of words changed", |found| {
            found.share_of_words.map_or_else(|| DASH.to_owned(), |share| format!("{} %", percent(share)))
        }),
        ("perplexity before and after", |found| match (found.perplexity_before, found.perplexity_after) {
            (Some(before), Some(after)) => format!("{} and {}", fixed(before, 0), fixed(after, 0)),
            _ => DASH.to_owned(),
        }),
        ("similarity, mean and least", |found| {
            found
                .similarity
                .map_or_else(|| DASH.to_owned(), |(mean, least)| format!("{} and {}", fixed(mean, 3), fixed(least, 3)))
        }),
    ];
    let head: Vec<String> = match runs {
        [_] => vec!["of the run".into()],
        runs => runs.iter().map(|run| format!("{}, {}", run.finding.name, run.model)).collect(),
    };
    let mut names = vec!["number"];
    names.extend(head.iter().map(String::as_str));
    let mut table = ChartTable::new("The attack in numbers", &names);
    for (name, of) in rows {
        let cells: Vec<String> = runs.iter().map(|run| of(&run.finding)).collect();
        if cells.iter().any(|cell| cell != DASH) {
            table.rows.push([vec![name.to_owned()], cells].concat());
        }
    }
    for (name, of) in [
        ("asked, with repetitions", (|found| found.asked) as fn(&AttackFinding) -> Option<f64>),
        ("different inputs of the model", |found| found.inputs),
        ("backward passes", |found| found.backward),
    ] {
        let cells: Vec<String> = runs.iter().map(|run| number(of(&run.finding))).collect();
        table.rows.push([vec![name.to_owned()], cells].concat());
    }
    Section::new("numbers", "In numbers").block(Block::Table(table))
}

fn curves_section(runs: &[&AttackRun]) -> Option<Section> {
    let name = |run: &AttackRun| match runs {
        [_] => "accuracy".to_owned(),
        _ => format!("{}, {}", run.finding.name, run.model),
    };
    let questions: Vec<Curve> = runs
        .iter()
        .map(|run| {
            let points = run.finding.by_questions.iter().map(|(limit, accuracy)| (*limit as f64, *accuracy));
            Curve { name: name(run), points: points.collect() }
        })
        .collect();
    let words: Vec<Curve> = runs
        .iter()
        .map(|run| {
            let points = run.finding.by_words.iter().map(|(limit, accuracy)| (100.0 * limit, *accuracy));
            Curve { name: name(run), points: points.collect() }
        })
        .collect();
    if questions.iter().all(|curve| curve.points.is_empty()) {
        return None;
    }
    let figure = |title: &str, x_axis: &str, x_log: bool, lines: &[Curve], caption: &str| {
        let data = Curves { title, x_axis, y_axis: "accuracy", x_log, unit: Unit::Percent, curves: lines };
        Figure { wide: curves(&data, WIDE), narrow: Some(curves(&data, NARROW)), caption: caption.into() }
    };
    let figures = vec![
        figure(
            "Accuracy under attack by questions",
            "questions a text",
            true,
            &questions,
            "Accuracy if every attack had stopped after this many questions. Bands are 95 % intervals (Wilson).",
        ),
        figure(
            "Accuracy under attack by words changed",
            "% of the words",
            false,
            &words,
            "Accuracy if an attack could change at most such a share of the words of a text.",
        ),
    ];
    Some(Section::new("curves", "What more effort brings").block(Block::Figures(figures)))
}

fn examples(found: &AttackFinding) -> Option<Section> {
    if found.examples.is_empty() {
        return None;
    }
    let changes = found.examples.iter().map(change).collect();
    let words = "Broken texts that needed fewest changes. Read them: an attack counts only where a reader would still give the old answer.";
    Some(Section::new("examples", "Broken texts").words(words.into()).block(Block::Changes(changes)))
}

fn change(example: &Example) -> Change {
    let answer = |label: &str, p: f64| Words::new().strong(label).say(format!(" ({} %)", percent(p)));
    let mut bits = Vec::new();
    let mut at = 0;
    for (start, end, new) in &example.edits {
        let (Some(same), Some(old)) = (example.before.get(at..*start), example.before.get(*start..*end)) else { break };
        bits.push(Bit::Same(same.to_owned()));
        bits.push(Bit::Changed { old: old.to_owned(), new: new.clone() });
        at = *end;
    }
    bits.push(Bit::Same(example.before.get(at..).unwrap_or_default().to_owned()));
    Change {
        title: Words::new().say("sample ").code(&example.id).say(" · ").code(&example.field),
        beside: Vec::new(),
        bits,
        before: answer(&example.answer_before, example.p_before),
        after: answer(&example.answer_after, example.p_after),
    }
}

fn counted(found: &AttackFinding) -> Section {
    let mut table = ChartTable::new("Texts that did not break", &["what came of it", "texts"]);
    let rows = |what: &str, counts: &BTreeMap<String, usize>| -> Vec<Vec<String>> {
        counts.iter().map(|(why, texts)| vec![format!("{what}: {why}"), count(*texts)]).collect()
    };
    table.rows.extend(rows("withstood", &found.failed));
    table.rows.extend(rows("not attacked", &found.skipped));
    let section = Section::new("counted", "What did not break");
    if table.rows.is_empty() { section.words("Every text broke.".into()) } else { section.block(Block::Table(table)) }
}

fn reproduce(runs: &[&AttackRun]) -> Section {
    let mut section = Section::new("reproduce", "How to reproduce");
    for run in runs {
        let mut pairs = vec![
            ("version".to_owned(), Words::from(format!("Fissure {}", run.fissure))),
            ("attack".to_owned(), Words::new().code(&run.finding.name)),
            ("model".to_owned(), Words::new().code(&run.model)),
            ("data".to_owned(), Words::new().list(run.data.iter().map(String::as_str))),
            ("task".to_owned(), Words::new().code(&run.task)),
            ("seed".to_owned(), Words::from(run.seed.to_string())),
        ];
        pairs.extend(run.finding.used.iter().map(|used| ("used".to_owned(), Words::from(used.clone()))));
        section = section.block(Block::Pairs(pairs));
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, succeeded: usize) -> AttackRun {
        let share = |count: usize, of: usize| fissure_statistics::proportion(count, of);
        let value = serde_json::json!({
            "fissure": "0", "model": "cnn", "task": "sa", "data": ["a.csv"], "seed": 0, "attack": name, "used": ["near words: x"],
            "proves": true, "attacked": 10, "succeeded": succeeded, "certified": 2, "accuracy_before": share(10, 12),
            "accuracy_under_attack": share(10 - succeeded, 12), "success": share(succeeded, 10), "certified_share": share(2, 10),
            "open_share": share(8_usize.saturating_sub(succeeded), 10), "questions": {"mean": 4.0, "median": 3, "p95": 9}, "asked": 5.0,
            "inputs": 3.5, "backward": 1.0, "share_of_words": 0.1, "words_changed": 2.5, "words_changed_before_shrinking": 3.0,
            "perplexity_before": 200.0, "perplexity_after": 321.0, "similarity": null, "failed": {"certified": 2, "exhausted": 1},
            "skipped": {"wrong before the attack": 2}, "by_questions": [[1, share(10, 12)], [3, share(4, 12)]],
            "by_words": [[0.1, share(6, 12)], [0.5, share(4, 12)]],
            "examples": [{"id": "7", "field": "text", "before": "a good film", "edits": [[2, 6, "gud <b>"]],
                "answer_before": "pos", "answer_after": "neg", "p_before": 0.9, "p_after": 0.6}],
        });
        serde_json::from_value(value).expect("a run")
    }

    #[test]
    fn every_page_says_the_three_shares() {
        let document = attack_document(&run("bound", 6));
        let html = crate::html(&document);
        for said in ["60.0 %", "certified", "open", "gud &lt;b&gt;", "Accuracy under attack by questions", "exhausted"]
        {
            assert!(html.contains(said), "{said}");
        }
        assert!(!html.contains("gud <b>"), "texts of users are escaped");
        let tex = crate::tex(&document);
        assert!(tex.contains("accuracy under attack"), "{tex}");
        #[cfg(feature = "pdf")]
        assert!(crate::pdf(&document, None).expect("a page").starts_with(b"%PDF"));
    }

    #[test]
    fn two_runs_are_compared_text_by_text() {
        let paired = Paired {
            texts: 10,
            both: 1,
            first_only: 0,
            second_only: 8,
            difference: fissure_statistics::paired_difference(10.0, 8.0, 0.0),
            p: fissure_statistics::mcnemar(0, 8),
        };
        let document = attack_comparison(&run("pwws", 1), &run("jump", 9), &paired);
        assert_eq!(document.headline, "The second breaks more texts");
        assert!(crate::html(&document).contains("the second alone 8"));
    }
}
