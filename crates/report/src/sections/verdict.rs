//! The verdict: what was found, in plain words that the numbers can bear, and the numbers to see first.

use fissure_core::Expectation;
use fissure_evaluate::{Findings, PartFinding, SaladRow};
use fissure_statistics::Estimate;

use crate::document::{Fact, Section, Words};
use crate::numbers::{Unit, count, percent};
use crate::reading::{dropping, excludes, expecting, mean_drop, moving, overconfidence, sure};

/// How far above chance agreement on nonsense may be before a report speaks of it.
const NOTICED: f64 = 0.1;

pub fn section(findings: &Findings) -> Section {
    let mut all = Words::new();
    for (at, words) in verdict(findings).into_iter().enumerate() {
        all = if at == 0 { all } else { all.say(" ") };
        all.0.extend(words.0);
    }
    Section::new("verdict", "Verdict").words(all)
}

/// What was found, one thing after the other: the score and what lowers it, turned meanings, nonsense, confidence, groups.
pub fn verdict(findings: &Findings) -> Vec<Words> {
    let more = [turned(findings), salad(findings), calibration(findings), groups(findings), unanswered(findings)]
        .into_iter()
        .flatten();
    std::iter::once(score_and_drops(findings)).chain(more).collect()
}

/// The verdict in very few words.
pub fn headline(findings: &Findings) -> String {
    let (parts, moving) = (dropping(findings), moving(findings));
    let broken = parts.iter().filter(|(_, evidence, drop)| sure(findings, evidence) && drop.value > 0.0).count();
    let changes = if parts.len().max(moving.len()) == 1 { "change" } else { "changes" };
    let first = match (parts.len(), broken) {
        (0, _) => match moving.first() {
            Some((_, evidence)) => {
                let share = percent(evidence.changed_answers.value);
                format!("Up to {share} % of the answers move under {} {changes}", moving.len())
            }
            None => "No change to the texts was measured".to_owned(),
        },
        (all, 0) => format!("No crack beyond noise under {all} {changes}"),
        (all, broken) => format!("Cracks under {broken} of {all} {changes}"),
    };
    match (deaf(findings), worst_salad(findings).is_some()) {
        (true, _) => format!("{first}; does not notice nonsense"),
        (false, true) => format!("{first}; notices nonsense"),
        (false, false) => first,
    }
}

/// The numbers to see first. What was not measured says so.
pub fn facts(findings: &Findings) -> Vec<Fact> {
    let metric = &findings.about.metric;
    let absent = |name: &str| Fact { name: name.to_owned(), value: "–".to_owned(), note: "not measured".to_owned() };
    let interval = |unit: Unit, estimate: &Estimate| {
        format!("95 % interval {} to {}", unit.write(estimate.low), unit.write(estimate.high))
    };
    let mut facts = Vec::new();
    let name = format!("{metric} on clean data, %");
    facts.push(findings.clean.first().map_or_else(
        || absent(&name),
        |(_, score)| Fact { name: name.clone(), value: percent(score.value), note: interval(Unit::Percent, score) },
    ));
    let parts = dropping(findings);
    let worst = |name: &str, part: &PartFinding, found: &Estimate| Fact {
        name: name.to_owned(),
        value: percent(found.value),
        note: format!("{}, {}", part.name, interval(Unit::Percent, found)),
    };
    // The one that the verdict speaks of, where it speaks of one.
    let broken = parts.iter().find(|(_, evidence, drop)| sure(findings, evidence) && drop.value > 0.0);
    facts.push(match (broken.or(parts.first()), moving(findings).first()) {
        (Some((part, _, drop)), _) if broken.is_some() => worst("largest drop beyond noise, points", part, drop),
        (Some((part, _, drop)), _) => worst("largest drop, within noise, points", part, drop),
        (None, Some((part, evidence))) => worst("answers moved at most, %", part, &evidence.changed_answers),
        (None, None) => absent("largest drop, points"),
    });
    // Over the changes that people judged, the parts' errors are known together; else the safe side must do.
    let judged = findings.weighted.as_ref().map(|weighted| (weighted.drop, weighted.parts));
    let mean = mean_drop(parts.iter().map(|(part, _, drop)| (*part, *drop))).map(|mean| (mean, parts.len()));
    facts.push(judged.or(mean).map_or_else(
        || absent("mean drop, points"),
        |(mean, parts)| Fact {
            name: "mean drop, points".to_owned(),
            value: percent(mean.value),
            note: format!("{parts} changes, weighted by what people accept; {}", interval(Unit::Percent, &mean)),
        },
    ));
    facts.push(worst_salad(findings).map_or_else(
        || absent("agreement on nonsense, %"),
        |row| Fact {
            name: "agreement on nonsense, %".to_owned(),
            value: percent(row.agreement.value),
            note: format!("{}, the worst; chance is {}", row.name, percent(row.chance)),
        },
    ));
    facts.push(findings.reliability.as_ref().map_or_else(
        || absent("calibration error, points"),
        |reliability| Fact {
            name: "calibration error, points".to_owned(),
            value: percent(reliability.ece.value),
            note: interval(Unit::Percent, &reliability.ece),
        },
    ));
    facts
}

/// What comes after the worst, and the end of the sentence.
fn then(words: Words, next: &[&str]) -> Words {
    let come = if next.len() == 1 { "comes" } else { "come" };
    match next {
        [] => words.say("."),
        next => words.say(format!("; after it {come} ")).list(next.iter().copied()).say("."),
    }
}

fn score_and_drops(findings: &Findings) -> Words {
    let about = &findings.about;
    let mut words = Words::new();
    words = match findings.clean.first() {
        Some((metric, score)) => words
            .say(format!("On {} labelled samples the model ", count(about.data.labelled)))
            .code(&about.model.name)
            .say(format!(" has {metric} "))
            .strong(format!("{} %", percent(score.value)))
            .say(format!(" (95 % interval {} to {}). ", percent(score.low), percent(score.high))),
        None => words
            .say(format!("None of the {} samples could be scored, so only the answers of ", count(about.data.samples)))
            .code(&about.model.name)
            .say(" were compared. "),
    };
    let (parts, moving) = (dropping(findings), moving(findings));
    let unmeasured = expecting(findings, Expectation::Kept).count() - parts.len() - moving.len();
    let broken: Vec<_> =
        parts.iter().filter(|(_, evidence, drop)| sure(findings, evidence) && drop.value > 0.0).collect();
    let room = parts.iter().map(|(_, _, drop)| drop.high).fold(f64::NEG_INFINITY, f64::max);
    words = match (parts.is_empty(), broken.first()) {
        (true, _) => match moving.split_first() {
            Some(((part, evidence), others)) => {
                let moved = evidence.changed_answers;
                let words = words
                    .say(format!("Of {} changes that keep the right answer, the one that moves most answers is ", moving.len()))
                    .code(&part.name)
                    .say(": ")
                    .strong(format!("{} %", percent(moved.value)))
                    .say(format!(
                        " ({} to {}) of the {} texts it changed, and where an answer moved, one of the two was wrong",
                        percent(moved.low),
                        percent(moved.high),
                        count(part.counts.changed)
                    ));
                let next: Vec<&str> = others.iter().take(3).map(|(part, _)| part.name.as_str()).collect();
                then(words, &next)
            }
            None => words.say("No change that keeps the right answer could be measured."),
        },
        (false, None) => words.say(format!(
            "None of the {} changes that keep the right answer lowers it beyond noise; with {} samples, a drop of up to {} points cannot be ruled out.",
            parts.len(),
            count(about.data.labelled),
            percent(room.max(0.0))
        )),
        (false, Some((part, evidence, drop))) => {
            let few = if broken.len() == 1 { "one lowers".to_owned() } else { format!("{} lower", broken.len()) };
            let words = words
                .say(format!("Of {} changes that keep the right answer, ", parts.len()))
                .strong(few)
                .say(" it beyond noise. The worst is ")
                .code(&part.name)
                .say(": ");
            let words = match (evidence.before, evidence.after) {
                (Some(before), Some(after)) => words.say(format!(
                    "from {} to {} % on the {} samples it changed, ",
                    percent(before.value),
                    percent(after.value),
                    count(evidence.samples)
                )),
                _ => words,
            };
            let words = words.say(format!("a drop of {} points ({} to {})", percent(drop.value), percent(drop.low), percent(drop.high)));
            let next: Vec<&str> = broken[1..].iter().take(3).map(|(part, ..)| part.name.as_str()).collect();
            then(words, &next)
        }
    };
    if unmeasured > 0 {
        words = words.say(format!(" For {unmeasured} more nothing could be measured."));
    }
    words
}

/// Whether the model follows where the right answer becomes its opposite; there are two labels then.
fn turned(findings: &Findings) -> Option<Words> {
    let scored = expecting(findings, Expectation::Flipped).filter_map(|part| {
        let evidence = part.evidence.as_ref()?;
        Some((part, evidence, evidence.before?, evidence.after?))
    });
    let (part, evidence, before, after) = scored.min_by(|a, b| a.3.value.total_cmp(&b.3.value))?;
    let fell = sure(findings, evidence) && after.value < before.value;
    let how = match after {
        after if after.high < 0.5 => "does not follow",
        after if after.low <= 0.5 => "may or may not follow, with too few texts to tell",
        _ if fell => "follows, but less surely than it answers the originals",
        _ => "follows",
    };
    Some(
        Words::new()
            .say("Where a change turns the right answer into its opposite, the model ")
            .strong(how)
            .say(": under ")
            .code(&part.name)
            .say(format!(
                " {} % of its answers are right ({} to {}), of those to the originals {} %.",
                percent(after.value),
                percent(after.low),
                percent(after.high),
                percent(before.value)
            )),
    )
}

fn salad(findings: &Findings) -> Option<Words> {
    let row = worst_salad(findings)?;
    let words = Words::new().say("Texts that mean nothing any more: ");
    let words = if deaf(findings) {
        words.say("the model ").strong("does not notice")
    } else if row.agreement.high <= row.chance + NOTICED {
        words.say("the model ").strong("notices")
    } else {
        words.say("whether the model notices is not clear from so few samples")
    };
    let agreement = row.agreement;
    let words = words.say("; under ").code(&row.name).say(format!(
        " it keeps {} % of its answers ({} to {}; chance is {} %)",
        percent(agreement.value),
        percent(agreement.low),
        percent(agreement.high),
        percent(row.chance)
    ));
    Some(match row.confidence {
        Some(confidence) => words.say(format!(", with mean confidence {} %.", percent(confidence.value))),
        None => words.say("."),
    })
}

/// Whether the model takes texts that mean nothing for texts.
pub fn deaf(findings: &Findings) -> bool {
    worst_salad(findings).is_some_and(|row| row.agreement.low > row.chance + NOTICED)
}

/// The destroyer whose texts the model takes most seriously, measured by chance.
fn worst_salad(findings: &Findings) -> Option<&SaladRow> {
    let above = |row: &SaladRow| row.agreement.value - row.chance;
    findings
        .salad
        .iter()
        .filter(|row| row.counts.changed > 0)
        .max_by(|a, b| above(a).total_cmp(&above(b)).then_with(|| b.name.cmp(&a.name)))
}

fn calibration(findings: &Findings) -> Option<Words> {
    let gap = overconfidence(findings)?;
    let ece = findings.reliability.as_ref()?.ece;
    let how = if gap.abs() < 0.01 {
        "its stated confidence is about right on average".to_owned()
    } else if gap > 0.0 {
        format!("it is more confident than right, by {} points on average", percent(gap))
    } else {
        format!("it is more often right than it says, by {} points on average", percent(-gap))
    };
    Some(Words::new().say(format!(
        "Calibration error is {} points ({} to {}): {how}.",
        percent(ece.value),
        percent(ece.low),
        percent(ece.high)
    )))
}

fn unanswered(findings: &Findings) -> Option<Words> {
    let questions: usize = findings.unanswered.values().sum();
    let left_out = if questions == 1 {
        "question to the model got no answer and is"
    } else {
        "questions to the model got no answer and are"
    };
    (questions > 0).then(|| Words::new().strong(count(questions)).say(format!(" {left_out} left out.")))
}

fn groups(findings: &Findings) -> Option<Words> {
    let slice = (findings.slices.iter())
        .filter_map(|slice| slice.difference.filter(|gap| gap.high < 0.0).map(|gap| (slice, gap)))
        .min_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let biased: Vec<&str> = (findings.bias.iter())
        .filter(|bias| bias.shifts.iter().any(|(_, shift)| excludes(shift, 0.0)))
        .map(|bias| bias.name.as_str())
        .collect();
    let mut words = Words::new();
    if let Some((slice, gap)) = slice {
        words = words.say("It is weakest inside the slice ").code(&slice.name).say(format!(
            ", {} points below the rest ({} to {}; the worst of {} slices, so partly luck).",
            percent(-gap.value),
            percent(-gap.high),
            percent(-gap.low),
            findings.slices.len()
        ));
    }
    if !biased.is_empty() {
        words = if words.0.is_empty() { words } else { words.say(" ") };
        words = words.say("Its answers shift with who a text is about: ").list(biased).say(".");
    }
    (!words.0.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_comes_and_two_come() {
        let said = |next: &[&str]| then(Words::from("The worst is a"), next).plain();
        assert_eq!(said(&[]), "The worst is a.");
        assert_eq!(said(&["b"]), "The worst is a; after it comes b.");
        assert_eq!(said(&["b", "c"]), "The worst is a; after it come b and c.");
    }
}
