//! Searches: how candidates are combined.

use fissure_core::Entry;

use crate::Search;

mod beam;
mod bound;
mod evolution;
mod exact;
mod genetic;
mod importance;
mod jump;
mod line;
mod swarm;

/// Every search, in the order of lists.
pub static ALL: &[&Entry<dyn Search>] = &[
    &beam::ENTRY,
    &bound::ENTRY,
    &evolution::ENTRY,
    &exact::ENTRY,
    &genetic::ENTRY,
    &importance::ENTRY,
    &jump::ENTRY,
    &line::ENTRY,
    &swarm::ENTRY,
];

/// The first of the largest scores; none if nothing was answered.
fn best(scores: &[Option<f64>]) -> Option<(usize, f64)> {
    let known = scores.iter().enumerate().filter_map(|(at, score)| Some((at, (*score)?)));
    known.reduce(|best, next| if next.1 > best.1 { next } else { best })
}
