//! The prompt of a chat: a text with placeholders (`{text}`, `{labels}`, ...) that every question fills.

use fissure_core::{LabelKind, layer};
use fissure_tasks::{Question, Task};

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Words(String),
    /// The name of a placeholder, and the line it is in.
    Place(String, usize),
}

/// Placeholders that every task has.
const COMMON: [&str; 2] = ["labels", "task"];

impl Prompt {
    /// Reads a template. `{{` and `}}` stand for braces.
    pub fn parse(template: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut line = 1;
        let mut letters = template.chars().peekable();
        while let Some(letter) = letters.next() {
            line += usize::from(letter == '\n');
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    words.push(letter);
                    letters.next();
                }
                '{' => {
                    let mut name = String::new();
                    loop {
                        match letters.next() {
                            Some('}') => break,
                            Some(letter) if letter != '{' && letter != '\n' => name.push(letter),
                            _ => {
                                return Err(format!(
                                    "line {line}: `{{` opens a placeholder that does not end; write `{{{{` for a brace"
                                ));
                            }
                        }
                    }
                    parts.push(Part::Words(std::mem::take(&mut words)));
                    parts.push(Part::Place(name.trim().to_owned(), line));
                }
                '}' => return Err(format!("line {line}: `}}` closes nothing; write `}}}}` for a brace")),
                _ => words.push(letter),
            }
        }
        parts.push(Part::Words(words));
        parts.retain(|part| *part != Part::Words(String::new()));
        Ok(Self { parts })
    }

    /// Checks that the task has every placeholder, and that the prompt shows at least one text of the sample.
    pub fn check(&self, task: &Task) -> Result<(), String> {
        let texts = texts_of(task);
        let known = || texts.iter().chain(&COMMON).map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
        let places = || {
            self.parts
                .iter()
                .filter_map(|part| if let Part::Place(name, line) = part { Some((name, line)) } else { None })
        };
        let unknown = places().find(|(name, _)| !texts.contains(&name.as_str()) && !COMMON.contains(&name.as_str()));
        if let Some((name, line)) = unknown {
            return Err(format!(
                "line {line}: the task `{}` has no `{{{name}}}`; it has {}. Write `{{{{` and `}}}}` for braces",
                task.name(),
                known()
            ));
        }
        if !places().any(|(name, _)| texts.contains(&name.as_str())) {
            return Err(format!(
                "no text of the sample is in it, so every question would be the same; use {}",
                known()
            ));
        }
        Ok(())
    }

    /// The prompt for a question. A text that the sample does not have is empty.
    pub(super) fn fill(&self, question: &Question, labels: &[String]) -> String {
        let mut filled = String::new();
        for part in &self.parts {
            match part {
                Part::Words(words) => filled.push_str(words),
                Part::Place(name, _) => match name.as_str() {
                    "labels" => filled.push_str(&labels.join(", ")),
                    "task" => filled.push_str(&question.task),
                    name => match question.fields.iter().find(|(field, _)| field == name) {
                        Some((_, text)) => filled.push_str(text),
                        None => filled.push_str(&argument(question, name)),
                    },
                },
            }
        }
        filled
    }
}

/// The placeholders for texts of a task: its fields, and what its questions say of marks besides.
fn texts_of(task: &Task) -> Vec<&'static str> {
    let marks = task.facts.layers.iter().copied().filter(|_| task.facts.labels == LabelKind::ClassOfMarks);
    task.fields().chain(marks.filter(|layer| *layer != layer::TOKEN)).collect()
}

/// The words of an argument of a relation, which is given by its first and last token.
fn argument(question: &Question, name: &str) -> String {
    let place = |at: usize| Some(question.more.get(name)?.get(at)?.as_u64()? as usize);
    let tokens = question.more.get("tokens").and_then(|tokens| tokens.as_array());
    let (Some(tokens), Some(first), Some(last)) = (tokens, place(0), place(1)) else { return String::new() };
    let words = tokens.iter().take(last + 1).skip(first).filter_map(|token| token.as_str());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn question(task: &str, fields: &[(&str, &str)], more: Map<String, serde_json::Value>) -> Question {
        let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Question { task: task.into(), fields, more }
    }

    #[test]
    fn placeholders_are_filled_and_doubled_braces_are_braces() {
        let prompt = Prompt::parse("{task}: {{\"a\": 1}}\n{premise} > {hypothesis} ? {labels}").unwrap();
        prompt.check(fissure_tasks::find("entailment").unwrap()).unwrap();
        let asked = question("entailment", &[("premise", "A {text}"), ("hypothesis", "B")], Map::new());
        let labels = ["yes", "no"].map(str::to_owned);
        assert_eq!(prompt.fill(&asked, &labels), "entailment: {\"a\": 1}\nA {text} > B ? yes, no");
        let more = Map::from_iter([
            ("tokens".to_owned(), json!(["Ann", "Lee", "left", "Acme"])),
            ("subject".to_owned(), json!([0, 1])),
            ("object".to_owned(), json!([3, 3])),
        ]);
        let prompt = Prompt::parse("{subject}|{object}|{ text }").unwrap();
        prompt.check(fissure_tasks::find("re").unwrap()).unwrap();
        assert_eq!(prompt.fill(&question("re", &[("text", "T")], more), &[]), "Ann Lee|Acme|T");
    }

    #[test]
    fn a_prompt_that_cannot_work_is_refused_with_the_known_placeholders() {
        let why = |template: &str, task: &str| {
            Prompt::parse(template).and_then(|prompt| prompt.check(fissure_tasks::find(task).unwrap())).unwrap_err()
        };
        let said = why("Classify.\n{txet}", "sa");
        assert!(
            said.contains("line 2") && said.contains("`{txet}`") && said.contains("{text}, {labels}, {task}"),
            "{said}"
        );
        assert!(why("{text}", "entailment").contains("{premise}, {hypothesis}"));
        assert!(why("one of {labels}", "sa").contains("every question would be the same"));
        assert!(why("{\"label\": {text}}", "sa").contains("write `{{`"));
        assert!(why("{text", "sa").contains("does not end"));
        assert!(why("text}", "sa").contains("closes nothing"));
    }
}
