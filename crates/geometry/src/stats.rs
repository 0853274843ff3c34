//! The statistics of the experiments: correlations with their p-values, ranks, intervals. Checked against SciPy.

mod bootstrap;
mod correlation;
mod overlap;
mod proportion;
mod rank;

pub use bootstrap::{Interval, bootstrap};
pub use correlation::{Correlation, kendall, partial, pearson, spearman};
pub use overlap::overlap;
pub use proportion::{Proportion, proportion};
pub use rank::ranks;
