//! The schemas say what the programs read: the documented example, every field, and nothing else.
#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use serde_json::Value;

use super::*;

/// Whether a value is as a schema says; for the words of JSON Schema that ours use, and no others.
fn check(value: &Value, schema: &Value, place: &str) -> Result<(), String> {
    for (word, says) in schema.as_object().unwrap() {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "default" => true,
            "type" => match says {
                Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
                kind => is(value, kind),
            },
            "enum" => says.as_array().unwrap().contains(value),
            "const" => value == says,
            "anyOf" => says.as_array().unwrap().iter().any(|one| check(value, one, place).is_ok()),
            "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
            "required" => says.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, says, &format!("{place}[{at}]"))?;
                }
                true
            }
            "properties" => {
                for (name, item) in value.as_object().into_iter().flatten() {
                    says.get(name).map_or(Ok(()), |says| check(item, says, &format!("{place}.{name}")))?;
                }
                true
            }
            "additionalProperties" => {
                let known = |name: &String| schema.get("properties").is_some_and(|known| known.get(name).is_some());
                for (name, item) in value.as_object().into_iter().flatten().filter(|(name, _)| !known(name)) {
                    let place = format!("{place}.{name}");
                    if says == &Value::Bool(false) {
                        return Err(format!("{place} is not known"));
                    }
                    check(item, says, &place)?;
                }
                true
            }
            other => panic!("the tests do not know `{other}` of JSON Schema"),
        };
        if !holds {
            return Err(format!("{place} is {value}, which is not {word} {says}"));
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("no kind is called {other}"),
    }
}

fn evaluate_schema() -> Value {
    serde_json::from_str(&evaluate(&fissure::catalog::all())).unwrap()
}

#[test]
fn the_documented_config_is_read_and_fits_the_schema() {
    let page = include_str!("../../../../docs/evaluate.md");
    let (_, from) = page.split_once("```toml\n").unwrap();
    let (example, _) = from.split_once("```").unwrap();
    let config = RunConfig::from_toml(example).unwrap();
    assert_eq!((config.data.task_name(), config.seed(), config.selection.chains.len()), ("sa", 7, 3));
    let value: Value = toml::from_str(example).unwrap();
    check(&value, &evaluate_schema(), "config").unwrap();
    // Every key of the example is a setting that it shows, so none may be missing from what is read.
    for key in value.as_object().unwrap().keys() {
        assert!(serde_json::to_value(&config).unwrap().get(key).is_some(), "{key} was read and forgotten");
    }
}

#[test]
fn mistakes_do_not_fit() {
    let schema = evaluate_schema();
    for (mistake, wanted) in [
        ("modle = 'a'", "config.modle is not known"),
        ("limit = -1", "minimum"),
        ("data = 'test.csv'", "type"),
        ("importance = 'guess'", "enum"),
        ("chains = [{ variants = 2 }]", "anyOf"),
        ("knobs.typos.rate = 2.0", "maximum"),
        ("knobs.typos.rat = 0.2", "config.knobs.typos.rat is not known"),
    ] {
        let value: Value = toml::from_str(mistake).unwrap();
        let fault = check(&value, &schema, "config").unwrap_err();
        assert!(fault.contains(wanted), "{mistake}: {fault}");
    }
}

#[test]
fn every_setting_of_a_run_is_in_the_schema_with_words() {
    // What serde writes of a config that says everything.
    let known = fissure_settings::keys::<RunConfig>(&["slices", "knobs"]);
    let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
    known.sort_unstable();
    let schema = evaluate_schema();
    let properties = schema["properties"].as_object().unwrap();
    let mut described: Vec<&str> = properties.keys().map(String::as_str).collect();
    described.sort_unstable();
    assert_eq!(described, known);
    for (name, property) in properties {
        assert!(property["description"].as_str().is_some_and(|words| words.len() > 10), "{name} has no words");
    }
}
