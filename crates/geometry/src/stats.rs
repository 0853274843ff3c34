//! The statistics of the experiments: correlations with their p-values, ranks, intervals. Checked against SciPy.

mod bootstrap;
mod correlation;
mod overlap;
mod rank;
mod wilson;

pub use bootstrap::{Interval, bootstrap};
pub use correlation::{Correlation, kendall, partial, pearson, spearman};
pub use overlap::overlap;
pub use rank::ranks;
pub use wilson::wilson;
