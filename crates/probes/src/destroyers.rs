//! Destroyers: the words are the user's own, but the meaning is gone, and no label is right any more.

use fissure_core::{Entry, Transform};

mod copy_one;
mod copy_sort;
mod drop;
mod pbsmt;
mod repeat;
mod replace;
mod reverse;
mod shuffle;
mod sort;
mod units;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] = &[
    &sort::ENTRY,
    &reverse::ENTRY,
    &shuffle::ENTRY,
    &copy_sort::ENTRY,
    &drop::ENTRY,
    &repeat::ENTRY,
    &replace::ENTRY,
    &copy_one::ENTRY,
    &pbsmt::ENTRY,
];
