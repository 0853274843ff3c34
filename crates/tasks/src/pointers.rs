//! Columns that point at tokens by number, which edits move: each pointer is written with the number its token has now.
//!
//! A tree that came beside the tokens (HEAD, DEPREL and DEPS of CoNLL-U in another task than parsing) is carried along. If what is
//! left of it is no longer one tree over all words, since a word came without a head or two sentences were joined, it is left out
//! as a whole: half of a tree is one that no tool reads.

use std::collections::HashMap;

use serde_json::Value;

use crate::heads;

/// The attribute that keeps the number a token had.
pub(crate) const INDEX: &str = "index";

/// Columns that point at tokens by number.
pub(crate) const POINTERS: &[&str] = &["head", "stanford_head", "deps"];

/// The columns of a tree.
const HEAD: &str = "head";
const RELATION: &str = "deprel";
const TREE: [&str; 3] = [HEAD, RELATION, "deps"];

/// The relation of the later words of a token that is several now: Universal Dependencies' word for one that is not known.
const UNKNOWN_RELATION: &str = "dep";

/// Entries of MISC and of empty nodes whose values start with the number of a token: `CxnElt=14:Conditional.Protasis`.
const IN_MISC: [&str; 2] = ["CxnElt", "CopyOf"];

/// The place of DEPS among the cells behind the number of a line of CoNLL-U.
const DEPS_CELL: usize = 7;

/// The numbers that words had, and where those words are now.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// For each word the number that it had; `None` for a new one.
    had: Vec<Option<String>>,
    /// For each number the words that had it, in order: where a sample follows another one, both have a first word.
    places: HashMap<String, Vec<usize>>,
    /// For each word that is a later piece of a token the first piece of it.
    first: Vec<Option<usize>>,
}

impl Numbers {
    /// `words` are the numbers that the words had, and for later pieces of a token the first piece.
    pub fn new(words: impl Iterator<Item = (Option<String>, Option<usize>)>) -> Self {
        let (had, first): (Vec<_>, Vec<_>) = words.unzip();
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, number) in had.iter().enumerate() {
            if let Some(number) = number {
                places.entry(number.clone()).or_default().push(at);
            }
        }
        Self { had, places, first }
    }

    /// The number that an attribute says.
    pub fn number(value: &Value) -> Option<String> {
        match value {
            Value::String(number) => Some(number.clone()),
            number => number.as_u64().map(|number| number.to_string()),
        }
    }

    /// The number that is now that of the word which `old` means, seen from the word at `at`; `None` if it is gone.
    fn now(&self, at: usize, old: &str) -> Option<String> {
        // A token of an empty node, `8.1`, moves with the token before it.
        let (whole, part) = old.split_once('.').map_or((old, None), |(whole, part)| (whole, Some(part)));
        let number = if whole == "0" {
            0
        } else {
            let plain = || whole.parse::<u64>().ok().map(|number| number.to_string());
            let places = self.places.get(whole).or_else(|| self.places.get(&plain()?))?;
            // Of several tokens with one number the pointer means the one that is as far away as it was.
            let own = self.had[at].as_ref().and_then(|own| own.parse::<i64>().ok());
            let meant = at as i64 + whole.parse::<i64>().unwrap_or(0) - own.unwrap_or(0);
            *places.iter().min_by_key(|place| (**place as i64 - meant).abs())? + 1
        };
        Some(part.map_or(number.to_string(), |part| format!("{number}.{part}")))
    }

    /// A value of a column that points, or of the relations beside it (`3`, `0`, `4:nsubj|7:conj`); `_` where a token is gone.
    pub fn renumbered(&self, at: usize, name: &str, value: &Value) -> Value {
        if let Some(first) = self.first[at].filter(|_| is_of_tree(name)) {
            // The later words of what was one token hang on its first, or a root of two words would be two roots.
            let head = first + 1;
            return match (name, value) {
                (_, Value::Null) => Value::Null,
                (_, Value::String(none)) if none == "_" => "_".into(),
                (RELATION, _) => UNKNOWN_RELATION.into(),
                ("deps", _) => format!("{head}:{UNKNOWN_RELATION}").into(),
                (_, Value::String(_)) => head.to_string().into(),
                _ => head.into(),
            };
        }
        match value {
            value if name == RELATION => value.clone(),
            Value::Number(old) => {
                let now = self.now(at, &old.to_string());
                now.and_then(|now| now.parse::<u64>().ok()).map_or(Value::Null, Value::from)
            }
            Value::String(old) => self.renumbered_list(at, old).into(),
            other => other.clone(),
        }
    }

    fn renumbered_list(&self, at: usize, old: &str) -> String {
        if old == "_" {
            return old.to_owned();
        }
        let one = |pointer: &str| match pointer.split_once(':') {
            Some((old, relation)) => self.now(at, old).map(|now| format!("{now}:{relation}")),
            None => self.now(at, pointer),
        };
        let kept: Vec<String> = old.split('|').filter_map(one).collect();
        if kept.is_empty() { "_".into() } else { kept.join("|") }
    }

    /// MISC, with the pointers in it; those at tokens that are gone are left out.
    pub fn in_misc(&self, at: usize, misc: &str) -> String {
        if !IN_MISC.iter().any(|name| misc.contains(name)) {
            return misc.to_owned();
        }
        let entry = |entry: &str| -> Option<String> {
            let Some((name, values)) = entry.split_once('=').filter(|(name, _)| IN_MISC.contains(name)) else {
                return Some(entry.to_owned());
            };
            let one = |value: &str| {
                let (number, rest) = value.split_at(value.find(':').unwrap_or(value.len()));
                // `CopyOf=-1` says that it copies nothing.
                if number.parse::<u64>().is_err() {
                    return Some(value.to_owned());
                }
                self.now(at, number).map(|now| format!("{now}{rest}"))
            };
            let kept: Vec<String> = values.split(',').filter_map(one).collect();
            (!kept.is_empty()).then(|| format!("{name}={}", kept.join(",")))
        };
        let kept: Vec<String> = misc.split('|').filter_map(entry).collect();
        if kept.is_empty() { "_".into() } else { kept.join("|") }
    }

    /// The pointers of the empty nodes that stand beside a token.
    pub fn in_nodes(&self, at: usize, mut beside: Value) -> Value {
        for place in ["before", "after"] {
            for node in beside.get_mut(place).and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(cells) = node.get(1).and_then(Value::as_str) else { continue };
                let cells: Vec<String> = cells
                    .split('\t')
                    .enumerate()
                    .map(|(cell, text)| match cell {
                        DEPS_CELL => self.renumbered_list(at, text),
                        cell if cell > DEPS_CELL => self.in_misc(at, text),
                        _ => text.to_owned(),
                    })
                    .collect();
                node[1] = cells.join("\t").into();
            }
        }
        beside
    }

    /// Whether the words had a tree and have none any more. `column` is the value of a column at a word.
    pub fn lose_tree<'v>(&self, column: impl Fn(usize) -> Option<&'v Value>) -> bool {
        let is_known = |value: &Value| !value.is_null() && value != "_";
        let old: Vec<Option<&Value>> = (0..self.had.len()).map(column).collect();
        if !old.iter().flatten().any(|value| is_known(value)) {
            return false;
        }
        let text = |value: Value| match value {
            Value::String(head) => head,
            Value::Null => "_".into(),
            other => other.to_string(),
        };
        let new =
            |(at, old): (usize, &Option<&Value>)| old.map_or("_".into(), |old| text(self.renumbered(at, HEAD, old)));
        let new: Vec<String> = old.iter().enumerate().map(new).collect();
        let in_place = |(at, had): (usize, &Option<String>)| {
            had.as_ref().is_some_and(|had| had.parse() == Ok(at + 1)) && self.first[at].is_none()
        };
        let same_words = self.had.iter().enumerate().all(in_place);
        let lost_head = old.iter().zip(&new).any(|(old, new)| old.is_some_and(is_known) && new == "_");
        if same_words && !lost_head {
            return false;
        }
        let roots = new.iter().filter(|head| *head == "0").count();
        roots != 1 || new.iter().any(|head| head == "_") || heads::check(&new).is_err()
    }
}

/// Whether a column belongs to the tree beside the tokens.
pub(crate) fn is_of_tree(name: &str) -> bool {
    TREE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(had: &[&str]) -> Numbers {
        Numbers::new(had.iter().map(|had| (Some((*had).to_owned()).filter(|had| had != "new"), None)))
    }

    #[test]
    fn pointers_in_misc_and_empty_nodes_move_along() {
        // The second token is gone.
        let numbers = numbers(&["1", "3", "4"]);
        assert_eq!(numbers.in_misc(0, "CxnElt=4:A.b|SpaceAfter=No"), "CxnElt=3:A.b|SpaceAfter=No");
        assert_eq!(numbers.in_misc(0, "CxnElt=2:A.b"), "_");
        assert_eq!(numbers.in_misc(0, "CxnElt=2:A.b,3:C.d|Foo=2:x"), "CxnElt=2:C.d|Foo=2:x");
        assert_eq!(numbers.in_misc(0, "CopyOf=-1"), "CopyOf=-1");
        let nodes = serde_json::json!({"after": [["1", "w\tw\tVERB\t_\t_\t_\t_\t2:x|4:conj\tCopyOf=3"]]});
        let moved = serde_json::json!({"after": [["1", "w\tw\tVERB\t_\t_\t_\t_\t3:conj\tCopyOf=2"]]});
        assert_eq!(numbers.in_nodes(0, nodes), moved);
    }

    #[test]
    fn a_tree_is_lost_with_a_second_root_a_word_without_head_or_a_head_that_is_gone() {
        let lost = |had: &[&str], heads: &[&str]| {
            let heads: Vec<Value> = heads.iter().map(|head| Value::from(*head)).collect();
            numbers(had).lose_tree(|at| heads.get(at))
        };
        assert!(!lost(&["1", "2", "3"], &["2", "0", "2"]));
        assert!(!lost(&["2", "3"], &["0", "2"]), "a leaf in front is gone");
        assert!(!lost(&["1", "2"], &["2", "0"]), "a leaf at the end is gone");
        assert!(lost(&["1", "3"], &["2", "2"]), "the root is gone");
        assert!(lost(&["1", "2", "1", "2"], &["2", "0", "2", "0"]), "two sentences");
        assert!(lost(&["1", "new", "2"], &["2", "_", "0"]));
        assert!(!lost(&["1", "new"], &["_", "_"]), "there was none");
        assert!(!lost(&["1", "2"], &["0", "0"]), "a file that has two roots itself keeps them");
        let pieces = Numbers::new([(Some("1".into()), None), (Some("1".into()), Some(0))].into_iter());
        let root = Value::from("0");
        assert!(!pieces.lose_tree(|_| Some(&root)), "the second word of the root hangs on the first");
        assert_eq!(pieces.renumbered(1, "head", &root), "1");
        assert_eq!(pieces.renumbered(1, "deprel", &"root".into()), "dep");
        assert_eq!(pieces.renumbered(1, "stanford_head", &root), "0", "a column whose relations are not known");
    }
}
