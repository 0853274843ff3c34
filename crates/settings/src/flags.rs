//! Settings as the words of a command line, made from what serde writes and what clap reads.

use clap::error::ErrorKind;
use clap::{Args, Command};
use serde::Serialize;
use serde_json::Value;

/// The flags that say these settings; `None` if something among them has no flag, or cannot be written as one.
pub fn words<T: Args + Serialize>(settings: &T) -> Option<Vec<String>> {
    let Ok(Value::Object(settings)) = serde_json::to_value(settings) else { return None };
    let command = T::augment_args(Command::new("fissure"));
    let mut words = Vec::new();
    for (key, value) in settings {
        let long = key.replace('_', "-");
        let flag = command.get_arguments().find(|flag| flag.get_long() == Some(&*long))?;
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let value = match value {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                Value::Null | Value::Array(_) | Value::Object(_) => return None,
            };
            if flag.get_value_delimiter().is_some_and(|delimiter| value.contains(delimiter)) {
                return None;
            }
            // A value that looks like a flag is taken for one, unless it is tied to its own.
            if value.starts_with('-') && value != "-" {
                words.push(format!("--{long}={value}"));
            } else {
                words.extend([format!("--{long}"), value]);
            }
        }
    }
    Some(words)
}

/// Why the flags that say these settings would be refused for their values; `None` if they would not.
pub fn refusal<T: Args + Serialize>(settings: &T) -> Option<String> {
    let command = T::augment_args(Command::new("fissure").no_binary_name(true));
    let refused = command.try_get_matches_from(words(settings)?).err()?;
    // What else may be missing beside one setting is another matter.
    if !matches!(refused.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let why = std::error::Error::source(&refused).map(ToString::to_string);
    Some(why.unwrap_or_else(|| refused.to_string().lines().next().unwrap_or_default().to_owned()))
}

/// The keys of settings in a file: those with a flag, and `more`.
pub fn keys<T: Args>(more: &[&str]) -> Vec<String> {
    let command = T::augment_args(Command::new("fissure"));
    let flags = command.get_arguments().filter_map(|flag| Some(flag.get_long()?.replace('-', "_")));
    flags.chain(more.iter().map(|key| (*key).to_owned())).collect()
}

/// A word as a shell reads it: as it is if that is safe, else in single quotes.
pub fn shell_word(word: &str) -> String {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=@%,+".contains(letter);
    if !word.is_empty() && word.chars().all(safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A message for a door without flags: `--label-map` becomes `label_map=`. Commands of the program stay as they are.
pub fn as_keywords(message: &str) -> String {
    let mut written = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        let name = from[2..].find(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
        let name = &from[2..][..name.unwrap_or(from.len() - 2)];
        // Within backticks that begin with the program's name stands a command to type.
        let quoted = written.rfind('`').filter(|_| written.matches('`').count() % 2 == 1);
        let in_command = quoted.is_some_and(|tick| written[tick + 1..].starts_with("fissure "));
        if name.is_empty() || in_command {
            written.push_str("--");
            rest = &from[2..];
        } else {
            written.push_str(&name.replace('-', "_"));
            written.push('=');
            rest = from[2 + name.len()..].strip_prefix(' ').unwrap_or(&from[2 + name.len()..]);
        }
    }
    written.push_str(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_keywords_but_not_in_commands() {
        assert_eq!(as_keywords("give --encoder DIR, or --label-map"), "give encoder=DIR, or label_map=");
        let command = "`fissure evaluate --resume DIR` finishes it -- or `--force`";
        assert_eq!(as_keywords(command), "`fissure evaluate --resume DIR` finishes it -- or `force=`");
    }

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell_word("data/test.csv"), "data/test.csv");
        assert_eq!(shell_word("my data.csv"), "'my data.csv'");
        assert_eq!(shell_word("$(rm -rf ~)'"), "'$(rm -rf ~)'\\'''");
        assert_eq!(shell_word(""), "''");
    }
}
