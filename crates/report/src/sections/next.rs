//! What to do next: commands that can be pasted as they are, or with the name of one's training file.

use fissure_evaluate::{Findings, shell_word};

use super::verdict::deaf;
use crate::document::{Block, Section, Words};
use crate::interpret::{dropping, overconfidence, sure};

/// How far confidence may be from the score before fixing it is worth while.
const BELIEVABLE: f64 = 0.02;
/// What stands for a file that a report does not know.
const TRAIN: &str = "TRAIN";

pub fn section(findings: &Findings) -> Section {
    let commands = next_commands(findings);
    let words = if commands.iter().any(|(_, command)| command.contains(TRAIN)) {
        Words::new().say("Each command can be pasted as it is; ").code(TRAIN).say(" stands for your training file.")
    } else {
        "Each command can be pasted as it is.".into()
    };
    Section::new("next", "What to do next").words(words).block(Block::Commands(commands))
}

/// (why, command), the most useful first.
pub fn next_commands(findings: &Findings) -> Vec<(Words, String)> {
    let about = &findings.about;
    let data: Vec<String> = about.data.files.iter().map(|file| shell_word(file)).collect();
    // A value that looks like a flag (`-1=negative`) is tied to its own.
    let flag = |(flag, value): &(String, String)| format!(" --{flag}={}", shell_word(value));
    let flag = |given: &(String, String)| match given.1.starts_with('-') {
        true => flag(given),
        false => format!(" --{} {}", given.0, shell_word(&given.1)),
    };
    let reading: String = about.reading.iter().map(flag).collect();
    let data = data.join(" ");
    let on = format!("--data {data} --task {}{reading}", shell_word(&about.task));
    // A transformation asks no model, so it takes no label map.
    let plain = about.reading.iter().filter(|(flag, _)| flag != "label-map");
    let plain: String = plain.map(flag).collect();
    let model = shell_word(&about.model.name);
    let mut commands = Vec::new();
    let worst = dropping(findings).into_iter().find(|(_, evidence, drop)| sure(findings, evidence) && drop.value > 0.0);
    if let Some((part, ..)) = worst {
        let (parts, knobs) = parts_and_knobs(&part.name);
        // A chain is explained part by part; its first is where one starts.
        let first = parts.split('+').next().unwrap_or(parts);
        commands.push((
            Words::new().say("What ").code(first).say(" does, and its knobs:"),
            format!("fissure explain {}", shell_word(first)),
        ));
        let set: String = knobs.iter().map(|knob| format!(" --set {}", shell_word(knob))).collect();
        commands.push((
            Words::new().say("The texts that ").code(&part.name).say(" makes, to read them:"),
            format!(
                "fissure transform {}{set} --data {data} --task {}{plain} --out changed.jsonl",
                shell_word(parts),
                shell_word(&about.task)
            ),
        ));
        if about.model.gradients && knobs.is_empty() {
            commands.push((
                Words::new().say("Train on such texts too, and see before and after:"),
                format!(
                    "fissure repair augment --data {TRAIN} --task {}{reading} --parts {} --out more.jsonl --model {model} --test {data} --save fixed",
                    shell_word(&about.task),
                    shell_word(parts)
                ),
            ));
        }
    }
    if deaf(findings) && about.model.probabilities {
        let why = "It does not notice nonsense. Reject what it is not sure of, and see what that costs:";
        commands.push((why.into(), format!("fissure repair threshold --model {model} {on}")));
    }
    if about.model.gradients {
        let why = "The samples the model is most fragile on, word by word:";
        commands.push((why.into(), format!("fissure score --model {model} {on} --tokens --top 20 --out scores.jsonl")));
        let why = "See in the browser why they are, and break the model by hand:";
        commands.push((why.into(), format!("fissure explore --model {model} {on}")));
        let believed = |which: &str| {
            format!(
                "It is {which}. Make its confidence believable, fitted on one half of these samples and measured on the other:"
            )
        };
        let why = match overconfidence(findings) {
            Some(gap) if gap > BELIEVABLE => Some(believed("more confident than right")),
            Some(gap) if gap < -BELIEVABLE => Some(believed("more often right than it says")),
            _ => None,
        };
        commands.extend(why.map(|why| (why.into(), format!("fissure repair calibrate --model {model} {on}"))));
    }
    commands
}

/// The parts of a chain, and the knobs in its name: `prejudice (change=region)`.
fn parts_and_knobs(name: &str) -> (&str, Vec<&str>) {
    match name.strip_suffix(')').and_then(|name| name.split_once(" (")) {
        Some((parts, knobs)) => (parts, knobs.split(", ").collect()),
        None => (name, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_knobs() {
        assert_eq!(parts_and_knobs("typos+ocr"), ("typos+ocr", vec![]));
        assert_eq!(
            parts_and_knobs("typos+ocr (typos.rate=0.3, max=2)"),
            ("typos+ocr", vec!["typos.rate=0.3", "max=2"])
        );
    }
}
