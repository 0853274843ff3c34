//! The JSON schemas of the config files, of `fissure transform` and of `fissure evaluate`: editors complete and check
//! them. What a setting means is said by the flag of the same name.

use std::any::TypeId;

use clap::Args as _;
use fissure::catalog::Listed;
use fissure_core::{Kind, KnobCard, Shape};
use fissure_settings::{ChangeOptions, RunConfig};
use serde_json::{Map, Value, json};

/// What `fissure transform --config` reads.
pub fn transform(cards: &[Listed]) -> String {
    let command = ChangeOptions::augment_args(clap::Command::new("transform"));
    let mut properties: Map<String, Value> = command.get_arguments().filter_map(flag).collect();
    properties.insert("knobs".into(), knobs(cards));
    schema("Fissure: the config of transform", &properties.into())
}

/// What `fissure evaluate --config` reads.
pub fn evaluate(cards: &[Listed]) -> String {
    let text = || json!({ "type": "string" });
    let count = |least: usize| json!({ "type": "integer", "minimum": least });
    let any_knobs = || json!({ "type": "object", "additionalProperties": { "type": ["boolean", "number", "string"] } });
    // Every setting with a flag; the flag says what it means and what it takes.
    let command = RunConfig::augment_args(clap::Command::new("run"));
    let mut properties: Map<String, Value> = command.get_arguments().filter_map(flag).collect();
    let said = |mut kind: Value, words: &str| {
        kind["description"] = words.into();
        kind
    };
    let chain = json!({
        "type": "object",
        "properties": { "parts": text(), "variants": count(1), "knobs": any_knobs() },
        "required": ["parts"],
        "additionalProperties": false,
    });
    let slice = json!({
        "type": "object",
        "properties": { "name": text(), "knobs": any_knobs() },
        "required": ["name", "knobs"],
        "additionalProperties": false,
    });
    let either = |full: Value| json!({ "type": "array", "items": { "anyOf": [text(), full] } });
    let more = [
        (
            "chains",
            said(either(chain), "The chains to run, instead of the suite's: `a`, `a+b`, or with variants and knobs."),
        ),
        ("slices", said(either(slice), "The slices to measure, instead of the suite's.")),
        ("knobs", knobs(cards)),
    ];
    properties.extend(more.map(|(name, kind)| (name.to_owned(), kind)));
    schema("Fissure: the config of evaluate", &properties.into())
}

fn schema(title: &str, properties: &Value) -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    format!("{schema:#}\n")
}

/// A setting of a run, in the words and with the type and choices of its flag.
fn flag(flag: &clap::Arg) -> Option<(String, Value)> {
    let name = flag.get_long()?.replace('-', "_");
    let choices: Vec<String> = flag.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let kind = flag.get_value_parser().type_id();
    let mut one = if kind == TypeId::of::<bool>() {
        json!({ "type": "boolean" })
    } else if kind == TypeId::of::<usize>() || kind == TypeId::of::<u64>() {
        json!({ "type": "integer", "minimum": 0 })
    } else if choices.is_empty() {
        json!({ "type": "string" })
    } else {
        json!({ "enum": choices })
    };
    if matches!(flag.get_action(), clap::ArgAction::Append) {
        one = json!({ "type": "array", "items": one });
    }
    let words = flag.get_help()?.to_string();
    one["description"] = words.into();
    Some((name, one))
}

fn knobs(cards: &[Listed]) -> Value {
    let mut parts = Map::new();
    for Listed { card, knobs } in
        cards.iter().filter(|listed| matches!(listed.card.kind, Kind::Transform | Kind::Destroyer | Kind::Slice))
    {
        let properties: Map<String, Value> = knobs.iter().map(|knob| (knob.name.into(), property(knob))).collect();
        parts.insert(
            card.name.into(),
            json!({
                "type": "object",
                "description": card.summary(),
                "properties": properties,
                "additionalProperties": false,
            }),
        );
    }
    json!({
        "type": "object",
        "description": "Settings, part by part.",
        "properties": parts,
        "additionalProperties": false,
    })
}

fn property(knob: &KnobCard) -> Value {
    let mut property = match knob.shape {
        Shape::Flag => json!({ "type": "boolean" }),
        // A count without a bound also takes the word for it.
        Shape::Count { least, most: usize::MAX } => {
            json!({ "anyOf": [{ "type": "integer", "minimum": least }, { "const": "unlimited" }] })
        }
        Shape::Count { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::Number { least, most } if most.is_infinite() => json!({ "type": "number", "minimum": least }),
        Shape::Number { least, most } => json!({ "type": "number", "minimum": least, "maximum": most }),
        Shape::Choice(names) => json!({ "enum": names }),
        Shape::Text => json!({ "type": "string" }),
    };
    // Numbers and flags are written in JSON as they are written on the command line.
    let as_json = serde_json::from_str(&knob.default).ok().filter(|_| !matches!(knob.shape, Shape::Text));
    property["default"] = as_json.unwrap_or_else(|| knob.default.clone().into());
    property["description"] = knob.docs.split_whitespace().collect::<Vec<_>>().join(" ").into();
    property
}

#[cfg(test)]
mod tests;
