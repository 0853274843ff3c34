//! Validators: how good a change is, from 0 (nothing is left) to 1 (nothing was lost).

use fissure_core::{Entry, Sample, Skip, Validator};

mod bleu;
mod chrf;
mod edit_distance;
mod fluency;
mod similarity;
mod words_kept;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Validator>] =
    &[&bleu::ENTRY, &chrf::ENTRY, &edit_distance::ENTRY, &fluency::ENTRY, &similarity::ENTRY, &words_kept::ENTRY];

/// The lowest score of the texts that were changed; 1 if none was.
fn worst(before: &Sample, after: &Sample, score: impl Fn(&str, &str) -> Result<f64, Skip>) -> Result<f64, Skip> {
    let pairs = before.fields.iter().zip(&after.fields).filter(|(before, after)| before.text != after.text);
    pairs.map(|(before, after)| score(&before.text, &after.text)).try_fold(1.0, |lowest, next| Ok(next?.min(lowest)))
}

/// How often each piece stands in a list.
fn counts<'a, T: std::hash::Hash + Eq + ?Sized>(
    pieces: impl Iterator<Item = &'a T>,
) -> std::collections::HashMap<&'a T, usize> {
    let mut counts = std::collections::HashMap::new();
    for piece in pieces {
        *counts.entry(piece).or_default() += 1;
    }
    counts
}
