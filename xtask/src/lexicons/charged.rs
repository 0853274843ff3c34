//! `charged.txt`: the words that people hear a feeling or a judgement in, from the word list of VADER.

use super::Table;
use super::sources::{Sources, VADER};
use crate::Result;
use std::collections::BTreeSet;

pub const TABLE: Table = Table {
    name: "charged",
    ending: "txt",
    what: "words that people hear a feeling or a judgement in",
    licence: "MIT (VADER, Hutto and Gilbert 2014)",
    made: "the lower-case words of the VADER list whose mean rating is 1 or more either way",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let mut words = BTreeSet::new();
    for line in sources.text(&VADER, "vaderSentiment/vader_lexicon.txt")?.lines() {
        let mut fields = line.split('\t');
        let (Some(word), Some(mean)) = (fields.next(), fields.next()) else { continue };
        let mean: f64 = mean.trim().parse().map_err(|error| format!("{line:?}: {error}"))?;
        if mean.abs() >= 1.0 && word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            words.insert(word.to_owned());
        }
    }
    let mut file =
        String::from("# Words that people hear a feeling or a judgement in. From VADER (MIT). See manifest.toml.\n");
    for word in words {
        file += &word;
        file.push('\n');
    }
    Ok(file.into_bytes())
}
