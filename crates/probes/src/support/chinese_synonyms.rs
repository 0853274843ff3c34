//! Chinese words that can stand for a word: as long, and used alike.

use fissure_text::Upos;
use fissure_text::chinese::{dictionary, synonyms};

/// From here on pairs of the wordnet are taken that were not reviewed, if both words have the same senses and share a
/// character; about one in four of them reads badly.
const UNREVIEWED: f64 = 0.3;

/// Synonyms of a word of simplified characters; `risk` is the greatest chance that one reads badly.
pub(crate) fn synonyms_of(word: &str, upos: Option<Upos>, risk: f64) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    if risk >= 0.02 {
        found.extend(synonyms::reviewed(word));
    }
    if let Some(upos) = upos.filter(|_| risk >= UNREVIEWED) {
        let length = word.chars().count();
        let fits = |synonym: &&synonyms::Synonym| {
            let close = synonym.shared == 100 && synonym.word.chars().any(|c| word.contains(c));
            (close || risk >= 1.0)
                && synonym.word.chars().count() == length
                && dictionary::tag(synonym.word) == dictionary::tag(word)
                && !found.contains(&synonym.word)
        };
        let more: Vec<&str> = synonyms::synonyms(word, upos).iter().filter(fits).map(|synonym| synonym.word).collect();
        found.extend(more);
    }
    found
}
