//! Parts of the example page that are made anew as the person works: one file for each.

mod along;
mod numbers;
mod painted;
mod together;
mod truth;
mod view;
mod word;

use crate::error::Problem;
use crate::session::Session;

pub use along::{Along, along};
pub use numbers::classes;
pub use together::{Together, together};
pub use truth::{Truth, truth};
pub use view::{View, answer, view};
pub use word::{Place, word};

/// The number of a model, where there is such a model.
fn known(session: &Session, model: usize) -> Result<usize, Problem> {
    Some(model).filter(|model| *model < session.setup.subjects.len()).ok_or_else(|| Problem::not_found("such model"))
}
