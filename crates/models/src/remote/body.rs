//! What the user adds to the body of every request: `--body KEY=VALUE`.

use serde_json::{Map, Value};

/// Settings of the body, in the order they were given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body(Vec<(Vec<String>, Value)>);

/// What Fissure writes itself, which a setting would silently replace.
const OWN: [(&str, &str); 5] = [
    ("messages", "use --prompt FILE"),
    ("inputs", "it has the texts"),
    ("questions", "it has the texts"),
    ("protocol", "it says how the questions are written"),
    ("stream", "replies are read as a whole"),
];

impl Body {
    /// No settings.
    pub const NONE: Self = Self(Vec::new());

    /// Reads `KEY=VALUE`; the value is JSON if it parses as JSON, else text. Dots in the key lead into objects. `null`
    /// takes the key out of the body.
    pub fn parse(settings: &[String]) -> Result<Self, String> {
        let mut body = Vec::new();
        for setting in settings {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(format!("`--body {setting}` has no value: write --body KEY=VALUE"));
            };
            let path: Vec<String> = key.trim().split('.').map(str::to_owned).collect();
            if path.iter().any(String::is_empty) {
                return Err(format!(
                    "`--body {setting}` has an empty key: write --body KEY=VALUE or OUTER.INNER=VALUE"
                ));
            }
            if let Some((own, advice)) = OWN.iter().find(|(own, _)| path[0] == *own) {
                return Err(format!("`--body {setting}`: `{own}` is written by Fissure; {advice}"));
            }
            let value = value.trim();
            body.push((path, serde_json::from_str(value).unwrap_or_else(|_| value.into())));
        }
        Ok(Self(body))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the settings into a body. Later ones go over earlier ones.
    pub(super) fn merge_into(&self, body: &mut Value) {
        for (path, value) in &self.0 {
            let Some((last, outer)) = path.split_last() else { continue };
            let mut at = &mut *body;
            for key in outer {
                at = object(at).entry(key.clone()).or_insert(Value::Null);
            }
            let place = object(at);
            match value {
                Value::Null => place.remove(last),
                value => place.insert(last.clone(), value.clone()),
            };
        }
    }
}

/// The value as an object, which replaces anything else.
fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(map) => map,
        _ => unreachable!("it was made an object above"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merged(settings: &[&str]) -> Value {
        let mut body = json!({"model": "m", "temperature": 0, "messages": []});
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Body::parse(&settings).unwrap().merge_into(&mut body);
        body
    }

    #[test]
    fn values_are_json_or_text_and_dots_nest() {
        assert_eq!(
            merged(&["max_tokens=20", "reasoning.effort=low", "reasoning.on=true", "stop=[\"a\"]", "user=x=y"]),
            json!({
                "model": "m", "temperature": 0, "messages": [], "max_tokens": 20,
                "reasoning": {"effort": "low", "on": true}, "stop": ["a"], "user": "x=y",
            })
        );
        assert_eq!(merged(&["temperature=null"]), json!({"model": "m", "messages": []}));
        assert_eq!(merged(&["temperature=1", "temperature=0.5"])["temperature"], 0.5);
        assert_eq!(merged(&["model.name=a"])["model"], json!({"name": "a"}));
    }

    #[test]
    fn what_fissure_writes_is_not_replaced() {
        let why = |setting: &str| Body::parse(&[setting.to_owned()]).unwrap_err();
        assert!(why("messages=[]").contains("--prompt"));
        assert!(why("max_tokens").contains("KEY=VALUE"));
        assert!(why("a..b=1").contains("empty key"));
    }
}
