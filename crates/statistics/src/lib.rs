//! The statistics of Fissure: correlations with their p-values, ranks, intervals, paired tests. Checked against SciPy.

mod bootstrap;
mod correlation;
mod estimate;
mod normal;
mod overlap;
mod proportion;
mod rank;

pub use bootstrap::{Interval, bootstrap};
pub use correlation::{Correlation, kendall, partial, pearson, spearman};
pub use estimate::Estimate;
pub use normal::normal;
pub use overlap::overlap;
pub use proportion::proportion;
pub use rank::ranks;
