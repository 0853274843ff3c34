//! Every word that is right as it stands, as far as the sources know: a misspelling must not be one of them.

use super::glove;
use super::sources::{LEMMINFLECT, NAMES, Sources, WORDNET};
use crate::Result;
use std::collections::HashSet;

/// A word this frequent in GloVe is taken for a word of the language or a name, whatever dictionaries say.
const FREQUENT: usize = 25_000;

/// Lower-case right words: entries and inflected forms of the dictionaries, names, and frequent words.
pub fn right_words(sources: &Sources) -> Result<HashSet<String>> {
    let mut words: HashSet<String> = glove::words(sources)?.into_iter().take(FREQUENT).collect();
    for part in ["noun", "verb", "adj", "adv"] {
        let index = sources.text(&WORDNET, &format!("usr/share/wordnet/index.{part}"))?;
        for entry in index.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()) {
            words.extend(entry.split('_').map(str::to_lowercase));
        }
        let exceptions = sources.text(&WORDNET, &format!("usr/share/wordnet/{part}.exc"))?;
        words.extend(exceptions.split_whitespace().map(str::to_lowercase));
    }
    for table in ["infl_lu.csv.gz", "lemma_lu.csv.gz"] {
        let text = sources.gzipped_text(&LEMMINFLECT, &format!("lemminflect/resources/{table}"))?;
        words.extend(text.split([',', '/', '\n']).map(str::to_lowercase));
    }
    for list in ["female.first", "male.first", "all.last"] {
        let text = sources.text(&NAMES, &format!("names/dist.{list}"))?;
        words.extend(text.lines().filter_map(|line| line.split(' ').next()).map(str::to_lowercase));
    }
    Ok(words)
}
