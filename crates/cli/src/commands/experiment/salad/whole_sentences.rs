//! SST-2's training set lists the phrases of its sentences too: a parse tree gives dozens of rows. Its test set has whole
//! sentences. A model that learns what is valid from fragments finds whole sentences odd.

use std::collections::BTreeSet;

use fissure_repair::LabelledSet;

/// Only the texts that are part of no other, in their order.
pub fn only(set: LabelledSet) -> LabelledSet {
    let words = |at: usize| -> Vec<&str> {
        set.samples[at].fields.first().map_or("", |field| &field.text).split_whitespace().collect()
    };
    let mut order: Vec<usize> = (0..set.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(words(*at).len()));
    // Every run of words of the texts that are kept; longer texts come first.
    let mut known: BTreeSet<Vec<&str>> = BTreeSet::new();
    let mut kept = vec![false; set.len()];
    for at in order {
        let words = words(at);
        if words.is_empty() || known.contains(&words) {
            continue;
        }
        kept[at] = true;
        for start in 0..words.len() {
            for end in start + 1..=words.len() {
                known.insert(words[start..end].to_vec());
            }
        }
    }
    drop(known);
    let rows = set.samples.into_iter().zip(set.labels).zip(kept);
    let (samples, labels) = rows.filter(|(_, kept)| *kept).map(|(row, _)| row).unzip();
    LabelledSet { samples, labels }
}

#[cfg(test)]
mod tests {
    use fissure_core::Sample;

    use super::*;

    #[test]
    fn phrases_of_other_texts_and_repetitions_go() {
        let texts = ["a fine film", "it is a fine film , really", "fine", "a film", "a film", ""];
        let samples = texts.iter().enumerate().map(|(id, text)| Sample::of_text(id.to_string(), *text)).collect();
        let found = only(LabelledSet { samples, labels: (0..6).collect() });
        assert_eq!(found.labels, [1, 3]);
    }
}
