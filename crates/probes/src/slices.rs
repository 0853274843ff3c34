//! Slices: parts of a data set picked by a measure of each sample.

use fissure_core::{Entry, Slice};

mod length;
mod overlap;
mod perplexity;
mod phrase;
mod prejudice;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Slice>] =
    &[&length::ENTRY, &overlap::ENTRY, &perplexity::ENTRY, &phrase::ENTRY, &prejudice::ENTRY];

pub(crate) use perplexity::of as perplexity_of;
