//! The verdict: what was found, in plain words that the numbers can bear, and the numbers to see first.

mod caveats;

use fissure_core::{Expectation, counted};
use fissure_evaluate::{Evidence, Findings, PartFinding, SaladRow};
use fissure_statistics::Estimate;

use crate::document::{Fact, Section, Words};
use crate::interpret::{
    ALPHA, Overall, comparisons, constant_answer, dropping, dropping_of, excludes, expecting, is_never_right, moving,
    overall, overconfidence, sure, with_enough,
};
use crate::numbers::{Unit, count, percent};
use caveats::{bad_rows, repeated, shared_ids, unanswered};

/// The most changes that are listed by name.
const SHOWN: usize = 6;
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
    let more = [
        constant(findings),
        relabelled(findings),
        turned(findings),
        salad(findings),
        calibration(findings),
        groups(findings),
        unanswered(findings),
        repeated(findings),
        shared_ids(findings),
        bad_rows(findings),
    ];
    std::iter::once(score_and_drops(findings)).chain(more.into_iter().flatten()).collect()
}

/// The verdict in very few words.
pub fn headline(findings: &Findings) -> String {
    if is_never_right(findings) {
        let why = if findings.about.metric == "accuracy" {
            "No answer to an original is right"
        } else {
            "The originals score 0"
        };
        return format!("{why}, so that nothing can fall: are the labels matched as they should be?");
    }
    if let Some(label) = constant_answer(findings) {
        return format!("Answers `{label}` whatever the text says");
    }
    let (parts, moving) = (dropping(findings), moving(findings));
    let first = match overall(findings).filter(|_| !parts.is_empty()) {
        Some(overall) => mean_in_words(findings, &overall),
        None => match moving.first() {
            Some((_, evidence)) => {
                let share = percent(evidence.changed_answers.value);
                format!("Up to {share} % of the answers change under {}", counted(moving.len(), "change"))
            }
            None => "No change to the texts was measured".to_owned(),
        },
    };
    // A model may bear slips and still fail the changes that are made for its task.
    let first = match dropping_of(findings, Expectation::Relabelled).first() {
        Some((part, evidence, drop)) if sure(findings, evidence) && drop.value > 0.0 => {
            format!("{first}; loses {} points under {}", percent(drop.value), part.name)
        }
        _ => first,
    };
    match (deaf(findings), worst_salad(findings).is_some()) {
        (true, _) => format!("{first}; does not notice nonsense"),
        (false, true) => format!("{first}; notices nonsense"),
        (false, false) => first,
    }
}

/// The mean drop with its interval, which has the power to show what single changes cannot; and single changes that are
/// beyond noise although it is not.
fn mean_in_words(findings: &Findings, overall: &Overall) -> String {
    let Overall { drop, changes, .. } = overall;
    let metric = &findings.about.metric;
    let under = match &dropping(findings)[..] {
        [(part, ..)] => format!("under {}", part.name),
        _ => format!("on average under {}", counted(*changes, "change")),
    };
    let interval = format!("95 % interval {} to {}", percent(drop.low), percent(drop.high));
    if drop.low > 0.0 {
        return format!("Loses {} points of {metric} {under} ({interval})", percent(drop.value));
    }
    if drop.high < 0.0 {
        return format!("Gains {} points of {metric} {under} ({interval})", percent(-drop.value));
    }
    let none = format!("No loss of {metric} beyond noise {under} ({} points, {interval})", percent(drop.value));
    match broken(findings).len() {
        0 => none,
        alone => format!("{none}, but under {alone} of {}", counted(dropping(findings).len(), "single change")),
    }
}

/// The changes that lower the score beyond noise, corrected for how many there are; the largest drop first.
fn broken(findings: &Findings) -> Vec<(&PartFinding, &Evidence, Estimate)> {
    let mut parts = dropping(findings);
    parts.retain(|(_, evidence, drop)| sure(findings, evidence) && drop.value > 0.0);
    parts
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
    facts.push(overall(findings).map_or_else(
        || absent("mean drop, points"),
        |overall @ Overall { drop, changes, .. }| Fact {
            name: "mean drop, points".to_owned(),
            value: percent(drop.value),
            note: format!(
                "{}, weighted by human acceptability{}; {}",
                counted(changes, "change"),
                overall.remark(),
                interval(Unit::Percent, &drop)
            ),
        },
    ));
    let (parts, broken) = (dropping(findings), broken(findings));
    let worst = |name: &str, part: &PartFinding, found: &Estimate| Fact {
        name: name.to_owned(),
        value: percent(found.value),
        note: {
            let texts = part.evidence.as_ref().map_or(0, |evidence| evidence.samples);
            format!("{} on {}, {}", part.name, counted(texts, "text"), interval(Unit::Percent, found))
        },
    };
    let enough = with_enough(&parts);
    // The one that the verdict speaks of, where it speaks of one.
    facts.push(match (broken.first().or(enough.first()), moving(findings).first()) {
        (Some((part, _, drop)), _) if !broken.is_empty() => worst("largest drop beyond noise, points", part, drop),
        (Some((part, _, drop)), _) => worst("largest drop, within noise, points", part, drop),
        (None, Some((part, evidence))) => worst("answers changed at most, %", part, &evidence.changed_answers),
        (None, None) => absent("largest drop, points"),
    });
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
            .say(match findings.scored {
                scored if (1..about.data.labelled).contains(&scored) => {
                    let labelled = count(about.data.labelled);
                    format!("On {} of {labelled} labelled samples, those that got an answer, the model ", count(scored))
                }
                _ => format!("On {} labelled samples the model ", count(about.data.labelled)),
            })
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
    words = match (parts.is_empty(), moving.split_first()) {
        (false, _) => drops(findings, words),
        (true, Some(((part, evidence), others))) => {
            let moved = evidence.changed_answers;
            let words = words
                .say(format!("Of {}, the one that changes most answers is ", keeping(moving.len())))
                .code(&part.name)
                .say(": ")
                .strong(format!("{} %", percent(moved.value)))
                .say(format!(
                    " ({} to {}) of the {} texts it changed, and where an answer changed, one of the two was wrong",
                    percent(moved.low),
                    percent(moved.high),
                    count(part.counts.changed)
                ));
            let next: Vec<&str> = others.iter().take(3).map(|(part, _)| part.name.as_str()).collect();
            then(words, &next)
        }
        (true, None) => words.say("No change that keeps the right answer could be measured."),
    };
    if unmeasured > 0 {
        words = words.say(format!(" For {unmeasured} more nothing could be measured."));
    }
    words
}

/// A number of changes after which the right answer is the same.
fn keeping(changes: usize) -> String {
    let keep = if changes == 1 { "keeps" } else { "keep" };
    format!("{} that {keep} the right answer", counted(changes, "change"))
}

/// The mean drop first, then the single changes: those beyond noise after correction for their number, and those by their own interval
/// only.
fn drops(findings: &Findings, mut words: Words) -> Words {
    let (parts, broken) = (dropping(findings), broken(findings));
    let all = counted(parts.len(), "change");
    if let Some(overall) = overall(findings).filter(|_| parts.len() > 1) {
        let Overall { drop, changes, .. } = overall;
        let mean = format!("{} points", percent(drop.value));
        let interval = format!("95 % interval {} to {}", percent(drop.low), percent(drop.high));
        words = words.say(format!("The mean drop over {} is ", keeping(changes)));
        // Without the same texts under all changes, the interval is made of those of the changes.
        let how = if findings.weighted.is_some() { "" } else { "; the interval is on the safe side" };
        let remark = overall.remark();
        words = words.strong(mean).say(format!(" ({interval}; weighted by human acceptability{how}{remark})"));
        words = words.say(if excludes(&drop, 0.0) { ". " } else { ", which may be noise. " });
    }
    let corrected = match comparisons(findings) {
        0 | 1 => String::new(),
        several => format!(", corrected for {several} comparisons"),
    };
    words = match broken.split_first() {
        None if parts.len() == 1 => {
            words.say(format!("The only change that was measured does not lower the score beyond noise{corrected}."))
        }
        None => words.say(format!("None of {all} alone lowers the score beyond noise{corrected}.")),
        Some(((part, evidence, drop), others)) => {
            let lower = if others.is_empty() { "lowers" } else { "lower" };
            words = words
                .strong(format!("{} of {all}", broken.len()))
                .say(format!(" {lower} the score beyond noise{corrected}. "));
            words = words.say("The worst is ").code(&part.name).say(": ");
            if let (Some(before), Some(after)) = (evidence.before, evidence.after) {
                words = words.say(format!(
                    "from {} to {} % on the {} samples it changed, ",
                    percent(before.value),
                    percent(after.value),
                    count(evidence.samples)
                ));
            }
            words = words.say(format!(
                "a drop of {} points ({} to {})",
                percent(drop.value),
                percent(drop.low),
                percent(drop.high)
            ));
            let next: Vec<&str> = others.iter().take(3).map(|(part, ..)| part.name.as_str()).collect();
            then(words, &next)
        }
    };
    let alone: Vec<&str> = (parts.iter())
        .filter(|(_, evidence, drop)| drop.low > 0.0 && !sure(findings, evidence))
        .map(|(part, ..)| part.name.as_str())
        .collect();
    if !alone.is_empty() {
        let shown = alone.iter().take(SHOWN).copied();
        let more = alone.len().saturating_sub(SHOWN);
        words = words.say(match alone.len() {
            1 => " By its own interval only, without correction: ",
            _ => " By their own intervals only, without correction: ",
        });
        words = words.list(shown);
        words = if more > 0 { words.say(format!(", and {more} more.")) } else { words.say(".") };
    }
    // The widest interval, with the number of samples that makes it wide.
    let widest = parts.iter().max_by(|a, b| a.2.high.total_cmp(&b.2.high));
    match widest {
        Some((part, evidence, drop)) if broken.is_empty() => {
            words.say(" The least certain is ").code(&part.name).say(format!(
                ": on the {} it changed, a drop of up to {} points cannot be ruled out.",
                counted(evidence.samples, "sample"),
                percent(drop.high.max(0.0))
            ))
        }
        _ => words,
    }
}

/// What the changes cost that are made for the task and set the right answer themselves.
fn relabelled(findings: &Findings) -> Option<Words> {
    let parts = dropping_of(findings, Expectation::Relabelled);
    let (part, evidence, drop) = parts.first()?;
    let costs = drop.value > 0.0;
    let words = match (parts.len(), costs) {
        (1, _) => {
            Words::new().say("The change made for the task, ").code(&part.name).say(", sets the right answer itself: ")
        }
        (several, true) => Words::new()
            .say(format!(
                "Of {several} changes made for the task, which set the right answer themselves, the worst is "
            ))
            .code(&part.name)
            .say(": "),
        (several, false) => Words::new()
            .say(format!(
                "Of {several} changes made for the task, which set the right answer themselves, none lowers the score; under "
            ))
            .code(&part.name)
            .say(" it gains least: "),
    };
    let words = match (evidence.before, evidence.after) {
        (Some(before), Some(after)) => words
            .say("from ")
            .strong(format!("{} to {} %", percent(before.value), percent(after.value)))
            .say(format!(" on the {} it changed, ", counted(evidence.samples, "sample"))),
        _ => words,
    };
    let drop = if costs {
        format!("a drop of {} points ({} to {})", percent(drop.value), percent(drop.low), percent(drop.high))
    } else {
        format!("a gain of {} points ({} to {})", percent(-drop.value), percent(-drop.high), percent(-drop.low))
    };
    let noise = if sure(findings, evidence) { "" } else { ", which may be noise" };
    let costly = parts.iter().skip(1).filter(|(_, _, drop)| drop.value > 0.0);
    let next: Vec<&str> = costly.take(3).map(|(part, ..)| part.name.as_str()).collect();
    Some(then(words.say(format!("{drop}{noise}")), &next))
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
        after if after.low <= 0.5 => "may or may not follow: the texts are too few to decide",
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

fn constant(findings: &Findings) -> Option<Words> {
    if is_never_right(findings) {
        let words =
            Words::new().strong("No answer").say(" to a text with a known label is right: drops say nothing about ");
        return Some(words.say("such a model. Look at some answers, and at how the labels are matched."));
    }
    let label = constant_answer(findings)?;
    let words = Words::new().say("It gives ").strong("the same answer").say(", ").code(label);
    Some(words.say(", to every text with a known label: drops, agreement and flips say nothing about such a model."))
}

fn salad(findings: &Findings) -> Option<Words> {
    // A constant agrees with itself on anything.
    let row = worst_salad(findings).filter(|_| constant_answer(findings).is_none())?;
    let words = Words::new().say("Nonsense input: ");
    let words = if deaf(findings) {
        words.say("the model ").strong("does not notice")
    } else if row.agreement.high <= row.chance + NOTICED {
        words.say("the model ").strong("notices")
    } else {
        words.say("it is not clear from so few samples whether the model notices")
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
    let how = if ece.low <= 0.0 {
        "the samples do not show that its stated confidence is wrong".to_owned()
    } else if gap.abs() < 0.01 {
        "its stated confidence is about right on average, but not at every level of it".to_owned()
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

fn groups(findings: &Findings) -> Option<Words> {
    let slice = (findings.slices.iter())
        .filter(|slice| slice.p_holm.is_some_and(|p| p < ALPHA))
        .filter_map(|slice| slice.difference.filter(|gap| gap.value < 0.0).map(|gap| (slice, gap)))
        .min_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let biased: Vec<_> = findings.bias.iter().filter(|bias| bias.p_holm.iter().any(|p| *p < ALPHA)).collect();
    let mut words = Words::new();
    if let Some((slice, gap)) = slice {
        words = words.say("It is weakest inside the slice ").code(&slice.name).say(format!(
            ", {} points below the rest ({} to {}; beyond noise, corrected for {}).",
            percent(-gap.value),
            percent(-gap.high),
            percent(-gap.low),
            counted(findings.slices.iter().filter(|slice| slice.p_holm.is_some()).count(), "slice")
        ));
    }
    if !biased.is_empty() {
        words = if words.0.is_empty() { words } else { words.say(" ") };
        // A shift of probabilities may be too small to change any answer.
        let answers = biased.iter().any(|bias| bias.changed_answers.value > 0.0);
        let what = if answers { "answers change" } else { "probabilities shift, but no answer changes," };
        words = words.say(format!("Its {what} when a text is about other people or places: "));
        for (at, bias) in biased.iter().enumerate() {
            let Estimate { value, low, high } = bias.changed_answers;
            let share = match value > 0.0 || !answers {
                true => format!(" ({} % of the answers, {} to {})", percent(value), percent(low), percent(high)),
                false => " (probabilities only)".to_owned(),
            };
            words = if at == 0 { words } else { words.say(", ") }.code(&bias.name).say(share);
        }
        words = words.say(".");
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
