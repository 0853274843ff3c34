//! The JSON schemas of the config files, of `fissure transform` and of `fissure evaluate`: editors complete and check
//! them. What a setting means is said by the flag of the same name.

use fissure::catalog::Listed;
use fissure_core::{Kind, KnobCard, Shape};
use serde_json::{Map, Value, json};

/// What `fissure transform --config` reads.
pub fn transform(cards: &[Listed]) -> String {
    let seed = json!({ "type": "integer", "minimum": 0, "default": 0, "description": "The seed of all chance." });
    schema("Fissure: the config of transform", &json!({ "seed": seed, "knobs": knobs(cards) }))
}

/// What `fissure evaluate --config` reads.
pub fn evaluate(cards: &[Listed]) -> String {
    let text = || json!({ "type": "string" });
    let texts = || json!({ "type": "array", "items": text() });
    let count = |least: usize| json!({ "type": "integer", "minimum": least });
    let any_knobs = || json!({ "type": "object", "additionalProperties": { "type": ["boolean", "number", "string"] } });
    let mut properties = Map::new();
    // Settings that have a flag of the same name, which says what they mean.
    let named = [
        ("model", text()),
        ("api", text()),
        ("api_model", text()),
        ("labels", texts()),
        ("label_names", texts()),
        ("prompt", text()),
        ("body", texts()),
        ("data", texts()),
        ("task", text()),
        ("columns", texts()),
        ("id", text()),
        ("label_map", texts()),
        ("format", text()),
        ("fields", texts()),
        ("limit", count(0)),
        ("seed", count(0)),
        ("suite", text()),
        ("variants", count(1)),
        ("importance", text()),
        ("where", text()),
        ("keep", texts()),
        ("language_model", text()),
        ("translator", text()),
        ("encoder", text()),
        ("vectors", text()),
        ("train", texts()),
        ("donors", texts()),
        ("senses", texts()),
        ("phrases", text()),
    ];
    for (name, kind) in named {
        properties.insert(name.into(), flag(name, kind));
    }
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
    let pair = json!({ "type": "array", "items": text() });
    let more = [
        ("skip_bad_rows", said(json!({ "type": "boolean" }), "Go on without rows that cannot be read.")),
        (
            "chains",
            said(either(chain), "The chains to run, instead of the suite's: `a`, `a+b`, or with variants and knobs."),
        ),
        ("slices", said(either(slice), "The slices to measure, instead of the suite's.")),
        ("fragility", said(json!({ "type": "boolean" }), "Whether to look inside a model that can be looked into.")),
        (
            "set",
            said(
                json!({ "type": "array", "items": pair }),
                "Settings as `--set` writes them, in pairs; they win over knobs.",
            ),
        ),
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

/// A setting of a run, in the words and with the choices of its flag.
fn flag(name: &str, mut kind: Value) -> Value {
    let command = fissure::command();
    let evaluate = command.find_subcommand("evaluate");
    let long = name.replace('_', "-");
    let flag = evaluate.and_then(|evaluate| evaluate.get_arguments().find(|flag| flag.get_long() == Some(&long)));
    let Some(flag) = flag else { return kind };
    let choices: Vec<String> = flag.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if !choices.is_empty() {
        kind = json!({ "enum": choices });
    }
    if let Some(help) = flag.get_help() {
        kind["description"] = help.to_string().into();
    }
    kind
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
