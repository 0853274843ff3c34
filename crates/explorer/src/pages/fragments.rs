//! Parts of the example page that are made again as the person works: one file for each.

mod attack;
mod check;
mod directions;
mod heatmap;
mod joint;
mod numbers;
mod threats;
mod view;
mod word;

use crate::error::Problem;
use crate::session::Session;

pub use attack::{Attacked, attack, found_before};
pub use check::{Truth, truth};
pub use directions::{Along, along};
pub use joint::{Together, together};
pub use numbers::classes;
pub use threats::{Threatened, threats};
pub use view::{View, answer, view};
pub use word::{Place, word};

/// The number of a model, where there is such a model.
fn known(session: &Session, model: usize) -> Result<usize, Problem> {
    Some(model).filter(|model| *model < session.setup.subjects.len()).ok_or_else(|| Problem::not_found("such model"))
}
