//! Originals and their revisions (contrast sets, counterfactuals), brought together.

use std::collections::BTreeMap;

use fissure_core::Sample;

use fissure_tasks::is_content_id;

/// Samples of both sides, and which two belong together: `(original, revised)` by their places.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paired {
    pub samples: Vec<Sample>,
    pub pairs: Vec<(usize, usize)>,
}

/// Two files: a revision belongs to the original of the same id, or, if no id is shared, of the same row. Files without
/// ids are matched by row: their texts name them, and a revision has another text. The id of a revision gets the ending
/// `-revised`.
pub fn two_files(originals: Vec<Sample>, revised: Vec<Sample>) -> Paired {
    let places: BTreeMap<String, usize> =
        originals.iter().enumerate().rev().map(|(at, sample)| (sample.id.clone(), at)).collect();
    let by_id: Vec<Option<usize>> = revised.iter().map(|sample| places.get(&sample.id).copied()).collect();
    // A revision that changed nothing has the id of its original by its content; that is no id that the files share.
    let shared = revised.iter().zip(&by_id).any(|(sample, place)| place.is_some() && !is_content_id(&sample.id));
    let count = originals.len();
    let mut paired = Paired { samples: originals, pairs: Vec::new() };
    for (row, mut sample) in revised.into_iter().enumerate() {
        let original = if shared { by_id[row] } else { Some(row).filter(|row| *row < count) };
        paired.pairs.extend(original.map(|original| (original, paired.samples.len())));
        sample.id.push_str("-revised");
        paired.samples.push(sample);
    }
    paired
}

/// One file: rows that share the value of a column belong together; the first of them is the original.
pub fn by_column(samples: Vec<Sample>, column: &str) -> Paired {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        let value = sample.extra.iter().find(|(name, _)| name.eq_ignore_ascii_case(column));
        let Some((_, value)) = value else { continue };
        match first.get(&value.to_string()) {
            Some(&original) => pairs.push((original, at)),
            None => {
                first.insert(value.to_string(), at);
            }
        }
    }
    Paired { samples, pairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(ids: &[&str]) -> Vec<Sample> {
        ids.iter().map(|id| Sample::of_text(*id, "text")).collect()
    }

    #[test]
    fn a_revision_that_changed_nothing_does_not_stop_matching_by_row() {
        let paired = two_files(
            samples(&["h0123456789abcdef", "h1111111111111111"]),
            samples(&["h2222222222222222", "h1111111111111111"]),
        );
        assert_eq!(paired.pairs, [(0, 2), (1, 3)]);
    }

    #[test]
    fn by_id_or_by_row() {
        let paired = two_files(samples(&["a", "b", "c"]), samples(&["c", "a", "z"]));
        assert_eq!(paired.pairs, [(2, 3), (0, 4)]);
        assert_eq!(paired.samples[5].id, "z-revised");
        let paired = two_files(samples(&["a", "b"]), samples(&["x", "y", "z"]));
        assert_eq!(paired.pairs, [(0, 2), (1, 3)]);
    }

    #[test]
    fn by_a_column_of_one_file() {
        let mut all = samples(&["0", "1", "2", "3"]);
        for (sample, batch) in all.iter_mut().zip([13, 13, 46, 13]) {
            sample.extra.push(("batch_id".into(), batch.into()));
        }
        assert_eq!(by_column(all.clone(), "Batch_ID").pairs, [(0, 1), (0, 3)]);
        assert!(by_column(all, "no such").pairs.is_empty());
    }
}
