//! Proofs that no few changes turn a cnn or a bilstm: bounds over many texts at once, and a search where the bounds do not
//! decide.
//!
//! What a filter finds in a window is a sum over words, so candidates that keep their place shift it by known amounts. The lead
//! of the right class is bounded from below over all combinations at once ([`table`]); combinations that the bound does not
//! rule out are split, word by word, until they are ruled out or single texts ([`branch`]). The states of a bilstm are bounded word by word, which is loose, so its texts are mostly computed, many
//! at a time and from what they share ([`recurrent`]). Candidates that the model reads as
//! several words, or as none, move the windows: each combination of those is a text of its own ([`problem`]).

mod branch;
mod problem;
mod recurrent;
mod table;

pub(crate) use branch::{Branch, Verdicts};
pub(crate) use problem::{Network, Problem, Split, split};
pub(crate) use recurrent::Walk;

/// Leads this small are not decided by our sums: the model adds 32-bit numbers in another order.
const TOLERANCE: f64 = 1e-3;
