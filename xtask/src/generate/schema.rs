//! The JSON schema of the config file: editors complete and check it.

use fissure::catalog::Listed;
use fissure_core::{Kind, KnobCard, Shape};
use serde_json::{Map, Value, json};

pub fn config(cards: &[Listed]) -> String {
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
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Fissure config",
        "type": "object",
        "properties": {
            "seed": { "type": "integer", "minimum": 0, "default": 0, "description": "The seed of all chance." },
            "knobs": {
                "type": "object",
                "description": "Settings, part by part.",
                "properties": parts,
                "additionalProperties": false,
            },
        },
        "additionalProperties": false,
    });
    format!("{schema:#}\n")
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
