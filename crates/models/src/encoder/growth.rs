//! How much a tokenizer can make of a text: a `tokenizer.json` may replace a letter by a million, eight times over.
//!
//! A tokenizer is checked before it is built. What it makes of `n` bytes is at most `factor * n + added` bytes, and both
//! numbers can be read off its rules; those of real tokenizers are small.

use serde::Deserialize;
use serde_json::Value;

/// The most that a rule may make of each byte. Real tokenizers replace a space by three bytes, or a line end by a mark.
const MOST_FACTOR: f64 = 16.0;
/// The most bytes that may be added to a text, whatever its length.
const MOST_ADDED: f64 = 4096.0;
/// WordPiece looks at every part of a word, so its longest word bounds its time. 100 is usual.
const LONGEST_WORD: f64 = 1000.0;

/// The most pieces that may be put around a text, and the most times that the text may be repeated. Real tokenizers put
/// two to four around it, and repeat nothing.
const MOST_MARKS: usize = 64;

/// The most rules that a text goes through before it is cut, and after: each takes time for every text. Real tokenizers have a
/// dozen.
const MOST_RULES: usize = 100;

/// The parts of a `tokenizer.json` that matter here.
#[derive(Deserialize)]
struct Rules {
    normalizer: Option<Value>,
    decoder: Option<Value>,
    pre_tokenizer: Option<Value>,
    post_processor: Option<Value>,
    #[serde(default)]
    model: Words,
}

#[derive(Deserialize, Default)]
struct Words {
    max_input_chars_per_word: Option<f64>,
}

/// At most `factor` bytes for each byte, and `added` more.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Growth {
    factor: f64,
    added: f64,
}

/// Why the tokenizer in these bytes is refused.
pub(super) fn refusal(bytes: &[u8]) -> Option<String> {
    let rules: Rules = match serde_json::from_slice(bytes) {
        Ok(rules) => rules,
        Err(why) => return Some(why.to_string()),
    };
    if let Some(longest) = rules.model.max_input_chars_per_word.filter(|longest| *longest > LONGEST_WORD) {
        return Some(format!(
            "`max_input_chars_per_word` is {longest}; at most {LONGEST_WORD} is read, and 100 is usual"
        ));
    }
    let marks = rules.post_processor.as_ref().map_or(0, marks);
    if marks > MOST_MARKS {
        return Some(format!("its post_processor puts {marks} pieces around a text; at most {MOST_MARKS} are allowed"));
    }
    let lists = [
        ("normalizer", &rules.normalizer),
        ("pre_tokenizer", &rules.pre_tokenizer),
        ("decoder", &rules.decoder),
        ("post_processor", &rules.post_processor),
    ];
    for (name, rule) in lists {
        let count = rule.as_ref().map_or(0, count);
        if count > MOST_RULES {
            return Some(format!("its {name} has {count} rules; at most {MOST_RULES} are allowed"));
        }
    }
    for (name, rule) in [("normalizer", rules.normalizer), ("decoder", rules.decoder)] {
        let Growth { factor, added } = growth(&rule.unwrap_or_default());
        if factor > MOST_FACTOR || added > MOST_ADDED {
            return Some(format!(
                "its {name} can make {factor:.0} bytes of each byte of a text and add {added:.0}; at most {MOST_FACTOR} \
                 and {MOST_ADDED} are allowed"
            ));
        }
    }
    None
}

/// How many rules there are in a rule, with itself.
fn count(rule: &Value) -> usize {
    let lists = ["normalizers", "pretokenizers", "decoders", "processors"].map(|name| rule[name].as_array());
    lists.into_iter().flatten().flatten().map(count).fold(1, usize::saturating_add)
}

/// What a rule can make of a text. Rules that only take away, or that write letters in another way, count as 1: what
/// Unicode's normal forms add is small and does not add up.
fn growth(rule: &Value) -> Growth {
    let length = |value: &Value| value.as_str().map_or(0.0, |text| text.len() as f64);
    match rule["type"].as_str() {
        Some("Sequence") => {
            let list = rule["normalizers"].as_array().or_else(|| rule["decoders"].as_array());
            let none = Growth { factor: 1.0, added: 0.0 };
            list.into_iter().flatten().map(growth).fold(none, |one, next| Growth {
                factor: one.factor * next.factor,
                added: one.added * next.factor + next.added,
            })
        }
        Some("Replace") => {
            let with = length(&rule["content"]);
            let factor = match rule["pattern"]["String"].as_str() {
                Some(pattern) if !pattern.is_empty() => with / pattern.len() as f64,
                // A regular expression may match a single byte, or the nothing between two.
                _ => with + 1.0,
            };
            Growth { factor: factor.max(1.0), added: with }
        }
        Some("Prepend") => Growth { factor: 1.0, added: length(&rule["prepend"]) },
        _ => Growth { factor: 1.0, added: 0.0 },
    }
}

/// How many pieces a post-processor puts around a text, at most. A text that it repeats counts as a piece.
fn marks(rule: &Value) -> usize {
    let ids = |special: &Value| {
        let known = special["id"].as_str().map_or(&Value::Null, |id| &rule["special_tokens"][id]["ids"]);
        known.as_array().map_or(1, Vec::len)
    };
    let piece = |piece: &Value| piece.get("SpecialToken").map_or(1, ids);
    let template = |name: &str| match &rule[name] {
        Value::Array(pieces) => pieces.iter().map(piece).fold(0, usize::saturating_add),
        Value::String(pieces) => pieces.split_whitespace().count(),
        _ => 0,
    };
    let nested = rule["processors"].as_array().into_iter().flatten().map(marks).fold(0, usize::saturating_add);
    template("single").max(template("pair")).saturating_add(nested)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn refused(tokenizer: &Value) -> String {
        refusal(tokenizer.to_string().as_bytes()).unwrap_or_default()
    }

    fn replace(pattern: &str, with: &str) -> Value {
        json!({"type": "Replace", "pattern": {"String": pattern}, "content": with})
    }

    #[test]
    fn rules_that_let_a_text_grow_are_refused() {
        let twenty = replace("a", &"a".repeat(20));
        let many = json!({"normalizer": {"type": "Sequence", "normalizers": vec![twenty; 8]}});
        assert!(refused(&many).contains("normalizer can make 25600000000 bytes"), "{}", refused(&many));
        assert!(!refused(&json!({"normalizer": replace("a", &"a".repeat(1_000_000))})).is_empty());
        assert!(!refused(&json!({"decoder": replace("a", &"a".repeat(1_000_000))})).is_empty());
        let early = json!({"type": "Prepend", "prepend": "a".repeat(1000)});
        let later = json!({"normalizer": {"type": "Sequence", "normalizers": [early, replace("a", "aaaaaaaaaa")]}});
        assert!(refused(&later).contains("add 10010"), "{}", refused(&later));
        let template = |pieces: usize, ids: usize| {
            let mark = json!({"SpecialToken": {"id": "[CLS]", "type_id": 0}});
            let known = json!({"[CLS]": {"id": "[CLS]", "ids": vec![1; ids], "tokens": vec!["[CLS]"; ids]}});
            json!({"type": "TemplateProcessing", "single": vec![mark; pieces], "pair": [], "special_tokens": known})
        };
        let around = json!({"post_processor": template(100, 1000)});
        assert!(refused(&around).contains("puts 100000 pieces around a text"), "{}", refused(&around));
        let text = json!({"Sequence": {"id": "A", "type_id": 0}});
        let again = json!({"post_processor": {"type": "TemplateProcessing", "pair": vec![text; 1000]}});
        assert!(refused(&again).contains("puts 1000 pieces"), "{}", refused(&again));
        let nested = json!({"post_processor": {"type": "Sequence", "processors": vec![template(2, 30); 3]}});
        assert!(refused(&nested).contains("puts 180 pieces"), "{}", refused(&nested));
        assert_eq!(refused(&json!({"post_processor": template(2, 1)})), "");
        let rules = vec![json!({"type": "Lowercase"}); 100_000];
        let many = json!({"normalizer": {"type": "Sequence", "normalizers": rules}});
        assert!(refused(&many).contains("its normalizer has 100001 rules"), "{}", refused(&many));
        let split = json!({"type": "Sequence", "pretokenizers": vec![json!({"type": "Whitespace"}); 60]});
        let nested = json!({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, split]}});
        assert!(refused(&nested).contains("its pre_tokenizer has 123 rules"), "{}", refused(&nested));
        let words = json!({"model": {"type": "WordPiece", "max_input_chars_per_word": 1e9}});
        assert!(refused(&words).contains("max_input_chars_per_word"));
    }

    #[test]
    fn real_tokenizers_are_not() {
        for family in ["bert", "roberta", "xlm-roberta"] {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family).join("tokenizer.json");
            assert_eq!(refusal(&std::fs::read(file).unwrap()), None, "{family}");
        }
        let usual = json!({"normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"}, replace(" ", "▁"), replace("``", "\""),
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
        ]}});
        assert_eq!(refused(&usual), "");
        assert!(refusal(b"not JSON").is_some());
    }
}
