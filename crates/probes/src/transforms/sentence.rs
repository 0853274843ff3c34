//! Transformations that add to a text or take from it as a whole.

use fissure_core::{Entry, Transform};

pub(crate) mod append_irr;
mod back_trans;
mod punctuation;
pub(crate) mod reverse_neg;
mod twitter_type;

pub use back_trans::rewrite;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] =
    &[&append_irr::ENTRY, &back_trans::ENTRY, &punctuation::ENTRY, &reverse_neg::ENTRY, &twitter_type::ENTRY];
