//! The functions of the Python package, one for each part, typed and documented from its card.

use std::fmt::Write as _;

use fissure::catalog::Listed;
use fissure_core::{Kind, KnobCard, Shape};
use fissure_tasks::{expectation_in_words, served_in_words};

/// What cannot be the name of an argument in Python.
const KEYWORDS: &[&str] =
    &["from", "in", "is", "not", "and", "or", "as", "class", "def", "for", "if", "with", "lambda"];

/// A module of the package.
struct Module {
    path: &'static str,
    kinds: &'static [Kind],
    /// What it says about itself.
    docs: &'static str,
    /// What a function gives, and the module and the function it comes from.
    gives: &'static str,
    from: &'static str,
    made_by: &'static str,
}

const MODULES: &[Module] = &[
    Module {
        path: "crates/python/python/fissure/parts.py",
        kinds: &[Kind::Transform, Kind::Destroyer],
        docs: "Every transformation and destroyer of the catalog.",
        gives: "Chain",
        from: "_chain",
        made_by: "part",
    },
    Module {
        path: "crates/python/python/fissure/slices.py",
        kinds: &[Kind::Slice],
        docs: "Every slice of the catalog.",
        gives: "Slice",
        from: "_slice",
        made_by: "slice",
    },
];

/// The modules, each as `(path, text)`.
pub fn modules(cards: &[Listed]) -> Vec<(String, String)> {
    MODULES.iter().map(|module| (module.path.to_owned(), page(module, cards))).collect()
}

fn page(module: &Module, cards: &[Listed]) -> String {
    let parts: Vec<&Listed> = cards.iter().filter(|listed| module.kinds.contains(&listed.card.kind)).collect();
    let names: Vec<String> = parts.iter().map(|listed| format!("    {:?},\n", listed.card.name)).collect();
    let literal = parts.iter().flat_map(|listed| &listed.knobs).any(|knob| matches!(knob.shape, Shape::Choice(_)));
    let mut page = format!(
        "\"\"\"{}\n\nMade by `cargo xtask generate` from the cards; do not edit.\n\"\"\"\n\nfrom __future__ import annotations\n\n",
        module.docs
    );
    if literal {
        page += "from typing import Literal\n\n";
    }
    let (gives, made_by) = (module.gives, module.made_by);
    let imported = if gives < made_by { format!("{gives}, {made_by}") } else { format!("{made_by}, {gives}") };
    let _ = write!(page, "from .{} import {imported}\n\n__all__ = [\n{}]\n", module.from, names.concat());
    for listed in parts {
        page += &function(module, listed);
    }
    page
}

fn function(module: &Module, Listed { card, knobs }: &Listed) -> String {
    let mut arguments = String::new();
    let mut passed = String::new();
    for knob in knobs {
        let (kind, default) = typed(knob);
        let name = argument(knob.name);
        let _ = writeln!(arguments, "    {name}: {kind} = {default},");
        // The defaults are the part's own; what differs from them is its description.
        let _ = write!(passed, ", {name}={name}");
    }
    let signature = if knobs.is_empty() { String::new() } else { format!("\n    *,\n{arguments}") };
    format!(
        "\n\ndef {name}({signature}) -> {gives}:\n    \"\"\"{docs}\"\"\"\n    return {made_by}({name:?}{passed})\n",
        name = card.name,
        gives = module.gives,
        made_by = module.made_by,
        docs = docstring(&Listed { card, knobs: knobs.clone() }),
    )
}

fn docstring(Listed { card, knobs }: &Listed) -> String {
    let mut docs = card.text();
    if let Some(expectation) = expectation_in_words(card) {
        let _ = write!(docs, "\n\nLabel: {expectation}. Tasks: {}.", served_in_words(card));
    }
    if let Some(citation) = card.citation {
        let _ = write!(docs, "\nSource: {citation}");
    }
    if !knobs.is_empty() {
        docs += "\n\nArgs:";
        for knob in knobs {
            let said = knob.docs.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(docs, "\n    {}: {said} It takes {}.", argument(knob.name), knob.shape.describe());
        }
    }
    if !card.examples.is_empty() {
        docs += "\n\nExamples:";
        for example in card.examples {
            let set: Vec<String> = example.settings.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
            let set = if set.is_empty() { String::new() } else { format!(" ({})", set.join(", ")) };
            let _ = write!(docs, "\n    {} -> {}{set}", one_line(example.before), one_line(example.after));
        }
    }
    let docs = docs.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let lines: Vec<String> = docs
        .lines()
        .enumerate()
        .map(|(at, line)| if at == 0 || line.is_empty() { line.into() } else { format!("    {line}") })
        .collect();
    format!("{}\n    ", lines.join("\n"))
}

fn one_line(text: &str) -> String {
    format!("{text:?}")
}

/// The type of a knob and its default, as Python writes them.
fn typed(knob: &KnobCard) -> (String, String) {
    match &knob.shape {
        Shape::Flag => ("bool".into(), if knob.default == "true" { "True".into() } else { "False".into() }),
        Shape::Count { most, .. } => {
            let kind = if *most == usize::MAX { "int | None" } else { "int" };
            (kind.into(), if knob.default == "unlimited" { "None".into() } else { knob.default.clone() })
        }
        Shape::Number { .. } => {
            let whole = !knob.default.contains(['.', 'e']);
            ("float".into(), if whole { format!("{}.0", knob.default) } else { knob.default.clone() })
        }
        Shape::Choice(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            (format!("Literal[{}]", names.join(", ")), format!("{:?}", knob.default))
        }
        Shape::Text => ("str".into(), format!("{:?}", knob.default)),
    }
}

/// The name of a knob as an argument.
fn argument(knob: &str) -> String {
    if KEYWORDS.contains(&knob) { format!("{knob}_") } else { knob.to_owned() }
}
