//! What to do next: commands that can be pasted as they are.

use fissure_evaluate::Findings;

use crate::document::{Block, Section, Words};
use crate::reading::{dropping, overconfidence, sure};

/// How far confidence may be above the score before mending it is worth while.
const OVERCONFIDENT: f64 = 0.02;

pub fn section(findings: &Findings) -> Section {
    let words = Words::from("Each command can be pasted as it is.");
    Section::new("next", "What to do next").words(words).block(Block::Commands(next_commands(findings)))
}

/// (why, command), the most useful first.
pub fn next_commands(findings: &Findings) -> Vec<(Words, String)> {
    let about = &findings.about;
    let data: Vec<String> = about.data.files.iter().map(|file| shell(file)).collect();
    let on = format!("--data {} --task {}", data.join(" "), shell(&about.task));
    let model = shell(&about.model.name);
    let mut commands = Vec::new();
    let worst = dropping(findings).into_iter().find(|(_, evidence, drop)| sure(evidence) && drop.value > 0.0);
    if let Some((part, ..)) = worst {
        // A chain is explained part by part; its first is where one starts.
        let first = part.name.split('+').next().unwrap_or(&part.name);
        commands.push((
            Words::new().say("What ").code(first).say(" does, and its knobs:"),
            format!("fissure explain {}", shell(first)),
        ));
        commands.push((
            Words::new().say("The texts that ").code(&part.name).say(" makes, to read or to train on:"),
            format!("fissure transform {} {on} --out changed.jsonl", shell(&part.name)),
        ));
    }
    if about.model.gradients {
        let why = "The samples the model is most fragile on, word by word:";
        commands.push((why.into(), format!("fissure score --model {model} {on} --tokens --top 20 --out scores.jsonl")));
        let why = "See in the browser why they are, and break the model by hand:";
        commands.push((why.into(), format!("fissure explore --model {model} {on}")));
        if overconfidence(findings).is_some_and(|gap| gap > OVERCONFIDENT) {
            let why = "It is more confident than right. Make its confidence believable, fitted on one half of these samples and measured on the other:";
            commands.push((why.into(), format!("fissure repair calibrate --model {model} {on}")));
        }
    }
    commands
}

/// A word for the shell: as it is where that is safe, else in single quotes.
pub fn shell(word: &str) -> String {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=@%,+".contains(letter);
    if !word.is_empty() && word.chars().all(safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell("data/test.csv"), "data/test.csv");
        assert_eq!(shell("my data.csv"), "'my data.csv'");
        assert_eq!(shell("$(rm -rf ~)'"), "'$(rm -rf ~)'\\'''");
        assert_eq!(shell(""), "''");
    }
}
