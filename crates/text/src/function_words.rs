//! Words that serve grammar: articles, pronouns, auxiliaries, prepositions, conjunctions, and what apostrophes leave of them.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Whether a lower-case word serves grammar. Contracted forms count (`isn't`, `they'll`), and so do the pieces that
/// other tokenisers cut them into (`isn`, `ll`).
///
/// ```
/// use fissure_text::function_words;
/// assert!(function_words::contains("the") && function_words::contains("wouldn't"));
/// assert!(!function_words::contains("house"));
/// ```
pub fn contains(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<String>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let lines = include_str!("../../../lexicons/function_words.txt").lines();
        let classes = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
        classes.flat_map(|(_, words)| words.split(' ')).flat_map(forms).collect()
    });
    // A curly apostrophe is as good as a straight one.
    if word.contains('\u{2019}') { words.contains(&word.replace('\u{2019}', "'")) } else { words.contains(word) }
}

/// A word of the list with its contracted forms.
fn forms(listed: &str) -> Vec<String> {
    if let Some(word) = listed.strip_suffix('+') {
        return vec![word.to_owned(), format!("{word}n't")];
    }
    let Some(word) = listed.strip_suffix('\'') else { return vec![listed.to_owned()] };
    let be = match word {
        "i" => "m",
        "you" | "we" | "they" => "re",
        _ => "s",
    };
    let endings = [be, "ll", "d", "ve"].map(|ending| format!("{word}'{ending}"));
    [word.to_owned()].into_iter().chain(endings).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_by_hand() {
        for word in ["i'm", "they're", "she's", "it'll", "isn't", "couldn\u{2019}t", "myself", "of", "ve"] {
            assert!(contains(word), "{word}");
        }
        for word in ["won", "film", "good", "i're", "", "Isn't"] {
            assert!(!contains(word), "{word}");
        }
    }

    #[test]
    fn every_line_names_a_class() {
        let classes = ["DET", "PRON", "AUX", "ADP", "CCONJ", "SCONJ", "PART", "ADV", "PIECE"];
        let lines = include_str!("../../../lexicons/function_words.txt").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let (class, words) = line.split_once(' ').unwrap();
            assert!(classes.contains(&class), "{line}");
            let mut seen = HashSet::new();
            assert!(words.split(' ').all(|word| !word.is_empty() && seen.insert(word)), "{line}");
        }
    }
}
