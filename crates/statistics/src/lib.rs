//! The statistics of Fissure: correlations with their p-values, ranks, intervals, paired tests, calibration. Each is
//! checked against SciPy or statsmodels, and the intervals by simulation (`tests/coverage.rs`).

mod binomial_draw;
mod bootstrap;
mod calibration;
mod clusters;
mod correlation;
mod estimate;
mod fisher;
mod holm;
mod mcnemar;
mod mean;
mod moments;
mod normal;
mod overlap;
mod paired;
mod proportion;
mod rank;
mod sampled;
mod tallies;
mod tango;
mod unpaired;

pub use bootstrap::{Interval, bootstrap};
pub use calibration::{Bin, Calibration, ece, ece_difference};
pub use clusters::{ClusteredPairs, ClusteredShare, effective_number};
pub use correlation::{Correlation, kendall, partial, pearson, spearman};
pub use estimate::Estimate;
pub use fisher::fisher;
pub use holm::holm;
pub use mcnemar::mcnemar;
pub use mean::mean;
pub use moments::Moments;
pub use normal::{normal, normal_quantile};
pub use overlap::overlap;
pub use paired::{Paired, RESAMPLES, Statistic, counted_bootstrap, joint_bootstrap, paired_bootstrap};
pub use proportion::{difference, proportion};
pub use rank::ranks;
pub use sampled::{Design, LOOKS, Recalibration, Sampled, Stage};
pub use tango::paired_difference;
pub use unpaired::{Unpaired, permutation_test, unpaired_bootstrap};
