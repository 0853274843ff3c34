//! Paired intervals by simulation: two models that find the same texts hard.

use fissure_core::{Cut, Dice};
use fissure_statistics::{Estimate, proportion};
use serde_json::json;

use super::pairs::Pairs;
use super::*;
use crate::gate::{GateEvidence, Judgement, Rule, judge};
use crate::measure::Measured;
use crate::measure::interactions::Interactions;
use crate::run::{Block, CaseRecord, SampleRecord, Status};
use crate::{Findings, Interaction, Response};

/// Chances to be right on an easy and on a hard text: before and after the change.
type Skill = [[f64; 2]; 2];
const EASY: f64 = 0.8;
const WEAK: Skill = [[0.95, 0.3], [0.9, 0.2]];
const STRONG: Skill = [[0.97, 0.4], [0.88, 0.35]];

/// A header of a run with this many parts, for tests that read none from a file.
pub fn header(parts: usize) -> Header {
    let chain = |at: usize| {
        json!({
            "name": format!("part{at}"), "parts": [format!("part{at}")], "settings": [], "variants": 1, "summary": "",
            "family": null, "expectation": "kept", "bias": false, "default_label": null, "importance": null,
            "human": {"plausibility": [4.0, 3.0], "grammaticality": [4.0, 4.0]},
        })
    };
    let hard = Cut::Between { least: 1.0, most: 1.0 };
    let chains: Vec<_> = (0..parts).map(chain).collect();
    serde_json::from_value(json!({
        "fissure": "0", "format": 1, "command": "", "config": {},
        "model": {"name": "m", "checksum": null, "labels": [], "probabilities": false, "gradients": false},
        "data": {"files": [], "checksum": "c", "samples": 0, "labelled": 0},
        "metrics": ["accuracy", "macro_f1"], "labels": [],
        "plan": {
            "chains": chains, "fragility": false, "not_run": [],
            "slices": [{"name": "hard", "settings": [], "summary": "", "cut": hard}],
        },
    }))
    .unwrap()
}

fn tally(right: bool) -> Vec<f64> {
    vec![f64::from(u8::from(right)), 1.0]
}

fn said(right: bool) -> Option<Response> {
    Some(Response::class(if right { "right" } else { "wrong" }))
}

/// What a model says to a text that is easy or hard, and to its changed forms; a part changes four texts in five.
fn block(skill: Skill, hard: bool, changed: &[bool], dice: &mut Dice) -> Block {
    let [before, after] = skill.map(|chances| chances[usize::from(hard)]);
    let right = dice.chance(before);
    let sample = SampleRecord {
        n: 0,
        id: String::new(),
        texts: Vec::new(),
        gold: None,
        said: said(right),
        failed: None,
        tallies: vec![Some(tally(right)), None],
        slices: vec![Some(f64::from(u8::from(hard)))],
        fragility: None,
    };
    let case = |(chain, changed): (usize, &bool)| {
        let right = dice.chance(after);
        CaseRecord {
            n: 0,
            chain,
            variant: 0,
            status: if *changed { Status::Changed } else { Status::Unchanged },
            reason: None,
            score: None,
            edits: Vec::new(),
            said: said(right).filter(|_| *changed),
            failed: None,
            design: None,
            tally: Some(tally(right)).filter(|_| *changed),
            gold: None,
            before: None,
        }
    };
    Block { sample, cases: changed.iter().enumerate().map(case).collect() }
}

/// A header of a run with two parts, and then both in a chain.
fn chained() -> Header {
    let mut header = header(3);
    let both = &mut header.plan.chains[2];
    both.name = "part0+part1".into();
    both.parts = ["part0", "part1"].map(String::from).into();
    header
}

/// Both runs over this many texts: the comparison, and the blocks of each.
fn runs(header: &Header, skills: [Skill; 2], samples: usize, dice: &mut Dice) -> (RunComparison, [Vec<Block>; 2]) {
    let parts = header.plan.chains.len();
    let mut pairs = Pairs::new(header, header).unwrap();
    let mut blocks: [Vec<Block>; 2] = Default::default();
    for _ in 0..samples {
        let hard = !dice.chance(EASY);
        let changed: Vec<bool> = (0..parts).map(|_| dice.chance(0.8)).collect();
        let [a, b] = skills.map(|skill| block(skill, hard, &changed, dice));
        pairs.add(&a, &b);
        blocks[0].push(a);
        blocks[1].push(b);
    }
    (pairs.finish_with(400), blocks)
}

/// The findings of one of the runs, as far as the gate looks at them here.
fn found(blocks: &[Block], parts: usize) -> Findings {
    let share =
        |tallies: Vec<&[f64]>| proportion(tallies.iter().filter(|tally| tally[0] == 1.0).count(), tallies.len());
    let clean = share(blocks.iter().filter_map(Block::before).collect()).unwrap();
    let part = |at: usize| {
        let of = || blocks.iter().filter(move |block| block.cases[at].tally.is_some());
        let before = share(of().filter_map(Block::before).collect()).unwrap();
        let after = share(of().filter_map(|block| block.cases[at].tally.as_deref()).collect()).unwrap();
        let drop = Estimate { value: before.value - after.value, low: -1.0, high: 1.0 };
        json!({
            "name": format!("part{at}"), "summary": "", "family": null, "expectation": "kept", "human": null,
            "skips": {}, "counts": {"changed": 0, "unchanged": 0, "skipped": 0, "filtered": 0},
            "evidence": {
                "samples": 0, "before": before, "after": after, "drop": drop, "p": null, "p_holm": null,
                "broken": 0, "fixed": 0, "changed_answers": before, "confidence": null,
            },
        })
    };
    serde_json::from_value(json!({
        "about": {
            "version": "0", "command": "", "suite": "default", "seed": 0, "task": "sa", "metric": "accuracy",
            "model": {"name": "m", "checksum": null, "labels": [], "probabilities": false, "gradients": false},
            "data": {"files": [], "checksum": "c", "samples": 0, "labelled": 0},
        },
        "clean": [["accuracy", clean]], "classes": [], "reliability": null,
        "parts": (0..parts).map(part).collect::<Vec<_>>(),
        "slices": [], "bias": [], "interactions": [], "salad": [], "fragility": null, "telling": [], "not_run": [],
    }))
    .unwrap()
}

#[test]
fn differences_are_those_of_the_findings_and_intervals_hold_the_truth() {
    let mean = |skill: Skill, at: usize| EASY * skill[at][0] + (1.0 - EASY) * skill[at][1];
    let [a, b] = [WEAK, STRONG].map(|skill| [mean(skill, 0), mean(skill, 1)]);
    let truths = [
        ("accuracy", "", b[0] - a[0]),
        ("drop", "part0", (b[0] - b[1]) - (a[0] - a[1])),
        ("after", "part0", b[1] - a[1]),
        // Of one part, whatever its weight.
        ("drop", "weighted", (b[0] - b[1]) - (a[0] - a[1])),
        ("score", "hard", STRONG[0][1] - WEAK[0][1]),
        ("difference", "hard", (STRONG[0][1] - STRONG[0][0]) - (WEAK[0][1] - WEAK[0][0])),
    ];
    let mut dice = Dice::new(5, &["together"]);
    let (simulations, mut held, mut narrower) = (1000, [0; 6], 0);
    for _ in 0..simulations {
        let (together, [first, second]) = runs(&header(1), [WEAK, STRONG], 400, &mut dice);
        for (held, (measure, of, truth)) in held.iter_mut().zip(truths) {
            let gap = together.difference(measure, of).unwrap();
            *held += usize::from((gap.low..=gap.high).contains(&truth));
        }
        let (first, second) = (found(&first, 1), found(&second, 1));
        let after = |found: &Findings| found.parts[0].evidence.as_ref().unwrap().after.unwrap();
        let (was, is, gap) = (after(&first), after(&second), together.difference("after", "part0").unwrap());
        assert!((gap.value - (is.value - was.value)).abs() < 1e-12);
        let apart = (is.high - is.low).hypot(was.high - was.low);
        narrower += usize::from(gap.high - gap.low < apart);
    }
    for (held, (measure, ..)) in held.into_iter().zip(truths) {
        let share = held as f64 / f64::from(simulations);
        assert!((0.93..=0.97).contains(&share), "{measure}: {share}");
    }
    assert!(narrower as f64 > 0.99 * f64::from(simulations), "pairs are worth something: {narrower}");
}

/// What the parts do together that they do not do apart, in a run of its own.
fn interaction(header: &Header, blocks: &[Block]) -> Interaction {
    let run = Measured::new(header.clone()).unwrap();
    let mut interactions = Interactions::new(&run);
    blocks.iter().for_each(|block| interactions.add(block));
    interactions.finish(&run).remove(0)
}

#[test]
fn excesses_are_those_of_the_findings_and_intervals_hold_the_truth() {
    let mean = |skill: Skill, at: usize| EASY * skill[at][0] + (1.0 - EASY) * skill[at][1];
    // All three changes are equally bad: (before - after) - 2 (before - after).
    let [a, b] = [WEAK, STRONG].map(|skill| mean(skill, 1) - mean(skill, 0));
    let header = chained();
    let mut dice = Dice::new(7, &["together"]);
    let (simulations, mut held) = (1000, 0);
    for at in 0..simulations {
        let (together, [first, second]) = runs(&header, [WEAK, STRONG], 400, &mut dice);
        let gap = together.difference("excess", "part0+part1").unwrap();
        held += usize::from((gap.low..=gap.high).contains(&(b - a)));
        if at % 50 == 0 {
            let (was, is) = (interaction(&header, &first).excess, interaction(&header, &second).excess);
            assert!((gap.value - (is.value - was.value)).abs() < 1e-12);
        }
    }
    let share = held as f64 / f64::from(simulations);
    assert!((0.93..=0.97).contains(&share), "{share}");
}

#[test]
fn what_both_runs_share_cancels_in_an_excess() {
    let header = chained();
    let mut pairs = Pairs::new(&header, &header).unwrap();
    let mut dice = Dice::new(8, &["together"]);
    let mut blocks = Vec::new();
    for at in 0..300 {
        // The same model twice, which changed its mind on one text in thirty.
        let a = block(WEAK, at % 5 == 0, &[true; 3], &mut dice);
        let b = if at % 30 == 0 { block(STRONG, at % 5 == 0, &[true; 3], &mut dice) } else { a.clone() };
        pairs.add(&a, &b);
        blocks.push(a);
    }
    let (gap, alone) = (pairs.finish().difference("excess", "part0+part1").unwrap(), interaction(&header, &blocks));
    let apart = 2f64.sqrt() * (alone.excess.high - alone.excess.low);
    assert!(gap.high - gap.low < apart / 2.0, "{gap:?} is not narrower than {apart}");
}

#[test]
fn an_excess_by_hand_where_the_runs_changed_other_texts() {
    let header = chained();
    let mut pairs = Pairs::new(&header, &header).unwrap();
    // Who was right: before, under part0, under part1, under both.
    let run = |right: [bool; 4], changed: bool| {
        let mut block = block([[1.0; 2]; 2], false, &[changed; 3], &mut Dice::new(1, &[]));
        block.sample.tallies[0] = Some(tally(right[0]));
        for (case, right) in block.cases.iter_mut().zip(&right[1..]) {
            case.tally = case.tally.as_ref().map(|_| tally(*right));
        }
        block
    };
    let (all, spoilt, weak) = ([true; 4], [true, true, true, false], [true, false, true, false]);
    pairs.add(&run(all, true), &run(spoilt, true));
    pairs.add(&run(spoilt, true), &run(spoilt, true));
    pairs.add(&run(weak, true), &run(all, true));
    pairs.add(&run(all, true), &run(all, false));
    pairs.add(&run(all, false), &run(all, false));
    let found = pairs.finish();
    // The first run has four such texts: 2/4 together, 1/4 and 0 apart. The second has three: 2/3 together, 0 apart.
    let gap = found.difference("excess", "part0+part1").unwrap();
    assert!((gap.value - (2.0 / 3.0 - 0.25)).abs() < 1e-12, "{gap:?}");
    assert_eq!(found.difference("excess", "part0"), None, "one part alone is no chain");
}

/// Two models that are equally good: the gate may complain of the second one time in forty, whatever is asked.
#[test]
fn false_alarms_about_changes_are_as_rare_as_promised() {
    let mut dice = Dice::new(6, &["together"]);
    let builds = 800;
    for (text, parts) in [("change(accuracy) >= 0", 1), ("change(drop(all)) <= 0", 1), ("change(drop(all)) <= 0", 5)] {
        let rule: Rule = text.parse().unwrap();
        let alarms = (0..builds).filter(|_| {
            let (together, [first, second]) = runs(&header(parts), [WEAK, WEAK], 400, &mut dice);
            let (then, now) = (found(&first, parts), found(&second, parts));
            let evidence = GateEvidence {
                findings: &now,
                baseline: Some(&then),
                together: Some(&together),
                groups: &[],
                known: &[],
            };
            let judged: Judgement = judge(&rule, evidence).unwrap();
            assert!(judged.outcomes.iter().all(|outcome| outcome.paired == Some(true)));
            !judged.passes(false, false)
        });
        let rate = alarms.count() as f64 / f64::from(builds);
        assert!((0.005..0.04).contains(&rate), "{text}, {parts} parts: {rate} where 0.025 is promised");
    }
}

#[test]
fn answers_that_only_one_gives_are_counted() {
    let header = header(1);
    let mut pairs = Pairs::new(&header, &header).unwrap();
    let mut dice = Dice::new(1, &[]);
    let sure = |right: f64| [[right; 2]; 2];
    for (first, second, times) in [(1.0, 0.0, 9), (0.0, 1.0, 2), (1.0, 1.0, 5), (0.0, 0.0, 4)] {
        for _ in 0..times {
            let [a, b] = [first, second].map(|right| block(sure(right), false, &[true], &mut dice));
            pairs.add(&a, &b);
        }
    }
    let found = pairs.finish();
    let answers = found.answers.unwrap();
    assert_eq!((found.samples, answers.only_first, answers.only_second), (20, 9, 2));
    // As SciPy's binomtest(2, 11) has it.
    assert!((answers.p - 0.0654296875).abs() < 1e-12);
    assert!((found.difference("score", "").unwrap().value - (7.0 - 14.0) / 20.0).abs() < 1e-12);
    assert_eq!(found.difference("drop", "part0").unwrap().value, 0.0);
    assert_eq!(found.difference("drop", "part1"), None);
    assert_eq!(found.difference("score", "hard"), None, "no text is hard");
    assert_eq!(found.difference("ece", ""), None, "no answer has a confidence");
}

#[test]
fn a_slice_and_a_confidence_by_hand() {
    let header = header(0);
    let mut pairs = Pairs::new(&header, &header).unwrap();
    let mut dice = Dice::new(1, &[]);
    // (right in the first run, in the second, hard, how often); the first is sure by 0.75, the second by 0.875.
    for (first, second, hard, times) in
        [(1.0, 0.0, true, 3), (1.0, 1.0, true, 1), (0.0, 1.0, false, 2), (1.0, 1.0, false, 2)]
    {
        for _ in 0..times {
            let [mut a, mut b] = [first, second].map(|right| block([[right; 2]; 2], hard, &[], &mut dice));
            for (block, sure) in [(&mut a, 0.75f32), (&mut b, 0.875)] {
                block.sample.gold = Some("right".into());
                let Some(Response::Class { log_probs, .. }) = &mut block.sample.said else { panic!("no class") };
                *log_probs = Some(vec![sure.ln(), (1.0 - sure).ln()]);
            }
            pairs.add(&a, &b);
        }
    }
    let found = pairs.finish();
    let value = |measure: &str, of: &str| found.difference(measure, of).unwrap().value;
    assert!((value("score", "hard") - (0.25 - 1.0)).abs() < 1e-12);
    assert!((value("difference", "hard") - ((0.25 - 1.0) - (1.0 - 0.5))).abs() < 1e-12);
    // Right are 6 of 8 in the first run and 5 of 8 in the second: errors of 0 and 0.25.
    assert!((value("ece", "") - 0.25).abs() < 1e-6);
}

#[test]
fn other_dice_or_other_labels_leave_less_to_pair() {
    let (one, mut other) = (header(1), header(1));
    other.config.changes.seed = Some(1);
    other.labels = vec!["another".into()];
    let mut dice = Dice::new(1, &[]);
    let mut pairs = Pairs::new(&one, &other).unwrap();
    let [a, b] = [1.0, 0.0].map(|right| block([[right; 2]; 2], false, &[true], &mut dice));
    pairs.add(&a, &b);
    let found = pairs.finish();
    assert_eq!(found.difference("accuracy", "").unwrap().value, -1.0);
    assert_eq!(found.difference("drop", "part0"), None, "another seed makes other texts");
    other.data.checksum = "d".into();
    assert_eq!(unlike(&one, &other).as_deref(), Some("they differ in their data"));
}

#[test]
fn differences_end_where_they_can() {
    let wide = Estimate { value: -0.3, low: -2.5, high: 2.5 };
    let ends = |measure: &str| (within_bounds(measure, wide).low, within_bounds(measure, wide).high);
    assert_eq!(ends("accuracy"), (-1.0, 1.0));
    assert_eq!(ends("drop"), (-2.0, 2.0));
    assert_eq!(ends("entropy"), (-2.5, 2.5), "entropies have no such bound");
}
